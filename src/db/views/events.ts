import type { EventObject } from '../../domain/events/event-types.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { depositOf } from '../../domain/payment-link/decide.ts';
import { ATTEMPT_KINDS, type Attempt } from '../../domain/payment-link/link.ts';
import { permissionsOf } from '../../domain/roles.ts';
import type { EndpointMaker } from '../../domain/webhooks.ts';
import type {
  AccountFact,
  AdministratorFact,
  ApiKeyFact,
  BankDetailsFact,
  CompanyFact,
  DepositFact,
  LinkFact,
  OrderMessageFact,
  OrderRequestFact,
  Subject,
  Subjects,
  UserFact,
  WebhookFact,
} from '../events/subjects.ts';
import type { CaptureRecord } from '../payments/captures.ts';
import { escrowView } from './escrow.ts';
import { captureView, withdrawalWithoutAccount } from './treasury.ts';

/**
 * The data of events: the object after the change, in the form of the API's responses, without secrets, national ids, account
 * numbers and phone numbers, and without the words of payers, which may contain them. The API has their schemas.
 */
export const EVENT_VIEWS = {
  escrow: escrowView,
  order_request: orderRequestData,
  order_message: orderMessageData,
  payment_link: linkData,
  withdrawal: withdrawalWithoutAccount,
  deposit: depositData,
  capture: captureData,
  user: userData,
  bank_details: bankDetailsData,
  company: companyData,
  account: accountData,
  api_key: apiKeyData,
  administrator: administratorData,
  webhook_endpoint: webhookData,
} as const satisfies { readonly [Kind in EventObject]: (record: Subjects[Kind]) => Record<string, unknown> };

export function describeSubject(subject: Subject): Record<string, unknown> {
  const view = EVENT_VIEWS[subject.kind] as (record: typeof subject.record) => Record<string, unknown>; // of this kind
  return view(subject.record);
}

function linkData(link: LinkFact) {
  return {
    id: publicId('paymentLink', link.id),
    status: link.status,
    escrowId: publicId('escrow', link.escrowId),
    buyerId: publicId('user', link.buyerId),
    amount: link.amountCents.toString(),
    currency: link.currency,
    externalReference: link.externalReference,
    transactionId: publicIdOrNull('transaction', link.state.transactionId),
    attempts: link.state.attempts.map(attemptSummary),
    expiresAt: link.expiresAt.toISOString(),
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.state.updatedAt,
  };
}

function depositData(deposit: DepositFact) {
  return {
    id: publicId('transaction', deposit.id),
    type: 'DEPOSIT' as const,
    amount: deposit.amountCents.toString(),
    currency: deposit.currency,
    status: deposit.status,
    reference: deposit.reference,
    escrowId: null,
    metadata: publicMetadata(deposit.metadata),
    createdAt: deposit.createdAt.toISOString(),
    accountId: publicId('account', deposit.accountId),
  };
}

/** How the money came. The rest of the metadata is not published. */
function publicMetadata({ source }: Record<string, unknown>) {
  const kind = ATTEMPT_KINDS.find((one) => one === source);
  return kind === undefined ? {} : { source: kind };
}

/** Without the reference: it is what a payer wrote, which may be a number of an account, a person or a phone. */
function captureData(capture: CaptureRecord) {
  const { reference: _, ...data } = captureView(capture);
  return data;
}

function userData({ id, createdAt, changedSinceApproval, changed, ...user }: UserFact) {
  return {
    ...user,
    changed: changed.map((column) => USER_FIELDS[column] ?? column),
    id: publicId('user', id),
    changedSinceApproval: [...changedSinceApproval],
    createdAt: new Date(createdAt).toISOString(),
  };
}

/** The names of a user's columns in the API. */
const USER_FIELDS: Readonly<Record<string, string>> = {
  mobile_number: 'mobileNumber',
  id_number: 'idNumber',
  first_name: 'firstName',
  last_name: 'lastName',
  custom_reference: 'customReference',
  bank_account: 'bankAccount',
};

function orderRequestData({ id, escrowId, createdAt, lapsesAt, ...request }: OrderRequestFact) {
  return {
    ...request,
    id: publicId('orderRequest', id),
    escrowId: publicId('escrow', escrowId),
    createdAt: new Date(createdAt).toISOString(),
    lapsesAt: new Date(lapsesAt).toISOString(),
  };
}

function orderMessageData({ id, escrowId, dueAt, ...message }: OrderMessageFact) {
  return {
    ...message,
    id: publicId('orderMessage', id),
    escrowId: publicId('escrow', escrowId),
    dueAt: new Date(dueAt).toISOString(),
  };
}

function companyData({ id, name, changed }: CompanyFact) {
  return { id: publicId('company', id), name, changed: [...changed] };
}

function bankDetailsData({ id, before, after, actorKind, actorId, changedAt, effectiveAt }: BankDetailsFact) {
  return {
    id: publicId('ledger', id),
    ledgerId: publicId('ledger', id),
    before: before === null ? null : shownDetails(before),
    after: shownDetails(after),
    changed_at: new Date(changedAt).toISOString(),
    changed_by: actorKind === 'user' ? publicId('user', actorId) : makerId({ kind: actorKind, id: actorId }),
    effective_at: new Date(effectiveAt).toISOString(),
  };
}

function shownDetails({ bankName, branchCode, maskedNumber, accountName }: BankDetailsFact['after']) {
  return { bank_name: bankName, branch_code: branchCode, account_number: maskedNumber, account_name: accountName };
}

function accountData(account: AccountFact) {
  return {
    id: publicId('account', account.id),
    ledgerId: publicId('ledger', account.ledgerId),
    type: account.type,
    currency: account.currency,
    is_frozen: account.isFrozen,
  };
}

function apiKeyData(key: ApiKeyFact) {
  return {
    id: publicId('apiKey', key.id),
    name: key.name,
    key_prefix: key.keyPrefix,
    is_active: key.isActive,
    role: key.role,
    permissions: permissionsOf(key),
    expires_at: isoOrNull(key.expiresAt),
    active_until: isoOrNull(key.activeUntil),
    created_by: publicIdOrNull('administrator', key.createdBy),
    created_at: new Date(key.createdAt).toISOString(),
  };
}

function administratorData(administrator: AdministratorFact) {
  const { id, firstName, lastName, email, role, createdAt } = administrator;
  return {
    id: publicId('administrator', id),
    firstName,
    lastName,
    email,
    role,
    created_at: new Date(createdAt).toISOString(),
  };
}

function webhookData(fact: WebhookFact) {
  const { id, url, events, createdBy, createdByKind, createdAt, ...endpoint } = fact;
  return {
    ...endpoint,
    id: publicId('webhook', id),
    url: url.replace(/\?.*$/, ''),
    events: [...events],
    createdBy: makerId({ kind: createdByKind, id: createdBy }),
    createdAt: new Date(createdAt).toISOString(),
  };
}

const isoOrNull = (instant: string | null) => (instant === null ? null : new Date(instant).toISOString());

export function attemptSummary({ attemptId, kind, status, refund, takenBackCents, startedAt }: Attempt) {
  return {
    id: attemptId,
    kind,
    status,
    refund,
    takenBackAmount: takenBackCents.toString(),
    startedAt,
    transactionId: status === 'succeeded' ? publicId('transaction', depositOf(attemptId)) : null,
  };
}

export function makerId({ kind, id }: EndpointMaker): string {
  return publicId(kind === 'api_key' ? 'apiKey' : 'administrator', id);
}
