import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { EntityKind, StoredDecision } from '../../domain/entity.ts';
import type { Refusal, RefusalDetails } from '../../domain/errors.ts';
import type { Escrow, EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, EscrowId } from '../../domain/ids.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import { Batcher, type BatcherOptions, rowsFor } from '../core/batcher.ts';
import { executeBound, textArray } from '../core/bound.ts';
import { readUntied } from '../core/orm.ts';
import type { EscrowSubject } from '../escrow/escrows.ts';
import { type FoundApiKey, findApiKeyByPrefix, findApiKeys, noteKeyUses, type UsedKey } from '../identity/api-keys.ts';
import type { CredentialProof } from '../identity/credential-proof.ts';
import { type Closing, readClosings } from '../ledger/statements.ts';
import { storedRefusal } from '../operations/refused-commands.ts';
import {
  type Announcement,
  type AuditLine,
  announceLines,
  auditJson,
  revokeLines,
  writeAnnounced,
  writeAuditedGuess,
  writeAuditLines,
} from './audit-log.ts';

/** The database reads and writes that every request needs, batched over concurrent requests (batcher.ts). */

/** Further refusals are left out of the audit log. */
export const MAX_WAITING_REFUSALS = 1_000;

const BATCH: BatcherOptions = { maxItems: 100, maxInFlight: 1 };

export type RequestStore = {
  /**
   * The key with this hash; null if there is none, or if its row has no valid proof. The caller checks whether it is still valid.
   */
  readonly findApiKey: (keyHash: Buffer) => Promise<FoundApiKey | null>;
  /** Notes that a key was used. */
  readonly noteKeyUse: (key: UsedKey) => Promise<void>;
  /** The newest key with these visible characters; null if there is none. */
  readonly findApiKeyByPrefix: (keyPrefix: string) => Promise<Pick<FoundApiKey, 'id' | 'companyId' | 'role'> | null>;
  /** The data of the company's escrow that a command needs; null if it has no escrow with that id. */
  readonly findEscrow: (companyId: CompanyId, id: EscrowId) => Promise<EscrowSubject | null>;
  /** The decision on a command as it is stored; null if there is none. */
  readonly findDecision: (command: CommandName) => Promise<StoredDecision | null>;
  /** Until when the company's ledger is closed. */
  readonly closing: (companyId: CompanyId) => Promise<Closing>;
  readonly claim: (claim: Claim) => Promise<ClaimResult>;
  /** The same for a command on an escrow, which is read in the same call. */
  readonly claimOnEscrow: (
    claim: Claim,
    id: EscrowId,
  ) => Promise<{ readonly outcome: ClaimResult; readonly escrow: EscrowSubject | null }>;
  /** Stores the response for a claim, and writes the audit log. */
  readonly finish: (finished: Finished) => Promise<void>;
  /** Releases a claim. `mayHaveHappened`: a retry resumes the same command. */
  readonly release: (claim: Claimed, mayHaveHappened: boolean) => Promise<void>;
  readonly audit: (line: AuditLine) => Promise<void>;
  /** Announces the line of a command without a key, and writes what the command has left of it, or takes it back. */
  readonly announce: (announcement: Announcement) => Promise<void>;
  readonly writeAnnounced: (command: Omit<Announcement, 'line'>) => Promise<void>;
  readonly revoke: (command: Omit<Announcement, 'line'>) => Promise<void>;
  /** `audit` for a refusal. Returns false, and writes nothing, if too many refusals wait to be written. */
  readonly auditRefusal: (line: AuditLine) => Promise<boolean>;
  /** `audit` for a caller who has shown no credential. Returns false if the actor has its maximum of such lines. */
  readonly auditGuess: (line: AuditLine) => Promise<boolean>;
  /** Settles when what nobody awaits is written: call it before the connections are closed. */
  readonly idle: () => Promise<void>;
};

