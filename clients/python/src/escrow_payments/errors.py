"""The errors by code: ``except errors.InsufficientFunds``."""

from ._codes import *  # noqa: F403
from ._codes import ERRORS
from ._errors import EscrowConnectionError, EscrowError, WebhookVerificationError

__all__ = [
    "EscrowConnectionError",
    "EscrowError",
    "WebhookVerificationError",
    *(one.__name__ for one in ERRORS.values()),
]
