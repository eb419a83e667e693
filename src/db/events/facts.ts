import type { EntityManager } from '@mikro-orm/postgresql';
import type { Escrow } from '../../domain/escrow/escrow.ts';
import type { EscrowStatus } from '../../domain/escrow/transitions.ts';
import type { EventObject } from '../../domain/events/event-types.ts';
import type {
  AccountId,
  AdministratorId,
  ApiKeyId,
  CompanyId,
  EscrowId,
  Id,
  LedgerId,
  TransactionId,
  UserId,
  WebhookId,
} from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import type { LinkStatus, PaymentLink } from '../../domain/payment-link/link.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import type { IdentityEvidence, IdentityStatus } from '../../domain/users.ts';
import type { DisabledReason, EndpointMaker, WebhookStatus } from '../../domain/webhooks/retries.ts';
import { fromWire, type Wire } from '../../domain/wire.ts';
import type { WithdrawalStatus } from '../../domain/withdrawal/transitions.ts';
import type { Withdrawal } from '../../domain/withdrawal/withdrawal.ts';
import { textArray } from '../core/text-array.ts';
import type { CommandContent } from '../entities/escrow.ts';
import type { EscrowRecord } from '../escrow/escrows.ts';
import type { CaptureRecord, MatchedKind } from '../payments/captures.ts';
import type { WithdrawalRecord } from '../treasury/withdrawals.ts';

/** Committed changes that have no position yet, each with its object as it was after the change. */

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

export type DepositFact = {
  readonly id: TransactionId;
  readonly accountId: AccountId;
  readonly status: TransactionStatus;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
};

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
};

export type AccountFact = {
  readonly id: AccountId;
  readonly ledgerId: LedgerId;
  readonly type: AccountType;
  readonly currency: Currency;
  readonly isFrozen: boolean;
};

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

/** What each kind of object is described from. */
export type Subjects = {
  escrow: EscrowRecord;
  payment_link: LinkFact;
  withdrawal: Omit<WithdrawalRecord, 'maskedAccountNumber'>;
  deposit: DepositFact;
  capture: CaptureRecord;
  user: UserFact;
  account: AccountFact;
  api_key: ApiKeyFact;
  administrator: AdministratorFact;
  webhook_endpoint: WebhookFact;
};

/** An object of any kind, for `switch (subject.kind)`. */
export type Subject = { [Kind in EventObject]: { readonly kind: Kind; readonly record: Subjects[Kind] } }[EventObject];

export type Fact = {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly objectId: string;
  readonly change: string;
  readonly at: Date;
  /** The request that caused the change; null where time or the service itself did it. */
  readonly requestId: string | null;
  readonly subject: Subject;
};

type FactRow = {
  id: string;
  company_id: CompanyId;
  object_kind: string;
  object_id: string;
  change: string;
  at: Date;
  request_id: string | null;
};

/** The ids of the oldest facts, at most `limit`, in their order. */
export async function oldestFacts(em: EntityManager, limit: number): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>('select id::text as id from event_fact order by id limit ?', [limit]);
  return rows.map(({ id }) => id);
}

/** Reads facts with their objects, in the order of their ids. Throws `UndescribedFact` if an object does not exist. */
export async function readFacts(em: EntityManager, ids: readonly string[]): Promise<Fact[]> {
  const rows = await em.execute<FactRow[]>(
    `select id, company_id, object_kind, object_id, change, at, request_id from event_fact
     where id = any(?::bigint[]) order by id`,
    [textArray(ids)],
  );
  const subjects = new Map<string, Subject>();
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.object_kind)) {
    const read = READERS[kind];
    if (read === undefined) throw new UndescribedFact(`there is no kind of object "${kind}"`);
    const found = await read(
      em,
      ofKind.map(({ id }) => id),
    );
    for (const [id, subject] of found) subjects.set(id, subject);
  }
  return rows.map((row) => {
    const subject = subjects.get(row.id);
    if (subject === undefined) throw new UndescribedFact(`there is no ${row.object_kind} ${row.object_id}`);
    return {
      id: row.id,
      change: row.change,
      companyId: row.company_id,
      objectId: row.object_id,
      at: new Date(row.at),
      requestId: row.request_id,
      subject,
    };
  });
}

