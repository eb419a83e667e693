# Generated from the description of the API by `npm run client`.
from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal, Union

from pydantic import Field, SkipValidation

from ._base import Model

AccountType = Literal["USER", "COMPANY", "SERVICE_FEE", "TAX", "SUSPENSE", "TRANSIT", "BANK", "CLEARING_CARD", "CLEARING_MOBILE", "CLEARING_DECLARED", "RECEIVABLE", "INTERCOMPANY", "SYSTEM_FEE"]
"""What an account is for."""

Actor = Literal["COMPANY", "BUYER", "SELLER", "ADMIN", "SYSTEM"]
"""Who acted. SYSTEM: time, a bank or the gateway."""

CaptureMatch = Literal["TRANSIT_DEPOSIT", "USER", "SUSPENSE"]
"""What a bank receipt was matched to."""

CounterpartyKind = Literal["USER", "COMPANY", "BANK_ACCOUNT", "EXTERNAL"]
"""The other side of a line of a statement."""

Currency = Literal["USD", "ZIG"]
"""The currency of an amount."""

DeliveryStatus = Literal["PENDING", "DELIVERED", "FAILED"]
"""Whether a webhook reached its endpoint."""

EscrowStatus = Literal["PENDING", "ACTIVE", "DELIVERY_NOTED", "GOODS_RECEIVED", "DISPUTED", "COMPLETED", "CANCELLED", "RESOLVED"]
"""The state of an escrow."""

EventObjectKind = str
"""The kind of object that an event is about."""

EventType = str
"""The type of an event. More types are added in time: ignore those that you do not know."""

FeeKind = Literal["TRANSFER_TAX", "SYSTEM_FEE", "SERVICE_FEE"]
"""The kind of a fee or tax."""

IdentityEvidence = Literal["ID_NUMBER", "DOCUMENT"]
"""What an approval of a user was based on."""

IdentityStatus = Literal["CLEAR", "BLACKLISTED"]
"""Whether a user may take part in escrows."""

KycStatus = Literal["PENDING", "APPROVED", "BLACKLISTED"]
"""The platform's view of a user's identity."""

Language = Literal["en", "fr", "pt"]
"""A language of the checkout."""

MilestoneStatus = Literal["PENDING", "RELEASED", "REFUNDED"]
"""The state of a milestone."""

Party = Literal["BUYER", "SELLER"]
"""A side of an escrow."""

OrderAct = Literal["confirm_receipt", "release", "extend", "ask_cancel", "dispatch", "dispute", "evidence", "propose", "answer", "payout_details", "payout"]
"""What a party may do on an order page."""

OrderActMode = Literal["off", "direct", "ask"]
"""off: the page does not offer it; direct: it happens at once; ask: it happens when you approve it."""

OrderRequestStatus = Literal["PENDING", "APPROVED", "REFUSED", "LAPSED"]
"""The state of a request of a party."""

PaymentKind = Literal["card", "mobile_money"]
"""How a buyer pays."""

PaymentLinkStatus = Literal["PENDING", "PROCESSING", "ACCEPTED", "REJECTED", "EXPIRED"]
"""The state of a payment link."""

PayoutConcern = str
"""Why a person has to look at a payout."""

Permission = Literal["read", "operate", "manage_company", "recover_access", "manage_money", "resolve_disputes", "platform"]
"""What a role or a key may do."""

ReceivableReason = Literal["CHARGEBACK", "REFUND", "PAYOUT", "TAX", "FEE"]
"""Why a debt arose."""

ReceivableStatus = Literal["OPEN", "SETTLED"]
"""Whether a debt is open."""

Role = Literal["SUPER_ADMIN", "OWNER", "ADMIN", "MANAGER"]
"""The role of an administrator or a key."""

SettlementSource = Literal["BALANCE", "WRITE_OFF"]
"""Whose money settles a debt."""

Source = str
"""Where an act came from. `TEMPORAL`: a signal or update that was sent past this interface. `TIMER`: a deadline. `PROVIDER`: what a gateway, operator or bank said. `SYSTEM`: the service itself."""

TransactionStatus = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED", "REVERSED", "CANCELLED"]
"""The state of a transaction."""

TransactionType = Literal["DEPOSIT", "ESCROW_HOLD", "PAYMENT", "REFUND", "WITHDRAWAL", "REVERSAL", "BANK_CAPTURE", "ADJUSTMENT"]
"""What a transaction does."""

WebhookDisabledReason = Literal["REQUESTED", "GONE", "FAILING"]
"""Why an endpoint is disabled."""

WebhookStatus = Literal["ENABLED", "DISABLED"]
"""Whether an endpoint receives events."""

WithdrawalStatus = Literal["PROCESSING", "COMPLETED", "FAILED", "REVERSED", "CANCELLED"]
"""The state of a withdrawal."""

WorkKind = str
"""What needs a person."""


class EscrowInitiatedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowInitiatedEvent(Model):
    """An escrow was created."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.initiated"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowInitiatedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowBuyer(Model):
    """The buyer."""

    id: str
    """The user or company."""
    name: str | None
    """The name. Null: not known."""


class EscrowSeller(Model):
    """The seller, a user or the company."""

    id: str
    """The user or company."""
    name: str | None
    """The name. Null: not known."""


class EscrowFees(Model):
    """The fees that it was created with, and since when they apply. Null: its split plan was sent."""

    system_fee_basis_points: int
    """The platform's fee, in hundredths of a per cent."""
    service_fee_basis_points: int
    """The company's own fee, in hundredths of a per cent."""
    system_fee_since: datetime.datetime
    """Since when the platform's fee has applied."""
    service_fee_since: datetime.datetime
    """Since when the company's fee has applied."""


class EscrowDispute(Model):
    """The open dispute, or the decided one. Null: there was none."""

    id: str
    """The dispute."""
    opened_by: SkipValidation[Party] = Field(alias="openedBy")
    opened_at: datetime.datetime = Field(alias="openedAt")
    """When the dispute was opened."""


class Escrow(Model):
    """An escrow with all that belongs to it."""

    id: str
    """Its id."""
    status: SkipValidation[EscrowStatus]
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference of the order. Null where a payment link had none."""
    total_amount: str = Field(alias="totalAmount")
    """The price of the order, without fees that the buyer pays on top. Integer cents."""
    currency: SkipValidation[Currency]
    buyer: EscrowBuyer
    """The buyer."""
    seller: EscrowSeller
    """The seller, a user or the company."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    external_invoice_number: str | None = Field(alias="externalInvoiceNumber")
    """The number of your invoice, for display only."""
    fee_payer: SkipValidation[Party] = Field(alias="feePayer")
    """Who pays the fees."""
    split_plan: SplitPlan = Field(alias="splitPlan")
    held_amount: str = Field(alias="heldAmount")
    """The amount that is held now. Integer cents."""
    released_amount: str = Field(alias="releasedAmount")
    """The amount that was paid to the seller. Integer cents."""
    refunded_amount: str = Field(alias="refundedAmount")
    """The amount that was returned to the buyer. Integer cents."""
    charged_back_amount: str = Field(alias="chargedBackAmount")
    """The part of the funding payment that its payer took back."""
    fees: EscrowFees | None
    """The fees that it was created with, and since when they apply. Null: its split plan was sent."""
    buyer_account_id: str = Field(alias="buyerAccountId")
    """The buyer's account that pays."""
    seller_account_id: str = Field(alias="sellerAccountId")
    """The seller's account that is paid."""
    milestones: list[Milestone]
    """The milestones, in order."""
    items: list[EscrowItem]
    """The items."""
    open_negotiation: Annotated[Union[Negotiation, Any | None], Field(union_mode="left_to_right")] = Field(alias="openNegotiation")
    dispute: EscrowDispute | None
    """The open dispute, or the decided one. Null: there was none."""
    auto_release_at: datetime.datetime | None = Field(alias="autoReleaseAt")
    """When it is released by itself. Null: not, or not yet."""
    release_blocked_by: str | None = Field(alias="releaseBlockedBy")
    """The code of the problem that refused the last automatic release. It is tried again at autoReleaseAt."""
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""
    version: int
    """Grows with every event of the escrow. As `"7"` it is the `ETag`, and the value of `If-Match`."""


class SplitPlan(Model):
    """Who gets how much."""

    system_fee_cents: str
    """The platform's fee. Integer cents."""
    service_fee_cents: str
    """The company's fee. Integer cents."""
    seller_payout_cents: str
    """The payout to the seller. Integer cents."""


class Milestone(Model):
    id: str
    """Its id."""
    title: str | None
    """The title."""
    description: str | None
    """What it is, in words."""
    percentage: float
    """Its part of the whole."""
    amount: str
    """The amount that is held for it. Integer cents."""
    status: SkipValidation[MilestoneStatus]
    seller_payout: str = Field(alias="sellerPayout")
    """Integer cents."""
    system_fee: str = Field(alias="systemFee")
    """Integer cents."""
    service_fee: str = Field(alias="serviceFee")
    """Integer cents."""
    buyer_refund: str = Field(alias="buyerRefund")
    """Integer cents."""
    open_negotiation: Annotated[Union[Negotiation, Any | None], Field(union_mode="left_to_right")] = Field(alias="openNegotiation")


class Negotiation(Model):
    """A proposal of another split."""

    id: str
    """Its id."""
    status: SkipValidation[Literal["PENDING", "ACCEPTED", "REJECTED", "LAPSED"]]
    """Its state."""
    proposed_by: SkipValidation[Party] = Field(alias="proposedBy")
    milestone_id: str | None = Field(alias="milestoneId")
    """The milestone. Null: the escrow as a whole."""
    split_plan: SplitPlan = Field(alias="splitPlan")
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""


class EscrowItem(Model):
    id: str
    """Its id."""
    name: str | None
    """Its name."""
    description: str | None
    """What it is, in words."""
    quantity: int
    """How many pieces."""
    price_per_unit: int = Field(alias="pricePerUnit")
    """The price of one piece, in cents."""
    received_quantity: int = Field(alias="receivedQuantity")
    """The pieces that the receipts confirm together."""


class Item(Model):
    id: str
    """Its id."""
    name: str | None
    """Its name."""
    description: str | None
    """What it is, in words."""
    quantity: int
    """How many pieces."""
    price_per_unit: int = Field(alias="pricePerUnit")
    """The price of one piece, in cents."""


class EscrowSummaryBuyer(Model):
    """The buyer."""

    id: str
    """The user or company."""
    name: str | None
    """The name. Null: not known."""


class EscrowSummarySeller(Model):
    """The seller, a user or the company."""

    id: str
    """The user or company."""
    name: str | None
    """The name. Null: not known."""


class EscrowSummary(Model):
    id: str
    """Its id."""
    status: SkipValidation[EscrowStatus]
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference of the order. Null where a payment link had none."""
    total_amount: str = Field(alias="totalAmount")
    """The price of the order, without fees that the buyer pays on top. Integer cents."""
    currency: SkipValidation[Currency]
    buyer: EscrowSummaryBuyer
    """The buyer."""
    seller: EscrowSummarySeller
    """The seller, a user or the company."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class EscrowFundedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowFundedEvent(Model):
    """The buyer's money is held for the escrow."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.funded"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowFundedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowDeliveryNotedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowDeliveryNotedEvent(Model):
    """The seller reported a delivery."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.delivery_noted"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowDeliveryNotedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowGoodsReceivedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowGoodsReceivedEvent(Model):
    """The buyer confirmed received goods."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.goods_received"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowGoodsReceivedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowMilestoneReleasedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowMilestoneReleasedEvent(Model):
    """A milestone was paid out."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.milestone_released"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowMilestoneReleasedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowReleasedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowReleasedEvent(Model):
    """The held money was paid out on request."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.released"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowReleasedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowAutoReleasedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowAutoReleasedEvent(Model):
    """The held money was paid out on its date."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.auto_released"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowAutoReleasedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowReleaseBlockedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowReleaseBlockedEvent(Model):
    """The automatic release was refused and will be tried again."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.release_blocked"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowReleaseBlockedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowAutoReleaseExtendedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowAutoReleaseExtendedEvent(Model):
    """The date of the automatic release was moved."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.auto_release_extended"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowAutoReleaseExtendedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowAutoReleaseStoppedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowAutoReleaseStoppedEvent(Model):
    """A buyer's request holds back any automatic release until you answer it, or until it lapses."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.auto_release_stopped"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowAutoReleaseStoppedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowAutoReleaseResumedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowAutoReleaseResumedEvent(Model):
    """A buyer's request was answered or lapsed, and no longer holds back the automatic release."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.auto_release_resumed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowAutoReleaseResumedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowNegotiationProposedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowNegotiationProposedEvent(Model):
    """A party proposed another division of the money."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.negotiation_proposed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowNegotiationProposedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowNegotiationAcceptedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowNegotiationAcceptedEvent(Model):
    """The other party accepted a proposal. In a dispute, the money was paid out as it says."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.negotiation_accepted"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowNegotiationAcceptedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowNegotiationRejectedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowNegotiationRejectedEvent(Model):
    """The other party rejected a proposal."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.negotiation_rejected"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowNegotiationRejectedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowNegotiationLapsedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowNegotiationLapsedEvent(Model):
    """A proposal ended without an answer."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.negotiation_lapsed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowNegotiationLapsedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowDisputedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowDisputedEvent(Model):
    """A party opened a dispute."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.disputed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowDisputedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowEvidenceAddedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowEvidenceAddedEvent(Model):
    """Evidence was added to a dispute."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.evidence_added"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowEvidenceAddedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowResolvedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowResolvedEvent(Model):
    """An administrator decided the dispute."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.resolved"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowResolvedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowCancelledEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowCancelledEvent(Model):
    """The escrow was cancelled, and held money was returned."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.cancelled"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowCancelledEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowChargedBackEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowChargedBackEvent(Model):
    """The payment of the escrow was charged back, or refunded at the gateway."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.charged_back"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowChargedBackEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class EscrowChargebackReversedEventObject(Model):
    """What changed."""

    kind: Literal["escrow"]
    """The kind of object."""
    id: str
    """Its id."""


class EscrowChargebackReversedEvent(Model):
    """Money of a chargeback came back."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["escrow.chargeback_reversed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: EscrowChargebackReversedEventObject
    """What changed."""
    data: Escrow
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkCreatedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkCreatedEvent(Model):
    """A payment link was created."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.created"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkCreatedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkEventDataAttemptsItem(Model):
    id: str
    """Its id."""
    kind: SkipValidation[PaymentKind]
    status: SkipValidation[Literal["open", "pending", "succeeded", "declined", "lapsed"]]
    """open: at the card form; pending: the answer is not known yet."""
    refund: Annotated[Union[SkipValidation[Literal["due", "done", "refused"]], Any | None], Field(union_mode="left_to_right")]
    """Whether the money is refunded to its origin."""
    taken_back_amount: str = Field(alias="takenBackAmount")
    """The part of the payment that was charged back, refunded at the gateway or reversed."""
    started_at: datetime.datetime = Field(alias="startedAt")
    """When the buyer began to pay."""
    transaction_id: str | None = Field(alias="transactionId")
    """The deposit that booked the money."""


class PaymentLinkEventData(Model):
    """A payment link."""

    id: str
    """The link."""
    status: SkipValidation[PaymentLinkStatus]
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    buyer_id: str = Field(alias="buyerId")
    """The user who shall pay."""
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""
    attempts: list[PaymentLinkEventDataAttemptsItem]
    """The payments that the buyer tried, oldest first."""
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""


class PaymentLinkCheckoutOpenedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkCheckoutOpenedEvent(Model):
    """The buyer opened a card form."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.checkout_opened"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkCheckoutOpenedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkChargeStartedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkChargeStartedEvent(Model):
    """The buyer was asked to approve a mobile-money charge."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.charge_started"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkChargeStartedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkPaymentDeclinedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkPaymentDeclinedEvent(Model):
    """A payment was declined."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.payment_declined"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkPaymentDeclinedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkCheckoutLapsedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkCheckoutLapsedEvent(Model):
    """An attempt to pay ended without a payment."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.checkout_lapsed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkCheckoutLapsedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkPaymentMismatchedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkPaymentMismatchedEvent(Model):
    """A payment came with another amount or reference."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.payment_mismatched"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkPaymentMismatchedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkAcceptedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkAcceptedEvent(Model):
    """The link was paid."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.accepted"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkAcceptedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkLateMoneyEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkLateMoneyEvent(Model):
    """Money came that the escrow no longer takes."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.late_money"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkLateMoneyEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkRefundedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkRefundedEvent(Model):
    """Late money was refunded."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.refunded"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkRefundedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkRefundRefusedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkRefundRefusedEvent(Model):
    """A refund was refused, so the money stays on the balance of the buyer."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.refund_refused"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkRefundRefusedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkTakenBackEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkTakenBackEvent(Model):
    """A payment was charged back, refunded at the gateway or reversed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.taken_back"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkTakenBackEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkBroughtBackEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkBroughtBackEvent(Model):
    """Money of a chargeback came back."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.brought_back"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkBroughtBackEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkRejectedEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkRejectedEvent(Model):
    """The link was rejected or closed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.rejected"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkRejectedEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class PaymentLinkExpiredEventObject(Model):
    """What changed."""

    kind: Literal["payment_link"]
    """The kind of object."""
    id: str
    """Its id."""


class PaymentLinkExpiredEvent(Model):
    """The link expired unpaid."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["payment_link.expired"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: PaymentLinkExpiredEventObject
    """What changed."""
    data: PaymentLinkEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalRequestedEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalRequestedEvent(Model):
    """A withdrawal was requested."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.requested"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalRequestedEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalEventData(Model):
    """A withdrawal."""

    id: str
    """The withdrawal's transaction."""
    status: SkipValidation[WithdrawalStatus]
    amount: str
    """Integer cents."""
    tax_amount: str = Field(alias="taxAmount")
    """Transfer tax, taken on top of the amount. Integer cents."""
    reference: str
    """Your reference."""
    created_at: datetime.datetime
    """When it was made."""
    not_before: datetime.datetime | None
    """The bank gets the payment no earlier, because the destination is new. Null: at once."""
    currency: SkipValidation[Currency]
    account_id: str = Field(alias="accountId")
    """The account that pays."""
    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_name: str
    """The holder of the account at the bank."""
    failure_reason: str | None
    """The bank's reason code, if it rejected or returned the payment."""
    failure_description: str | None
    """The reason as a sentence."""
    review_reason: Annotated[Union[SkipValidation[PayoutConcern], Any | None], Field(union_mode="left_to_right")]
    """Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to."""
    end_to_end_id: str
    """The payment's reference at the bank: EndToEndId in pain.001 and in camt.053."""
    updated_at: datetime.datetime
    """When it was last changed."""
    version: int
    """Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`."""


class WithdrawalSubmittedEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalSubmittedEvent(Model):
    """The bank took the payment instruction."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.submitted"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalSubmittedEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalReviewNeededEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalReviewNeededEvent(Model):
    """A person has to look at the withdrawal."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.review_needed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalReviewNeededEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalResumedEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalResumedEvent(Model):
    """A payment that was held back goes to the bank after all."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.resumed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalResumedEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalCancelledEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalCancelledEvent(Model):
    """The withdrawal was cancelled before the bank had it, and the money was given back."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.cancelled"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalCancelledEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalCompletedEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalCompletedEvent(Model):
    """The bank paid the money out."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.completed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalCompletedEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalFailedEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalFailedEvent(Model):
    """The bank refused the payment, and the money was given back."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.failed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalFailedEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalReturnedEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalReturnedEvent(Model):
    """The bank returned a payment, and the money was given back."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.returned"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalReturnedEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WithdrawalSettledLateEventObject(Model):
    """What changed."""

    kind: Literal["withdrawal"]
    """The kind of object."""
    id: str
    """Its id."""


class WithdrawalSettledLateEvent(Model):
    """The bank paid after the money was given back."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["withdrawal.settled_late"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WithdrawalSettledLateEventObject
    """What changed."""
    data: WithdrawalEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class OrderRequestCreatedEventObject(Model):
    """What changed."""

    kind: Literal["order_request"]
    """The kind of object."""
    id: str
    """Its id."""


class OrderRequestCreatedEvent(Model):
    """A party asked on the order page for something that you approve or refuse."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["order_request.created"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: OrderRequestCreatedEventObject
    """What changed."""
    data: OrderRequestEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class OrderRequestEventData(Model):
    """A request on an order page."""

    id: str
    """The request."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    act: SkipValidation[OrderAct]
    """What the party asked for."""
    actor: SkipValidation[Party]
    status: SkipValidation[OrderRequestStatus]
    """Its state."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    lapses_at: datetime.datetime = Field(alias="lapsesAt")
    """When it lapses, unless it is answered before."""


class OrderRequestApprovedEventObject(Model):
    """What changed."""

    kind: Literal["order_request"]
    """The kind of object."""
    id: str
    """Its id."""


class OrderRequestApprovedEvent(Model):
    """A request was approved and done."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["order_request.approved"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: OrderRequestApprovedEventObject
    """What changed."""
    data: OrderRequestEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class OrderRequestRefusedEventObject(Model):
    """What changed."""

    kind: Literal["order_request"]
    """The kind of object."""
    id: str
    """Its id."""


class OrderRequestRefusedEvent(Model):
    """A request was refused."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["order_request.refused"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: OrderRequestRefusedEventObject
    """What changed."""
    data: OrderRequestEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class OrderRequestLapsedEventObject(Model):
    """What changed."""

    kind: Literal["order_request"]
    """The kind of object."""
    id: str
    """Its id."""


class OrderRequestLapsedEvent(Model):
    """A request ended without an answer."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["order_request.lapsed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: OrderRequestLapsedEventObject
    """What changed."""
    data: OrderRequestEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class OrderMessageDueEventObject(Model):
    """What changed."""

    kind: Literal["order_message"]
    """The kind of object."""
    id: str
    """Its id."""


