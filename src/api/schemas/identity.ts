import { z } from '@hono/zod-openapi';
import type { AppUser } from '../../db/entities/tenancy.ts';
import { publicId } from '../../domain/ids.ts';
import { IDENTITY_STATUSES } from '../../domain/users.ts';
import { currency, timestamp } from './common.ts';

const summary = {
  id: z.string(),
  mobileNumber: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  kycLevel: z.int(),
  identityStatus: z.enum(IDENTITY_STATUSES),
  createdAt: timestamp(),
};

export const UserSummary = z.object(summary).openapi('UserSummary');

export function userSummary(row: AppUser): z.infer<typeof UserSummary> {
  return {
    id: publicId('user', row.id),
    mobileNumber: row.mobileNumber,
    firstName: row.firstName ?? null,
    lastName: row.lastName ?? null,
    kycLevel: row.kycLevel,
    identityStatus: row.identityStatus,
    createdAt: row.createdAt.toISOString(),
  };
}

export const BankAccount = z.object({
  institutionId: z.string(),
  accountNumber: z.string(),
  accountName: z.string().nullable(),
  branchName: z.string().nullable(),
  branchCode: z.string().nullable(),
});

export const User = UserSummary.extend({
  idNumber: z.string(),
  email: z.string().nullable(),
  documentUrl: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  customReference: z.string().nullable(),
  bankAccount: BankAccount.nullable(),
}).openapi('User');

export function userView(row: AppUser): z.infer<typeof User> {
  return {
    ...userSummary(row),
    idNumber: row.idNumber,
    email: row.email ?? null,
    documentUrl: null,
    metadata: row.metadata,
    customReference: row.customReference ?? null,
    bankAccount: row.bankAccount ?? null,
  };
}

export const UserCreated = UserSummary.extend({
  ledgerId: z.string(),
  accounts: z.array(z.object({ id: z.string(), currency: currency() })),
}).openapi('UserCreated');
