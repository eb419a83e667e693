import type { AnswerOf, Operation } from '../../clients/typescript/src/types.ts';

/** What the API answers, under the names that pages use. */

export type EscrowView = AnswerOf<Operation<'get', '/v1/escrow/{id}'>>;
export type EscrowRow = AnswerOf<Operation<'get', '/v1/escrow'>>['data'][number];
export type TimelineView = AnswerOf<Operation<'get', '/v1/escrow/{id}/timeline'>>;
export type TimelineItem = TimelineView[number];
export type ProgressView = AnswerOf<Operation<'get', '/v1/escrow/{id}/progress'>>;
export type DisputeView = AnswerOf<Operation<'get', '/v1/escrow/{id}/dispute'>>;
export type DisputeRow = AnswerOf<Operation<'get', '/v1/escrow/disputes'>>['data'][number];
export type PayoutView = AnswerOf<Operation<'get', '/v1/treasury/withdrawals/{id}'>>;
export type PositionView = AnswerOf<Operation<'get', '/v1/ledger/stats/position'>>;
export type CashflowView = AnswerOf<Operation<'get', '/v1/ledger/stats/cashflow'>>;
