"""Runs the cases of tests/languages/cases.json with the Python client: a line of steps in, a line for each report out."""

import json
import os
import pathlib
import signal
import sys

import crossdock
from crossdock import _json, events, feeds, order

RETRY = crossdock.Retry(backoff=0.01)
FEED_RETRY = crossdock.Retry(attempts_max=5, backoff=0.01)


def report(**values):
    print(json.dumps(values), flush=True)


def failure_of(error):
    if isinstance(error, crossdock.ProblemError):
        return {"error": "problem", "status": error.status, "code": error.code, "errors": error.errors}
    if isinstance(error, crossdock.TokenError):
        return {"error": "token", "status": error.status, "code": error.error}
    if isinstance(error, crossdock.FeedError):
        return {"error": "feed", "status": error.status}
    if isinstance(error, crossdock.SignatureError):
        return {"error": "signature"}
    if isinstance(error, OSError):
        return {"error": "lost"}
    raise error


def run_step(step, client, url, cursor_file):
    kind = step["do"]
    if kind == "getOrder":
        found = client.orders.get_order(step["orderId"])
        received = _json.to_json(found.received_at)
        report(orderId=found.order_id, status=found.status, qty=found.lines[0].qty, receivedAt=received)
    elif kind == "listOrders":
        seen = []
        try:
            for found in client.orders.list_orders(status=step["status"], limit=step["limit"]):
                seen.append(found.order_id)
            report(items=seen)
        except crossdock.ProblemError as error:
            report(items=seen, **failure_of(error))
    elif kind == "createOrder":
        created = client.orders.create_order(_json.from_json(order.OrderCreate, step["body"]))
        report(orderId=created.order_id)
    elif kind == "post":
        report(body=client.request("POST", step["path"], body=step["body"]))
    elif kind == "feed":
        sender = crossdock.FeedClient(url, "DEMO", "cd_key", retry=FEED_RETRY)
        document = _json.from_json(getattr(feeds, f"{step['type']}Document"), step["document"])
        ack = sender.send(document, idempotency_key=step.get("key"))
        faults = [
            {name: value for name, value in vars(fault).items() if value is not None} for fault in ack.errors
        ]
        report(
            token=ack.token,
            success=ack.success,
            feedType=ack.feed_type,
            errors=faults,
            missingSkus=ack.missing_skus,
            objectId=ack.object_id,
        )
    elif kind == "verify":
        event = crossdock.verify_webhook(step["secret"], step["headers"], step["body"].encode(), now=step["now"])
        data = crossdock.read_data(events.OrderData, event)
        report(type=event.type, objectId=event.object_id, status=data.status)
    elif kind == "events":
        file = pathlib.Path(cursor_file)
        cursor = file.read_text() if file.exists() else None

        def save(value):
            file.write_text(value)
            report(saved=value)

        for number, event in enumerate(client.events(cursor=cursor, save=save, topic_name=step.get("topicName")), 1):
            report(id=event.id)
            if number == step.get("killedAfter"):
                os.kill(os.getpid(), signal.SIGKILL)
        report(end=True)
    else:
        raise ValueError(f"unknown step {kind}")


for line in sys.stdin:
    work = json.loads(line)
    url = work["url"]
    client = crossdock.Client(url, "id", "secret", auth_url=f"{url}/auth", retry=RETRY)
    for step in work["steps"]:
        try:
            run_step(step, client, url, work["cursorFile"])
        except Exception as error:
            report(**failure_of(error))
    report(done=True)
