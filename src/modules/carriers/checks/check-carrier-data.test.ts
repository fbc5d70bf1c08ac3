// biome-ignore-all lint/suspicious/noThenProperty: the contract calls it so.
// carriers.md, Data: a wrong set is refused whole, with every fault and its place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";

const service = {
  code: "S1",
  carrierCode: "CA",
  name: "Service 1",
  serviceLevel: "STANDARD",
  transitDays: { HOME: 1 },
};
const card = {
  serviceCode: "S1",
  currency: "GBP",
  validFrom: "2026-01-01",
  zones: [{ zone: "HOME", country: "GB" }],
  breaks: [{ zone: "HOME", upToKg: 2, price: 3 }],
};
const base = { services: [service], rateCards: [card] };
const rule = (when: unknown, then: unknown = { exclude: true }) => ({
  rules: [{ ruleId: "R", priority: 1, when, then }],
});
const withCard = (more: object) => ({ rateCards: [{ ...card, ...more }] });
const withZones = (...zones: object[]) => withCard({ zones: [...card.zones, ...zones] });

function faultsOf(more: object, rest: object = base): string[] {
  const checked = checkCarrierData({ ...rest, ...more });
  assert.ok(!checked.ok, "it was taken");
  return checked.fault.map(({ pointer, message }) => `${pointer} ${message}`);
}

/** Asserts that exactly these faults refuse the set. */
function assertFaults(cases: readonly (readonly [more: object, ...faults: string[]])[]): void {
  for (const [more, ...faults] of cases) assert.deepEqual(faultsOf(more), faults);
}

test("only services and rateCards are required, and a set that was kept without rate cards is read as one with none", () => {
  assert.deepEqual(checkCarrierData({ services: [], rateCards: [] }), {
    ok: true,
    value: { services: [], rateCards: [] },
  });
  assert.deepEqual([...faultsOf({ prices: [] }, {})].sort(), [
    "#/prices is not known here",
    "#/rateCards is required",
    "#/services is required",
  ]);
  const { services } = compileCarrierData({ services: [{ ...service, serviceLevel: "STANDARD" }] }, 1);
  assert.deepEqual(
    services.map(({ code, cards }) => [code, cards]),
    [["S1", []]],
  );
});

test("services are checked: codes, countries, currencies, days and decimals", () => {
  const wrong = (more: object) => ({ services: [{ ...service, ...more }] });
  assertFaults([
    [{ services: [service, { ...service, name: "Other" }] }, "#/services/1/code is also that of services/0"],
    [wrong({ countries: ["UK"] }), "#/services/0/countries/0 must be a country code of ISO 3166-1, two capitals"],
    [
      wrong({ maxDeclaredValue: { amount: 1, currency: "ABC" } }),
      "#/services/0/maxDeclaredValue/currency must be a currency code of ISO 4217",
    ],
    [
      wrong({ postal: true, cn22MaxValue: { amount: 1.00001, currency: "GBP" } }),
      "#/services/0/cn22MaxValue/amount is 1.00001: must have at most four decimals",
    ],
    [
      wrong({ cn22MaxValue: { amount: 270, currency: "GBP" } }),
      "#/services/0/cn22MaxValue is for a postal service only",
    ],
    [
      wrong({ transitDays: { HOME: 1, AWAY: 2 } }),
      '#/services/0/transitDays/AWAY "AWAY" is not a zone of a rate card of S1',
    ],
    [wrong({ pickUpDays: { DC1: ["MON", "MON"] } }), "#/services/0/pickUpDays/DC1/1 MON is present twice"],
    [wrong({ deliveryDays: ["SAT", "SAT"] }), "#/services/0/deliveryDays/1 SAT is present twice"],
    [wrong({ maxWeightKg: 1.2345 }), "#/services/0/maxWeightKg is 1.2345: must have at most three decimals"],
    [wrong({ activeFrom: "2026-02-30" }), "#/services/0/activeFrom must be a day of the calendar"],
    [
      wrong({ activeFrom: "2026-02-02", activeTo: "2026-02-01" }),
      "#/services/0/activeTo must not be before activeFrom",
    ],
  ]);
  assert.deepEqual(faultsOf(wrong({ pickUpDays: { DC1: ["MONDAY"] } })), [
    "#/services/0/pickUpDays/DC1/0 must be one of MON, TUE, WED, THU, FRI, SAT, SUN",
  ]);
  for (const absurd of [
    { trackingUrl: "https://track.example/" },
    { trackingUrl: "javascript:{trackingNumber}" },
    { maxWeightKg: -1 },
    { dimensionalDivisor: 0 },
    { maxLongestSideCm: 1e9 },
    { transitDays: { HOME: 1.5 } },
  ]) {
    assert.equal(faultsOf(wrong(absurd)).length, 1, JSON.stringify(absurd));
  }
});

