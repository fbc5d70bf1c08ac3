// feeds.md §4, NO: the validation of a NEW order, and its effects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, leeds, money, order, type Parts } from "../../support/builders/documents.ts";
import { waitingEvents } from "../../support/postgres/waiting-events.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));

let orders = 0;
const nextId = () => `N-${++orders}`;
const no = (more: Parts, lines: readonly (string | Parts)[] = ["A"]) => order("DEMO", nextId(), lines, more);
const accepted = async (more: Parts) => {
  const { objectId, token } = await demo.accept("NO", no(more));
  // The allocation has run without success: there is no stock.
  await demo.becomes(token, "PROCESSED");
  return (await demo.order(objectId as string)) as Record<string, unknown>;
};
const shipTo = (country: string, zip: string | undefined): Parts => ({ shipToAddress: { ...leeds, country, zip } });

test("an order is stored as sent, and shown by REST under the feed's names", async () => {
  const record = await accepted({
    externalOrderReference: "SHOP-1",
    catalogId: "AUTUMN",
    origin: "WEB",
    language: "en-GB",
    carrierCode: "RM",
    shippingMethod: "STANDARD",
    totalPrice: money("109.15", "EUR"),
    taxes: { "@unit": "EUR", "@amount": "18.19", tax: [{ "@type": "VAT", "#": "18.19" }] },
    billToAddress: { ...leeds, "@addressId": "B-1", companyName: 'Ünal & "Söhne" <GmbH>' },
    payments: { payment: [{ "@type": "CARD", tender: "VISA" }] },
    extendedAttributes: attributes({ GiftMessage: "Happy birthday & <3 🎂" }),
  });
  assert.equal(record.status, "BACKORDERED");
  assert.deepEqual(record.totalPrice, { amount: 109.15, currency: "EUR" });
  assert.deepEqual(record.extendedAttributes, { GiftMessage: "Happy birthday & <3 🎂" });
  const { addressId, companyName, country } = record.billToAddress as Record<string, string>;
  assert.deepEqual([addressId, companyName, country], ["B-1", 'Ünal & "Söhne" <GmbH>', "GB"]);
  assert.equal(new Date(record.orderDate as string).toISOString(), "2026-11-02T08:00:00.000Z");
});

test("an orderId that exists is refused with the first document's token and time; another case is another order", async () => {
  const document = order("DEMO", "dup", ["A"]);
  const { token } = await demo.accept("NO", document);
  const { receivedAt } = await demo.status(token);
  const sentence = `[DUPLICATE] Order dup exists already: received as document ${token} at ${receivedAt}; its bytes are`;
  await demo.refuse("NO", document, `${sentence} identical`);
  await demo.refuse("NO", order("DEMO", "dup", ["B"]), `${sentence} different`);
  await demo.accept("NO", order("DEMO", "DUP", ["A"]));
});

test("postcodes of ship-to and bill-to are checked, ignoring case and blanks; the sentence lists every format", async () => {
  const allowed = "allowed formats: A9 9AA, A99 9AA, A9A 9AA, AA9 9AA, AA99 9AA, AA9A 9AA";
  const sentence = (id: string, whose: string, zip: string) =>
    `[POSTCODE] Order ${id}: ${whose} postcode '${zip}' is not valid for country GB; ${allowed}`;
  const answer = await demo.refuse(
    "NO",
    order("DEMO", "ZIP", ["A"], { ...shipTo("GB", "12"), billToAddress: { ...leeds, zip: "LS1" } }),
    sentence("ZIP", "bill-to", "LS1"),
    sentence("ZIP", "ship-to", "12"),
  );
  assert.equal(answer.objectId, "ZIP");
  await demo.refuse("NO", order("DEMO", "ZIP", ["A"], shipTo("GBR", undefined)), sentence("ZIP", "ship-to", ""));
  await demo.refuse(
    "NO",
    order("DEMO", "ZIP", ["A"], shipTo("GB", "LS1 4AP9")),
    sentence("ZIP", "ship-to", "LS1 4AP9"),
  );
  await demo.accept("NO", order("DEMO", "ZIP", ["A"], shipTo("GB", "ls14ap")));
  for (const [country, zip] of [
    ["GB", "  LS1  4AP "],
    ["DE", "10117"],
    ["DEU", "10117"],
    ["US", "10001"],
    ["US", "10001-1234"],
    ["NL", "1234 ab"],
    ["CA", "k1a0b1"],
  ] as const)
    await demo.accept("NO", no(shipTo(country, zip)));
  for (const [country, zip] of [
    ["DE", "1011"],
    ["DE", "LS1 4AP"],
    ["US", "1000"],
    ["NL", "1234"],
    ["JP", "1"],
  ] as const)
    await demo.refuse(
      "NO",
      no(shipTo(country, zip)),
      new RegExp(`^\\[POSTCODE\\] .* country ${country}; allowed formats: `),
    );
});

