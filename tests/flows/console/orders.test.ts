// contract lifecycle.md §1 and operations.md §5: orders as operators list, read and change them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { statesBeforeLeaving } from "#/modules/orders/states.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes } from "../../support/builders/documents.ts";
import { lifeOf, parcel } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const firstLife = await lifeOf(server, dc1, "ONE");
const secondLife = await lifeOf(server, dc2, "TWO");
const anna = await signIn(server, "operator");
const vera = await signIn(server, "viewer");

interface Entry {
  readonly at: string;
  readonly kind: string;
  readonly code: number | null;
  readonly text: string;
  readonly detail: string | null;
  readonly actor: string | null;
  readonly link: { readonly kind: string; readonly id: string } | null;
}

async function list(query: string, user = anna) {
  const { status, body } = await user.get(`/order/list?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as { items: Record<string, unknown>[]; nextCursor: string | null };
}
const idsOf = ({ items }: { items: Record<string, unknown>[] }) => items.map(({ orderId }) => orderId);

async function walk(query: string, user = anna): Promise<unknown[]> {
  const seen: unknown[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof list>> = await list(
      `${query}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      user,
    );
    seen.push(...idsOf(page));
    cursor = page.nextCursor;
  }
  return seen;
}

async function timeline(clientId: string, orderId: string, more = ""): Promise<Entry[]> {
  const { status, body } = await anna.get(`/order/timeline/${orderId}?clientId=${clientId}&limit=500${more}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

const setDue = (clientId: string, orderId: string, minutes: number) =>
  server.rows(
    "update sales_order set despatch_by = $3::timestamptz where client_id = $1 and order_id = $2 returning order_id",
    clientId,
    orderId,
    new Date(Date.now() + minutes * 60_000).toISOString(),
  );

await firstLife.stock([{ sku: "A", qty: 10 }]);
await firstLife.place("L-1", [{ sku: "A", qty: 2 }], { distributionCentre: "DC1", externalOrderReference: "shop-77" });
await firstLife.place(
  "L-2",
  [
    { sku: "B", qty: 3 },
    { sku: "A", qty: 1 },
  ],
  {
    distributionCentre: "DC1",
    extendedAttributes: attributes({ Priority: 1 }),
  },
);
await firstLife.place("L-3", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", doNotShip: 1 });
await secondLife.place("L-1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" });
await secondLife.place("M-9", [{ sku: "B", qty: 1 }], { distributionCentre: "DC2", carrierCode: "RM" });

test("the figures above the list are the counts of its filters", async () => {
  const { status, body } = await anna.get("/order/figures");
  assert.equal(status, 200);
  const count = async (query: string) => (await anna.get(`/order/count?${query}`)).body;
  assert.deepEqual(body, {
    toLeave: await count(statesBeforeLeaving.map((state) => `status=${state}`).join("&")),
    atRisk: await count("isAtRisk=true"),
    late: await count("isLate=true"),
    held: await count("isHeld=true"),
    waiting: await count("status=BACKORDERED&status=PARTIALLY_ALLOCATED"),
  });
  assert.ok(body.held.count > 0 && body.waiting.count > 0, JSON.stringify(body));
});

test("orders of all clients are in one list, with the data that operators need", async () => {
  assert.deepEqual(idsOf(await list("")), ["M-9", "L-1", "L-3", "L-2", "L-1"]);
  assert.deepEqual(idsOf(await list("sort=receivedAt")), ["L-1", "L-2", "L-3", "L-1", "M-9"]);
  const { items } = await list("clientId=ONE&text=l-2");
  assert.equal(items.length, 1);
  const [{ receivedAt, updatedAt, statusSince, ...order } = {}] = items;
  assert.ok(String(updatedAt) >= String(receivedAt) && String(statusSince) >= String(receivedAt));
  assert.deepEqual(order, {
    clientId: "ONE",
    orderId: "L-2",
    externalOrderReference: null,
    distributionCentre: "DC1",
    priority: 1,
    status: "PARTIALLY_ALLOCATED",
    statusReason: null,
    country: "GB",
    shippingMethod: null,
    carrierCode: null,
    shipToName: "Khan",
    parcels: {
      count: 0,
      despatchedAt: null,
      carrierCode: null,
      carrierServiceCode: null,
      services: 0,
      trackingNumber: null,
      trackingNumbers: 0,
      costs: [],
    },
    holds: [],
    lines: 2,
    despatchBy: null,
    isCancelRequested: false,
    missingSkus: ["B"],
    quantities: {
      ordered: 4,
      open: 0,
      backordered: 3,
      allocated: 1,
      picked: 0,
      packed: 0,
      despatched: 0,
      cancelled: 0,
    },
  });
});

test("each filter limits the list, and several filters combine", async () => {
  const found = async (query: string) => idsOf(await list(query));
  assert.deepEqual(await found("clientId=TWO"), ["M-9", "L-1"]);
  assert.deepEqual(await found("distributionCentre=DC2"), ["M-9", "L-1"]);
  assert.deepEqual(await found("distributionCentre=DC2&distributionCentre=DC1"), ["M-9", "L-1", "L-3", "L-2", "L-1"]);
  assert.deepEqual(await found("clientId=ONE&distributionCentre=DC2"), []);
  assert.deepEqual(await found("status=ON_HOLD&status=ALLOCATED"), ["L-3", "L-1"]);
  assert.deepEqual(await found("status=BACKORDERED"), ["M-9", "L-1"]);
  assert.deepEqual(await found("text=L-"), ["L-1", "L-3", "L-2", "L-1"]);
  assert.deepEqual(await found("text=SHOP-7"), ["L-1"]);
  assert.deepEqual(await found("text=nobody"), []);
  assert.deepEqual(await found("carrierCode=RM"), ["M-9"]);
  assert.deepEqual(await found("carrierCode=DPD&carrierCode=RM"), ["M-9"]);
  assert.deepEqual(await found("carrierCode=RM&carrierCode=NONE&clientId=TWO"), ["M-9", "L-1"]);
  assert.deepEqual(await found("carrierCode=NONE&clientId=TWO"), ["L-1"]);
  assert.deepEqual(await found("exceptCarrierCode=RM"), []);
  assert.deepEqual(await found("exceptCarrierCode=DPD&exceptCarrierCode=UPS"), ["M-9"]);
  assert.deepEqual(await found("exceptCarrierCode=NONE"), ["M-9"]);
  assert.deepEqual(await found("carrierCode=RM&exceptCarrierCode=RM"), []);
  assert.deepEqual(await found("shippingMethod=NONE"), []);
  assert.deepEqual(await found("holdType=DO_NOT_SHIP"), ["L-3"]);
  assert.deepEqual(await found("isHeld=true&status=CANCELLED"), []);
  assert.deepEqual(await found("priority=1"), ["L-2"]);
  const [{ receivedAt } = {}] = (await list("text=L-3")).items;
  const at = encodeURIComponent(String(receivedAt));
  assert.deepEqual(await found(`receivedFrom=${at}`), ["M-9", "L-1", "L-3"]);
  assert.deepEqual(await found(`receivedTo=${at}`), ["L-2", "L-1"]);
  assert.deepEqual(await found(`updatedSince=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`), []);
  assert.equal((await found(`updatedSince=${at}`)).length >= 3, true);
});

test("pages hold every order once, in each sort, and a cursor of another sort is refused", async () => {
  await setDue("ONE", "L-1", 300);
  await setDue("TWO", "M-9", 20);
  for (const sort of ["receivedAt", "-receivedAt", "despatchBy", "-despatchBy"]) {
    for (const scope of ["", "&clientId=ONE", "&distributionCentre=DC1", "&text=L-"]) {
      assert.deepEqual(
        await walk(`limit=1&sort=${sort}${scope}`),
        idsOf(await list(`sort=${sort}${scope}`)),
        `${sort}${scope}`,
      );
    }
  }
  const { nextCursor } = await list("limit=1");
  assert.equal((await anna.get(`/order/list?sort=despatchBy&cursor=${nextCursor}`)).status, 400);
});

test("orders at risk are sorted by the remaining time", async () => {
  await setDue("ONE", "L-2", -5);
  await setDue("TWO", "M-9", 20);
  await setDue("ONE", "L-1", 300);
  assert.deepEqual(idsOf(await list("isAtRisk=true&sort=despatchBy")), ["M-9"]);
  assert.deepEqual(idsOf(await list("isLate=true&sort=despatchBy")), ["L-2"]);
  assert.deepEqual(idsOf(await list("isAtRisk=true&isLate=true&sort=despatchBy")), ["L-2", "M-9"]);
  assert.deepEqual(idsOf(await list("sort=despatchBy")), ["L-2", "M-9", "L-1", "L-3", "L-1"]);
  assert.deepEqual(await walk("limit=2&sort=-despatchBy"), ["L-1", "L-3", "L-1", "M-9", "L-2"]);
  assert.deepEqual(idsOf(await list("isAtRisk=true&isLate=true&sort=-despatchBy")), ["M-9", "L-2"]);
  const before = encodeURIComponent(new Date(Date.now() + 10 * 3_600_000).toISOString());
  assert.deepEqual(idsOf(await list(`despatchBefore=${before}&sort=despatchBy`)), ["L-2", "M-9", "L-1"]);
  assert.deepEqual((await anna.get("/order/count?isAtRisk=true&isLate=true")).body, { count: 2, isMore: false });
  assert.deepEqual((await anna.get("/order/count?isLate=true")).body, { count: 1, isMore: false });
  assert.equal((await anna.get("/order/list?receivedOn=2026-02-30")).status, 400);
  assert.deepEqual((await anna.get("/order/count?isHeld=true&status=CANCELLED")).body, { count: 0, isMore: false });
  assert.deepEqual((await anna.get("/order/count?clientId=TWO")).body, { count: 2, isMore: false });
});

test("users see the orders of their clients and facilities, and of no other", async () => {
  const ofTwo = await signIn(server, "viewer", { clientIds: ["TWO"] });
  const atDc1 = await signIn(server, "operator", { facilityCodes: ["DC1"] });
  assert.deepEqual(idsOf(await list("", ofTwo)), ["M-9", "L-1"]);
  assert.deepEqual(idsOf(await list("text=L-", ofTwo)), ["L-1"]);
  assert.deepEqual(idsOf(await list("", atDc1)), ["L-3", "L-2", "L-1"]);
  assert.deepEqual(await walk("limit=1&sort=despatchBy", atDc1), ["L-2", "L-1", "L-3"]);
  assert.equal((await atDc1.get("/order/list?distributionCentre=DC1&distributionCentre=DC2")).status, 403);
  assert.equal((await ofTwo.get("/order/timeline/L-1?clientId=ONE")).status, 403);
  assert.equal((await atDc1.get("/order/timeline/L-1?clientId=TWO")).status, 404);
  // A cursor is refused before its order is looked up.
  assert.equal((await anna.get("/order/timeline/NONE?clientId=ONE&cursor=no")).status, 400);
  const body = { action: "hold", orderIds: ["M-9"], reason: "not theirs" };
  const bulk = await atDc1.post("/order/bulk?clientId=TWO", body);
  assert.deepEqual([bulk.status, bulk.body.refused, bulk.body.items[0].outcome], [200, 1, "REFUSED"]);
});

test("holds of every kind are set and lifted, several at once, by one who may change something", async () => {
  await firstLife.place("H-1", [{ sku: "A", qty: 1 }]);
  const set = (type: string, headers = {}) =>
    anna.post("/order/setHold/H-1?clientId=ONE", { type, reason: "looked at" }, headers);
  const first = await set("ADDRESS_INVALID");
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const { since, ...hold } = first.body.holds[0];
  assert.ok(since);
  assert.deepEqual(hold, { type: "ADDRESS_INVALID", reason: "looked at", by: `user:${anna.userName}` });
  assert.deepEqual([first.body.status, first.headers.get("etag")], ["ON_HOLD", `"${first.body.version}"`]);
  assert.equal((await set("HAZMAT_REVIEW", { "if-match": '"1"' })).status, 412);
  assert.equal((await set("HAZMAT_REVIEW")).body.holds.length, 2);
  assert.equal((await set("HAZMAT_REVIEW")).body.holds.length, 2);
  const lift = (...types: string[]) => anna.post("/order/liftHold/H-1?clientId=ONE", { types });
  assert.equal((await lift("OTHER")).status, 409);
  assert.deepEqual((await lift("HAZMAT_REVIEW")).body.status, "ON_HOLD");
  assert.deepEqual((await lift("ADDRESS_INVALID", "OTHER")).body.holds, []);
  assert.equal(
    (await anna.post("/order/liftHold/H-1?clientId=ONE", { types: ["OTHER"] }, { "if-match": '"1"' })).status,
    412,
  );
  await firstLife.quiet();
  assert.equal(await firstLife.stands("H-1"), "ALLOCATED Allocated 1");
  assert.equal((await anna.post("/order/setHold/NONE?clientId=ONE", { type: "OTHER", reason: "x" })).status, 404);
  assert.equal((await anna.post("/order/liftHold/NONE?clientId=ONE", { types: ["OTHER"] })).status, 404);
  assert.equal((await vera.post("/order/setHold/H-1?clientId=ONE", { type: "OTHER", reason: "x" })).status, 403);
  await firstLife.cancel("H-1");
  assert.equal((await set("OTHER")).status, 409);
});

test("many orders at once: each for itself, every refusal with its reason", async () => {
  for (const orderId of ["B-1", "B-2", "B-3"]) await firstLife.place(orderId, [{ sku: "B", qty: 1 }]);
  const bulk = async (body: object) => {
    const answer = await anna.post("/order/bulk?clientId=ONE", body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const outcomes = answer.body.items.map((item: Record<string, unknown>) => [
      item.orderId,
      item.outcome,
      item.status,
    ]);
    return { ...answer.body, outcomes };
  };
  const held = await bulk({
    action: "hold",
    orderIds: ["B-1", "NONE", "B-2"],
    reason: "stock count",
    holdType: "OTHER",
  });
  assert.deepEqual([held.done, held.refused], [2, 1]);
  assert.deepEqual(held.outcomes, [
    ["B-1", "DONE", "ON_HOLD"],
    ["NONE", "REFUSED", null],
    ["B-2", "DONE", "ON_HOLD"],
  ]);
  assert.match(held.items[1].detail, /no order NONE/);
  const again = await bulk({ action: "hold", orderIds: ["B-1", "B-3"], reason: "stock count" });
  assert.deepEqual(again.outcomes, [
    ["B-1", "UNCHANGED", "ON_HOLD"],
    ["B-3", "DONE", "ON_HOLD"],
  ]);
  const released = await bulk({ action: "release", orderIds: ["B-1"], reason: "counted" });
  assert.deepEqual(
    released.outcomes.map((outcome: string[]) => outcome[1]),
    ["DONE"],
  );
  const wrong = await bulk({ action: "release", orderIds: ["B-2"], reason: "counted", holdType: "HAZMAT_REVIEW" });
  assert.match(wrong.items[0].detail, /has no hold of type HAZMAT_REVIEW/);
  const cancelled = await bulk({ action: "cancel", orderIds: ["B-1", "B-2", "B-1x"], reason: "the shop closes" });
  assert.deepEqual(
    cancelled.outcomes.map((outcome: string[]) => outcome.slice(1)),
    [
      ["DONE", "CANCELLED"],
      ["DONE", "CANCELLED"],
      ["REFUSED", null],
    ],
  );
  const twice = await bulk({ action: "cancel", orderIds: ["B-1"], reason: "the shop closes" });
  assert.match(twice.items[0].detail, /CANCELLED/);
  await firstLife.place("B-4", [{ sku: "A", qty: 1 }]);
  await firstLife.take("B-4");
  const bulkAnswer = await bulk({ action: "cancel", orderIds: ["B-4"], reason: "too late" });
  assert.deepEqual(bulkAnswer.outcomes, [["B-4", "REQUESTED", "ALLOCATED"]]);
  assert.equal((await list("text=B-4")).items[0]?.isCancelRequested, true);
  assert.equal(
    (await vera.post("/order/bulk?clientId=ONE", { action: "hold", orderIds: ["B-3"], reason: "x" })).status,
    403,
  );
  assert.equal(
    (await anna.post("/order/bulk?clientId=ONE", { action: "hold", orderIds: [], reason: "x" })).status,
    400,
  );
});

test("an order's timeline has all events, from the feed to the warehouse, oldest first", async () => {
  await firstLife.place("T-1", [{ sku: "A", qty: 2 }]);
  await anna.post("/order/setHold/T-1?clientId=ONE", { type: "ADDRESS_INVALID", reason: "no such street" });
  await anna.post("/order/liftHold/T-1?clientId=ONE", { types: ["ADDRESS_INVALID"] });
  await firstLife.quiet();
  const allocated = await timeline("ONE", "T-1");
  const texts = (kind: string, entries: Entry[]) =>
    entries.filter((entry) => entry.kind === kind).map(({ text }) => text);
  assert.deepEqual(texts("ALLOCATION", allocated), ["Line 1: 2 of A reserved at DC1"]);
  assert.match(allocated.find(({ kind }) => kind === "ALLOCATION")?.detail ?? "", /first in, first out/);
  await firstLife.pick("T-1", 2);
  const [olpnId = ""] = await firstLife.pack("T-1", 2);
  await firstLife.despatch(olpnId);
  await firstLife.quiet();
  const entries = await timeline("ONE", "T-1");
  assert.deepEqual(
    entries.map(({ at }) => at),
    entries.map(({ at }) => at).toSorted(),
  );
  assert.deepEqual(texts("FEED", entries), ["Order document (NO) received by HTTP, new: processed"]);
  assert.match(entries.find(({ kind }) => kind === "ROUTING")?.detail ?? "", /named by the client or an operator/);
  const milestones = entries.filter(({ kind }) => kind === "MILESTONE").map(({ code }) => code);
  for (const code of [10, 30, 35, 50, 60, 100]) assert.ok(milestones.includes(code), `code ${code} in ${milestones}`);
  const changes = entries.filter(({ kind, actor }) => kind === "CHANGE" && actor === `user:${anna.userName}`);
  assert.deepEqual(
    changes.map(({ text }) => text),
    ["Held", "Released"],
  );
  assert.match(changes[0]?.detail ?? "", /no such street .*ADDRESS_INVALID/);
  assert.ok(texts("EVENT", entries).includes("Event: order:despatched"));
  assert.equal(texts("OUTBOUND", entries).length > 0, true);
  assert.equal(texts("DECISION", entries).length, 1);
  assert.equal(
    entries.find(({ kind, code }) => (kind === "MILESTONE" && code === 80) || code === 60)?.link?.kind ?? "PARCEL",
    "PARCEL",
  );

  const { body: feeds } = await anna.get("/order/feeds/T-1?clientId=ONE");
  assert.equal(feeds.items.length, 1);
  const { feedType, action, channel, state, errors } = feeds.items[0];
  assert.deepEqual([feedType, action, channel, state, errors], ["NO", "NEW", "HTTP", "PROCESSED", 0]);

  const paged: Entry[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const more: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await anna.get(`/order/timeline/T-1?clientId=ONE&limit=3${more}`);
    paged.push(...body.items);
    cursor = body.nextCursor;
  }
  assert.deepEqual(paged, entries);
  const some = await timeline("ONE", "T-1", "&kind=FEED&kind=CHANGE");
  assert.deepEqual([...new Set(some.map(({ kind }) => kind))].toSorted(), ["CHANGE", "FEED"]);
});

test("the timeline has the notes of operators with their authors; a viewer writes none, and the client reads none", async () => {
  await firstLife.place("N-1", [{ sku: "B", qty: 1 }]);
  const path = "/order/note/N-1?clientId=ONE";
  const { status, body } = await anna.post(path, { text: "  The customer wants it on Friday\nnot before " });
  assert.equal(status, 200, JSON.stringify(body));
  const [note, ...others] = await timeline("ONE", "N-1", "&kind=NOTE");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [note?.text, note?.actor],
    ["Note: The customer wants it on Friday\nnot before", `user:${anna.userName}`],
  );
  const paged = await anna.get("/order/timeline/N-1?clientId=ONE&limit=1&kind=NOTE&kind=ROUTING");
  const rest = await anna.get(
    `/order/timeline/N-1?clientId=ONE&kind=NOTE&kind=ROUTING&cursor=${paged.body.nextCursor}`,
  );
  assert.deepEqual(
    [...paged.body.items, ...rest.body.items].map(({ kind }: Entry) => kind),
    ["ROUTING", "NOTE"],
  );
  assert.equal((await anna.post(path, { text: " " })).status, 400);
  assert.equal((await anna.post("/order/note/NONE?clientId=ONE", { text: "x" })).status, 404);
  assert.equal((await vera.post(path, { text: "x" })).status, 403);
  assert.doesNotMatch(JSON.stringify(await firstLife.client.order("N-1")), /Friday/);
  const held = await anna.post("/client/order/hold/N-1?clientId=ONE", { reason: "waits for Friday" });
  assert.equal(held.status, 200, JSON.stringify(held.body));
  const brand = await signIn(server, "developer", { clientIds: ["ONE"] });
  const kindsFor = async (user: typeof anna, more = "") => {
    const { body } = await user.get(`/order/timeline/N-1?clientId=ONE&limit=500${more}`);
    return new Set((body.items as Entry[]).map(({ kind }) => kind));
  };
  const operators = await kindsFor(anna);
  assert.ok(operators.has("CHANGE") && operators.has("NOTE"));
  const brands = await kindsFor(brand);
  assert.deepEqual([...operators].filter((kind) => !brands.has(kind)).sort(), ["CHANGE", "NOTE"]);
  assert.equal((await kindsFor(brand, "&kind=NOTE&kind=CHANGE&kind=EXCEPTION")).size, 0);
});

test("a feed that changes or cancels an order is among its feeds", async () => {
  await firstLife.place("T-2", [{ sku: "B", qty: 2 }]);
  await firstLife.update("T-2", [{ sku: "B", qty: 3 }]);
  await firstLife.cancel("T-2");
  const { body } = await anna.get("/order/feeds/T-2?clientId=ONE");
  assert.deepEqual(
    body.items.map(({ action }: { action: string }) => action),
    ["NEW", "UPDATE", "CANCEL"],
  );
  assert.equal((await anna.get("/order/feeds/NONE?clientId=ONE")).status, 404);
  assert.equal((await anna.get("/order/timeline/NONE?clientId=ONE")).status, 404);
});

test("the list has an order's customer, and its carrier, tracking and despatch once it has parcels", async () => {
  await firstLife.stock([{ sku: "A", qty: 5 }]);
  const company = { companyName: "Ward Ltd", address1: "1 Mill Lane", city: "Leeds", zip: "LS1 4AP", country: "GB" };
  await firstLife.place("P-1", [{ sku: "A", qty: 5 }], {
    distributionCentre: "DC1",
    carrierCode: "DX",
    shipToAddress: company,
  });
  const summary = async () => {
    const [{ shipToName, carrierCode, parcels } = {}] = (await list("text=P-1")).items;
    return { shipToName, carrierCode, ...(parcels as { despatchedAt: string | null; count: number }) };
  };
  assert.deepEqual([(await summary()).shipToName, (await summary()).count], ["Ward Ltd", 0]);
  await firstLife.pick("P-1", 5);
  const pack = async (carrierServiceCode: string, trackingNumber: string): Promise<string> => {
    const olpn = parcel([{ lineNumber: 1, qty: 1 }], { carrierCode: "RM", carrierServiceCode, trackingNumber });
    const { olpns } = await dc1.report("pack", { clientId: "ONE", orderId: "P-1", olpns: [olpn] });
    return (olpns as { olpnId: string }[])[0]?.olpnId ?? "";
  };
  const voided = await pack("RM24", "RM0GB");
  await dc1.report("parcel/void", { clientId: "ONE", olpnId: voided });
  const first = await pack("RM48", "RM9GB");
  for (const [service, trackingNumber] of [
    ["RM48", "RM2GB"],
    // Two parcels of one number are one consignment.
    ["RM24", "RM2GB"],
    ["RM48", "RM1GB"],
  ] as const)
    await pack(service, trackingNumber);
  const packed = {
    shipToName: "Ward Ltd",
    carrierCode: "RM",
    carrierServiceCode: "RM48",
    services: 2,
    count: 4,
    trackingNumber: "RM9GB",
    trackingNumbers: 3,
    // The warehouse chose the services: no decision has a price.
    costs: [],
  };
  assert.deepEqual(await summary(), { ...packed, despatchedAt: null });
  await firstLife.despatch(first);
  await firstLife.quiet();
  const [left] = await server.rows<{ at: string }>("select despatched_at as at from parcel where olpn_id = $1", first);
  const { despatchedAt, ...rest } = await summary();
  assert.deepEqual(rest, packed);
  assert.ok(left?.at);
  assert.equal(despatchedAt, left.at);
  const [{ carrierCode } = {}] = (await list("text=P-1")).items;
  assert.equal(carrierCode, "DX", "what the client chose stays beside");
});

test("the list has the carrier cost of an order: the prices of the decisions of its parcels", async () => {
  await firstLife.stock([{ sku: "A", qty: 5 }]);
  await firstLife.place("C-1", [{ sku: "A", qty: 4 }], { distributionCentre: "DC1" });
  await firstLife.pick("C-1", 4);
  const costs = async () => {
    const [{ parcels } = {}] = (await list("text=C-1")).items;
    return (parcels as { costs: unknown }).costs;
  };
  assert.deepEqual(await costs(), []);
  const pack = (weight: number) =>
    dc1.report("pack", {
      clientId: "ONE",
      orderId: "C-1",
      olpns: [parcel([{ lineNumber: 1, qty: 1 }], { weight })],
    });
  await pack(1.2);
  await pack(4);
  const third = await pack(1.2);
  const stored = await server.rows<{ currency: string; total: string; olpn_id: string }>(
    `select p.olpn_id, d.decision -> 'choices' -> 0 -> 2 ->> 0 as currency, d.decision -> 'choices' -> 0 -> 2 ->> 2 as total
     from parcel p join carrier_decision d using (client_id, decision_id) where p.order_id = 'C-1'`,
  );
  assert.equal(stored.length, 3);
  const sumOf = (rows: typeof stored) =>
    rows.reduce((sum, { total }) => sum + Math.round(Number(total) * 100), 0) / 100;
  assert.deepEqual(await costs(), [{ amount: sumOf(stored), currency: stored[0]?.currency }]);
  const [{ olpnId } = { olpnId: "" }] = third.olpns as { olpnId: string }[];
  await dc1.report("parcel/void", { clientId: "ONE", olpnId });
  const left = stored.filter(({ olpn_id }) => olpn_id !== olpnId);
  assert.equal(left.length, 2);
  assert.deepEqual(await costs(), [{ amount: sumOf(left), currency: stored[0]?.currency }]);
});

test("the carrier cost of parcels that were packed together is the price of their one decision", async () => {
  await firstLife.stock([{ sku: "A", qty: 2 }]);
  await firstLife.place("C-2", [{ sku: "A", qty: 2 }], { distributionCentre: "DC1" });
  await firstLife.pick("C-2", 2);
  const olpns = [
    parcel([{ lineNumber: 1, qty: 1 }], { weight: 1.2 }),
    parcel([{ lineNumber: 1, qty: 1 }], { weight: 4 }),
  ];
  await dc1.report("pack", { clientId: "ONE", orderId: "C-2", olpns });
  const [decision, ...others] = await server.rows<{ currency: string; total: string }>(
    `select distinct d.decision_id, d.decision -> 'choices' -> 0 -> 2 ->> 0 as currency,
        d.decision -> 'choices' -> 0 -> 2 ->> 2 as total
     from parcel p join carrier_decision d using (client_id, decision_id) where p.order_id = 'C-2'`,
  );
  assert.ok(decision && others.length === 0);
  const [{ parcels } = {}] = (await list("text=C-2")).items;
  assert.deepEqual((parcels as { costs: unknown }).costs, [
    { amount: Number(decision.total), currency: decision.currency },
  ]);
});