export function createRequestStore(orm: MikroORM, credentials: CredentialProof): RequestStore {
  const keys = new Batcher((hashes: readonly Buffer[]) => findApiKeys(orm, credentials, hashes), BATCH);
  const escrows = new Batcher((asked: readonly AskedEscrow[]) => findEscrows(orm, asked), BATCH);
  const decisions = new Batcher((asked: readonly CommandName[]) => findDecisions(orm, asked), BATCH);
  const closings = new Batcher(
    (companies: readonly CompanyId[]) => readUntied(orm, (em) => readClosings(em, companies)),
    BATCH,
  );
  const claims = new Batcher((items: readonly Claim[]) => claimKeys(orm.em.fork(), items), BATCH);
  const onEscrows = new Batcher((items: readonly ClaimOnEscrow[]) => claimOnEscrows(orm, items), BATCH);
  const answers = new Batcher(async (items: readonly Finished[]) => {
    await finishAll(orm.em.fork(), items);
    return items.map(() => undefined);
  }, BATCH);
  const uses = new Batcher(async (used: readonly UsedKey[]) => {
    await noteKeyUses(orm.em.fork(), used);
    return used.map(() => undefined);
  }, BATCH);
  const writeLines = async (items: readonly AuditLine[]) => {
    await writeAuditLines(orm.em.fork(), items);
    return items.map(() => undefined);
  };
  const lines = new Batcher(writeLines, BATCH);
  // Apart from the others, so that a flood of refusals delays no other line.
  const refusals = new Batcher(writeLines, BATCH);
  let waitingRefusals = 0;
  const announcements = new Batcher(async (items: readonly Announcement[]) => {
    await announceLines(orm.em.fork(), items);
    return items.map(() => undefined);
  }, BATCH);
  return {
    findApiKey: (keyHash) => keys.submit(keyHash),
    noteKeyUse: (key) => uses.submit(key),
    findApiKeyByPrefix: (keyPrefix) => findApiKeyByPrefix(orm, keyPrefix),
    findEscrow: (companyId, id) => escrows.submit({ companyId, id }),
    findDecision: (command) => decisions.submit(command),
    closing: (companyId) => closings.submit(companyId),
    claim: (claim) => claims.submit(claim),
    claimOnEscrow: (claim, id) => onEscrows.submit({ claim, id }),
    finish: (finished) => answers.submit(finished),
    release: (claim, mayHaveHappened) =>
      mayHaveHappened ? unlockClaim(orm.em.fork(), claim) : forgetClaims(orm.em.fork(), [claim]),
    audit: (line) => lines.submit(line),
    auditRefusal: async (line) => {
      if (waitingRefusals >= MAX_WAITING_REFUSALS) return false;
      waitingRefusals += 1;
      try {
        await refusals.submit(line);
        return true;
      } finally {
        waitingRefusals -= 1;
      }
    },
    announce: (announcement) => announcements.submit(announcement),
    writeAnnounced: (command) => writeAnnounced(orm.em.fork(), [command]),
    revoke: (command) => revokeLines(orm.em.fork(), [command]),
    auditGuess: (line) => writeAuditedGuess(orm.em.fork(), line),
    idle: async () => {
      await Promise.all([uses.idle(), lines.idle(), refusals.idle()]);
    },
  };
}

type AskedEscrow = { readonly companyId: CompanyId; readonly id: EscrowId };
type EscrowRow = { ordinal: string; id: EscrowId; status: EscrowStatus; state: Wire<Escrow> };

async function findEscrows(orm: MikroORM, asked: readonly AskedEscrow[]): Promise<(EscrowSubject | null)[]> {
  const { rows: source, values } = escrowsOf(asked);
  const rows = await executeBound<EscrowRow>(orm.em.fork(), `select * from ${source}`, values);
  return rowsFor(asked, rows).map((row) => (row === undefined ? null : subjectOf(row)));
}

type ClaimOnEscrow = { readonly claim: Claim; readonly id: EscrowId };

async function claimOnEscrows(orm: MikroORM, items: readonly ClaimOnEscrow[]) {
  const asked = items.map(({ claim: { companyId }, id }) => ({ companyId, id }));
  const claims = items.map(({ claim }) => claim);
  const answers = await claimKeysWithLookup<EscrowRow>(orm.em.fork(), claims, escrowsOf(asked));
  return answers.map(({ outcome, found }) => ({ outcome, escrow: found === null ? null : subjectOf(found) }));
}