test("rate cards: their service, currency, validity and breaks", () => {
  const breaks = (...rows: object[]) => withCard({ breaks: rows });
  assertFaults([
    [
      withCard({ serviceCode: "S2", validFrom: "2026-02-01" }),
      '#/rateCards/0/serviceCode "S2" is no service of this set',
    ],
    [withCard({ currency: "GBX" }), "#/rateCards/0/currency must be a currency code of ISO 4217"],
    [{ rateCards: [card, card] }, "#/rateCards/1/validFrom is the card of S1 from 2026-01-01 on, like rateCards/0"],
    [withCard({ validTo: "2025-12-31" }), "#/rateCards/0/validTo must not be before validFrom"],
    [breaks({ zone: "AWAY", upToKg: 1, price: 1 }), '#/rateCards/0/breaks/0/zone "AWAY" is not a zone of this card'],
    [
      breaks({ zone: "HOME", upToKg: 2, price: 3 }, { zone: "HOME", upToKg: 1, price: 4 }),
      "#/rateCards/0/breaks/1/upToKg is 1: must be above 2, that of breaks/0: breaks of a zone are in ascending order",
    ],
    [
      breaks({ zone: "HOME", upToKg: 2, price: 3 }, { zone: "HOME", upToKg: 2, price: 4 }),
      "#/rateCards/0/breaks/1/upToKg is 2: must be above 2, that of breaks/0: breaks of a zone are in ascending order",
    ],
    [
      breaks({ zone: "HOME", upToKg: 2, price: 3.12345 }),
      "#/rateCards/0/breaks/0/price is 3.12345: must have at most four decimals",
    ],
  ]);
  for (const absurd of [{ price: -1 }, { price: 1e9 }, { upToKg: 0 }, { upToKg: 1e6 }, { perExtraKg: -0.1 }]) {
    assert.equal(faultsOf(breaks({ zone: "HOME", upToKg: 2, price: 3, ...absurd })).length, 1, JSON.stringify(absurd));
  }
  assert.ok(
    checkCarrierData({ ...base, ...withZones({ zone: "BARE", country: "IE" }) }).ok,
    "a zone may have no prices",
  );
});

test("zones are checked: no postcode has two matches of equal length", () => {
  const gb = (more: object) => ({ zone: "Z", country: "GB", ...more });
  assertFaults([
    [
      withZones({ zone: "Z", country: "XX" }),
      "#/rateCards/0/zones/1/country must be a country code of ISO 3166-1, two capitals",
    ],
    [withZones(gb({})), "#/rateCards/0/zones/1/country is GB without postcodes, like zones/0"],
    [
      withZones(gb({ postcodePrefixes: ["IV", "KW"] }), gb({ postcodePrefixes: ["kw"] })),
      "#/rateCards/0/zones/2/postcodePrefixes/0 overlaps the postcodes of zones/1/postcodePrefixes/1: a postcode must not have two zones with a match of the same length",
    ],
    [
      withZones(
        gb({ country: "DE", postcodeRanges: [{ from: "10000", to: "19999" }] }),
        gb({ country: "DE", postcodePrefixes: ["15000"] }),
      ),
      "#/rateCards/0/zones/2/postcodePrefixes/0 overlaps the postcodes of zones/1/postcodeRanges/0: a postcode must not have two zones with a match of the same length",
    ],
    [
      withZones(
        gb({
          country: "DE",
          postcodeRanges: [
            { from: "10", to: "30" },
            { from: "12", to: "13" },
            { from: "20", to: "40" },
          ],
        }),
      ),
      ...["1", "2"].map(
        (i) =>
          `#/rateCards/0/zones/1/postcodeRanges/${i} overlaps the postcodes of zones/1/postcodeRanges/0: a postcode must not have two zones with a match of the same length`,
      ),
    ],
    [
      withZones(gb({ postcodeRanges: [{ from: "IV1", to: "IV10" }] })),
      '#/rateCards/0/zones/1/postcodeRanges/0/to "IV10" must have the form of "IV1": letters and digits at the same positions',
    ],
    [
      withZones(gb({ postcodeRanges: [{ from: "IV9", to: "IV1" }] })),
      '#/rateCards/0/zones/1/postcodeRanges/0/to "IV1" must not be before "IV9"',
    ],
  ]);
  const nested = withZones(
    gb({ postcodePrefixes: ["IV"] }),
    gb({ postcodePrefixes: ["IV2"] }),
    gb({ postcodeRanges: [{ from: "IV20", to: "IV28" }] }),
  );
  assert.ok(checkCarrierData({ ...base, ...nested }).ok, "a longer match wins over a shorter one");
});

