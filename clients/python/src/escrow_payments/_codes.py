# Generated from the description of the API by `npm run client`.
from ._errors import EscrowError


class AccountFrozen(EscrowError):
    """The service answered `account_frozen`."""


class AccountNotFreezable(EscrowError):
    """The service answered `account_not_freezable`."""


class AccountNotOwned(EscrowError):
    """The service answered `account_not_owned`."""


class AlreadyExists(EscrowError):
    """The service answered `already_exists`."""


class AmountTooLarge(EscrowError):
    """The service answered `amount_too_large`."""


class ApiKeyRequired(EscrowError):
    """The service answered `api_key_required`."""


class BankDetailsCooling(EscrowError):
    """The service answered `bank_details_cooling`."""


class CompanyMismatch(EscrowError):
    """The service answered `company_mismatch`."""


class ContrastTooLow(EscrowError):
    """The service answered `contrast_too_low`."""


class CurrencyMismatch(EscrowError):
    """The service answered `currency_mismatch`."""


class DependencyUnavailable(EscrowError):
    """The service answered `dependency_unavailable`."""


class DetailsUnreadable(EscrowError):
    """The service answered `details_unreadable`."""


class DuplicateReference(EscrowError):
    """The service answered `duplicate_reference`."""


class Forbidden(EscrowError):
    """The service answered `forbidden`."""


class IdempotencyInProgress(EscrowError):
    """The service answered `idempotency_in_progress`."""


class IdempotencyKeyReused(EscrowError):
    """The service answered `idempotency_key_reused`."""


class InsufficientFunds(EscrowError):
    """The service answered `insufficient_funds`."""


class InternalError(EscrowError):
    """The service answered `internal_error`."""


class InvalidCredentials(EscrowError):
    """The service answered `invalid_credentials`."""


class InvalidId(EscrowError):
    """The service answered `invalid_id`."""


class InvalidJson(EscrowError):
    """The service answered `invalid_json`."""


class InvalidRefreshToken(EscrowError):
    """The service answered `invalid_refresh_token`."""


class InvalidSignature(EscrowError):
    """The service answered `invalid_signature`."""


class LimitReached(EscrowError):
    """The service answered `limit_reached`."""


class LinkExpired(EscrowError):
    """The service answered `link_expired`."""


class MessageExpired(EscrowError):
    """The service answered `message_expired`."""


class MethodNotAllowed(EscrowError):
    """The service answered `method_not_allowed`."""


class MfaRequired(EscrowError):
    """The service answered `mfa_required`."""


class MilestonesMustTotal100(EscrowError):
    """The service answered `milestones_must_total_100`."""


class MissingHeader(EscrowError):
    """The service answered `missing_header`."""


class NegotiationPending(EscrowError):
    """The service answered `negotiation_pending`."""


class NotFound(EscrowError):
    """The service answered `not_found`."""


class OtpExpired(EscrowError):
    """The service answered `otp_expired`."""


class OtpInvalid(EscrowError):
    """The service answered `otp_invalid`."""


class OtpLocked(EscrowError):
    """The service answered `otp_locked`."""


class OtpRequired(EscrowError):
    """The service answered `otp_required`."""


class OwnProposal(EscrowError):
    """The service answered `own_proposal`."""


class OwnerProtected(EscrowError):
    """The service answered `owner_protected`."""


class PasswordChangeRequired(EscrowError):
    """The service answered `password_change_required`."""


class PayloadTooLarge(EscrowError):
    """The service answered `payload_too_large`."""


class PaymentChargedBack(EscrowError):
    """The service answered `payment_charged_back`."""


class PayoutNotBacked(EscrowError):
    """The service answered `payout_not_backed`."""


class PreconditionFailed(EscrowError):
    """The service answered `precondition_failed`."""


class PriceMismatch(EscrowError):
    """The service answered `price_mismatch`."""


class ProviderUnavailable(EscrowError):
    """The service answered `provider_unavailable`."""


class QuantityExceedsOrder(EscrowError):
    """The service answered `quantity_exceeds_order`."""


class ReceivableOpen(EscrowError):
    """The service answered `receivable_open`."""


class ReturnHostNotListed(EscrowError):
    """The service answered `return_host_not_listed`."""


