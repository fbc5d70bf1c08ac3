import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePattern } from "#/kernel/values/pattern.ts";

function matches(source: string, text: string, ignoresCase = false): boolean {
  const parsed = parsePattern(source, ignoresCase);
  assert(parsed.ok, `${source}: ${parsed.ok ? "" : parsed.fault}`);
  return parsed.value.matches(text);
}

test("a pattern matches a part of the text, or with ^ and $ the whole", () => {
  assert(matches("gift", "a gift"));
  assert(!matches("^gift$", "a gift"));
  assert(matches("^[A-Z]{2}\\d+$", "AB123"));
  assert(matches("\\bcard\\b", "a card."));
  assert(!matches("\\bcard\\b", "cards"));
  assert(matches("^.$", "😀"));
});

test("letters match in either case where that is wanted, also those of other alphabets", () => {
  assert(matches("geschenk", "Ein GESCHENK", true));
  assert(!matches("geschenk", "Ein GESCHENK"));
  assert(matches("^[a-z]+$", "ABC", true));
  assert(matches("ÄRGER", "ärger", true));
});

test("a pattern that stops a backtracking engine is matched at once, and the end of a long text is not read", () => {
  const text = `${"a".repeat(1_000)}!`;
  assert(!matches("(a+)+$", `${"a".repeat(900)}!`));
  assert(!matches("(a|a)*(a|a)*(a|a)*b", text));
  assert(!matches("!", text));
});

test("a form that RE2 does not have and a text that is not a pattern are refused with the reason", () => {
  const faults = {
    "(": "missing closing ): `(`",
    "[a": "missing closing ]: `[a`",
    "*a": "missing argument to repetition operator: `*`",
    "(a)\\1": "invalid escape sequence: `\\1`",
    "(?=a)": "invalid or unsupported Perl syntax: `(?=`",
    "((a{50}){50}){50}": "invalid repeat count: `{50}`",
    ["a".repeat(201)]: "a pattern has at most 200 characters",
    "(\\pL|\\pN|\\pS|\\PZ){1000}z": "a pattern has at most 300 instructions, and this one has 3003: repeat less",
  };
  for (const [source, fault] of Object.entries(faults)) {
    assert.deepEqual(parsePattern(source), { ok: false, fault }, source);
  }
});
