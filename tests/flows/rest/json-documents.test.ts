// rest.md §3, documents in JSON: what the four feeds take in XML, with the same checks, effects and rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { call } from "../../support/http/call.ts";

const server = await testServer();
const json = await server.onboard("JSON");
const token = await accessTokenOf(server.url, json.credentials.oauth);
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call("POST", `${server.url}/v1/${path}`, { token, body, headers });
const get = (path: string) => call("GET", `${server.url}/v1/${path}`, { token });

const address = {
  firstName: "Zoë",
  lastName: "O’Neill",
  address1: "12 Harbour Road",
  city: "Bristol",
  zip: "BS1 5TY",
  country: "GB",
};
const orderOf = (orderId: string, more: object = {}) => ({
  orderId,
  orderDate: "2026-11-20T10:00:00Z",
  shipToAddress: address,
  lines: [{ lineNumber: 1, sku: "MUG", qty: 2 }],
  ...more,
});
type Problem = {
  detail: string;
  errors: { pointer: string; message: string; code: string; remedy?: string }[];
  missingSkus?: string[];
  correlationToken: string;
};

test("items are created and replaced, all or none", async () => {
  const items = [
    {
      sku: "MUG",
      name: "Mug",
      weight: 0.35,
      weightUomCode: "KG",
      gtinBarcodes: ["4006381334006"],
      extendedAttributes: { "Uom.CS": "12" },
    },
    { sku: "TEE", name: "Tee & more <1>", eanCode: "4006381333931", captureBatchRef: true },
  ];
  const answer = await post("itemMasterService/item/upsert", { date: "2026-11-02T08:00:00Z", items });
  assert.equal(answer.status, 200, answer.bytes.toString());
  const stored = answer.body as { token: string; items: Record<string, unknown>[]; warnings: string[] };
  assert.deepEqual(
    stored.items.map(({ sku, name, weight, eanCode, captureBatchRef, feedToken }) => [
      sku,
      name,
      weight,
      eanCode,
      captureBatchRef,
      feedToken,
    ]),
    [
      ["MUG", "Mug", 0.35, null, false, stored.token],
      ["TEE", "Tee & more <1>", null, "4006381333931", true, stored.token],
    ],
  );
  const refused = await post("itemMasterService/item/upsert", {
    items: [
      { sku: "NEW", name: "New" },
      { sku: "BAD", name: "Bad", weight: 1 },
    ],
  });
  assert.equal(refused.status, 422);
  const { errors, detail, correlationToken } = refused.body as unknown as Problem;
  assert.deepEqual(
    errors.map(({ code, pointer, message }) => [code, pointer, message]),
    [
      [
        "VALUE",
        "#/items/1/weightUomCode",
        "is required where a weight is given; allowed: KG, KGM, G, GRM, LB, LBR, OZ, ONZ",
      ],
    ],
  );
  assert.match(detail, /^\[VALUE\] is required/);
  const known = await get("itemMasterService/findItemBySku?sku=NEW");
  assert.equal(known.body.found, false, "a refused document has no part that takes effect");
  const kept = await json.request(`/feeds/JSON/status/${correlationToken}`);
  assert.equal(
    ((await kept.json()) as { state: string }).state,
    "REJECTED",
    "the refused document is kept under its token",
  );
});

test("a purchase order, an order and a return are created, each with its token, its address and its warnings", async () => {
  const made = await post("orderService/purchaseOrder/create", {
    poNumber: "P-1",
    vendorOrderId: "V-1",
    distributionCentre: "DC1",
    lines: [{ lineNumber: 1, sku: "MUG", qty: 2, qtyUom: "CS" }],
  });
  assert.equal(made.status, 201, made.bytes.toString());
  assert.equal(made.headers.get("location"), "/v1/orderService/purchaseOrder/get/P-1?vendorOrderId=V-1");
  const order = await post("orderService/order/create", orderOf("O-1", { extendedAttributes: { Priority: "0" } }));
  assert.equal(order.status, 201, order.bytes.toString());
  assert.equal(order.body.token, order.body.feedToken);
  assert.equal(order.headers.get("x-correlation-token"), order.body.token);
  assert.deepEqual(order.body.warnings, ["[PRIORITY] Priority '0' is not 1 to 9; 5 is taken"]);
  const location = order.headers.get("location") as string;
  const { body } = await get(location.replace("/v1/", ""));
  assert.equal(body.orderId, "O-1");
  const back = await post("orderService/rma/create", {
    rmaNumber: "R-1",
    distributionCentre: "DC1",
    orderReference: "O-1",
    lines: [{ lineNumber: 1, sku: "MUG", quantityReturned: 1 }],
  });
  assert.equal(back.status, 201, back.bytes.toString());
  assert.equal(back.body.orderId, "O-1");
  assert.match(String((back.body.warnings as string[])[0]), /^\[OVER_RETURN\]/);
  for (const path of [
    location,
    "/v1/orderService/purchaseOrder/get/P-1?vendorOrderId=V-1",
    back.headers.get("location") as string,
  ])
    assert.equal((await get(path.replace("/v1/", ""))).status, 200);
});

