import assert from "node:assert/strict";
import { test } from "node:test";
import { unwrap } from "./problem.ts";
import { clientWith, type Script, standIn } from "./stand-in.ts";

const service = "/v1/workOrderService/workOrder";
const body = { facilityCode: "DC1", finishedGoodSku: "KIT", qty: 1, components: [{ sku: "MUG", qtyPer: 2 }] };

test("after a 429 a request is retried, also a write, with at most three attempts", async () => {
  const { workOrders } = clientWith();
  const busy: Script = [429, { "retry-after": "0" }];
  standIn.tokenScripts = [busy];
  standIn.scripts = [busy, busy, [201, {}, { workOrderId: "W-1" }]];
  const made = await unwrap(workOrders.POST(`${service}/create`, { body }));
  assert.deepEqual([made.workOrderId, standIn.seen.length, standIn.tokenRequests.length], ["W-1", 3, 2]);
  standIn.scripts = [busy, busy, busy];
  assert.equal((await workOrders.GET(`${service}/list`)).response.status, 429);
  assert.deepEqual([standIn.seen.length, standIn.scripts.length], [6, 0]);
});

test("after a 503 only reads and writes with an Idempotency-Key are retried", async () => {
  const away: Script = [503, { "retry-after": "0" }];
  const { workOrders, fetch } = clientWith();
  const statusAfterOne = async (ask: () => Promise<{ readonly status: number }>) => {
    standIn.scripts = [away];
    return (await ask()).status;
  };
  const keyed = { header: { "idempotency-key": "K" } };
  const patch = { params: { path: { workOrderId: "W" } }, body: {} };
  assert.deepEqual(
    [
      await statusAfterOne(async () => (await workOrders.GET(`${service}/list`)).response),
      await statusAfterOne(async () => (await workOrders.POST(`${service}/create`, { body, params: keyed })).response),
      await statusAfterOne(() => fetch("/v1/inventoryService/findInventoryBySkuList?a=b", { method: "POST" })),
      await statusAfterOne(async () => (await workOrders.POST(`${service}/create`, { body })).response),
      await statusAfterOne(async () => (await workOrders.PATCH(`${service}/update/{workOrderId}`, patch)).response),
      await statusAfterOne(() => fetch("/v1/webhookService/webhook/delete/1", { method: "DELETE" })),
    ],
    [200, 200, 200, 503, 503, 503],
  );
});

test("a write without an Idempotency-Key gets one if the option is set, and keeps it when it is sent again", async () => {
  let keys = 0;
  const { workOrders } = clientWith({ newIdempotencyKey: () => `key-${++keys}` });
  standIn.scripts = [[503, { "retry-after": "0" }]];
  await workOrders.POST(`${service}/create`, { body });
  await workOrders.POST(`${service}/create`, { body });
  await workOrders.POST(`${service}/create`, { body, params: { header: { "idempotency-key": "mine" } } });
  await workOrders.GET(`${service}/list`);
  assert.deepEqual(
    standIn.seen.map(({ key }) => key),
    ["key-1", "key-1", "key-2", "mine", undefined],
  );
});

test("Retry-After may be a date; a wait above the limit, or none, returns the answer at once", async () => {
  const { workOrders } = clientWith({ retry: { waitMsMax: 1_000 } });
  const ask = async (status: number, header?: string) => {
    standIn.scripts = [[status, header === undefined ? {} : { "retry-after": header }]];
    return (await workOrders.GET(`${service}/list`)).response.status;
  };
  const inMs = (ms: number) => new Date(standIn.nowMs + ms).toUTCString();
  assert.deepEqual(
    [
      await ask(429, inMs(-1_000)),
      await ask(429, inMs(60_000)),
      await ask(503, "2"),
      await ask(503),
      await ask(503, "x"),
    ],
    [200, 429, 503, 503, 503],
  );
  const startedMs = performance.now();
  assert.equal(await ask(503, "1"), 200);
  assert.ok(performance.now() - startedMs > 950);
});

test("nothing is retried when retries are disabled", async () => {
  standIn.scripts = [[429, { "retry-after": "0" }]];
  assert.equal((await clientWith({ retry: false }).workOrders.GET(`${service}/list`)).response.status, 429);
});

test("a request ends at its time-out, or when the caller aborts it, also during a wait", async () => {
  const { workOrders } = clientWith({ timeoutMs: 2_000 });
  await workOrders.GET(`${service}/list`);
  standIn.isSilent = true;
  await assert.rejects(workOrders.GET(`${service}/list`), { name: "TimeoutError" });
  standIn.isSilent = false;
  standIn.scripts = [[503, { "retry-after": "5" }]];
  const startedMs = performance.now();
  await assert.rejects(clientWith().workOrders.GET(`${service}/list`, { signal: AbortSignal.timeout(100) }));
  assert.ok(performance.now() - startedMs < 4_500);
});

test("after an answer that leaves nothing of the quota, the next call waits until there is room", async () => {
  const { orders } = clientWith();
  const list = "/v1/orderService/order/list";
  standIn.scripts = [[200, { ratelimit: '"default";r=0;t=2' }, { items: [], nextCursor: null }]];
  await orders.GET(list);
  const signal = AbortSignal.timeout(20);
  await assert.rejects(orders.GET(list, { signal }), { name: "TimeoutError" });
  assert.equal(standIn.seen.length, 1);
  standIn.nowMs += 1_000;
  await orders.GET(list);
  assert.equal(standIn.seen.length, 2);
});
