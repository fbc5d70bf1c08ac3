// docs/customs.md: what an item and an order lack for their destination, and the flat duty of the European Union.
import assert from "node:assert/strict";
import { test } from "node:test";
import { flatDutyOf } from "#/kernel/values/customs-rules.ts";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, money, order, type Parts } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { carrierDataOf, saveCarriers, serviceOf } from "../../support/carriers/carriers.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const life = await lifeOf(server, dc1, "DEMO", { items: ["X"] });
const call = restCalls(server.url, "/v1", life.client.credentials);

const complete = { HsCode: "6912.00.23.00", ManufacturerProductId: "PM-330", NoStandardProductId: "true" };
const item = (sku: string, named: Record<string, string>, more: Parts = {}): Parts => ({
  sku,
  name: `Stoneware ${sku}`,
  weight: "0.35",
  weightUomCode: "KG",
  countryOfOrigin: "GB",
  extendedAttributes: attributes(named),
  ...more,
});
await life.client.accept(
  "CAT",
  catalogue("DEMO", [
    item("MUG", complete),
    item("BOWL", { ...complete, HsCode: "6912.00.25" }),
    item("LAMP", { HsCode: "9405.21" }, { name: "Lamps", countryOfOrigin: undefined }),
    "BARE",
    {
      sku: "SET",
      components: {
        component: [
          { sku: "MUG", qty: 1 },
          { sku: "LAMP", qty: 1 },
        ],
      },
    },
  ]),
);

/** The law has an end. */
const dutyOf = (paidBy: "SENDER" | "BUYER" | null, ...hsCodes: string[]) => {
  const duty = flatDutyOf(hsCodes, new Date().toISOString().slice(0, 10));
  return duty ? { ...duty, paidBy } : null;
};

const berlin = { firstName: "Ann", lastName: "Lee", address1: "Allee 1", city: "Berlin", zip: "10117", country: "DE" };
const priced = (sku: string, price: string, more: Parts = {}) => ({
  sku,
  qty: 1,
  unitNetPrice: money(price, "EUR"),
  ...more,
});

async function customsOf(orderId: string, lines: readonly Parts[], more: Parts = {}) {
  const document = order("DEMO", orderId, lines, { distributionCentre: "DC1", shipToAddress: berlin, ...more });
  await life.client.accept("NO", document);
  const { status, body } = await call("GET", `/orderService/order/explain/${orderId}`);
  assert.equal(status, 200);
  return (body as unknown as OrderExplanation).customs;
}

test("an item names its customs data, and what it lacks for each destination with the source", async () => {
  const { body } = await call("GET", "/itemMasterService/item/customs?sku=LAMP");
  const { destinations, ...data } = body as { destinations: { destination: string; lacks: { code: string }[] }[] };
  assert.deepEqual(data, {
    clientId: "DEMO",
    sku: "LAMP",
    description: "Lamps",
    hsCode: "9405.21",
    countryOfOrigin: null,
    productIdentifiers: { merchant: "LAMP", manufacturer: null, gtin: null, hasNoStandardId: false },
  });
  assert.deepEqual(
    destinations.map(({ destination, lacks }) => [destination, ...lacks.map(({ code }) => code)]),
    [
      ["EU", "ORIGIN", "MANUFACTURER_ID", "STANDARD_ID"],
      ["GB", "ORIGIN"],
      ["US", "HTSUS_CODE", "ORIGIN"],
      ["CH_NO", "ORIGIN"],
      ["OTHER", "ORIGIN"],
    ],
  );
  const [eu] = destinations as unknown as { lacks: { since: string; source: string }[] }[];
  assert.deepEqual(eu?.lacks[1]?.since, "2026-11-01");
  assert.match(eu?.lacks[1]?.source ?? "", /2026\/1022/);
  const full = (await call("GET", "/itemMasterService/item/customs?sku=MUG")).body as typeof body;
  assert.ok((full.destinations as { isComplete: boolean }[]).every(({ isComplete }) => isComplete));
  assert.equal((await call("GET", "/itemMasterService/item/customs?sku=GHOST")).status, 404);
  assert.equal((await call("GET", "/itemMasterService/item/customs")).status, 400);
  assert.equal((await call("GET", "/itemMasterService/item/customs?sku=MUG&clientId=OTHER")).status, 403);
});

test("an order names what its lines lack, and the duty of its tariff lines", async () => {
  const customs = await customsOf("SMALL", [priced("MUG", "20"), priced("BOWL", "30"), priced("LAMP", "90.5")], {
    extendedAttributes: attributes({ IncotermName: "ddp" }),
  });
  const lacking = { lineNumber: 3, sku: "LAMP" };
  assert.deepEqual(customs, {
    destination: "EU",
    isComplete: false,
    lacks: [
      { ...lacking, code: "ORIGIN", field: "countryOfOrigin", needs: "the country of origin" },
      {
        ...lacking,
        code: "MANUFACTURER_ID",
        field: "ManufacturerProductId",
        needs: "the maker's identifier of the product",
      },
      {
        ...lacking,
        code: "STANDARD_ID",
        field: "eanCode",
        needs: "a GTIN, or NoStandardProductId true (Y081) and no GTIN",
      },
    ],
    lacksOmitted: 0,
    goodsValue: "140.5",
    currency: "EUR",
    flatDuty: dutyOf("SENDER", "691200", "940521"),
  });
});