/** Thrown for a fact that no event can be made of. */
export class UndescribedFact extends Error {
  override readonly name = 'UndescribedFact';
}

type Reader = (em: EntityManager, factIds: readonly string[]) => Promise<[factId: string, subject: Subject][]>;

/** A reader of the facts of one kind. `from` joins what the object is described from to `event_fact f`. */
function reader<Row extends object>(columns: string, from: string, subjectOf: (row: Row) => Subject): Reader {
  return async (em, factIds) => {
    const rows = await em.execute<(Row & { fact_id: string })[]>(
      `select f.id::text as fact_id, ${columns} from event_fact f ${from} where f.id = any(?::bigint[])`,
      [textArray(factIds)],
    );
    return rows.map((row) => [row.fact_id, subjectOf(row)]);
  };
}

type EscrowFactRow = {
  id: EscrowId;
  state: Wire<Escrow>;
  external_reference: string | null;
  external_invoice_number: string | null;
  content: CommandContent | null;
  buyer_name: string;
  seller_name: string;
};

const readEscrows = reader<EscrowFactRow>(
  `e.id, f.snapshot as state, e.external_reference, e.external_invoice_number, t.content,
   concat_ws(' ', b.first_name, b.last_name) as buyer_name,
   case when e.seller_id is null then c.name else concat_ws(' ', s.first_name, s.last_name) end as seller_name`,
  `join escrow e on e.id = f.object_id join company c on c.id = e.company_id join app_user b on b.id = e.buyer_id
   left join app_user s on s.id = e.seller_id left join command_text t on t.command_id = e.id`,
  (row) => {
    const state = fromWire<Escrow>(row.state);
    const record: EscrowRecord = {
      id: row.id,
      status: state.status satisfies EscrowStatus,
      state,
      externalReference: row.external_reference,
      externalInvoiceNumber: row.external_invoice_number,
      content: row.content ?? {},
      buyerName: row.buyer_name === '' ? null : row.buyer_name,
      sellerName: row.seller_name === '' ? null : row.seller_name,
      createdAt: new Date(state.createdAt),
      updatedAt: new Date(state.updatedAt),
    };
    return { kind: 'escrow', record };
  },
);

type LinkFactRow = { id: Id<'paymentLink'>; state: Wire<PaymentLink>; external_reference: string | null };

const readLinks = reader<LinkFactRow>(
  'l.id, f.snapshot as state, l.external_reference',
  'join payment_link l on l.id = f.object_id',
  (row) => {
    const state = fromWire<PaymentLink>(row.state);
    const { terms, status } = state;
    const record: LinkFact = {
      id: row.id,
      escrowId: terms.escrowId,
      buyerId: terms.buyerId,
      status,
      amountCents: terms.amountCents,
      currency: terms.currency,
      externalReference: row.external_reference,
      state,
      expiresAt: new Date(terms.expiresAt),
      createdAt: new Date(state.createdAt),
    };
    return { kind: 'payment_link', record };
  },
);

type WithdrawalFactRow = {
  id: TransactionId;
  state: Wire<Withdrawal>;
  external_reference: string;
  bank_name: string;
  branch_code: string;
  account_name: string;
};

const readWithdrawals = reader<WithdrawalFactRow>(
  'w.id, f.snapshot as state, w.external_reference, d.bank_name, d.branch_code, d.account_name',
  'join withdrawal w on w.id = f.object_id join payout_destination d on d.id = w.id',
  (row) => {
    const state = fromWire<Withdrawal>(row.state);
    return {
      kind: 'withdrawal',
      record: {
        id: row.id,
        accountId: state.terms.accountId,
        status: state.status satisfies WithdrawalStatus,
        currency: state.terms.currency,
        amountCents: state.terms.amountCents,
        taxCents: state.terms.taxCents,
        externalReference: row.external_reference,
        bankName: row.bank_name,
        branchCode: row.branch_code,
        accountName: row.account_name,
        reason: state.reason,
        createdAt: new Date(state.createdAt),
        updatedAt: new Date(state.updatedAt),
      },
    };
  },
);

