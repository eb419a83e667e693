import type { AdministratorId, ApiKeyId, CompanyId } from '../../domain/ids.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import type { FieldKey } from '../core/field-cipher.ts';
import { KeyedMac } from '../core/keyed-mac.ts';

/** The fields of an administrator that decide who gets in, and as what. */
export type AdministratorClaims = {
  readonly id: AdministratorId;
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly email: string;
  readonly passwordHash: string;
  readonly mustChangePassword: boolean;
  readonly tokenVersion: number;
  /** The second factor, or that there is none. */
  readonly totpEnabled: boolean;
  readonly recoveryHashes: readonly string[];
  readonly factorVersion: number;
};

/** The fields of an API key that decide who gets in, and as what. */
export type ApiKeyClaims = {
  readonly id: ApiKeyId;
  readonly companyId: CompanyId;
  readonly role: Role;
  readonly permissions: readonly Permission[] | null;
  readonly expiresAt: Date | null;
  readonly keyHash: Buffer;
};

/**
 * Proof that a row of `administrator` or `api_key` was written by this service. The service accepts no row without it, so the
 * password of the database role `escrow_api` is not enough to make or change a credential. The keys are not in the database.
 * A row cannot return to an earlier signed state: a trigger refuses a lower token version, and every signed change raises it.
 */
export class CredentialProof {
  readonly #mac: KeyedMac;
  readonly #report: (row: { readonly table: string; readonly id: string }) => void;

  /** `report` is told of each row that was found without a valid proof. */
  constructor(
    fieldKeys: readonly FieldKey[],
    report: (row: { readonly table: string; readonly id: string }) => void = () => undefined,
  ) {
    this.#mac = new KeyedMac(fieldKeys, 'escrow credentials');
    this.#report = report;
  }

  get currentKeyId(): string {
    return this.#mac.currentKeyId;
  }

  ofAdministrator(row: AdministratorClaims): string {
    return this.#mac.of(administratorClaims(row));
  }

  ofApiKey(row: ApiKeyClaims): string {
    return this.#mac.of(apiKeyClaims(row));
  }

  provesAdministrator(row: AdministratorClaims & { readonly proof: string }): boolean {
    return this.#verified('administrator', row, administratorClaims(row));
  }

  provesApiKey(row: ApiKeyClaims & { readonly proof: string }): boolean {
    return this.#verified('api_key', row, apiKeyClaims(row));
  }

  #verified(table: string, { id, proof }: { id: string; proof: string }, claims: readonly unknown[]): boolean {
    const isProven = this.#mac.verifies(claims, proof);
    if (!isProven) this.#report({ table, id });
    return isProven;
  }
}

function administratorClaims(row: AdministratorClaims): readonly unknown[] {
  const { id, companyId, role, email, passwordHash, mustChangePassword, tokenVersion } = row;
  const factor = [row.totpEnabled, row.factorVersion, ...row.recoveryHashes];
  return ['administrator', id, companyId, role, email, passwordHash, mustChangePassword, tokenVersion, factor];
}

function apiKeyClaims({ id, companyId, role, permissions, expiresAt, keyHash }: ApiKeyClaims): readonly unknown[] {
  return ['api_key', id, companyId, role, permissions, expiresAt?.toISOString() ?? null, keyHash.toString('hex')];
}
