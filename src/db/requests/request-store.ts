import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { EntityKind, StoredDecision } from '../../domain/entity.ts';
import type { RefusalDetails } from '../../domain/errors.ts';
import type { Escrow } from '../../domain/escrow/escrow.ts';
import type { EscrowStatus } from '../../domain/escrow/statuses.ts';
import type { ApiKeyId, CommandId, CompanyId, EscrowId } from '../../domain/ids.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import { Batcher, type BatcherOptions, rowsFor } from '../core/batcher.ts';
import { executeBound, textArray } from '../core/bound.ts';
import { readUntied } from '../core/orm.ts';
import type { EscrowSubject } from '../escrow/escrows.ts';
import type { CredentialProof } from '../identity/credential-proof.ts';
import { type Closing, readClosings } from '../ledger/statements.ts';
import { storedRefusal } from '../operations/refused-commands.ts';
import {
  type Announcement,
  type AuditLine,
  announceLines,
  revokeLines,
  writeAnnounced,
  writeAuditedGuess,
  writeAuditLines,
} from './audit-log.ts';
import {
  type Claim,
  type Claimed,
  type ClaimResult,
  claimKeys,
  claimKeysWithLookup,
  type Finished,
  finishAll,
  forgetClaims,
  type JoinedLookup,
  unlockClaim,
} from './idempotency-keys.ts';

/** The database reads and writes that every request needs, batched over concurrent requests (batcher.ts). */

/** Further refusals are left out of the audit log. */
export const MAX_WAITING_REFUSALS = 1_000;

const BATCH: BatcherOptions = { maxItems: 100, maxInFlight: 1 };

type FoundApiKey = {
  readonly id: ApiKeyId;
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly permissions: readonly Permission[] | null;
  readonly isActive: boolean;
  readonly activeUntil: Date | null;
  readonly expiresAt: Date | null;
  /** Whether a use within the last minute is noted. */
  readonly isUseNoted: boolean;
};

type UsedKey = Pick<FoundApiKey, 'id' | 'companyId'>;

/** Notes uses of keys. One that another transaction changes meanwhile is skipped. */
export async function noteKeyUses(em: EntityManager, used: readonly UsedKey[]): Promise<void> {
  await em.execute('select auth_api_keys_used(?::uuid[], ?::uuid[])', [
    textArray(used.map(({ companyId }) => companyId)),
    textArray(used.map(({ id }) => id)),
  ]);
}

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

type KeyRow = {
  ordinal: string;
  id: ApiKeyId;
  company_id: CompanyId;
  role: Role;
  permissions: Permission[] | null;
  expires_at: Date | null;
  proof: string;
  is_active: boolean;
  active_until: Date | null;
  is_use_noted: boolean;
};

async function findApiKeys(
  orm: MikroORM,
  credentials: CredentialProof,
  hashes: readonly Buffer[],
): Promise<(FoundApiKey | null)[]> {
  // Concurrent requests often have the same key: it is read and verified once for all of them.
  const names = hashes.map((hash) => hash.toString('hex'));
  const distinct = [...new Set(names)];
  const rows = await readUntied(orm, (em) =>
    em.execute<KeyRow[]>('select * from auth_api_keys(?::text[])', [textArray(distinct)]),
  );
  const found = rowsFor(distinct, rows).map((row, index) => provenKey(credentials, distinct[index], row));
  const byName = new Map(distinct.map((name, index) => [name, found[index] ?? null]));
  return names.map((name) => byName.get(name) ?? null);
}

function provenKey(
  credentials: CredentialProof,
  hash: string | undefined,
  row: KeyRow | undefined,
): FoundApiKey | null {
  if (row === undefined || hash === undefined) return null;
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at);
  const claims = { id: row.id, companyId: row.company_id, role: row.role, permissions: row.permissions, expiresAt };
  if (!credentials.provesApiKey({ ...claims, keyHash: Buffer.from(hash, 'hex'), proof: row.proof })) return null;
  return {
    ...claims,
    isActive: row.is_active,
    activeUntil: row.active_until === null ? null : new Date(row.active_until),
    isUseNoted: row.is_use_noted,
  };
}

const KEY_PREFIX = /^[A-Za-z0-9]{8}$/;

async function findApiKeyByPrefix(orm: MikroORM, keyPrefix: string) {
  if (!KEY_PREFIX.test(keyPrefix)) return null;
  const [row] = await orm.em
    .fork()
    .execute<Pick<KeyRow, 'id' | 'company_id' | 'role'>[]>('select * from auth_api_key_by_prefix(?)', [keyPrefix]);
  return row === undefined ? null : { id: row.id, companyId: row.company_id, role: row.role };
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