type DepositFactRow = {
  id: TransactionId;
  account_id: AccountId;
  status: TransactionStatus;
  amount: string;
  currency: Currency;
  reference: string | null;
  metadata: Record<string, unknown>;
  created_at: Date;
};

const readDeposits = reader<DepositFactRow>(
  `t.id, e.account_id, f.snapshot ->> 'status' as status, t.amount::text as amount, t.currency, t.reference, t.metadata, t.created_at`,
  `join ledger_transaction t on t.id = f.object_id
   cross join lateral (select e.account_id from entry e where e.transaction_id = t.id and e.amount > 0 limit 1) e`,
  (row) => ({
    kind: 'deposit',
    record: {
      id: row.id,
      accountId: row.account_id,
      status: row.status,
      amountCents: BigInt(row.amount),
      currency: row.currency,
      reference: row.reference,
      metadata: row.metadata,
      createdAt: new Date(row.created_at),
    },
  }),
);

type CaptureFactRow = {
  id: TransactionId;
  amount: string;
  currency: Currency;
  reference: string;
  status: TransactionStatus;
  matched_kind: MatchedKind;
  matched_id: string;
  account_id: AccountId;
  possible_duplicate_of: TransactionId | null;
  created_at: Date;
};

const readCaptures = reader<CaptureFactRow>(
  `c.id, c.amount_cents::text as amount, c.currency, c.reference, f.snapshot ->> 'status' as status,
   f.snapshot ->> 'matchedKind' as matched_kind, f.snapshot ->> 'matchedId' as matched_id, c.account_id,
   c.possible_duplicate_of, t.created_at`,
  'join bank_capture c on c.id = f.object_id join ledger_transaction t on t.id = c.id',
  (row) => ({
    kind: 'capture',
    record: {
      id: row.id,
      amountCents: BigInt(row.amount),
      currency: row.currency,
      reference: row.reference,
      status: row.status,
      matchedKind: row.matched_kind,
      matchedId: row.matched_id,
      accountId: row.account_id,
      possibleDuplicateOf: row.possible_duplicate_of,
      createdAt: new Date(row.created_at),
    },
  }),
);

const readUsers = reader<{ id: UserId; snapshot: Omit<UserFact, 'id'> }>(
  'f.object_id as id, f.snapshot',
  '',
  ({ id, snapshot }) => ({ kind: 'user', record: { ...snapshot, id } }),
);

type AccountFactRow = { id: AccountId; ledger_id: LedgerId; type: AccountType; currency: Currency; is_frozen: boolean };

const readAccounts = reader<AccountFactRow>(
  `a.id, a.ledger_id, a.type, a.currency, (f.snapshot ->> 'isFrozen')::boolean as is_frozen`,
  'join account a on a.id = f.object_id',
  ({ ledger_id: ledgerId, is_frozen: isFrozen, id, type, currency }) => ({
    kind: 'account',
    record: { id, type, currency, ledgerId, isFrozen },
  }),
);

const readApiKeys = reader<{ id: ApiKeyId; snapshot: Omit<ApiKeyFact, 'id'> }>(
  'f.object_id as id, f.snapshot',
  '',
  ({ id, snapshot }) => ({ kind: 'api_key', record: { ...snapshot, id } }),
);

const readAdministrators = reader<{ id: AdministratorId; snapshot: Omit<AdministratorFact, 'id'> }>(
  'f.object_id as id, f.snapshot',
  '',
  ({ id, snapshot }) => ({ kind: 'administrator', record: { ...snapshot, id } }),
);

const readWebhooks = reader<{ id: WebhookId; snapshot: Omit<WebhookFact, 'id'> }>(
  'f.object_id as id, f.snapshot',
  '',
  ({ id, snapshot }) => ({ kind: 'webhook_endpoint', record: { ...snapshot, id } }),
);

const READERS: Readonly<Record<string, Reader>> = {
  escrow: readEscrows,
  payment_link: readLinks,
  withdrawal: readWithdrawals,
  deposit: readDeposits,
  capture: readCaptures,
  user: readUsers,
  account: readAccounts,
  api_key: readApiKeys,
  administrator: readAdministrators,
  webhook_endpoint: readWebhooks,
} satisfies Record<EventObject, Reader>;
