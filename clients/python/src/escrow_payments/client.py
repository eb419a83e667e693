"""The clients of the Escrow Payments Service."""

from ._async_client import AsyncEscrowClient
from ._client import EscrowClient

__all__ = ["AsyncEscrowClient", "EscrowClient"]
