# Generated from _async_client.py by `npm run client`.
"""The client."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

import httpx

from ._operations import Operations
from ._rules import Options


class EscrowClient(Operations):
    """A client of the Escrow Payments Service, with a method for every operation.

    Every refusal is raised as an ``EscrowError``. Requests are repeated where that is safe, with the idempotency key
    that they had. ``http`` may be a client of httpx with a proxy or other settings of yours.
    """

    def __init__(
        self,
        base_url: str,
        *,
        company_id: str | None = None,
        api_key: str | None = None,
        access_token: str | None = None,
        strict: bool = True,
        max_retries: int = 7,
        timeout_seconds: float = 30.0,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        options = Options(base_url, company_id, api_key, access_token, strict, max_retries, timeout_seconds)
        super().__init__(options, http or httpx.Client(), sleep)

    def with_credentials(
        self, *, company_id: str | None = None, api_key: str | None = None, access_token: str | None = None
    ) -> EscrowClient:
        """The same client with other credentials. It shares the connections."""
        other = EscrowClient.__new__(EscrowClient)
        options = self._options.with_credentials(company_id, api_key, access_token)
        Operations.__init__(other, options, self._http, self._sleep)
        return other

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> EscrowClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