test("every fault is named by its code, its JSON pointer and its remedy", async () => {
  const refused = await post(
    "orderService/order/create",
    orderOf("O-2", {
      distributionCentre: "DC9",
      shipToAddress: { ...address, zip: "12" },
      billToAddress: { ...address, country: "XX" },
      payments: [{ tender: "4111 1111 1111 1111" }],
      totalPrice: { amount: 1, currency: "EUR" },
      lines: [
        { lineNumber: 1, sku: "MUG", qty: 1, lineTotal: { amount: 1, currency: "GBP" } },
        { lineNumber: 1, sku: "MUG", qty: 1, stockPool: "OUTLET" },
      ],
    }),
  );
  assert.equal(refused.status, 422, refused.bytes.toString());
  const { errors } = refused.body as unknown as Problem;
  assert.deepEqual(errors.map(({ code, pointer }) => [code, pointer]).sort(), [
    ["COUNTRY", "#/billToAddress/country"],
    ["FACILITY", "#/distributionCentre"],
    ["POSTCODE", "#/shipToAddress/zip"],
    ["VALUE", "#/lines/0/lineTotal/currency"],
    ["VALUE", "#/lines/1/lineNumber"],
    ["VALUE", "#/lines/1/stockPool"],
    ["VALUE", "#/payments/0/tender"],
  ]);
  assert.ok(
    errors.every(({ remedy, message }) => remedy !== undefined && !/lines\/line|Line \d/.test(message)),
    JSON.stringify(errors),
  );

  const unknown = await post(
    "orderService/order/create",
    orderOf("O-2", { lines: [{ lineNumber: 1, sku: "GHOST", qty: 1 }] }),
  );
  const problem = unknown.body as unknown as Problem;
  assert.deepEqual([unknown.status, problem.missingSkus, problem.errors[0]?.code], [422, ["GHOST"], "UNKNOWN_SKU"]);
  const xsd = await post(
    "orderService/order/create",
    orderOf("O-2", { shipToAddress: { country: "GB", address1: "x".repeat(300), city: "B", lastName: "N" } }),
  );
  assert.deepEqual(
    (xsd.body as unknown as Problem).errors.map(({ code, pointer }) => [code, pointer]),
    [["XSD", "#/shipToAddress/address1"]],
  );
  await json.set({ doubtfulAddress: "REFUSE" });
  const addresses = await post(
    "orderService/order/create",
    orderOf("O: 2", {
      shipToAddress: { ...address, email: "no address" },
      billToAddress: { ...address, zip: "12" },
    }),
  );
  assert.deepEqual(
    (addresses.body as unknown as Problem).errors.map(({ code, pointer }) => [code, pointer]).sort(),
    [
      ["ADDRESS", "#/shipToAddress/email"],
      ["POSTCODE", "#/billToAddress/zip"],
    ],
    addresses.bytes.toString(),
  );
  const duplicate = await post("orderService/order/create", orderOf("O-1"));
  assert.deepEqual([duplicate.status, (duplicate.body as unknown as Problem).errors[0]?.code], [422, "DUPLICATE"]);
  const bell = await post("orderService/order/create", orderOf("O-2", { origin: "a\u0007b" }));
  assert.deepEqual(
    [bell.status, (bell.body as unknown as Problem).errors],
    [400, [{ pointer: "#/origin", message: "has the character U+0007, which is not allowed" }]],
  );
  // The feed reads blanks at the ends of a value; a new identifier of REST has none (rest.md §2).
  const blank = await post("orderService/order/create", orderOf("O-2 "));
  assert.deepEqual([blank.status, (blank.body as unknown as Problem).errors[0]?.pointer], [400, "#/orderId"]);
  const misspelt = await post("orderService/order/create", { ...orderOf("O-2"), shippingMetod: "EXPRESS" });
  assert.deepEqual(
    [misspelt.status, (misspelt.body as unknown as Problem).errors[0]?.pointer],
    [400, "#/shippingMetod"],
  );
});

