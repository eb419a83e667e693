import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../domain/errors.ts';
import type { CompanyId, UserId } from '../domain/ids.ts';
import { violatedUnique } from './constraints.ts';
import { AppUser, type BankAccount } from './entities/tenancy.ts';
import { openUserLedger } from './ledger-accounts.ts';

export type NewUser = {
  readonly mobileNumber: string;
  readonly idNumber: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly metadata: Record<string, unknown>;
  readonly customReference: string | null;
  readonly bankAccount: BankAccount | null;
};

/**
 * A user with a ledger and one account per currency, in the caller's transaction. Throws `already_exists` for a number or
 * a custom reference that is taken in the company.
 */
export async function createUser(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
  input: NewUser,
): Promise<AppUser> {
  const now = new Date();
  const user = em.create(AppUser, { id, companyId, ...input, createdAt: now, updatedAt: now });
  try {
    await em.persist(user).flush();
  } catch (error) {
    const constraint = violatedUnique(error);
    if (constraint === undefined) throw error;
    throw new Refusal(
      'already_exists',
      constraint.includes('custom_reference') ? 'the custom reference is taken' : 'the mobile number is taken',
    );
  }
  const name = [input.firstName, input.lastName].filter((part) => part !== null).join(' ');
  await openUserLedger(em, { companyId, userId: id, name: name === '' ? 'User' : name });
  return user;
}
