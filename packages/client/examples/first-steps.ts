// CROSSDOCK_URL=… CROSSDOCK_CLIENT_ID=… CROSSDOCK_CLIENT_SECRET=… node first-steps.ts FACILITY FINISHED_GOOD COMPONENT
import { randomUUID } from "node:crypto";
import { createClient, ProblemError, pages, unwrap } from "@crossdock/client";

const [facilityCode = "DC1", finishedGoodSku = "GIFT-SET", component = "MUG"] = process.argv.slice(2);

const client = createClient({
  baseUrl: process.env.CROSSDOCK_URL ?? "http://127.0.0.1:8080",
  clientId: process.env.CROSSDOCK_CLIENT_ID ?? "",
  clientSecret: process.env.CROSSDOCK_CLIENT_SECRET ?? "",
  // Every write may be sent again: it is done once.
  newIdempotencyKey: randomUUID,
});

// The ten newest orders: the first page, which is as far as the loop goes.
const newest = { params: { query: { sort: "-receivedAt", limit: 10 } } } as const;
for await (const page of pages(client.orders, "/v1/orderService/order/list", newest)) {
  for (const { orderId, status } of page.items) console.log(`order ${orderId}: ${status}`);
  break;
}

// Stock as it is now, of up to a thousand products at once.
const lookUp = { body: { distributionCentre: facilityCode, products: [component] } };
const stock = await unwrap(client.inventory.POST("/v1/inventoryService/findInventoryBySkuList", lookUp));
for (const { sku, onHand, available } of stock.items) console.log(`${sku}: ${onHand} on hand, ${available} available`);

// A refusal is a value to look at …
const made = await client.workOrders.POST("/v1/workOrderService/workOrder/create", {
  body: { facilityCode, finishedGoodSku, qty: 1, components: [{ sku: component, qtyPer: 2 }] },
});
if (made.error) {
  console.log(`no work order: ${made.error.detail}`);
} else {
  const { workOrderId, status } = made.data;
  console.log(`work order ${workOrderId}: ${status}`);
}

// … or an error to catch.
try {
  const path = { workOrderId: "no such work order" };
  await unwrap(client.workOrders.GET("/v1/workOrderService/workOrder/get/{workOrderId}", { params: { path } }));
} catch (error) {
  if (!(error instanceof ProblemError)) throw error;
  console.log(`${error.code}: ${error.detail}`);
}
