import type { CommandResult } from '../domain/entity.ts';
import type { EscrowEvent } from '../domain/escrow/commands.ts';
import type { EscrowStatus } from '../domain/escrow/escrow.ts';
import { type CommandId, publicId, type WebhookId } from '../domain/ids.ts';
import { instant, optional, record, text } from '../domain/messages/codec.ts';
import type { LinkEvent, LinkStatus } from '../domain/payment-link/link.ts';
import type { Instant } from '../domain/time.ts';
import type { WithdrawalEvent, WithdrawalStatus } from '../domain/withdrawal/withdrawal.ts';
import type { KeptRefusals } from './run/refused-messages.ts';

/**
 * The interface of workflows for clients: names, ids and payload types, without any implementation. Clients import this file
 * and never a workflow.
 */

export const ESCROW_WORKFLOW = 'escrowWorkflow';
export const REBUILD_WORKFLOW = 'rebuildWorkflow';
export const AUDIT_WORKFLOW = 'auditWorkflow';

/**
 * How long a worker may take for one workflow task before the server gives it to another worker. If a worker is killed in the
 * middle of a task, the escrow waits this long; also if a task reaches a worker as it stops, because the SDK (1.24) drops it. A
 * worker that waits itself, for a slow database, reports in time and keeps the task.
 */
export const WORKFLOW_TASK_TIMEOUT = '3 seconds';

/**
 * A workflow needs only the public id. Everything else is in the database, so a run can be started at any time. A run that
 * continues as new adds what the database does not have.
 */
export type EscrowInput = { readonly escrowId: string } & Kept;
type Kept = { readonly refused?: KeptRefusals };

/** Creation is an update only. */
export const INITIATE_UPDATE = 'initiate';

/** The fields of an update besides those of its command. A signal has the same fields, and may omit all of them. */
export type Message = { readonly commandId: CommandId } & Readonly<Record<string, unknown>>;

/** What an accepted update returns. The API reads the stored decision instead, which has the same form. */
export type EscrowResult = CommandResult<EscrowEvent, EscrowStatus>;

/** Another writer changed the entity: the run reads its rows again. */
export const REFRESH_SIGNAL = 'refresh';

/** The run continues as new when no caller waits for it, on the current release if workers are versioned. */
export const RENEW_SIGNAL = 'renew';

export const STATE_QUERY = 'state';
export const TIMELINE_QUERY = 'timeline';
export const PROGRESS_QUERY = 'progress';

/** The answer of the `progress` query. */
export type Progress = {
  /** The commands that the run accepts now. */
  readonly waitingFor: readonly string[];
  /** The next deadline as an ISO instant; null if there is none. */
  readonly nextDeadline: string | null;
  readonly historyLength: number;
};

/** Failure type of an update that reached a run about to continue as new: send it again, the next run takes it. */
export const RUN_IS_CLOSING = 'run_is_closing';

export const LINK_WORKFLOW = 'paymentLinkWorkflow';
export type LinkInput = { readonly linkId: string } & Kept;

export const CREATE_LINK_UPDATE = 'create';

export type LinkResult = CommandResult<LinkEvent, LinkStatus>;

/** The run that sends events to an endpoint. */
export const WEBHOOK_WORKFLOW = 'webhookWorkflow';
export const webhookWorkflowId = (id: WebhookId) => `webhook/${publicId('webhook', id)}`;
export type WebhookInput = { readonly webhookId: string };
/** There are events for the endpoint. */
export const NEWS_SIGNAL = 'news';

export const WITHDRAWAL_WORKFLOW = 'withdrawalWorkflow';
export type WithdrawalInput = { readonly withdrawalId: string; readonly bankAnswers?: BankAnswers } & Kept;

export const REQUEST_WITHDRAWAL_UPDATE = 'request';

export type WithdrawalResult = CommandResult<WithdrawalEvent, WithdrawalStatus>;

/**
 * The bank's answers about a withdrawal that the database does not have. A run that continues as new passes them to the next run.
 */
export type BankAnswers = {
  /** The latest check; null before the first, which the run makes at once. */
  readonly asked: { readonly at: Instant; readonly answer: string } | null;
  /** The bank's time of the latest verdict that confirmed the status. Older verdicts are ignored. */
  readonly heardAt: Instant | null;
};

const MAX_ANSWER_CHARACTERS = 100;

const bankAnswers = record<BankAnswers>({
  asked: optional(record<NonNullable<BankAnswers['asked']>>({ at: instant, answer: text(MAX_ANSWER_CHARACTERS) })),
  heardAt: optional(instant),
});

/** `given` is from the run's input. An invalid value counts as none. */
export function readBankAnswers(given: unknown): BankAnswers {
  return bankAnswers.parse(given) ?? { asked: null, heardAt: null };
}
