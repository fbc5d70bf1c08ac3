// A sender's view of a response to a document. Every ACK of any test is validated against its XSD here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createXmlEngine, element, text, wrapped } from "#/intake/xml/index.ts";
import { type FeedCode, feedCodes } from "#/kernel/feed-codes.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";

export interface FeedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly isAccepted: boolean;
  readonly token: string;
  readonly feedType: string;
  readonly objectId: string | undefined;
  readonly errors: readonly string[];
  readonly missingSkus: readonly string[];
}

const engine = await createXmlEngine();
const schema = engine.compile(readFileSync(new URL("../../../schemas/xsd/ApiResponse.xsd", import.meta.url)));
const shape = element({
  children: {
    token: text,
    success: text,
    feedType: text,
    errors: wrapped("error", text),
    missingSkus: wrapped("sku", text),
    objectId: text,
  },
});

/** Parses a response that must be an ACK, and fails if it breaks the rules for every ACK (feeds.md §1, §2). */
export function readAcknowledgement(status: number, headers: Headers, bytes: Uint8Array): FeedAnswer {
  const body = Buffer.from(bytes).toString();
  const read = engine.read(bytes, { schema, shape });
  assert.ok(
    read.ok,
    `status ${status}: this is not an apiResponse: ${read.ok || read.fault.problems[0]?.text}\n${body}`,
  );
  const { token = "", success, feedType = "", errors = [], missingSkus = [], objectId } = read.value;
  assert.ok(body.startsWith('<?xml version="1.0" encoding="UTF-8"?>'), body);
  assert.equal(headers.get("content-type"), "application/xml; charset=utf-8");
  assert.ok(isUuidV7(token), body);
  assert.equal(headers.get("x-correlation-token"), token, "the token of the header is that of the ACK");
  const isAccepted = success === "true";
  assert.equal(errors.length === 0, isAccepted, `an ACK says why exactly when it refuses\n${body}`);
  if (isAccepted) assert.equal(status, 200);
  for (const error of errors) assertSentence(error as string, status, errors.length);
  if (feedType === "CAT" || isAccepted) assert.deepEqual(missingSkus, []);
  return {
    status,
    headers,
    body,
    isAccepted,
    token,
    feedType,
    objectId,
    errors: errors as string[],
    missingSkus: missingSkus as string[],
  };
}

/** Each sentence starts with a code of the table, and the response has the status that the table gives. */
function assertSentence(sentence: string, status: number, count: number): void {
  if (count === 101 && /^\d+ further errors? (was|were) left out$/.test(sentence)) return;
  const [, code = ""] = /^\[([A-Z_]+)\] ./.exec(sentence) ?? [];
  const entry = feedCodes[code as FeedCode] as { readonly status: number } | undefined;
  assert.ok(entry, `no code of feeds.md opens: ${sentence}`);
  // The client setting rejectedFeedStatus changes the status of a rejection to 422, and nothing else.
  if (entry.status !== 200 || status !== 422) assert.equal(status, entry.status, sentence);
}
