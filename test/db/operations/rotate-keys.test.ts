import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { requireFieldKeys } from '../../../src/config/database-checks.ts';
import { ENCRYPTED_COLUMNS, FieldCipher, type FieldKey } from '../../../src/db/core/field-cipher.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { AppUser } from '../../../src/db/entities/tenancy.ts';
import { CredentialProof } from '../../../src/db/identity/credential-proof.ts';
import { findAdministrator } from '../../../src/db/identity/sessions.ts';
import { idNumberOf } from '../../../src/db/identity/users.ts';
import { forgetOtherKeys } from '../../../src/db/operations/field-keys.ts';
import { ROTATION_BATCH_ROWS, rotateKeys } from '../../../src/db/operations/rotate-keys.ts';
import { rotateProofs } from '../../../src/db/operations/rotate-proofs.ts';
import { seedPlatform } from '../../../src/db/operations/seed.ts';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { startRotateKeys } from '../../../src/roles/rotate-keys.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { newFieldKey } from '../../support/keys.ts';
import { RoleProcess } from '../../support/role-process.ts';

/** Enough for three batches. */
const USERS = ROTATION_BATCH_ROWS * 2 + 7;
const FEW = 7;
const [first, second, third] = [newFieldKey('first'), newFieldKey('second'), newFieldKey('third')];

let database: TestDatabase;
let orm: MikroORM;
let companyId: CompanyId;

beforeEach(async () => {
  database = await freshDatabase();
  orm = await connect({ databaseUrl: database.ownerUrl, poolMax: 4, applicationName: 'test' });
  companyId = await seedPlatform(orm, new CredentialProof([first]), {
    email: 'a@test.example',
    passwordHash: 'none',
  });
  await addUsers(0, FEW);
});
afterEach(async () => {
  await orm.close();
  await database.drop();
});

/** Users with these numbers, the odd ones with a bank account. */
async function addUsers(from: number, end: number): Promise<void> {
  const cipher = new FieldCipher([first]);
  const users = Array.from({ length: end - from }, (_, index) => {
    const [id, number] = [uuidv7(), from + index];
    return {
      id,
      number: `+2637${number}`,
      id_number: cipher.encrypt('app_user.id_number', id, `id ${number}`),
      bank_account: number % 2 === 0 ? null : cipher.encrypt('app_user.bank_account', id, `account ${number}`),
    };
  });
  await orm.em.fork().execute(
    `insert into app_user (id, company_id, mobile_number, id_number, bank_account)
     select id, ?, number, id_number, bank_account
     from jsonb_to_recordset(?::jsonb) as u (id uuid, number text, id_number text, bank_account text)`,
    [companyId, JSON.stringify(users)],
  );
}

const keysInUse = async () =>
  orm.em.fork().execute<{ key: string; values: number }[]>(
    `select split_part(value, '.', 1) as key, count(*)::integer as values
     from app_user, lateral (values (id_number::text), (bank_account::text)) as v (value)
     where value is not null group by 1 order by 1`,
  );

/** The key that signed the platform's administrator. */
async function proofKey(): Promise<string | undefined> {
  const [row] = await orm.em.fork().execute<{ proof: string }[]>('select proof from administrator');
  return row?.proof.split('.')[0];
}

async function expectReadableWith(cipher: FieldCipher): Promise<void> {
  const users = await orm.em.fork().find(AppUser, {});
  expect(users.map((user) => idNumberOf(user, cipher)).toSorted()).toEqual(
    Array.from({ length: USERS }, (_, number) => `id ${number}`).toSorted(),
  );
}

const valuesOf = (users: number) => users + Math.floor(users / 2);

describe('rotateKeys', () => {
  const VALUES = valuesOf(USERS);
  beforeEach(() => addUsers(FEW, USERS));

  test('an interruption in the middle loses nothing, and the next run does the rest', async () => {
    const cipher = new FieldCipher([second, first]);
    const stopAfterOneBatch = () => {
      throw new Error('interrupted');
    };
    await expect(rotateKeys(orm, cipher, stopAfterOneBatch)).rejects.toThrow('interrupted');
    expect(await keysInUse()).toEqual([
      { key: 'first', values: VALUES - ROTATION_BATCH_ROWS },
      { key: 'second', values: ROTATION_BATCH_ROWS },
    ]);
    await expectReadableWith(cipher);
    const totals = await rotateKeys(orm, cipher);
    expect(totals.find(({ column }) => column === 'app_user.id_number')?.rotated).toBe(USERS - ROTATION_BATCH_ROWS);
    expect(await keysInUse()).toEqual([{ key: 'second', values: VALUES }]);
    await expectReadableWith(new FieldCipher([second]));
  });

  test('a second run finds nothing to do', async () => {
    await rotateKeys(orm, new FieldCipher([second, first]));
    const totals = await rotateKeys(orm, new FieldCipher([second]));
    expect(totals.map(({ rotated }) => rotated)).toEqual(totals.map(() => 0));
  });

  test('names the rows that no key decrypts, leaves them, and rotates the others', async () => {
    const [bad] = await orm.em.fork().execute<{ id: string }[]>('select id from app_user order by id limit 1');
    const written = new FieldCipher([third]).encrypt('app_user.id_number', String(bad?.id), 'by a wrong key');
    await orm.em.fork().execute('update app_user set id_number = ? where id = ?', [written, bad?.id]);
    const totals = await rotateKeys(orm, new FieldCipher([second, first]));
    expect(totals.find(({ column }) => column === 'app_user.id_number')).toMatchObject({
      rotated: USERS - 1,
      unreadable: [bad?.id],
    });
    expect(await keysInUse()).toEqual([
      { key: 'second', values: VALUES - 1 },
      { key: 'third', values: 1 },
    ]);
    const run = RoleProcess.start('rotate-keys', {
      DATABASE_URL: database.ownerUrl,
      FIELD_ENCRYPTION_KEYS: `second:${second.key.toString('base64')},first:${first.key.toString('base64')}`,
    });
    expect(await run.exitCode).toBe(1);
    expect(run.output).toContain(`app_user.id_number of ${bad?.id}: no key decrypts it.`);
  });

  test("runs as a command with the owner's rights, beside another run", async () => {
    const env = {
      DATABASE_URL: database.ownerUrl,
      FIELD_ENCRYPTION_KEYS: [third, second, first].map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    };
    const runs = [RoleProcess.start('rotate-keys', env), RoleProcess.start('rotate-keys', env)];
    expect(await Promise.all(runs.map((run) => run.exitCode))).toEqual([0, 0]);
    for (const run of runs) {
      expect(run.output).toContain('All rows use the key "third".');
      expect(run.output).toContain('keep the old key until all runs from before the rotation have ended');
    }
    expect(await keysInUse()).toEqual([{ key: 'third', values: VALUES }]);
    expect(await proofKey()).toBe('third');
    await expectReadableWith(new FieldCipher([third]));
  });
});

