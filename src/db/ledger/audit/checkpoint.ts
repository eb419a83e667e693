import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../../domain/ids.ts';
import { type LedgerMismatch, type MismatchKind, mismatch } from './mismatch.ts';

/**
 * A checkpoint is the result of an audit that found no mismatch: a root that covers the head of every company's chain, signed
 * with Ed25519. It is kept outside the database. With the checkpoint and the public key, anyone can check any later copy of the
 * database.
 */
export type Checkpoint = {
  readonly version: 1;
  /** The number of the kept audit in this database. */
  readonly seq: string;
  /** ISO 8601. */
  readonly at: string;
  /** SHA-256 in hex. */
  readonly root: string;
  /** The first half of the SHA-256 of the public key (SPKI) in hex; null without a key. */
  readonly keyId: string | null;
  /** The signature of `version`, `seq`, `at` and `root` as `signedText` writes them, in base64; null without a key. */
  readonly signature: string | null;
};

export type AuditKey = { readonly keyId: string; readonly privateKey: KeyObject };

/** An Ed25519 private key as PKCS#8 DER in base64; `undefined` for anything else. */
export function parseAuditKey(text: string): AuditKey | undefined {
  try {
    const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
    if (privateKey.asymmetricKeyType !== 'ed25519') return undefined;
    return { keyId: keyIdOf(createPublicKey(privateKey)), privateKey };
  } catch {
    return undefined;
  }
}

/** The id of a public key. */
export function keyIdOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 32);
}

type Kept = { readonly seq: string; readonly at: Date; readonly root: string };

/** The checkpoint of a kept audit, signed if there is a key. */
export function checkpointOf({ seq, at, root }: Kept, key: AuditKey | undefined): Checkpoint {
  const unsigned = { version: 1 as const, seq, at: at.toISOString(), root };
  return {
    ...unsigned,
    keyId: key?.keyId ?? null,
    signature: key === undefined ? null : sign(null, signedText(unsigned), key.privateKey).toString('base64'),
  };
}

/** Whether the owner of `publicKey` signed the checkpoint. */
export function isSignedBy(checkpoint: Checkpoint, publicKey: KeyObject): boolean {
  if (checkpoint.signature === null) return false;
  return verify(null, signedText(checkpoint), publicKey, Buffer.from(checkpoint.signature, 'base64'));
}

function signedText({ version, seq, at, root }: Pick<Checkpoint, 'version' | 'seq' | 'at' | 'root'>): Buffer {
  return Buffer.from(`escrow-ledger-checkpoint\n${version}\n${seq}\n${at}\n${root}\n`);
}

/** Compares the database with a checkpoint from elsewhere: its root, and the head of every chain at that time. */
export async function compareWithCheckpoint(
  em: EntityManager,
  { seq, root }: Pick<Checkpoint, 'seq' | 'root'>,
): Promise<LedgerMismatch[]> {
  const rows = await em.execute<
    {
      kind: MismatchKind;
      company_id: CompanyId | null;
      block_seq: string | null;
      expected: string;
      actual: string | null;
    }[]
  >(`select * from checkpoint_mismatches(?, decode(?, 'hex'))`, [seq, root]);
  return rows.map((row) =>
    mismatch(row.kind, {
      companyId: row.company_id,
      blockSeq: row.block_seq,
      expected: row.expected,
      actual: row.actual,
      record: `checkpoint/${seq}`,
    }),
  );
}
