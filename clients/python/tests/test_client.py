"""When the clients send a request again, what they send, and what their errors say. No service takes part."""

from __future__ import annotations

import asyncio
import base64
import json
import unittest
from collections.abc import Callable
from datetime import datetime, timezone
from email.message import Message
from typing import Any

import httpx
from standardwebhooks.webhooks import Webhook

from escrow_payments import (
    AsyncEscrowClient,
    EscrowClient,
    EscrowConnectionError,
    EscrowError,
    WebhookVerificationError,
    errors,
    models,
    verify_webhook,
)

ORIGIN = "https://escrow.example"
DEPOSIT: dict[str, Any] = {
    "id": "txn_1",
    "type": "DEPOSIT",
    "amount": "1000",
    "currency": "USD",
    "status": "A_STATUS_OF_TOMORROW",
    "reference": None,
    "escrowId": None,
    "metadata": {},
    "createdAt": "2026-01-31T09:30:00.000Z",
    "accountId": "acc_1",
    "fieldOfTomorrow": True,
}
EVENT: dict[str, Any] = {
    "id": "evt_1",
    "type": "something.new",
    "apiVersion": "1",
    "createdAt": "2026-01-31T09:30:00.000Z",
    "companyId": "cmp_1",
    "object": {"kind": "escrow", "id": "esc_1"},
    "data": {},
    "requestId": None,
    "source": "API",
    "position": 1,
}
SECRET = "whsec_" + base64.b64encode(b"x" * 24).decode()


def refusal(status: int, code: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "detail": code, "requestId": "r1"}, headers=headers)


