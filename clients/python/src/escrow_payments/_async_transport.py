"""Sends requests, and again where that is safe and may help."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx

from ._rules import Answer, Options, Tries, error_of, first_page, next_page, parsed, request_of, rows_of


class AsyncTransport:
    def __init__(self, options: Options, http: httpx.AsyncClient, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._options = options
        self._http = http
        self._sleep = sleep

    async def _send(
        self,
        method: str,
        address: str,
        answer: type[Answer],
        *,
        path: dict[str, Any] | None = None,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
        form: dict[str, Any] | None = None,
        idempotency_key: str | None = None,
        keyed: bool = False,
        if_match: str | None = None,
    ) -> Answer:
        request = request_of(
            self._options,
            method,
            address,
            in_path=path,
            query=query,
            body=body,
            form=form,
            idempotency_key=idempotency_key,
            keyed=keyed,
            if_match=if_match,
        )
        return parsed(await self._tried(request), answer)

    async def download(
        self, address: str, *, path: dict[str, Any] | None = None, query: dict[str, Any] | None = None
    ) -> httpx.Response:
        """A file of an address of the API, such as a statement with ``query={"format": "pdf"}``."""
        response = await self._tried(self._get(address, path, query))
        if not response.is_success:
            raise error_of(response)
        return response

    async def _rows(
        self, address: str, row: type[Answer], *, path: dict[str, Any] | None = None, query: dict[str, Any] | None = None
    ) -> AsyncIterator[Answer]:
        page: dict[str, Any] | None = first_page(query)
        while page is not None:
            response = await self._tried(self._get(address, path, page))
            for one in rows_of(response, row):
                yield one
            page = next_page(response)

    def _get(self, address: str, path: dict[str, Any] | None, query: dict[str, Any] | None) -> httpx.Request:
        return request_of(
            self._options,
            "GET",
            address,
            in_path=path,
            query=query,
            body=None,
            form=None,
            idempotency_key=None,
            keyed=False,
            if_match=None,
        )

    async def _tried(self, request: httpx.Request) -> httpx.Response:
        tries = Tries(self._options, request)
        if request.headers.get("content-type", "").startswith("multipart/"):
            await request.aread()  # a file is read once, and may be sent again
        while True:
            delay: float | None
            try:
                response = await self._http.send(request)
                delay = tries.after_answer(response)
                if delay is None:
                    return response
            except (httpx.TransportError, httpx.DecodingError) as error:  # no answer, or a part of one
                delay = tries.after_failure(error)
            await self._sleep(delay)
