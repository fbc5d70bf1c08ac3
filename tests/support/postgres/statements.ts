// INV and IMS as a client reads them: every part valid, and the parts complete.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as repository from "#/delivery/outbound/repository.ts";
import { createXmlEngine, element, type Shape, text, wrapped } from "#/intake/xml/index.ts";
import type { Database } from "#/store/db/database.ts";

const engine = await createXmlEngine();
const xsd = (type: string) =>
  engine.compile(readFileSync(new URL(`../../../schemas/xsd/${type}.xsd`, import.meta.url)));

const itemTexts = ["sku", "stockPool", "uom", "onHand", "allocated", "onHold", "damaged", "available", "expected"];
const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
const head = ["messageId", "distributionCentre", "snapshotId", "snapshotDate", "position", "part", "parts"];
const schemas = { INV: xsd("INV"), IMS: xsd("IMS") };
const shapes = {
  INV: element({ children: { ...texts(head), items: wrapped("item", element({ children: texts(itemTexts) })) } }),
  IMS: element({
    children: {
      ...texts([...head, "fromPosition", "toPosition"]),
      items: wrapped(
        "item",
        element({
          children: {
            ...texts(["sku", "opening", "closing"]),
            movements: wrapped("movement", element({ children: texts(["movementId", "type", "qty", "condition"]) })),
          },
        }),
      ),
    },
  }),
};

export interface Part {
  readonly messageId: string;
  readonly type: "INV" | "IMS";
  readonly objectId: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly items: readonly StatedItem[];
}

export interface StatedItem extends Readonly<Record<string, unknown>> {
  readonly sku: string;
  readonly movements?: readonly Readonly<Record<string, string>>[];
}

/** The parts of a client's statements of one type, in the order of its list. */
export async function readParts(database: Database, clientId: string, type: "INV" | "IMS"): Promise<Part[]> {
  const rows = await repository.listPending(database.of(clientId), 0, type, 500);
  const parts: Part[] = [];
  for (const { messageId, objectId } of rows) {
    const xml = await repository.findPayload(database.of(clientId), messageId);
    const read = engine.read(xml as Buffer, { schema: schemas[type], shape: shapes[type] as Shape<unknown> });
    assert.ok(read.ok, read.ok ? "" : JSON.stringify(read.fault.problems.slice(0, 3)));
    const { items, ...fields } = read.value as { items?: readonly StatedItem[] } & Record<string, unknown>;
    assert.equal(fields.messageId, messageId);
    parts.push({ messageId, type, objectId, fields: fields as Record<string, string>, items: items ?? [] });
  }
  return parts;
}

/** Asserts opening + movements = closing for every SKU, over all parts of one statement; returns the closings. */
export function assertBalanced(parts: readonly Part[]): Map<string, number> {
  const bySku = Map.groupBy(
    parts.flatMap(({ items }) => items),
    ({ sku }) => sku,
  );
  const closings = new Map<string, number>();
  for (const [sku, items] of bySku) {
    const [{ opening, closing }] = items as [StatedItem];
    for (const item of items) assert.deepEqual([item.opening, item.closing], [opening, closing], sku);
    const moved = items
      .flatMap(({ movements = [] }) => movements)
      .reduce((sum, { qty }) => sum + Math.round(Number(qty) * 1000), 0);
    assert.equal(Math.round(Number(opening) * 1000) + moved, Math.round(Number(closing) * 1000), sku);
    closings.set(sku, Number(closing));
  }
  return closings;
}

/** On-hand by SKU over all pools, of all parts of one snapshot. */
export function onHandOf(parts: readonly Part[]): Map<string, number> {
  const onHand = new Map<string, number>();
  for (const { sku, onHand: qty } of parts.flatMap(({ items }) => items)) {
    onHand.set(sku, (onHand.get(sku) ?? 0) + Number(qty));
  }
  return onHand;
}
