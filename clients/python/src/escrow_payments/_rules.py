"""What both clients share: options, the form of requests, and when a request is sent again."""

from __future__ import annotations

import random
import re
import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit

import httpx
from pydantic import TypeAdapter, ValidationError

from ._base import sent
from ._codes import ERRORS
from ._errors import EscrowConnectionError, EscrowError

Answer = TypeVar("Answer")

KEY_HEADER = "x-idempotency-key"
PAGE_SIZE = 100
FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 4.0
JITTER = 0.2
"""The part of a delay that is random, so that clients do not come back together."""
MAX_RETRY_AFTER_SECONDS = 60.0
"""A longer wait, over all tries, that the service asks for is left to the caller, who finds it in the error."""
MAX_HEADER_CHARACTERS = 8_192
MAX_KEY_CHARACTERS = 255
TRANSIENT = frozenset({408, 425, 500, 502, 503, 504})


@dataclass(frozen=True)
class Options:
    base_url: str
    company_id: str | None
    api_key: str | None = field(repr=False)
    access_token: str | None = field(repr=False)
    strict: bool
    max_retries: int
    timeout_seconds: float

    def __post_init__(self) -> None:
        if not re.fullmatch(r"https?://[^/?#@\s]+(/[^?#\s]*)?", self.base_url):
            raise ValueError(
                "base_url must be the address of the service, such as https://escrow.example, "
                "with no credentials, no query and no fragment"
            )
        if self.api_key is not None and self.access_token is not None:
            raise ValueError("a client has an api_key or an access_token, not both")
        if not 0 <= self.max_retries <= 100:
            raise ValueError("max_retries must be from 0 to 100")
        for name in ("company_id", "api_key", "access_token"):
            check_header(name, getattr(self, name))

    def with_credentials(self, company_id: str | None, api_key: str | None, access_token: str | None) -> Options:
        return replace(self, company_id=company_id, api_key=api_key, access_token=access_token)

    def address(self, path: str) -> str:
        """Without the version of ``base_url``: the paths of the operations contain it."""
        return re.sub(r"(/v1)?/*$", "", self.base_url) + path

    def headers(self) -> dict[str, str]:
        headers = {"accept": "application/json"}
        if self.strict:
            headers["prefer"] = "handling=strict"
        if self.company_id is not None:
            headers["x-company-id"] = self.company_id
        if self.api_key is not None:
            headers["x-api-key"] = self.api_key
        if self.access_token is not None:
            headers["authorization"] = f"Bearer {self.access_token}"
        return headers


def check_header(name: str, value: str | None, most: int = MAX_HEADER_CHARACTERS) -> None:
    """The value is not part of the message: it may be a secret."""
    if value is not None and not (len(value) <= most and re.fullmatch(r"[\x21-\x7e]+", value)):
        raise ValueError(f"{name} must be 1 to {most} visible ASCII characters; is the variable set?")


def request_of(
    options: Options,
    method: str,
    path: str,
    *,
    in_path: dict[str, Any] | None,
    query: dict[str, Any] | None,
    body: dict[str, Any] | None,
    form: dict[str, Any] | None,
    idempotency_key: str | None,
    keyed: bool,
    if_match: str | None,
) -> httpx.Request:
    for name, value in (in_path or {}).items():
        if value in ("", ".", ".."):
            raise ValueError(f"{name} of {path} is empty or dots")
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    headers = options.headers()
    check_header("idempotency_key", idempotency_key, MAX_KEY_CHARACTERS)
    if keyed:
        headers[KEY_HEADER] = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
    check_header("if_match", if_match, MAX_KEY_CHARACTERS)
    if if_match is not None:
        headers["if-match"] = if_match
    extra: dict[str, Any] = {}
    if body is not None:
        extra["json"] = sent(body)
    if form is not None:
        extra["files"] = form
    params = {name: str(value).lower() if isinstance(value, bool) else value for name, value in sent(query).items()}
    request = httpx.Request(method, options.address(path), headers=headers, params=params, **extra)
    request.extensions["timeout"] = httpx.Timeout(options.timeout_seconds).as_dict()
    return request


