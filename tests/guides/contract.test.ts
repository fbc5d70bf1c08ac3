// docs/contract: the data in its documents matches the published schemas, and its tables match the code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventCodes } from "#/kernel/event-codes.ts";
import { feedCodes } from "#/kernel/feed-codes.ts";
import { reasonCodes } from "#/modules/inventory/index.ts";
import { holdMeanings, orderStateRules } from "#/modules/orders/index.ts";
import { carrierCodeLeads } from "#/modules/parcels/index.ts";
import { fencesOf, readPage, remarkOf } from "./fences.ts";
import { validateJson } from "./shown-data.ts";

test("the push that the contract shows is an event of the catalogue", () => {
  const shown = fencesOf("docs/contract/webhooks.md").filter(
    (fence) => remarkOf(fence, "run-by") === "tests/guides/contract.test.ts",
  );
  assert.equal(shown.length, 1);
  for (const fence of shown) validateJson({ ...fence, remark: "shows: event" });
});

/** The part of a page under a second-level heading. */
function partOf(page: string, heading: string): string {
  const part = readPage(`docs/contract/${page}.md`)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  assert.ok(part !== undefined, `${page}.md has no part '${heading}'`);
  return part;
}

/** The cells of each row of a part's tables, without heads and rules. */
const rowsOf = (part: string): string[][] =>
  [...part.matchAll(/^\|(?! (?:Code|Status|Codes|#) )(.*[^-|\n].*)\|$/gm)].map(([, cells = ""]) =>
    cells.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );

test("lifecycle.md has every event code, its name and its kind", () => {
  const cells = rowsOf(partOf("lifecycle", "9. Event codes")).flat();
  const shown = cells.flatMap((cell, i) => (/^\d+$/.test(cell) ? [[cell, cells[i + 1]?.replace(/ \(.*/, "")]] : []));
  const kindOf = (code: { isException?: true; isEnd?: true }) => (code.isException ? " X" : code.isEnd ? " T" : "");
  assert.deepEqual(
    new Map(shown as [string, string][]),
    new Map(Object.entries(eventCodes).map(([number, code]) => [number, code.name + kindOf(code)])),
  );
});

test("lifecycle.md says of every code of carriers where it leads a parcel", () => {
  const rows = rowsOf(partOf("lifecycle", "5. Parcel (OLPN)"));
  const known = Object.keys(eventCodes).map(Number);
  const shown = rows.flatMap(([codes = "", leads = ""]) =>
    codes.split(", ").flatMap((range) => {
      const [from = 0, to = from] = range.split("–").map(Number);
      const [, status = ""] = /^`(\w+)`/.exec(leads) ?? [];
      return known.filter((code) => code >= from && code <= to).map((code) => [code, status] as const);
    }),
  );
  assert.deepEqual(
    new Map(shown.toSorted(([left], [right]) => left - right)),
    new Map(known.filter((code) => code > 100).map((code) => [code, carrierCodeLeads.get(code) ?? ""])),
  );
});

test("lifecycle.md has every state of an order in the order of their rules, and every hold", () => {
  const part = partOf("lifecycle", "1. Sales order");
  const states = orderStateRules.map(({ state }) => state);
  const shown = rowsOf(part)
    .flatMap((cells) => (cells.length === 3 ? [...(cells[2] ?? "").matchAll(/`([A-Z_]+)`/g)] : []))
    .map(([, state = ""]) => state)
    .filter((state) => (states as readonly string[]).includes(state));
  assert.deepEqual(shown, states);
  for (const hold of Object.keys(holdMeanings)) assert.ok(part.includes(`\`${hold}\``), hold);
});

test("feeds.md has every code of an ACK, those of the transport with their status", () => {
  const statuses = rowsOf(partOf("feeds", "1. HTTP answers"));
  const checked = rowsOf(partOf("feeds", "2. The ACK")).map(([code = ""]) => code);
  for (const [code, { status }] of Object.entries(feedCodes)) {
    const isShown =
      status === 200
        ? checked.includes(`\`[${code}]\``)
        : statuses.some(([number, , body = ""]) => number === String(status) && body.includes(`\`[${code}]\``));
    assert.ok(isShown, code);
  }
});

test("outbound.md has every reason of an adjustment", () => {
  assert.ok(partOf("outbound", "Documents").includes(`\`${reasonCodes.join(" ")}\``));
});
