// Validates every REST response in a test against the service's committed document. Modules that start test servers
// import it; it replaces `fetch` for the whole file.
import assert from "node:assert/strict";
import { atEnd } from "../app/at-end.ts";
import { noteAnswer, writeNotes } from "../http/answer-coverage.ts";
import { createPublishedValidator, watched } from "../http/published-answer.ts";

/** Faults also fail the file if the program under test catches the exception and continues. */
const seen = new Set<string>();

const plainFetch = globalThis.fetch;
globalThis.fetch = watched(plainFetch, createPublishedValidator(), noteAnswer, (fault) => seen.add(fault));

atEnd(() => {
  globalThis.fetch = plainFetch;
  writeNotes();
  assert.equal([...seen].join("\n"), "");
});