test("surcharges: codes, per cents, and what belongs to oversize", () => {
  const surcharges = (...list: object[]) => withCard({ surcharges: list });
  const fuel = { code: "FUEL", kind: "PERCENT", value: 5 };
  assertFaults([
    [surcharges(fuel, fuel), "#/rateCards/0/surcharges/1/code is also that of surcharges/0"],
    [surcharges({ ...fuel, value: 101 }), "#/rateCards/0/surcharges/0/value is 101: must be 0 to 100 per cent"],
    [
      surcharges({ ...fuel, value: 1.23456 }),
      "#/rateCards/0/surcharges/0/value is 1.23456: must have at most four decimals",
    ],
    [
      surcharges({ ...fuel, when: "oversize" }),
      "#/rateCards/0/surcharges/0/longestSideCm is required of a surcharge for oversize",
    ],
    [
      surcharges({ ...fuel, when: "remote", longestSideCm: 10 }),
      "#/rateCards/0/surcharges/0/longestSideCm is only for oversize, and this one is for remote",
    ],
    [
      surcharges({ ...fuel, when: "sunday" }),
      "#/rateCards/0/surcharges/0/when must be one of always, hazmat, oversize, remote, residential, signature, saturday",
    ],
    [
      surcharges(...Array.from({ length: 5 }, (_, i) => ({ code: `F${i}`, kind: "PERCENT", value: 100 }))),
      "#/rateCards/0/surcharges multiply the price by 32: at most 20 is allowed",
    ],
  ]);
});

