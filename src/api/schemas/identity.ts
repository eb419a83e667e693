import { z } from '@hono/zod-openapi';
import type { FieldCipher } from '../../db/core/field-cipher.ts';
import type { FinancialInstitution } from '../../db/entities/identity.ts';
import type { AppUser } from '../../db/entities/tenancy.ts';
import { BLACKLIST_MATCHES, type IdentityStanding } from '../../db/identity/blacklist.ts';
import type { ListedUser } from '../../db/identity/user-search.ts';
import type { UserFacts } from '../../db/identity/users.ts';
import { bankAccountOf, idNumberOf } from '../../db/identity/users.ts';
import { publicId } from '../../domain/ids.ts';
import { IDENTITY_EVIDENCE, IDENTITY_STATUSES, KYC_STATUSES, kycStatusOf } from '../../domain/users.ts';
import { DOCUMENT_WORDS } from '../bodies/document-formats.ts';
import { parseJson } from '../bodies/json-bodies.ts';
import { UploadedFile } from '../bodies/uploaded-file.ts';
import { BODY_LIMITS } from '../limits.ts';
import { answering, currency, id, metadata, text, timestamp } from './common.ts';
import { email } from './company.ts';

/** Users and financial institutions as clients send and see them. */

const MAX_PHONE_CHARACTERS = 32;

/** A phone number as the client typed it. The handler parses it with `phoneOf`, which knows the region. */
export const typedPhone = () =>
  text(MAX_PHONE_CHARACTERS).openapi({
    type: 'string',
    description: 'With + and the country code, or as it is written in the region of the company.',
    example: '+263771234567',
  });

/** A national id number. */
export const idNumber = () => text(64);

export const BankAccountRequest = z
  .object({
    institutionId: id('institution').describe('The bank, of the list of financial institutions.'),
    accountNumber: text(64).describe('The number of the account at the bank.'),
    accountName: text().nullish().describe('The holder of the account at the bank.'),
    branchName: text().nullish().describe('The name of the branch.'),
    branchCode: text(32).nullish().describe('The code of the branch.'),
  })
  .openapi('BankAccountRequest', { description: "A user's account at a bank." });

export const NewUser = z
  .object({
    mobileNumber: typedPhone(),
    idNumber: idNumber().describe('The national id number.'),
    firstName: text().nullish().describe('The first name.'),
    lastName: text().nullish().describe('The last name.'),
    email: email().nullish().describe('The e-mail address.'),
    metadata: metadata().nullish().describe('Any JSON object of your own, at most 16 KiB.'),
    customReference: text()
      .nullish()
      .describe('Bank deposits with this reference go to the user. Unique in the company.'),
    bankAccount: BankAccountRequest.nullish(),
  })
  .openapi('NewUser');

/** The description of an identity document. */
export const DOCUMENT = `At most ${BODY_LIMITS.upload.words}: ${DOCUMENT_WORDS}.`;

/** One file of a form. Its name and type come from the client and are ignored. */
export const file = (description: string) =>
  z.instanceof(UploadedFile, { error: 'must be one file' }).openapi({ type: 'string', format: 'binary', description });

