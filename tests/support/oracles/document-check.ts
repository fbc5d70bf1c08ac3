// Every answer that a test fetches from a REST service is held against the service's committed document. Imported by
// what starts servers for tests; it takes the place of `fetch` for the whole file.
import assert from "node:assert/strict";
import { atEnd } from "../app/at-end.ts";
import { noteAnswer, writeNotes } from "../http/answer-coverage.ts";
import { createAnswerJudge, readPublished, watched } from "../http/published-answer.ts";

/** A refusal that the program under test has caught, and gone on, fails the file all the same. */
const seen = new Set<string>();

const plainFetch = globalThis.fetch;
globalThis.fetch = watched(plainFetch, createAnswerJudge(readPublished()), noteAnswer, (fault) => seen.add(fault));

atEnd(() => {
  globalThis.fetch = plainFetch;
  writeNotes();
  assert.equal([...seen].join("\n"), "");
});