class OrderMessageDueEvent(Model):
    """A party is to be told about its order, by the service or by you."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["order_message.due"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: OrderMessageDueEventObject
    """What changed."""
    data: OrderMessageEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class OrderMessageEventData(Model):
    """A message to a party of an order."""

    id: str
    """The message."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    party: SkipValidation[Party]
    kind: SkipValidation[Literal["DELIVERY", "RELEASE_IN_48_HOURS", "RELEASE_IN_6_HOURS", "PROPOSAL", "DISPUTE", "DECISION", "SETTLEMENT", "PAYOUT", "CANCELLATION", "REJECTION", "REFUSAL", "CHARGEBACK"]]
    """What the party is to be told."""
    due_at: datetime.datetime = Field(alias="dueAt")
    """When it was due."""
    not_sent_because: Annotated[Union[SkipValidation[Literal["SWITCHED_OFF", "STOPPED", "LIMIT", "NO_NUMBER"]], Any | None], Field(union_mode="left_to_right")] = Field(alias="notSentBecause")
    """Null: the service sends it. SWITCHED_OFF: you send your own; STOPPED: the party wants none; LIMIT: the number had too many; NO_NUMBER: the party has none."""


class DepositReceivedEventObject(Model):
    """What changed."""

    kind: Literal["deposit"]
    """The kind of object."""
    id: str
    """Its id."""


class DepositReceivedEvent(Model):
    """Money was deposited, settled or in transit."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["deposit.received"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: DepositReceivedEventObject
    """What changed."""
    data: DepositEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class DepositEventDataMetadata(Model):
    """Any JSON object of your own, at most 16 KiB."""

    source: SkipValidation[PaymentKind] | None = Field(default=None)
    """How a buyer paid. Absent for declared deposits."""


class DepositEventData(Model):
    """A deposit."""

    id: str
    """Its id."""
    type: SkipValidation[TransactionType]
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    status: SkipValidation[TransactionStatus]
    reference: str | None
    """The reference that it was made with."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    account_id: str = Field(alias="accountId")
    """The account that was credited."""
    metadata: DepositEventDataMetadata
    """Any JSON object of your own, at most 16 KiB."""


class DepositSettledEventObject(Model):
    """What changed."""

    kind: Literal["deposit"]
    """The kind of object."""
    id: str
    """Its id."""


class DepositSettledEvent(Model):
    """The money of a deposit in transit arrived."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["deposit.settled"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: DepositSettledEventObject
    """What changed."""
    data: DepositEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class DepositFailedEventObject(Model):
    """What changed."""

    kind: Literal["deposit"]
    """The kind of object."""
    id: str
    """Its id."""


class DepositFailedEvent(Model):
    """The money of a deposit in transit did not arrive."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["deposit.failed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: DepositFailedEventObject
    """What changed."""
    data: DepositEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class DepositReversedEventObject(Model):
    """What changed."""

    kind: Literal["deposit"]
    """The kind of object."""
    id: str
    """Its id."""


