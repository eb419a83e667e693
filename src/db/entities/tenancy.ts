import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type {
  AdministratorId,
  ApiKeyId,
  CommandId,
  CompanyId,
  DocumentId,
  SessionId,
  UserId,
} from '../../domain/ids.ts';
import type { OrderPageChoices } from '../../domain/order-pages.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import type { IdentityEvidence, IdentityStatus } from '../../domain/users.ts';
import type { EncryptedText } from '../core/field-cipher.ts';

export const Company = defineEntity({
  name: 'Company',
  tableName: 'company',
  properties: {
    id: p.uuid().primary().$type<CompanyId>(),
    name: p.text(),
    /** See lookAlikeKey. */
    nameKey: p.text().nullable(),
    slug: p.text(),
    isPlatform: p.boolean().default(false),
    systemFeeBasisPoints: p.integer().default(100),
    serviceFeeBasisPoints: p.integer().default(0),
    autoReleaseHours: p.integer().nullable(),
    defaultSellerId: p.uuid().$type<UserId>().nullable(),
    defaultPhoneRegion: p.text().nullable(),
    checkoutHosts: p.array().default([]),
    brandColor: p.text().nullable(),
    /** See CompanyLogo. */
    logoDigest: p.text().nullable(),
    supportEmail: p.text().nullable(),
    termsUrl: p.text().nullable(),
    address: p.text().nullable(),
    taxNumber: p.text().nullable(),
    registrationNumber: p.text().nullable(),
    timeZone: p.text().default('UTC'),
    settlementCardReference: p.text().nullable(),
    settlementMobileReference: p.text().nullable(),
    settlementFeeBasisPoints: p.integer().default(0),
    orderPages: p.json<OrderPageChoices>().default('{}'),
    requireMfa: p.boolean().default(false),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Company = InferEntity<typeof Company>;

export const CompanyLogo = defineEntity({
  name: 'CompanyLogo',
  tableName: 'company_logo',
  properties: {
    companyId: p.uuid().primary().$type<CompanyId>(),
    /** The SHA-256 of the content, in hex. */
    digest: p.text(),
    /** A PNG image. */
    content: p.blob(),
  },
});

export const Administrator = defineEntity({
  name: 'Administrator',
  tableName: 'administrator',
  properties: {
    id: p.uuid().primary().$type<AdministratorId>(),
    companyId: p.uuid().$type<CompanyId>(),
    firstName: p.text(),
    lastName: p.text(),
    email: p.text(),
    passwordHash: p.text(),
    role: p.text().$type<Role>(),
    mustChangePassword: p.boolean().default(false),
    tokenVersion: p.integer().default(1),
    totpSecret: p.text().$type<EncryptedText>().nullable(),
    totpEnabled: p.boolean().default(false),
    /** The SHA-256 of each recovery code that was not used, in hex. */
    recoveryHashes: p.array().default([]),
    factorVersion: p.integer().default(0),
    /** The time step of the last accepted code. */
    totpUsedStep: p.integer().default(0),
    /** See CredentialProof. */
    proof: p.text(),
    createdAt: p.datetime(),
    removedAt: p.datetime().nullable(),
  },
});
export type Administrator = InferEntity<typeof Administrator>;

/** A login, and everything that descends from it. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary().$type<SessionId>(),
    companyId: p.uuid().$type<CompanyId>(),
    administratorId: p.uuid().$type<AdministratorId>(),
    /** Exact to the minute. */
    lastUsedAt: p.datetime(),
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
    /** When a code of the second factor was accepted last. */
    factorAt: p.datetime().nullable(),
    factorProof: p.text().nullable(),
    endedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type Session = InferEntity<typeof Session>;

export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_token',
  properties: {
    id: p.uuid().primary(),
    companyId: p.uuid().$type<CompanyId>(),
    administratorId: p.uuid().$type<AdministratorId>(),
    sessionId: p.uuid().$type<SessionId>(),
    tokenHash: p.blob(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary().$type<ApiKeyId>(),
    companyId: p.uuid().$type<CompanyId>(),
    name: p.text(),
    keyHash: p.blob(),
    keyPrefix: p.text(),
    role: p.text().$type<Role>(),
    /** Null: all that the role permits. */
    permissions: p.array<Permission>().nullable(),
    isActive: p.boolean().default(true),
    expiresAt: p.datetime().nullable(),
    note: p.text().nullable(),
    /** Exact to the minute. */
    lastUsedAt: p.datetime().nullable(),
    activeUntil: p.datetime().nullable(),
    createdBy: p.uuid().$type<AdministratorId>().nullable(),
    /** See CredentialProof. */
    proof: p.text(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKey>;

export const AppUser = defineEntity({
  name: 'AppUser',
  tableName: 'app_user',
  properties: {
    id: p.uuid().primary().$type<UserId>(),
    companyId: p.uuid().$type<CompanyId>(),
    /** Null: the person was erased. */
    mobileNumber: p.text().nullable(),
    idNumber: p.text().$type<EncryptedText>().nullable(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    email: p.text().nullable(),
    kycLevel: p.integer().default(1),
    identityStatus: p.text().$type<IdentityStatus>().default('CLEAR'),
    /** Why the platform set the status; for staff only. */
    identityStatusReason: p.text().nullable(),
    /** The approved fields that differ now; empty if none differ, or if nothing was approved. */
    changedSinceApproval: p.array<IdentityEvidence>().default([]),
    metadata: p.json<Record<string, unknown>>(),
    customReference: p.text().nullable(),
    /** Holds a BankAccount. */
    bankAccount: p.text().$type<EncryptedText>().nullable(),
    /** Keyed hashes of the person (identity/person-hashes.ts); null if unknown. */
    idNumberHash: p.text().nullable(),
    phoneHash: p.text().nullable(),
    bankAccountHash: p.text().nullable(),
    /** Whether people typed the id number themselves. */
    isSelfRegistered: p.boolean().default(false),
    documentId: p.uuid().$type<DocumentId>().nullable(),
    erasedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type AppUser = InferEntity<typeof AppUser>;

export const Idempotency = defineEntity({
  name: 'Idempotency',
  tableName: 'idempotency',
  properties: {
    companyId: p.uuid().primary().$type<CompanyId>(),
    operation: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.blob(),
    commandId: p.uuid().$type<CommandId>(),
    lockedUntil: p.datetime(),
    responseStatus: p.integer().nullable(),
    /** The JSON text of the answer. */
    responseBody: p.text().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
