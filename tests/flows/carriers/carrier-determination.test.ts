// carriers.md, Request and Answer; rest.md §3, the Carrier Determination service.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorsDefault, saveCarrierData } from "#/modules/carriers/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { carrierSet } from "../../support/carriers/carrier-data.ts";
import type { Answer } from "../../support/http/call.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"] });
const ownClient = await server.onboard("OWN", { facilities: ["DC1"] });
const prefix = "/v1/carrierDeterminationService";
const call = restCalls(server.url, prefix, demo.credentials);
const callAsOwn = restCalls(server.url, prefix, ownClient.credentials);

const save = (data: unknown, owner: string) =>
  server.operate((tx, change) => saveCarrierData(tx, change, { owner, data }));

const shipment = {
  distributionCentre: "DC1",
  shipTo: { country: "GB", zip: "BS1 5TY" },
  parcels: [{ weight: 1.2 }],
};

interface Choice {
  readonly carrierCode: string;
  readonly serviceCode: string | null;
  readonly price: { readonly base: object; readonly surcharges: object[]; readonly total: { amount: number } } | null;
  readonly zone: string | null;
}

interface Decision {
  readonly decisionId: string;
  readonly orderId: string | null;
  readonly chosen: Choice | null;
  readonly alternatives: readonly Choice[];
  readonly rejected: readonly { serviceCode: string; reasons: readonly { code: string; ruleId?: string }[] }[];
  readonly rulesApplied: readonly string[];
  readonly warnings: readonly string[];
  readonly dataVersion: number;
  readonly dataOwner: string;
}

function decisionOf({ status, body }: Answer): Decision {
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as Decision;
}

const determine = async (more: object = {}, caller = call) =>
  decisionOf(await caller("POST", "/carrier/determine", { ...shipment, ...more }));
const forOrder = (orderId: string, body?: object, caller = call) =>
  caller("POST", `/carrier/determineForOrder/${orderId}`, body);
const serviceOf = ({ chosen }: Decision) => chosen?.serviceCode;
const codesOf = ({ rejected }: Decision) =>
  rejected.map(({ serviceCode, reasons }) => [serviceCode, ...reasons.map(({ code }) => code)]);

test("without carrier data no service is suitable, and there are no reasons", async () => {
  const decision = await determine();
  assert.deepEqual(
    [decision.chosen, decision.alternatives, decision.rejected, decision.dataVersion, decision.dataOwner],
    [null, [], [], 0, "OPERATOR"],
  );
});

test("the cheapest service is chosen, with its price part by part, the others in order, and each rejected with its reasons", async () => {
  assert.deepEqual(await save(carrierSet, operatorsDefault), { ok: true, value: { version: 1 } });
  const decision = await determine();
  const { chosen } = decision;
  assert.deepEqual(chosen?.price, {
    base: { amount: 4, currency: "GBP" },
    surcharges: [{ code: "FUEL", amount: { amount: 0.4, currency: "GBP" } }],
    total: { amount: 4.4, currency: "GBP" },
  });
  assert.deepEqual([chosen?.carrierCode, chosen?.serviceCode, chosen?.zone], ["BETA", "BETA-72", "DOMESTIC"]);
  assert.deepEqual(
    decision.alternatives.map(({ serviceCode }) => serviceCode),
    ["ALPHA-48", "BETA-NEXT", "ALPHA-24"],
  );
  assert.deepEqual([decision.rejected, decision.rulesApplied, decision.warnings], [[], [], []]);
  assert.deepEqual([decision.dataVersion, decision.dataOwner, decision.orderId], [1, "OPERATOR", null]);
  const abroad = await determine({ shipTo: { country: "DEU", zip: "10117" } });
  assert.deepEqual(codesOf(abroad), [
    ["BETA-72", "RULE"],
    ["BETA-NEXT", "RULE"],
  ]);
  assert.deepEqual(abroad.rulesApplied, ["no-beta-abroad"]);
});

test("strategy, service level, carrier and goods narrow the choice; a carrier that no one knows is taken as given", async () => {
  assert.equal(serviceOf(await determine({ strategy: "FASTEST" })), "BETA-NEXT");
  assert.equal(serviceOf(await determine({ strategy: "BALANCED" })), "ALPHA-48");
  assert.equal(serviceOf(await determine({ serviceLevel: "EXPRESS" })), "BETA-NEXT");
  assert.equal(serviceOf(await determine({ requestedCarrierCode: "alfa" })), "ALPHA-48");
  assert.equal(serviceOf(await determine({ isHazmat: true })), "ALPHA-24");
  const decision = await determine({ requestedCarrierCode: "UNKNOWN" });
  assert.deepEqual(
    [decision.chosen?.carrierCode, decision.chosen?.serviceCode, decision.chosen?.price],
    ["UNKNOWN", null, null],
  );
  const heavy = await determine({ parcels: [{ weight: 31 }] });
  assert.equal(heavy.chosen, null);
  assert.ok(heavy.rejected.every(({ reasons }) => reasons.some(({ code }) => code === "OVER_WEIGHT")));
});

