import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, tenant } from "#/store/db/sql.ts";
import { untilTaken } from "../../../tests/support/app/until.ts";
import type { Answer } from "../../../tests/support/http/call.ts";
import { waitingEvents } from "../../../tests/support/postgres/waiting-events.ts";
import { call } from "../../../tests/support/warehouse/work-order-service.ts";
import { accepted, assertSound, database, world } from "../../../tests/support/warehouse/work-orders.ts";

const demo = await world("DEMO");
await demo.items(["SET", "MUG", "BOX"]);
const other = await world("OTHER");
await other.items(["SET", "MUG"]);

const request = {
  facilityCode: "DC1",
  finishedGoodSku: "SET",
  qty: 4,
  components: [
    { sku: "MUG", qtyPer: 2 },
    { sku: "BOX", qtyPer: 1 },
  ],
};

const create = (body: object, headers: Record<string, string> = {}, clientId = "DEMO") =>
  call("POST", clientId, "/workOrder/create", body, headers);

function assertProblem({ status, headers, body }: Answer, expected: number, code: string, ...pointers: string[]): void {
  assert.equal(status, expected, JSON.stringify(body));
  assert.equal(headers.get("content-type"), "application/problem+json");
  assert.equal(body.type, `/problems/${code}`);
  assert.equal(body.correlationToken, headers.get("x-correlation-token"));
  assert.deepEqual(
    (body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
    pointers,
  );
}

async function events(clientId: string, objectId: string): Promise<string[]> {
  const waiting = await waitingEvents(database, clientId);
  return waiting.flatMap((event) => (event.objectId === objectId ? event.topic : []));
}

test("a created work order is answered with its place, its version and every field", async () => {
  await demo.stock({ sku: "MUG", qty: 8 }, { sku: "BOX", qty: 3 });
  const { status, headers, body } = await create({
    clientId: "DEMO",
    workOrderId: "WO/1 ü",
    ...request,
    dueDate: "2026-11-30T13:00:00+01:00",
    notes: "red",
  });
  assert.equal(status, 201);
  assert.equal(headers.get("etag"), '"1"');
  const location = headers.get("location") as string;
  assert.equal(location, `/v1/workOrderService/workOrder/get/${encodeURIComponent("WO/1 ü")}`);
  assert.deepEqual(body, {
    workOrderId: "WO/1 ü",
    clientId: "DEMO",
    facilityCode: "DC1",
    status: "WAITING_COMPONENTS",
    finishedGoodSku: "SET",
    uom: "EA",
    qtyOrdered: 4,
    qtyCompleted: 0,
    consumption: "BACKFLUSH",
    components: [
      { lineNumber: 1, sku: "MUG", uom: "EA", qtyPer: 2, qtyRequired: 8, qtyAllocated: 8, qtyConsumed: 0 },
      { lineNumber: 2, sku: "BOX", uom: "EA", qtyPer: 1, qtyRequired: 4, qtyAllocated: 3, qtyConsumed: 0 },
    ],
    dueDate: "2026-11-30T12:00:00.000Z",
    priority: 5,
    notes: "red",
    receivedAt: body.receivedAt,
    updatedAt: body.receivedAt,
    version: 1,
  });
  const got = await call("GET", "DEMO", location);
  assert.deepEqual([got.status, got.headers.get("etag"), got.body], [200, '"1"', body]);
  assert.deepEqual(await events("DEMO", "WO/1 ü"), ["workOrder:created"]);
  await assertSound("DEMO");
});

test("a request of the wrong shape is refused with all its faults", async () => {
  assertProblem(
    await create({ facilityCode: "DC1", qty: 0, components: [], colour: "red", priority: 10, workOrderId: " x" }),
    400,
    "invalid-request",
    "#/finishedGoodSku",
    "#/colour",
    "#/workOrderId",
    "#/qty",
    "#/components",
    "#/priority",
  );
  assertProblem(
    await create({ ...request, qty: 1.0001, components: [{ sku: "MUG", qtyPer: 0.0001 }], colour: "red" }),
    400,
    "invalid-request",
    "#/colour",
    "#/qty",
    "#/components/0/qtyPer",
  );
  assertProblem(
    await create({ ...request, clientId: "DEMO", dueDate: "tomorrow" }),
    400,
    "invalid-request",
    "#/dueDate",
  );
});

test("an unknown value is 422 and an existing id 409, and nothing is stored", async () => {
  const unknown = { ...request, facilityCode: "DC9", components: [{ sku: "NONE", qtyPer: 1 }] };
  assertProblem(await create(unknown), 422, "unprocessable", "#/facilityCode", "#/components/0/sku");
  assert.equal((await create({ ...request, workOrderId: "TWICE" })).status, 201);
  assertProblem(await create({ ...request, workOrderId: "TWICE" }), 409, "conflict");
  assert.deepEqual(await events("DEMO", "TWICE"), ["workOrder:created"]);
});

test("a merge patch changes its fields, if the version matches", async () => {
  const { body } = await create({ ...request, workOrderId: "PATCH", notes: "red", priority: 3 });
  const patch = (fields: object, headers = {}) => call("PATCH", "DEMO", "/workOrder/update/PATCH", fields, headers);
  const changed = await patch({ qty: 1, notes: null }, { "if-match": '"1"' });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(changed.headers.get("etag"), '"2"');
  const { qtyOrdered, notes, priority, version, receivedAt } = changed.body;
  assert.deepEqual([qtyOrdered, notes, priority, version, receivedAt], [1, null, 3, 2, body.receivedAt]);
  assertProblem(await patch({ qty: 2 }, { "if-match": '"1"' }), 412, "precondition-failed");
  assert.equal((await patch({ priority: null }, { "if-match": '"1", "2"' })).body.priority, 5);
  assert.equal((await patch({ qty: 2 }, { "if-match": "*" })).body.version, 4);
  assert.equal((await patch({ qty: 2 })).body.version, 4, "what changes nothing is no new version");
  assertProblem(await patch({ qty: null }), 400, "invalid-request", "#/qty");
  assertProblem(await patch({ facilityCode: "DC2" }), 400, "invalid-request", "#/facilityCode");
  assertProblem(await patch({ components: [{ sku: "NONE", qtyPer: 1 }] }), 422, "unprocessable", "#/components/0/sku");
  assert.deepEqual(await events("DEMO", "PATCH"), ["workOrder:created", ...Array(3).fill("workOrder:updated")]);
});

test("a patch is checked only for its fields: a changed item does not refuse a new priority", async () => {
  await demo.items(["CLOCK"]);
  const components = [{ sku: "CLOCK", qtyPer: 1 }];
  await create({ ...request, workOrderId: "CLOCKS", components });
  await database
    .of("DEMO")
    .query(
      sql`update item set extended_attributes = '{"CaptureSerial": "true"}' where client_id = ${tenant} and sku = 'CLOCK'`,
    );
  const patch = (fields: object) => call("PATCH", "DEMO", "/workOrder/update/CLOCKS", fields);
  const sooner = await patch({ priority: 1 });
  assert.deepEqual([sooner.status, sooner.body.priority], [200, 1], JSON.stringify(sooner.body));
  assertProblem(await patch({ components }), 422, "unprocessable", "#/components/0/sku");
  await create({ ...request, workOrderId: "MANY", components: [{ sku: "MUG", qtyPer: 900 }] });
  const tooMuch = await call("PATCH", "DEMO", "/workOrder/update/MANY", { qty: 900_000_000 });
  assertProblem(tooMuch, 422, "unprocessable", "#/qty");
});

test("a work order is cancelled with a body or without one, and once", async () => {
  await create({ ...request, workOrderId: "GONE" });
  const stale = await call("POST", "DEMO", "/workOrder/cancel/GONE", undefined, { "if-match": '"9"' });
  assertProblem(stale, 412, "precondition-failed");
  const gone = await call("POST", "DEMO", "/workOrder/cancel/GONE");
  assert.deepEqual([gone.status, gone.body.status, gone.headers.get("etag")], [200, "CANCELLED", '"2"']);
  const again = await call("POST", "DEMO", "/workOrder/cancel/GONE?clientId=DEMO", { reason: "twice" });
  assertProblem(again, 409, "conflict");
  assertProblem(await call("POST", "DEMO", "/workOrder/cancel/GONE", { why: "x" }), 400, "invalid-request", "#/why");
  assertProblem(await call("PATCH", "DEMO", "/workOrder/update/GONE", { qty: 1 }), 409, "conflict");
  assert.deepEqual(await events("DEMO", "GONE"), ["workOrder:created", "workOrder:cancelled"]);
});

test("another client's work order and an unknown work order are the same 404", async () => {
  accepted(await other.create({ workOrderId: "THEIRS", qty: 1, components: [{ sku: "MUG", qtyPer: 1 }] }));
  for (const id of ["THEIRS", "NOWHERE"]) {
    assertProblem(await call("GET", "DEMO", `/workOrder/get/${id}`), 404, "not-found");
    assertProblem(await call("PATCH", "DEMO", `/workOrder/update/${id}`, { qty: 2 }), 404, "not-found");
    assertProblem(await call("POST", "DEMO", `/workOrder/cancel/${id}`), 404, "not-found");
  }
  assertProblem(await call("GET", "DEMO", "/workOrder/get/THEIRS?clientId=OTHER"), 403, "client-forbidden");
  assert.equal((await call("GET", "OTHER", "/workOrder/get/THEIRS")).status, 200);
});

test("a token for several clients names one of them, in the query or in the body, and both alike", async () => {
  const both = "DEMO-OTHER";
  assertProblem(await create(request, {}, both), 400, "invalid-request", "/query/clientId");
  assert.equal((await create({ ...request, clientId: "DEMO" }, {}, both)).status, 201);
  const twice = await call("POST", both, "/workOrder/create?clientId=OTHER", { ...request, clientId: "DEMO" });
  assertProblem(twice, 400, "invalid-request", "/query/clientId");
});

test("a repeat with the same Idempotency-Key gets the first answer and creates nothing", async () => {
  const key = { "idempotency-key": "key-1" };
  const first = await create(request, key);
  const again = await create(request, key);
  assert.equal(first.status, 201);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  for (const name of ["location", "etag"]) assert.equal(again.headers.get(name), first.headers.get(name));
  assertProblem(await create({ ...request, qty: 5 }, key), 409, "conflict");
  const path = `/workOrder/cancel/${first.body.workOrderId}`;
  assertProblem(await call("POST", "DEMO", path, undefined, key), 409, "conflict");
  assert.equal((await create({ ...request, components: [{ sku: "MUG", qtyPer: 1 }] }, key, "OTHER")).status, 201);
  assert.deepEqual(await events("DEMO", first.body.workOrderId as string), ["workOrder:created"]);
});

test("what was refused leaves its Idempotency-Key free", async () => {
  const key = { "idempotency-key": "key-2" };
  assert.equal((await create({ ...request, facilityCode: "DC9" }, key)).status, 422);
  assert.equal((await create(request, key)).status, 201);
});

test("many repeats at once make one work order", async () => {
  const key = { "idempotency-key": "key-3" };
  // The requests queue for one book.
  const insist = (body: object, headers?: Record<string, string>) => untilTaken(() => create(body, headers));
  const answers = await Promise.all(Array.from({ length: 8 }, () => insist(request, key)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body }) => body.workOrderId)).size, 1);
  const ids = await Promise.all(Array.from({ length: 8 }, () => insist({ ...request, workOrderId: "RACE" })));
  assert.deepEqual(ids.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
  await assertSound("DEMO");
});

