import type { Escrow } from '../../domain/escrow/escrow.ts';
import type { EventObject } from '../../domain/events/event-types.ts';
import type { AccountId, EscrowId, Id, LedgerId, TransactionId } from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import type { PaymentLink } from '../../domain/payment-link/link.ts';
import type { Withdrawal } from '../../domain/withdrawal/withdrawal.ts';
import {
  cents,
  type Fields,
  orNull,
  readModel,
  type SqlRow,
  time,
  type ValuesOf,
  value,
  wire,
} from '../core/read-model.ts';
import { ESCROW_TEXTS } from '../escrow/escrows.ts';
import { PARTY_JOINS } from '../escrow/party-names.ts';
import { captureFields } from '../payments/captures.ts';
import type {
  AdministratorFact,
  ApiKeyFact,
  BankDetailsFact,
  CompanyFact,
  OrderMessageFact,
  OrderRequestFact,
  Subject,
  UserFact,
  WebhookFact,
} from './subjects.ts';

/** Reads the objects of facts. What later changes overwrite comes from the fact's snapshot, the rest from the object's row. */

type SubjectReader = {
  /** Its value is a list of ids of facts. */
  readonly statement: string;
  readonly subjectOf: (row: SqlRow) => Subject;
};

/** A reader of the facts of one kind. `from` joins what the object is described from to `event_fact f`. */
function reader<Declared extends Fields>(
  fields: Declared,
  from: string,
  subjectOf: (found: ValuesOf<Declared>) => Subject,
): SubjectReader {
  const { columns, toRecord } = readModel(fields);
  return {
    statement: `select f.id::text as fact_id, ${columns} from event_fact f ${from} where f.id = any(?::bigint[])`,
    subjectOf: (row) => subjectOf(toRecord(row)),
  };
}

const readEscrows = reader(
  { ...ESCROW_TEXTS, id: value<EscrowId>('e.id'), state: wire<Escrow>('f.snapshot') },
  `join escrow e on e.company_id = f.company_id and e.id = f.object_id ${PARTY_JOINS}
   left join command_text t on t.company_id = e.company_id and t.command_id = e.id`,
  (found) => ({
    kind: 'escrow',
    record: {
      ...found,
      status: found.state.status,
      createdAt: new Date(found.state.createdAt),
      updatedAt: new Date(found.state.updatedAt),
    },
  }),
);

const readLinks = reader(
  {
    id: value<Id<'paymentLink'>>('l.id'),
    state: wire<PaymentLink>('f.snapshot'),
    externalReference: value<string | null>('l.external_reference'),
  },
  'join payment_link l on l.company_id = f.company_id and l.id = f.object_id',
  (found) => {
    const { terms, status, createdAt } = found.state;
    const { escrowId, buyerId, amountCents, currency } = terms;
    const dates = { expiresAt: new Date(terms.expiresAt), createdAt: new Date(createdAt) };
    return { kind: 'payment_link', record: { ...found, escrowId, buyerId, status, amountCents, currency, ...dates } };
  },
);

const readWithdrawals = reader(
  {
    id: value<TransactionId>('w.id'),
    state: wire<Withdrawal>('f.snapshot'),
    externalReference: value<string>('w.external_reference'),
    bankName: value<string>('d.bank_name'),
    branchCode: value<string>('d.branch_code'),
    accountName: value<string>('d.account_name'),
    notBefore: orNull(time('d.not_before')),
  },
  `join withdrawal w on w.company_id = f.company_id and w.id = f.object_id
   join payout_destination d on d.company_id = w.company_id and d.id = w.id`,
  ({ state, ...found }) => {
    const { accountId, currency, amountCents, taxCents } = state.terms;
    const { status, reason, concern, seq: version } = state;
    const dates = { createdAt: new Date(state.createdAt), updatedAt: new Date(state.updatedAt) };
    const record = { ...found, accountId, status, currency, amountCents, taxCents, reason, concern, version, ...dates };
    return { kind: 'withdrawal', record };
  },
);