function escrowsOf(asked: readonly AskedEscrow[]): JoinedLookup {
  return {
    rows: 'escrows_for_commands(?::uuid[], ?::uuid[])',
    values: [textArray(asked.map(({ companyId }) => companyId)), textArray(asked.map(({ id }) => id))],
  };
}

function subjectOf({ id, status, state }: EscrowRow): EscrowSubject {
  return { id, status, state: fromWire<Escrow>(state) };
}

/** A command, and the entity to which it was sent. */
type CommandName = {
  readonly kind: EntityKind;
  readonly companyId: CompanyId;
  readonly entityId: string;
  readonly commandId: CommandId;
};

type DecisionRow = { readonly ordinal: string } & (
  | { readonly code: null; readonly data: Wire<unknown>; readonly status: string }
  | { readonly code: string; readonly detail: string; readonly details: RefusalDetails | null }
);

async function findDecisions(orm: MikroORM, asked: readonly CommandName[]): Promise<(StoredDecision | null)[]> {
  const rows = await executeBound<DecisionRow>(
    orm.em.fork(),
    'select * from command_decisions(?::text[], ?::uuid[], ?::uuid[], ?::uuid[])',
    [
      textArray(asked.map(({ kind }) => kind)),
      textArray(asked.map(({ companyId }) => companyId)),
      textArray(asked.map(({ entityId }) => entityId)),
      textArray(asked.map(({ commandId }) => commandId)),
    ],
  );
  return rowsFor(asked, rows).map((row) => {
    if (row === undefined) return null;
    return row.code === null ? { kind: 'stored', stored: { event: row.data, status: row.status } } : storedRefusal(row);
  });
}

// Idempotency keys

/**
 * Idempotency keys of clients: a key is claimed before the work, and repetitions receive the stored response. Each function
 * handles many requests in one call, and runs in `em`'s transaction if it has one.
 */

/** How long the work of a claimed key may take before another request may take it over. */
const LOCK = '60 seconds';
export const KEY_LIFETIME_HOURS = 24;
export const CLAIM_LIMITS = [LOCK, `${KEY_LIFETIME_HOURS} hours`] as const;

type IdempotencyKey = { readonly companyId: CompanyId; readonly operation: string; readonly key: string };

