// feeds.md §4 NO: the hold rules of a client (client setting `holdRules`) hold an order when it is accepted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, leeds, money, type Parts } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const anna = await signIn(server, "operator");
const root = await signIn(server, "admin");
const oil = { sku: "OIL", extendedAttributes: attributes({ IsHazmat: "true" }) };
const gas = { sku: "GAS", extendedAttributes: attributes({ UnNumber: "un 1950" }) };
const unclear = { sku: "UNCLEAR", extendedAttributes: attributes({ UnNumber: "1950" }) };

async function clientOf(clientId: string, holdRules: string) {
  const life = await lifeOf(server, dc1, clientId, { items: ["A", oil, gas, unclear], settings: { holdRules } });
  await life.stock([
    { sku: "A", qty: 50 },
    { sku: "OIL", qty: 50 },
  ]);
  const place = async (orderId: string, more: Parts = {}, sku = "A") => {
    await life.place(orderId, [{ sku, qty: 1 }], { distributionCentre: "DC1", ...more });
    const { status, statusReason, holds } = await life.shown(orderId);
    const texts = holds.map((hold) => {
      const { type, by, reason } = hold as { type: string; by: string; reason: string };
      return `${type} by ${by}: ${reason}`;
    });
    return { status, statusReason, holds: texts };
  };
  const holdsOf = async (...placed: Parameters<typeof place>) => (await place(...placed)).holds;
  return { life, place, holdsOf };
}

const lift = (clientId: string, orderId: string, ...types: string[]) =>
  anna.post(`/order/liftHold/${orderId}?clientId=${clientId}`, { types });

test("an order that matches a rule is held with the rule's name, explained, and released by an operator", async () => {
  const { life, place } = await clientOf("LARGE", "large: value > 500 EUR");
  const total = (amount: string, unit = "EUR") => ({ totalPrice: money(amount, unit) });
  assert.equal((await place("1", total("500.00"))).status, "ALLOCATED");
  assert.equal((await place("2", total("900", "GBP"))).status, "ALLOCATED");
  assert.deepEqual((await place("3")).holds, []);
  assert.deepEqual(await place("4", total("500.01")), {
    status: "ON_HOLD",
    statusReason: "CLIENT_RULE: rule large: value > 500 EUR",
    holds: ["CLIENT_RULE by rule: rule large: value > 500 EUR"],
  });
  assert.deepEqual((await life.signals("4")).slice(0, 5), ["order:received", 10, 20, "order:held", 30]);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const { summary, next } = (await rest("GET", "/order/explain/4")).body as Record<string, string>;
  assert.match(String(summary), /on hold since .*: CLIENT_RULE \(rule large: value > 500 EUR\)\./);
  assert.equal(next, "An operator releases it.");
  const [row] = await server.rows<{ data: { statusReason: string } }>(
    "select data from event where client_id = 'LARGE' and topic = 'order:held' and object_id = '4'",
  );
  assert.equal(row?.data.statusReason, "CLIENT_RULE: rule large: value > 500 EUR");
  const lifted = await lift("LARGE", "4", "CLIENT_RULE");
  assert.deepEqual([lifted.status, lifted.body.holds], [200, []]);
  await life.quiet();
  assert.equal(await life.stands("4"), "ALLOCATED Allocated 1");
  await life.assertSound();
});

test("without totals the value is the sum of the lines, and an order without prices has no value", async () => {
  const { life } = await clientOf("SUMS", "large: value > 500 EUR");
  const line = (amount: string, lineNumber: number) => ({
    lineNumber,
    sku: "A",
    qty: 1,
    lineTotal: money(amount, "EUR"),
  });
  await life.place("1", [line("250.00", 1), line("250.01", 2)]);
  assert.equal((await life.shown("1")).status, "ON_HOLD");
  await life.place("2", [line("900", 1), { lineNumber: 2, sku: "A", qty: 1 }]);
  assert.equal((await life.shown("2")).status, "ALLOCATED");
});

