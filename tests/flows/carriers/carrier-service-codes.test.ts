// rest.md §3 and §4, services of carriers: those of the operator's data, or of the client's own (carriers.md, Data).
import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorsDefault, saveCarrierData } from "#/modules/carriers/index.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { faultsOf, orderOperationsOf } from "../../support/builders/order-operations.ts";

const server = await testServer();
const demo = await orderOperationsOf(server, await server.onboard("DEMO"));
const ownCalls = await orderOperationsOf(server, await server.onboard("OWN"));
const path = "/carrierServiceCode/list";

const service = (code: string, more: object = {}) => ({
  code,
  carrierCode: "RM",
  name: `Service ${code}`,
  serviceLevel: "STANDARD",
  ...more,
});
const save = (services: readonly object[], owner: string = operatorsDefault) =>
  server.operate((tx, change) => saveCarrierData(tx, change, { owner, data: { services, rateCards: [] } }));
const codes = (query: Record<string, string> = {}, of = demo) => of.walk(path, "code", query);
const dayFromNow = (days: number) => dateIn("UTC", days);

test("without any carrier data the list is empty", async () => {
  assert.deepEqual(await demo.list(path), { items: [], nextCursor: null });
});

test("a service is listed with what carriers.md says of it, and with null where nothing is said", async () => {
  const full = {
    countries: ["GB", "IE"],
    maxWeightKg: 20,
    maxLongestSideCm: 61,
    dimensionalDivisor: 5000,
    hazmat: false,
    bulky: false,
    signature: false,
    trackable: false,
    transitDays: { DOMESTIC: 2 },
    maxDeclaredValue: { amount: 100, currency: "GBP" },
    cutOff: { DC1: "17:00" },
    activeFrom: dayFromNow(-1),
    activeTo: dayFromNow(1),
  };
  assert.deepEqual(await save([service("RM48", full), service("RM24")]), { ok: true, value: { version: 1 } });
  assert.deepEqual(await demo.list(path), {
    items: [
      {
        code: "RM24",
        carrierCode: "RM",
        name: "Service RM24",
        serviceLevel: "STANDARD",
        trackable: true,
        countries: null,
        maxWeightKg: null,
      },
      {
        code: "RM48",
        carrierCode: "RM",
        name: "Service RM48",
        serviceLevel: "STANDARD",
        trackable: false,
        countries: ["GB", "IE"],
        maxWeightKg: 20,
      },
    ],
    nextCursor: null,
  });
  const audits = await server.rows<{ action: string; object_id: string }>(
    "select action, object_id from audit_log where client_id = '' and object_type = 'carrierData'",
  );
  assert.deepEqual(audits, [{ action: "activate", object_id: "1" }]);
});

test("a new version replaces the previous one, which is kept for its decisions", async () => {
  assert.deepEqual(await save([service("NEW")]), { ok: true, value: { version: 2 } });
  assert.deepEqual(await codes(), ["NEW"]);
  const versions = await server.rows<{ version: number; count: number }>(
    "select version, jsonb_array_length(data -> 'services') as count from carrier_data where owner = '' order by version",
  );
  assert.deepEqual(versions, [
    { version: 1, count: 2 },
    { version: 2, count: 1 },
  ]);
  await server.rows("update carrier_data set activated_at = null where owner = '' and version = 2");
  assert.deepEqual(await codes(), ["RM24", "RM48"], "a draft does not hold");
  await server.rows("update carrier_data set activated_at = created_at where owner = '' and version = 2");
});

test("a client with its own set uses only that", async () => {
  assert.deepEqual(await save([service("OWN-1")], "OWN"), { ok: true, value: { version: 1 } });
  assert.deepEqual(await codes({}, ownCalls), ["OWN-1"]);
  assert.deepEqual(await codes(), ["NEW"]);
  await save([], "OWN");
  assert.deepEqual(await codes({}, ownCalls), []);
});

