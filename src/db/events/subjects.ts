import type { Escrow, Party } from '../../domain/escrow/escrow.ts';
import type { EventObject } from '../../domain/events/event-types.ts';
import type {
  AccountId,
  AdministratorId,
  ApiKeyId,
  CompanyId,
  EscrowId,
  Id,
  LedgerId,
  OrderMessageId,
  OrderRequestId,
  TransactionId,
  UserId,
  WebhookId,
} from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import type { NotSentReason, OrderMessageKind } from '../../domain/order-messages.ts';
import type { OrderAct, RequestStatus } from '../../domain/order-pages.ts';
import type { LinkStatus, PaymentLink } from '../../domain/payment-link/link.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import type { IdentityEvidence, IdentityStatus } from '../../domain/users.ts';
import type { DisabledReason, EndpointMaker, WebhookStatus } from '../../domain/webhooks.ts';
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
import { ESCROW_TEXTS, type EscrowRecord } from '../escrow/escrows.ts';
import { type CaptureRecord, captureFields } from '../payments/captures.ts';
import type { WithdrawalRecord } from '../treasury/withdrawals.ts';

/**
 * The objects of facts, as they were after the change: what each kind of object is described from in an event, and its reader. What
 * later changes overwrite comes from the fact's snapshot, the rest from the object's row.
 */

export type LinkFact = {
  readonly id: Id<'paymentLink'>;
  readonly escrowId: EscrowId;
  readonly buyerId: UserId;
  readonly status: LinkStatus;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly state: PaymentLink;
  readonly expiresAt: Date;
  readonly createdAt: Date;
};

const DEPOSIT = {
  id: value<TransactionId>('t.id'),
  accountId: value<AccountId>('e.account_id'),
  status: value<TransactionStatus>("f.snapshot ->> 'status'"),
  amountCents: cents('t.amount'),
  currency: value<Currency>('t.currency'),
  reference: value<string | null>('t.reference'),
  metadata: value<Record<string, unknown>>('t.metadata'),
  createdAt: time('t.created_at'),
};
export type DepositFact = ValuesOf<typeof DEPOSIT>;

export type UserFact = {
  readonly id: UserId;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly kycLevel: number;
  readonly identityStatus: IdentityStatus;
  readonly changedSinceApproval: readonly IdentityEvidence[];
  readonly customReference: string | null;
  readonly hasDocument: boolean;
  readonly createdAt: string;
  /** The columns that changed, where the event is about a change of them. */
  readonly changed: readonly string[];
};

type ShownBankDetails = {
  readonly bankName: string;
  readonly branchCode: string;
  readonly maskedNumber: string;
  readonly accountName: string;
};

export type BankDetailsFact = {
  readonly id: LedgerId;
  readonly before: ShownBankDetails | null;
  readonly after: ShownBankDetails;
  readonly actorKind: EndpointMaker['kind'] | 'user';
  readonly actorId: string;
  readonly changedAt: string;
  readonly effectiveAt: string;
};

export type OrderRequestFact = {
  readonly id: OrderRequestId;
  readonly escrowId: EscrowId;
  readonly act: OrderAct;
  readonly actor: Party;
  readonly status: RequestStatus;
  readonly createdAt: string;
  readonly lapsesAt: string;
};

export type OrderMessageFact = {
  readonly id: OrderMessageId;
  readonly escrowId: EscrowId;
  readonly party: Party;
  readonly kind: OrderMessageKind;
  readonly dueAt: string;
  readonly notSentBecause: NotSentReason | null;
};

export type CompanyFact = {
  readonly id: CompanyId;
  readonly name: string;
  /** The columns that changed. */
  readonly changed: readonly string[];
};

const ACCOUNT = {
  id: value<AccountId>('a.id'),
  ledgerId: value<LedgerId>('a.ledger_id'),
  type: value<AccountType>('a.type'),
  currency: value<Currency>('a.currency'),
  isFrozen: value<boolean>("(f.snapshot ->> 'isFrozen')::boolean"),
};
export type AccountFact = ValuesOf<typeof ACCOUNT>;

export type ApiKeyFact = {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly keyPrefix: string;
  readonly isActive: boolean;
  readonly role: Role;
  readonly permissions: readonly Permission[] | null;
  readonly expiresAt: string | null;
  readonly activeUntil: string | null;
  readonly createdBy: AdministratorId | null;
  readonly createdAt: string;
};

export type AdministratorFact = {
  readonly id: AdministratorId;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: string;
};

export type WebhookFact = {
  readonly id: WebhookId;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  readonly disabledReason: DisabledReason | null;
  readonly createdBy: string;
  readonly createdByKind: EndpointMaker['kind'];
  readonly createdAt: string;
};

/** Kind of object → its record. */
export type Subjects = {
  escrow: EscrowRecord;
  order_request: OrderRequestFact;
  order_message: OrderMessageFact;
  payment_link: LinkFact;
  withdrawal: Omit<WithdrawalRecord, 'maskedAccountNumber' | 'isHandedOver'>;
  deposit: DepositFact;
  capture: CaptureRecord;
  user: UserFact;
  account: AccountFact;
  bank_details: BankDetailsFact;
  company: CompanyFact;
  api_key: ApiKeyFact;
  administrator: AdministratorFact;
  webhook_endpoint: WebhookFact;
};

/** An object of any kind, for `switch (subject.kind)`. */
export type Subject = { [Kind in EventObject]: { readonly kind: Kind; readonly record: Subjects[Kind] } }[EventObject];

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
  `join escrow e on e.company_id = f.company_id and e.id = f.object_id
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
  DEPOSIT,
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

const readAccounts = reader(
  ACCOUNT,
  'join account a on a.company_id = f.company_id and a.id = f.object_id',
  (record) => ({ kind: 'account', record }),
);

/** For the kinds that are described from the snapshot alone. */
const fromSnapshot = <Kind extends EventObject>(kind: Kind) =>
  reader(
    { id: value<string>('f.object_id'), snapshot: value<Omit<Subjects[Kind], 'id'>>('f.snapshot') },
    '',
    (found) => ({ kind, record: { ...found.snapshot, id: found.id } }) as unknown as Subject, // a trigger writes the snapshot of the kind
  );

/** Kind of object → the reader of its facts. */
export const SUBJECT_READERS: Readonly<Record<string, SubjectReader>> = {
  escrow: readEscrows,
  order_request: fromSnapshot('order_request'),
  order_message: fromSnapshot('order_message'),
  payment_link: readLinks,
  withdrawal: readWithdrawals,
  deposit: readDeposits,
  capture: readCaptures,
  user: fromSnapshot('user'),
  account: readAccounts,
  bank_details: fromSnapshot('bank_details'),
  company: fromSnapshot('company'),
  api_key: fromSnapshot('api_key'),
  administrator: fromSnapshot('administrator'),
  webhook_endpoint: fromSnapshot('webhook_endpoint'),
} satisfies Record<EventObject, SubjectReader>;
