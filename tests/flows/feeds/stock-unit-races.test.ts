// feeds.md §4, Units: a catalogue that changes a stock unit and a document in that unit exclude each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { holdWritesTo, untilBlocked } from "../../support/postgres/locks.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");

const withUnit = (sku: string, unit: string) =>
  catalogue("DEMO", [{ sku, extendedAttributes: attributes({ StockUom: unit }) }]);
const documents = {
  NO: ["sales_order_line", (sku: string) => order("DEMO", `O-${sku}`, [{ sku, qty: 1 }])],
  PO: ["purchase_order_line", (sku: string) => purchaseOrder("DEMO", `P-${sku}`, [{ sku, qty: 1 }])],
  RMA: [
    "return_authorisation_line",
    (sku: string) => authorisation("DEMO", `R-${sku}`, [{ sku, quantityReturned: 1 }]),
  ],
} as const;

for (const [type, [table, documentOf]] of Object.entries(documents)) {
  test(`a CAT that changes a unit waits for an ${type} in the unit, and is refused`, async () => {
    const sku = `FIRST-${type}`;
    await demo.accept("CAT", withUnit(sku, "EA"));
    const release = await holdWritesTo(server.database, table);
    const document = demo.send(type, documentOf(sku));
    await untilBlocked(server.database, 1);
    const change = demo.send("CAT", withUnit(sku, "KG"));
    await untilBlocked(server.database, 2);
    await release();
    const answer = await document;
    assert.ok(answer.isAccepted, answer.body);
    const { isAccepted, errors } = await change;
    assert.equal(isAccepted, false);
    assert.match(errors[0] as string, /StockUom of SKU FIRST-\w+ cannot change from EA to KG while/);
  });
}

test("an order in a unit that a CAT is changing waits for the CAT, and counts in the new unit", async () => {
  await demo.accept("CAT", withUnit("SECOND", "EA"));
  const release = await holdWritesTo(server.database, "item");
  const change = demo.send("CAT", withUnit("SECOND", "KG"));
  await untilBlocked(server.database, 1);
  const document = demo.send("NO", order("DEMO", "O-SECOND", [{ sku: "SECOND", qty: 1 }]));
  await untilBlocked(server.database, 2);
  await release();
  for (const answer of [await change, await document]) assert.ok(answer.isAccepted, answer.body);
  const record = (await demo.order("O-SECOND")) as { lines: { uom: string }[] };
  assert.deepEqual(
    record.lines.map(({ uom }) => uom),
    ["KG"],
  );
});
