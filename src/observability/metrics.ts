import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, in one registry, which metrics-server.ts serves. Labels are words from our own tables (routes,
 * commands, codes), never ids, paths, numbers or names, so that their number is bounded and they contain no personal data.
 *
 * Every series exists with the value 0 from the start, because Prometheus does not see the first increase of a series that
 * begins with its first event. The module that owns the words of a label calls `startAtZero`. Only the durations by route are excepted: no alert reads them.
 */
export const registry = new Registry();

const registers = [registry];

/** Label → its possible values. */
type Words = Readonly<Record<string, readonly string[]>>;

/** Every combination of values. */
function combinations(words: Words): Record<string, string>[] {
  return Object.entries(words).reduce<Record<string, string>[]>(
    (made, [label, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

/** Creates the series of all combinations of these values. Those of a counter keep their values. */
export function startAtZero(metric: Counter | Histogram, words: Words): void {
  for (const labels of combinations(words)) {
    if (metric instanceof Counter) metric.inc(labels, 0);
    else metric.zero(labels);
  }
}

export const ready = new Gauge({
  name: 'escrow_ready',
  help: 'Whether this part of the process is ready to work (1) or not (0), as its /health/ready says.',
  labelNames: ['part'],
  registers,
});

export const httpRequestSeconds = new Histogram({
  name: 'escrow_http_request_duration_seconds',
  help: 'Time from a request to its answer, by route pattern.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const httpResponses = new Counter({
  name: 'escrow_http_responses_total',
  help: 'Responses by the class of their status, for alerts about errors.',
  labelNames: ['class'],
  registers,
});
startAtZero(httpResponses, { class: ['1xx', '2xx', '3xx', '4xx', '5xx'] });

export const refusals = new Counter({
  name: 'escrow_http_refusals_total',
  help: 'Refused requests by problem code: failed logins are invalid_credentials, guessed codes otp_invalid and otp_locked.',
  labelNames: ['code'],
  registers,
});

export const unwrittenRefusals = new Counter({
  name: 'escrow_unwritten_refusals_total',
  help: 'Refused requests that the audit log does not have: guesses above their limit, crowded out by others, or failed to be written.',
  labelNames: ['reason'],
  registers,
});
startAtZero(unwrittenRefusals, { reason: ['limit', 'crowd', 'failure'] });

export const commands = new Counter({
  name: 'escrow_commands_total',
  help: 'Commands that this API sent to workflows. Outcome is done, refused or error.',
  labelNames: ['entity', 'type', 'outcome'],
  registers,
});

export const commandSeconds = new Histogram({
  name: 'escrow_command_duration_seconds',
  help: "Time from sending a command to a workflow to its result, the wait for the escrow's turn included.",
  labelNames: ['entity'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const ledgerPostingSeconds = new Histogram({
  name: 'escrow_ledger_posting_duration_seconds',
  help: 'Duration of one call that posts one transaction or more.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  registers,
});

export const ledgerPostings = new Counter({
  name: 'escrow_ledger_postings_total',
  help: 'Transactions asked of the ledger. Outcome is posted, duplicate, or refused.',
  labelNames: ['type', 'outcome'],
  registers,
});

export const replicaReads = new Counter({
  name: 'escrow_replica_reads_total',
  help: 'Reads meant for the replica. Outcome is replica, behind, foreign or unavailable; the last three ran on the primary.',
  labelNames: ['outcome'],
  registers,
});
startAtZero(replicaReads, { outcome: ['replica', 'behind', 'foreign', 'unavailable'] });

export const sealFailures = new Counter({
  name: 'escrow_ledger_seal_failures_total',
  help: 'Rounds of the sealer that failed and were tried again.',
  registers,
});

export const eventSealFailures = new Counter({
  name: 'escrow_event_seal_failures_total',
  help: 'Rounds that gave events their positions, failed, and were tried again.',
  registers,
});

export const webhookAttempts = new Counter({
  name: 'escrow_webhook_attempts_total',
  help: 'Attempts to deliver events. Result is delivered, refused (not a 2xx response) or unreachable.',
  labelNames: ['result'],
  registers,
});
startAtZero(webhookAttempts, { result: ['delivered', 'refused', 'unreachable'] });

export const orderMessages = new Counter({
  name: 'escrow_order_messages_total',
  help: 'Attempts to send messages about orders to the parties. Outcome is sent, retried (tried again later) or failed (never sent again).',
  labelNames: ['outcome'],
  registers,
});
startAtZero(orderMessages, { outcome: ['sent', 'retried', 'failed'] });

export const providerRequestSeconds = new Histogram({
  name: 'escrow_provider_request_duration_seconds',
  help: 'Requests to providers, repetitions included. Outcome is answered, unreachable (nothing was done) or unknown.',
  labelNames: ['provider', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8],
  registers,
});
startAtZero(providerRequestSeconds, {
  provider: ['gateway', 'messaging', 'mobile-money', 'payout'],
  outcome: ['answered', 'unreachable', 'unknown'],
});

export const activityFailures = new Counter({
  name: 'escrow_activity_failures_total',
  help: 'Activities that failed and are tried again.',
  labelNames: ['activity'],
  registers,
});

export const databaseDenials = new Counter({
  name: 'escrow_database_denials_total',
  help: 'Statements that PostgreSQL denied because the role lacks a privilege, by activity; request is a request to the API.',
  labelNames: ['activity'],
  registers,
});

export const auditMismatches = new Counter({
  name: 'escrow_audit_mismatches_total',
  help: 'Mismatches that audits found. An audit that finds the same one again counts it again.',
  labelNames: ['kind'],
  registers,
});

export const unauditedEntities = new Counter({
  name: 'escrow_audit_unaudited_entities_total',
  help: 'Escrows, payment links and withdrawals that audits left out, because a later version changed them. Each audit counts them.',
  registers,
});

export const censoredFields = new Counter({
  name: 'escrow_log_censored_fields_total',
  help: 'Fields with secrets or personal data that the log left out.',
  registers,
});

export const runsHealed = new Counter({
  name: 'escrow_runs_healed_total',
  help: 'Runs that the sweep healed. Finding is missing, behind, overdue, final or stuck.',
  labelNames: ['finding'],
  registers,
});

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A method as a label: clients may send any text. */
export function methodLabel(method: string): string {
  return METHODS.includes(method) ? method : 'other';
}
