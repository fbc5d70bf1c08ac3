import json
from typing import Any, List


class TokenError(Exception):
    """The token endpoint refused the request (RFC 6749 §5.2), or its answer has no token."""

    def __init__(self, status: int, error: str, description: str) -> None:
        super().__init__(f"no token: {status} {error} {description}".rstrip())
        self.status = status
        self.error = error


class ProblemError(Exception):
    """The problem details of a refused request (RFC 9457)."""

    def __init__(self, status: int, body: bytes, correlation_token: str) -> None:
        try:
            problem = json.loads(body)
        except ValueError:
            problem = None
        if not isinstance(problem, dict) or "type" not in problem:
            # A proxy refuses without problem details.
            problem = {"type": "about:blank", "detail": body[:500].decode("utf-8", "replace")}
        self.status = status
        self.type: str = problem["type"]
        self.title: str = problem.get("title", "")
        self.detail: str = problem.get("detail", "")
        self.correlation_token: str = problem.get("correlationToken", correlation_token)
        #: Every fault, with `pointer` and `message`; those of a refused document also with `code` and `remedy`.
        self.errors: List[Any] = problem.get("errors", [])
        #: All members of the problem.
        self.members = problem
        super().__init__(f"{status} {self.title}: {self.detail} (correlation token {self.correlation_token})")

    @property
    def code(self) -> str:
        """The last part of `type`: `conflict` in `/problems/conflict`."""
        return self.type.rsplit("/", 1)[-1]


class FeedError(Exception):
    """A feed was refused before its document was validated: the key, the address or the size is wrong."""

    def __init__(self, status: int, answer: str) -> None:
        super().__init__(f"the feed was refused with {status}: {answer[:500]}")
        self.status = status
        self.answer = answer


class SignatureError(Exception):
    """The push is not genuine, or too old: answer it with 401."""