test("countries without postcodes take none or any, and so do countries that the data does not know", async () => {
  for (const country of ["AE", "HK", "AQ"]) {
    await demo.accept("NO", no(shipTo(country, undefined)));
    await demo.accept("NO", no(shipTo(country, "")));
    await demo.accept("NO", no(shipTo(country, "whatever")));
  }
});

test("countries are alpha-2 or alpha-3 codes, kept as alpha-2", async () => {
  for (const country of ["DEU", "deu", "de"]) {
    const { shipToAddress } = (await accepted(shipTo(country, "10117"))) as { shipToAddress: { country: string } };
    assert.equal(shipToAddress.country, "DE");
  }
  for (const [country, meant] of [
    ["QQ", ""],
    ["XYZ", ""],
    ["UK", "; use GB"],
    ["el", "; use GR"],
  ] as const) {
    const sentence = `[COUNTRY] shipToAddress/country: '${country}' is not a country code of ISO 3166-1${meant}`;
    await demo.refuse("NO", no(shipTo(country, "LS1 4AP")), sentence);
  }
});

test("an order has one currency of ISO 4217", async () => {
  await accepted({ totalPrice: money(1, "EUR"), shippingCost: money(1, "EUR") });
  await demo.refuse(
    "NO",
    no({ totalPrice: money(1, "EUX") }),
    "[VALUE] totalPrice/@unit: 'EUX' is not a currency code of ISO 4217",
  );
  const mixed: Parts[] = [
    { sku: "A", lineTotal: money(1, "USD") },
    { sku: "B", unitNetPrice: money(1, "GBP") },
  ];
  await demo.refuse(
    "NO",
    no({ totalPrice: money(1, "EUR") }, mixed),
    "[VALUE] lines/line[1]/lineTotal/@unit: 'USD' differs from 'EUR', the currency of the order",
    "[VALUE] lines/line[2]/unitNetPrice/@unit: 'GBP' differs from 'EUR', the currency of the order",
  );
});

test("a card number in payments is refused by its last four digits, and the document is kept without its payload", async () => {
  const card = "4111 1111 1111 1111";
  const document = no({ payments: { payment: [{ tender: "VISA" }, { "@type": "CARD", tender: card }] } });
  const sentence = "[VALUE] payments/payment[2]/tender: a card number ending in 1111 must not be sent";
  const { token, body } = await demo.refuse("NO", document, sentence);
  assert.ok(!body.includes("4111"));
  const rows = await server.rows("select from feed_payload where token = $1::uuid", token);
  assert.equal(rows.length, 0);
  const kept = [
    ...(await server.rows("select * from feed_document where token = $1::uuid", token)),
    ...(await waitingEvents(server.database, "DEMO")),
    ...(await server.rows("select * from event where client_id = 'DEMO'")),
  ];
  assert.ok(kept.some((row) => JSON.stringify(row).includes(token)));
  assert.ok(kept.every((row) => !/4111.?1111/.test(JSON.stringify(row))));
  // A card number is withheld even if the document is malformed.
  for (const broken of [
    document.replace("</orderRequest>", ""),
    document.replace("<orderId>", "<orderId/><orderId>"),
  ]) {
    const answer = await demo.send("NO", broken);
    assert.equal(answer.isAccepted, false);
    assert.ok(!answer.body.includes("4111"), answer.body);
    assert.deepEqual(await server.rows("select from feed_payload where token = $1::uuid", answer.token), []);
  }
  assert.ok(server.logged.every((line) => !line.includes("4111 1111")));
  await demo.accept("NO", document.replace(card, "VISA ending in 1111"));
});

