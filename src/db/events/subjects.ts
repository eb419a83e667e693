import type { Party } from '../../domain/escrow/escrow.ts';
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
import type { EscrowRecord } from '../escrow/escrows.ts';
import type { CaptureRecord } from '../payments/captures.ts';
import type { WithdrawalRecord } from '../treasury/withdrawals.ts';

/** The objects of facts, as they were after the change: what each kind of object is described from in an event. */

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