class DepositReversedEvent(Model):
    """A settled deposit was reversed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["deposit.reversed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: DepositReversedEventObject
    """What changed."""
    data: DepositEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class DepositReinstatedEventObject(Model):
    """What changed."""

    kind: Literal["deposit"]
    """The kind of object."""
    id: str
    """Its id."""


class DepositReinstatedEvent(Model):
    """Money of a reversed deposit came back, because its chargeback was reversed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["deposit.reinstated"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: DepositReinstatedEventObject
    """What changed."""
    data: DepositEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class CaptureReceivedEventObject(Model):
    """What changed."""

    kind: Literal["capture"]
    """The kind of object."""
    id: str
    """Its id."""


class CaptureReceivedEvent(Model):
    """The bank reported a receipt."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["capture.received"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: CaptureReceivedEventObject
    """What changed."""
    data: CaptureEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class CaptureEventDataMatchedTo(Model):
    """Where the money went."""

    kind: SkipValidation[CaptureMatch]
    id: str
    """The deposit, the user or the suspense account."""


class CaptureEventData(Model):
    """A receipt."""

    id: str
    """The receipt."""
    type: Literal["BANK_CAPTURE"]
    """Its type."""
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    status: SkipValidation[TransactionStatus]
    matched_to: CaptureEventDataMatchedTo = Field(alias="matchedTo")
    """Where the money went."""
    possible_duplicate_of: str | None = Field(alias="possibleDuplicateOf")
    """A settled deposit that may report the same money. Check it before you assign the receipt."""
    created_at: datetime.datetime
    """When it was made."""


class CaptureAssignedEventObject(Model):
    """What changed."""

    kind: Literal["capture"]
    """The kind of object."""
    id: str
    """Its id."""


class CaptureAssignedEvent(Model):
    """A receipt in suspense was assigned to a user."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["capture.assigned"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: CaptureAssignedEventObject
    """What changed."""
    data: CaptureEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class CaptureReversedEventObject(Model):
    """What changed."""

    kind: Literal["capture"]
    """The kind of object."""
    id: str
    """Its id."""


class CaptureReversedEvent(Model):
    """The bank withdrew a receipt."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["capture.reversed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: CaptureReversedEventObject
    """What changed."""
    data: CaptureEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserCreatedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserCreatedEvent(Model):
    """A user was registered."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.created"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserCreatedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserEventData(Model):
    """A user."""

    id: str
    """Its id."""
    first_name: str | None = Field(alias="firstName")
    """The first name."""
    last_name: str | None = Field(alias="lastName")
    """The last name."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    identity_status: SkipValidation[IdentityStatus] = Field(alias="identityStatus")
    changed: list[str]
    """The fields that changed, in `user.updated`."""
    changed_since_approval: list[SkipValidation[IdentityEvidence]] = Field(alias="changedSinceApproval")
    """The approved fields that have changed since."""
    custom_reference: str | None = Field(alias="customReference")
    """Bank deposits with this reference go to the user."""
    has_document: bool = Field(alias="hasDocument")
    """Whether an identity document is stored."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class UserApprovedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserApprovedEvent(Model):
    """A person verified the identity of a user."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.approved"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserApprovedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserApprovalWithdrawnEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserApprovalWithdrawnEvent(Model):
    """A user is no longer approved, on request or because the evidence changed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.approval_withdrawn"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserApprovalWithdrawnEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserBlacklistedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserBlacklistedEvent(Model):
    """A user was blacklisted."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.blacklisted"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserBlacklistedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserClearedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserClearedEvent(Model):
    """A user was taken off the blacklist."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.cleared"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserClearedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserUpdatedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserUpdatedEvent(Model):
    """Details of a user were changed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.updated"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserUpdatedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserErasedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserErasedEvent(Model):
    """A person was erased. Ids and amounts stay."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.erased"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserErasedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class UserDocumentChangedEventObject(Model):
    """What changed."""

    kind: Literal["user"]
    """The kind of object."""
    id: str
    """Its id."""


class UserDocumentChangedEvent(Model):
    """The identity document of a user was stored."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["user.document_changed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: UserDocumentChangedEventObject
    """What changed."""
    data: UserEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class AccountFrozenEventObject(Model):
    """What changed."""

    kind: Literal["account"]
    """The kind of object."""
    id: str
    """Its id."""


class AccountFrozenEvent(Model):
    """An account was frozen."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["account.frozen"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: AccountFrozenEventObject
    """What changed."""
    data: AccountEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class AccountEventData(Model):
    """An account."""

    id: str
    """Its id."""
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    type: SkipValidation[AccountType]
    """What the account is for. Users have USER accounts."""
    currency: SkipValidation[Currency]
    is_frozen: bool
    """Whether outgoing money is refused."""


class AccountUnfrozenEventObject(Model):
    """What changed."""

    kind: Literal["account"]
    """The kind of object."""
    id: str
    """Its id."""


class AccountUnfrozenEvent(Model):
    """An account was unfrozen."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["account.unfrozen"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: AccountUnfrozenEventObject
    """What changed."""
    data: AccountEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class BankDetailsChangedEventObject(Model):
    """What changed."""

    kind: Literal["bank_details"]
    """The kind of object."""
    id: str
    """Its id."""


class BankDetailsChangedEvent(Model):
    """The default bank details of a ledger were changed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["bank_details.changed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: BankDetailsChangedEventObject
    """What changed."""
    data: BankDetailsEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class BankDetailsEventDataBefore(Model):
    """The latest details before; null: there were none."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """All but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""


class BankDetailsEventDataAfter(Model):
    """The new details."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """All but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""


class BankDetailsEventData(Model):
    """A change of bank details."""

    id: str
    """The ledger."""
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    before: BankDetailsEventDataBefore | None
    """The latest details before; null: there were none."""
    after: BankDetailsEventDataAfter
    """The new details."""
    changed_at: datetime.datetime
    """When they were set."""
    changed_by: str
    """The administrator or API key that set them, or the user on an order page."""
    effective_at: datetime.datetime
    """When they take effect, unless they are approved or replaced before."""


class CompanyUpdatedEventObject(Model):
    """What changed."""

    kind: Literal["company"]
    """The kind of object."""
    id: str
    """Its id."""


class CompanyUpdatedEvent(Model):
    """Settings of the company were changed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["company.updated"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: CompanyUpdatedEventObject
    """What changed."""
    data: CompanyEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class CompanyEventData(Model):
    """A change of the settings of the company."""

    id: str
    """The company."""
    name: str
    """Its name."""
    changed: list[str]
    """The settings that changed."""


class ApiKeyCreatedEventObject(Model):
    """What changed."""

    kind: Literal["api_key"]
    """The kind of object."""
    id: str
    """Its id."""


class ApiKeyCreatedEvent(Model):
    """An API key was made."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["api_key.created"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: ApiKeyCreatedEventObject
    """What changed."""
    data: ApiKeyEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class ApiKeyEventData(Model):
    """An API key."""

    id: str
    """The key, for revoking it."""
    name: str
    """A label, for people."""
    key_prefix: str
    """The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart."""
    is_active: bool
    """Whether the key works."""
    role: SkipValidation[Role]
    """The role of its creator at that time."""
    permissions: list[SkipValidation[Permission]]
    """Everything that the key may do."""
    expires_at: datetime.datetime | None
    """Null: it works until it is revoked."""
    active_until: datetime.datetime | None
    """The end of the grace period of a rolled key: at once without one. Null: it was not rolled."""
    created_by: str | None
    """The administrator who made the key, or made the key that it was rolled from."""
    created_at: datetime.datetime
    """When it was made."""


class ApiKeyRolledEventObject(Model):
    """What changed."""

    kind: Literal["api_key"]
    """The kind of object."""
    id: str
    """Its id."""


class ApiKeyRolledEvent(Model):
    """An API key was replaced and ends after its grace period."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["api_key.rolled"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: ApiKeyRolledEventObject
    """What changed."""
    data: ApiKeyEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class ApiKeyRevokedEventObject(Model):
    """What changed."""

    kind: Literal["api_key"]
    """The kind of object."""
    id: str
    """Its id."""


class ApiKeyRevokedEvent(Model):
    """An API key was revoked."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["api_key.revoked"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: ApiKeyRevokedEventObject
    """What changed."""
    data: ApiKeyEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class AdministratorAddedEventObject(Model):
    """What changed."""

    kind: Literal["administrator"]
    """The kind of object."""
    id: str
    """Its id."""


class AdministratorAddedEvent(Model):
    """An administrator was added."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["administrator.added"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: AdministratorAddedEventObject
    """What changed."""
    data: Administrator
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class Administrator(Model):
    """A person who acts for a company."""

    id: str
    """The administrator."""
    first_name: str = Field(alias="firstName")
    """The first name."""
    last_name: str = Field(alias="lastName")
    """The last name."""
    email: str
    """The e-mail address."""
    role: SkipValidation[Role]
    created_at: datetime.datetime
    """When it was made."""


class AdministratorRemovedEventObject(Model):
    """What changed."""

    kind: Literal["administrator"]
    """The kind of object."""
    id: str
    """Its id."""


class AdministratorRemovedEvent(Model):
    """An administrator was removed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["administrator.removed"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: AdministratorRemovedEventObject
    """What changed."""
    data: Administrator
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WebhookEndpointDisabledEventObject(Model):
    """What changed."""

    kind: Literal["webhook_endpoint"]
    """The kind of object."""
    id: str
    """Its id."""


class WebhookEndpointDisabledEvent(Model):
    """A webhook endpoint was disabled, on request or because its receiver failed."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["webhook_endpoint.disabled"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WebhookEndpointDisabledEventObject
    """What changed."""
    data: WebhookEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WebhookEventData(Model):
    """A webhook endpoint."""

    id: str
    """Its id."""
    url: str
    """Without its query, which may hold a secret of the receiver."""
    events: list[str]
    """The types of events that are sent, or `*` for all."""
    description: str | None
    """What it is, in words."""
    status: SkipValidation[WebhookStatus]
    disabled_reason: Annotated[Union[SkipValidation[WebhookDisabledReason], Any | None], Field(union_mode="left_to_right")] = Field(alias="disabledReason")
    """REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days."""
    created_by: str = Field(alias="createdBy")
    """The administrator or the API key that added the endpoint."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class WebhookEndpointEnabledEventObject(Model):
    """What changed."""

    kind: Literal["webhook_endpoint"]
    """The kind of object."""
    id: str
    """Its id."""


class WebhookEndpointEnabledEvent(Model):
    """A webhook endpoint was enabled again."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["webhook_endpoint.enabled"]
    """The type of the event."""
    timestamp: datetime.datetime
    """When the change was made."""
    object: WebhookEndpointEnabledEventObject
    """What changed."""
    data: WebhookEventData
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class WebhookPingEventObject(Model):
    """Null: it is about no object."""

    kind: SkipValidation[EventObjectKind]
    id: str
    """Its id."""


class WebhookPingEvent(Model):
    """A message that only shows whether the receiver answers."""

    id: str
    """The event. Every repetition has the same one."""
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    company_id: str = Field(alias="companyId")
    """The company."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    type: Literal["webhook.ping"]
    """The type of the message."""
    timestamp: datetime.datetime
    """When it was sent."""
    object: WebhookPingEventObject | None
    """Null: it is about no object."""
    data: dict[str, Any]
    """Empty."""
    position: int | None
    """Null: it is not in the feed."""


class BankAccount(Model):
    """A user's account at a bank."""

    institution_id: str = Field(alias="institutionId")
    """The bank, of the list of financial institutions."""
    account_number: str = Field(alias="accountNumber")
    """The number of the account at the bank."""
    account_name: str | None = Field(alias="accountName")
    """The holder of the account at the bank."""
    branch_name: str | None = Field(alias="branchName")
    """The name of the branch."""
    branch_code: str | None = Field(alias="branchCode")
    """The code of the branch."""


class BankAccountRequest(Model):
    """A user's account at a bank."""

    institution_id: str = Field(alias="institutionId")
    """The bank, of the list of financial institutions."""
    account_number: str = Field(alias="accountNumber")
    """The number of the account at the bank."""
    account_name: str | None = Field(default=None, alias="accountName")
    """The holder of the account at the bank."""
    branch_name: str | None = Field(default=None, alias="branchName")
    """The name of the branch."""
    branch_code: str | None = Field(default=None, alias="branchCode")
    """The code of the branch."""


class Counterparty(Model):
    """The other side of a line. Null for another company's transaction."""

    kind: SkipValidation[CounterpartyKind]
    """BANK_ACCOUNT: the payee of a withdrawal. EXTERNAL: money from outside, or back to it."""
    id: str | None
    """Of a user or company."""
    name: str | None
    """For EXTERNAL the deposit's `userReference`, else the name of the user, company or bank account."""


class OrderPages(Model):
    """The order pages of both parties."""

    buyer_url: str = Field(alias="buyerUrl")
    """The page of the buyer."""
    seller_url: str | None = Field(alias="sellerUrl")
    """The page of the seller. Null: the company itself sells."""


class SplitPlanRequest(Model):
    """Who gets how much. In an escrow or link the three add up to its amount; in a proposal or decision the rest goes back to the buyer."""

    system_fee_cents: int
    """The platform's fee, in cents; 0 or more."""
    service_fee_cents: int
    """The company's fee, in cents; 0 or more."""
    seller_payout_cents: int
    """The payout to the seller, in cents; 0 or more."""


class Health(Model):
    status: Literal["ok"]
    """Its state."""
    version: str
    """The version of the service."""
    uptime_seconds: int = Field(alias="uptimeSeconds")
    """Seconds since the start."""


class ReadinessChecks(Model):
    """Each dependency."""

    database: SkipValidation[Literal["up", "down"]]
    """PostgreSQL."""
    temporal: SkipValidation[Literal["up", "down"]]
    """Temporal."""


class Readiness(Model):
    status: SkipValidation[Literal["ok", "unavailable"]]
    """Its state."""
    checks: ReadinessChecks
    """Each dependency."""


class ServingChecks(Model):
    """Each dependency."""

    database: SkipValidation[Literal["up", "down"]]
    """PostgreSQL."""
    temporal: SkipValidation[Literal["up", "down"]]
    """Temporal."""


class Serving(Model):
    status: SkipValidation[Literal["ok", "degraded", "unavailable"]]
    """Its state."""
    checks: ServingChecks
    """Each dependency."""


class Session(Model):
    access_token: str = Field(alias="accessToken")
    """The bearer token; it works for `expiresIn` seconds."""
    refresh_token: str = Field(alias="refreshToken")
    """The token that refreshes the session."""
    user_id: str = Field(alias="userId")
    """The administrator."""
    expires_in: int = Field(alias="expiresIn")
    """Seconds until the access token expires."""
    company_id: str = Field(alias="companyId")
    """The company."""
    role: SkipValidation[Role]
    must_change_password: bool = Field(alias="mustChangePassword")
    """Whether the password is temporary: `POST /v1/auth/password` changes it."""
    has_mfa: bool = Field(alias="hasMfa")
    """Whether a second factor is enabled."""
    must_enrol_mfa: bool = Field(alias="mustEnrolMfa")
    """A second factor is required, and none is enabled."""


class MfaChallenge(Model):
    mfa_required: bool = Field(alias="mfaRequired")
    """The password was right; a code of the second factor is still needed."""
    mfa_token: str = Field(alias="mfaToken")
    """For `POST /v1/auth/mfa`, for ten minutes."""
    methods: list[SkipValidation[Literal["totp", "recovery_code"]]]
    """The kinds of code that are accepted."""


class ProblemErrorsItem(Model):
    path: str
    """The field."""
    message: str
    """What is wrong, as a sentence."""


class ProblemReason(Model):
    """Why, where `code` leaves that open: what is wrong with a file, or who else may do what is forbidden."""

    code: str
    """Stable, for programs."""
    value: str | None = Field(default=None)
    """What was found, if the reason is about a value."""


class Problem(Model):
    type: str
    """A URN with the code."""
    title: str
    """The code as a sentence."""
    status: int
    """The HTTP status."""
    detail: str | None = Field(default=None)
    """This case as a sentence."""
    instance: str
    """A URN of the request."""
    code: str
    """Stable, for programs."""
    request_id: str = Field(alias="requestId")
    """The `X-Request-Id` of the answer, for support."""
    errors: list[ProblemErrorsItem] | None = Field(default=None)
    """The fields that were refused."""
    details: AmountDetails | None = Field(default=None)
    reason: ProblemReason | None = Field(default=None)
    """Why, where `code` leaves that open: what is wrong with a file, or who else may do what is forbidden."""
    duplicate_of: str | None = Field(default=None, alias="duplicateOf")
    """With `duplicate_reference`: the deposit or capture that reports the same money. With `already_exists`: what the first request with this idempotency key made."""


class AmountDetails(Model):
    """The amounts of a refusal about money, for callers with the permission `read`. Public operations never send them. `wrong_state`: `available` is the remaining debt, if the request pays more; `requested` is the payment. `payout_not_backed`: `available` is the amount that the company may still pay out; negative if it has paid out more than it received; `requested` is the payout. `insufficient_funds`: `available` is the available balance of the account that pays, as `available_balance`; `requested` is the amount of the request, with tax. `split_mismatch`: `available` is the amount to divide; `requested` is the sum of the plan. `split_exceeds_held`: `available` is the held amount that can be divided; `requested` is the sum of the plan. `price_mismatch`: `available` is the price that was ordered; `requested` is the price in the request. `amount_too_large`: `available` is the largest total of the ledger; `requested` is the total of the request."""

    available: str
    """Integer cents."""
    requested: str
    """Integer cents."""
    currency: SkipValidation[Currency]


class Credentials(Model):
    email: str
    """The e-mail address."""
    password: str
    """The password."""


class SecondStep(Model):
    mfa_token: str = Field(alias="mfaToken")
    """The `mfaToken` of the login."""
    code: str
    """Six digits of the app, or a recovery code."""


class RefreshRequest(Model):
    refresh_token: str = Field(alias="refreshToken")
    """The token that refreshes the session."""
    user_id: str = Field(alias="userId")
    """The administrator, as the login answered."""


class PasswordChange(Model):
    current_password: str = Field(alias="currentPassword")
    """The password that stands."""
    new_password: str = Field(alias="newPassword")
    """The new password, at least 10 characters."""


class ForgottenPassword(Model):
    email: str
    """The e-mail address of an administrator."""


class PasswordReset(Model):
    token: str
    """The token of the link."""
    new_password: str = Field(alias="newPassword")
    """The new password, at least 10 characters."""


class FactorCode(Model):
    code: str
    """Six digits of the app, or a recovery code."""


class OpenSession(Model):
    id: str
    """Its id."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it began."""
    last_used_at: datetime.datetime = Field(alias="lastUsedAt")
    """To the minute."""
    ip: str | None
    """The address of the login."""
    user_agent: str | None = Field(alias="userAgent")
    """The program of the login."""
    current: bool
    """Whether it is the session of this request."""


class OrderPageSettingsActs(Model):
    """What the parties may do on the pages."""

    confirm_receipt: SkipValidation[OrderActMode]
    release: SkipValidation[OrderActMode]
    extend: SkipValidation[OrderActMode]
    ask_cancel: SkipValidation[OrderActMode]
    dispatch: SkipValidation[OrderActMode]
    dispute: SkipValidation[OrderActMode]
    evidence: SkipValidation[OrderActMode]
    propose: SkipValidation[OrderActMode]
    answer: SkipValidation[OrderActMode]
    payout_details: SkipValidation[OrderActMode]
    payout: SkipValidation[OrderActMode]


class OrderPageSettings(Model):
    """The pages on which buyers and sellers follow their orders."""

    enabled: bool
    """Whether escrows of the company have order pages."""
    messages: bool
    """Whether the service tells the parties about their orders. The events come in either case."""
    ask_hours: int
    """Hours after which a request lapses that nobody has answered."""
    acts: OrderPageSettingsActs
    """What the parties may do on the pages."""


class CompanySettlementReferences(Model):
    """The texts by which the bank's statement names their payments."""

    card: str | None
    """The text that names settlements of the card gateway."""
    mobile: str | None
    """The text that names settlements of mobile money."""


class Company(Model):
    id: str
    """Its id."""
    name: str
    """The name that buyers see."""
    slug: str
    """The name in addresses."""
    system_fee_basis_points: int
    """The platform's fee, in hundredths of a per cent."""
    service_fee_basis_points: int
    """The company's own fee, in hundredths of a per cent."""
    auto_release_hours: int | None
    """Hours after which a covered order is released by itself. Null: never."""
    default_seller_id: str | None
    """The seller of payment links that name none. Null: the company itself."""
    default_phone_region: str
    """The region of phone numbers without a plus."""
    checkout_hosts: list[str]
    """The hosts that `successUrl` and `cancelUrl` of payment links may name."""
    brand_color: str | None
    """The colour of the checkout's buttons."""
    logo_url: str | None
    """The public address of the logo. It changes with the image."""
    settlement_references: CompanySettlementReferences
    """The texts by which the bank's statement names their payments."""
    settlement_fee_basis_points: int
    """The part of a settlement that may be missing as the gateway's fee."""
    support_email: str | None
    """Shown to buyers who need help."""
    terms_url: str | None
    """The terms that the checkout links to."""
    address: str | None
    """The postal address, in PDF files."""
    tax_number: str | None
    """The number at the tax office, in PDF files."""
    registration_number: str | None
    """The number in the register of companies, in PDF files."""
    time_zone: str
    """An IANA name. Console, checkout and PDFs show times in this zone; the API answers in UTC."""
    order_pages: OrderPageSettings
    require_mfa: bool
    """Whether administrators need a second factor."""
    created_at: datetime.datetime
    """When it was made."""


class NewCompanyAdmin(Model):
    """The first administrator, its OWNER."""

    first_name: str = Field(alias="firstName")
    """The first name."""
    last_name: str = Field(alias="lastName")
    """The last name."""
    email: str
    """The e-mail address."""
    password: str
    """The password, at least 10 characters."""


class NewCompany(Model):
    name: str
    """Its name. It stands in messages: without addresses and phone numbers."""
    slug: str | None = Field(default=None)
    """The name in addresses. By default made from the name."""
    admin: NewCompanyAdmin
    """The first administrator, its OWNER."""


class CompanySettingsSettlementReferences(Model):
    """The texts by which the bank's statement names the payments of the card gateway and of mobile money. Merged field by field."""

    card: str | None = Field(default=None)
    """The text that names settlements of the card gateway."""
    mobile: str | None = Field(default=None)
    """The text that names settlements of mobile money."""


class CompanySettings(Model):
    name: str | None = Field(default=None)
    """Its name. It stands in messages: without addresses and phone numbers."""
    service_fee_basis_points: int | None = Field(default=None)
    """The company's own fee on later escrows, in hundredths of a per cent."""
    auto_release_hours: int | None = Field(default=None)
    """Hours after which a covered order is released by itself. Null: never."""
    default_seller_id: str | None = Field(default=None)
    """The seller of payment links that name none. Null: the company itself."""
    default_phone_region: str | None = Field(default=None)
    """The region of phone numbers without a plus, such as ZW. Null: the default of the service."""
    checkout_hosts: list[str] | None = Field(default=None)
    """The hosts that `successUrl` and `cancelUrl` of payment links may name."""
    brand_color: str | None = Field(default=None)
    """The colour of the buttons in the checkout. White text on it needs a contrast of 4.5 to 1 (WCAG AA)."""
    settlement_references: CompanySettingsSettlementReferences | None = Field(default=None)
    """The texts by which the bank's statement names the payments of the card gateway and of mobile money. Merged field by field."""
    settlement_fee_basis_points: int | None = Field(default=None)
    """The part of a settlement that may be missing as the gateway's fee."""
    support_email: str | None = Field(default=None)
    """Where buyers get help. Shown in the checkout."""
    require_mfa: bool | None = Field(default=None)
    """Whether administrators need a second factor."""
    terms_url: str | None = Field(default=None)
    """The https address of the company's terms, linked in the checkout."""
    address: str | None = Field(default=None)
    """The postal address on one line, in PDF files. Null: none."""
    tax_number: str | None = Field(default=None)
    """The number at the tax office, in PDF files. Null: none."""
    registration_number: str | None = Field(default=None)
    """The number in the register of companies, in PDF files. Null: none."""
    order_pages: OrderPageChange | None = Field(default=None)
    time_zone: str | None = Field(default=None)
    """An IANA name, for the dates that people see and type. Null: UTC."""


class OrderPageChangeActs(Model):
    """What the parties may do on the pages."""

    confirm_receipt: SkipValidation[OrderActMode] | None = Field(default=None)
    release: SkipValidation[OrderActMode] | None = Field(default=None)
    extend: SkipValidation[OrderActMode] | None = Field(default=None)
    ask_cancel: SkipValidation[OrderActMode] | None = Field(default=None)
    dispatch: SkipValidation[OrderActMode] | None = Field(default=None)
    dispute: SkipValidation[OrderActMode] | None = Field(default=None)
    evidence: SkipValidation[OrderActMode] | None = Field(default=None)
    propose: SkipValidation[OrderActMode] | None = Field(default=None)
    answer: SkipValidation[OrderActMode] | None = Field(default=None)
    payout_details: SkipValidation[OrderActMode] | None = Field(default=None)
    payout: SkipValidation[OrderActMode] | None = Field(default=None)


class OrderPageChange(Model):
    """Merged field by field."""

    enabled: bool | None = Field(default=None)
    """Whether escrows of the company have order pages."""
    messages: bool | None = Field(default=None)
    """Whether the service tells the parties about their orders. The events come in either case."""
    ask_hours: int | None = Field(default=None)
    """Hours after which a request lapses that nobody has answered."""
    acts: OrderPageChangeActs | None = Field(default=None)
    """What the parties may do on the pages."""


class CompanyPlatformSettingsPayoutLimits(Model):
    """Cents per currency that may be paid out beyond the money that came in for the company."""

    usd: int | None = Field(default=None, alias="USD")
    """Cents."""
    zig: int | None = Field(default=None, alias="ZIG")
    """Cents."""


class CompanyPlatformSettings(Model):
    system_fee_basis_points: int | None = Field(default=None)
    """The platform's fee on later escrows, in hundredths of a per cent."""
    payout_limits: CompanyPlatformSettingsPayoutLimits | None = Field(default=None)
    """Cents per currency that may be paid out beyond the money that came in for the company."""


class LogoForm(Model):
    logo: bytes
    """A PNG or WebP image of at most 1 MiB."""


class AuditEntryActor(Model):
    """`service`: the service disabled a webhook endpoint by itself. `id` is the endpoint, and `role` is null. `unknown`: a login with an e-mail address that no administrator has. `id` and `role` are null, and `resource` is `email:` and a keyed hash of the address. Only the platform's own company has such lines. `temporal`: a run carried out a message that was sent past this interface; `operation` is `signal:` or `update:` and its name, and nobody is named. `party`: a user acted on an order page; `operation` is `page:` and the act."""

    kind: SkipValidation[Literal["api_key", "administrator", "party", "service", "temporal", "unknown"]]
    """The kind of the actor."""
    id: str | None
    """Its id."""
    role: Annotated[Union[SkipValidation[Role], Any | None], Field(union_mode="left_to_right")]


class AuditEntryChangesItem(Model):
    field: str
    """The field."""
    before: str | None
    """Its value before; null: none."""
    after: str | None
    """Its value after; null: none."""


class AuditEntry(Model):
    id: str
    """Its id."""
    at: datetime.datetime
    """When it happened."""
    actor: AuditEntryActor
    """`service`: the service disabled a webhook endpoint by itself. `id` is the endpoint, and `role` is null. `unknown`: a login with an e-mail address that no administrator has. `id` and `role` are null, and `resource` is `email:` and a keyed hash of the address. Only the platform's own company has such lines. `temporal`: a run carried out a message that was sent past this interface; `operation` is `signal:` or `update:` and its name, and nobody is named. `party`: a user acted on an order page; `operation` is `page:` and the act."""
    operation: str
    """The id of the operation."""
    resource: str | None
    """The id of the resource. Null: the request names none."""
    status: int
    """The HTTP status of the answer."""
    ip: str | None
    """The address of the caller. Null: the caller is a party on an order page."""
    changes: list[AuditEntryChangesItem] | None
    """What changed, where it decides over money or its destination. Numbers of accounts are masked."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request."""
    source: SkipValidation[Source]


class WorkSubject(Model):
    """What a person looks at."""

    type: SkipValidation[Literal["escrow", "order_request", "order_message", "payment_link", "withdrawal", "deposit", "capture", "user", "account", "bank_details", "company", "api_key", "administrator", "webhook_endpoint", "receivable"]]
    """Its kind."""
    id: str
    """Its id. A receivable has that of the transaction that booked it."""


class Work(Model):
    id: str
    """The same as long as it stands."""
    kind: SkipValidation[WorkKind]
    """Which work it is."""
    subject: WorkSubject
    """What a person looks at."""
    company_id: str = Field(alias="companyId")
    """The company."""
    company_name: str = Field(alias="companyName")
    """Its name."""
    title: str
    """What to do, in words."""
    reference: str | None
    """What people call it. Null: it has no name."""
    reason: str | None
    """Why, as a word: who opened a dispute, what is unclear about a payout. Null: the kind says it."""
    amount: str | None
    """The money in question, in integer cents. Null: none."""
    currency: Annotated[Union[SkipValidation[Currency], Any | None], Field(union_mode="left_to_right")]
    since: datetime.datetime
    """Since when it waits."""
    age_seconds: int = Field(alias="ageSeconds")
    """How long it has waited: by the company's clock, where `since` is of that clock."""
    due_at: datetime.datetime | None = Field(alias="dueAt")
    """When it is too late, or happens by itself. Null: never."""
    url: str
    """Its page in the console."""


class CompanySummaryPayoutLimits(Model):
    """Integer cents per currency that may be paid out beyond the money that came in for the company."""

    usd: str | None = Field(default=None, alias="USD")
    """Integer cents."""
    zig: str | None = Field(default=None, alias="ZIG")
    """Integer cents."""


class CompanySummary(Model):
    id: str
    """Its id."""
    name: str
    """The name that buyers see."""
    slug: str
    """The name in addresses."""
    system_fee_basis_points: int
    """The platform's fee, in hundredths of a per cent."""
    service_fee_basis_points: int
    """The company's own fee, in hundredths of a per cent."""
    auto_release_hours: int | None
    """Hours after which a covered order is released by itself. Null: never."""
    payout_limits: CompanySummaryPayoutLimits
    """Integer cents per currency that may be paid out beyond the money that came in for the company."""
    created_at: datetime.datetime
    """When it was made."""


class ServiceStateMetricsItem(Model):
    metric: str
    """Its name."""
    label: str | None
    """Its label."""
    value: float
    """Its value."""


class ServiceStateAuditsItem(Model):
    seq: str
    """Its number."""
    at: datetime.datetime
    """When it happened."""
    is_full: bool = Field(alias="isFull")
    """Whether all of the ledger was checked."""
    root: str
    """The head of the chain of hashes."""


class ServiceStateConcernsItem(Model):
    kind: str
    """The subject of the concern."""
    company_id: str = Field(alias="companyId")
    """The company."""
    object_id: str = Field(alias="objectId")
    """The subject of the concern."""
    at: datetime.datetime
    """When it happened."""


class ServiceStateRunsHealed(Model):
    """What differed, and was repaired. `stuck`: the run failed at every step."""

    missing: int
    """Runs that were missing and were started."""
    behind: int
    """Runs that were behind their rows."""
    overdue: int
    """Deadlines that had passed."""
    final: int
    """Runs of what is final."""
    stuck: int
    """Runs that made no progress."""


class ServiceStateRuns(Model):
    """The findings of the last sweep over all workflow runs. Null: Temporal does not answer, or no sweep has ended yet."""

    swept_at: datetime.datetime = Field(alias="sweptAt")
    """When all runs were last compared with the database."""
    rows_checked: int = Field(alias="rowsChecked")
    """How many rows were compared."""
    runs_checked: int = Field(alias="runsChecked")
    """How many runs were compared."""
    healed: ServiceStateRunsHealed
    """What differed, and was repaired. `stuck`: the run failed at every step."""
    need_attention: int = Field(alias="needAttention")
    """Open runs that a person should look at."""


class ServiceState(Model):
    metrics: list[ServiceStateMetricsItem]
    """Counters and gauges."""
    audits: list[ServiceStateAuditsItem]
    """The last audits of all companies that found nothing, latest first; `root` covers the head of every chain."""
    concerns: list[ServiceStateConcernsItem]
    """Payments and payouts that a person has to look at, latest first."""
    runs: ServiceStateRuns | None
    """The findings of the last sweep over all workflow runs. Null: Temporal does not answer, or no sweep has ended yet."""


class ListedAdministrator(Model):
    """A person who acts for a company."""

    id: str
    """The administrator."""
    first_name: str = Field(alias="firstName")
    """The first name."""
    last_name: str = Field(alias="lastName")
    """The last name."""
    email: str
    """The e-mail address."""
    role: SkipValidation[Role]
    created_at: datetime.datetime
    """When it was made."""
    has_mfa: bool
    """Whether a second factor is enabled."""


class NewAdministrator(Model):
    first_name: str = Field(alias="firstName")
    """The first name."""
    last_name: str = Field(alias="lastName")
    """The last name."""
    email: str
    """The e-mail address."""
    role: SkipValidation[Literal["admin", "manager"]]
    """The role."""
    password: str | None = Field(default=None)
    """The password, at least 10 characters."""


class ApiKey(Model):
    id: str
    """The key, for revoking it."""
    name: str
    """A label, for people."""
    key_prefix: str
    """The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart."""
    is_active: bool
    """Whether the key works."""
    role: SkipValidation[Role]
    """The role of its creator at that time."""
    permissions: list[SkipValidation[Permission]]
    """Everything that the key may do."""
    expires_at: datetime.datetime | None
    """Null: it works until it is revoked."""
    active_until: datetime.datetime | None
    """The end of the grace period of a rolled key: at once without one. Null: it was not rolled."""
    revoked_at: datetime.datetime | None
    """When it was revoked. Null: not."""
    note: str | None
    """Words of yours about the key."""
    last_used_at: datetime.datetime | None
    """To the minute. Null: never used."""
    created_by: str | None
    """The administrator who made the key, or made the key that it was rolled from."""
    created_at: datetime.datetime
    """When it was made."""


class NewApiKey(Model):
    name: str
    """Its name."""
    role: Annotated[Union[SkipValidation[Literal["owner", "admin", "manager"]], Any | None], Field(union_mode="left_to_right")] | None = Field(default=None)
    """The maker's own role if absent. Never a higher one."""
    permissions: list[SkipValidation[Permission]] | None = Field(default=None)
    """All that the role permits if absent. Operations name theirs in `x-permission`."""
    expires_at: datetime.datetime | None = Field(default=None, alias="expiresAt")
    """When the key stops working. At most ten years ahead."""
    expires_in_days: int | None = Field(default=None, alias="expiresInDays")
    """Instead of `expiresAt`."""
    note: str | None = Field(default=None)
    """Words of yours about the key."""


class RolledApiKey(Model):
    id: str
    """Its id."""
    key_prefix: str
    """The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart."""
    secret_key: str
    """The new key. Shown only in this response."""
    message: str
    """What was done, in words."""


class RollRequest(Model):
    id: str | None = Field(default=None)
    """With a bearer token: the key to replace. A key replaces itself alone."""
    name: str
    """A label, for people."""
    grace_seconds: int | None = Field(default=None, alias="graceSeconds")
    """How long the old key still works. By default not at all."""


class UserSummaryBlacklistMatch(Model):
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""

    kind: Literal["BANK_ACCOUNT"]
    """The value that both have."""


class UserSummary(Model):
    id: str
    """Its id."""
    mobile_number: str | None = Field(alias="mobileNumber")
    """The phone number in E.164. Null: the person was erased."""
    first_name: str | None = Field(alias="firstName")
    """The first name."""
    last_name: str | None = Field(alias="lastName")
    """The last name."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    identity_status: SkipValidation[IdentityStatus] = Field(alias="identityStatus")
    """BLACKLISTED: may not take part in new escrows."""
    blacklist_match: UserSummaryBlacklistMatch | None = Field(alias="blacklistMatch")
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class UserBlacklistMatch(Model):
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""

    kind: Literal["BANK_ACCOUNT"]
    """The value that both have."""


class User(Model):
    id: str
    """Its id."""
    mobile_number: str | None = Field(alias="mobileNumber")
    """The phone number in E.164. Null: the person was erased."""
    first_name: str | None = Field(alias="firstName")
    """The first name."""
    last_name: str | None = Field(alias="lastName")
    """The last name."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    identity_status: SkipValidation[IdentityStatus] = Field(alias="identityStatus")
    """BLACKLISTED: may not take part in new escrows."""
    blacklist_match: UserBlacklistMatch | None = Field(alias="blacklistMatch")
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    id_number: str | None = Field(alias="idNumber")
    """The national id number. Null: the person was erased."""
    email: str | None
    """The e-mail address."""
    identity_status_reason: str | None = Field(alias="identityStatusReason")
    """Why the platform set the status. For staff: users never see it."""
    document_url: str | None = Field(alias="documentUrl")
    """The address of the identity document; a request to it needs a credential. Null: there is none."""
    is_document_deleted: bool = Field(alias="isDocumentDeleted")
    """Whether the last document was deleted: nothing of theirs was open for long, or they were erased."""
    metadata: dict[str, Any] | None
    """Any JSON object of your own, at most 16 KiB. Null: the person was erased."""
    custom_reference: str | None = Field(alias="customReference")
    """Bank deposits with this reference go to the user."""
    bank_account: Annotated[Union[BankAccount, Any | None], Field(union_mode="left_to_right")] = Field(alias="bankAccount")
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""
    erased_at: datetime.datetime | None = Field(alias="erasedAt")
    """When the person was erased. Null: not."""


class UserLedger(Model):
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    user_id: str = Field(alias="userId")
    """The user."""
    accounts: list[Account]
    """The accounts."""


class Account(Model):
    """An account of a ledger, with its balance."""

    id: str
    """Its id."""
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    type: SkipValidation[AccountType]
    """What the account is for. Users have USER accounts."""
    currency: SkipValidation[Currency]
    balance: str
    """The total, held money included. Integer cents."""
    held_balance: str
    """The part of the balance that escrows, payouts and transit deposits hold. Integer cents."""
    available_balance: str
    """The amount that can be spent: balance less held. Integer cents."""
    is_frozen: bool
    """Whether outgoing money is refused."""
    created_at: datetime.datetime
    """When it was made."""
    updated_at: datetime.datetime
    """When it was last changed."""


class PersonalData(Model):
    exported_at: datetime.datetime = Field(alias="exportedAt")
    """When it was read."""
    user: User
    """What the API answers about them."""
    ledger: dict[str, Any]
    """The person's ledger."""
    bank_details: list[dict[str, Any]] = Field(alias="bankDetails")
    """The default bank details of their ledger, with those before."""
    freezes: list[dict[str, Any]]
    """When their accounts were frozen and unfrozen, and why."""
    transactions: list[dict[str, Any]]
    """Every entry of their accounts."""
    escrows: list[dict[str, Any]]
    """The escrows in which they are a party."""
    texts: list[dict[str, Any]]
    """What was written about their escrows, payment links, payouts and transactions: items, notes, reasons."""
    dispute_notes: list[dict[str, Any]] = Field(alias="disputeNotes")
    """What staff noted about their disputes."""
    requests: list[dict[str, Any]]
    """What they asked for on order pages."""
    files: list[dict[str, Any]]
    """The files that they sent on order pages, without their bytes."""
    payment_links: list[dict[str, Any]] = Field(alias="paymentLinks")
    """The links that they were to pay."""
    payment_phones: list[str] = Field(alias="paymentPhones")
    """The phones whose mobile money they used."""
    withdrawals: list[dict[str, Any]]
    """Their payouts, with the bank account of each."""
    bank_lines: list[dict[str, Any]] = Field(alias="bankLines")
    """The lines of the bank's files that confirm their receipts and payouts."""
    registrations: list[dict[str, Any]]
    """Their registrations at the checkout."""
    messages: list[dict[str, Any]]
    """Messages to them that a sandbox keeps."""
    events: list[dict[str, Any]]
    """The events about them."""


class Erased(Model):
    user_id: str = Field(alias="userId")
    """The user."""
    erased_at: datetime.datetime = Field(alias="erasedAt")
    """When the person was erased, now or before."""


class Erase(Model):
    reason: str
    """Why, in words."""


class UserCreatedBlacklistMatch(Model):
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""

    kind: Literal["BANK_ACCOUNT"]
    """The value that both have."""


class UserCreatedAccountsItem(Model):
    id: str
    """Its id."""
    currency: SkipValidation[Currency]


class UserCreated(Model):
    id: str
    """Its id."""
    mobile_number: str | None = Field(alias="mobileNumber")
    """The phone number in E.164. Null: the person was erased."""
    first_name: str | None = Field(alias="firstName")
    """The first name."""
    last_name: str | None = Field(alias="lastName")
    """The last name."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    identity_status: SkipValidation[IdentityStatus] = Field(alias="identityStatus")
    """BLACKLISTED: may not take part in new escrows."""
    blacklist_match: UserCreatedBlacklistMatch | None = Field(alias="blacklistMatch")
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    accounts: list[UserCreatedAccountsItem]
    """The accounts."""


class NewUser(Model):
    mobile_number: str = Field(alias="mobileNumber")
    """With + and the country code, or as it is written in the region of the company."""
    id_number: str = Field(alias="idNumber")
    """The national id number."""
    first_name: str | None = Field(default=None, alias="firstName")
    """The first name."""
    last_name: str | None = Field(default=None, alias="lastName")
    """The last name."""
    email: str | None = Field(default=None)
    """The e-mail address."""
    metadata: dict[str, Any] | None = Field(default=None)
    """Any JSON object of your own, at most 16 KiB."""
    custom_reference: str | None = Field(default=None, alias="customReference")
    """Bank deposits with this reference go to the user. Unique in the company."""
    bank_account: Annotated[Union[BankAccountRequest, Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="bankAccount")


class NewUserForm(Model):
    mobile_number: str = Field(alias="mobileNumber")
    """With + and the country code, or as it is written in the region of the company."""
    id_number: str = Field(alias="idNumber")
    """The national id number."""
    first_name: str | None = Field(default=None, alias="firstName")
    """The first name."""
    last_name: str | None = Field(default=None, alias="lastName")
    """The last name."""
    email: str | None = Field(default=None)
    """The e-mail address."""
    metadata: str | None = Field(default=None)
    """JSON. The fields may also be sent one by one: `name[field]`."""
    custom_reference: str | None = Field(default=None, alias="customReference")
    """Bank deposits with this reference go to the user. Unique in the company."""
    bank_account: str | None = Field(default=None, alias="bankAccount")
    """JSON. The fields may also be sent one by one: `name[field]`."""
    document: bytes | None = Field(default=None)
    """At most 10 MiB: a JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC or AVIF image, or a PDF file."""


class DocumentStored(Model):
    document_url: str = Field(alias="documentUrl")
    """The address of the identity document; a request to it needs a credential."""
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""


class DocumentForm(Model):
    document: bytes
    """At most 10 MiB: a JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC or AVIF image, or a PDF file."""


class IdLinked(Model):
    user_id: str = Field(alias="userId")
    """The user."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    id_linked: bool = Field(alias="idLinked")
    """Always true."""


class LinkId(Model):
    id_number: str = Field(alias="idNumber")
    """The national id number."""
    custom_reference: str | None = Field(default=None, alias="customReference")
    """Bank deposits with this reference go to the user."""


class FinancialInstitution(Model):
    id: str
    """Its id."""
    name: str
    """The bank's name."""
    code: str
    """The bank's code."""
    branch_codes: list[str] = Field(alias="branchCodes")
    """The codes of its branches."""


class Seeded(Model):
    seeded: int
    """How many were added."""
    skipped: int
    """How many were there already."""


class UserPage(Model):
    data: list[UserForAdmin]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    page: int
    """The number of this page, from 1."""
    limit: int
    """The size of a page."""


class UserForAdminBlacklistMatch(Model):
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""

    kind: Literal["BANK_ACCOUNT"]
    """The value that both have."""


class UserForAdmin(Model):
    id: str
    """Its id."""
    mobile_number: str | None = Field(alias="mobileNumber")
    """The phone number in E.164. Null: the person was erased."""
    first_name: str | None = Field(alias="firstName")
    """The first name."""
    last_name: str | None = Field(alias="lastName")
    """The last name."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    identity_status: SkipValidation[IdentityStatus] = Field(alias="identityStatus")
    """BLACKLISTED: may not take part in new escrows."""
    blacklist_match: UserForAdminBlacklistMatch | None = Field(alias="blacklistMatch")
    """What the user shares with a blacklisted person, without being blacklisted. It blocks nothing by itself."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    email: str | None
    """The e-mail address."""
    identity_status_reason: str | None = Field(alias="identityStatusReason")
    """Why the platform set the status. For staff: users never see it."""
    kyc_status: SkipValidation[KycStatus] = Field(alias="kycStatus")
    """BLACKLISTED, else APPROVED at level 2, else PENDING."""
    document_url: str | None = Field(alias="documentUrl")
    """The address of the identity document; a request to it needs a credential. Null: there is none."""
    changed_since_approval: list[SkipValidation[IdentityEvidence]] = Field(alias="changedSinceApproval")
    """The approved fields that have changed since. Approving or revoking empties the list."""
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""


class Approved(Model):
    user_id: str = Field(alias="userId")
    """The user."""
    kyc_level: int = Field(alias="kycLevel")
    """1: registered; 2: approved by the platform."""
    approved: bool
    """Whether the user is approved."""


class Approval(Model):
    approved: bool | None = Field(default=None)
    """True approves, false revokes. True unless given."""
    reviewed: datetime.datetime | None = Field(default=None)
    """The `updatedAt` of the user that was reviewed. If the user has changed since, the answer is 409 `wrong_state`."""


class StatusChanged(Model):
    user_id: str = Field(alias="userId")
    """The user."""
    identity_status: SkipValidation[IdentityStatus] = Field(alias="identityStatus")
    reason: str | None
    """Why, in words."""


class StatusChange(Model):
    status: SkipValidation[IdentityStatus]
    reason: str | None = Field(default=None)
    """For the staff of the platform and the company. Users never see it."""
    reviewed: datetime.datetime | None = Field(default=None)
    """The `updatedAt` of the user that was reviewed. If the user has changed since, the answer is 409 `wrong_state`."""


class Transaction(Model):
    id: str
    """Its id."""
    type: SkipValidation[TransactionType]
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    status: SkipValidation[TransactionStatus]
    reference: str | None
    """The reference that it was made with."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    metadata: dict[str, Any]
    """Data that the service added."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class DepositRequest(Model):
    user_id: str | None = Field(default=None, alias="userId")
    """Whose account gets the money. Absent: the user whose `customReference` equals `userReference` or `externalReference`, else the company's COMPANY account."""
    amount: int
    """Cents."""
    currency: SkipValidation[Currency]
    external_reference: str | None = Field(default=None, alias="externalReference")
    """The reference of the payment. Unique in the company, except where it is a user's customReference."""
    user_reference: str | None = Field(default=None, alias="userReference")
    """A memo of the payer."""
    is_transit: bool | None = Field(default=None, alias="isTransit")
    """The money is not settled yet: it counts in the balance and is held."""


class PaymentLinkGenerated(Model):
    id: str
    """Its id."""
    hash: str
    """Identifies the link to the checkout: its `paymentSlug`."""
    url: str
    """Its address."""
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    amount: int
    """What the buyer pays: the requested amount, plus the fees where the buyer pays them."""
    order_pages: Annotated[Union[OrderPages, Any | None], Field(union_mode="left_to_right")] = Field(alias="orderPages")
    """Null unless asked for."""
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference."""
    user_reference: str | None = Field(alias="userReference")
    """A memo of yours."""
    success_url: str | None = Field(alias="successUrl")
    """Where the checkout leads the buyer after the payment."""
    cancel_url: str | None = Field(alias="cancelUrl")
    """Where the checkout leads a buyer who does not pay."""
    locale: Annotated[Union[SkipValidation[Language], Any | None], Field(union_mode="left_to_right")]


class NewPaymentLink(Model):
    buyer_id: str = Field(alias="buyerId")
    """The user who shall pay."""
    seller_id: str | None = Field(default=None, alias="sellerId")
    """The user who is paid. By default the company's `default_seller_id`, else the company itself."""
    amount: int
    """What the buyer pays, in cents. It must be the sum of the items, or the checkout shows the difference as an adjustment."""
    currency: SkipValidation[Currency]
    items: list[OrderItem]
    """What is sold, for the buyer to read."""
    split_plan: Annotated[Union[SplitPlanRequest, Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="splitPlan")
    external_reference: str | None = Field(default=None, alias="externalReference")
    """Your own reference."""
    user_reference: str | None = Field(default=None, alias="userReference")
    """A memo of yours."""
    success_url: str | None = Field(default=None, alias="successUrl")
    """Where the checkout leads the buyer after the payment: https, on one of the company’s `checkout_hosts`."""
    cancel_url: str | None = Field(default=None, alias="cancelUrl")
    """Where the checkout leads a buyer who does not pay: https, on one of the company’s `checkout_hosts`."""
    locale: Annotated[Union[SkipValidation[Language], Any | None], Field(union_mode="left_to_right")] | None = Field(default=None)
    """The language of the checkout. By default the buyer's browser chooses."""
    fee_payer: Annotated[Union[SkipValidation[Party], Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="feePayer")
    """Who pays the fees. SELLER unless given."""
    milestones: list[NewMilestone] | None = Field(default=None)
    """Parts that are released one by one. Without them the escrow is released as a whole."""
    auto_release_hours: int | None = Field(default=None, alias="autoReleaseHours")
    """Hours after which a covered order is released by itself. By default the company's `auto_release_hours`; not allowed with milestones."""
    order_pages: bool | None = Field(default=None, alias="orderPages")
    """Whether to make the order pages of buyer and seller. False unless given."""
    expires_in_hours: int | None = Field(default=None, alias="expiresInHours")
    """How long the link can be paid."""


class OrderItem(Model):
    name: str
    """What is sold."""
    description: str | None = Field(default=None)
    """More words about it."""
    quantity: int
    """How many pieces."""
    price_per_unit: int = Field(alias="pricePerUnit")
    """The price of one piece, in cents."""


class NewMilestone(Model):
    title: str
    """A title, for the parties."""
    description: str | None = Field(default=None)
    """What it is, in words."""
    percentage: float
    """The milestone's part of the whole, with at most two decimals. All together are 100."""


class PaymentLinkDetailsBuyer(Model):
    """The buyer."""

    id: str
    """Its id."""
    name: str | None
    """Its name."""


class PaymentLinkDetails(Model):
    hash: str
    """Identifies the link to the checkout: its `paymentSlug`."""
    status: SkipValidation[PaymentLinkStatus]
    escrow_status: SkipValidation[EscrowStatus] = Field(alias="escrowStatus")
    amount: int
    """What the buyer pays, in cents."""
    currency: SkipValidation[Currency]
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""
    company_name: str = Field(alias="companyName")
    """The merchant."""
    user_reference: str | None = Field(alias="userReference")
    """A memo of yours."""
    buyer: PaymentLinkDetailsBuyer
    """The buyer."""
    items: list[Item]
    """The items."""


class PaymentLinkSummaryBuyer(Model):
    """The buyer."""

    id: str
    """The user."""
    name: str | None
    """First and last name."""


class PaymentLinkSummary(Model):
    id: str
    """Its id."""
    hash: str
    """Identifies the link to the checkout: its `paymentSlug`."""
    url: str
    """Its address."""
    status: SkipValidation[PaymentLinkStatus]
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference."""
    user_reference: str | None = Field(alias="userReference")
    """A memo of yours."""
    success_url: str | None = Field(alias="successUrl")
    """Where the checkout leads the buyer after the payment."""
    cancel_url: str | None = Field(alias="cancelUrl")
    """Where the checkout leads a buyer who does not pay."""
    locale: Annotated[Union[SkipValidation[Language], Any | None], Field(union_mode="left_to_right")]
    buyer: PaymentLinkSummaryBuyer
    """The buyer."""
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class PaymentLinkBuyer(Model):
    """The buyer."""

    id: str
    """The user."""
    name: str | None
    """First and last name."""


class PaymentLink(Model):
    id: str
    """Its id."""
    hash: str
    """Identifies the link to the checkout: its `paymentSlug`."""
    url: str
    """Its address."""
    status: SkipValidation[PaymentLinkStatus]
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference."""
    user_reference: str | None = Field(alias="userReference")
    """A memo of yours."""
    success_url: str | None = Field(alias="successUrl")
    """Where the checkout leads the buyer after the payment."""
    cancel_url: str | None = Field(alias="cancelUrl")
    """Where the checkout leads a buyer who does not pay."""
    locale: Annotated[Union[SkipValidation[Language], Any | None], Field(union_mode="left_to_right")]
    buyer: PaymentLinkBuyer
    """The buyer."""
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    escrow_status: str = Field(alias="escrowStatus")
    """The state of its escrow."""
    buyer_id: str = Field(alias="buyerId")
    """The buyer."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""
    attempts: list[PaymentAttempt]
    """The payments that the buyer tried, oldest first."""
    timeline: list[PaymentLinkTimelineEntry]
    """What happened to it, oldest first."""


class PaymentAttempt(Model):
    id: str
    """Its id."""
    kind: SkipValidation[PaymentKind]
    status: SkipValidation[Literal["open", "pending", "succeeded", "declined", "lapsed"]]
    """open: at the card form; pending: the answer is not known yet."""
    refund: Annotated[Union[SkipValidation[Literal["due", "done", "refused"]], Any | None], Field(union_mode="left_to_right")]
    """Whether the money is refunded to its origin."""
    taken_back_amount: str = Field(alias="takenBackAmount")
    """The part of the payment that was charged back, refunded at the gateway or reversed."""
    started_at: datetime.datetime = Field(alias="startedAt")
    """When the buyer began to pay."""
    transaction_id: str | None = Field(alias="transactionId")
    """The deposit that booked the money."""
    next_check_at: datetime.datetime | None = Field(alias="nextCheckAt")
    """When the gateway is asked next. Null: not again."""
    checks: int
    """Each dependency."""
    provider: str | None
    """The gateway or operator that took it."""
    checkout_id: str | None = Field(alias="checkoutId")
    """The card gateway's id of the checkout."""
    merchant_reference: str = Field(alias="merchantReference")
    """The reference of the attempt at the card gateway."""


class PaymentLinkTimelineEntryDetails(Model):
    """What belongs to the event."""

    attempt_id: str | None = Field(alias="attemptId")
    """The payment."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""


class PaymentLinkTimelineEntry(Model):
    event: str
    """What happened."""
    actor: SkipValidation[Literal["COMPANY", "BUYER", "SYSTEM"]]
    """Who acts."""
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    status: SkipValidation[PaymentLinkStatus]
    """The status of the link after the event."""
    details: PaymentLinkTimelineEntryDetails
    """What belongs to the event."""


class OtpSent(Model):
    sent: bool
    """Always true, whether or not the number is known."""
    expires_in: int = Field(alias="expiresIn")
    """For how many seconds the code works."""


class OtpRequest(Model):
    messaging_number: str = Field(alias="messagingNumber")
    """With + and the country code, or as it is written in the region of the company."""
    payment_slug: str | None = Field(default=None, alias="paymentSlug")
    """The link that the code pays. Without it, one of the number's three newest PENDING links, which the message names: the first that is paid with the right code. Better send it: requests without it are limited together with those of everybody else who knows the number."""


class CheckoutUserRegistered(Model):
    user_id: str = Field(alias="userId")
    """The user."""
    status: Literal["REGISTERED"]
    """Its state."""


class CheckoutUser(Model):
    mobile_number: str = Field(alias="mobileNumber")
    """With + and the country code, or as it is written in the region of the company."""
    id_number: str = Field(alias="idNumber")
    """The national id number."""
    first_name: str | None = Field(default=None, alias="firstName")
    """The first name."""
    last_name: str | None = Field(default=None, alias="lastName")
    """The last name."""
    payment_slug: str | None = Field(default=None, alias="paymentSlug")
    """The link's hash."""


class PaymentAccepted(Model):
    status: SkipValidation[Literal["ACCEPTED", "PROCESSING", "DECLINED"]]
    """DECLINED: the link is open for another try."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""
    link_status: SkipValidation[PaymentLinkStatus] = Field(alias="linkStatus")
    """The current status of the link."""
    credited_to: Annotated[Union[SkipValidation[Literal["ESCROW", "BALANCE", "SOURCE_PENDING", "SOURCE"]], Any | None], Field(union_mode="left_to_right")] = Field(alias="creditedTo")
    """Who has the money: the escrow, or the balance of the buyer where the link could not take it, or where it came from after the escrow was cancelled."""


class AcceptPayment(Model):
    payment_slug: str = Field(alias="paymentSlug")
    """The link's hash."""
    phone_number: str | None = Field(default=None, alias="phoneNumber")
    """With + and the country code, or as it is written in the region of the company."""
    messaging_number: str | None = Field(default=None, alias="messagingNumber")
    """With + and the country code, or as it is written in the region of the company."""
    otp: str | None = Field(default=None)
    """The one-time password of the message. Needed to pay from the balance."""


class RejectPayment(Model):
    payment_slug: str = Field(alias="paymentSlug")
    """The link's hash."""


class CheckoutOpened(Model):
    checkout_id: str = Field(alias="checkoutId")
    """The gateway's id of the checkout."""
    script_url: str = Field(alias="scriptUrl")
    """The script of the card form."""
    integrity: str
    """The hash of the script, for its `integrity`."""


class InitiateCheckout(Model):
    payment_slug: str = Field(alias="paymentSlug")
    """The link's hash."""


class CheckoutVerified(Model):
    status: SkipValidation[Literal["ACCEPTED", "PROCESSING", "DECLINED"]]
    """DECLINED: the link is open for another try."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""
    link_status: SkipValidation[PaymentLinkStatus] = Field(alias="linkStatus")
    """The current status of the link."""
    credited_to: Annotated[Union[SkipValidation[Literal["ESCROW", "BALANCE", "SOURCE_PENDING", "SOURCE"]], Any | None], Field(union_mode="left_to_right")] = Field(alias="creditedTo")
    """Who has the money: the escrow, or the balance of the buyer where the link could not take it, or where it came from after the escrow was cancelled."""


class VerifyCheckout(Model):
    resource_path: str = Field(alias="resourcePath")
    """The path that the card form returned, unchanged."""


class LedgerOverviewTotalsItem(Model):
    currency: SkipValidation[Currency]
    balance: str
    """Integer cents."""
    held_balance: str
    """Integer cents."""
    available_balance: str
    """Integer cents."""


class LedgerOverview(Model):
    ledger: LedgerSummary
    accounts: list[Account]
    """The accounts."""
    totals: list[LedgerOverviewTotalsItem]
    """The sums, for each currency."""


class LedgerSummaryUser(Model):
    """Whose ledger it is. Null: the company's."""

    id: str
    """The user."""
    first_name: str | None
    """The first name."""
    last_name: str | None
    """The last name."""


class LedgerSummary(Model):
    """The ledger of a user or of the company."""

    id: str
    """Its id."""
    name: str
    """Its name."""
    user: LedgerSummaryUser | None
    """Whose ledger it is. Null: the company's."""


class EscrowHistoryEntryBuyer(Model):
    """The buyer."""

    id: str
    """Its id."""
    first_name: str | None
    """The first name."""


class EscrowHistoryEntrySeller(Model):
    """The seller."""

    id: str
    """Its id."""
    first_name: str | None
    """The first name."""


class EscrowHistoryEntry(Model):
    id: str
    """Its id."""
    status: SkipValidation[TransactionStatus]
    type: SkipValidation[Literal["ESCROW_HOLD", "PAYMENT", "REFUND"]]
    """What the transaction does."""
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    company_revenue: str
    """Integer cents."""
    system_revenue: str
    """Integer cents."""
    total_amount: str
    """Integer cents."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    created_at: datetime.datetime
    """When it was made."""
    buyer: EscrowHistoryEntryBuyer
    """The buyer."""
    seller: EscrowHistoryEntrySeller
    """The seller."""


class SystemStatsTransactions(Model):
    """How many transactions were posted."""

    total: int
    """Ever."""
    last24_hours: int = Field(alias="last24Hours")
    """In the last 24 hours."""
    last_minute_per_second: float = Field(alias="lastMinutePerSecond")
    """Each second, in the last minute."""


class SystemStatsPostingLatencyMs(Model):
    """Of the latest 500 postings, inside the database: from the key to the entries, waits for locks included. Null before the first."""

    p50: float | None
    """Half of them took at most this."""
    p95: float | None
    """95 of 100 took at most this."""
    p99: float | None
    """99 of 100 took at most this."""


class SystemStatsEscrowsByStatus(Model):
    """How many escrows are in each state."""

    pending: int | None = Field(default=None, alias="PENDING")
    """Escrows in this state."""
    active: int | None = Field(default=None, alias="ACTIVE")
    """Escrows in this state."""
    delivery_noted: int | None = Field(default=None, alias="DELIVERY_NOTED")
    """Escrows in this state."""
    goods_received: int | None = Field(default=None, alias="GOODS_RECEIVED")
    """Escrows in this state."""
    disputed: int | None = Field(default=None, alias="DISPUTED")
    """Escrows in this state."""
    completed: int | None = Field(default=None, alias="COMPLETED")
    """Escrows in this state."""
    cancelled: int | None = Field(default=None, alias="CANCELLED")
    """Escrows in this state."""
    resolved: int | None = Field(default=None, alias="RESOLVED")
    """Escrows in this state."""


class SystemStats(Model):
    uptime_seconds: int = Field(alias="uptimeSeconds")
    """Seconds since the start."""
    transactions: SystemStatsTransactions
    """How many transactions were posted."""
    posting_latency_ms: SystemStatsPostingLatencyMs = Field(alias="postingLatencyMs")
    """Of the latest 500 postings, inside the database: from the key to the entries, waits for locks included. Null before the first."""
    escrows_by_status: SystemStatsEscrowsByStatus = Field(alias="escrowsByStatus")
    """How many escrows are in each state."""
    accounts: int
    """How many accounts there are."""
    users: int
    """How many users there are."""


class CashflowSeriesItem(Model):
    period: str
    """The period's first day, in the zone that was asked for."""
    currency: SkipValidation[Currency]
    inflow: str
    """Integer cents."""
    outflow: str
    """Integer cents."""
    net: str
    """Integer cents."""


class Cashflow(Model):
    interval: SkipValidation[Literal["day", "week", "month"]]
    """The length of a period."""
    series: list[CashflowSeriesItem]
    """The periods in order. Empty ones are zeros."""


class PositionMoneyItemPayouts(Model):
    """Withdrawals that the bank has not decided, with their tax."""

    count: int
    """The number."""
    amount: str
    """Integer cents."""


class PositionMoneyItem(Model):
    currency: SkipValidation[Currency]
    available: str
    """What users and the company can spend. Integer cents."""
    held: str
    """Held for open escrows. Integer cents."""
    in_transit: str = Field(alias="inTransit")
    """Deposits that the bank has not settled. Integer cents."""
    payouts: PositionMoneyItemPayouts
    """Withdrawals that the bank has not decided, with their tax."""


class PositionOpenEscrowsItem(Model):
    currency: SkipValidation[Currency]
    status: SkipValidation[EscrowStatus]
    age: SkipValidation[Literal["UP_TO_1_DAY", "UP_TO_7_DAYS", "UP_TO_30_DAYS", "OLDER"]]
    """The age of the escrows."""
    count: int
    """The number."""
    held_amount: str = Field(alias="heldAmount")
    """Integer cents."""


class Position(Model):
    money: list[PositionMoneyItem]
    """The money, for each currency."""
    open_escrows: list[PositionOpenEscrowsItem] = Field(alias="openEscrows")
    """By age since the hour of the creation; disputed ones since the hour of the dispute. Groups without any are left out."""


class LedgerIntegrity(Model):
    ok: bool
    """Whether the books are right."""
    checked_accounts: int = Field(alias="checkedAccounts")
    """How many accounts were summed."""
    checked_transactions: int = Field(alias="checkedTransactions")
    """How many transactions were summed."""
    mismatches: list[dict[str, Any]]
    """What is wrong."""
    chain_head: str | None = Field(alias="chainHead")
    """The head of the chain of hashes."""
    unsealed_transactions: int = Field(alias="unsealedTransactions")
    """Transactions that no seal covers yet."""
    unaudited_entities: int = Field(alias="unauditedEntities")
    """Escrows, links and withdrawals that a later version changed: not audited."""
    duration_ms: int = Field(alias="durationMs")
    """How long it took, in milliseconds."""


class TrialBalanceLinesItem(Model):
    type: SkipValidation[AccountType]
    """The type of the accounts."""
    currency: SkipValidation[Currency]
    accounts: int
    """How many accounts of the type have a balance."""
    debit: str
    """The sum of balances below zero, without its sign. Integer cents."""
    credit: str
    """The sum of balances above zero. Integer cents."""


class TrialBalanceTotalsItem(Model):
    currency: SkipValidation[Currency]
    debit: str
    """Equals `credit`. Integer cents."""
    credit: str
    """Equals `debit`. Integer cents."""


class TrialBalance(Model):
    at: datetime.datetime
    """The balances are those right before this instant."""
    lines: list[TrialBalanceLinesItem]
    """By type and currency. Lines of zero are left out."""
    totals: list[TrialBalanceTotalsItem]
    """The sums by currency."""


class LiabilitiesDataItem(Model):
    user_id: str = Field(alias="userId")
    """The user."""
    name: str | None
    """The user's name today."""
    currency: SkipValidation[Currency]
    balance: str
    """What the company owes. Integer cents."""
    held: str
    """The part that is held. Integer cents."""
    available: str
    """The rest. Integer cents."""


class LiabilitiesTotalsItem(Model):
    currency: SkipValidation[Currency]
    balance: str
    """What the company owes. Integer cents."""
    held: str
    """The part that is held. Integer cents."""
    available: str
    """The rest. Integer cents."""


class Liabilities(Model):
    at: datetime.datetime
    """The balances are those right before this instant."""
    data: list[LiabilitiesDataItem]
    """A page of users with a balance."""
    totals: list[LiabilitiesTotalsItem]
    """The sums over all users."""
    total: int
    """How many lines there are in all."""
    limit: int
    """The size of the page."""
    offset: int
    """How many lines are before the page."""


class RevenueLinesItem(Model):
    kind: SkipValidation[FeeKind]
    """A fee of escrows, or the tax of withdrawals."""
    currency: SkipValidation[Currency]
    basis_points: int | None
    """The rate. Null where a split plan set the fee."""
    count: int
    """How often it was taken."""
    base: str
    """The amount of which it was taken. Integer cents."""
    amount: str
    """What was taken. Integer cents."""


class RevenueTotalsItem(Model):
    kind: SkipValidation[FeeKind]
    """A fee of escrows, or the tax of withdrawals."""
    currency: SkipValidation[Currency]
    amount: str
    """Integer cents."""


class Revenue(Model):
    from_: datetime.datetime = Field(alias="from")
    """The first instant."""
    to: datetime.datetime
    """The first instant after the period."""
    lines: list[RevenueLinesItem]
    """By kind, currency and rate."""
    totals: list[RevenueTotalsItem]
    """The sums by kind and currency."""


class Statement(Model):
    account: Account
    start_date: datetime.datetime = Field(alias="startDate")
    """The first instant that is included."""
    end_date: datetime.datetime = Field(alias="endDate")
    """The last instant that is included."""
    opening_balance: str = Field(alias="openingBalance")
    """The balance at the start. Integer cents."""
    closing_balance: str = Field(alias="closingBalance")
    """The balance at the end. Integer cents."""
    opening_held: str = Field(alias="openingHeld")
    """The part of the opening balance on hold. Integer cents."""
    closing_held: str = Field(alias="closingHeld")
    """The part of the closing balance on hold. Integer cents."""
    total_credits: str = Field(alias="totalCredits")
    """Integer cents."""
    total_debits: str = Field(alias="totalDebits")
    """Integer cents."""
    entries: list[StatementEntry]
    """The lines, oldest first."""


class StatementEntry(Model):
    id: str
    """The line."""
    transaction_id: str = Field(alias="transactionId")
    """A withdrawal's own id for its payment."""
    type: SkipValidation[TransactionType]
    """What the transaction does."""
    direction: SkipValidation[Literal["DEBIT", "CREDIT"]]
    """DEBIT takes from the account, CREDIT adds to it."""
    amount: str
    """Integer cents."""
    balance_after: str
    """Integer cents."""
    reference: str | None
    """The reference of the payment."""
    description: str
    """The line in words."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    withdrawal_id: str | None = Field(alias="withdrawalId")
    """The withdrawal that was paid or returned."""
    end_to_end_id: str | None
    """The withdrawal's reference at the bank: EndToEndId in pain.001 and in camt.053."""
    counterparty: Annotated[Union[Counterparty, Any | None], Field(union_mode="left_to_right")]
    gross: str | None
    """The amount of the whole transaction before fee and tax. The recipient gets gross less fee and tax. Integer cents."""
    fee: str | None
    """The company's and the platform's fee on the whole transaction. Integer cents."""
    tax: str | None
    """The transfer tax on the whole transaction. Integer cents."""
    created_at: datetime.datetime
    """When it was made."""


class TransactionPage(Model):
    data: list[TransactionWithEntries]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """The number of rows before this page."""


class TransactionWithEntriesEntriesItem(Model):
    account_id: str = Field(alias="accountId")
    """The account."""
    direction: SkipValidation[Literal["DEBIT", "CREDIT"]]
    """DEBIT takes from the account, CREDIT adds to it."""
    amount: str
    """Integer cents."""
    balance_after: str
    """Integer cents."""


class TransactionWithEntries(Model):
    id: str
    """Its id."""
    type: SkipValidation[TransactionType]
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    status: SkipValidation[TransactionStatus]
    reference: str | None
    """The reference that it was made with."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    metadata: dict[str, Any]
    """Data that the service added."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    entries: list[TransactionWithEntriesEntriesItem]
    """The entries."""


class AccountChange(Model):
    is_frozen: bool
    """Whether outgoing money is refused."""
    reason: str
    """Why, in words."""
    known_freeze_at: datetime.datetime | None = Field(default=None)
    """The time of `last_freeze` as you know it; null: none. If the account was frozen or unfrozen since, the answer is 409 `wrong_state`."""


class BankDetailsSetPending(Model):
    """The next details, which are not in effect yet; null if there are none."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """The number of the account: all but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""
    effective_at: datetime.datetime
    """When they take effect."""
    changed_at: datetime.datetime
    """When they were set."""
    changed_by: str
    """The administrator or API key that set them."""


class BankDetailsSetPayoutDetails(Model):
    """The destination of a withdrawal without bank fields now; null: there is none."""

    source: SkipValidation[Literal["LEDGER", "USER"]]
    """The ledger's details, or the user's bank account."""
    bank_name: str
    """The name of the bank."""
    account_number: str
    """The number of the account: all but the last four characters hidden."""


class BankDetailsSet(Model):
    """The bank details as they were set."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """The number of the account at the bank."""
    account_name: str
    """The holder of the account at the bank."""
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    sent_to_bank: SentToBankNames
    updated_at: datetime.datetime | None
    """When the latest details were set; null: never."""
    effective_at: datetime.datetime | None
    """When the latest details take effect, or took it; null where none are set."""
    pending: BankDetailsSetPending | None
    """The next details, which are not in effect yet; null if there are none."""
    waiting_payments: int
    """How many payments from the ledger wait, because they go to an account that was never paid before."""
    may_approve: bool
    """Whether the caller may end the wait of the details or of a payment."""
    payout_details: BankDetailsSetPayoutDetails | None
    """The destination of a withdrawal without bank fields now; null: there is none."""


class SentToBankNames(Model):
    """The names in payment files, in the characters that the bank takes."""

    bank_name: str
    """The name of the bank."""
    account_name: str
    """The holder of the account at the bank."""


class BankDetails(Model):
    """The bank account to which withdrawals go."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """The number of the account at the bank."""
    account_name: str
    """The holder of the account at the bank."""


class BankDetailsReadPending(Model):
    """The next details, which are not in effect yet; null if there are none."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """The number of the account: all but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""
    effective_at: datetime.datetime
    """When they take effect."""
    changed_at: datetime.datetime
    """When they were set."""
    changed_by: str
    """The administrator or API key that set them."""


class BankDetailsReadPayoutDetails(Model):
    """The destination of a withdrawal without bank fields now; null: there is none."""

    source: SkipValidation[Literal["LEDGER", "USER"]]
    """The ledger's details, or the user's bank account."""
    bank_name: str
    """The name of the bank."""
    account_number: str
    """The number of the account: all but the last four characters hidden."""


class BankDetailsRead(Model):
    """The bank details in effect, and the next."""

    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    bank_name: str | None
    """The name of the bank."""
    branch_code: str | None
    """The code of the branch."""
    account_number: str | None
    """The number of the account: all but the last four characters hidden."""
    account_name: str | None
    """The holder of the account at the bank."""
    updated_at: datetime.datetime | None
    """When the latest details were set; null: never."""
    effective_at: datetime.datetime | None
    """When the latest details take effect, or took it; null where none are set."""
    pending: BankDetailsReadPending | None
    """The next details, which are not in effect yet; null if there are none."""
    waiting_payments: int
    """How many payments from the ledger wait, because they go to an account that was never paid before."""
    may_approve: bool
    """Whether the caller may end the wait of the details or of a payment."""
    payout_details: BankDetailsReadPayoutDetails | None
    """The destination of a withdrawal without bank fields now; null: there is none."""


class BankDetailsChange(Model):
    """A change of the bank details."""

    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """The number of the account: all but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""
    changed_at: datetime.datetime
    """When they were set."""
    changed_by: str
    """The administrator or API key that set them, or the user on an order page."""
    effective_at: datetime.datetime | None
    """When they took or take effect; null: others replaced them before."""
    approved_by: str | None
    """The administrator who ended the wait; null: nobody did."""


class EscrowInitiated(Model):
    id: str
    """Its id."""
    status: SkipValidation[EscrowStatus]
    total_amount: str = Field(alias="totalAmount")
    """Integer cents."""
    currency: SkipValidation[Currency]
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    items: list[Item]
    """The items with their ids, in the order of the request."""
    milestones: list[MilestoneOrdered]
    """The milestones with their ids, in the order of the request."""
    order_pages: Annotated[Union[OrderPages, Any | None], Field(union_mode="left_to_right")] = Field(alias="orderPages")
    """Null unless asked for."""


class MilestoneOrdered(Model):
    """A milestone as it was ordered."""

    id: str
    """Its id."""
    title: str | None
    """The title."""
    description: str | None
    """What it is, in words."""
    percentage: float
    """Its part of the whole."""


class NewEscrow(Model):
    buyer_id: str = Field(alias="buyerId")
    """The user who pays."""
    seller_id: str = Field(alias="sellerId")
    """The user who is paid; another person than the buyer."""
    buyer_account_id: str = Field(alias="buyerAccountId")
    """The buyer's account that pays: one of the accounts of their ledger. Its balance must cover the held amount."""
    seller_account_id: str | None = Field(default=None, alias="sellerAccountId")
    """The seller's account in the same currency. By default their USER account."""
    items: list[OrderItem]
    """What is sold. Their sum is the amount of the escrow."""
    external_reference: str = Field(alias="externalReference")
    """Your own reference of the order, unique among the company's escrows that are not CANCELLED."""
    external_invoice_number: str | None = Field(default=None, alias="externalInvoiceNumber")
    """The number of your invoice, for display only."""
    split_plan: Annotated[Union[SplitPlanRequest, Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="splitPlan")
    fee_payer: Annotated[Union[SkipValidation[Party], Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="feePayer")
    """Who pays the fees. SELLER unless given."""
    milestones: list[NewMilestone] | None = Field(default=None)
    """Parts that are released one by one. Without them the escrow is released as a whole."""
    auto_release_hours: int | None = Field(default=None, alias="autoReleaseHours")
    """Hours after which a covered order is released by itself. By default the company's `auto_release_hours`; not allowed with milestones."""
    order_pages: bool | None = Field(default=None, alias="orderPages")
    """Whether to make the order pages of buyer and seller. False unless given."""


class EscrowQuoteMilestonesItem(Model):
    percentage: float
    """The milestone's part of the whole, with at most two decimals. All together are 100."""
    amount: str
    """Integer cents."""
    seller_payout: str = Field(alias="sellerPayout")
    """Integer cents."""
    system_fee: str = Field(alias="systemFee")
    """Integer cents."""
    service_fee: str = Field(alias="serviceFee")
    """Integer cents."""


class EscrowQuote(Model):
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    fee_payer: SkipValidation[Party] = Field(alias="feePayer")
    """Who pays the fees."""
    held_amount: str = Field(alias="heldAmount")
    """The amount held from the buyer. Integer cents."""
    seller_payout: str = Field(alias="sellerPayout")
    """Integer cents."""
    system_fee: str = Field(alias="systemFee")
    """Integer cents."""
    service_fee: str = Field(alias="serviceFee")
    """Integer cents."""
    milestones: list[EscrowQuoteMilestonesItem]
    """The milestones, each with its amount and shares."""


class EscrowQuoteRequestMilestonesItem(Model):
    percentage: float
    """The milestone's part of the whole, with at most two decimals. All together are 100."""


class EscrowQuoteRequest(Model):
    amount: int
    """The sum of the items: quantity times pricePerUnit. Cents."""
    currency: SkipValidation[Currency]
    fee_payer: Annotated[Union[SkipValidation[Party], Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="feePayer")
    """Who pays the fees. SELLER unless given."""
    split_plan: Annotated[Union[SplitPlanRequest, Any | None], Field(union_mode="left_to_right")] | None = Field(default=None, alias="splitPlan")
    milestones: list[EscrowQuoteRequestMilestonesItem] | None = Field(default=None)
    """Parts that are released one by one."""


class DisputeAssignedTo(Model):
    """Who works on it. Null: nobody."""

    admin_id: str = Field(alias="adminId")
    """The administrator."""
    name: str | None
    """Null for an administrator of the platform."""
    assigned_at: datetime.datetime = Field(alias="assignedAt")
    """Since when."""


class Dispute(Model):
    dispute_id: str = Field(alias="disputeId")
    """The dispute."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference."""
    opened_by: SkipValidation[Party] = Field(alias="openedBy")
    opened_at: datetime.datetime = Field(alias="openedAt")
    """When the dispute was opened."""
    reason: str | None
    """Why, as its opener wrote."""
    currency: SkipValidation[Currency]
    held_amount: str = Field(alias="heldAmount")
    """Integer cents."""
    buyer_name: str | None = Field(alias="buyerName")
    """The name of the buyer."""
    seller_name: str | None = Field(alias="sellerName")
    """The name of the seller."""
    assigned_to: DisputeAssignedTo | None = Field(alias="assignedTo")
    """Who works on it. Null: nobody."""


class DisputeDetailsAssignedTo(Model):
    """Who works on it. Null: nobody."""

    admin_id: str = Field(alias="adminId")
    """The administrator."""
    name: str | None
    """Null for an administrator of the platform."""
    assigned_at: datetime.datetime = Field(alias="assignedAt")
    """Since when."""


class DisputeDetails(Model):
    dispute_id: str = Field(alias="disputeId")
    """The dispute."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    external_reference: str | None = Field(alias="externalReference")
    """Your own reference."""
    opened_by: SkipValidation[Party] = Field(alias="openedBy")
    opened_at: datetime.datetime = Field(alias="openedAt")
    """When the dispute was opened."""
    reason: str | None
    """Why, as its opener wrote."""
    currency: SkipValidation[Currency]
    held_amount: str = Field(alias="heldAmount")
    """Integer cents."""
    buyer_name: str | None = Field(alias="buyerName")
    """The name of the buyer."""
    seller_name: str | None = Field(alias="sellerName")
    """The name of the seller."""
    assigned_to: DisputeDetailsAssignedTo | None = Field(alias="assignedTo")
    """Who works on it. Null: nobody."""
    notes: list[DisputeNote]
    """Words for the timeline."""


class DisputeNote(Model):
    text: str
    """The note."""
    admin_id: str | None = Field(alias="adminId")
    """Null: written with an API key."""
    author_name: str | None = Field(alias="authorName")
    """Who wrote it. Null: an API key."""
    at: datetime.datetime
    """When it happened."""


class DisputeAssignment(Model):
    admin_id: str | None = Field(alias="adminId")
    """Null: nobody."""
    known_admin_id: str | None = Field(default=None, alias="knownAdminId")
    """Who has the dispute as you know it; null: nobody. If that has changed, the answer is 409 `wrong_state`."""


class NewDisputeNote(Model):
    note: str
    """The text."""


class TimelineInitiatedDetails(Model):
    """What belongs to the event."""

    split_plan: FinalSplit = Field(alias="splitPlan")
    held_amount: str = Field(alias="heldAmount")
    """Integer cents."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineInitiated(Model):
    event: Literal["INITIATED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineInitiatedDetails
    """What belongs to the event."""


class FinalSplit(Model):
    """How a decision divides the held amount."""

    system_fee_cents: str
    """The platform's fee. Integer cents."""
    service_fee_cents: str
    """The company's fee. Integer cents."""
    seller_payout_cents: str
    """The payout to the seller. Integer cents."""
    buyer_refund_cents: str
    """Integer cents."""


class EscrowFile(Model):
    id: str
    """The file: GET /v1/escrow/{id}/files/{fileId}."""
    media_type: str = Field(alias="mediaType")
    """Its type, found by its content."""
    byte_count: int = Field(alias="byteCount")
    """Its size."""
    sha256: str
    """Of the file as it was sent, in hex."""


class TimelineFundedDetails(Model):
    """What belongs to the event."""

    held_amount: str = Field(alias="heldAmount")
    """Integer cents."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineFunded(Model):
    event: Literal["FUNDED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineFundedDetails
    """What belongs to the event."""


class TimelineDeliveryNotedDetailsItemsItem(Model):
    item_id: str = Field(alias="itemId")
    """The item of the escrow."""
    quantity: int
    """How many pieces."""
    price_per_item: int
    """The price of one piece, in cents."""


class TimelineDeliveryNotedDetails(Model):
    """What belongs to the event."""

    items: list[TimelineDeliveryNotedDetailsItemsItem]
    """What was sent or received."""
    is_partial: bool = Field(alias="isPartial")
    """With those before, the notes and receipts do not cover the order."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineDeliveryNoted(Model):
    event: Literal["DELIVERY_NOTED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineDeliveryNotedDetails
    """What belongs to the event."""


class TimelineGoodsReceivedDetailsItemsItem(Model):
    item_id: str = Field(alias="itemId")
    """The item of the escrow."""
    quantity: int
    """How many pieces."""
    price_per_item: int
    """The price of one piece, in cents."""


class TimelineGoodsReceivedDetails(Model):
    """What belongs to the event."""

    items: list[TimelineGoodsReceivedDetailsItemsItem]
    """What was sent or received."""
    is_partial: bool = Field(alias="isPartial")
    """With those before, the notes and receipts do not cover the order."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineGoodsReceived(Model):
    event: Literal["GOODS_RECEIVED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineGoodsReceivedDetails
    """What belongs to the event."""


class TimelineMilestoneReleasedDetails(Model):
    """What belongs to the event."""

    split_plan: FinalSplit = Field(alias="splitPlan")
    transaction_id: str | None = Field(alias="transactionId")
    """Null where nothing was held."""
    admin_id: str | None = Field(default=None, alias="adminId")
    """The administrator."""
    api_key_id: str | None = Field(default=None, alias="apiKeyId")
    """The API key."""
    ordered_by: SkipValidation[Literal["ADMIN", "COMPANY"]] | None = Field(default=None, alias="orderedBy")
    """Who ordered it, if not the actor."""
    milestone_id: str = Field(alias="milestoneId")
    """The milestone."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineMilestoneReleased(Model):
    event: Literal["MILESTONE_RELEASED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineMilestoneReleasedDetails
    """What belongs to the event."""


class TimelineFundsReleasedDetails(Model):
    """What belongs to the event."""

    split_plan: FinalSplit = Field(alias="splitPlan")
    transaction_id: str | None = Field(alias="transactionId")
    """Null where nothing was held."""
    admin_id: str | None = Field(default=None, alias="adminId")
    """The administrator."""
    api_key_id: str | None = Field(default=None, alias="apiKeyId")
    """The API key."""
    ordered_by: SkipValidation[Literal["ADMIN", "COMPANY"]] | None = Field(default=None, alias="orderedBy")
    """Who ordered it, if not the actor."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineFundsReleased(Model):
    event: Literal["FUNDS_RELEASED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineFundsReleasedDetails
    """What belongs to the event."""


class TimelineAutoReleasedDetails(Model):
    """What belongs to the event."""

    split_plan: FinalSplit = Field(alias="splitPlan")
    transaction_id: str | None = Field(alias="transactionId")
    """Null where nothing was held."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineAutoReleased(Model):
    event: Literal["AUTO_RELEASED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineAutoReleasedDetails
    """What belongs to the event."""


class TimelineReleaseBlockedDetails(Model):
    """What belongs to the event."""

    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    retry_at: datetime.datetime = Field(alias="retryAt")
    """When the release is tried again."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineReleaseBlocked(Model):
    event: Literal["RELEASE_BLOCKED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineReleaseBlockedDetails
    """What belongs to the event."""


class TimelineAutoReleaseExtendedDetails(Model):
    """What belongs to the event."""

    auto_release_at: datetime.datetime = Field(alias="autoReleaseAt")
    """When it is released by itself."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineAutoReleaseExtended(Model):
    event: Literal["AUTO_RELEASE_EXTENDED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineAutoReleaseExtendedDetails
    """What belongs to the event."""


class TimelineAutoReleaseStoppedDetails(Model):
    """What belongs to the event."""

    request_id: str = Field(alias="requestId")
    """The request of the buyer."""
    until: datetime.datetime
    """Until when, unless the company answers before."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineAutoReleaseStopped(Model):
    event: Literal["AUTO_RELEASE_STOPPED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineAutoReleaseStoppedDetails
    """What belongs to the event."""


class TimelineAutoReleaseResumedDetails(Model):
    """What belongs to the event."""

    request_id: str = Field(alias="requestId")
    """The request of the buyer."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineAutoReleaseResumed(Model):
    event: Literal["AUTO_RELEASE_RESUMED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineAutoReleaseResumedDetails
    """What belongs to the event."""


class TimelineNegotiationProposedDetailsNegotiation(Model):
    """The proposal."""

    negotiation_id: str = Field(alias="negotiationId")
    """The proposal."""
    milestone_id: str | None = Field(alias="milestoneId")
    """Null: the escrow as a whole."""
    proposed_by: SkipValidation[Party] = Field(alias="proposedBy")
    split_plan: SplitPlan = Field(alias="splitPlan")
    status: SkipValidation[Literal["PENDING", "ACCEPTED", "REJECTED", "LAPSED"]]
    """Its state."""
    expires_at: datetime.datetime = Field(alias="expiresAt")
    """When it expires."""


class TimelineNegotiationProposedDetails(Model):
    """What belongs to the event."""

    negotiation: TimelineNegotiationProposedDetailsNegotiation
    """The proposal."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineNegotiationProposed(Model):
    event: Literal["NEGOTIATION_PROPOSED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineNegotiationProposedDetails
    """What belongs to the event."""


class TimelineNegotiationAcceptedDetailsSettlement(Model):
    """What was paid at once, where the proposal ended a dispute."""

    split_plan: FinalSplit = Field(alias="splitPlan")
    transaction_id: str | None = Field(alias="transactionId")
    """Null where nothing was held."""


class TimelineNegotiationAcceptedDetails(Model):
    """What belongs to the event."""

    negotiation_id: str = Field(alias="negotiationId")
    """The proposal."""
    settlement: TimelineNegotiationAcceptedDetailsSettlement | None = Field(default=None)
    """What was paid at once, where the proposal ended a dispute."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineNegotiationAccepted(Model):
    event: Literal["NEGOTIATION_ACCEPTED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineNegotiationAcceptedDetails
    """What belongs to the event."""


class TimelineNegotiationRejectedDetails(Model):
    """What belongs to the event."""

    negotiation_id: str = Field(alias="negotiationId")
    """The proposal."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineNegotiationRejected(Model):
    event: Literal["NEGOTIATION_REJECTED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineNegotiationRejectedDetails
    """What belongs to the event."""


class TimelineNegotiationLapsedDetails(Model):
    """What belongs to the event."""

    negotiation_id: str = Field(alias="negotiationId")
    """The proposal."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineNegotiationLapsed(Model):
    event: Literal["NEGOTIATION_LAPSED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineNegotiationLapsedDetails
    """What belongs to the event."""


class TimelineDisputedDetails(Model):
    """What belongs to the event."""

    dispute_id: str = Field(alias="disputeId")
    """The dispute."""
    opened_by: SkipValidation[Party] = Field(alias="openedBy")
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineDisputed(Model):
    event: Literal["DISPUTED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineDisputedDetails
    """What belongs to the event."""


class TimelineEvidenceAddedDetails(Model):
    """What belongs to the event."""

    admin_id: str | None = Field(default=None, alias="adminId")
    """The administrator."""
    api_key_id: str | None = Field(default=None, alias="apiKeyId")
    """The API key."""
    ordered_by: SkipValidation[Literal["ADMIN", "COMPANY"]] | None = Field(default=None, alias="orderedBy")
    """Who ordered it, if not the actor."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineEvidenceAdded(Model):
    event: Literal["EVIDENCE_ADDED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineEvidenceAddedDetails
    """What belongs to the event."""


class TimelineResolvedDetails(Model):
    """What belongs to the event."""

    split_plan: FinalSplit = Field(alias="splitPlan")
    transaction_id: str | None = Field(alias="transactionId")
    """Null where nothing was held."""
    admin_id: str | None = Field(default=None, alias="adminId")
    """The administrator."""
    api_key_id: str | None = Field(default=None, alias="apiKeyId")
    """The API key."""
    ordered_by: SkipValidation[Literal["ADMIN", "COMPANY"]] | None = Field(default=None, alias="orderedBy")
    """Who ordered it, if not the actor."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineResolved(Model):
    event: Literal["RESOLVED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineResolvedDetails
    """What belongs to the event."""


class TimelineCancelledDetails(Model):
    """What belongs to the event."""

    admin_id: str | None = Field(default=None, alias="adminId")
    """The administrator."""
    api_key_id: str | None = Field(default=None, alias="apiKeyId")
    """The API key."""
    ordered_by: SkipValidation[Literal["ADMIN", "COMPANY"]] | None = Field(default=None, alias="orderedBy")
    """Who ordered it, if not the actor."""
    refund_amount: str = Field(alias="refundAmount")
    """Integer cents."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineCancelled(Model):
    event: Literal["CANCELLED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineCancelledDetails
    """What belongs to the event."""


class TimelineChargedBackDetails(Model):
    """What belongs to the event."""

    change: SkipValidation[Literal["charged_back", "refunded"]]
    """By the bank of the payer, or at the gateway."""
    amount: str
    """Integer cents."""
    transaction_id: str = Field(alias="transactionId")
    """The transaction."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineChargedBack(Model):
    event: Literal["CHARGED_BACK"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineChargedBackDetails
    """What belongs to the event."""


class TimelineChargebackReversedDetails(Model):
    """What belongs to the event."""

    amount: str
    """Integer cents."""
    transaction_id: str = Field(alias="transactionId")
    """The transaction."""
    notes: str | None = Field(default=None)
    """What the actor wrote."""
    reason: str | None = Field(default=None)
    """What the actor gave as the reason."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document, or of a tracking page, that the actor named."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""


class TimelineChargebackReversed(Model):
    event: Literal["CHARGEBACK_REVERSED"]
    """What happened."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    source: SkipValidation[Source]
    details: TimelineChargebackReversedDetails
    """What belongs to the event."""


class TimelineOther(Model):
    """An event of a later version: more are added in time."""

    event: str
    """The kind of event."""
    actor: SkipValidation[Actor]
    at: datetime.datetime
    """When it happened."""
    details: dict[str, Any]
    """What belongs to the event."""


class EscrowProgress(Model):
    workflow_id: str = Field(alias="workflowId")
    """The id in Temporal"""
    running: bool
    """False if the escrow is final or its run was lost"""
    run_id: str | None = Field(alias="runId")
    """The latest run; null if there was none"""
    waiting_for: list[str] = Field(alias="waitingFor")
    """The commands that the run accepts now; `fund` comes from the payment link"""
    next_deadline: datetime.datetime | None = Field(alias="nextDeadline")
    """The time of the next automatic event: a release, or the end of a proposal"""
    history_length: int = Field(alias="historyLength")
    """The number of events in the run's history"""


class OrderRequest(Model):
    """What a party asked for on an order page."""

    id: str
    """The request."""
    escrow_id: str = Field(alias="escrowId")
    """The escrow."""
    act: SkipValidation[OrderAct]
    """What the party asked for."""
    actor: SkipValidation[Party]
    details: OrderRequestDetails
    status: SkipValidation[OrderRequestStatus]
    """Its state."""
    reason: str | None
    """Why it was refused."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    lapses_at: datetime.datetime = Field(alias="lapsesAt")
    """When it lapses, unless it is answered before."""


class OrderRequestDetailsItemsItem(Model):
    item_id: str = Field(alias="itemId")
    """The item of the escrow."""
    quantity: int
    """How many pieces."""


class OrderRequestDetails(Model):
    """What the party entered."""

    items: list[OrderRequestDetailsItemsItem] | None = Field(default=None)
    """What was sent or received."""
    notes: str | None = Field(default=None)
    """What the party wrote."""
    reason: str | None = Field(default=None)
    """What the party gave as the reason."""
    hours: int | None = Field(default=None)
    """By how much the release shall be postponed."""
    proposed_seller_payout_cents: str | None = Field(default=None, alias="proposedSellerPayoutCents")
    """What the seller shall get. Integer cents."""
    negotiation_id: str | None = Field(default=None, alias="negotiationId")
    """The proposal that is answered."""
    accept: bool | None = Field(default=None)
    """Whether the proposal is accepted."""
    milestone_id: str | None = Field(default=None, alias="milestoneId")
    """The milestone that shall be paid. Absent: all that is held."""
    carrier: str | None = Field(default=None)
    """Who carries the order."""
    tracking_number: str | None = Field(default=None, alias="trackingNumber")
    """Its number at the carrier."""
    tracking_url: str | None = Field(default=None, alias="trackingUrl")
    """The address of the tracking page."""
    files: list[EscrowFile] | None = Field(default=None)
    """What the party sent with it on the order page."""
    amount: str | None = Field(default=None)
    """What shall be paid out. Integer cents."""
    bank_name: str | None = Field(default=None)
    """The name of the bank."""
    branch_code: str | None = Field(default=None)
    """The code of the branch."""
    account_number: str | None = Field(default=None)
    """All but the last four characters hidden."""
    account_name: str | None = Field(default=None)
    """The holder of the account at the bank."""


class OrderRequestRefusal(Model):
    reason: str | None = Field(default=None)
    """For the party, who reads it on the page."""


class EscrowMoved(Model):
    status: SkipValidation[EscrowStatus]
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""


class CountedItems(Model):
    items: list[CountedItem]
    """The items, each once."""
    notes: str | None = Field(default=None)
    """Words for the timeline."""


class CountedItem(Model):
    item_id: str = Field(alias="itemId")
    """The item of the escrow."""
    quantity: int
    """How many pieces were sent or received."""
    price_per_item: int
    """The price of one piece, in cents."""


class EscrowReleased(Model):
    status: SkipValidation[EscrowStatus]
    seller_payout: str = Field(alias="sellerPayout")
    """Integer cents."""
    system_fee: str = Field(alias="systemFee")
    """Integer cents."""
    service_fee: str = Field(alias="serviceFee")
    """Integer cents."""
    transaction_id: str | None = Field(alias="transactionId")
    """The transaction."""


class Extension(Model):
    actor: Literal["BUYER"]
    """The buyer, who may ask for more time."""
    hours: int
    """By how many hours the automatic release moves."""


class EscrowCancelled(Model):
    status: SkipValidation[EscrowStatus]
    refund_transaction_id: str | None = Field(alias="refundTransactionId")
    """The refund. Null where nothing was held."""


class CancelRequest(Model):
    actor: SkipValidation[Literal["BUYER", "SELLER", "ADMIN"]]
    """Who cancels. ADMIN needs a role that administers the company."""
    reason: str
    """Why, in words."""


class Negotiated(Model):
    negotiation_id: str = Field(alias="negotiationId")
    """The proposal."""
    status: SkipValidation[Literal["PENDING", "ACCEPTED", "REJECTED"]]
    """Its state."""


class Proposal(Model):
    new_split_plan: SplitPlanRequest = Field(alias="newSplitPlan")
    actor: SkipValidation[Party]
    """The side that proposes."""
    notes: str | None = Field(default=None)
    """Words for the timeline."""


class Adjustment(Model):
    actor: SkipValidation[Party]
    """The side that proposes."""
    proposed_seller_payout_cents: int = Field(alias="proposedSellerPayoutCents")
    """Cents."""
    reason: str | None = Field(default=None)
    """Why, in words."""


class ProposalAnswer(Model):
    actor: SkipValidation[Party]
    """The side that answers: not the one that proposed."""


class EscrowDisputed(Model):
    status: SkipValidation[EscrowStatus]
    dispute_id: str = Field(alias="disputeId")
    """The dispute."""


class DisputeRequest(Model):
    actor: SkipValidation[Party]
    """The side that opens the dispute."""
    reason: str
    """Why, in words."""


class Evidence(Model):
    actor: SkipValidation[Literal["BUYER", "SELLER", "ADMIN"]]
    """Whose evidence it is."""
    note: str
    """What the evidence shows."""
    document_url: str | None = Field(default=None, alias="documentUrl")
    """The address of a document that the parties may open."""


class EscrowResolved(Model):
    status: SkipValidation[EscrowStatus]
    final_split: FinalSplit = Field(alias="finalSplit")


class Resolution(Model):
    new_split_plan: SplitPlanRequest = Field(alias="newSplitPlan")
    admin_id: str = Field(alias="adminId")
    """Who decides. With a session your own id, which the login answers as `userId`; with an API key an administrator of the key's company."""
    reason: str | None = Field(default=None)
    """For both parties; the timeline keeps it."""


class WithdrawalRequested(Model):
    id: str
    """The withdrawal's transaction."""
    status: SkipValidation[WithdrawalStatus]
    amount: str
    """Integer cents."""
    tax_amount: str = Field(alias="taxAmount")
    """Transfer tax, taken on top of the amount. Integer cents."""
    reference: str
    """Your reference."""
    created_at: datetime.datetime
    """When it was made."""
    not_before: datetime.datetime | None
    """The bank gets the payment no earlier, because the destination is new. Null: at once."""
    sent_to_bank: SentToBank


class SentToBank(Model):
    """The texts of the payment file, in the characters that the bank takes."""

    bank_name: str
    """The name of the bank."""
    account_name: str
    """The holder of the account at the bank."""
    reference: str
    """Your reference."""


class WithdrawalRequest(Model):
    """Without any of the four bank fields, the money goes to the default bank details of the account's ledger, else to the user's bank account."""

    account_id: str = Field(alias="accountId")
    """The account that pays."""
    amount: int
    """What the bank pays out, in cents. Transfer tax is taken on top."""
    external_reference: str = Field(alias="externalReference")
    """Your reference, unique among the company's withdrawals."""
    bank_name: str | None = Field(default=None)
    """The name of the bank."""
    branch_code: str | None = Field(default=None)
    """The code of the branch."""
    account_number: str | None = Field(default=None)
    """The number of the account at the bank."""
    account_name: str | None = Field(default=None)
    """The holder of the account at the bank."""


class Withdrawal(Model):
    id: str
    """The withdrawal's transaction."""
    status: SkipValidation[WithdrawalStatus]
    amount: str
    """Integer cents."""
    tax_amount: str = Field(alias="taxAmount")
    """Transfer tax, taken on top of the amount. Integer cents."""
    reference: str
    """Your reference."""
    created_at: datetime.datetime
    """When it was made."""
    not_before: datetime.datetime | None
    """The bank gets the payment no earlier, because the destination is new. Null: at once."""
    sent_to_bank: SentToBank
    currency: SkipValidation[Currency]
    account_id: str = Field(alias="accountId")
    """The account that pays."""
    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """All but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""
    failure_reason: str | None
    """The bank's reason code, if it rejected or returned the payment."""
    failure_description: str | None
    """The reason as a sentence."""
    review_reason: Annotated[Union[SkipValidation[PayoutConcern], Any | None], Field(union_mode="left_to_right")]
    """Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to."""
    is_handed_over: bool
    """Whether the bank may have the payment. It can no longer be cancelled."""
    end_to_end_id: str
    """The payment's reference at the bank: EndToEndId in pain.001 and in camt.053."""
    updated_at: datetime.datetime
    """When it was last changed."""
    version: int
    """Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`."""


class WithdrawalWithTimelineTimelineItem(Model):
    event: str
    """What happened."""
    actor: str
    """Who acts."""
    at: datetime.datetime
    """When it happened."""
    reason: str | None
    """Why, as its sender wrote; null if nothing was written."""
    source: SkipValidation[Source]


class WithdrawalWithTimeline(Model):
    id: str
    """The withdrawal's transaction."""
    status: SkipValidation[WithdrawalStatus]
    amount: str
    """Integer cents."""
    tax_amount: str = Field(alias="taxAmount")
    """Transfer tax, taken on top of the amount. Integer cents."""
    reference: str
    """Your reference."""
    created_at: datetime.datetime
    """When it was made."""
    not_before: datetime.datetime | None
    """The bank gets the payment no earlier, because the destination is new. Null: at once."""
    sent_to_bank: SentToBank
    currency: SkipValidation[Currency]
    account_id: str = Field(alias="accountId")
    """The account that pays."""
    bank_name: str
    """The name of the bank."""
    branch_code: str
    """The code of the branch."""
    account_number: str
    """All but the last four characters hidden."""
    account_name: str
    """The holder of the account at the bank."""
    failure_reason: str | None
    """The bank's reason code, if it rejected or returned the payment."""
    failure_description: str | None
    """The reason as a sentence."""
    review_reason: Annotated[Union[SkipValidation[PayoutConcern], Any | None], Field(union_mode="left_to_right")]
    """Why a person has to look at the payment. `account_frozen` and `user_blacklisted`: it was not handed to the bank; resume or cancel it. Null: nobody has to."""
    is_handed_over: bool
    """Whether the bank may have the payment. It can no longer be cancelled."""
    end_to_end_id: str
    """The payment's reference at the bank: EndToEndId in pain.001 and in camt.053."""
    updated_at: datetime.datetime
    """When it was last changed."""
    version: int
    """Grows with every event of the withdrawal. As `"3"` it is the `ETag`, and the value of `If-Match`."""
    is_held_by_platform: bool
    """Whether the payment was held back and the platform froze its account: the platform alone resumes it."""
    timeline: list[WithdrawalWithTimelineTimelineItem]
    """What happened to it, oldest first."""


class WithdrawalQuote(Model):
    amount: str
    """Integer cents."""
    tax_amount: str = Field(alias="taxAmount")
    """Transfer tax, taken on top of the amount. Integer cents."""
    total_amount: str = Field(alias="totalAmount")
    """What the withdrawal takes from the account. Integer cents."""
    available_balance: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    not_before: datetime.datetime | None
    """The bank would get the payment no earlier, because the destination is new. Null: at once."""
    sent_to_bank: Annotated[Union[SentToBankNames, Any | None], Field(union_mode="left_to_right")]
    """The names in the payment file, in the characters that the bank takes. Null if the payment has no destination."""


class WithdrawalQuoteRequest(Model):
    account_id: str = Field(alias="accountId")
    """The account."""
    amount: int
    """Cents."""
    bank_name: str | None = Field(default=None)
    """The name of the bank."""
    branch_code: str | None = Field(default=None)
    """The code of the branch."""
    account_number: str | None = Field(default=None)
    """The number of the account at the bank."""
    account_name: str | None = Field(default=None)
    """The holder of the account at the bank."""


class WithdrawalCancellation(Model):
    """Cancels a withdrawal."""

    reason: str | None = Field(default=None)
    """Why, for the timeline."""


class PayoutOutcome(Model):
    outcome: SkipValidation[Literal["PAID", "NOT_PAID"]]
    """NOT_PAID: rejected, or paid and returned."""
    admin_id: str = Field(alias="adminId")
    """The administrator of the platform who read the statement."""
    reason: str | None = Field(default=None)
    """Why, as a reason code of ISO 20022, such as AC04."""
    said_at: datetime.datetime | None = Field(default=None, alias="saidAt")
    """When the bank decided; now by default. Later reports of an earlier time are ignored."""


class CaptureMatchedTo(Model):
    """Where the money went."""

    kind: SkipValidation[CaptureMatch]
    id: str
    """The deposit, the user or the suspense account."""


class Capture(Model):
    id: str
    """The receipt."""
    type: Literal["BANK_CAPTURE"]
    """Its type."""
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    reference: str
    """The reference of the payment."""
    status: SkipValidation[TransactionStatus]
    matched_to: CaptureMatchedTo = Field(alias="matchedTo")
    """Where the money went."""
    possible_duplicate_of: str | None = Field(alias="possibleDuplicateOf")
    """A settled deposit that may report the same money. Check it before you assign the receipt."""
    created_at: datetime.datetime
    """When it was made."""


class CaptureRequest(Model):
    amount: int
    """Cents."""
    currency: SkipValidation[Currency]
    reference: str
    """The bank's reference. Several receipts may have the same one."""


class CaptureAssignment(Model):
    user_id: str = Field(alias="userId")
    """The user."""


class AddedBankStatements(Model):
    id: str
    """The id of the statement."""
    account: str
    """The IBAN, or the bank's other number of the account."""
    currency: SkipValidation[Currency]
    """The currency of the account."""
    number: str
    """The bank's id of the statement."""
    from_: str = Field(alias="from")
    """The first day."""
    to: str
    """The day of the closing balance."""
    opening_balance: str = Field(alias="openingBalance")
    """Integer cents; negative if the account was overdrawn."""
    closing_balance: str = Field(alias="closingBalance")
    """Integer cents; negative if the account is overdrawn."""
    entries: int
    """Booked entries of the file. Pending ones count when they are booked."""
    matched: int
    """New entries that the books confirm."""
    open: int
    """New entries of which a part waits for a match."""
    duplicates: int
    """Entries that came before, in this file or an earlier one."""
    created_at: datetime.datetime
    """When it was stored."""
    statements: list[BankStatement]
    """All statements of the file, in its order. The fields above are those of the first."""


class BankStatement(Model):
    id: str
    """The id of the statement."""
    account: str
    """The IBAN, or the bank's other number of the account."""
    currency: SkipValidation[Currency]
    """The currency of the account."""
    number: str
    """The bank's id of the statement."""
    from_: str = Field(alias="from")
    """The first day."""
    to: str
    """The day of the closing balance."""
    opening_balance: str = Field(alias="openingBalance")
    """Integer cents; negative if the account was overdrawn."""
    closing_balance: str = Field(alias="closingBalance")
    """Integer cents; negative if the account is overdrawn."""
    entries: int
    """Booked entries of the file. Pending ones count when they are booked."""
    matched: int
    """New entries that the books confirm."""
    open: int
    """New entries of which a part waits for a match."""
    duplicates: int
    """Entries that came before, in this file or an earlier one."""
    created_at: datetime.datetime
    """When it was stored."""


class BankFileForm(Model):
    file: bytes
    """The bank's camt.053 file, at most 32 MiB."""


class BankStatementWithLines(Model):
    id: str
    """The id of the statement."""
    account: str
    """The IBAN, or the bank's other number of the account."""
    currency: SkipValidation[Currency]
    """The currency of the account."""
    number: str
    """The bank's id of the statement."""
    from_: str = Field(alias="from")
    """The first day."""
    to: str
    """The day of the closing balance."""
    opening_balance: str = Field(alias="openingBalance")
    """Integer cents; negative if the account was overdrawn."""
    closing_balance: str = Field(alias="closingBalance")
    """Integer cents; negative if the account is overdrawn."""
    entries: int
    """Booked entries of the file. Pending ones count when they are booked."""
    matched: int
    """New entries that the books confirm."""
    open: int
    """New entries of which a part waits for a match."""
    duplicates: int
    """Entries that came before, in this file or an earlier one."""
    created_at: datetime.datetime
    """When it was stored."""
    lines: list[BankEntry]
    """The entries that this file brought first; of a batch, its payments."""


class BankEntryMatch(Model):
    """Null while it is open."""

    kind: SkipValidation[Literal["CAPTURE", "PAYOUT", "REVERSAL", "INTERCOMPANY", "CARD_SETTLEMENT", "MOBILE_SETTLEMENT", "FEE"]]
    """The kind of booking that the entry was matched with."""
    id: str
    """The capture, the withdrawal, or the transaction that the match posted."""
    at: datetime.datetime
    """When it was matched."""


class BankEntry(Model):
    id: str
    """The id of the entry; of a batch, of one payment."""
    statement_id: str = Field(alias="statementId")
    """The statement that brought it first."""
    account: str
    """The account at the bank."""
    currency: SkipValidation[Currency]
    """The currency of the account."""
    direction: SkipValidation[Literal["CREDIT", "DEBIT"]]
    """As in the file of the bank: a credit increases its balance."""
    amount: str
    """Integer cents, without a sign."""
    date: str
    """The booking date."""
    value_date: str | None = Field(alias="valueDate")
    """The value date."""
    bank_reference: str | None = Field(alias="bankReference")
    """The bank's id of the entry."""
    end_to_end_id: str | None = Field(alias="endToEndId")
    """The payer's id of the payment; of a payout, the withdrawal's."""
    reference: str | None
    """What the payer wrote."""
    is_reversal: bool = Field(alias="isReversal")
    """Whether it takes an earlier entry back."""
    status: SkipValidation[Literal["OPEN", "MATCHED"]]
    """Whether the books have it."""
    match: BankEntryMatch | None
    """Null while it is open."""


class BankMatchRequest(Model):
    kind: SkipValidation[Literal["CAPTURE", "PAYOUT", "CARD_SETTLEMENT", "MOBILE_SETTLEMENT", "FEE"]]
    """CARD_SETTLEMENT and MOBILE_SETTLEMENT move the amount from the clearing account to BANK; a difference stays there. FEE is a cost of the company."""
    id: str | None = Field(default=None)
    """The capture or the withdrawal. Only with CAPTURE and PAYOUT."""


class BankReconciliationAccountsItem(Model):
    account: str | None
    """Null: no statement yet. Several accounts stand in one line."""
    currency: SkipValidation[Currency]
    """The currency of the accounts."""
    bank_balance: str = Field(alias="bankBalance")
    """Integer cents, of the latest statement that ends before the instant."""
    book_balance: str = Field(alias="bookBalance")
    """Integer cents, of BANK with the sign of the bank."""
    difference: str
    """Integer cents, bankBalance less bookBalance: the sum of the open items."""


class BankReconciliationOpenItem(Model):
    side: SkipValidation[Literal["BANK", "BOOKS"]]
    """The side that has the item."""
    kind: str
    """ENTRY, REVERSAL or BALANCE (from before the first statement, or of a missing one) at the bank; CAPTURE, PAYOUT, REVERSAL, INTERCOMPANY, a settlement, FEE or OTHER in the books."""
    id: str
    """The entry or the statement of the bank, or the capture, withdrawal or transaction."""
    direction: SkipValidation[Literal["CREDIT", "DEBIT"]]
    """As in the file of the bank: a credit increases its balance."""
    reference: str | None
    """The reference that people know it by."""
    amount: str
    """Integer cents, without a sign."""
    currency: SkipValidation[Currency]
    """The currency of the amount."""
    date: str
    """When it was booked."""
    age_days: int = Field(alias="ageDays")
    """Full days until the instant."""


class BankReconciliationTotalsItem(Model):
    currency: SkipValidation[Currency]
    """The currency of the items."""
    side: SkipValidation[Literal["BANK", "BOOKS"]]
    """The side that has the items."""
    count: int
    """How many there are."""
    amount: str
    """Integer cents, credits less debits."""


class BankReconciliationClearingItem(Model):
    type: str
    """The clearing account."""
    currency: SkipValidation[Currency]
    """The currency of the account."""
    balance: str
    """Integer cents that are expected; negative if more arrived."""


class BankReconciliation(Model):
    at: datetime.datetime
    """The instant."""
    accounts: list[BankReconciliationAccountsItem]
    """A line for each currency."""
    open: list[BankReconciliationOpenItem]
    """A page of the open items, oldest first."""
    totals: list[BankReconciliationTotalsItem]
    """All open items, whatever the page."""
    total: int
    """The number of all open items."""
    limit: int
    """The most items of this page."""
    offset: int
    """How many items come before this page."""
    clearing: list[BankReconciliationClearingItem]
    """What the gateway, mobile money and declared deposits reported, and the bank does not have yet."""


class ReversalReverses(Model):
    """The deposit that was reversed."""

    id: str
    """Its id."""
    status: SkipValidation[TransactionStatus]


class Reversal(Model):
    id: str
    """Its id."""
    type: SkipValidation[TransactionType]
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    status: SkipValidation[TransactionStatus]
    reference: str | None
    """The reference that it was made with."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    metadata: dict[str, Any]
    """Data that the service added."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    reverses: ReversalReverses
    """The deposit that was reversed."""


class ReversalRequest(Model):
    reason: str
    """Why, in words."""
    is_chargeback: bool | None = Field(default=None, alias="isChargeback")
    """The payer's bank has taken the money back already."""


class Receivable(Model):
    id: str
    """The transaction that booked it."""
    reason: SkipValidation[ReceivableReason]
    """Why it arose."""
    status: SkipValidation[ReceivableStatus]
    account_id: str = Field(alias="accountId")
    """The account that owes it."""
    user_id: str | None = Field(alias="userId")
    """Who owes it. Null: not a user."""
    currency: SkipValidation[Currency]
    amount: str
    """Integer cents."""
    remaining_amount: str
    """Integer cents."""
    collected_amount: str
    """Settled by the account that owed it. Integer cents."""
    written_off_amount: str
    """Settled by the company's own money. Integer cents."""
    deposit_id: str | None = Field(alias="depositId")
    """The deposit that was taken back. Null: none."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    created_at: datetime.datetime
    """When it was made."""


class ReceivableSettlement(Model):
    source: SkipValidation[SettlementSource]
    """BALANCE: the account that owes it pays. WRITE_OFF: the COMPANY account pays."""
    amount: int | None = Field(default=None)
    """Without it: all that is owed, or for BALANCE as much of it as the account has."""
    reason: str
    """Why, in words."""


class ConfigsSeeded(Model):
    message: str
    """What was done, in words."""
    seeded: int
    """How many were added."""
    skipped: int
    """How many were there already."""


class FeeConfigsConfigsItem(Model):
    kind: SkipValidation[FeeKind]
    currency: SkipValidation[Currency]
    basis_points: int
    """The rate, in hundredths of a per cent."""
    effective_from: datetime.datetime
    """Since when it has applied."""


class FeeConfigs(Model):
    system_fee_basis_points: int
    """The platform's fee on the company's escrows."""
    service_fee_basis_points: int
    """The company's own fee."""
    configs: list[FeeConfigsConfigsItem]
    """The rates in force."""


class IntercompanyDebtPage(Model):
    data: list[IntercompanyDebt]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    page: int
    """The number of this page, from 1."""
    limit: int
    """The size of a page."""


class IntercompanyDebt(Model):
    company_id: str = Field(alias="companyId")
    """The company."""
    name: str
    """Its name."""
    currency: SkipValidation[Currency]
    owed_amount: str
    """Integer cents."""
    payable_amount: str
    """What the company may pay out after it has paid its debt; negative if it lacks cash. Integer cents."""


class IntercompanySettlement(Model):
    id: str
    """The transaction in the company's books."""
    receipt_id: str = Field(alias="receiptId")
    """The transaction in the platform's books."""
    company_id: str = Field(alias="companyId")
    """The company."""
    currency: SkipValidation[Currency]
    amount: str
    """Integer cents."""
    remaining_amount: str
    """What the company still owes. Integer cents."""
    reference: str
    """The reference of the payment."""
    created_at: datetime.datetime
    """When it was made."""


class IntercompanySettlementRequest(Model):
    currency: SkipValidation[Currency]
    amount: int | None = Field(default=None)
    """Without it: all that is owed."""
    reference: str
    """Unique among the settlements of the company, so that each happens once."""


class Clock(Model):
    now: datetime.datetime
    """The company's time, which escrows, links, withdrawals, proposals and codes use."""
    real_now: datetime.datetime = Field(alias="realNow")
    """Real time, which ledger, audit log, events, keys and request limits use."""
    hours_ahead: int = Field(alias="hoursAhead")
    """By how many hours the company's time is ahead."""


class AdvancedClock(Model):
    now: datetime.datetime
    """The company's time, which escrows, links, withdrawals, proposals and codes use."""
    real_now: datetime.datetime = Field(alias="realNow")
    """Real time, which ledger, audit log, events, keys and request limits use."""
    hours_ahead: int = Field(alias="hoursAhead")
    """By how many hours the company's time is ahead."""
    woken_runs: int = Field(alias="wokenRuns")
    """The number of workflow runs that were told the new time."""


class ClockAdvance(Model):
    advance_hours: int = Field(alias="advanceHours")
    """How far time moves forward."""


class SandboxMessagesMessagesItem(Model):
    to: str
    """The number."""
    code: str
    """The one-time password."""
    merchant: str
    """The merchant that the message names."""
    amount: str
    """The amount that the message names."""
    sent_at: datetime.datetime = Field(alias="sentAt")
    """When it was sent."""


class SandboxMessages(Model):
    messages: list[SandboxMessagesMessagesItem]
    """The messages."""


class EventObject(Model):
    """What changed."""

    kind: SkipValidation[EventObjectKind]
    id: str
    """Its id."""


class Event(Model):
    id: str
    """The event. Every repetition has the same one."""
    type: SkipValidation[EventType]
    api_version: str = Field(alias="apiVersion")
    """The form of the event. Fields and types are only ever added."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When the change was made."""
    company_id: str = Field(alias="companyId")
    """The company."""
    object: EventObject
    """What changed."""
    data: dict[str, Any]
    """The object after the change, without secrets, national ids, account numbers, phone numbers and the words of payers."""
    request_id: str | None = Field(alias="requestId")
    """The `X-Request-Id` of the request that caused the change. Null where time or the service itself did it."""
    source: SkipValidation[Source]
    position: int
    """Increases from event to event, with gaps. Events of an object are in order."""


class StreamMessage(Model):
    """One message of the stream. A comment may stand between two messages."""

    id: str
    """Its id."""
    event: SkipValidation[EventType]
    data: str
    """The event as JSON, as in `GET /v1/events/{id}`."""


class WebhookWithSecret(Model):
    id: str
    """Its id."""
    url: str
    """Its address."""
    events: list[str]
    """The types of events that are sent, or `*` for all."""
    description: str | None
    """What it is, in words."""
    status: SkipValidation[WebhookStatus]
    disabled_reason: Annotated[Union[SkipValidation[WebhookDisabledReason], Any | None], Field(union_mode="left_to_right")] = Field(alias="disabledReason")
    """REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days."""
    failing_since: datetime.datetime | None = Field(alias="failingSince")
    """The first failure since the last success."""
    created_by: str = Field(alias="createdBy")
    """The administrator or the API key that added the endpoint."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    secret: str
    """Shown only in this response. Verifies signatures by Standard Webhooks."""


class Webhook(Model):
    id: str
    """Its id."""
    url: str
    """Its address."""
    events: list[str]
    """The types of events that are sent, or `*` for all."""
    description: str | None
    """What it is, in words."""
    status: SkipValidation[WebhookStatus]
    disabled_reason: Annotated[Union[SkipValidation[WebhookDisabledReason], Any | None], Field(union_mode="left_to_right")] = Field(alias="disabledReason")
    """REQUESTED: by hand. GONE: the receiver answered 410. FAILING: it failed for three days."""
    failing_since: datetime.datetime | None = Field(alias="failingSince")
    """The first failure since the last success."""
    created_by: str = Field(alias="createdBy")
    """The administrator or the API key that added the endpoint."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class NewWebhook(Model):
    url: str
    """https, on port 443 or 8443, at a public address. On a developer’s machine also http on loopback."""
    events: list[SkipValidation[Literal["*", "escrow.initiated", "escrow.funded", "escrow.delivery_noted", "escrow.goods_received", "escrow.milestone_released", "escrow.released", "escrow.auto_released", "escrow.release_blocked", "escrow.auto_release_extended", "escrow.auto_release_stopped", "escrow.auto_release_resumed", "escrow.negotiation_proposed", "escrow.negotiation_accepted", "escrow.negotiation_rejected", "escrow.negotiation_lapsed", "escrow.disputed", "escrow.evidence_added", "escrow.resolved", "escrow.cancelled", "escrow.charged_back", "escrow.chargeback_reversed", "payment_link.created", "payment_link.checkout_opened", "payment_link.charge_started", "payment_link.payment_declined", "payment_link.checkout_lapsed", "payment_link.payment_mismatched", "payment_link.accepted", "payment_link.late_money", "payment_link.refunded", "payment_link.refund_refused", "payment_link.taken_back", "payment_link.brought_back", "payment_link.rejected", "payment_link.expired", "withdrawal.requested", "withdrawal.submitted", "withdrawal.review_needed", "withdrawal.resumed", "withdrawal.cancelled", "withdrawal.completed", "withdrawal.failed", "withdrawal.returned", "withdrawal.settled_late", "order_request.created", "order_request.approved", "order_request.refused", "order_request.lapsed", "order_message.due", "deposit.received", "deposit.settled", "deposit.failed", "deposit.reversed", "deposit.reinstated", "capture.received", "capture.assigned", "capture.reversed", "user.created", "user.approved", "user.approval_withdrawn", "user.blacklisted", "user.cleared", "user.updated", "user.erased", "user.document_changed", "account.frozen", "account.unfrozen", "bank_details.changed", "company.updated", "api_key.created", "api_key.rolled", "api_key.revoked", "administrator.added", "administrator.removed", "webhook_endpoint.disabled", "webhook_endpoint.enabled"]]]
    """The types of events to send, or `*` for all."""
    description: str | None = Field(default=None)
    """What it is, in words."""


class WebhookChanges(Model):
    url: str | None = Field(default=None)
    """https, on port 443 or 8443, at a public address. On a developer’s machine also http on loopback."""
    events: list[SkipValidation[Literal["*", "escrow.initiated", "escrow.funded", "escrow.delivery_noted", "escrow.goods_received", "escrow.milestone_released", "escrow.released", "escrow.auto_released", "escrow.release_blocked", "escrow.auto_release_extended", "escrow.auto_release_stopped", "escrow.auto_release_resumed", "escrow.negotiation_proposed", "escrow.negotiation_accepted", "escrow.negotiation_rejected", "escrow.negotiation_lapsed", "escrow.disputed", "escrow.evidence_added", "escrow.resolved", "escrow.cancelled", "escrow.charged_back", "escrow.chargeback_reversed", "payment_link.created", "payment_link.checkout_opened", "payment_link.charge_started", "payment_link.payment_declined", "payment_link.checkout_lapsed", "payment_link.payment_mismatched", "payment_link.accepted", "payment_link.late_money", "payment_link.refunded", "payment_link.refund_refused", "payment_link.taken_back", "payment_link.brought_back", "payment_link.rejected", "payment_link.expired", "withdrawal.requested", "withdrawal.submitted", "withdrawal.review_needed", "withdrawal.resumed", "withdrawal.cancelled", "withdrawal.completed", "withdrawal.failed", "withdrawal.returned", "withdrawal.settled_late", "order_request.created", "order_request.approved", "order_request.refused", "order_request.lapsed", "order_message.due", "deposit.received", "deposit.settled", "deposit.failed", "deposit.reversed", "deposit.reinstated", "capture.received", "capture.assigned", "capture.reversed", "user.created", "user.approved", "user.approval_withdrawn", "user.blacklisted", "user.cleared", "user.updated", "user.erased", "user.document_changed", "account.frozen", "account.unfrozen", "bank_details.changed", "company.updated", "api_key.created", "api_key.rolled", "api_key.revoked", "administrator.added", "administrator.removed", "webhook_endpoint.disabled", "webhook_endpoint.enabled"]]] | None = Field(default=None)
    """The types of events that are sent, or `*` for all."""
    description: str | None = Field(default=None)
    """What it is, in words."""
    status: SkipValidation[WebhookStatus] | None = Field(default=None)
    """An endpoint that is enabled continues at once with the events that it missed."""


class RotateSecret(Model):
    grace_seconds: int | None = Field(default=None, alias="graceSeconds")
    """The time for which the old secret also signs."""


class PingAnswer(Model):
    is_delivered: bool = Field(alias="isDelivered")
    """Whether the endpoint answered 2xx."""
    duration_ms: int = Field(alias="durationMs")
    """How long it took, in milliseconds."""
    status: int | None
    """Null: no answer came, and `error` says why."""
    error: str | None
    """Why no answer came."""
    answer: str | None
    """The first 2 KiB of the answer."""


class Replay(Model):
    from_: datetime.datetime = Field(alias="from")
    """The first instant whose events are sent again."""
    to: datetime.datetime | None = Field(default=None)
    """Exclusive. Absent: until now."""


class WebhookDeliveryAttemptsItem(Model):
    at: datetime.datetime
    """When it happened."""
    duration_ms: int = Field(alias="durationMs")
    """How long it took, in milliseconds."""
    status: int | None
    """Null: no answer came, and `error` says why."""
    error: str | None
    """Why no answer came."""
    answer: str | None
    """The first 2 KiB of the answer."""


class WebhookDelivery(Model):
    id: str
    """Its id."""
    event_id: str = Field(alias="eventId")
    """The event."""
    event_type: str = Field(alias="eventType")
    """The type of the event."""
    status: SkipValidation[DeliveryStatus]
    """FAILED: given up. A retry or a replay begins it again."""
    next_attempt_at: datetime.datetime | None = Field(alias="nextAttemptAt")
    """When it is tried next. Null: no more."""
    attempts: list[WebhookDeliveryAttemptsItem]
    """The newest first, at most 20."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""


class Received(Model):
    status: Literal["OK"]
    """Its state."""


class GatewayNotificationPayload(Model):
    """The payment."""

    id: str | None = Field(default=None)
    """The id of the checkout."""


class GatewayNotification(Model):
    """The id of a checkout, plain, nested or encrypted (AES-256-GCM, as hex). It is verified with the gateway."""

    id: str | None = Field(default=None)
    """The id of the checkout."""
    payload: GatewayNotificationPayload | None = Field(default=None)
    """The payment."""
    encrypted_body: str | None = Field(default=None, alias="encryptedBody")
    """All of it, encrypted."""


class MessagingNotification(Model):
    """A notification of the WhatsApp Cloud API."""

    object: str | None = Field(default=None)
    """The kind of account."""
    entry: list[dict[str, Any]] | None = Field(default=None)
    """Incoming messages and reports of delivery."""


class LogOutAnswer(Model):
    success: bool
    """Always true."""


class ForgetPasswordAnswer(Model):
    sent: bool
    """Always true."""


class ResetPasswordAnswer(Model):
    success: bool
    """Always true."""


class BeginSecondFactorAnswer(Model):
    secret: str
    """In base32."""
    otpauth_url: str = Field(alias="otpauthUrl")
    """For a QR code."""


class ConfirmSecondFactorAnswer(Model):
    enabled: bool
    """The second factor is required from now on."""
    recovery_codes: list[str] = Field(alias="recoveryCodes")
    """Shown only in this response."""


class DisableSecondFactorAnswer(Model):
    enabled: bool
    """The second factor is disabled."""


class EndSessionAnswer(Model):
    success: bool
    """Always true."""
    id: str
    """Its id."""


class RegisterCompanyAnswerSettlementReferences(Model):
    """The texts by which the bank's statement names their payments."""

    card: str | None
    """The text that names settlements of the card gateway."""
    mobile: str | None
    """The text that names settlements of mobile money."""


class RegisterCompanyAnswer(Model):
    id: str
    """Its id."""
    name: str
    """The name that buyers see."""
    slug: str
    """The name in addresses."""
    system_fee_basis_points: int
    """The platform's fee, in hundredths of a per cent."""
    service_fee_basis_points: int
    """The company's own fee, in hundredths of a per cent."""
    auto_release_hours: int | None
    """Hours after which a covered order is released by itself. Null: never."""
    default_seller_id: str | None
    """The seller of payment links that name none. Null: the company itself."""
    default_phone_region: str
    """The region of phone numbers without a plus."""
    checkout_hosts: list[str]
    """The hosts that `successUrl` and `cancelUrl` of payment links may name."""
    brand_color: str | None
    """The colour of the checkout's buttons."""
    logo_url: str | None
    """The public address of the logo. It changes with the image."""
    settlement_references: RegisterCompanyAnswerSettlementReferences
    """The texts by which the bank's statement names their payments."""
    settlement_fee_basis_points: int
    """The part of a settlement that may be missing as the gateway's fee."""
    support_email: str | None
    """Shown to buyers who need help."""
    terms_url: str | None
    """The terms that the checkout links to."""
    address: str | None
    """The postal address, in PDF files."""
    tax_number: str | None
    """The number at the tax office, in PDF files."""
    registration_number: str | None
    """The number in the register of companies, in PDF files."""
    time_zone: str
    """An IANA name. Console, checkout and PDFs show times in this zone; the API answers in UTC."""
    order_pages: OrderPageSettings
    require_mfa: bool
    """Whether administrators need a second factor."""
    created_at: datetime.datetime
    """When it was made."""
    admin: Administrator


class AuditEntryPage(Model):
    data: list[AuditEntry]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class WorkPageCountsItem(Model):
    kind: SkipValidation[WorkKind]
    """The kind."""
    count: int
    """How many."""


class WorkPage(Model):
    data: list[Work]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""
    counts: list[WorkPageCountsItem]
    """The number of items of each requested kind. Kinds without items are left out."""


class CompanySummaryPage(Model):
    data: list[CompanySummary]
    """The rows of this page."""
    has_more: bool = Field(alias="hasMore")
    """Whether there is a next page."""


class AddAdministratorAnswer(Model):
    """A person who acts for a company."""

    id: str
    """The administrator."""
    first_name: str = Field(alias="firstName")
    """The first name."""
    last_name: str = Field(alias="lastName")
    """The last name."""
    email: str
    """The e-mail address."""
    role: SkipValidation[Role]
    created_at: datetime.datetime
    """When it was made."""
    temporary_password: str | None = Field(default=None, alias="temporaryPassword")
    """Shown only in this response, where none was sent. It must be changed at the first login."""


class RemoveAdministratorAnswer(Model):
    success: bool
    """Always true."""
    id: str
    """Its id."""
    revoked_api_keys: list[str] = Field(alias="revokedApiKeys")
    """The keys that the administrator had made."""


class ResetSecondFactorAnswer(Model):
    success: bool
    """Always true."""
    id: str
    """Its id."""


class CreateApiKeyAnswer(Model):
    id: str
    """The key, for revoking it."""
    name: str
    """A label, for people."""
    key_prefix: str
    """The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart."""
    is_active: bool
    """Whether the key works."""
    role: SkipValidation[Role]
    """The role of its creator at that time."""
    permissions: list[SkipValidation[Permission]]
    """Everything that the key may do."""
    expires_at: datetime.datetime | None
    """Null: it works until it is revoked."""
    active_until: datetime.datetime | None
    """The end of the grace period of a rolled key: at once without one. Null: it was not rolled."""
    revoked_at: datetime.datetime | None
    """When it was revoked. Null: not."""
    note: str | None
    """Words of yours about the key."""
    last_used_at: datetime.datetime | None
    """To the minute. Null: never used."""
    created_by: str | None
    """The administrator who made the key, or made the key that it was rolled from."""
    created_at: datetime.datetime
    """When it was made."""
    key: str
    """The key. Shown only in this response."""


class RevokeApiKeyAnswer(Model):
    success: bool
    """Always true."""


class CreateDepositAnswer(Model):
    id: str
    """Its id."""
    type: SkipValidation[TransactionType]
    amount: str
    """Integer cents."""
    currency: SkipValidation[Currency]
    status: SkipValidation[TransactionStatus]
    reference: str | None
    """The reference that it was made with."""
    escrow_id: str | None = Field(alias="escrowId")
    """The escrow that it belongs to. Null: none."""
    metadata: dict[str, Any]
    """Data that the service added."""
    created_at: datetime.datetime = Field(alias="createdAt")
    """When it was made."""
    account_id: str = Field(alias="accountId")
    """The account."""


class PaymentLinkSummaryPage(Model):
    data: list[PaymentLinkSummary]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class RejectPaymentAnswer(Model):
    status: Literal["REJECTED"]
    """Its state."""


class ReceiveGatewayNotificationAnswer(Model):
    status: Literal["OK"]
    """Its state."""


class GetAccountAnswerLastFreeze(Model):
    """The latest freezing or unfreezing of the account. Null: it was never frozen."""

    is_frozen: bool
    """Whether outgoing money is refused."""
    reason: str
    """Why, as the administrator wrote."""
    at: datetime.datetime
    """When it happened."""
    by: str
    """The administrator or the key that asked for it."""
    is_by_platform: bool
    """Whether only the platform lifts the freeze."""


class GetAccountAnswerFreezesItem(Model):
    reason: str
    """Why, as the administrator wrote."""
    at: datetime.datetime
    """When it happened."""
    by: str
    """The administrator or the key that asked for it."""
    is_by_platform: bool
    """Whether the platform asked for it."""


class GetAccountAnswer(Model):
    """An account of a ledger, with its balance."""

    id: str
    """Its id."""
    ledger_id: str = Field(alias="ledgerId")
    """The ledger."""
    type: SkipValidation[AccountType]
    """What the account is for. Users have USER accounts."""
    currency: SkipValidation[Currency]
    balance: str
    """The total, held money included. Integer cents."""
    held_balance: str
    """The part of the balance that escrows, payouts and transit deposits hold. Integer cents."""
    available_balance: str
    """The amount that can be spent: balance less held. Integer cents."""
    is_frozen: bool
    """Whether outgoing money is refused."""
    created_at: datetime.datetime
    """When it was made."""
    updated_at: datetime.datetime
    """When it was last changed."""
    withdrawable_balance: str
    """Integer cents."""
    ledger: LedgerSummary
    last_freeze: GetAccountAnswerLastFreeze | None
    """The latest freezing or unfreezing of the account. Null: it was never frozen."""
    freezes: list[GetAccountAnswerFreezesItem]
    """The freezes that stand: the platform's and the company's latest. Lifting one lifts both."""


class BankDetailsChangePage(Model):
    data: list[BankDetailsChange]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class DisputePage(Model):
    data: list[Dispute]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class EscrowSummaryPage(Model):
    data: list[EscrowSummary]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class EndOrderPagesAnswer(Model):
    success: bool
    """They have ended."""
    id: str
    """The escrow."""


class OrderRequestPage(Model):
    data: list[OrderRequest]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class ExtendAutoReleaseAnswer(Model):
    status: SkipValidation[EscrowStatus]
    auto_release_at: datetime.datetime = Field(alias="autoReleaseAt")
    """When it is released by itself."""


class AddDisputeEvidenceAnswer(Model):
    status: SkipValidation[EscrowStatus]
    updated_at: datetime.datetime = Field(alias="updatedAt")
    """When it was last changed."""


class WithdrawalPage(Model):
    data: list[Withdrawal]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class CapturePage(Model):
    data: list[Capture]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class BankStatementPage(Model):
    data: list[BankStatement]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""


class ReceivablePageTotalsItem(Model):
    currency: SkipValidation[Currency]
    remaining_amount: str
    """The amount that is still owed. Integer cents."""


class ReceivablePage(Model):
    data: list[Receivable]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""
    at: datetime.datetime | None
    """The amounts are those right before this instant. Null: those of now."""
    totals: list[ReceivablePageTotalsItem]
    """The sums of all receivables, or of those in `currency`, without regard to page and other filters."""


class EventPage(Model):
    data: list[Event]
    """The rows of this page."""
    has_more: bool = Field(alias="hasMore")
    """Whether there is a next page."""


class DeleteWebhookAnswer(Model):
    success: bool
    """Always true."""


class ReplayEventsAnswer(Model):
    is_replaying: bool = Field(alias="isReplaying")
    """Whether there are events of that time. They are sent while the endpoint is enabled."""


class WebhookDeliveryPage(Model):
    data: list[WebhookDelivery]
    """The rows of this page."""
    total: int
    """The number of rows on all pages."""
    limit: int
    """The size of a page."""
    offset: int
    """As in the request."""

LoginAnswer = Annotated[Union[Session, MfaChallenge], Field(union_mode="left_to_right")]

TimelineEntry = Annotated[Union[TimelineInitiated, TimelineFunded, TimelineDeliveryNoted, TimelineGoodsReceived, TimelineMilestoneReleased, TimelineFundsReleased, TimelineAutoReleased, TimelineReleaseBlocked, TimelineAutoReleaseExtended, TimelineAutoReleaseStopped, TimelineAutoReleaseResumed, TimelineNegotiationProposed, TimelineNegotiationAccepted, TimelineNegotiationRejected, TimelineNegotiationLapsed, TimelineDisputed, TimelineEvidenceAdded, TimelineResolved, TimelineCancelled, TimelineChargedBack, TimelineChargebackReversed, TimelineOther], Field(union_mode="left_to_right")]

OpenSessionList = list[OpenSession]

ListedAdministratorList = list[ListedAdministrator]

ApiKeyList = list[ApiKey]

UserSummaryList = list[UserSummary]

FinancialInstitutionList = list[FinancialInstitution]

EscrowHistoryEntryList = list[EscrowHistoryEntry]

AccountList = list[Account]

EscrowList = list[Escrow]

TimelineEntryList = list[TimelineEntry]

WebhookList = list[Webhook]

AnyEvent = Union[EscrowInitiatedEvent, EscrowFundedEvent, EscrowDeliveryNotedEvent, EscrowGoodsReceivedEvent, EscrowMilestoneReleasedEvent, EscrowReleasedEvent, EscrowAutoReleasedEvent, EscrowReleaseBlockedEvent, EscrowAutoReleaseExtendedEvent, EscrowAutoReleaseStoppedEvent, EscrowAutoReleaseResumedEvent, EscrowNegotiationProposedEvent, EscrowNegotiationAcceptedEvent, EscrowNegotiationRejectedEvent, EscrowNegotiationLapsedEvent, EscrowDisputedEvent, EscrowEvidenceAddedEvent, EscrowResolvedEvent, EscrowCancelledEvent, EscrowChargedBackEvent, EscrowChargebackReversedEvent, PaymentLinkCreatedEvent, PaymentLinkCheckoutOpenedEvent, PaymentLinkChargeStartedEvent, PaymentLinkPaymentDeclinedEvent, PaymentLinkCheckoutLapsedEvent, PaymentLinkPaymentMismatchedEvent, PaymentLinkAcceptedEvent, PaymentLinkLateMoneyEvent, PaymentLinkRefundedEvent, PaymentLinkRefundRefusedEvent, PaymentLinkTakenBackEvent, PaymentLinkBroughtBackEvent, PaymentLinkRejectedEvent, PaymentLinkExpiredEvent, WithdrawalRequestedEvent, WithdrawalSubmittedEvent, WithdrawalReviewNeededEvent, WithdrawalResumedEvent, WithdrawalCancelledEvent, WithdrawalCompletedEvent, WithdrawalFailedEvent, WithdrawalReturnedEvent, WithdrawalSettledLateEvent, OrderRequestCreatedEvent, OrderRequestApprovedEvent, OrderRequestRefusedEvent, OrderRequestLapsedEvent, OrderMessageDueEvent, DepositReceivedEvent, DepositSettledEvent, DepositFailedEvent, DepositReversedEvent, DepositReinstatedEvent, CaptureReceivedEvent, CaptureAssignedEvent, CaptureReversedEvent, UserCreatedEvent, UserApprovedEvent, UserApprovalWithdrawnEvent, UserBlacklistedEvent, UserClearedEvent, UserUpdatedEvent, UserErasedEvent, UserDocumentChangedEvent, AccountFrozenEvent, AccountUnfrozenEvent, BankDetailsChangedEvent, CompanyUpdatedEvent, ApiKeyCreatedEvent, ApiKeyRolledEvent, ApiKeyRevokedEvent, AdministratorAddedEvent, AdministratorRemovedEvent, WebhookEndpointDisabledEvent, WebhookEndpointEnabledEvent, WebhookPingEvent, Event]
"""An event of a known type, told apart by `type`, or an `Event` of a type of a later version."""

EVENT_MODELS: dict[str, type[AnyEvent]] = {
    "escrow.initiated": EscrowInitiatedEvent,
    "escrow.funded": EscrowFundedEvent,
    "escrow.delivery_noted": EscrowDeliveryNotedEvent,
    "escrow.goods_received": EscrowGoodsReceivedEvent,
    "escrow.milestone_released": EscrowMilestoneReleasedEvent,
    "escrow.released": EscrowReleasedEvent,
    "escrow.auto_released": EscrowAutoReleasedEvent,
    "escrow.release_blocked": EscrowReleaseBlockedEvent,
    "escrow.auto_release_extended": EscrowAutoReleaseExtendedEvent,
    "escrow.auto_release_stopped": EscrowAutoReleaseStoppedEvent,
    "escrow.auto_release_resumed": EscrowAutoReleaseResumedEvent,
    "escrow.negotiation_proposed": EscrowNegotiationProposedEvent,
    "escrow.negotiation_accepted": EscrowNegotiationAcceptedEvent,
    "escrow.negotiation_rejected": EscrowNegotiationRejectedEvent,
    "escrow.negotiation_lapsed": EscrowNegotiationLapsedEvent,
    "escrow.disputed": EscrowDisputedEvent,
    "escrow.evidence_added": EscrowEvidenceAddedEvent,
    "escrow.resolved": EscrowResolvedEvent,
    "escrow.cancelled": EscrowCancelledEvent,
    "escrow.charged_back": EscrowChargedBackEvent,
    "escrow.chargeback_reversed": EscrowChargebackReversedEvent,
    "payment_link.created": PaymentLinkCreatedEvent,
    "payment_link.checkout_opened": PaymentLinkCheckoutOpenedEvent,
    "payment_link.charge_started": PaymentLinkChargeStartedEvent,
    "payment_link.payment_declined": PaymentLinkPaymentDeclinedEvent,
    "payment_link.checkout_lapsed": PaymentLinkCheckoutLapsedEvent,
    "payment_link.payment_mismatched": PaymentLinkPaymentMismatchedEvent,
    "payment_link.accepted": PaymentLinkAcceptedEvent,
    "payment_link.late_money": PaymentLinkLateMoneyEvent,
    "payment_link.refunded": PaymentLinkRefundedEvent,
    "payment_link.refund_refused": PaymentLinkRefundRefusedEvent,
    "payment_link.taken_back": PaymentLinkTakenBackEvent,
    "payment_link.brought_back": PaymentLinkBroughtBackEvent,
    "payment_link.rejected": PaymentLinkRejectedEvent,
    "payment_link.expired": PaymentLinkExpiredEvent,
    "withdrawal.requested": WithdrawalRequestedEvent,
    "withdrawal.submitted": WithdrawalSubmittedEvent,
    "withdrawal.review_needed": WithdrawalReviewNeededEvent,
    "withdrawal.resumed": WithdrawalResumedEvent,
    "withdrawal.cancelled": WithdrawalCancelledEvent,
    "withdrawal.completed": WithdrawalCompletedEvent,
    "withdrawal.failed": WithdrawalFailedEvent,
    "withdrawal.returned": WithdrawalReturnedEvent,
    "withdrawal.settled_late": WithdrawalSettledLateEvent,
    "order_request.created": OrderRequestCreatedEvent,
    "order_request.approved": OrderRequestApprovedEvent,
    "order_request.refused": OrderRequestRefusedEvent,
    "order_request.lapsed": OrderRequestLapsedEvent,
    "order_message.due": OrderMessageDueEvent,
    "deposit.received": DepositReceivedEvent,
    "deposit.settled": DepositSettledEvent,
    "deposit.failed": DepositFailedEvent,
    "deposit.reversed": DepositReversedEvent,
    "deposit.reinstated": DepositReinstatedEvent,
    "capture.received": CaptureReceivedEvent,
    "capture.assigned": CaptureAssignedEvent,
    "capture.reversed": CaptureReversedEvent,
    "user.created": UserCreatedEvent,
    "user.approved": UserApprovedEvent,
    "user.approval_withdrawn": UserApprovalWithdrawnEvent,
    "user.blacklisted": UserBlacklistedEvent,
    "user.cleared": UserClearedEvent,
    "user.updated": UserUpdatedEvent,
    "user.erased": UserErasedEvent,
    "user.document_changed": UserDocumentChangedEvent,
    "account.frozen": AccountFrozenEvent,
    "account.unfrozen": AccountUnfrozenEvent,
    "bank_details.changed": BankDetailsChangedEvent,
    "company.updated": CompanyUpdatedEvent,
    "api_key.created": ApiKeyCreatedEvent,
    "api_key.rolled": ApiKeyRolledEvent,
    "api_key.revoked": ApiKeyRevokedEvent,
    "administrator.added": AdministratorAddedEvent,
    "administrator.removed": AdministratorRemovedEvent,
    "webhook_endpoint.disabled": WebhookEndpointDisabledEvent,
    "webhook_endpoint.enabled": WebhookEndpointEnabledEvent,
    "webhook.ping": WebhookPingEvent,
}
