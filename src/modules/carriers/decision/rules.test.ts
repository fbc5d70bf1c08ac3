// carriers.md, Business rules and Mapping.
// biome-ignore-all lint/suspicious/noThenProperty: the contract calls it so.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileCarrierData, resolveCarrierCode, resolveShippingMethod } from "#/modules/carriers/decision/compile.ts";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";
import {
  card,
  codesOf,
  dc1,
  decided,
  oneService,
  service,
  twoServices,
  whyNot,
} from "../../../../tests/support/carriers/carrier-cases.ts";

test("rules by priority: exclude, requireService, requireCarrier, prefer, setServiceLevel, stop", () => {
  const services = [service("A"), service("B", { carrierCode: "CB" }), service("C", { serviceLevel: "EXPRESS" })];
  const rateCards = [card("A", 4), card("B", 5), card("C", 6)];
  const ruled = (...rules: object[]) =>
    decided({
      data: { services, rateCards, rules: rules.map((rule, i) => ({ ruleId: `R${i}`, priority: 10, ...rule })) },
    });
  const gb = { field: "shipment.country", op: "eq", value: "GB" };
  const isB = { field: "candidate.serviceCode", op: "eq", value: "B" };
  assert.deepEqual(codesOf(ruled({ when: isB, then: { exclude: true } })), ["A", "C"]);
  assert.deepEqual(whyNot(ruled({ when: isB, then: { exclude: true } }), "B"), ["RULE rule R0 excludes B"]);
  assert.deepEqual(codesOf(ruled({ when: gb, then: { requireService: ["B", "C"] } })), ["B", "C"]);
  assert.deepEqual(whyNot(ruled({ then: { requireCarrier: "CB" } })), ["RULE rule R0 requires carrier CB, it is CA"]);
  const preferred = ruled({ when: isB, then: { prefer: { amount: -1.01, currency: "GBP" } } });
  assert.deepEqual(codesOf(preferred), ["B", "A", "C"]);
  assert.equal(preferred.chosen?.price?.total.amount, 5, "the price stays as it is");
  assert.deepEqual(preferred.rulesApplied, ["R0"]);
  const level = ruled({ when: gb, then: { setServiceLevel: "EXPRESS" } });
  assert.deepEqual(codesOf(level), ["C"]);
  assert.deepEqual(level.rejected[0]?.reasons, [
    { code: "SERVICE_LEVEL", text: "its service level is STANDARD, requested is EXPRESS", ruleId: "R0" },
  ]);
  const later = { when: isB, then: { exclude: true } };
  assert.deepEqual(codesOf(ruled({ when: gb, then: { stop: true } }, later)), ["A", "B", "C"]);
  assert.deepEqual(
    codesOf(ruled({ when: gb, then: { stop: true } }, { ...later, priority: 1 })),
    ["A", "C"],
    "the lowest first",
  );
  assert.deepEqual(
    codesOf(ruled({ when: isB, then: { stop: true } }, { then: { exclude: true } })),
    ["B"],
    "for that candidate",
  );
  assert.deepEqual(ruled({ when: { not: gb }, then: { exclude: true } }).rulesApplied, []);
  assert.deepEqual(codesOf(ruled({ then: { exclude: true }, validTo: "2026-11-17" })), ["A", "B", "C"]);
  assert.deepEqual(codesOf(ruled({ then: { exclude: true }, validFrom: "2026-11-18", validTo: "2026-11-18" })), [null]);
});

