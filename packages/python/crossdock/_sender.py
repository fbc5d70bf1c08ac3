"""Sends requests with a token, a time-out and retries."""

import dataclasses
import email.utils
import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Dict, Mapping, Optional

from ._errors import TokenError


@dataclasses.dataclass(frozen=True)
class Retry:
    """How requests are sent again. After a 429 every request is; after a lost answer or a failure of the server only reads, and
    writes with an Idempotency-Key."""

    #: With the first attempt.
    attempts_max: int = 3
    #: Seconds; an answer that requests a longer wait is returned at once.
    wait_max: float = 10.0
    #: Seconds before the second attempt where the answer says none, doubled each time.
    backoff: float = 1.0


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


#: Failures that pass. 409 is a document with the same key that is in progress, where the answer says when to return.
_PASSING = {408, 500, 502, 503, 504}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect could carry the token to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send_once(method: str, url: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float) -> Answer:
    request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
    try:
        with _opener.open(request, timeout=timeout) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as refusal:
        with refusal:
            return Answer(refusal.code, refusal.headers, refusal.read())
    except http.client.HTTPException as error:
        raise ConnectionError(f"no answer: {error}") from error


def send_patiently(prepare: Callable[[], Callable[[], Answer]], is_repeatable: bool, retry: Retry) -> Answer:
    """@param prepare: makes each attempt; what it raises is no lost answer.
    @raise OSError: when no answer arrives.
    """
    for number in range(1, retry.attempts_max + 1):
        is_last = number == retry.attempts_max
        wait: Optional[float] = retry.backoff * 2 ** (number - 1) if is_repeatable else None
        attempt = prepare()
        try:
            answer = attempt()
        except OSError:
            # Whether the request arrived is unknown.
            if is_last or wait is None:
                raise
        else:
            requested = _wait_of(answer.headers.get("Retry-After"))
            in_progress = answer.status == 409 and requested is not None
            is_retried = answer.status == 429 or (is_repeatable and (answer.status in _PASSING or in_progress))
            wait = requested if requested is not None else wait
            if is_last or not is_retried or wait is None or wait > retry.wait_max:
                return answer
        time.sleep(min(wait, retry.wait_max))
    raise ValueError("attempts_max is less than 1")


def _wait_of(header: Optional[str]) -> Optional[float]:
    """Seconds, as the services say, or a date, as proxies may."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


class Sender:
    def __init__(
        self, base_url: str, auth_url: Optional[str], client_id: str, client_secret: str, timeout: float, retry: Retry
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._token_url = (auth_url or base_url).rstrip("/") + "/v1/oauth/token"
        self._credentials = {"client_id": client_id, "client_secret": client_secret}
        self._timeout = timeout
        self._retry = retry
        self._lock = threading.Lock()
        self._token = ""
        self._token_until = 0.0
        self._full_until = 0.0

    def send(self, method: str, target: str, headers: Mapping[str, str], body: Optional[bytes]) -> Answer:
        """@param target: path and query, beginning with a slash."""
        if not target.startswith("/"):
            # Any other could name another host, which would receive the token.
            raise ValueError(f"the path does not begin with a slash: {target}")
        is_look_up = method == "POST" and re.search(r"/find[A-Z][A-Za-z]*$", target.split("?")[0]) is not None
        is_repeatable = method in ("GET", "HEAD") or is_look_up or "Idempotency-Key" in headers
        token = ""

        def prepare() -> Callable[[], Answer]:
            nonlocal token
            # Fetched for each attempt, because it may expire during a wait.
            token = self._current_token()
            sent = {**headers, "Authorization": f"Bearer {token}"}
            return lambda: send_once(method, self._base_url + target, sent, body, self._timeout)

        # The last answer left no request of the quota: it fills steadily.
        time.sleep(max(0.0, min(self._full_until - time.monotonic(), self._retry.wait_max)))
        answer = send_patiently(prepare, is_repeatable, self._retry)
        quota = re.search(r";r=0;t=[1-9]", answer.headers.get("RateLimit", ""))
        self._full_until = time.monotonic() + 1 if quota else 0.0
        if answer.status == 401 and 'error="invalid_token"' in answer.headers.get("WWW-Authenticate", ""):
            self._forget(token)
            answer = send_patiently(prepare, is_repeatable, self._retry)
        return answer

    def _current_token(self) -> str:
        """One token for all threads; replaced a minute before it expires, or after nine tenths of a short life."""
        with self._lock:
            if time.monotonic() >= self._token_until:
                started = time.monotonic()
                self._token, life = self._fetch_token()
                self._token_until = started + life - min(60, life / 10)
            return self._token

    def _forget(self, refused: str) -> None:
        with self._lock:
            if self._token == refused:
                self._token_until = 0.0

    def _fetch_token(self) -> Any:
        body = json.dumps({"grant_type": "client_credentials", **self._credentials}).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}

        def attempt() -> Answer:
            return send_once("POST", self._token_url, headers, body, self._timeout)

        answer = send_patiently(lambda: attempt, True, self._retry)
        try:
            content = json.loads(answer.body)
        except ValueError:
            content = None
        content: Dict[str, Any] = content if isinstance(content, dict) else {}
        token, life = content.get("access_token"), content.get("expires_in")
        if answer.status != 200 or not isinstance(token, str) or not isinstance(life, (int, float)):
            raise TokenError(answer.status, content.get("error", ""), content.get("error_description", ""))
        return token, life
