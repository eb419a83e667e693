import { randomUUID } from 'node:crypto';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, UserId } from '../../domain/ids.ts';
import type { EncryptedText, FieldCipher } from '../core/field-cipher.ts';
import { inTenant } from '../core/orm.ts';
import { AppUser } from '../entities/tenancy.ts';
import { assertNoProbing, countMatch, type EnteredBy, identityStandingOf } from './blacklist.ts';
import { createUser, findRegisteredUser, isRegistration } from './users.ts';

/**
 * Registrations at a checkout. A registration never looks up whether the number is known: it is stored under a new id. The id
 * stands for the user who has the number, so the response reveals nothing about an existing user.
 */

type Person = {
  readonly mobileNumber: string;
  readonly idNumber: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
};

/** Stores a registration. `companyId` null: any company that receives the id may use it. */
export async function addRegistration(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId | null,
  person: Person,
): Promise<UserId> {
  // Made in this function: a UUIDv4, which `isRegistration` tells apart from other users' ids.
  const id = randomUUID() as string as UserId;
  await em.execute('select registration_add(?, ?, ?, ?, ?, ?)', [
    id,
    companyId,
    person.mobileNumber,
    cipher.encrypt('checkout_registration.id_number', id, person.idNumber),
    person.firstName,
    person.lastName,
  ]);
  return id;
}

/**
 * Creates the user of a registration in its company, unless the company already has a user with the number. Once visitors have
 * registered too many blacklisted persons at a company's links, the company's first use of the id creates the user instead: the
 * company could read who is blacklisted. The platform decides who is, so `by` is null for its own.
 */
export async function createRegisteredUser(
  orm: MikroORM,
  cipher: FieldCipher,
  { companyId, by }: Entry,
  registration: UserId,
): Promise<void> {
  try {
    await ensureUser(orm, cipher, { companyId, by }, registration, registration);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'too_many_requests') return;
    throw error;
  }
  await inTenant(orm, companyId, (em) => em.execute('select registration_forget(?)', [registration]));
}

/**
 * The company's user for which `id` stands. A person who registered without a link becomes a user of the company here. An
 * unknown id is returned unchanged, so that the caller refuses it like any unknown id. Throws `too_many_requests` for a new user
 * of a company that has found too many blacklisted persons.
 */
export async function takeInUser(
  orm: MikroORM,
  cipher: FieldCipher,
  companyId: CompanyId,
  id: UserId,
): Promise<UserId> {
  if (!isRegistration(id)) return id;
  const own = await inTenant(orm, companyId, (em) => em.count(AppUser, { id, companyId }));
  if (own > 0) return id;
  return ensureUser(orm, cipher, { companyId, by: 'company' }, id, uuidv7() as UserId); // made in this function
}

type Entry = { readonly companyId: CompanyId; readonly by: EnteredBy | null };

type Row = {
  mobile_number: string;
  id_number: EncryptedText | null;
  first_name: string | null;
  last_name: string | null;
};

/** The user with the registration's number; created under `freshId` if the company has none. */
async function ensureUser(
  orm: MikroORM,
  cipher: FieldCipher,
  { companyId, by }: Entry,
  registration: UserId,
  freshId: UserId,
): Promise<UserId> {
  const find = () => inTenant(orm, companyId, (em) => findRegisteredUser(em, registration));
  const known = await find();
  if (known !== null) return known;
  try {
    return await inTenant(orm, companyId, async (em) => {
      const [row] = await em.execute<Row[]>('select * from registration_for_company(?)', [registration]);
      if (row === undefined || row.id_number === null) return registration;
      if (by !== null) await assertNoProbing(em, companyId, by);
      const user = await createUser(em, cipher, companyId, freshId, {
        mobileNumber: row.mobile_number,
        idNumber: cipher.decrypt('checkout_registration.id_number', registration, row.id_number),
        firstName: row.first_name,
        lastName: row.last_name,
        email: null,
        metadata: {},
        customReference: null,
        bankAccount: null,
        isSelfRegistered: true,
      });
      if (by !== null) await countMatch(em, companyId, by, { now: await identityStandingOf(em, companyId, user.id) });
      return user.id;
    });
  } catch (error) {
    // Another request created the user first.
    const other = error instanceof Refusal && error.code === 'already_exists' ? await find() : null;
    if (other === null) throw error;
    return other;
  }
}
