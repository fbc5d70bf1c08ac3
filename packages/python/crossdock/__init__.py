"""Client of Crossdock: feeds, REST services, events and webhooks."""

from ._client import Client
from ._errors import FeedError, ProblemError, SignatureError, TokenError
from ._feeds import Acknowledgement, Fault, FeedClient, read_acknowledgement, write_feed
from ._sender import Retry
from ._webhooks import read_data, verify_webhook

__all__ = [
    "Acknowledgement",
    "Client",
    "Fault",
    "FeedClient",
    "FeedError",
    "ProblemError",
    "Retry",
    "SignatureError",
    "TokenError",
    "read_acknowledgement",
    "read_data",
    "verify_webhook",
    "write_feed",
]
