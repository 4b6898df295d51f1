"""The client of hc-checkout for a shop's backend in Python 3.10 or newer: sessions, payments and verified notices.

One file without dependencies, to be copied into the shop. Described in client.md.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

PASSING = {408, 429, 500, 502, 503, 504}
LONGEST_PAUSE_S = 20  # a longer pause is the caller's to wait out

_KEY_ADVICE = "Give the client the key that the companion has as HC_MERCHANT_KEY."
_ADVICE = {
    "bearer_missing": _KEY_ADVICE,
    "bearer_malformed": _KEY_ADVICE,
    "bearer_wrong": _KEY_ADVICE,
    "not_found": "See whether the id is right, and whether it was made by this companion.",
}


class CheckoutError(Exception):
    """A call that failed. Its text says what happened and what to do; it has no key and no payer in it."""

    def __init__(self, code: str, message: str, status: int | None = None, details: Mapping[str, Any] | None = None):
        super().__init__(message)
        details = details or {}
        self.code = code  # of the companion, or network, redirected, not_the_companion: branch on it
        self.status = status  # None where no answer came
        self.issues: list[dict[str, Any]] = details.get("issues", [])
        self.field = next((issue["path"] for issue in self.issues if issue.get("path")), None)
        self.retry_after: int | None = details.get("retryAfter")
        self.request_id: str | None = details.get("requestId")


class NoticeError(Exception):
    """A request that is no notice to act upon: unsigned, forged or out_of_time (answer 401), or unreadable."""

    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None  # followed, it would lead the key to another place


class Client:
    """Reads, create_session and refresh are tried again when no answer comes; resend and decide never are."""

    def __init__(self, url: str | None, key: str | None, timeout: float = 10, retries: int = 2):
        if urlsplit(url or "").scheme not in ("http", "https") or not urlsplit(url or "").netloc:
            raise ValueError("url is no address. Give that of the companion, for example https://pay.shop.example.")
        if not re.fullmatch(r"[\x21-\x7e]+", key or ""):
            raise ValueError("key is empty or has other characters than a key has. Give HC_MERCHANT_KEY of the companion.")
        self._url = str(url).rstrip("/")
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def create_session(self, order: Mapping[str, Any], idempotency_key: str | None = None) -> dict[str, Any]:
        """The session of an order: the one that it has, or a new one. Ask whenever the page is loaded."""
        # With it, a repeat whose first answer was lost gets that answer.
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return self._ask("POST", "/v1/sessions", "token", True, order, headers)

    def session(self, session_id: str) -> dict[str, Any]:
        return self._ask("GET", f"/v1/sessions/{_part(session_id)}", "token", True)

    def payments(self, **query: Any) -> Iterator[dict[str, Any]]:
        """Every payment that fits, newest first. `from` is a word of Python: payments(**{"from": "2026-03-01T00:00:00Z"})."""
        while True:
            page = self.payments_page(**query)
            yield from page["payments"]
            if "nextCursor" not in page:
                return
            query["cursor"] = page["nextCursor"]

    def payments_page(self, **query: Any) -> dict[str, Any]:
        """One page; the next one has the nextCursor of this one as cursor."""
        return self._ask("GET", f"/v1/payments?{urlencode(query)}", "payments", True)

    def payment(self, payment_id: str) -> dict[str, Any]:
        """One payment by its id or its reference, with its story and its notices."""
        return self._ask("GET", f"/v1/payments/{_part(payment_id)}", "timeline", True)

    def refresh(self, payment_id: str) -> dict[str, Any]:
        """Has the companion ask the payment service now."""
        return self._ask("POST", f"/v1/payments/{_part(payment_id)}/refresh", "phase", True)

    def resend(self, payment_id: str) -> int:
        """Has the notices of a payment sent again; returns how many."""
        return self._ask("POST", f"/v1/payments/{_part(payment_id)}/notices", "requeued", False)["requeued"]

    def decide(self, payment_id: str, outcome: str, reason: str, by: str) -> dict[str, Any]:
        """Ends a payment in review: succeeded or failed, for a reason, by the name of a person."""
        decision = {"outcome": outcome, "reason": reason, "by": by}
        return self._ask("POST", f"/v1/payments/{_part(payment_id)}/decision", "phase", False, decision)

    def _ask(
        self,
        method: str,
        path: str,
        answers_with: str,
        repeatable: bool,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        for tried in range(self._retries + 1):
            status, text, pause, fault = self._once(method, path, body, headers or {})
            passing = status == 0 or (status in PASSING and pause <= LONGEST_PAUSE_S)
            if not repeatable or not passing or tried == self._retries:
                break
            time.sleep(pause or random.uniform(0, 0.3 * 2**tried))
        if status == 0:
            done = "The same call can be made again." if repeatable else "It may have been done: read the payment before you call again."
            raise CheckoutError(
                "network",
                f"{self._url} gave no answer ({fault}). See whether the companion runs there, and whether the url is right. {done}",
            )
        answer = _parsed(text)
        if 200 <= status < 300 and answers_with in answer:
            return answer
        raise self._refusal(status, answer)

    def _refusal(self, status: int, answer: dict[str, Any]) -> CheckoutError:
        if 300 <= status < 400:
            text = f"{self._url} leads to another address: give the client that one as url, without the path /v1."
            return CheckoutError("redirected", text, status)
        code = answer.get("code")
        # The type tells the companion's own word from that of a gateway before it.
        if not isinstance(code, str) or answer.get("type") != f"/problems/{code}":
            return CheckoutError(
                "not_the_companion",
                f"{self._url} has answered {status} with something that is not the companion's: "
                "see whether the url is right, and that the companion is up.",
                status,
            )
        return CheckoutError(code, f"{answer.get('detail', '')} {_ADVICE.get(code, '')}".strip(), status, answer)

    def _once(
        self, method: str, path: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes, int, str]:
        """Status (0: no answer), text, the pause that is asked for in seconds, and what went wrong."""
        own = {"Authorization": f"Bearer {self._key}", "Accept": "application/json", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, {**own, **headers}, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return response.status, response.read(), 0, ""
        except urllib.error.HTTPError as error:
            pause = error.headers.get("retry-after", "")
            return error.code, error.read(), int(pause) if pause.isdigit() else 0, ""
        except (OSError, http.client.HTTPException) as error:
            return 0, b"", 0, str(error)


def _part(identifier: str) -> str:
    if not identifier:
        raise ValueError("Give the id as a text that is not empty.")
    return quote(identifier, safe="")


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def verify_notice(raw_body: bytes, headers: Mapping[str, str], secret: str | None) -> dict[str, Any]:
    """The notice, if one of the companion's secrets has signed it within five minutes; else it raises NoticeError.

    raw_body: as it arrived, in Flask request.get_data(), in Django request.body.
    secret: the companion's HC_NOTIFY_SECRET (whsec_…); one or several with commas between, any of which will do.
    """
    keys = notice_keys(secret)
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise NoticeError("unsigned", f"The header {name} is missing: this is no notice, or a proxy has removed it.")
    timestamp = given["webhook-timestamp"]
    signed = f"{given['webhook-id']}.{timestamp}.".encode() + raw_body
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    signatures = [one.encode() for one in given["webhook-signature"].split(" ")]
    if not any([hmac.compare_digest(one, own) for one in signatures for own in expected]):
        raise NoticeError(
            "forged",
            "The signature does not fit. If the companion has sent it, give the receiver its HC_NOTIFY_SECRET, "
            "and the body as it arrived.",
        )
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > 300:
        raise NoticeError(
            "out_of_time",
            "The notice was signed more than five minutes ago, or later than now. If it is genuine, the clock of this "
            "machine or of the companion is wrong.",
        )
    notice = _parsed(raw_body)
    data = notice.get("data")
    kinds = {"paymentId": str, "version": int, "amount": int, "currency": str}
    if not isinstance(notice.get("type"), str) or not isinstance(data, dict) or not all(isinstance(data.get(name), kind) for name, kind in kinds.items()):
        raise NoticeError("unreadable", "The notice is genuine and cannot be read: take a hccheckout.py that is as new as the companion.")
    return notice


def notice_keys(secret: str | None) -> list[bytes]:
    """The keys of HC_NOTIFY_SECRET. Raises ValueError for one that no companion has: call it when the shop starts."""
    return [_key_of(one.strip()) for one in (secret or "").split(",")]


def _key_of(secret: str) -> bytes:
    found = re.fullmatch(r"whsec_([A-Za-z0-9+/]+={0,2})", secret)
    try:
        key = base64.b64decode(found[1] if found else "", validate=True)
    except binascii.Error:
        key = b""
    if not 24 <= len(key) <= 64:  # with an empty one anybody could sign
        raise ValueError(
            "The secret of the notices is empty or malformed. Give HC_NOTIFY_SECRET of the companion: whsec_ and base64 of 24 to 64 bytes."
        )
    return key