test("countries, attributes and combinations: all conditions of a rule must hold", async () => {
  const { holdsOf } = await clientOf(
    "MIXED",
    "abroad: country in IE, FR; words: attribute GiftMessage matches /^(?:fire|bang)+s?$/i; both: country in GB and attribute WebOrderId matches /^B2B-\\d{4}$/",
  );
  const dublin = { ...leeds, city: "Dublin", zip: "D02 AF30", country: "IRL" };
  const withAttributes = (values: Record<string, string>) => ({ extendedAttributes: attributes(values) });
  assert.deepEqual(await holdsOf("1", { shipToAddress: dublin }), [
    "CLIENT_RULE by rule: rule abroad: country in IE, FR",
  ]);
  assert.deepEqual(await holdsOf("2", withAttributes({ GiftMessage: "Bangfires" })), [
    "CLIENT_RULE by rule: rule words: attribute GiftMessage matches /^(?:fire|bang)+s?$/i",
  ]);
  assert.deepEqual(await holdsOf("3", withAttributes({ GiftMessage: "No fire" })), []);
  assert.equal((await holdsOf("4", withAttributes({ WebOrderId: "B2B-0001" }))).length, 1);
  assert.deepEqual(
    await holdsOf("5", {
      shipToAddress: { ...dublin, country: "NL", zip: "1011 AB" },
      ...withAttributes({ WebOrderId: "B2B-0001" }),
    }),
    [],
  );
  assert.deepEqual(await holdsOf("6", { shipToAddress: dublin, ...withAttributes({ GiftMessage: "bang" }) }), [
    "CLIENT_RULE by rule: rule abroad: country in IE, FR; rule words: attribute GiftMessage matches /^(?:fire|bang)+s?$/i",
  ]);
});

test("dangerous goods of an item or of a line are held as HAZMAT_REVIEW, beside other holds", async () => {
  const { life, place, holdsOf } = await clientOf("GOODS", "goods: hazmat; large: value > 10 EUR");
  assert.deepEqual(await place("1", {}, "OIL"), {
    status: "ON_HOLD",
    statusReason: "HAZMAT_REVIEW: rule goods: hazmat",
    holds: ["HAZMAT_REVIEW by rule: rule goods: hazmat"],
  });
  await life.place("2", [{ sku: "A", qty: 1, extendedAttributes: attributes({ IsHazmat: "1" }) }]);
  assert.equal((await life.shown("2")).status, "ON_HOLD");
  assert.equal((await holdsOf("3", { totalPrice: money(11, "EUR"), doNotShip: true }, "OIL")).length, 3);
  assert.deepEqual(await holdsOf("4", {}, "GAS"), ["HAZMAT_REVIEW by rule: rule goods: hazmat"]);
  assert.deepEqual(await holdsOf("5", {}, "UNCLEAR"), []);
  assert.deepEqual((await lift("GOODS", "1", "HAZMAT_REVIEW")).body.holds, []);
  // The reason is that of the first hold that is open.
  for (const [hold, reason] of [
    ["DO_NOT_SHIP", "doNotShip of the order"],
    ["HAZMAT_REVIEW", "rule goods: hazmat"],
    ["CLIENT_RULE", "rule large: value > 10 EUR"],
  ] as const) {
    assert.equal((await life.shown("3")).statusReason, `${hold}: ${reason}`);
    if (hold === "DO_NOT_SHIP") await life.update("3", [{ sku: "OIL", qty: 1 }], { totalPrice: money(11, "EUR") });
    else assert.equal((await lift("GOODS", "3", hold)).status, 200);
  }
  assert.equal((await life.shown("3")).statusReason, null);
});

test("an UPDATE is checked again: it adds holds, and lifts none", async () => {
  const { life, place } = await clientOf("AGAIN", "large: value > 500 EUR");
  assert.equal((await place("1", { totalPrice: money(10, "EUR") })).status, "ALLOCATED");
  await life.update("1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", totalPrice: money(501, "EUR") });
  const held = await life.shown("1");
  assert.deepEqual([held.status, held.statusReason], ["ON_HOLD", "CLIENT_RULE: rule large: value > 500 EUR"]);
  await life.update("1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", totalPrice: money(10, "EUR") });
  assert.equal((await life.shown("1")).status, "ON_HOLD");
  assert.equal((await lift("AGAIN", "1", "CLIENT_RULE")).status, 200);
});

