import json
import time
import urllib.parse
import uuid
from typing import Any, Callable, Dict, Iterator, Mapping, Optional

from ._errors import ProblemError
from ._json import from_json, to_json
from ._sender import Retry, Sender
from ._services import Services
from .webhook import Event


class Client(Services):
    """A client of the REST services: `client.orders`, `client.inventory` and so on share one token.

    Methods return the record of the answer and raise ProblemError when the service refuses the request, TokenError when there
    is no token, and OSError when no answer arrives.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        auth_url: Optional[str] = None,
        timeout: float = 30.0,
        retry: Retry = Retry(),
    ) -> None:
        self._sender = Sender(base_url, auth_url, client_id, client_secret, timeout, retry)
        super().__init__(self)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> Any:
        """The JSON of any request, for what the services' methods do not cover."""
        content = self.fetch(method, path, query=query, body=body, idempotency_key=idempotency_key, if_match=if_match)
        return json.loads(content) if content else None

    def fetch(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> bytes:
        """The bytes of an answer, such as a label."""
        pairs = {name: _text(to_json(value)) for name, value in (query or {}).items() if value is not None}
        target = f"{path}?{urllib.parse.urlencode(pairs)}" if pairs else path
        headers: Dict[str, str] = {"Accept": "application/json, */*;q=0.5"}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        if if_match is not None:
            headers["If-Match"] = if_match
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(to_json(body)).encode()
        answer = self._sender.send(method, target, headers, content)
        if not 200 <= answer.status < 300:
            raise ProblemError(answer.status, answer.body, answer.headers.get("X-Correlation-Token", ""))
        return answer.body

    def pages(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Iterator[Dict[str, Any]]:
        """The pages of a list, requested on demand. A change feed ends when `nextCursor` is the cursor that was sent: store it,
        and pass it as `cursor` next time."""
        sent = dict(query or {})
        while True:
            page = self.request("GET", path, query=sent)
            yield page
            if page["nextCursor"] is None or page["nextCursor"] == sent.get("cursor"):
                return
            sent["cursor"] = page["nextCursor"]

    def records(self, path: str, query: Optional[Mapping[str, Any]] = None, kind: Any = Any) -> Iterator[Any]:
        """The records of a list over all its pages."""
        for page in self.pages(path, query):
            for item in page["items"]:
                yield from_json(kind, item)

    def events(
        self,
        *,
        cursor: Optional[str] = None,
        save: Optional[Callable[[str], None]] = None,
        follow: Optional[float] = None,
        topic_name: Optional[str] = None,
        facility_code: Optional[str] = None,
        object_type: Optional[str] = None,
        object_id: Optional[str] = None,
        since: Any = None,
    ) -> Iterator[Event]:
        """The events of the client in the order of the log.

        `save` gets the cursor when every event before it was handled. Store it, and pass it as `cursor`: a program that ends
        continues there, and sees at most the events of one page again. At the end of the log the loop ends, or looks again
        after `follow` seconds.
        """
        query = {
            "topicName": topic_name,
            "facilityCode": facility_code,
            "objectType": object_type,
            "objectId": object_id,
            "since": since,
        }
        while True:
            page = self.request("GET", "/v1/webhookService/event/list", query={**query, "cursor": cursor})
            for item in page["items"]:
                yield from_json(Event, item)
            if page["nextCursor"] in (None, cursor):
                if follow is None:
                    return
                time.sleep(follow)
                continue
            cursor = page["nextCursor"]
            if save is not None:
                save(cursor)

    def _call(
        self,
        kind: Any,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        has_key: bool = False,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
    ) -> Any:
        """A write gets a key where the caller has none, so that it can be sent again."""
        key = idempotency_key or (str(uuid.uuid4()) if has_key else None)
        answer = self.request(method, path, query=query, body=body, idempotency_key=key, if_match=if_match)
        return from_json(kind, answer)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
