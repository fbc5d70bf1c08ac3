import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "./order-words.ts";

test("a sentence of the server has states and types of holds in words, and no id of a decision", () => {
  assert.equal(
    inWords(
      "The order is on hold: CARRIER_UNAVAILABLE (no carrier service fits, decision 01a20b2a-8968-701c-9a14-848877b968a6).",
    ),
    "The order is on hold: No carrier fits (no carrier service fits).",
  );
  assert.equal(inWords("PARTIALLY_ALLOCATED to ON_HOLD"), "Partially allocated to on hold");
  assert.equal(inWords("Held as ANOTHER, not OTHER."), "Held as ANOTHER, not Other.");
});
