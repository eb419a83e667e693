"""One class for every problem code of the service, and one for requests without an answer."""

from __future__ import annotations

from typing import Any


class EscrowError(Exception):
    """The service refused a request. ``code`` is stable; the message is a sentence for people.

    Every code has a subclass in ``escrow_payments.errors``. A code of a later version of the service is an
    ``EscrowError`` itself, and ``unexpected_answer`` means that a proxy or another server answered.
    """

    def __init__(
        self,
        code: str,
        status: int,
        problem: dict[str, Any],
        retry_after_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"the service answered {status}")
        self.code = code
        self.status = status
        self.problem = problem
        self.request_id: str | None = problem.get("requestId")
        """Names the request in the service's log."""
        self.errors: list[dict[str, str]] = problem.get("errors") or []
        """One sentence for each invalid field."""
        self.details: dict[str, str] | None = problem.get("details")
        """With a refusal about money: the available and the requested amount. Absent without the permission `read`."""
        self.retry_after_seconds = retry_after_seconds
        self.idempotency_key = idempotency_key
        """The key that the request had, if any. After a 5xx, repeat the call with it: it is carried out once."""


class EscrowConnectionError(Exception):
    """No complete answer came, and the request may have been carried out: repeat it with ``idempotency_key``."""

    def __init__(self, message: str, code: str, idempotency_key: str | None) -> None:
        super().__init__(message)
        self.code = code
        """``timeout`` or ``connection_failed``."""
        self.idempotency_key = idempotency_key


class WebhookVerificationError(Exception):
    """The notification is not genuine, or too old."""