class SameParty(EscrowError):
    """The service answered `same_party`."""


class SplitExceedsHeld(EscrowError):
    """The service answered `split_exceeds_held`."""


class SplitMismatch(EscrowError):
    """The service answered `split_mismatch`."""


class StatementInvalid(EscrowError):
    """The service answered `statement_invalid`."""


class StatementTooLarge(EscrowError):
    """The service answered `statement_too_large`."""


class TooManyRequests(EscrowError):
    """The service answered `too_many_requests`."""


class Unauthenticated(EscrowError):
    """The service answered `unauthenticated`."""


class UnknownAdmin(EscrowError):
    """The service answered `unknown_admin`."""


class UnknownInstitution(EscrowError):
    """The service answered `unknown_institution`."""


class UnknownItem(EscrowError):
    """The service answered `unknown_item`."""


class UnknownUser(EscrowError):
    """The service answered `unknown_user`."""


class UnsupportedMediaType(EscrowError):
    """The service answered `unsupported_media_type`."""


class UserBlacklisted(EscrowError):
    """The service answered `user_blacklisted`."""


class ValidationFailed(EscrowError):
    """The service answered `validation_failed`."""


class WrongState(EscrowError):
    """The service answered `wrong_state`."""


ERRORS: dict[str, type[EscrowError]] = {
    "account_frozen": AccountFrozen,
    "account_not_freezable": AccountNotFreezable,
    "account_not_owned": AccountNotOwned,
    "already_exists": AlreadyExists,
    "amount_too_large": AmountTooLarge,
    "api_key_required": ApiKeyRequired,
    "bank_details_cooling": BankDetailsCooling,
    "company_mismatch": CompanyMismatch,
    "contrast_too_low": ContrastTooLow,
    "currency_mismatch": CurrencyMismatch,
    "dependency_unavailable": DependencyUnavailable,
    "details_unreadable": DetailsUnreadable,
    "duplicate_reference": DuplicateReference,
    "forbidden": Forbidden,
    "idempotency_in_progress": IdempotencyInProgress,
    "idempotency_key_reused": IdempotencyKeyReused,
    "insufficient_funds": InsufficientFunds,
    "internal_error": InternalError,
    "invalid_credentials": InvalidCredentials,
    "invalid_id": InvalidId,
    "invalid_json": InvalidJson,
    "invalid_refresh_token": InvalidRefreshToken,
    "invalid_signature": InvalidSignature,
    "limit_reached": LimitReached,
    "link_expired": LinkExpired,
    "message_expired": MessageExpired,
    "method_not_allowed": MethodNotAllowed,
    "mfa_required": MfaRequired,
    "milestones_must_total_100": MilestonesMustTotal100,
    "missing_header": MissingHeader,
    "negotiation_pending": NegotiationPending,
    "not_found": NotFound,
    "otp_expired": OtpExpired,
    "otp_invalid": OtpInvalid,
    "otp_locked": OtpLocked,
    "otp_required": OtpRequired,
    "own_proposal": OwnProposal,
    "owner_protected": OwnerProtected,
    "password_change_required": PasswordChangeRequired,
    "payload_too_large": PayloadTooLarge,
    "payment_charged_back": PaymentChargedBack,
    "payout_not_backed": PayoutNotBacked,
    "precondition_failed": PreconditionFailed,
    "price_mismatch": PriceMismatch,
    "provider_unavailable": ProviderUnavailable,
    "quantity_exceeds_order": QuantityExceedsOrder,
    "receivable_open": ReceivableOpen,
    "return_host_not_listed": ReturnHostNotListed,
    "same_party": SameParty,
    "split_exceeds_held": SplitExceedsHeld,
    "split_mismatch": SplitMismatch,
    "statement_invalid": StatementInvalid,
    "statement_too_large": StatementTooLarge,
    "too_many_requests": TooManyRequests,
    "unauthenticated": Unauthenticated,
    "unknown_admin": UnknownAdmin,
    "unknown_institution": UnknownInstitution,
    "unknown_item": UnknownItem,
    "unknown_user": UnknownUser,
    "unsupported_media_type": UnsupportedMediaType,
    "user_blacklisted": UserBlacklisted,
    "validation_failed": ValidationFailed,
    "wrong_state": WrongState,
}