test("conditions are checked at any depth: fields, operators, values and their places", () => {
  const compare = (field: string, op: unknown, value?: unknown) => ({ field, op, value });
  const at = "#/rules/0/when";
  assertFaults([
    [
      rule({ all: [{ not: compare("shipment.zip", "lt", "1") }] }),
      `${at}/all/0/not/op is "lt", which shipment.zip does not support: must be one of eq, ne, in, notIn, exists, prefix, between`,
    ],
    [
      rule({ all: [compare("shipment.contry", "eq", "GB")] }),
      `${at}/all/0/field "shipment.contry" is no field: is shipment.country meant?`,
    ],
    [
      rule({ any: [compare("shipment.weightKg", "lte", 3)] }),
      `${at}/any/0/op is "lte": must be one of eq, ne, in, notIn, exists, lt, le, gt, ge, between`,
    ],
    [
      rule(compare("shipment.isHazmat", "in", [true])),
      `${at}/op is "in", which shipment.isHazmat does not support: must be one of eq, ne, exists`,
    ],
    [rule(compare("shipment.isHazmat", "eq", "true")), `${at}/value is "true": must be true or false`],
    [rule(compare("shipment.weightKg", "gt", "3")), `${at}/value is "3": must be a number`],
    [rule(compare("shipment.weightKg", "gt")), `${at}/value is missing: must be a number`],
    [
      rule(compare("shipment.country", "eq", "UK")),
      `${at}/value is "UK": must be a country code of ISO 3166-1, two capitals`,
    ],
    [
      rule(compare("shipment.country", "in", ["GB", "uk"])),
      `${at}/value/1 is "uk": must be a country code of ISO 3166-1, two capitals`,
    ],
    [rule(compare("shipment.country", "in", [])), `${at}/value must be a list of 1 to 1000 values`],
    [
      rule(compare("shipment.weekday", "eq", "Monday")),
      `${at}/value is "Monday": must be one of MON, TUE, WED, THU, FRI, SAT, SUN`,
    ],
    [rule(compare("candidate.serviceCode", "eq", "S9")), `${at}/value is "S9": must be a service of this set`],
    [
      rule(compare("candidate.carrierCode", "in", ["CB"])),
      `${at}/value/0 is "CB": must be the carrier of a service of this set`,
    ],
    [rule(compare("candidate.zone", "eq", "AWAY")), `${at}/value is "AWAY": must be a zone of a rate card of this set`],
    [
      rule(compare("candidate.serviceLevel", "eq", "FAST")),
      `${at}/value is "FAST": must be one of ECONOMY, STANDARD, EXPRESS, NEXT_DAY, SAME_DAY`,
    ],
    [
      rule(compare("shipment.orderValue", "gt", { amount: 1, currency: "POUND" })),
      `${at}/value is {"amount":1,"currency":"POUND"}: must be an amount and a currency code of ISO 4217`,
    ],
    [
      rule(compare("shipment.weightKg", "between", [3, 1])),
      `${at}/value 3 must not be above 1: the lower one comes first`,
    ],
    [rule(compare("shipment.weightKg", "between", [3])), `${at}/value must be two values, the lower one first`],
    [rule(compare("shipment.zip", "between", ["100", "19"])), `${at}/value "100" and "19" must be of the same length`],
    [rule(compare("shipment.extendedAttributes.Tier", "gt", "A")), `${at}/value is "A": must be a number`],
    [rule(compare("shipment.incoterm", "exists", "yes")), `${at}/value must be true or false, or be left out`],
    [rule({ all: [] }), `${at}/all must be a list of at least one condition`],
    [rule({}), `${at} has none of all, any, not, field: must have exactly one of them`],
    [
      rule({ any: [], all: [compare("shipment.hour", "gt", 1)] }),
      `${at} has all and any: must have exactly one of them`,
    ],
    [rule({ not: compare("shipment.hour", "gt", 1), note: "x" }), `${at}/note is not known beside not`],
    [rule({ ...compare("shipment.hour", "gt", 1), unit: "h" }), `${at}/unit is not known in a comparison`],
    [rule({ not: [] }), `${at}/not must be an object with all, any, not, or a field and an op`],
  ]);
  const deep = (levels: number): object =>
    levels === 1 ? compare("shipment.hour", "gt", 1) : { not: deep(levels - 1) };
  assert.ok(checkCarrierData({ ...base, ...rule(deep(8)) }).ok);
  assert.deepEqual(faultsOf(rule(deep(9))), [`${at}${"/not".repeat(8)} is nested deeper than 8 levels`]);
  const many = {
    any: [0, 1, 2].map(() => ({ all: Array.from({ length: 100 }, () => compare("shipment.hour", "gt", 1)) })),
  };
  assert.deepEqual(faultsOf(rule(many)), [`${at} has 300 comparisons: must be at most 200`]);
});

test("effects are checked: known, at least one, with existing services, carriers, levels and currencies", () => {
  const effect = (then: unknown) => rule(undefined, then);
  const at = "#/rules/0/then";
  assertFaults([
    [
      effect({}),
      `${at} must have at least one of exclude, requireService, requireCarrier, prefer, setServiceLevel, stop`,
    ],
    [effect({ exclude: false }), `${at}/exclude must be true, or be left out`],
    [
      effect({ stop: true, cancel: true }),
      `${at}/cancel is not known here: must be one of exclude, requireService, requireCarrier, prefer, setServiceLevel, stop, reason`,
    ],
    [effect({ requireService: "S9" }), `${at}/requireService is "S9": must be a service of this set`],
    [effect({ requireService: ["S1", "S9"] }), `${at}/requireService/1 is "S9": must be a service of this set`],
    [effect({ requireCarrier: "CB" }), `${at}/requireCarrier is "CB": must be the carrier of a service of this set`],
    [effect({ prefer: 3 }), `${at}/prefer is 3: must be an amount, negative for a discount, and its currency`],
    [
      effect({ prefer: { amount: 3, currency: "POUND" } }),
      `${at}/prefer/currency is "POUND": must be a currency code of ISO 4217`,
    ],
    [
      effect({ setServiceLevel: "FAST" }),
      `${at}/setServiceLevel is "FAST": must be one of ECONOMY, STANDARD, EXPRESS, NEXT_DAY, SAME_DAY`,
    ],
    [
      effect({ stop: true, reason: "x" }),
      `${at}/reason is possible only with exclude, requireService or requireCarrier`,
    ],
    [effect({ exclude: true, reason: " " }), `${at}/reason must be a text of 1 to 300 characters`],
    [
      rule({ field: "candidate.price", op: "gt", value: 1 }, { setServiceLevel: "ECONOMY" }),
      `${at}/setServiceLevel is for the whole shipment: the condition must not read candidate.price`,
    ],
    [
      { rules: [1, 2].map((priority) => ({ ruleId: "R", priority, then: { stop: true } })) },
      "#/rules/1/ruleId is also that of rules/0",
    ],
    [
      { rules: [{ ruleId: "R", priority: 1, then: { stop: true }, validFrom: "2026-13-01" }] },
      '#/rules/0/validFrom must match pattern "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$"',
    ],
    [
      { rules: [{ ruleId: "R", priority: 1, then: { stop: true }, validFrom: "2026-02-02", validTo: "2026-02-01" }] },
      "#/rules/0/validTo must not be before validFrom",
    ],
  ]);
});