export type Claim = IdempotencyKey & {
  readonly fingerprint: Buffer;
  /** The command id for the work, if this is the first claim of the key. */
  readonly commandId: CommandId;
  /** Announced if the key is claimed, for work that others write under the command's id. */
  readonly line?: AuditLine;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** The reasons for which a claim is not granted. */
export type Unclaimed =
  | ({ readonly kind: 'replay' } & Answer)
  | { readonly kind: 'reused' }
  | { readonly kind: 'in_progress' };

type ClaimResult =
  /** The caller does the work, under this command id: its own, or that of an earlier attempt that never ended. */
  { readonly kind: 'claimed'; readonly commandId: CommandId } | Unclaimed;

type Claimed = IdempotencyKey & { readonly commandId: CommandId };

type StoredAnswer = Claimed & Answer;

/** The result of an idempotent request: refused, answered now, or not granted. */
export type OnceOutcome = Refusal | ({ readonly kind: 'answered' } & Answer) | Unclaimed;

export type ClaimRow = {
  ordinal: string;
  outcome: ClaimResult['kind'];
  command_id: CommandId;
  response_status: number | null;
  response_body: string | null;
};

export async function claimKeys(em: EntityManager, claims: readonly Claim[]): Promise<ClaimResult[]> {
  return (await askForKeys<ClaimRow>(em, claims, 'select * from')).map(claimResultOf);
}

/** Rows that the call which claims the keys reads too: at most one for each claim, with its ordinal. */
type JoinedLookup = { readonly rows: string; readonly values: readonly string[] };

/** Claims keys, and reads a row for each claim in the same round trip. `found`: the row, or null. */
async function claimKeysWithLookup<Row>(
  em: EntityManager,
  claims: readonly Claim[],
  { rows, values }: JoinedLookup,
): Promise<{ readonly outcome: ClaimResult; readonly found: Row | null }[]> {
  const answers = await askForKeys<ClaimRow & { found: Row | null }>(
    em,
    claims,
    'select claim.*, to_jsonb(joined) as found from',
    `claim left join ${rows} joined using (ordinal)`,
    values,
  );
  return answers.map((answer) => ({ outcome: claimResultOf(answer), found: answer.found }));
}

async function askForKeys<Row extends ClaimRow>(
  em: EntityManager,
  claims: readonly Claim[],
  select: string,
  join = '',
  values: readonly string[] = [],
): Promise<Row[]> {
  const statement = `${select} idempotency_claims(?::jsonb, ?::interval, ?::interval) ${join}`;
  const rows = await executeBound<Row>(em, statement, [
    JSON.stringify(claims.map(claimJson)),
    ...CLAIM_LIMITS,
    ...values,
  ]);
  return rowsFor(claims, rows).map((row) => {
    if (row === undefined) throw new Error('a claim has no result');
    return row;
  });
}

type UnclaimedRow = ClaimRow & { readonly outcome: Unclaimed['kind'] };

export function claimResultOf(row: UnclaimedRow): Unclaimed;
export function claimResultOf(row: ClaimRow): ClaimResult;
export function claimResultOf(row: ClaimRow): ClaimResult {
  if (row.outcome === 'claimed') return { kind: 'claimed', commandId: row.command_id };
  if (row.outcome !== 'replay') return { kind: row.outcome };
  if (row.response_status === null || row.response_body === null) throw new Error('a replay without an answer');
  // The text was written by JSON.stringify, so the API makes the same text of its value.
  return { kind: 'replay', status: row.response_status, body: JSON.parse(row.response_body) };
}

/** An answered request: the response for repetitions, and the content of the audit log. `announced`: claimed with its line. */
type Finished = { readonly answer: StoredAnswer; readonly line: AuditLine | 'announced' };

/**
 * Stores responses and writes the audit log, in one statement: both or neither. A response that is stored already stays
 * (402-erased-repetitions.sql). An announced line is written if the change has not taken it: the command was carried out before, or
 * there was nothing to change.
 */
export async function finishAll(em: EntityManager, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return;
  const answers = finished.map(({ answer: { status, body, ...key } }) => ({
    ...keyJson(key),
    status,
    body: JSON.stringify(body),
  }));
  const lines = finished.flatMap(({ line }) => (line === 'announced' ? [] : [auditJson(line)]));
  const announced = finished.flatMap(({ line, answer }) => (line === 'announced' ? [keyJson(answer)] : []));
  await executeBound(em, 'select idempotency_finishes(?::jsonb), audit_writes(?::jsonb), audit_announced(?::jsonb)', [
    JSON.stringify(answers),
    JSON.stringify(lines),
    JSON.stringify(announced),
  ]);
}

/** Releases claims, as if they had never been made. */
async function forgetClaims(em: EntityManager, claims: readonly Claimed[]): Promise<void> {
  if (claims.length === 0) return;
  await em.execute('select idempotency_forget(?::jsonb)', [JSON.stringify(claims.map(keyJson))]);
}

/** Releases a claim whose work may have had an effect: a retry resumes the same command at once. */
async function unlockClaim(em: EntityManager, { companyId, operation, key, commandId }: Claimed): Promise<void> {
  await em.execute('select idempotency_unlock(?, ?, ?, ?)', [companyId, operation, key, commandId]);
}

/** An idempotent request: its key, and the content of its line in the audit log. */
export type Once = { readonly claim: Claim; readonly auditLineOf: (answer: Answer) => AuditLine };

/** A claim in the form of `idempotency_claims`. */
export function claimJson({ fingerprint, line, ...claim }: Claim) {
  return {
    ...keyJson(claim),
    fingerprint: fingerprint.toString('hex'),
    ...(line === undefined ? {} : { line: auditJson(line) }),
  };
}

function keyJson({ companyId, operation, key, commandId }: Claimed) {
  return { company_id: companyId, operation, key, command_id: commandId };
}
