import dataclasses
import re
import urllib.parse
import xml.etree.ElementTree as ElementTree
from typing import Any, Dict, List, Optional, Union

from . import feeds
from ._errors import FeedError
from ._json import to_json
from ._sender import Answer, Retry, send_once, send_patiently


@dataclasses.dataclass(frozen=True)
class Fault:
    """An error of an acknowledgement: `[UNKNOWN_SKU] The request …`."""

    #: Programs react to it: `UNKNOWN_SKU`.
    code: str
    message: str
    #: The line of the document as it was sent, where the message names it.
    line: Optional[int]


@dataclasses.dataclass(frozen=True)
class Acknowledgement:
    #: Correlation token of the document.
    token: str
    #: Whether the document was accepted.
    success: bool
    feed_type: str
    errors: List[Fault]
    missing_skus: List[str]
    object_id: Optional[str]


def write_feed(document: Any) -> bytes:
    """The XML of a document of `crossdock.feeds`. Fields that are None are left out."""
    _, root = feeds.DOCUMENTS[type(document)]
    element = _element(root, to_json(document))
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(element, encoding="utf-8")


#: Letters that XML 1.0 does not have.
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _element(name: str, value: Any) -> ElementTree.Element:
    element = ElementTree.Element(name)
    if not isinstance(value, dict):
        element.text = _text(name, value)
        return element
    for key, part in value.items():
        if key.startswith("@"):
            element.set(key[1:], _text(key, part))
        elif key == "#text":
            element.text = _text(name, part)
        else:
            for item in part if isinstance(part, list) else [part]:
                element.append(_element(key, item))
    return element


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        # Without an exponent, which a decimal of XSD does not have.
        return f"{value:.9f}".rstrip("0").rstrip(".")
    text = str(value)
    if _IMPOSSIBLE.search(text):
        raise ValueError(f"{name} has a character that XML cannot carry")
    return text


def read_acknowledgement(text: Union[str, bytes]) -> Acknowledgement:
    """@raise ValueError: where the text is no acknowledgement."""
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"not an acknowledgement: {error}") from error
    if root.tag != "apiResponse":
        raise ValueError(f"<{root.tag}> is not an acknowledgement")
    return Acknowledgement(
        token=root.findtext("token", ""),
        success=root.findtext("success") == "true",
        feed_type=root.findtext("feedType", ""),
        errors=[_fault(error.text or "") for error in root.iterfind("errors/error")],
        missing_skus=[sku.text or "" for sku in root.iterfind("missingSkus/sku")],
        object_id=root.findtext("objectId"),
    )


def _fault(text: str) -> Fault:
    found = re.match(r"\[(\w+)\] (.*)", text, re.DOTALL)
    code, message = found.groups() if found else ("", text)
    line = re.search(r"\bLine (\d+)", message)
    return Fault(code, message, int(line.group(1)) if line else None)


class FeedClient:
    """A client of the XML feeds over HTTP."""

    def __init__(
        self, base_url: str, client_id: str, api_key: str, *, timeout: float = 35.0, retry: Retry = Retry(attempts_max=5)
    ) -> None:
        self._base = f"{base_url.rstrip('/')}/feeds/{urllib.parse.quote(client_id, safe='')}"
        self._api_key = api_key
        self._timeout = timeout
        self._retry = retry

    def send(
        self, document: Any, *, idempotency_key: Optional[str] = None, feed_type: Optional[str] = None
    ) -> Acknowledgement:
        """Sends a document, and waits for its acknowledgement: `success` says whether it was accepted.

        @param document: a document of `crossdock.feeds`, or its XML as bytes, with `feed_type`.
        @param idempotency_key: the document counts once, however often it is sent. Without it a document is not sent again
            after a lost answer.
        @raise FeedError: when the request was refused before the document was validated.
        """
        return self._post("", document, idempotency_key, feed_type, idempotency_key is not None)

    def validate(self, document: Any, *, feed_type: Optional[str] = None) -> Acknowledgement:
        """The acknowledgement that the document would get; stores nothing."""
        return self._post("/validate", document, None, feed_type, True)

    def _post(
        self, suffix: str, document: Any, key: Optional[str], feed_type: Optional[str], is_repeatable: bool
    ) -> Acknowledgement:
        if isinstance(document, bytes):
            if feed_type is None:
                raise TypeError("a document as bytes needs feed_type")
            content = document
        else:
            feed_type, _ = feeds.DOCUMENTS[type(document)]
            content = write_feed(document)
        headers: Dict[str, str] = {"X-API-KEY": self._api_key, "Content-Type": "application/xml"}
        if key is not None:
            headers["Idempotency-Key"] = key

        def attempt() -> Answer:
            return send_once("POST", f"{self._base}/{feed_type}{suffix}", headers, content, self._timeout)

        answer = send_patiently(lambda: attempt, is_repeatable, self._retry)
        if answer.status in (200, 422):
            try:
                return read_acknowledgement(answer.body)
            except ValueError:
                # A proxy answered.
                pass
        raise FeedError(answer.status, answer.body.decode("utf-8", "replace"))
