"""The client for asyncio: every method is awaited, and the iterators are asynchronous."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType

import httpx

from ._async_operations import AsyncOperations
from ._rules import Options


class AsyncEscrowClient(AsyncOperations):
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
        http: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        options = Options(base_url, company_id, api_key, access_token, strict, max_retries, timeout_seconds)
        super().__init__(options, http or httpx.AsyncClient(), sleep)

    def with_credentials(
        self, *, company_id: str | None = None, api_key: str | None = None, access_token: str | None = None
    ) -> AsyncEscrowClient:
        """The same client with other credentials. It shares the connections."""
        other = AsyncEscrowClient.__new__(AsyncEscrowClient)
        options = self._options.with_credentials(company_id, api_key, access_token)
        AsyncOperations.__init__(other, options, self._http, self._sleep)
        return other

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncEscrowClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
