import base64
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional, Type, TypeVar

from ._errors import SignatureError
from ._json import from_json
from .webhook import EventPush

Data = TypeVar("Data")


def read_data(kind: Type[Data], event: Any) -> Data:
    """The data of an event as a record of `crossdock.events`, such as `OrderData` for `order:*`."""
    return from_json(kind, event.data)


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = 300, now: Optional[float] = None
) -> EventPush:
    """The event of a push, after its signature was verified (Standard Webhooks).

    @param body: the bytes as they were received; a body that was parsed and written again has others.
    @raise SignatureError
    """
    values = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at = values.get("webhook-id", ""), values.get("webhook-timestamp", "")
    seconds = time.time() if now is None else now
    if not sent_at.isdigit() or abs(seconds - int(sent_at)) > tolerance:
        raise SignatureError(f"the time {sent_at} differs by more than {tolerance} s from the clock")
    key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret)
    digest = hmac.new(key, f"{message_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    for signature in values.get("webhook-signature", "").split(" "):
        if hmac.compare_digest(signature.encode(), expected):
            return from_json(EventPush, json.loads(body))
    raise SignatureError("no signature fits the body and the secret")
