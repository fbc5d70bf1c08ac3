// feeds.md §4: a change that takes a facility from a client and a document for that facility exclude each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeClient } from "#/modules/clients/index.ts";
import { createWorkOrder } from "#/modules/workorders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { holdWritesTo, untilBlocked } from "../../support/postgres/locks.ts";

const server = await testServer();

const documents = {
  NO: [
    "sales_order_line",
    (client: string) => order(client, "O-1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" }),
    "1 open order",
  ],
  PO: [
    "purchase_order_line",
    (client: string) => purchaseOrder(client, "P-1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" }),
    "1 open purchase order",
  ],
  RMA: [
    "return_authorisation_line",
    (client: string) =>
      authorisation(client, "R-1", [{ sku: "A", quantityReturned: 1 }], { distributionCentre: "DC2" }),
    "1 open return",
  ],
} as const;

async function clientWithItem(clientId: string) {
  const client = await server.onboard(clientId);
  await client.accept("CAT", catalogue(clientId, ["A", "B"]));
  return {
    ...client,
    clientId,
    /** As `clientDirectory/patch` does. */
    takeFacility: (left: readonly string[] = ["DC1"]) =>
      server.operate((tx, change) => changeClient(tx.of(clientId, change), { facilities: left })),
    createWorkOrder: () =>
      server.operate((tx, change) =>
        createWorkOrder(tx.of(clientId, change), {
          clientId,
          facilityCode: "DC2",
          workOrderId: "W-1",
          finishedGoodSku: "A",
          qty: 1,
          components: [{ sku: "B", qtyPer: 1 }],
        }),
      ),
  };
}

function refusalOf(result: Awaited<ReturnType<typeof changeClient>>): string {
  assert.ok(!result.ok, "the change must be refused");
  return JSON.stringify(result.fault);
}

for (const [type, [table, documentOf, open]] of Object.entries(documents)) {
  test(`a change that takes a facility waits for an ${type} of the facility, and is refused`, async () => {
    const client = await clientWithItem(`F-${type}`);
    const release = await holdWritesTo(server.database, table);
    const document = client.send(type, documentOf(client.clientId));
    await untilBlocked(server.database, 1);
    const change = client.takeFacility();
    await untilBlocked(server.database, 2);
    await release();
    const answer = await document;
    assert.ok(answer.isAccepted, answer.body);
    assert.match(refusalOf(await change), new RegExp(`facility DC2 has ${open}\\. `));
  });

  test(`an ${type} of a facility that a change is taking waits for the change, and is refused`, async () => {
    const client = await clientWithItem(`S-${type}`);
    const release = await holdWritesTo(server.database, "client_facility");
    const change = client.takeFacility();
    await untilBlocked(server.database, 1);
    const document = client.send(type, documentOf(client.clientId));
    await untilBlocked(server.database, 2);
    await release();
    assert.ok((await change).ok);
    const { isAccepted, errors } = await document;
    assert.equal(isAccepted, false);
    assert.deepEqual(errors, [
      `[FACILITY] distributionCentre 'DC2' is unknown or not open to client ${client.clientId}`,
    ]);
  });
}

test("an order without a facility is routed past one that a change is taking", async () => {
  const client = await clientWithItem("ROUTED");
  const release = await holdWritesTo(server.database, "client_facility");
  const change = client.takeFacility(["DC3"]);
  await untilBlocked(server.database, 1);
  const document = client.send("NO", order("ROUTED", "O-1", [{ sku: "A", qty: 1 }]));
  await untilBlocked(server.database, 2);
  await release();
  assert.ok((await change).ok);
  const answer = await document;
  assert.ok(answer.isAccepted, answer.body);
  assert.equal((await client.order("O-1"))?.distributionCentre, "DC3");
});

test("an order without a facility is refused while a change takes the last one", async () => {
  const client = await clientWithItem("NOWHERE");
  const release = await holdWritesTo(server.database, "client_facility");
  const change = client.takeFacility([]);
  await untilBlocked(server.database, 1);
  const document = client.send("NO", order("NOWHERE", "O-1", [{ sku: "A", qty: 1 }]));
  await untilBlocked(server.database, 2);
  await release();
  assert.ok((await change).ok);
  assert.deepEqual((await document).errors, ["[FACILITY] no facility is open to client NOWHERE"]);
});

test("a work order and a change that takes its facility exclude each other", async () => {
  const first = await clientWithItem("WO-FIRST");
  const releaseOrder = await holdWritesTo(server.database, "work_order");
  const created = first.createWorkOrder();
  await untilBlocked(server.database, 1);
  const waiting = first.takeFacility();
  await untilBlocked(server.database, 2);
  await releaseOrder();
  assert.ok((await created).ok);
  assert.match(refusalOf(await waiting), /facility DC2 has 1 open work order\. /);

  const second = await clientWithItem("WO-SECOND");
  const releaseChange = await holdWritesTo(server.database, "client_facility");
  const change = second.takeFacility();
  await untilBlocked(server.database, 1);
  const late = second.createWorkOrder();
  await untilBlocked(server.database, 2);
  await releaseChange();
  assert.ok((await change).ok);
  const answer = await late;
  assert.ok(!answer.ok && answer.fault.kind === "unprocessable");
  assert.match(JSON.stringify(answer.fault), /facilityCode/);
});
