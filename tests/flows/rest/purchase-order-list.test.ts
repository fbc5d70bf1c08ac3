// rest.md §3, Order service: a client lists its purchase orders by receipt, with the filters of the other lists.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { catalogue, purchaseOrder } from "../../support/builders/documents.ts";
import { faultsOf, orderOperationsOf } from "../../support/builders/order-operations.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const client = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const demo = await orderOperationsOf(server, client);
const stranger = await orderOperationsOf(server, other);
await client.accept("CAT", catalogue("DEMO", ["A"]));
const announce = async (poNumber: string, more = {}) =>
  (await client.accept("PO", purchaseOrder("DEMO", poNumber, ["A"], more))).token;
const token = await announce("PO-1");
await announce("PO-2", { distributionCentre: "DC2" });
await announce("PO-3", { vendorOrderId: "V-1" });
await announce("PO-3", { vendorOrderId: "V-2" });
await announce("PO-2", { actionType: "CANCEL" });

type Head = Readonly<Record<string, unknown>>;
const list = async (query: Record<string, string> = {}) =>
  (await demo.list("/purchaseOrder/list", query)).items as readonly Head[];
const namesOf = (heads: readonly Head[]) =>
  heads.map(({ poNumber, vendorOrderId }) => (vendorOrderId === null ? poNumber : `${poNumber}/${vendorOrderId}`));

test("each shipping notice is an entry, by receipt, with its state and without lines", async () => {
  const heads = await list();
  assert.deepEqual(namesOf(heads), ["PO-1", "PO-2", "PO-3/V-1", "PO-3/V-2"]);
  const { receivedAt, updatedAt, ...first } = heads[0] as Head;
  assert.equal(receivedAt, updatedAt);
  assert.deepEqual(first, {
    clientId: "DEMO",
    poNumber: "PO-1",
    vendorOrderId: null,
    status: "OPEN",
    distributionCentre: "DC1",
    completedAt: null,
    closedAt: null,
    messageId: null,
    expectedDate: null,
    carrierCode: null,
    trackingNumber: null,
    extendedAttributes: {},
    feedToken: token,
    version: 1,
    receipts: [],
  });
  assert.deepEqual(namesOf(await list({ sort: "-receivedAt" })), ["PO-3/V-2", "PO-3/V-1", "PO-2", "PO-1"]);
  assert.deepEqual((await stranger.list("/purchaseOrder/list")).items, []);
});

test("filters choose by state, facility and time", async () => {
  assert.deepEqual(namesOf(await list({ status: "CANCELLED" })), ["PO-2"]);
  assert.deepEqual(namesOf(await list({ status: "OPEN", distributionCentre: "DC1" })), [
    "PO-1",
    "PO-3/V-1",
    "PO-3/V-2",
  ]);
  assert.deepEqual(namesOf(await list({ distributionCentre: "DC2" })), ["PO-2"]);
  const heads = await list();
  const second = String((heads[1] as Head).receivedAt);
  assert.equal((await list({ receivedFrom: second })).length, 3);
  assert.deepEqual(namesOf(await list({ receivedTo: second })), ["PO-1"]);
  const changed = String((heads[1] as Head).updatedAt);
  assert.deepEqual(namesOf(await list({ updatedSince: changed })), ["PO-2"]);
  assert.deepEqual(await list({ receivedFrom: "2999-01-01T00:00:00Z" }), []);
});

test("pages of one entry neither repeat nor skip a notice", async () => {
  for (const sort of ["receivedAt", "-receivedAt"]) {
    const names: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { sort, limit: "1", ...(cursor === null ? {} : { cursor }) };
      const page = await demo.list("/purchaseOrder/list", query);
      names.push(...namesOf(page.items as readonly Head[]));
      cursor = page.nextCursor as string | null;
    } while (cursor !== null);
    assert.deepEqual(names, namesOf(await list({ sort })));
  }
  const { nextCursor } = await demo.list("/purchaseOrder/list", { limit: "1" });
  assert.deepEqual(faultsOf(await demo.get(`/rma/list?cursor=${nextCursor}`)), ["/query/cursor"]);
});

test("a facility that is not the client's is a 422", async () => {
  assert.equal((await demo.get("/purchaseOrder/list?distributionCentre=DC9")).status, 422);
});

test("an entry has its receipts, the newest first, as purchaseOrder/get has them", async () => {
  const port = await warehouseOf(server);
  await announce("PO-4", { vendorOrderId: "V-1" });
  await announce("PO-4", { vendorOrderId: "V-2" });
  const receive = (receiptId: string, vendorOrderId: string, lot: object = {}) =>
    port.report("goodsReceipt", {
      clientId: "DEMO",
      poNumber: "PO-4",
      vendorOrderId,
      receiptId,
      lines: [{ sku: "A", qty: 1, ...lot }],
    });
  await receive("R-1", "V-1");
  await receive("R-2", "V-1", { batchRef: "B1" });
  await receive("R-3", "V-2");
  const got = async (notice: string) =>
    (await demo.get(`/purchaseOrder/get/PO-4?vendorOrderId=${notice}`)).body.receipts as object[];
  const shown = (await list()).filter(({ poNumber }) => poNumber === "PO-4");
  assert.deepEqual(
    shown.map(({ receipts }) => receipts),
    [await got("V-1"), await got("V-2")],
  );
  const [first] = shown as unknown as { receipts: { receiptId: string; entries: { batchRef: string }[] }[] }[];
  assert.deepEqual(
    first?.receipts.map(({ receiptId, entries }) => [receiptId, entries.map(({ batchRef }) => batchRef)]),
    [
      ["R-2", ["B1"]],
      ["R-1", [null]],
    ],
  );
  assert.deepEqual(
    (await list()).map(({ receipts }) => (receipts as object[]).length),
    [0, 0, 0, 0, 2, 1],
  );
});
