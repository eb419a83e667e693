import type { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { AppUser } from '../../../db/entities/tenancy.ts';
import { assertNoProbing, countMatch, identityStandingOf } from '../../../db/identity/blacklist.ts';
import { createUser } from '../../../db/identity/users.ts';
import { findAccounts } from '../../../db/ledger/accounts.ts';
import { writeAnnounced } from '../../../db/requests/audit-log.ts';
import { type CommandId, type CompanyId, type DocumentId, idMadeBy, publicId } from '../../../domain/ids.ts';
import type { BankAccount } from '../../../domain/users.ts';
import type { BankCharacterSet } from '../../../domain/withdrawal/bank-text.ts';
import { isMultipart } from '../../bodies/body-limits.ts';
import { readDocument, withDocument } from '../../bodies/documents.ts';
import { phoneOf } from '../../bodies/phones.ts';
import { runOnce } from '../../commands/idempotency.ts';
import { sentToBank } from '../../commands/payout-destination.ts';
import type { ApiDependencies } from '../../context.ts';
import { created, type Operations, tenant } from '../../operation.ts';
import { storing } from '../../schemas/common.ts';
import { type BankAccountRequest, NewUser, NewUserForm, UserCreated, userSummary } from '../../schemas/identity.ts';

export function registerNewUser(operation: Operations, dependencies: ApiDependencies): void {
  const requireSendable = sendableIn(dependencies.settings.bankCharacterSet);
  operation(
    {
      method: 'post',
      path: '/v1/identity/users',
      tag: 'Identity',
      summary: 'Register a user, with a ledger and one account per currency',
      description: 'A buyer or a seller. JSON, or a form where an identity document is sent along.',
      access: tenant('operate'),
      idempotency: 'accepted',
      body: NewUser,
      form: NewUserForm,
      unknownFields: { refusedWith: 'bankAccount' },
      success: created(UserCreated),
      refusals: [
        'too_many_requests',
        'already_exists',
        'unknown_institution',
        'payload_too_large',
        'unsupported_media_type',
        'provider_unavailable',
        'idempotency_key_reused',
      ],
    },
    async ({ body, companyId, c }) => {
      // The cast: the route's types include only one of the body's two forms.
      const form = isMultipart(c) ? (body as z.infer<typeof NewUserForm>) : undefined;
      const input = form ?? body;
      const mobileNumber = await phoneOf(dependencies, companyId, 'mobileNumber', input.mobileNumber);
      if (input.bankAccount != null) requireSendable(input.bankAccount);
      const document = form?.document === undefined ? undefined : await readDocument(companyId, form.document);
      return runOnce(
        c,
        dependencies,
        async (commandId) => {
          const add = (documentId?: DocumentId) =>
            addUser(dependencies, companyId, commandId, { ...input, mobileNumber }, documentId);
          const { view } =
            document === undefined ? await add() : await withDocument(dependencies, companyId, document, add);
          return view;
        },
        { makes: 'user' },
      );
    },
  );
}

const bankAccountFrom = storing<z.infer<typeof BankAccountRequest>, BankAccount>({})((input) => ({
  institutionId: input.institutionId,
  accountNumber: input.accountNumber,
  accountName: input.accountName ?? null,
  branchName: input.branchName ?? null,
  branchCode: input.branchCode ?? null,
}));

const newUserOf = storing<z.infer<typeof NewUser>, AppUser>({})(({ bankAccount, ...input }) => ({
  mobileNumber: input.mobileNumber,
  idNumber: input.idNumber,
  firstName: input.firstName ?? null,
  lastName: input.lastName ?? null,
  email: input.email ?? null,
  metadata: input.metadata ?? {},
  customReference: input.customReference ?? null,
  bankAccount: bankAccount == null ? null : bankAccountFrom(bankAccount),
}));

/** Throws `validation_failed` for a bank account that cannot be written into a payment file. */
function sendableIn(set: BankCharacterSet) {
  return ({ accountNumber, accountName, branchCode }: NonNullable<z.infer<typeof NewUser>['bankAccount']>) => {
    const names: Readonly<Record<string, string>> = {
      ...{ account_number: 'accountNumber', account_name: 'accountName', branch_code: 'branchCode' },
    };
    const details = { bankName: 'x', accountNumber, accountName: accountName ?? 'x', branchCode: branchCode ?? '' };
    sentToBank(details, set, (field) => `bankAccount.${names[field] ?? field}`);
  };
}

/** The user with the id of the command. It is created now unless an earlier attempt created it, which `isKept` states. */
async function addUser(
  { orm, cipher }: ApiDependencies,
  companyId: CompanyId,
  commandId: CommandId,
  input: z.infer<typeof NewUser>,
  documentId: DocumentId | undefined,
): Promise<{ view: z.infer<typeof UserCreated>; isKept: boolean }> {
  const userId = idMadeBy('user', commandId);
  return inTenant(orm, companyId, async (em) => {
    const known = await em.findOne(AppUser, { id: userId, companyId });
    if (known === null) await assertNoProbing(em, companyId, 'company');
    const user =
      known ??
      (await createUser(em, cipher, companyId, userId, { ...newUserOf(input), documentId: documentId ?? null }));
    const standing = await identityStandingOf(em, companyId, userId);
    if (known === null) {
      await countMatch(em, companyId, 'company', { now: standing });
      await writeAnnounced(em, [{ companyId, commandId }]);
    }
    const accounts = await findAccounts(em, companyId, { userId });
    const view = {
      ...userSummary(user, standing),
      ledgerId: publicId('ledger', accounts[0]?.ledgerId ?? ''),
      accounts: accounts.map((account) => ({ id: publicId('account', account.id), currency: account.currency })),
    };
    return { view, isKept: known === null };
  });
}