test("every operator compares as documented; a missing value equals no value", () => {
  const holds = (field: string, op: string, value?: unknown, request: Partial<DeterminationRequest> = {}) => {
    const when = { field, op, ...(value === undefined ? {} : { value }) };
    return (
      decided({
        data: { ...oneService({}), rules: [{ ruleId: "R", priority: 1, when, then: { exclude: true } }] },
        request,
      }).chosen === null
    );
  };
  const weight = "shipment.weightKg";
  for (const [op, value] of [
    ["eq", 1],
    ["ne", 2],
    ["lt", 1.001],
    ["le", 1],
    ["gt", 0.999],
    ["ge", 1],
    ["in", [2, 1]],
    ["notIn", [2]],
    ["between", [1, 2]],
  ] as const) {
    assert.ok(holds(weight, op, value), op);
  }
  for (const [op, value] of [
    ["eq", 2],
    ["ne", 1],
    ["lt", 1],
    ["le", 0.999],
    ["gt", 1],
    ["ge", 1.001],
    ["in", [2]],
    ["notIn", [1]],
    ["between", [1.001, 2]],
  ] as const) {
    assert.ok(!holds(weight, op, value), op);
  }
  assert.ok(
    holds("shipment.zip", "prefix", "bs1") &&
      holds("shipment.zip", "eq", "BS15TY") &&
      holds("shipment.zip", "between", ["BS1", "BS3"]),
  );
  assert.ok(!holds("shipment.incoterm", "exists") && holds("shipment.incoterm", "exists", false));
  assert.ok(
    !holds("shipment.incoterm", "eq", "DAP") &&
      holds("shipment.incoterm", "ne", "DAP") &&
      holds("shipment.incoterm", "notIn", ["DAP"]),
  );
  assert.ok(holds("shipment.incoterm", "in", ["dap"], { incoterm: "DAP" }));
  const gold = { extendedAttributes: { Tier: "GOLD", Score: "12.5", toString: "own" } };
  assert.ok(
    holds("shipment.extendedAttributes.Tier", "eq", "GOLD", gold) &&
      holds("shipment.extendedAttributes.Score", "gt", 12, gold),
  );
  assert.ok(
    !holds("shipment.extendedAttributes.Tier", "gt", 1, gold) &&
      !holds("shipment.extendedAttributes.constructor", "exists", true, gold),
  );
  assert.ok(holds("shipment.weekday", "eq", "WED") && holds("shipment.hour", "between", [12, 12]));
  const value = { orderValue: { amount: 50, currency: "EUR" } };
  assert.ok(
    holds("shipment.orderValue", "gt", 49.99, value) &&
      !holds("shipment.orderValue", "gt", { amount: 1, currency: "GBP" }, value),
    "there is no rate",
  );
  assert.ok(
    holds("candidate.price", "eq", { amount: 4, currency: "GBP" }) &&
      holds("candidate.transitDays", "eq", 2) &&
      holds("candidate.zone", "eq", "HOME"),
  );
});

test("weekday and hour are those of the facility", () => {
  const rules = [
    {
      ruleId: "R",
      priority: 1,
      when: {
        all: [
          { field: "shipment.weekday", op: "eq", value: "THU" },
          { field: "shipment.hour", op: "eq", value: 1 },
        ],
      },
      then: { exclude: true },
    },
  ];
  const tokyo = { ...dc1, timezone: "Asia/Tokyo" };
  assert.equal(
    decided({ data: { ...oneService({}), rules }, at: "2026-11-18T16:30:00Z", facility: tokyo }).chosen,
    null,
  );
  assert.notEqual(decided({ data: { ...oneService({}), rules }, at: "2026-11-18T16:30:00Z" }).chosen, null);
});

test("a carrier is requested by its code or an alias; an unknown one is used unchanged, without a service", () => {
  const mapping = { carrierCodes: { "Alias Ltd": "CA" } };
  const data = { ...twoServices, services: [service("A"), service("B", { carrierCode: "CB" })], mapping };
  const decisionFor = (requestedCarrierCode: string) => decided({ data, request: { requestedCarrierCode } });
  assert.deepEqual(
    [codesOf(decisionFor("CA")), codesOf(decisionFor("ALIAS LTD")), codesOf(decisionFor("CB"))],
    [["A"], ["A"], ["B"]],
  );
  const decision = decisionFor("DHL");
  assert.deepEqual(decision.chosen, {
    carrierCode: "DHL",
    serviceCode: null,
    price: null,
    chargeableWeight: { value: 1, uom: "KG" },
    zone: null,
    despatchDate: "2026-11-18",
    estimatedDelivery: null,
  });
  assert.deepEqual(
    [decision.alternatives.length, whyNot(decision)],
    [0, ["CARRIER its carrier is CA, requested is DHL"]],
  );
});

test("a shippingMethod is mapped to a level or a service; one that is neither gives the default level and a warning", () => {
  const mapping = { shippingMethods: { Std: "STANDARD", special: "A" }, carrierCodes: { x: "CA" } };
  const data = compileCarrierData(
    {
      ...(twoServices as unknown as Parameters<typeof compileCarrierData>[0]),
      mapping,
      settings: { defaultServiceLevel: "ECONOMY" },
    },
    1,
  );
  const resolved = (method?: string) => {
    const { serviceLevel, requestedServiceCode, warning } = resolveShippingMethod(data, method);
    return [serviceLevel, requestedServiceCode, warning];
  };
  assert.deepEqual(resolved("STD"), ["STANDARD", undefined, undefined]);
  assert.deepEqual(resolved("SPECIAL"), [undefined, "A", undefined]);
  assert.deepEqual(resolved("express"), ["EXPRESS", undefined, undefined]);
  assert.deepEqual(resolved("B"), [undefined, "B", undefined]);
  assert.deepEqual(resolved(undefined), ["ECONOMY", undefined, undefined]);
  assert.deepEqual(resolved("Drone"), [
    "ECONOMY",
    undefined,
    'shippingMethod "Drone" is not mapped: ECONOMY is used instead',
  ]);
  assert.deepEqual([resolveCarrierCode(data, "X"), resolveCarrierCode(data, "Y")], ["CA", "Y"]);
  assert.deepEqual(whyNot(decided({ data: twoServices, request: { requestedServiceCode: "B" } })), [
    "SERVICE_LEVEL its service is A, requested is B",
  ]);
});