test("above 150 EUR the Combined Nomenclature is asked for, and the flat duty does not apply", async () => {
  const lines = [priced("MUG", "150.01", { extendedAttributes: attributes({ HsCode: "6912.00" }) })];
  const customs = await customsOf("LARGE", lines);
  assert.deepEqual(
    [customs?.lacks.map(({ code }) => code), customs?.flatDuty, customs?.isComplete],
    [["CN_CODE"], null, false],
  );
  const limit = await customsOf("LIMIT", [priced("MUG", "150")]);
  assert.deepEqual([limit?.isComplete, limit?.flatDuty], [true, dutyOf(null, "691200")]);
});

test("the flat duty needs a consumer, a known value and a rate; a kit counts by its components", async () => {
  const business = { extendedAttributes: attributes({ ImporterVatNumber: "DE123456789", IncotermName: "DAP" }) };
  assert.equal((await customsOf("BUSINESS", [priced("MUG", "20")], business))?.flatDuty, null);
  const unpriced = await customsOf("UNPRICED", [{ sku: "MUG", qty: 1 }]);
  assert.deepEqual([unpriced?.goodsValue, unpriced?.flatDuty], [null, null]);
  const foreign = await customsOf("FOREIGN", [{ sku: "MUG", qty: 1, unitNetPrice: money("20", "JPY") }]);
  assert.deepEqual([foreign?.currency, foreign?.flatDuty], ["JPY", null]);
  const kit = await customsOf("KIT", [priced("SET", "40")], {
    extendedAttributes: attributes({ IncotermName: "DAP" }),
  });
  assert.deepEqual(kit?.flatDuty, dutyOf("BUYER", "691200", "940521"));
  assert.deepEqual(new Set(kit?.lacks.map(({ sku }) => sku)), new Set(["LAMP"]));
});

test("an order that crosses no customs border has no customs data, and other destinations have their rules", async () => {
  const to = (place: Parts) => ({ shipToAddress: { ...berlin, ...place } });
  assert.equal(await customsOf("HOME", [priced("BARE", "1")], to({ zip: "LS1 4AP", country: "GB" })), null);
  const us = await customsOf("US", [priced("LAMP", "1")], to({ zip: "10001", state: "NY", country: "US" }));
  assert.deepEqual([us?.destination, us?.flatDuty, us?.lacks[0]?.code], ["US", null, "HTSUS_CODE"]);
  const belfast = await customsOf("NI", [priced("MUG", "1")], to({ zip: "BT1 5GS", country: "GB" }));
  assert.deepEqual([belfast?.destination, belfast?.flatDuty], ["EU", dutyOf(null, "691200")]);
});

test("a carrier decision has the tariff lines and the duty, which counts in the price where the sender pays it", async () => {
  const data = {
    ...carrierDataOf(serviceOf("RM48", "RM", 3), serviceOf("DX", "DX", 4)),
    rates: [{ from: "EUR", to: "GBP", date: "2026-01-01", rate: 0.86 }],
    mapping: { shippingMethods: { STD: "STANDARD" } },
  };
  await saveCarriers(server.database, data, "DEMO");
  const decided = async (orderId: string, incoterm: string | undefined, lines: readonly Parts[], more: Parts = {}) => {
    const extendedAttributes = incoterm === undefined ? undefined : attributes({ IncotermName: incoterm });
    await customsOf(orderId, lines, {
      ...(extendedAttributes ? { extendedAttributes } : {}),
      ...more,
    });
    const path = `/carrierDeterminationService/carrier/determineForOrder/${orderId}`;
    const { status, body } = await call("POST", path, {});
    assert.equal(status, 200, JSON.stringify(body));
    return body as { decisionId: string; duty?: object; chosen: { price: Record<string, unknown> } };
  };
  const weighed = [priced("MUG", "20"), priced("BOWL", "30")];
  const paid = await decided("DUTY-DDP", "ddp", weighed);
  const duty = { tariffLines: 1, eur: 3, paidBy: "SENDER" };
  assert.deepEqual(paid.duty, duty, "both are of 6912.00");
  const gbp = (amount: number) => ({ amount, currency: "GBP" });
  assert.deepEqual(paid.chosen.price, {
    base: gbp(3),
    surcharges: [{ code: "DUTY", amount: gbp(2.58) }],
    total: gbp(5.58),
  });
  const { body: read } = await call("GET", `/carrierDeterminationService/carrier/decision/${paid.decisionId}`);
  assert.deepEqual([read.duty, read.chosen], [duty, paid.chosen], "it is kept");
  const unpaid = await decided("DUTY-DAP", "DAP", weighed);
  assert.deepEqual([unpaid.duty, unpaid.chosen.price.total], [{ ...duty, paidBy: "BUYER" }, gbp(3)]);
  assert.deepEqual((await decided("DUTY-NONE", undefined, weighed)).duty, { ...duty, paidBy: null });
  assert.equal((await decided("DUTY-DEAR", "DDP", [priced("MUG", "151")])).duty, undefined, "above 150 EUR");
  const leeds = { ...berlin, city: "Leeds", zip: "LS1 4AP", country: "GB" };
  assert.equal((await decided("DUTY-HOME", "DDP", weighed, { shipToAddress: leeds })).duty, undefined);
});