test("the list can be filtered by carrier, country and level, and leaves out inactive services", async () => {
  await clearOfMidnight("UTC");
  await save([
    service("A", { countries: ["GB"] }),
    service("B", { countries: ["DE", "GB"], serviceLevel: "EXPRESS", carrierCode: "DX" }),
    service("C", { serviceLevel: "EXPRESS" }),
    service("OVER", { activeTo: dayFromNow(-1) }),
    service("SOON", { activeFrom: dayFromNow(1) }),
    service("TODAY", { activeFrom: dayFromNow(0), activeTo: dayFromNow(0), countries: ["FR"] }),
  ]);
  assert.deepEqual(await codes(), ["A", "B", "C", "TODAY"]);
  assert.deepEqual(await codes({ carrierCode: "DX" }), ["B"]);
  assert.deepEqual(await codes({ country: "GB" }), ["A", "B", "C"]);
  assert.deepEqual(await codes({ country: "DE", serviceLevel: "EXPRESS" }), ["B", "C"]);
  assert.deepEqual(await codes({ carrierCode: "NONE" }), []);
});

test("a long list comes in pages by code, and continues where it stopped when the set changes", async () => {
  const numbered = (from: number) => Array.from({ length: 7 }, (_, i) => service(`S-${from + i}`));
  await save(numbered(1).toReversed());
  let isChanged = false;
  const seen = await demo.walk(path, "code", { limit: "3" }, async () => {
    if (!isChanged) await save([service("A-FIRST"), ...numbered(3)]);
    isChanged = true;
  });
  assert.deepEqual(seen, ["S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8", "S-9"]);
});

test("a set with errors is refused as a whole, with the place of each", async () => {
  const before = await codes();
  const refusal = async (services: readonly object[]) => {
    const saved = await save(services);
    assert.ok(!saved.ok);
    return saved.fault.map(({ pointer, message }) => `${pointer} ${message}`).sort();
  };
  assert.deepEqual(
    await refusal([{ code: "X" }, service("Y", { serviceLevel: "SLOW", price: 1, cutOff: { DC1: "25:00" } })]),
    [
      "#/services/0/carrierCode is required",
      "#/services/0/name is required",
      "#/services/0/serviceLevel is required",
      '#/services/1/cutOff/DC1 must match pattern "^([01]\\d|2[0-3]):[0-5]\\d$"',
      "#/services/1/price is not known here",
      "#/services/1/serviceLevel must be one of ECONOMY, STANDARD, EXPRESS, NEXT_DAY, SAME_DAY",
    ],
  );
  const dates = { activeFrom: "2026-11-02", activeTo: "2026-11-01" };
  assert.deepEqual(
    await refusal([
      service("X", { countries: ["GB", "XX", "GB"], maxDeclaredValue: { amount: 1, currency: "POUND" } }),
      service("X", dates),
      service("Z", { activeFrom: "2026-02-30" }),
    ]),
    [
      "#/services/0/countries/1 must be a country code of ISO 3166-1, two capitals",
      "#/services/0/countries/2 is present twice",
      "#/services/0/maxDeclaredValue/currency must be a currency code of ISO 4217",
      "#/services/1/activeTo must not be before activeFrom",
      "#/services/1/code is also that of services/0",
      "#/services/2/activeFrom must be a day of the calendar",
    ],
  );
  const other = await server.operate((tx, change) => saveCarrierData(tx, change, { owner: "", data: { prices: [] } }));
  assert.ok(!other.ok);
  assert.deepEqual(other.fault.map(({ pointer }) => pointer).sort(), ["#/prices", "#/rateCards", "#/services"]);
  assert.deepEqual(await codes(), before);
});

test("all schema errors are reported", async () => {
  const query = "country=Germany&serviceLevel=FAST&limit=x&cursor=e30&sort=code";
  assert.deepEqual(faultsOf(await demo.get(`${path}?${query}`)).sort(), [
    ...["/query/country", "/query/limit", "/query/serviceLevel", "/query/sort"],
  ]);
  assert.deepEqual(faultsOf(await demo.get(`${path}?cursor=e30`)), ["/query/cursor"]);
  assert.deepEqual(faultsOf(await demo.get(`${path}?carrierCode=%00`)), ["/query/carrierCode"]);
});
