// The typed client against the services themselves: tokens, limits, refusals, pages.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { items, pages, unwrap } from "@crossdock/client";
import { revokeCredential } from "#/modules/clients/index.ts";
import { testServer } from "../support/app/server.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { clientOf, refused } from "../support/http/rest-client.ts";

const server = await testServer({ CROSSDOCK_TOKEN_TTL: "5", CROSSDOCK_RATE_LIMIT: "10/s" });
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["KIT", "MUG"]));

const orders = "/v1/orderService/order/list";
const workOrders = "/v1/workOrderService/workOrder";
const newWorkOrder = { facilityCode: "DC1", finishedGoodSku: "KIT", qty: 2, components: [{ sku: "MUG", qtyPer: 1 }] };

/** Records the requested paths. */
function recorder() {
  const urls: string[] = [];
  return {
    asked: urls,
    fetch(request: Request): Promise<Response> {
      urls.push(new URL(request.url).pathname);
      return fetch(request);
    },
  };
}

test("a token that the service says has expired is replaced unseen, once for all who wait", async () => {
  const { asked, fetch } = recorder();
  // The clock of this client stands still.
  const client = clientOf(server, demo, { fetch, clock: { now: () => 0 } });
  await unwrap(client.orders.GET(orders));
  await sleep(6_100);
  const expired = await client.fetch(orders, { headers: { accept: "application/json" } });
  assert.equal(expired.status, 200);
  const token = "/v1/oauth/token";
  assert.deepEqual(asked, [token, orders, orders, token, orders]);
});

test("a revoked credential throws the refusal of the token", async () => {
  const gone = await server.onboard("GONE");
  const client = clientOf(server, gone);
  await unwrap(client.orders.GET(orders));
  await server.operate((tx, change) => revokeCredential(tx, change, gone.credentials.oauth.client_id));
  await assert.rejects(client.orders.GET(orders), { name: "TokenError", status: 401, error: "invalid_client" });
});

test("above its rate the client waits as requested, and every request is answered", async () => {
  const hasty = clientOf(server, await server.onboard("HASTY"), { retry: { attemptsMax: 6 } });
  const answers = await Promise.all(Array.from({ length: 30 }, () => hasty.orders.GET(orders)));
  assert.deepEqual(new Set(answers.map(({ response }) => response.status)), new Set([200]));
  const impatient = clientOf(server, await server.onboard("IMPATIENT"));
  // Enough requests to exceed the rate even with the tokens that refill meanwhile, on any machine.
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async () => (await impatient.orders.GET(orders)).response.status),
  );
  assert.deepEqual(new Set(statuses), new Set([200, 429]));
});

test("a write with its own key is done once however often it is sent", async () => {
  const client = clientOf(server, demo, { newIdempotencyKey: randomUUID });
  const create = (key: string) =>
    unwrap(
      client.workOrders.POST(`${workOrders}/create`, {
        params: { header: { "idempotency-key": key } },
        body: newWorkOrder,
      }),
    );
  const [first, again] = [await create("K-1"), await create("K-1")];
  assert.deepEqual(again, first);
  const other = await unwrap(client.workOrders.POST(`${workOrders}/create`, { body: newWorkOrder }));
  assert.notEqual(other.workOrderId, first.workOrderId);
  const keys = await server.rows("select idempotency_key from rest_idempotency where client_id = 'DEMO'");
  assert.equal(keys.length, 2);
});

test("refusals are problem details, returned or thrown", async () => {
  const client = clientOf(server, demo);
  const ghost = { params: { path: { workOrderId: "GHOST" } } };
  const { error } = await client.workOrders.GET(`${workOrders}/get/{workOrderId}`, ghost);
  assert.equal(error?.type, "/problems/not-found");
  await assert.rejects(unwrap(client.workOrders.GET(`${workOrders}/get/{workOrderId}`, ghost)), {
    name: "ProblemError",
    status: 404,
    code: "not-found",
  });
  const body = { ...newWorkOrder, qty: 0, components: [{ sku: "MUG", qtyPer: -1 }] };
  const { errors } = await refused(400, client.workOrders.POST(`${workOrders}/create`, { body }));
  assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), ["#/components/0/qtyPer", "#/qty"]);
});

test("all orders are found over pages of two, those that come meanwhile too, none twice", async () => {
  const client = clientOf(server, demo);
  const send = async (orderId: string) => {
    await demo.accept("NO", order("DEMO", orderId, ["MUG"], { distributionCentre: "DC1" }));
  };
  for (const orderId of ["1", "2", "3", "4", "5"]) await send(orderId);
  const found: string[] = [];
  for await (const { orderId } of items(client.orders, orders, { params: { query: { limit: 2 } } })) {
    if (found.length === 2) await send("6");
    found.push(orderId);
  }
  assert.deepEqual(found, ["1", "2", "3", "4", "5", "6"]);
  const sizes: number[] = [];
  const newest = { params: { query: { limit: 4, sort: "-receivedAt" } } } as const;
  for await (const page of pages(client.orders, orders, newest)) sizes.push(page.items.length);
  assert.deepEqual(sizes, [4, 2]);
});