class Recorded:
    def __init__(self, answer: Callable[[httpx.Request], httpx.Response], **options: Any) -> None:
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []

        def handle(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            return answer(request)

        http = httpx.Client(transport=httpx.MockTransport(handle))
        self.client = EscrowClient(**{"base_url": ORIGIN, **options}, http=http, sleep=self.waits.append)


def lost(_request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


def deposit(client: EscrowClient) -> models.CreateDepositAnswer:
    return client.create_deposit(user_id="usr_1", amount=1_000, currency="USD")


class Requests(unittest.TestCase):
    def test_the_body_has_the_names_of_the_api_and_only_what_was_given(self) -> None:
        recorded = Recorded(lambda _: httpx.Response(201, json=DEPOSIT), company_id="cmp_1", api_key="key")
        answer = deposit(recorded.client)
        (request,) = recorded.requests
        self.assertEqual(json.loads(request.content), {"userId": "usr_1", "amount": 1_000, "currency": "USD"})
        self.assertEqual(request.headers["x-api-key"], "key")
        self.assertEqual(request.headers["x-company-id"], "cmp_1")
        self.assertEqual(request.headers["prefer"], "handling=strict")
        self.assertEqual(answer.account_id, "acc_1")
        self.assertEqual(answer.created_at, datetime(2026, 1, 31, 9, 30, tzinfo=timezone.utc))

    def test_values_and_fields_of_a_later_version_are_read(self) -> None:
        answer = deposit(Recorded(lambda _: httpx.Response(201, json=DEPOSIT)).client)
        self.assertEqual(str(answer.status), "A_STATUS_OF_TOMORROW")
        self.assertEqual((answer.model_extra or {}).get("fieldOfTomorrow"), True)

    def test_none_is_sent_as_null(self) -> None:
        recorded = Recorded(lambda _: refusal(403, "forbidden"))
        with self.assertRaises(errors.Forbidden):
            recorded.client.update_company(support_email=None)
        self.assertEqual(json.loads(recorded.requests[0].content), {"support_email": None})

    def test_a_list_is_read_page_by_page(self) -> None:
        def answer(request: httpx.Request) -> httpx.Response:
            is_first = request.url.params.get("after") is None
            link = {"link": f'<{ORIGIN}/v1/events?limit=2&after=b>; rel="next"'} if is_first else {}
            rows = [{**EVENT, "id": one} for one in (["a", "b"] if is_first else ["c"])]
            return httpx.Response(200, json={"data": rows, "hasMore": is_first}, headers=link)

        recorded = Recorded(answer)
        self.assertEqual([event.id for event in recorded.client.iter_events(limit=2)], ["a", "b", "c"])

    def test_options_that_no_request_can_be_sent_with_are_refused(self) -> None:
        wrong: list[dict[str, Any]] = [
            *({"base_url": one} for one in ("escrow.example", f"{ORIGIN}?a=b", "https://user:word@escrow.example", f"{ORIGIN}\n")),
            *({"api_key": one} for one in ("", "key\n", "kéy")),
            {"api_key": "a", "access_token": "b"},
        ]
        for options in wrong:
            with self.assertRaises(ValueError):
                EscrowClient(**{"base_url": ORIGIN, **options})

    def test_keys_and_ids_that_would_be_another_request_are_refused(self) -> None:
        recorded = Recorded(lambda _: httpx.Response(201, json=DEPOSIT))
        for key in ("", "a key", "key\n", "x" * 256):
            with self.assertRaises(ValueError):
                recorded.client.create_deposit(amount=1_000, currency="USD", idempotency_key=key)
        for escrow in ("", ".", ".."):
            with self.assertRaises(ValueError):
                recorded.client.release_escrow(escrow)
        self.assertEqual(recorded.requests, [])

    def test_the_address_may_end_with_the_version(self) -> None:
        recorded = Recorded(lambda _: httpx.Response(201, json=DEPOSIT), base_url=f"{ORIGIN}/v1/")
        deposit(recorded.client)
        self.assertEqual(str(recorded.requests[0].url), f"{ORIGIN}/v1/payments/deposit")


class Retries(unittest.TestCase):
    def test_a_lost_answer_is_asked_for_again_with_the_same_key(self) -> None:
        recorded = Recorded(lost)
        with self.assertRaises(EscrowConnectionError) as raised:
            deposit(recorded.client)
        keys = {request.headers["x-idempotency-key"] for request in recorded.requests}
        self.assertEqual((len(recorded.requests), keys), (8, {raised.exception.idempotency_key}))
        self.assertEqual(raised.exception.code, "connection_failed")
        self.assertTrue(15 <= sum(recorded.waits) <= 20 and max(recorded.waits) <= 4)

    def test_retry_after_is_waited_for_up_to_a_minute_in_all(self) -> None:
        recorded = Recorded(lambda _: refusal(429, "too_many_requests", {"retry-after": "25"}))
        with self.assertRaises(errors.TooManyRequests) as raised:
            recorded.client.get_company()
        self.assertEqual((recorded.waits, raised.exception.retry_after_seconds), ([25.0, 25.0], 25.0))

    def test_a_damaged_answer_is_asked_for_again_and_a_damaged_retry_after_is_none(self) -> None:
        answers: list[Callable[[], httpx.Response]] = [
            lambda: httpx.Response(201, content=b"cut", headers={"content-encoding": "gzip"}),
            lambda: httpx.Response(503, headers=[(b"retry-after", "²".encode())]),
            lambda: httpx.Response(201, json=DEPOSIT),
        ]
        recorded = Recorded(lambda _: answers[len(recorded.requests) - 1]())
        deposit(recorded.client)
        self.assertEqual(len({request.headers["x-idempotency-key"] for request in recorded.requests}), 1)
        self.assertTrue(max(recorded.waits) <= 1)

    def test_what_is_sent_again_and_what_is_not(self) -> None:
        for status, code, tries in (
            (429, "otp_locked", 1),
            (409, "wrong_state", 1),
            (409, "idempotency_in_progress", 8),
            (503, "dependency_unavailable", 8),
        ):
            answer = refusal(status, code)
            recorded = Recorded(lambda _, answer=answer: answer)  # type: ignore[misc]
            with self.assertRaises(EscrowError):
                deposit(recorded.client)
            self.assertEqual((code, len(recorded.requests)), (code, tries))
        without_key = Recorded(lost)
        with self.assertRaises(EscrowConnectionError):
            without_key.client.log_in(email="a@b.example", password="p")
        self.assertEqual(len(without_key.requests), 1)

    def test_the_asynchronous_client_does_the_same(self) -> None:
        requests: list[httpx.Request] = []
        waits: list[float] = []

        def handle(request: httpx.Request) -> httpx.Response:
            requests.append(request)
            return refusal(503, "dependency_unavailable") if len(requests) < 3 else httpx.Response(201, json=DEPOSIT)

        async def sleep(seconds: float) -> None:
            waits.append(seconds)

        async def run() -> models.CreateDepositAnswer:
            http = httpx.AsyncClient(transport=httpx.MockTransport(handle))
            async with AsyncEscrowClient(ORIGIN, http=http, sleep=sleep) as client:
                return await client.create_deposit(amount=1_000, currency="USD")

        self.assertEqual(asyncio.run(run()).id, "txn_1")
        self.assertEqual((len({one.headers["x-idempotency-key"] for one in requests}), len(waits)), (1, 2))


class Errors(unittest.TestCase):
    def test_have_a_class_for_each_code(self) -> None:
        details = {"available": "1", "requested": "2", "currency": "USD"}
        body = {"code": "insufficient_funds", "detail": "too little", "requestId": "r1", "details": details}
        with self.assertRaises(errors.InsufficientFunds) as raised:
            deposit(Recorded(lambda _: httpx.Response(422, json=body)).client)
        error = raised.exception
        self.assertEqual((error.status, error.request_id, error.details, str(error)), (422, "r1", details, "too little"))

    def test_of_codes_of_tomorrow_and_of_proxies_are_told_apart(self) -> None:
        for answer, code in (
            (refusal(422, "of_tomorrow"), "of_tomorrow"),
            (httpx.Response(200, text="<html>"), "unexpected_answer"),
            (httpx.Response(200, json={"id": "of another server"}), "unexpected_answer"),
        ):
            recorded = Recorded(lambda _, answer=answer: answer)  # type: ignore[misc]
            with self.assertRaises(EscrowError) as raised:
                deposit(recorded.client)
            key = recorded.requests[0].headers["x-idempotency-key"]
            self.assertEqual((raised.exception.code, raised.exception.idempotency_key), (code, key))

    def test_name_the_way_to_a_file(self) -> None:
        file = httpx.Response(200, text="a;b", headers={"content-type": "text/csv"})
        with self.assertRaisesRegex(EscrowError, "use download"):
            Recorded(lambda _: file).client.get_trial_balance(format="csv")


class Webhooks(unittest.TestCase):
    def signed(self, body: dict[str, Any], at: datetime | None = None) -> tuple[str, dict[str, str]]:
        payload, now = json.dumps(body), at or datetime.now(timezone.utc)
        signature = Webhook(SECRET).sign("evt_1", now, payload)
        sent = str(int(now.timestamp()))
        return payload, {"Webhook-Id": "evt_1", "Webhook-Timestamp": sent, "Webhook-Signature": signature}

    def test_of_a_known_type_are_models_of_it_and_others_are_events(self) -> None:
        ping = {"type": "webhook.ping", "timestamp": "2026-01-31T09:30:00.000Z", "object": None, "position": None}
        payload, headers = self.signed({**EVENT, **ping})
        self.assertIsInstance(verify_webhook(payload, headers, SECRET), models.WebhookPingEvent)
        message = Message()
        for name, value in headers.items():
            message[name] = value
        self.assertIsInstance(verify_webhook(payload, message, SECRET), models.WebhookPingEvent)
        other = "whsec_" + base64.b64encode(b"y" * 24).decode()
        payload, headers = self.signed(EVENT)
        self.assertIsInstance(verify_webhook(payload.encode(), headers, [other, SECRET]), models.Event)

    def test_that_are_changed_or_old_are_refused(self) -> None:
        payload, headers = self.signed(EVENT)
        old = self.signed(EVENT, datetime(2026, 1, 1, tzinfo=timezone.utc))
        for sent, given in ((payload + " ", headers), (payload, {}), old):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(sent, given, SECRET)
        for secret in ("", "whsec_", "whsec_***"):
            with self.assertRaises(ValueError):
                verify_webhook(payload, headers, secret)

    def test_of_strangers_raise_one_error_whatever_their_form(self) -> None:
        payload, headers = self.signed(EVENT)
        for signature in ("garbage", "v1", "v1,A", "v1,é", "v1,a,b", "v2,abc"):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(payload, {**headers, "Webhook-Signature": signature}, SECRET)
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(b"\xff\xfe", headers, SECRET)

    def test_may_have_signatures_of_other_schemes_too(self) -> None:
        payload, headers = self.signed(EVENT)
        signatures = f"v1a,{'A' * 86}== v2 {headers['Webhook-Signature']}"
        self.assertIsInstance(verify_webhook(payload, {**headers, "Webhook-Signature": signatures}, SECRET), models.Event)


if __name__ == "__main__":
    unittest.main()
