/** Permissions by role, as one table: the API's middleware, its OpenAPI description and the tests are built from it. */
export const ROLES = ['SUPER_ADMIN', 'OWNER', 'ADMIN', 'MANAGER'] as const;
export type Role = (typeof ROLES)[number];

const EVERYBODY: readonly Role[] = ROLES;
const NOT_MANAGERS: readonly Role[] = ['SUPER_ADMIN', 'OWNER', 'ADMIN'];
const OWNERS: readonly Role[] = ['SUPER_ADMIN', 'OWNER'];
const PLATFORM: readonly Role[] = ['SUPER_ADMIN'];

/** The permissions of roles. Every operation that needs a credential names one of these. */
export const PERMISSIONS = {
  /** Reading everything of the company, lists of keys and administrators included. */
  read: EVERYBODY,
  /** Escrows, payment links and users. */
  operate: EVERYBODY,
  /** Keys, administrators, settings. */
  manage_company: NOT_MANAGERS,
  /** Taking away the second factor of an administrator who lost it. */
  recover_access: OWNERS,
  /**
   * Money that enters or leaves the company: deposits, captures, withdrawals, reversals. Fee configuration, bank details,
   * freezing.
   */
  manage_money: NOT_MANAGERS,
  /** Deciding a dispute, cancelling as ADMIN. */
  resolve_disputes: NOT_MANAGERS,
  /** Identity administration and platform settings. */
  platform: PLATFORM,
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof PERMISSIONS;

export function permits(role: Role, permission: Permission): boolean {
  return PERMISSIONS[permission].includes(role);
}

/** What a credential may do: what its role permits, and for a restricted API key only the listed part of it. */
export type Authority = { readonly role: Role; readonly permissions: readonly Permission[] | null };

export function mayAct({ role, permissions }: Authority, permission: Permission): boolean {
  return permits(role, permission) && (permissions === null || permissions.includes(permission));
}

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]; // Object.keys loses the key types

/** Everything that a credential may do. */
export function permissionsOf(authority: Authority): Permission[] {
  return PERMISSION_NAMES.filter((permission) => mayAct(authority, permission));
}

export function isAbove(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(other);
}

/** Whether `other` may do nothing that `own` may not. A role also protects its holders from lower roles, so it counts too. */
export function isWithin(other: Authority, own: Authority): boolean {
  return !isAbove(other.role, own.role) && permissionsOf(other).every((permission) => mayAct(own, permission));
}

/** The roles of API keys, as requests spell them. */
export const KEY_ROLE_OF_REQUEST = { owner: 'OWNER', admin: 'ADMIN', manager: 'MANAGER' } as const satisfies Record<
  string,
  Role
>;

export const KEY_ROLES = Object.keys(KEY_ROLE_OF_REQUEST) as (keyof typeof KEY_ROLE_OF_REQUEST)[]; // Object.keys loses the key types
/** How far ahead an API key may expire. */
export const MAX_KEY_LIFETIME_DAYS = 3_650;

/** The assignable roles, as requests spell them. */
export const ROLE_OF_REQUEST = { admin: 'ADMIN', manager: 'MANAGER' } as const satisfies Record<string, Role>;
