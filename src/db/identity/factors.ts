import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { SessionId } from '../../domain/ids.ts';
import type { FieldCipher } from '../core/field-cipher.ts';
import { Administrator, Session } from '../entities/tenancy.ts';
import { NO_FACTOR } from './companies.ts';
import type { CredentialProof } from './credential-proof.ts';
import type { AcceptedFactor, AdministratorName } from './sessions.ts';

/**
 * The second factor of an administrator: an authenticator app, and recovery codes. It stands in the administrator's row, whose proof
 * covers it, and that there is none. Every function locks the row, and verifies the proof before it signs a change.
 */

type Keys = { readonly credentials: CredentialProof; readonly cipher: FieldCipher };

/** The code, as one of the two kinds. */
export type FactorCode =
  | { readonly kind: 'totp'; readonly stepOf: (secret: string) => number | null }
  | { readonly kind: 'recovery_code'; readonly hash: string };

/** Stores the secret of an app, which counts once it is confirmed. Throws `wrong_state` if a factor is enabled. */
export async function beginEnrolling(
  em: EntityManager,
  { credentials, cipher }: Keys,
  administrator: AdministratorName,
  secret: string,
): Promise<void> {
  const row = await lockAdministrator(em, credentials, administrator);
  if (row.totpEnabled) throw new Refusal('wrong_state', 'a second factor is enabled; disable it first');
  const totpSecret = cipher.encrypt('administrator.totp_secret', row.id, secret);
  await sign(em, credentials, row, { ...NO_FACTOR, totpSecret, factorVersion: row.factorVersion + 1 });
}

/** Enables the factor, and returns true, if the app shows the right code. Throws `wrong_state`. */
export async function confirmEnrolling(
  em: EntityManager,
  keys: Keys,
  administrator: AdministratorName,
  stepOf: (secret: string) => number | null,
  recoveryHashes: string[],
): Promise<boolean> {
  const row = await lockAdministrator(em, keys.credentials, administrator);
  if (row.totpEnabled || row.totpSecret == null)
    throw new Refusal('wrong_state', 'start with POST /v1/auth/totp; an enabled factor is not replaced');
  const step = stepOf(secretOf(row, keys.cipher));
  if (step === null) return false;
  const enabled = { totpEnabled: true, totpUsedStep: step, recoveryHashes, factorVersion: row.factorVersion + 1 };
  await sign(em, keys.credentials, row, enabled);
  return true;
}

/** Whether the code is right and was not used. It is used up. False if there is no factor. */
export async function useCode(
  em: EntityManager,
  { credentials, cipher }: Keys,
  administrator: AdministratorName,
  code: FactorCode,
): Promise<boolean> {
  const row = await lockAdministrator(em, credentials, administrator);
  if (!row.totpEnabled) return false;
  if (code.kind === 'recovery_code') {
    const recoveryHashes = row.recoveryHashes.filter((hash) => hash !== code.hash);
    if (recoveryHashes.length === row.recoveryHashes.length) return false;
    await sign(em, credentials, row, { recoveryHashes });
    return true;
  }
  const step = code.stepOf(secretOf(row, cipher));
  if (step === null || step <= row.totpUsedStep) return false;
  em.assign(row, { totpUsedStep: step }); // the proof does not cover it, and a trigger lets it only rise
  await em.flush();
  return true;
}

/** Takes the factor away. */
export async function removeFactor(
  em: EntityManager,
  credentials: CredentialProof,
  administrator: AdministratorName,
): Promise<void> {
  const row = await lockAdministrator(em, credentials, administrator);
  await sign(em, credentials, row, { ...NO_FACTOR, factorVersion: row.factorVersion + 1 });
}

/** Records in the session that a code was accepted. */
export async function noteFactor(
  em: EntityManager,
  { companyId, id: administratorId }: AdministratorName,
  sessionId: SessionId,
  { at, proof }: AcceptedFactor,
): Promise<void> {
  const session = { companyId, administratorId, id: sessionId };
  await em.nativeUpdate(Session, session, { factorAt: at, factorProof: proof });
}

/** The code that was accepted last in the session. */
export async function findNotedFactor(
  em: EntityManager,
  { companyId, id: administratorId }: AdministratorName,
  sessionId: SessionId,
): Promise<AcceptedFactor | null> {
  const session = await em.findOne(Session, { companyId, administratorId, id: sessionId });
  if (session?.factorAt == null || session.factorProof == null) return null;
  return { at: session.factorAt, proof: session.factorProof };
}

function secretOf(row: Administrator, cipher: FieldCipher): string {
  if (row.totpSecret == null) throw new Error('a second factor without a secret');
  return cipher.decrypt('administrator.totp_secret', row.id, row.totpSecret);
}

/** Throws `unauthenticated`. */
export async function lockAdministrator(
  em: EntityManager,
  credentials: CredentialProof,
  { companyId, id }: AdministratorName,
): Promise<Administrator> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const row = await em.findOne(Administrator, { companyId, id, removedAt: null }, { lockMode });
  if (row === null || !credentials.provesAdministrator(row)) throw new Refusal('unauthenticated');
  return row;
}

async function sign(
  em: EntityManager,
  credentials: CredentialProof,
  row: Administrator,
  factor: Partial<
    Pick<Administrator, 'totpSecret' | 'totpEnabled' | 'totpUsedStep' | 'recoveryHashes' | 'factorVersion'>
  >,
): Promise<void> {
  em.assign(row, { ...factor });
  em.assign(row, { proof: credentials.ofAdministrator(row) });
  await em.flush();
}
