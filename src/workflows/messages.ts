import type { EscrowEvent } from '../domain/escrow/escrow.ts';
import type { EscrowStatus } from '../domain/escrow/transitions.ts';
import type { CommandId } from '../domain/ids.ts';
import type { LinkEvent, LinkStatus } from '../domain/payment-link/link.ts';
import type { Wire } from '../domain/wire.ts';
import type { WithdrawalStatus } from '../domain/withdrawal/transitions.ts';
import type { WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';

/**
 * What the outside may say to a workflow: names, ids and payload types, without any implementation. Clients import this
 * and never a workflow.
 */

export const ESCROW_WORKFLOW = 'escrowWorkflow';
export const REBUILD_WORKFLOW = 'rebuildWorkflow';
export const AUDIT_WORKFLOW = 'auditWorkflow';

/**
 * How long a worker may take over one step before the server gives it to another: what an escrow waits for whose worker was
 * killed in the middle of it. A worker that itself waits, for a slow database, reports in time and keeps the step.
 */
export const WORKFLOW_TASK_TIMEOUT = '3 seconds';

/** A workflow's only input is the id that clients see. Everything else is in the database, so a run can be started at any time. */
export type EscrowInput = { readonly escrowId: string };

/** Creation is an update only. */
export const INITIATE_UPDATE = 'initiate';

/** What an update carries, beside the fields of its command. A signal carries the same, and may leave all of these out. */
export type Message = { readonly commandId: CommandId } & Readonly<Record<string, unknown>>;

/** What every accepted command answers. */
export type EscrowResult = {
  readonly event: Wire<EscrowEvent>;
  /** The status that the event led to. */
  readonly status: EscrowStatus;
};

/** Somebody else wrote to the entity: the run reads its rows again. */
export const REFRESH_SIGNAL = 'refresh';

/** The run ends when nobody waits for it and continues as a new one: on the current release where workers are versioned. */
export const RENEW_SIGNAL = 'renew';

export const STATE_QUERY = 'state';
export const TIMELINE_QUERY = 'timeline';
export const PROGRESS_QUERY = 'progress';

/** What the `progress` query answers. */
export type Progress = {
  /** The commands that the run takes now. */
  readonly waitingFor: readonly string[];
  /** When something happens by itself, as an ISO instant; null where nothing will. */
  readonly nextDeadline: string | null;
  readonly historyLength: number;
};

/** Failure type of an update that reached a run about to continue as new: send it again, the next run takes it. */
export const RUN_IS_CLOSING = 'run_is_closing';

export const LINK_WORKFLOW = 'paymentLinkWorkflow';
export type LinkInput = { readonly linkId: string };

export const CREATE_LINK_UPDATE = 'create';

export type LinkResult = { readonly event: Wire<LinkEvent>; readonly status: LinkStatus };

export const WITHDRAWAL_WORKFLOW = 'withdrawalWorkflow';
export type WithdrawalInput = { readonly withdrawalId: string };

export const REQUEST_WITHDRAWAL_UPDATE = 'request';

export type WithdrawalResult = { readonly event: Wire<WithdrawalEvent>; readonly status: WithdrawalStatus };
