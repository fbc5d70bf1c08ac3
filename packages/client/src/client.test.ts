import assert from "node:assert/strict";
import { test } from "node:test";
import { unwrap } from "./problem.ts";
import { clientWith, refusedToken, standIn } from "./stand-in.ts";
import { TokenError } from "./tokens.ts";

const service = "/v1/workOrderService/workOrder";
const body = { facilityCode: "DC1", finishedGoodSku: "KIT", qty: 1, components: [{ sku: "MUG", qtyPer: 2 }] };

test("a token is fetched once for all, by client credentials as JSON, and replaced a minute before it expires", async () => {
  const { workOrders, orders } = clientWith();
  await Promise.all([workOrders.GET(`${service}/list`), workOrders.GET(`${service}/list`)]);
  await orders.GET("/v1/orderService/order/list");
  const sent = { grant_type: "client_credentials", client_id: "id", client_secret: "secret" };
  assert.deepEqual(standIn.tokenRequests, [{ method: "POST", type: "application/json", body: sent }]);
  standIn.nowMs += 3_539_000;
  await workOrders.GET(`${service}/list`);
  standIn.nowMs += 1_000;
  await Promise.all([workOrders.GET(`${service}/list`), orders.GET("/v1/orderService/order/list")]);
  assert.deepEqual(
    standIn.seen.map(({ token }) => token),
    ["token-1", "token-1", "token-1", "token-1", "token-2", "token-2"],
  );
});

test("a token of a short life is used for nine tenths of it", async () => {
  standIn.lifeSeconds = 10;
  const { workOrders } = clientWith();
  for (const ms of [0, 8_999, 1]) {
    standIn.nowMs += ms;
    await workOrders.GET(`${service}/list`);
  }
  assert.deepEqual(
    standIn.seen.map(({ token }) => token),
    ["token-1", "token-1", "token-2"],
  );
});

test("a token that a service refuses is replaced once, and the request is retried unchanged", async () => {
  const { workOrders } = clientWith();
  standIn.scripts = [refusedToken, [201, {}, { workOrderId: "W-1" }]];
  const made = await unwrap(workOrders.POST(`${service}/create`, { body }));
  assert.equal(made.workOrderId, "W-1");
  assert.deepEqual(
    standIn.seen.map(({ token, body }) => [token, JSON.parse(body)]),
    [
      ["token-1", body],
      ["token-2", body],
    ],
  );
  standIn.scripts = [refusedToken, refusedToken];
  assert.equal((await workOrders.GET(`${service}/list`)).response.status, 401);
  assert.deepEqual([standIn.seen.length, standIn.tokenRequests.length], [4, 3]);
});

test("concurrent requests that are refused share the new token", async () => {
  const { workOrders } = clientWith();
  await workOrders.GET(`${service}/list`);
  standIn.revoked = "token-1";
  const answers = await Promise.all(Array.from({ length: 8 }, () => workOrders.GET(`${service}/list`)));
  assert.ok(answers.every(({ response }) => response.status === 200));
  assert.equal(standIn.tokenRequests.length, 2);
  assert.equal(standIn.seen.filter(({ token }) => token === "token-2").length, 8);
});

test("a 401 that does not concern the token is returned to the caller", async () => {
  standIn.scripts = [[401, { "www-authenticate": "Basic" }]];
  assert.equal((await clientWith().workOrders.GET(`${service}/list`)).response.status, 401);
  assert.equal(standIn.tokenRequests.length, 1);
});

test("a refused token request is thrown with its reason, and the next call requests a token again", async () => {
  const { workOrders } = clientWith();
  standIn.tokenScripts = [
    [401, {}, { error: "invalid_client", error_description: "Unknown." }],
    [502, {}, "<html>"],
    [200, {}, { access_token: 1 }],
  ];
  const ask = () => workOrders.GET(`${service}/list`);
  await assert.rejects(ask, (error) => {
    assert.ok(error instanceof TokenError);
    assert.deepEqual([error.status, error.error], [401, "invalid_client"]);
    assert.equal(error.message, "no token: 401 invalid_client Unknown.");
    return true;
  });
  await assert.rejects(ask, { name: "TokenError", status: 502, error: "" });
  await assert.rejects(ask, { name: "TokenError", status: 200 });
  assert.equal((await ask()).response.status, 200);
  assert.equal(standIn.seen.length, 1);
});

test("a refused token request is not sent again with the waits of a lost answer", async () => {
  const { workOrders } = clientWith({ retry: { backoffMs: 1 } });
  standIn.tokenScripts = [[401, {}, { error: "invalid_client" }]];
  await assert.rejects(workOrders.GET(`${service}/list`), { name: "TokenError", error: "invalid_client" });
  assert.equal(standIn.tokenRequests.length, 1);
});

test("the client sends its token only to the services", async () => {
  const { fetch } = clientWith();
  for (const path of ["https://elsewhere.example/", ".elsewhere.example/", "@elsewhere.example/"]) {
    await assert.rejects(fetch(path), TypeError, path);
  }
  await fetch("//elsewhere.example/");
  assert.deepEqual(
    standIn.seen.map(({ url, token }) => [url, token]),
    [["//elsewhere.example/", "token-1"]],
  );
});