test("a decision is stored as answered, independent of later data, and only for its client", async () => {
  const answered = await call("POST", "/carrier/determine", { ...shipment, isHazmat: true });
  const { decisionId } = decisionOf(answered);
  await save({ ...carrierSet, services: [], rateCards: [], rules: [], mapping: {} }, operatorsDefault);
  const kept = await call("GET", `/carrier/decision/${decisionId}`);
  assert.deepEqual(kept.body, answered.body);
  assert.equal((await callAsOwn("GET", `/carrier/decision/${decisionId}`)).status, 404);
  assert.equal((await call("GET", "/carrier/decision/no-such-decision")).status, 404);
  await save(carrierSet, operatorsDefault);
  assert.equal((await determine()).dataVersion, 3);
});

test("a client with its own set is decided by that alone", async () => {
  await save({ services: [carrierSet.services[1]], rateCards: [carrierSet.rateCards[1]] }, "OWN");
  const decision = await determine({}, callAsOwn);
  assert.deepEqual(
    [serviceOf(decision), decision.alternatives, decision.dataVersion, decision.dataOwner],
    ["ALPHA-24", [], 1, "CLIENT"],
  );
});

test("of the address only country and postcode are stored", async () => {
  const shipTo = { country: "GB", zip: "BS1 5TY", city: "Bristol", state: "Avon", isResidential: true };
  const parcels = [{ weight: 1, items: [{ sku: "A", qty: 1 }] }];
  const { decisionId } = await determine({ shipTo, parcels, clientId: "DEMO" });
  const [row] = await server.rows<{ request: object; purpose: string }>(
    "select request, purpose from carrier_decision where client_id = 'DEMO' and decision_id = $1",
    decisionId,
  );
  assert.deepEqual(row, {
    purpose: "SHIPMENT",
    request: {
      distributionCentre: "DC1",
      shipTo: { country: "GB", zip: "BS1 5TY", isResidential: true },
      parcels: [{ weight: 1 }],
    },
  });
});

test("a repeat with its Idempotency-Key is answered as the first time, another request under it is a conflict", async () => {
  const headers = { "idempotency-key": "D-1" };
  const first = await call("POST", "/carrier/determine", shipment, headers);
  const again = await call("POST", "/carrier/determine", shipment, headers);
  assert.deepEqual(again.body, first.body);
  const other = await call("POST", "/carrier/determine", { ...shipment, isHazmat: true }, headers);
  assert.equal(other.status, 409);
});

test("a wrong shape is 400 with each place, what does not exist is 422 with each place", async () => {
  const shape = await call("POST", "/carrier/determine", {
    distributionCentre: 7,
    shipTo: { country: "GB", street: "1 High Street" },
    parcels: [{ weight: -1, colour: "red" }],
    strategy: "NICEST",
  });
  assert.equal(shape.status, 400);
  assert.deepEqual(pointersOf(shape).sort(), [
    "#/distributionCentre",
    "#/parcels/0/colour",
    "#/parcels/0/weight",
    "#/shipTo/street",
    "#/strategy",
  ]);
  assert.equal((await call("POST", "/carrier/determine", { ...shipment, parcels: [] })).status, 400);
  const unknown = await call("POST", "/carrier/determine", {
    distributionCentre: "DC1",
    shipTo: { country: "XX" },
    parcels: [
      { weight: 1, weightUomCode: "STONE" },
      { weight: 1, length: 9_000, dimensionsUomCode: "ELL" },
    ],
    orderValue: { amount: 1, currency: "ZZZ" },
    shipDate: "2026-02-30",
  });
  assert.equal(unknown.status, 422);
  assert.deepEqual(pointersOf(unknown).sort(), [
    "#/orderValue/currency",
    "#/parcels/0/weightUomCode",
    "#/parcels/1/dimensionsUomCode",
    "#/shipDate",
    "#/shipTo/country",
  ]);
  const zip = await call("POST", "/carrier/determine", { ...shipment, shipTo: { country: "GB", zip: "10117" } });
  assert.deepEqual([zip.status, pointersOf(zip)], [422, ["#/shipTo/zip"]]);
  const absurd = await call("POST", "/carrier/determine", { ...shipment, parcels: [{ weight: 99_999_999 }] });
  assert.deepEqual([absurd.status, pointersOf(absurd)], [422, ["#/parcels/0/weight"]]);
});

test("a facility that is unknown, or not open to the client, is 422 with the place", async () => {
  for (const [caller, code] of [
    [call, "DC9"],
    [call, "DC3"],
    [callAsOwn, "DC2"],
  ] as const) {
    const refused = await caller("POST", "/carrier/determine", { ...shipment, distributionCentre: code });
    assert.deepEqual([refused.status, pointersOf(refused)], [422, ["#/distributionCentre"]], code);
  }
});

