// rest.md §2, If-None-Match: a record that the sender has in its present version is a 304.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { authorisation } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { call } from "../../support/http/call.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const life = await lifeOf(server, dc1, "ACME");
const { client } = life;
await life.stock([{ sku: "A", qty: 9 }]);
await life.place("1", ["A"]);
await client.accept("RMA", authorisation("ACME", "RMA-1", [{ sku: "A", quantityReturned: 1 }]));
const token = await accessTokenOf(server.url, client.credentials.oauth);

async function create(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await call("POST", `${server.url}${path}`, { token, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}
await create("/v1/inventoryService/transfer/create", {
  transferId: "TR-1",
  fromFacility: "DC1",
  toFacility: "DC2",
  lines: [{ sku: "A", qty: 1 }],
});
await create("/v1/workOrderService/workOrder/create", {
  facilityCode: "DC1",
  workOrderId: "WO-1",
  finishedGoodSku: "B",
  qty: 1,
  components: [{ sku: "A", qtyPer: 1 }],
});
const { webhookId } = await create("/v1/webhookService/webhook/create", {
  topicName: "order:despatched",
  url: "https://shop.example/hooks",
  contentType: "application/json",
  emailList: ["ops@shop.example"],
});
const goods = await dc1.report("unidentifiedReceipt", { clientId: "ACME", receiptId: "R-1", packages: 1 });

const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });

test("a read with the ETag of the record is a 304 without a body, until the record changes", async () => {
  for (const path of [
    "/v1/orderService/order/get/1",
    "/v1/orderService/order/status/1",
    "/v1/orderService/rma/get/RMA-1",
    `/v1/orderService/unidentifiedReceipt/get/${goods.unidentifiedId}`,
    "/v1/inventoryService/transfer/get/TR-1",
    "/v1/itemMasterService/findItemBySku?sku=A",
    "/v1/facilityService/facility/get/DC1",
    "/v1/workOrderService/workOrder/get/WO-1",
    `/v1/webhookService/webhook/get/${webhookId}`,
  ]) {
    const first = await read(path);
    assert.equal(first.status, 200, path);
    const tag = String(first.headers.get("etag"));
    for (const known of [tag, `W/${tag}`, `"0", ${tag}`, "*"]) {
      const again = await read(path, { "if-none-match": known, "accept-encoding": "gzip" });
      assert.deepEqual(
        [again.status, again.headers.get("etag"), await again.text()],
        [304, tag, ""],
        `${path} ${known}`,
      );
      assert.equal(again.headers.get("content-type"), null);
      assert.ok(again.headers.get("x-correlation-token"));
    }
    const other = await read(path, { "if-none-match": '"0"' });
    assert.equal(other.status, 200, path);
    assert.deepEqual(await other.json(), await first.json());
  }
  const tag = String((await read("/v1/orderService/order/get/1")).headers.get("etag"));
  const held = await fetch(`${server.url}/v1/orderService/order/hold/1`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "if-none-match": tag },
    body: JSON.stringify({ reason: "asked" }),
  });
  assert.equal(held.status, 200, "a write is no read");
  assert.equal((await read("/v1/orderService/order/get/1", { "if-none-match": tag })).status, 200);
});

test("an answer without an ETag is always sent, and so is a refusal", async () => {
  assert.equal((await read("/v1/orderService/order/list", { "if-none-match": "*" })).status, 200);
  assert.equal((await read("/v1/orderService/order/get/NONE", { "if-none-match": "*" })).status, 404);
});