test("the payload of any other document is kept, accepted or rejected", async () => {
  const document = order("DEMO", nextId(), ["A"]);
  const good = await demo.accept("NO", document);
  const bad = await demo.refuse("NO", "<oh no", /^\[XML\]/);
  for (const [{ token }, text] of [
    [good, document],
    [bad, "<oh no"],
  ] as const) {
    const [row] = await server.rows<{ payload: Buffer }>(
      "select payload from feed_payload where token = $1::uuid",
      token,
    );
    assert.equal(row?.payload.toString(), text);
  }
});

test("without a facility the order is routed to the client's first; a named one must be open to the client", async () => {
  const backwards = await server.onboard("BACKWARDS", { facilities: ["DC2", "DC1"] });
  await backwards.accept("CAT", catalogue("BACKWARDS", ["A"]));
  await backwards.accept("NO", order("BACKWARDS", "ROUTED", ["A"]));
  assert.equal((await backwards.order("ROUTED"))?.distributionCentre, "DC2");
  assert.equal((await accepted({})).distributionCentre, "DC1");
  assert.equal((await accepted({ distributionCentre: "DC2" })).distributionCentre, "DC2");
  const sentence = "[FACILITY] distributionCentre 'DC3' is unknown or not open to client DEMO";
  await demo.refuse("NO", no({ distributionCentre: "DC3" }), sentence);
  const nowhere = await server.onboard("NOWHERE", { facilities: [] });
  await nowhere.accept("CAT", catalogue("NOWHERE", ["A"]));
  await nowhere.refuse("NO", order("NOWHERE", "1", ["A"]), "[FACILITY] no facility is open to client NOWHERE");
});

test("Priority and ShipPartial are taken; a Priority that is not 1 to 9 is a warning", async () => {
  const stored = async (values: Record<string, string>) => {
    const { objectId, token } = await demo.accept("NO", no({ extendedAttributes: attributes(values) }));
    const [row] = await server.rows<{ priority: number; ship_partial: boolean }>(
      "select priority, ship_partial from sales_order where order_id = $1",
      objectId,
    );
    return [row?.priority, row?.ship_partial, (await demo.outcome(token)).warnings];
  };
  assert.deepEqual(await stored({}), [5, false, []]);
  assert.deepEqual(await stored({ Priority: "1", ShipPartial: "true" }), [1, true, []]);
  assert.deepEqual(await stored({ Priority: "9", ShipPartial: "0" }), [9, false, []]);
  for (const Priority of ["0", "10", "high", "1.5"])
    assert.deepEqual(await stored({ Priority }), [
      5,
      false,
      [`[PRIORITY] Priority '${Priority}' is not 1 to 9; 5 is taken`],
    ]);
});