test("the first order of a customer is held: the payer's e-mail address, else the recipient's, in any case", async () => {
  const { life, holdsOf } = await clientOf("FIRST", "new: first order");
  const from = (email: string, payer?: string) => ({
    shipToAddress: { ...leeds, email },
    ...(payer === undefined ? {} : { billToAddress: { ...leeds, email: payer } }),
  });
  const isHeld = ["CLIENT_RULE by rule: rule new: first order"];
  assert.deepEqual(await holdsOf("1", from("ann@example.com")), isHeld);
  assert.deepEqual(await holdsOf("2", from("Ann@Example.com ")), []);
  assert.deepEqual(await holdsOf("3", from("ann@example.com", "bob@example.com")), isHeld);
  assert.deepEqual(await holdsOf("4", from("zoe@example.com", "bob@example.com")), []);
  // Without an address no customer is known, and none is new.
  assert.deepEqual(await holdsOf("5"), []);
  assert.equal((await lift("FIRST", "1", "CLIENT_RULE")).status, 200);
  await life.update("1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", ...from("ann@example.com") });
  assert.deepEqual((await life.shown("1")).holds, []);
  await life.update("5", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", ...from("eve@example.com") });
  assert.deepEqual(await holdsOf("6", from("eve@example.com")), isHeld);
});

test("a rule holds orders that cross a customs border without all customs data, kits by their components", async () => {
  const { life, place } = await clientOf("CUSTOMS", "customs: incomplete");
  const named = { HsCode: "6912.00", ManufacturerProductId: "PM-1", NoStandardProductId: "true" };
  const origin = { countryOfOrigin: "GB", weight: "1", weightUomCode: "KG" };
  const mug = { sku: "MUG", name: "Stoneware mug", ...origin, extendedAttributes: attributes(named) };
  const kit = (sku: string, part: string) => ({ sku, components: { component: [{ sku: part, qty: 1 }] } });
  const items = [mug, "A", kit("GOOD", "MUG"), kit("BAD", "A")];
  await life.client.accept("CAT", catalogue("CUSTOMS", items));
  const to = (country: string, zip: string) => ({ shipToAddress: { ...leeds, country, zip, state: "NY" } });
  const heldOf = async (orderId: string, sku: string, more: Parts) => (await place(orderId, more, sku)).holds;
  const isHeld = ["CLIENT_RULE by rule: rule customs: customs incomplete"];
  assert.deepEqual(await heldOf("1", "A", to("DE", "10117")), isHeld);
  assert.deepEqual(await heldOf("2", "MUG", to("DE", "10117")), []);
  assert.deepEqual(await heldOf("3", "MUG", to("US", "10001")), isHeld);
  assert.deepEqual(await heldOf("4", "A", to("GB", "LS1 4AP")), []);
  assert.deepEqual(await heldOf("5", "GOOD", to("DE", "10117")), []);
  assert.deepEqual(await heldOf("6", "BAD", to("DE", "10117")), isHeld);
  assert.deepEqual(await heldOf("7", "MUG", { ...to("DE", "10117"), distributionCentre: undefined }), []);
});

test("an administrator sets rules in the console, which shows a wrong rule at its field", async () => {
  await server.onboard("RULED");
  const set = (holdRules: string | null) => root.patch("/clientDirectory/patch/RULED", { settings: { holdRules } });
  const wrong = await set("goods: poison");
  assert.equal(wrong.status, 422, JSON.stringify(wrong.body));
  assert.match(JSON.stringify(wrong.body), /rule goods: 'poison' is no condition/);
  const good = await set("goods:hazmat");
  assert.equal(good.status, 200, JSON.stringify(good.body));
  const { body } = await anna.get("/clientDirectory/get/RULED");
  const setting = body.settings.find(({ name }: { name: string }) => name === "holdRules");
  assert.deepEqual([setting.value, setting.isSet], ["goods: hazmat", true]);
});
