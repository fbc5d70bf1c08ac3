// The attempts of the third round as data: the next round begins with them, and adds its own kinds.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

interface RecordedAttempt {
  readonly id: string;
  readonly kind: string;
  /** Variants of the request. */
  readonly requests: number;
  readonly request: string;
  readonly expected: string;
  /** The test, or the decision, that answers an attempt which was not refused as expected. */
  readonly provedBy?: string;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const file = fileURLToPath(new URL("third-round.json", import.meta.url));
const attempts = JSON.parse(readFileSync(file, "utf8")) as readonly RecordedAttempt[];

test("each attempt has its kind, its request and the expected answer, under one id", () => {
  const ids = new Set(attempts.map(({ id }) => id));
  assert.equal(ids.size, attempts.length);
  for (const { id, kind, requests, request, expected } of attempts) {
    assert.ok(kind !== "" && request !== "" && expected !== "" && requests >= 1, id);
  }
});

test("each attempt that had an effect has the test or the decision that answers it", () => {
  const answered = attempts.flatMap(({ provedBy }) => provedBy ?? []);
  assert.ok(answered.length > 20);
  assert.deepEqual(
    answered.filter((name) => !existsSync(path.join(root, name))),
    [],
  );
});
