import { createHash } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { FieldKey } from '../core/field-cipher.ts';
import { KeyedMac } from '../core/keyed-mac.ts';
import type { AuditLine } from './audit-log.ts';

/** Logins with an e-mail address that no administrator has, in the audit log of the platform's company. */

export const UNKNOWN_LOGINS_WINDOW = '1 hour';
/** Lines from one network. */
export const MAX_UNKNOWN_LOGINS = 20;
/** Lines from all networks together. */
export const MAX_UNKNOWN_LOGINS_FROM_ANYWHERE = 500;

type UnknownLogin = Pick<AuditLine, 'operation' | 'status' | 'ip' | 'requestId' | 'source'> & {
  readonly email: string;
  /** The network of the address, as rate limits count it. */
  readonly network: string;
};

export type UnknownLogins = {
  /** Writes a line with a keyed hash of the address. Returns false, and writes nothing, above the limits. */
  readonly note: (login: UnknownLogin) => Promise<boolean>;
};

export function createUnknownLogins(orm: MikroORM, fieldKeys: readonly FieldKey[]): UnknownLogins {
  const mac = new KeyedMac(fieldKeys, 'escrow unknown logins');
  return {
    async note({ operation, status, ip, requestId, source, email, network }) {
      const networkKey = createHash('sha256')
        .update(JSON.stringify(['unknown-logins', network]))
        .digest();
      const [row] = await orm.em
        .fork()
        .execute<{ written: boolean }[]>(
          'select audit_unknown_login(?, ?, ?::integer, ?, ?, ?, ?, ?::integer, ?::integer, ?::interval) as written',
          [
            ...[operation, `email:${mac.of(email)}`, status, ip, requestId, source],
            ...[networkKey, MAX_UNKNOWN_LOGINS, MAX_UNKNOWN_LOGINS_FROM_ANYWHERE, UNKNOWN_LOGINS_WINDOW],
          ],
        );
      return row?.written === true;
    },
  };
}
