import { CAPTURE_MATCHES } from '../../db/payments/captures.ts';
import { FEE_KINDS } from '../../db/treasury/fee-configs.ts';
import { RECEIVABLE_STATUSES } from '../../db/treasury/receivable-reads.ts';
import { SETTLEMENT_SOURCES } from '../../db/treasury/receivables.ts';
import { ACTORS, ESCROW_STATUSES, MILESTONE_STATUSES, PARTIES } from '../../domain/escrow/escrow.ts';
import { EVENT_OBJECT_NAMES, EVENT_TYPE_NAMES } from '../../domain/events/event-types.ts';
import { ACCOUNT_TYPES } from '../../domain/ledger/accounts.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../domain/ledger/postings.ts';
import { RECEIVABLE_REASONS } from '../../domain/ledger/receivables.ts';
import { COUNTERPARTY_KINDS } from '../../domain/ledger/statement.ts';
import { LOCALES } from '../../domain/locale.ts';
import { CURRENCY_CODES } from '../../domain/money.ts';
import { ACT_MODES, ORDER_ACT_NAMES, REQUEST_STATUSES } from '../../domain/order-pages.ts';
import { ATTEMPT_KINDS, LINK_STATUSES } from '../../domain/payment-link/link.ts';
import { PERMISSION_NAMES, ROLES } from '../../domain/roles.ts';
import { SOURCES } from '../../domain/source.ts';
import { IDENTITY_EVIDENCE, IDENTITY_STATUSES, KYC_STATUSES } from '../../domain/users.ts';
import { DELIVERY_STATUSES, DISABLED_REASONS, WEBHOOK_STATUSES } from '../../domain/webhooks.ts';
import { PAYOUT_CONCERNS } from '../../domain/withdrawal/bank-reports.ts';
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal/withdrawal.ts';
import { WORK_KINDS } from '../../domain/work.ts';

/**
 * The enumerations that have a name in the description. Wherever a schema has exactly these values, it refers to the name; so
 * generators make one type of each, and a value that may be null is a reference or null.
 */
export const NAMED_ENUMS: Readonly<
  Record<string, { readonly values: readonly string[]; readonly means: string; readonly isOpen?: true }>
> = {
  AccountType: { values: Object.keys(ACCOUNT_TYPES), means: 'What an account is for.' },
  Actor: { values: ACTORS, means: 'Who acted. SYSTEM: time, a bank or the gateway.' },
  CaptureMatch: { values: CAPTURE_MATCHES, means: 'What a bank receipt was matched to.' },
  CounterpartyKind: { values: COUNTERPARTY_KINDS, means: 'The other side of a line of a statement.' },
  Currency: { values: CURRENCY_CODES, means: 'The currency of an amount.' },
  DeliveryStatus: { values: DELIVERY_STATUSES, means: 'Whether a webhook reached its endpoint.' },
  EscrowStatus: { values: ESCROW_STATUSES, means: 'The state of an escrow.' },
  EventObjectKind: { values: EVENT_OBJECT_NAMES, means: 'The kind of object that an event is about.', isOpen: true },
  EventType: {
    values: EVENT_TYPE_NAMES,
    means: 'The type of an event. More types are added in time: ignore those that you do not know.',
    isOpen: true,
  },
  FeeKind: { values: FEE_KINDS, means: 'The kind of a fee or tax.' },
  IdentityEvidence: { values: IDENTITY_EVIDENCE, means: 'What an approval of a user was based on.' },
  IdentityStatus: { values: IDENTITY_STATUSES, means: 'Whether a user may take part in escrows.' },
  KycStatus: { values: KYC_STATUSES, means: "The platform's view of a user's identity." },
  Language: { values: LOCALES, means: 'A language of the checkout.' },
  MilestoneStatus: { values: MILESTONE_STATUSES, means: 'The state of a milestone.' },
  Party: { values: PARTIES, means: 'A side of an escrow.' },
  OrderAct: { values: ORDER_ACT_NAMES, means: 'What a party may do on an order page.' },
  OrderActMode: {
    values: ACT_MODES,
    means: 'off: the page does not offer it; direct: it happens at once; ask: it happens when you approve it.',
  },
  OrderRequestStatus: { values: REQUEST_STATUSES, means: 'The state of a request of a party.' },
  PaymentKind: { values: ATTEMPT_KINDS, means: 'How a buyer pays.' },
  PaymentLinkStatus: { values: LINK_STATUSES, means: 'The state of a payment link.' },
  PayoutConcern: { values: PAYOUT_CONCERNS, means: 'Why a person has to look at a payout.', isOpen: true },
  Permission: { values: PERMISSION_NAMES, means: 'What a role or a key may do.' },
  ReceivableReason: { values: RECEIVABLE_REASONS, means: 'Why a debt arose.' },
  ReceivableStatus: { values: RECEIVABLE_STATUSES, means: 'Whether a debt is open.' },
  Role: { values: ROLES, means: 'The role of an administrator or a key.' },
  SettlementSource: { values: SETTLEMENT_SOURCES, means: 'Whose money settles a debt.' },
  Source: {
    values: SOURCES,
    means:
      'Where an act came from. `TEMPORAL`: a signal or update that was sent past this interface. `TIMER`: a deadline. ' +
      '`PROVIDER`: what a gateway, operator or bank said. `SYSTEM`: the service itself.',
    isOpen: true,
  },
  TransactionStatus: { values: TRANSACTION_STATUSES, means: 'The state of a transaction.' },
  TransactionType: { values: TRANSACTION_TYPES, means: 'What a transaction does.' },
  WebhookDisabledReason: { values: DISABLED_REASONS, means: 'Why an endpoint is disabled.' },
  WebhookStatus: { values: WEBHOOK_STATUSES, means: 'Whether an endpoint receives events.' },
  WithdrawalStatus: { values: WITHDRAWAL_STATUSES, means: 'The state of a withdrawal.' },
  WorkKind: { values: WORK_KINDS, means: 'What needs a person.', isOpen: true },
};