class Tries:
    """Counts the tries of one request, and says how long to wait before the next: ``None`` for no other."""

    def __init__(self, options: Options, request: httpx.Request) -> None:
        self._max_retries = options.max_retries
        self._request = request
        self._tries = 0
        self._asked_seconds = 0.0
        # A request that changes nothing, that sets a state, or that its idempotency key makes happen once.
        self._is_repeatable = request.method in ("GET", "PUT", "DELETE") or KEY_HEADER in request.headers

    def after_answer(self, response: httpx.Response) -> float | None:
        delay = self._next_delay()
        retry_after = retry_after_seconds(response) or 0.0
        self._asked_seconds += retry_after
        if delay is None or self._asked_seconds > MAX_RETRY_AFTER_SECONDS or not self._is_transient(response):
            return None
        return max(delay, retry_after)

    def after_failure(self, error: httpx.RequestError) -> float:
        delay = self._next_delay()
        if delay is not None and self._is_repeatable:
            return delay
        key = self._request.headers.get(KEY_HEADER)
        is_late = isinstance(error, httpx.TimeoutException)
        origin = f"{self._request.url.scheme}://{self._request.url.netloc.decode()}"
        failure = f"the service at {origin} did not answer in time" if is_late else f"the connection to {origin} failed"
        cure = f"repeat it with the idempotency key {key}" if key else "read what it changes before you repeat it"
        advice = "" if self._request.method == "GET" else f"; the request may have been carried out: {cure}"
        raise EscrowConnectionError(failure + advice, "timeout" if is_late else "connection_failed", key) from error

    def _next_delay(self) -> float | None:
        tries, self._tries = self._tries, self._tries + 1
        if tries >= self._max_retries:
            return None
        return float(min(FIRST_DELAY_SECONDS * 2**tries, MAX_DELAY_SECONDS) * (1 - JITTER * random.random()))

    def _is_transient(self, response: httpx.Response) -> bool:
        status = response.status_code
        if status == 429:  # nothing was done; the answer of a proxy has no code
            return code_of(response) in (None, "too_many_requests")
        if not self._is_repeatable:
            return False
        if status == 409:
            return bool(code_of(response) == "idempotency_in_progress")
        return status in TRANSIENT


def parsed(response: httpx.Response, answer: type[Answer]) -> Answer:
    if not response.is_success:
        raise error_of(response)
    if answer is type(None) or response.status_code == 204:
        return None  # type: ignore[return-value]
    return read_as(answer, json_of(response), response)


def read_as(kind: type[Answer], value: Any, response: httpx.Response) -> Answer:
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise error_of(response) from error


def error_of(response: httpx.Response) -> Exception:
    problem = json_of(response)
    key = response.request.headers.get(KEY_HEADER)
    if not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        kind = response.headers.get("content-type", "without a type").split(";")[0]
        asked = f"{response.request.method} {response.request.url.path}"
        is_file = response.is_success and kind not in ("application/json", "text/html")
        cure = "use download for a file" if is_file else "check base_url"
        detail = f"the answer to {asked} is {response.status_code} {kind}, not one of the service: {cure}"
        return EscrowError("unexpected_answer", response.status_code, {"detail": detail}, None, key)
    code = problem["code"]
    seconds = retry_after_seconds(response)
    return ERRORS.get(code, EscrowError)(code, response.status_code, problem, seconds, key)


def json_of(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def code_of(response: httpx.Response) -> Any:
    problem = json_of(response)
    return problem.get("code") if isinstance(problem, dict) else None


def retry_after_seconds(response: httpx.Response) -> float | None:
    """``Retry-After``, as seconds or as a date."""
    value = response.headers.get("retry-after")
    if value is None:
        return None
    if re.fullmatch("[0-9]+", value):
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def first_page(query: dict[str, Any] | None) -> dict[str, Any]:
    return {"limit": PAGE_SIZE, **sent(query)}


def next_page(response: httpx.Response) -> dict[str, Any] | None:
    """The query of the next page. The service's own address is not followed: a proxy may give it another one."""
    found = re.search(r'<([^>]+)>;\s*rel="next"', response.headers.get("link", ""))
    return None if found is None else dict(parse_qsl(urlsplit(found.group(1)).query))


def rows_of(response: httpx.Response, row: type[Answer]) -> list[Answer]:
    if not response.is_success:
        raise error_of(response)
    value = json_of(response)
    rows = value.get("data") if isinstance(value, dict) else value
    return read_as(list[row], rows, response)  # type: ignore[valid-type]