describe('the key that a process starts with', () => {
  test('is refused if rows were written with another key of the same id', async () => {
    await requireFieldKeys(orm, [first]);
    await expect(requireFieldKeys(orm, [newFieldKey('first')])).rejects.toThrow('The key "first" is not the one');
  });

  test('is refused if rows need a key that it lacks, until they are rotated', async () => {
    await requireFieldKeys(orm, [first]);
    await expect(requireFieldKeys(orm, [second])).rejects.toThrow('Rows need the key "first"');
    await requireFieldKeys(orm, [second, first]);
    await rotateKeys(orm, new FieldCipher([second, first]));
    await rotateProofs(orm, new CredentialProof([second, first]));
    await forgetOtherKeys(orm, 'second');
    await requireFieldKeys(orm, [second]);
  });

  test('is refused by the rotation too, which then registers and changes nothing', async () => {
    await requireFieldKeys(orm, [first]);
    const [wrong, right] = [newFieldKey('second'), second];
    const rotate = (...keys: FieldKey[]) =>
      startRotateKeys(
        {
          DATABASE_URL: database.ownerUrl,
          FIELD_ENCRYPTION_KEYS: keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
        },
        () => undefined,
      );
    await expect(rotate(wrong)).rejects.toThrow(
      'FIELD_ENCRYPTION_KEYS: Rows need the key "first", which is absent. Add it after the current key.',
    );
    expect(await keysInUse()).toEqual([{ key: 'first', values: valuesOf(FEW) }]);
    await rotate(right, first);
    expect(await keysInUse()).toEqual([{ key: 'second', values: valuesOf(FEW) }]);
    await requireFieldKeys(orm, [right]);
  });

  test('may lack a new key that no row needs yet', async () => {
    await requireFieldKeys(orm, [second, first]);
    await requireFieldKeys(orm, [first]);
  });
});

describe('rotateProofs', () => {
  test('signs administrators again, so that the old key can be removed', async () => {
    const credentials = new CredentialProof([second, first]);
    expect(await rotateProofs(orm, credentials)).toEqual([
      { table: 'administrator', rotated: 1, unproven: 0 },
      { table: 'api_key', rotated: 0, unproven: 0 },
    ]);
    expect(
      await findAdministrator(orm.em.fork(), new CredentialProof([second]), { email: 'a@test.example' }),
    ).not.toBeNull();
    expect(
      await findAdministrator(orm.em.fork(), new CredentialProof([first]), { email: 'a@test.example' }),
    ).toBeNull();
  });

  test('leaves a row without a valid proof as it is', async () => {
    await orm.em.fork().execute(`update administrator set password_hash = 'forged', token_version = token_version + 1`);
    expect(await rotateProofs(orm, new CredentialProof([second, first]))).toEqual([
      { table: 'administrator', rotated: 0, unproven: 1 },
      { table: 'api_key', rotated: 0, unproven: 0 },
    ]);
    expect(await proofKey()).toBe('first');
  });
});

describe('columns of the type encrypted_text', () => {
  test('are exactly the rotated columns', async () => {
    const rows = await orm.em.fork().execute<{ column: string }[]>(
      `select c.relname || '.' || a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
       where a.atttypid = 'encrypted_text'::regtype and not c.relispartition`,
    );
    expect(rows.map(({ column }) => column).toSorted()).toEqual(ENCRYPTED_COLUMNS.toSorted());
  });

  test('reject plain text', async () => {
    for (const plain of ['63-1234567A00', '', '1004567890', 'a sentence. And another one that is rather long indeed'])
      await expect(orm.em.fork().execute('update app_user set id_number = ?', [plain])).rejects.toThrow(
        'encrypted_text_check',
      );
  });
});