const readDeposits = reader(
  {
    id: value<TransactionId>('t.id'),
    accountId: value<AccountId>('e.account_id'),
    status: value<TransactionStatus>("f.snapshot ->> 'status'"),
    amountCents: cents('t.amount'),
    currency: value<Currency>('t.currency'),
    reference: value<string | null>('t.reference'),
    metadata: value<Record<string, unknown>>('t.metadata'),
    createdAt: time('t.created_at'),
  },
  `join ledger_transaction t on t.company_id = f.company_id and t.id = f.object_id
   cross join lateral (
     select e.account_id from entry e
     where e.company_id = t.company_id and e.transaction_id = t.id and e.amount > 0 limit 1) e`,
  (record) => ({ kind: 'deposit', record }),
);

const readCaptures = reader(
  captureFields("f.snapshot ->> 'status'", "f.snapshot ->> 'matchedKind'", "f.snapshot ->> 'matchedId'"),
  `join bank_capture c on c.company_id = f.company_id and c.id = f.object_id
   join ledger_transaction t on t.company_id = c.company_id and t.id = c.id`,
  (record) => ({ kind: 'capture', record }),
);

/** Facts of these kinds are described from their snapshot alone. */
const snapshot = <Fact extends { readonly id: string }>() => ({
  id: value<Fact['id']>('f.object_id'),
  snapshot: value<Omit<Fact, 'id'>>('f.snapshot'),
});

const readUsers = reader(snapshot<UserFact>(), '', (found) => ({
  kind: 'user',
  record: { ...found.snapshot, id: found.id },
}));

const readAccounts = reader(
  {
    id: value<AccountId>('a.id'),
    ledgerId: value<LedgerId>('a.ledger_id'),
    type: value<AccountType>('a.type'),
    currency: value<Currency>('a.currency'),
    isFrozen: value<boolean>("(f.snapshot ->> 'isFrozen')::boolean"),
  },
  'join account a on a.company_id = f.company_id and a.id = f.object_id',
  (record) => ({ kind: 'account', record }),
);

const readBankDetails = reader(snapshot<BankDetailsFact>(), '', (found) => ({
  kind: 'bank_details',
  record: { ...found.snapshot, id: found.id },
}));

const readOrderRequests = reader(snapshot<OrderRequestFact>(), '', (found) => ({
  kind: 'order_request',
  record: { ...found.snapshot, id: found.id },
}));

const readOrderMessages = reader(snapshot<OrderMessageFact>(), '', (found) => ({
  kind: 'order_message',
  record: { ...found.snapshot, id: found.id },
}));

const readCompanies = reader(snapshot<CompanyFact>(), '', (found) => ({
  kind: 'company',
  record: { ...found.snapshot, id: found.id },
}));

const readApiKeys = reader(snapshot<ApiKeyFact>(), '', (found) => ({
  kind: 'api_key',
  record: { ...found.snapshot, id: found.id },
}));

const readAdministrators = reader(snapshot<AdministratorFact>(), '', (found) => ({
  kind: 'administrator',
  record: { ...found.snapshot, id: found.id },
}));

const readWebhooks = reader(snapshot<WebhookFact>(), '', (found) => ({
  kind: 'webhook_endpoint',
  record: { ...found.snapshot, id: found.id },
}));

/** Kind of object → the reader of its facts. */
export const SUBJECT_READERS: Readonly<Record<string, SubjectReader>> = {
  escrow: readEscrows,
  order_request: readOrderRequests,
  order_message: readOrderMessages,
  payment_link: readLinks,
  withdrawal: readWithdrawals,
  deposit: readDeposits,
  capture: readCaptures,
  user: readUsers,
  account: readAccounts,
  bank_details: readBankDetails,
  company: readCompanies,
  api_key: readApiKeys,
  administrator: readAdministrators,
  webhook_endpoint: readWebhooks,
} satisfies Record<EventObject, SubjectReader>;
