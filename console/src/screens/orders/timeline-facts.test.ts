import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOnce } from "./timeline-facts.ts";

type Entry = Parameters<typeof factsOnce>[0][number];

const entry = (kind: Entry["kind"], second: number, text: string, more: Partial<Entry> = {}): Entry => ({
  at: new Date(Date.UTC(2026, 10, 20, 10) + second * 1000).toISOString(),
  kind,
  code: null,
  text,
  detail: null,
  actor: null,
  tone: "NEUTRAL",
  link: null,
  ...more,
});

const shownOf = (entries: readonly Entry[]) =>
  factsOnce(entries).map(({ text, detail, actor }) =>
    [text, detail, actor].filter((part) => part !== null).join(" | "),
  );

test("a change is shown by its code of the catalogue, with who caused it and why", () => {
  assert.deepEqual(
    shownOf([
      entry("MILESTONE", 0, "Order On Hold", { code: 30 }),
      entry("CHANGE", 0.02, "Held", { actor: "user:anna", detail: "reason no such street" }),
      entry("MILESTONE", 60, "Hold Released", { code: 35 }),
      entry("MILESTONE", 60, "Order Allocated", { code: 50 }),
      entry("CHANGE", 60.03, "Released", { actor: "user:bert" }),
    ]),
    ["Order On Hold | reason no such street | user:anna", "Hold Released | user:bert", "Order Allocated"],
  );
});

test("a change without a code, a late one, and the second of two stay", () => {
  assert.deepEqual(
    shownOf([
      entry("CHANGE", 0, "Order changed", { actor: "user:anna" }),
      entry("MILESTONE", 1, "Order Packed", { code: 60, detail: "Parcel 1" }),
      entry("CHANGE", 1.1, "Packed", { actor: "warehouse:DC1", detail: "PICKING to PACKED" }),
      entry("CHANGE", 1.2, "Packed", { actor: "warehouse:DC1" }),
      entry("MILESTONE", 9, "Order Despatched", { code: 100 }),
      entry("CHANGE", 30, "Despatched", { actor: "warehouse:DC1" }),
    ]),
    [
      "Order changed | user:anna",
      "Order Packed | Parcel 1 · PICKING to PACKED | warehouse:DC1",
      "Packed | warehouse:DC1",
      "Order Despatched",
      "Despatched | warehouse:DC1",
    ],
  );
});

test("a change is merged with a code of the same moment that is listed after it", () => {
  assert.deepEqual(
    shownOf([
      entry("CHANGE", 0, "Despatched", { actor: "warehouse:DC1", detail: "PACKED to PARTIALLY_DESPATCHED" }),
      entry("MILESTONE", 0, "Order Partially Despatched", { code: 95 }),
      entry("CHANGE", 1, "Cancelled", { actor: "user:anna" }),
      entry("MILESTONE", 1, "Order Cancelled", { code: 90 }),
      entry("CHANGE", 5, "Packed"),
      entry("MILESTONE", 6, "Order Packed", { code: 60 }),
    ]),
    [
      "Order Partially Despatched | PACKED to PARTIALLY_DESPATCHED | warehouse:DC1",
      "Order Cancelled | user:anna",
      "Packed",
      "Order Packed",
    ],
  );
});
