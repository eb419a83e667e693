"""Checks notifications by Standard Webhooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Union

from standardwebhooks.webhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError as _VerificationError

from . import _models as m
from ._errors import WebhookVerificationError


SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{2,}={0,2}")
SIGNATURE = re.compile(r"v1,[A-Za-z0-9+/]{43}=")


class Headers(Protocol):
    """A dictionary, or what a web framework has in its place."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(payload: str | bytes, headers: Headers, secret: Union[str, Sequence[str]]) -> m.AnyEvent:
    """The event of a genuine notification: a model of its type, or ``Event`` for a type of a later version.

    ``payload`` is the body as it arrived. While a secret is being replaced, pass both.

    Raises ``WebhookVerificationError`` for any other notification, and ``ValueError`` for an unusable secret.
    """
    secrets = [one.strip() for one in ([secret] if isinstance(secret, str) else secret)]
    if not secrets or not all(SECRET.fullmatch(one) for one in secrets):
        raise ValueError("secret must be whsec_ followed by base64, or a list with at least one such string")
    lower = {name.lower(): value for name, value in headers.items()}
    # The library stops at a signature of another form, such as one of a later version, and at text that is no UTF-8.
    signatures = str(lower.get("webhook-signature", "")).split(" ")
    lower["webhook-signature"] = " ".join(one for one in signatures if SIGNATURE.fullmatch(one))
    try:
        text = payload if isinstance(payload, str) else payload.decode()
    except UnicodeDecodeError as error:
        raise WebhookVerificationError("the payload is no UTF-8") from error
    failure: Exception | None = None
    for one in secrets:
        try:
            body: Any = Webhook(one).verify(text, lower)
        except _VerificationError as error:
            failure = error
            continue
        model = m.EVENT_MODELS.get(str(body.get("type")))
        if model is not None:
            return model.model_validate(body)
        return m.Event.model_validate({"createdAt": body.get("timestamp"), **body})
    raise WebhookVerificationError(str(failure)) from failure