test("mapping, rates, settings and holidays", () => {
  const levels = "ECONOMY, STANDARD, EXPRESS, NEXT_DAY, SAME_DAY";
  const rate = { from: "EUR", to: "GBP", date: "2026-01-01", rate: 0.86 };
  assertFaults([
    [
      { mapping: { shippingMethods: { STD: "NORMAL" } } },
      `#/mapping/shippingMethods/STD "NORMAL" is neither a service level (${levels}) nor a service of this set`,
    ],
    [
      { mapping: { shippingMethods: { std: "STANDARD", STD: "S1" } } },
      '#/mapping/shippingMethods/STD is "std" in other letters: case is ignored',
    ],
    [
      { mapping: { carrierCodes: { "A/B~C": "CB" } } },
      '#/mapping/carrierCodes/A~1B~0C "CB" is the carrier of no service of this set',
    ],
    [{ rates: [{ ...rate, to: "EUR" }] }, "#/rates/0/to is EUR, the same as from"],
    [{ rates: [{ ...rate, date: "2026-02-30" }] }, "#/rates/0/date must be a day of the calendar"],
    [{ rates: [rate, rate] }, "#/rates/1 is from EUR to GBP on 2026-01-01, like rates/0"],
    [{ rates: [{ ...rate, rate: 0.123456789 }] }, "#/rates/0/rate is 0.123456789: must have at most eight decimals"],
    [{ settings: { currency: "ABC" } }, "#/settings/currency must be a currency code of ISO 4217"],
    [{ holidays: { UK: ["2026-12-25"] } }, "#/holidays/UK must be a country code of ISO 3166-1, two capitals"],
    [{ holidays: { GB: ["2026-12-25", "2026-12-25"] } }, "#/holidays/GB/1 2026-12-25 is present twice"],
    [{ holidays: { GB: ["2026-12-32"] } }, "#/holidays/GB/0 must be a day of the calendar"],
  ]);
  for (const absurd of [
    { rates: [{ ...rate, rate: 0 }] },
    { rates: [{ ...rate, rate: -1 }] },
    { settings: { balancedCostPerDay: -1 } },
  ]) {
    assert.equal(faultsOf(absurd).length, 1, JSON.stringify(absurd));
  }
});

test("faults of the shape and of rules are reported together; a text that cannot be stored is one", () => {
  const found = faultsOf({ services: [{ code: "X" }], ...rule({ field: "shipment.contry", op: "eq", value: "GB" }) });
  assert.deepEqual(found.sort(), [
    '#/rules/0/when/field "shipment.contry" is no field: is shipment.country meant?',
    ...["carrierCode", "name", "serviceLevel"].map((name) => `#/services/0/${name} is required`),
  ]);
  assert.deepEqual(faultsOf(rule({ field: "shipment.incoterm", op: "eq", value: "D\0" })), [
    "#/rules/0/when/value must not have the character NUL",
  ]);
});

test("a set with many faults has its first hundred, and long values are cut in them", () => {
  const field = `shipment.${"x".repeat(100_000)}`;
  const rules = Array.from({ length: 500 }, (_, i) => ({
    ruleId: `r${i}`,
    priority: 1,
    when: { field, op: "zz", value: 1 },
    then: { stop: true },
  }));
  const found = faultsOf({ rules });
  assert.equal(found.length, 100);
  assert(found.every((text) => text.length < 1_000));
  assert.match(found[0] ?? "", /^#\/rules\/0\/when\/field "shipment\.x{91}…" is no field: must be one of/);
});

test("any input is validated without an exception", () => {
  for (const data of [null, 7, "x", [], { services: null, rateCards: {}, rules: [null, 1, { when: 3, then: [] }] }]) {
    assert.equal(checkCarrierData(data).ok, false, JSON.stringify(data));
  }
});