test("a dry run answers like the operation, and stores nothing", async () => {
  const documents = () => server.rows("select count(*)::int as n from feed_document");
  const before = await documents();
  const good = await post("orderService/order/create/validate", orderOf("O-3"));
  assert.deepEqual([good.status, good.body], [200, { warnings: [] }]);
  const bad = await post(
    "orderService/order/create/validate",
    orderOf("O-3", { lines: [{ lineNumber: 1, sku: "GHOST", qty: 1 }] }),
  );
  assert.deepEqual([bad.status, (bad.body as unknown as Problem).missingSkus], [422, ["GHOST"]]);
  assert.deepEqual(await documents(), before);
});

test("a repeat under an Idempotency-Key gets the answer of its first request, also while that runs, and another body is a 409", async () => {
  const headers = { "idempotency-key": "order of a basket" };
  const answers = await Promise.all([1, 2, 3].map(() => post("orderService/order/create", orderOf("O-4"), headers)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal(new Set(answers.map(({ body }) => body.token)).size, 1);
  assert.equal(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true").length, 2);
  const other = await post("orderService/order/create", orderOf("O-5"), headers);
  assert.equal(other.status, 409);
  // Without a date, the document has the time of its request.
  const upsert = () =>
    post("itemMasterService/item/upsert", { items: [{ sku: "CAP", name: "Cap" }] }, { "idempotency-key": "caps" });
  const [first, again] = [await upsert(), await upsert()];
  assert.deepEqual([first.status, again.status, again.body.token], [200, 200, first.body.token]);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
});

test("each of the four documents has a dry run, and refuses another body under the key of an accepted one", async () => {
  const documents = {
    "orderService/order/create": (id: string) => orderOf(id),
    "orderService/purchaseOrder/create": (poNumber: string) => ({
      poNumber,
      distributionCentre: "DC1",
      lines: [{ lineNumber: 1, sku: "MUG", qty: 1 }],
    }),
    "orderService/rma/create": (rmaNumber: string) => ({
      rmaNumber,
      distributionCentre: "DC1",
      lines: [{ lineNumber: 1, sku: "MUG", quantityReturned: 1 }],
    }),
    "itemMasterService/item/upsert": (sku: string) => ({ items: [{ sku, name: "Item" }] }),
  };
  for (const [path, bodyOf] of Object.entries(documents)) {
    assert.equal((await post(`${path}/validate`, bodyOf("K-1"))).status, 200, path);
    const key = { "idempotency-key": "bound" };
    assert.ok((await post(path, bodyOf("K-1"), key)).status < 300, path);
    assert.equal((await post(path, bodyOf("K-2"), key)).status, 409, path);
  }
});

test("a parked document heals when a catalogue brings its SKUs", async () => {
  await json.set({ parkUnknownSkus: "true" });
  const parked = await post(
    "orderService/order/create",
    orderOf("O-6", { lines: [{ lineNumber: 1, sku: "LATE", qty: 1 }] }),
  );
  assert.equal(parked.status, 422);
  await post("itemMasterService/item/upsert", { items: [{ sku: "LATE", name: "Late" }] });
  await until("the order to be there", async () => (await get("orderService/order/get/O-6")).status === 200);
  assert.equal(
    (await get("orderService/order/get/O-6")).body.feedToken,
    (parked.body as unknown as Problem).correlationToken,
  );
});

test("a card number of a refused document is kept nowhere, not in the log of failed requests either", async () => {
  await json.set({ requestLogBodies: "true" });
  const number = "4111111111111111";
  const refused = await post("orderService/order/create", orderOf("O-7", { payments: [{ tender: number }] }));
  assert.equal(refused.status, 422);
  const logged = () =>
    server.rows<{ body: string }>(
      "select body from request_log where client_id = 'JSON' and request_id = $1::uuid and body is not null",
      (refused.body as unknown as Problem).correlationToken,
    );
  const [entry] = await until("the entry of the log", async () => {
    const rows = await logged();
    return rows.length > 0 ? rows : undefined;
  });
  const body = entry?.body ?? "";
  assert.ok(!body.includes(number) && body.includes("************1111"), body);
  const payloads = await server.rows<{ payload: Buffer }>("select payload from feed_payload where client_id = 'JSON'");
  assert.ok(payloads.length > 0);
  assert.ok(payloads.every(({ payload }) => !payload.includes("4111111111111111")));
});
