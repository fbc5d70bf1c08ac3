import assert from "node:assert/strict";
import { test } from "node:test";
import { failureInWords } from "#/console-api/webhooks/failure-words.ts";

test("a receiver that takes no connections is named with its host and port", () => {
  const refused = "connect: connect ECONNREFUSED 127.0.0.1:9";
  assert.equal(failureInWords(refused), "127.0.0.1:9 does not accept connections (ECONNREFUSED)");
  assert.equal(failureInWords(refused, "shop.example"), "shop.example does not accept connections (ECONNREFUSED)");
  assert.equal(
    failureInWords("connect: connect ECONNREFUSED ::1:9; connect ECONNREFUSED 127.0.0.1:9"),
    "::1:9 does not accept connections (ECONNREFUSED)",
  );
  assert.equal(failureInWords("connect: no route"), "the receiver does not accept connections (no route)");
});

test("other failures are said in words, and their detail stays", () => {
  assert.equal(failureInWords("status: answered 503"), "the receiver answered 503");
  assert.equal(
    failureInWords("dns: getaddrinfo ENOTFOUND shop.example"),
    "the name of the receiver has no address (ENOTFOUND)",
  );
  assert.equal(
    failureInWords("timeout: the timeout of 15 s expired", "shop.example"),
    "shop.example did not answer in time (the timeout of 15 s expired)",
  );
  assert.equal(failureInWords("expired: the message is no longer stored"), "expired: the message is no longer stored");
  assert.equal(failureInWords("something else"), "something else");
});
