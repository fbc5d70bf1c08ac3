// An object named `.` or `..` has no address in the REST services, so these names are refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));

test("the identifiers . and .. are refused in every feed and of a work order; longer ones with dots are fine", async () => {
  const workOrders = restCalls(server.url, "/v1/workOrderService", demo.credentials);
  const kit = {
    clientId: "DEMO",
    facilityCode: "DC1",
    finishedGoodSku: "A",
    qty: 1,
    components: [{ sku: "B", qtyPer: 1 }],
  };
  const because = (place: string, id: string) =>
    `[VALUE] ${place}: '${id}' cannot be part of an address; choose another identifier`;
  for (const id of [".", ".."]) {
    await demo.refuse("CAT", catalogue("DEMO", [id]), because("item/sku", id));
    await demo.refuse("NO", order("DEMO", id, ["A"]), because("orderId", id));
    await demo.refuse("PO", purchaseOrder("DEMO", id, ["A"]), because("poNumber", id));
    await demo.refuse("PO", purchaseOrder("DEMO", "PO-1", ["A"], { vendorOrderId: id }), because("vendorOrderId", id));
    await demo.refuse("RMA", authorisation("DEMO", id, ["A"]), because("rmaNumber", id));
    const created = await workOrders("POST", "/workOrder/create", { ...kit, workOrderId: id });
    assert.equal(created.status, 400, JSON.stringify(created.body));
    assert.match(String(created.body.detail), /^#\/workOrderId .*cannot be part of an address/);
  }
  for (const id of ["...", ".A", "A..B"]) {
    await demo.accept("NO", order("DEMO", id, ["A"]));
    const { status, body } = await restCalls(
      server.url,
      "/v1/orderService",
      demo.credentials,
    )("GET", `/order/get/${encodeURIComponent(id)}`);
    assert.deepEqual([status, body.orderId], [200, id]);
  }
});
