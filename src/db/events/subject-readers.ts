import type { EntityManager } from '@mikro-orm/postgresql';
import type { Escrow } from '../../domain/escrow/escrow.ts';
import type { EventObject } from '../../domain/events/event-types.ts';
import type {
  AccountId,
  AdministratorId,
  ApiKeyId,
  EscrowId,
  Id,
  LedgerId,
  TransactionId,
  UserId,
  WebhookId,
} from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { PaymentLink } from '../../domain/payment-link/link.ts';
import type { Withdrawal } from '../../domain/withdrawal/withdrawal.ts';
import { textArray } from '../core/text-array.ts';
import type { CommandContent } from '../entities/escrow.ts';
import type { EscrowRecord } from '../escrow/escrows.ts';
import { BUYER_NAME, PARTY_JOINS, SELLER_NAME } from '../escrow/party-names.ts';
import { type CaptureRow, captureOf } from '../payments/captures.ts';
import type { AdministratorFact, ApiKeyFact, LinkFact, Subject, UserFact, WebhookFact } from './subjects.ts';

/** Reads the objects of facts. What later changes overwrite comes from the fact's snapshot, the rest from the object's row. */

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
  buyer_name: string | null;
  seller_name: string | null;
};

const readEscrows = reader<EscrowFactRow>(
  `e.id, f.snapshot as state, e.external_reference, e.external_invoice_number, t.content,
   ${BUYER_NAME} as buyer_name, ${SELLER_NAME} as seller_name`,
  `join escrow e on e.id = f.object_id ${PARTY_JOINS} left join command_text t on t.command_id = e.id`,
  (row) => {
    const state = fromWire<Escrow>(row.state);
    const record: EscrowRecord = {
      id: row.id,
      status: state.status,
      state,
      externalReference: row.external_reference,
      externalInvoiceNumber: row.external_invoice_number,
      content: row.content ?? {},
      buyerName: row.buyer_name,
      sellerName: row.seller_name,
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
        status: state.status,
        currency: state.terms.currency,
        amountCents: state.terms.amountCents,
        taxCents: state.terms.taxCents,
        externalReference: row.external_reference,
        bankName: row.bank_name,
        branchCode: row.branch_code,
        accountName: row.account_name,
        reason: state.reason,
        concern: state.concern,
        version: state.seq,
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
  `t.id, e.account_id, f.snapshot ->> 'status' as status, t.amount::text as amount, t.currency, t.reference,
   t.metadata, t.created_at`,
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

const readCaptures = reader<CaptureRow>(
  `c.id, c.amount_cents::text as amount_cents, c.currency, c.reference, f.snapshot ->> 'status' as status,
   f.snapshot ->> 'matchedKind' as matched_kind, f.snapshot ->> 'matchedId' as matched_id, c.account_id,
   c.possible_duplicate_of, t.created_at`,
  'join bank_capture c on c.id = f.object_id join ledger_transaction t on t.id = c.id',
  (row) => ({ kind: 'capture', record: captureOf(row) }),
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

/** Kind of object → the reader of its facts. */
export const SUBJECT_READERS: Readonly<Record<string, Reader>> = {
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
