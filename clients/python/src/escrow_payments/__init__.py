"""The Python client of the Escrow Payments Service."""

from . import errors, models
from ._base import OMIT, Omit
from .client import AsyncEscrowClient, EscrowClient
from .errors import EscrowConnectionError, EscrowError, WebhookVerificationError
from .webhooks import verify_webhook

__all__ = [
    "OMIT",
    "AsyncEscrowClient",
    "EscrowClient",
    "EscrowConnectionError",
    "EscrowError",
    "Omit",
    "WebhookVerificationError",
    "errors",
    "models",
    "verify_webhook",
]
