// feeds.md §2, Warnings: a shippingMethod that is unknown in the carrier data; carriers.md, Mapping.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorsDefault, saveCarrierData } from "#/modules/carriers/index.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order, type Parts } from "../../support/builders/documents.ts";
import { carrierSet } from "../../support/carriers/carrier-data.ts";
import { answered, clientOf } from "../../support/http/rest-client.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A"]));

const rest = clientOf(server, demo);

const save = async (data: unknown, owner: string) => {
  const saved = await server.operate((tx, change) => saveCarrierData(tx, change, { owner, data }));
  assert.ok(saved.ok, JSON.stringify(saved));
};

let orders = 0;
/** Sends a NEW, and returns its order number. */
const placed = async (shippingMethod: string) => {
  const orderId = `M-${++orders}`;
  await demo.accept("NO", order("DEMO", orderId, ["A"], { shippingMethod }));
  return orderId;
};
/** The warnings of an accepted order. */
const warningsOf = async (parts: Parts, orderId = `M-${++orders}`) => {
  const { token, body } = await demo.accept("NO", order("DEMO", orderId, ["A"], parts));
  assert.doesNotMatch(body, /SHIPPING_METHOD/, "no ACK has warnings");
  return (await demo.status(token)).warnings;
};
const unknown = (method: string, taken = "STANDARD") =>
  `[SHIPPING_METHOD] shippingMethod: '${method}' is not a mapped method, service level or service of the carrier data; ${taken} is taken`;

test("without any carrier data no shippingMethod is unknown", async () => {
  assert.deepEqual(await warningsOf({ shippingMethod: "PIGEON" }), []);
});

test("an NO with a shippingMethod that the operator's carrier data do not know is accepted with a warning", async () => {
  await save(carrierSet, operatorsDefault);
  assert.deepEqual(await warningsOf({ shippingMethod: "PIGEON" }), [unknown("PIGEON")]);
  const known = [
    {},
    ...["STANDARD", "next_day", "STD", "fast", "ALPHA-48"].map((shippingMethod) => ({ shippingMethod })),
  ];
  for (const parts of known) assert.deepEqual(await warningsOf(parts), [], JSON.stringify(parts));
});

const conflict = (method: string, wanted: string, carrier: string) =>
  `[SHIPPING_METHOD] shippingMethod: ${method} means ${wanted}, and carrier ${carrier} has no such service: packing will find none and hold the order`;

test("a carrier whose services are not what the shippingMethod means is a warning at acceptance, not only at packing", async () => {
  const warned = [
    [{ shippingMethod: "NEXT_DAY", carrierCode: "BETA" }, [conflict("'NEXT_DAY'", "NEXT_DAY", "BETA")]],
    [{ shippingMethod: "FAST", carrierCode: "BETA" }, [conflict("'FAST'", "ALPHA-24", "BETA")]],
    [{ shippingMethod: "SAME_DAY", carrierCode: "alfa" }, [conflict("'SAME_DAY'", "SAME_DAY", "ALPHA")]],
    [{ shippingMethod: "STD", carrierCode: "ALFA" }, []],
    [{ shippingMethod: "FAST", carrierCode: "ALPHA" }, []],
    [{ shippingMethod: "NEXT_DAY", carrierCode: "UNKNOWN" }, []],
    [{ carrierCode: "BETA" }, []],
  ] as const;
  for (const [parts, warnings] of warned) assert.deepEqual(await warningsOf(parts), warnings, JSON.stringify(parts));
  // A field that an UPDATE does not change has no second warning.
  const parts = { shippingMethod: "NEXT_DAY", carrierCode: "BETA" };
  const orderId = `M-${++orders}`;
  await demo.accept("NO", order("DEMO", orderId, ["A"], parts));
  const update = (more: Parts) => warningsOf({ actionType: "UPDATE", ...more }, orderId);
  assert.deepEqual(await update(parts), []);
  assert.deepEqual(await update({ ...parts, carrierCode: "ALPHA" }), [conflict("'NEXT_DAY'", "NEXT_DAY", "ALPHA")]);
});

test("several in one transaction have their own warnings", async () => {
  const methods = ["PIGEON", "STD", "SLEDGE", "PIGEON", "EXPRESS"];
  const warnings = await Promise.all(methods.map((shippingMethod) => warningsOf({ shippingMethod })));
  assert.deepEqual(warnings, [[unknown("PIGEON")], [], [unknown("SLEDGE")], [unknown("PIGEON")], []]);
});

test("an UPDATE is warned of the shippingMethod that it changes, and not of one that stays", async () => {
  const orderId = await placed("PIGEON");
  const update = (parts: Parts) => warningsOf({ actionType: "UPDATE", ...parts }, orderId);
  assert.deepEqual(await update({ shippingMethod: "PIGEON" }), []);
  assert.deepEqual(await update({ shippingMethod: "SLEDGE" }), [unknown("SLEDGE")]);
  assert.deepEqual(await update({ shippingMethod: "STD" }), []);
  assert.deepEqual(await update({ shippingMethod: "PIGEON" }), [unknown("PIGEON")]);
  assert.deepEqual(await update({}), []);
});

test("a change over REST is warned of like an UPDATE", async () => {
  const orderId = await placed("STD");
  const path = "/v1/orderService/order/update/{orderId}";
  const update = async (body: { shippingMethod?: string | null; carrierCode?: string | null; priority?: number }) =>
    (await answered(200, rest.orders.PATCH(path, { params: { path: { orderId } }, body }))).warnings;
  assert.deepEqual(await update({ shippingMethod: "NEXT_DAY", carrierCode: "BETA" }), [
    conflict("'NEXT_DAY'", "NEXT_DAY", "BETA"),
  ]);
  assert.deepEqual(await update({ shippingMethod: "NEXT_DAY" }), []);
  assert.deepEqual(await update({ priority: 2 }), []);
  assert.deepEqual(await update({ carrierCode: null }), []);
  assert.deepEqual(await update({ shippingMethod: "PIGEON" }), [unknown("PIGEON")]);
});

test("data that are activated hold from the next document on; a client's own come before the operator's", async () => {
  assert.deepEqual(await warningsOf({ shippingMethod: "SLEDGE" }), [unknown("SLEDGE")]);
  const mapping = { shippingMethods: { SLEDGE: "ALPHA-24" } };
  await save({ ...carrierSet, mapping, settings: { defaultServiceLevel: "ECONOMY" } }, "DEMO");
  assert.deepEqual(await warningsOf({ shippingMethod: "SLEDGE" }), []);
  assert.deepEqual(await warningsOf({ shippingMethod: "STD" }), [unknown("STD", "ECONOMY")]);
});

test("a dry run is judged alike and answered as accepted; a refused one has the warning too", async () => {
  const document = order("DEMO", "DRY", ["A"], { shippingMethod: "STD" });
  assert.equal((await demo.send("NO", document, {}, "/validate")).isAccepted, true);
  const refused = await demo.refuse(
    "NO",
    order("DEMO", "LOST", ["GHOST"], { shippingMethod: "STD" }),
    "[UNKNOWN_SKU] The request references unknown SKUs: GHOST",
  );
  assert.deepEqual((await demo.status(refused.token)).warnings, [unknown("STD", "ECONOMY")]);
});