const tee = {
  sku: "TEE",
  weight: 0.25,
  weightUomCode: "KG",
  length: 30,
  width: 20,
  height: 2,
  dimensionsUomCode: "CM",
};
await demo.accept(
  "CAT",
  catalogue("DEMO", [
    tee,
    { sku: "ACID", weight: 500, weightUomCode: "G", extendedAttributes: attributes({ IsHazmat: "true" }) },
    "AIR",
  ]),
);

const sendOrder = (orderId: string, skus: readonly (string | { sku: string; qty: number })[], parts: object = {}) =>
  demo.accept("NO", order("DEMO", orderId, skus as never, { distributionCentre: "DC1", ...parts }));

test("an order without parcels is one parcel: the weights of its items, and their volume on the greatest of them", async () => {
  await sendOrder("O-1", [{ sku: "TEE", qty: 10 }], { shippingMethod: "STD" });
  const decision = decisionOf(await forOrder("O-1"));
  // 10 × 1 200 cm³ divided by 5 000 is 2.4 kg, in steps 2.5; the weight is the same: 4 + 2 and one started kg above 2.
  assert.deepEqual(decision.chosen?.price?.base, { amount: 6.5, currency: "GBP" });
  assert.deepEqual([serviceOf(decision), decision.orderId, decision.warnings], ["BETA-72", "O-1", []]);
  assert.deepEqual(codesOf(decision), [
    ["ALPHA-24", "SERVICE_LEVEL"],
    ["BETA-NEXT", "SERVICE_LEVEL"],
  ]);
  const [row] = await server.rows<{ purpose: string; order_id: string; request: { shippingMethod: string } }>(
    "select purpose, order_id, request from carrier_decision where client_id = 'DEMO' and decision_id = $1",
    decision.decisionId,
  );
  assert.deepEqual([row?.purpose, row?.order_id, row?.request.shippingMethod], ["ORDER", "O-1", "STD"]);
  const fastest = decisionOf(await forOrder("O-1", { strategy: "FASTEST" }));
  assert.equal(serviceOf(fastest), "ALPHA-48");
});

test("shippingMethod and carrierCode of an order are mapped; an unmapped method gives the default level and a warning", async () => {
  await sendOrder("O-2", ["TEE"], { shippingMethod: "fast" });
  assert.equal(serviceOf(decisionOf(await forOrder("O-2"))), "ALPHA-24");
  await sendOrder("O-3", ["TEE"], { shippingMethod: "PIGEON", carrierCode: "ALFA" });
  const mapped = decisionOf(await forOrder("O-3"));
  assert.equal(serviceOf(mapped), "ALPHA-48");
  assert.equal(mapped.warnings.length, 1);
  assert.match(mapped.warnings[0] ?? "", /PIGEON.*STANDARD/);
  const kept = await call("GET", `/carrier/decision/${mapped.decisionId}`);
  assert.deepEqual(kept.body, mapped);
});

test("an order with a hazardous item gets a service for hazardous goods", async () => {
  await sendOrder("O-4", ["TEE", "ACID"], { shippingMethod: "EXPRESS" });
  assert.equal(serviceOf(decisionOf(await forOrder("O-4"))), "ALPHA-24");
});

test("an unknown order and another client's are 404; nothing to send is 409; an item without a weight is 422", async () => {
  assert.equal((await forOrder("NO-SUCH")).status, 404);
  assert.equal((await forOrder("O-1", {}, callAsOwn)).status, 404);
  await sendOrder("O-5", ["AIR"]);
  const weightless = await forOrder("O-5");
  assert.equal(weightless.status, 422);
  assert.match(String(weightless.body.detail), /AIR/);
  await restCalls(server.url, "/v1/orderService", demo.credentials)("POST", "/order/cancel/O-5", { reason: "test" });
  assert.equal((await forOrder("O-5")).status, 409);
  assert.equal((await forOrder("O-1", { colour: "red" })).status, 400);
});

test("the shipment of a packed order is its parcels, each priced separately, without voided ones", async () => {
  const dc1 = await warehouseOf(server);
  const life = await lifeOf(server, dc1, "PACKED");
  const callAsPacked = restCalls(server.url, prefix, life.client.credentials);
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("P-1", [{ sku: "A", qty: 3 }]);
  await life.pick("P-1", 3);
  const [first] = await life.pack("P-1", 1, 1, 1);
  const three = decisionOf(await forOrder("P-1", undefined, callAsPacked));
  // Half a kilogram each: three times the first break.
  assert.deepEqual(three.chosen?.price?.base, { amount: 12, currency: "GBP" });
  await dc1.report("parcel/void", { clientId: "PACKED", olpnId: first });
  const two = decisionOf(await forOrder("P-1", undefined, callAsPacked));
  assert.deepEqual(two.chosen?.price?.base, { amount: 8, currency: "GBP" });
});