test("the list is sorted by receipt in both directions, paged and filtered", async () => {
  const w = await world("LIST");
  await w.items(["SET", "MUG"]);
  const components = [{ sku: "MUG", qtyPer: 1 }];
  for (let i = 1; i <= 7; i++) {
    const facilityCode = i % 2 ? "DC1" : "DC2";
    accepted(await w.create({ workOrderId: `WO-${i}`, facilityCode, qty: 1, components }));
  }
  accepted(await w.cancel("WO-3"));
  const list = async (query: Record<string, string>) => {
    const { status, body } = await call("GET", "LIST", `/workOrder/list?${new URLSearchParams(query)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as {
      items: { workOrderId: string; receivedAt: string; updatedAt: string }[];
      nextCursor: string | null;
    };
  };
  const all = async (query: Record<string, string>) => {
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(cursor === "" ? query : { ...query, cursor });
      seen.push(...page.items.map(({ workOrderId }) => workOrderId.slice(3)));
      cursor = page.nextCursor;
    }
    return seen.join("");
  };
  assert.equal(await all({}), "1234567");
  assert.equal(await all({ limit: "2" }), "1234567");
  assert.equal(await all({ limit: "3", sort: "-receivedAt" }), "7654321");
  assert.equal(await all({ facilityCode: "DC2", limit: "1" }), "246");
  assert.equal(await all({ status: "CANCELLED" }), "3");
  const last = (await list({ status: "CANCELLED" })).items[0]?.updatedAt as string;
  assert.equal(await all({ updatedSince: last }), "3");
  // Received at that moment or later, and older ones with later changes.
  const seventh = (await list({ sort: "-receivedAt", limit: "1" })).items[0]?.receivedAt as string;
  for (const limit of ["1", "50"]) {
    assert.equal(await all({ updatedSince: seventh, limit }), "37");
    assert.equal(await all({ updatedSince: seventh, limit, sort: "-receivedAt" }), "73");
  }
  assert.equal(await all({ updatedSince: seventh, status: "CANCELLED" }), "3");
  const { nextCursor } = await list({ limit: "1" });
  const wrongSort = `/workOrder/list?sort=-receivedAt&cursor=${nextCursor}`;
  assertProblem(await call("GET", "LIST", wrongSort), 400, "invalid-request", "/query/cursor");
  assert.equal((await call("GET", "LIST", "/workOrder/list?status=DONE")).status, 400);
  const unknown = await call("GET", "LIST", "/workOrder/list?facilityCode=DC9");
  assertProblem(unknown, 422, "unprocessable", "/query/facilityCode");
  assert.match(String(unknown.body.detail), /'DC9' is not a facility of the client; did you mean DC1\?/);
  assert.deepEqual(await list({ facilityCode: "DC2", status: "IN_PROGRESS" }), { items: [], nextCursor: null });
});

test("the service publishes its document", async () => {
  const { status, body } = await call("GET", "DEMO", "/openapi/work-order.json");
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body.paths as object).sort(), [
    "/v1/workOrderService/workOrder/cancel/{workOrderId}",
    "/v1/workOrderService/workOrder/create",
    "/v1/workOrderService/workOrder/get/{workOrderId}",
    "/v1/workOrderService/workOrder/list",
    "/v1/workOrderService/workOrder/update/{workOrderId}",
  ]);
});