/** JSON in a form field. */
function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((value, context): unknown => {
      try {
        return parseJson(Buffer.from(value));
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema)
    .openapi({ type: 'string', description: 'JSON. The fields may also be sent one by one: `name[field]`.' });
}

export const NewUserForm = z
  .object({
    ...NewUser.shape,
    metadata: jsonText(metadata()).optional(),
    bankAccount: jsonText(BankAccountRequest).optional(),
    document: file(DOCUMENT).optional(),
  })
  .openapi('NewUserForm');

const summary = {
  id: z.string().describe('Its id.'),
  mobileNumber: z.string().nullable().describe('The phone number in E.164. Null: the person was erased.'),
  firstName: z.string().nullable().describe('The first name.'),
  lastName: z.string().nullable().describe('The last name.'),
  kycLevel: z.int().describe('1: registered; 2: approved by the platform.'),
  identityStatus: z.enum(IDENTITY_STATUSES).describe('BLACKLISTED: may not take part in new escrows.'),
  blacklistMatch: z
    .object({ kind: z.enum(BLACKLIST_MATCHES).describe('The value that both have.') })
    .nullable()
    .describe(
      'What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself.',
    ),
  createdAt: timestamp().describe('When it was made.'),
};

const statusReason = () =>
  z.string().nullable().openapi({ description: 'Why the platform set the status. For staff: users never see it.' });

const addressOfDocument = () =>
  z
    .string()
    .nullable()
    .describe('The address of the identity document; a request to it needs a credential. Null: there is none.');

export const UserSummary = z.object(summary).openapi('UserSummary');

type Summarized = Pick<AppUser, 'id' | 'mobileNumber' | 'firstName' | 'lastName' | 'kycLevel' | 'createdAt'>;

export function userSummary(row: Summarized, standing: IdentityStanding): z.infer<typeof UserSummary> {
  return {
    id: publicId('user', row.id),
    mobileNumber: row.mobileNumber ?? null,
    firstName: row.firstName ?? null,
    lastName: row.lastName ?? null,
    kycLevel: row.kycLevel,
    ...standing,
    createdAt: row.createdAt.toISOString(),
  };
}

export const BankAccount = z
  .object({
    institutionId: z.string().describe('The bank, of the list of financial institutions.'),
    accountNumber: z.string().describe('The number of the account at the bank.'),
    accountName: z.string().nullable().describe('The holder of the account at the bank.'),
    branchName: z.string().nullable().describe('The name of the branch.'),
    branchCode: z.string().nullable().describe('The code of the branch.'),
  })
  .openapi('BankAccount', { description: "A user's account at a bank." });

export const User = UserSummary.extend({
  idNumber: z.string().nullable().describe('The national id number. Null: the person was erased.'),
  email: z.string().nullable().describe('The e-mail address.'),
  identityStatusReason: statusReason(),
  documentUrl: addressOfDocument(),
  isDocumentDeleted: z
    .boolean()
    .describe('Whether the last document was deleted: nothing of theirs was open for long, or they were erased.'),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Any JSON object of your own, at most 16 KiB. Null: the person was erased.'),
  customReference: z.string().nullable().describe('Bank deposits with this reference go to the user.'),
  bankAccount: BankAccount.nullable(),
  updatedAt: timestamp().describe('When it was last changed.'),
  erasedAt: timestamp().nullable().describe('When the person was erased. Null: not.'),
}).openapi('User');

export const userView = answering<AppUser, z.infer<typeof User>>({
  companyId: null,
  changedSinceApproval: null,
  idNumberHash: null,
  phoneHash: null,
  bankAccountHash: null,
  isSelfRegistered: null,
  documentId: 'documentUrl',
})((row, { isDocumentDeleted, ...standing }: UserFacts, cipher: FieldCipher, baseUrl: string) => {
  const bankAccount = bankAccountOf(row, cipher);
  return {
    ...userSummary(row, standing),
    idNumber: idNumberOf(row, cipher),
    email: row.email ?? null,
    identityStatusReason: row.identityStatusReason ?? null,
    documentUrl: documentUrlOrNull(baseUrl, row),
    isDocumentDeleted,
    metadata: row.erasedAt == null ? row.metadata : null,
    customReference: row.customReference ?? null,
    bankAccount: bankAccount && { ...bankAccount, institutionId: publicId('institution', bankAccount.institutionId) },
    updatedAt: row.updatedAt.toISOString(),
    erasedAt: row.erasedAt?.toISOString() ?? null,
  };
});

function documentUrlOrNull(baseUrl: string, row: Pick<AppUser, 'id' | 'documentId'>): string | null {
  return row.documentId == null ? null : documentUrl(baseUrl, row);
}

/** The address of the user's document. A request to it needs a credential and the company's header. */
export function documentUrl(baseUrl: string, { id: userId }: Pick<AppUser, 'id'>): string {
  return `${baseUrl}/v1/identity/users/${publicId('user', userId)}/document`;
}

export const UserCreated = UserSummary.extend({
  ledgerId: z.string().describe('The ledger.'),
  accounts: z.array(z.object({ id: z.string().describe('Its id.'), currency: currency() })).describe('The accounts.'),
}).openapi('UserCreated');

export const UserForAdmin = UserSummary.extend({
  email: z.string().nullable().describe('The e-mail address.'),
  identityStatusReason: statusReason(),
  kycStatus: z.enum(KYC_STATUSES).describe('BLACKLISTED, else APPROVED at level 2, else PENDING.'),
  documentUrl: addressOfDocument(),
  changedSinceApproval: z
    .array(z.enum(IDENTITY_EVIDENCE))
    .openapi({ description: 'The approved fields that have changed since. Approving or revoking empties the list.' }),
  updatedAt: timestamp().describe('When it was last changed.'),
}).openapi('UserForAdmin');

export function userForAdmin(row: ListedUser, baseUrl: string): z.infer<typeof UserForAdmin> {
  return {
    ...userSummary(row, row.standing),
    email: row.email,
    identityStatusReason: row.identityStatusReason,
    kycStatus: kycStatusOf({ ...row.standing, kycLevel: row.kycLevel }),
    documentUrl: documentUrlOrNull(baseUrl, row),
    changedSinceApproval: row.changedSinceApproval,
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const Institution = z
  .object({
    id: z.string().describe('Its id.'),
    name: z.string().describe("The bank's name."),
    code: z.string().describe("The bank's code."),
    branchCodes: z.array(z.string()).describe('The codes of its branches.'),
  })
  .openapi('FinancialInstitution');

export function institutionView(row: FinancialInstitution): z.infer<typeof Institution> {
  return { id: publicId('institution', row.id), name: row.name, code: row.code, branchCodes: row.branchCodes };
}