test("values of extended attributes that have no effect are warnings, and the order is accepted", async () => {
  const wrong = { ShipPartial: "Y", PrintPricesOnPackingSlip: "Yes", PackingSlipLanguage: "xx", IsHazmat: "Y" };
  const line = { sku: "A", extendedAttributes: attributes({ IsHazmat: "Y", IsBulkyFlag: "True", ShipPartial: "Y" }) };
  const xml = order("DEMO", "EFFECT-1", ["A", line], { extendedAttributes: attributes(wrong) });
  const { token } = await demo.accept("NO", xml);
  const flag = "is not a flag: true, false, 1 or 0; the attribute has no effect";
  const languages = "is no language of the packing slip: en, de, fr, es, it, nl, pl; the order's language is taken";
  assert.deepEqual((await demo.outcome(token)).warnings, [
    `[VALUE] extendedAttributes/attribute[@name='ShipPartial']: 'Y' ${flag}`,
    `[VALUE] extendedAttributes/attribute[@name='PrintPricesOnPackingSlip']: 'Yes' ${flag}`,
    `[VALUE] extendedAttributes/attribute[@name='PackingSlipLanguage']: 'xx' ${languages}`,
    `[VALUE] lines/line[2]/extendedAttributes/attribute[@name='IsHazmat']: 'Y' ${flag}`,
  ]);
  const right = { ShipPartial: "TRUE", PrintPricesOnPackingSlip: "1", PackingSlipLanguage: "de-CH" };
  const accepted = await demo.accept("NO", order("DEMO", "EFFECT-2", ["A"], { extendedAttributes: attributes(right) }));
  assert.deepEqual((await demo.outcome(accepted.token)).warnings, []);
});

test("customs data of another form are warnings, and the order is accepted", async () => {
  const wrong = { ReasonForExport: "SALES", IossNumber: "276", ImporterEori: "99", ImporterVatNumber: "DE" };
  const { token } = await demo.accept("NO", no({ extendedAttributes: attributes(wrong) }));
  const end = "; the commercial invoice leaves it out";
  assert.deepEqual((await demo.outcome(token)).warnings, [
    `[VALUE] ReasonForExport 'SALES': expected SALE, GIFT, SAMPLE, RETURN, REPAIR${end}`,
    `[VALUE] IossNumber '276': expected IM and ten digits, such as IM2760000742${end}`,
    `[VALUE] ImporterEori '99': expected a country code and 1 to 15 letters and digits, such as GB123456789000${end}`,
    `[VALUE] ImporterVatNumber 'DE': expected a country code and 2 to 15 letters and digits, such as DE123456789${end}`,
  ]);
  const right = { ReasonForExport: "gift", IossNumber: "IM 2760000742", ImporterEori: "DE1", ImporterVatNumber: "" };
  const accepted = await demo.accept("NO", no({ extendedAttributes: attributes(right) }));
  assert.deepEqual((await demo.outcome(accepted.token)).warnings, []);
});

test("doNotShip is a hold", async () => {
  for (const doNotShip of ["true", "1"]) {
    const { status, holds } = (await accepted({ doNotShip })) as { status: string; holds: { type: string }[] };
    assert.deepEqual([status, holds.map(({ type }) => type)], ["ON_HOLD", ["DO_NOT_SHIP"]]);
  }
  for (const doNotShip of ["false", "0"]) assert.equal((await accepted({ doNotShip })).status, "BACKORDERED");
});

test("a line is distinguished by its number, not by its SKU", async () => {
  const thousand = Array.from({ length: 1_000 }, () => "A");
  const { objectId } = await demo.accept("NO", no({}, thousand));
  assert.equal(((await demo.order(objectId as string)) as { lines: unknown[] }).lines.length, 1_000);
  const twice = ["A", { sku: "B", lineNumber: 1 }];
  await demo.refuse("NO", no({}, twice), "[VALUE] lines/line[2]/lineNumber: '1' is used more than once");
});

test("only SKUs of the same client count, and the remedy works", async () => {
  const other = await server.onboard("OTHER");
  await other.accept("CAT", catalogue("OTHER", ["LATER"]));
  const document = order("DEMO", nextId(), ["LATER", "A"]);
  const answer = await demo.refuse("NO", document, "[UNKNOWN_SKU] The request references unknown SKUs: LATER");
  assert.deepEqual(answer.missingSkus, ["LATER"]);
  assert.equal(await demo.order(answer.objectId as string), undefined);
  await demo.accept("CAT", catalogue("DEMO", ["LATER"]));
  await demo.accept("NO", document);
});
