import assert from "node:assert/strict";
import { test } from "node:test";
import { blankFindings, blankJson, blankSentence, blankXml } from "#/app/retention/erasure/blank.ts";

test("of an address only the country stays, free text and attributes are erased, and other values are unchanged", () => {
  const before = {
    orderId: "O-1",
    status: "DELIVERED",
    statusReason: "left with Ms Smith",
    totalPrice: { amount: 12, currency: "GBP" },
    shipToAddress: { lastName: "Smith", country: "GB", phone: null },
    billToAddress: null,
    extendedAttributes: { GiftMessage: "to Ann" },
    payments: [{ type: "CARD", tender: "VISA" }],
    holds: [{ type: "OTHER", reason: "Ms Smith has moved", by: "user:anna" }],
    lines: [{ sku: "A", dispositions: [{ disposition: "SCRAP", qty: 1, note: "smells of Smith" }] }],
  };
  assert.deepEqual(blankJson(before), {
    orderId: "O-1",
    status: "DELIVERED",
    statusReason: null,
    totalPrice: { amount: 12, currency: "GBP" },
    shipToAddress: { lastName: null, country: "GB", phone: null },
    billToAddress: null,
    extendedAttributes: {},
    payments: [],
    holds: [{ type: "OTHER", reason: "", by: "user:anna" }],
    lines: [{ sku: "A", dispositions: [{ disposition: "SCRAP", qty: 1 }] }],
  });
});

test("a value without personal data is returned unchanged, and an erased value stays erased", () => {
  for (const value of [null, 1, "text", [], {}, { status: "A", statusReason: "PARTIALLY_DELIVERED" }, [{ qty: 1 }]]) {
    assert.equal(blankJson(value), value);
  }
  assert.deepEqual(blankJson({ attributeOne: "Smith", attributeThree: null }), {
    attributeOne: null,
    attributeThree: null,
  });
  const once = blankJson({ text: "at the porch", errors: ["[POSTCODE] 'X' is wrong"], shipTo: { zip: "X" } });
  assert.equal(blankJson(once), once);
  assert.deepEqual(once, { text: null, errors: ["[POSTCODE] blanked"], shipTo: { zip: null } });
});

test("a reason of a state keeps the words of the platform, and nothing that a person typed", () => {
  const kept = [
    ["cancelled by the client's feed", "cancelled by the client's feed"],
    [
      "not in stock; the client's setting cancels what cannot be shipped",
      "not in stock; the client's setting cancels what cannot be shipped",
    ],
    ["not in stock for 30 days", "not in stock for 30 days"],
    ["inactive in the catalogue: SKU MUG-1, MUG-2", "inactive in the catalogue"],
    ["stock that cannot be sold: SKU MUG-1 (SHELF_LIFE)", "stock that cannot be sold"],
    ["CLIENT_REQUEST: Ms Smith has moved", "CLIENT_REQUEST"],
    ["PARTIALLY_DELIVERED", "PARTIALLY_DELIVERED"],
    ["Ms Smith: cancelled by the client's feed", null],
    ["cancelled by the client's feed, says Smith", null],
    ["not in stock for Smith days", null],
    ["SMITH: has moved", null],
    ["LOST: by Smith", null],
    ["Smith", null],
  ] as const;
  for (const [text = "", words] of kept) {
    assert.deepEqual(blankJson({ statusReason: text }), { statusReason: words }, text);
    const xml = `<a>\n  <statusReason>${text.replaceAll("'", "&apos;")}</statusReason></a>`;
    const blanked =
      words === null ? "<a></a>" : `<a>\n  <statusReason>${words?.replaceAll("'", "&apos;")}</statusReason></a>`;
    assert.equal(blankXml(xml), blanked, text);
  }
});

test("an ACK error keeps its code, and an error without a code is erased", () => {
  assert.equal(blankSentence("[XSD] Line 3: 'Smith' is not valid"), "[XSD] blanked");
  assert.equal(blankSentence("Smith"), "blanked");
  const findings = { errors: ["[VALUE] Smith"], errorsOmitted: 2, warnings: [{ code: "GTIN", text: "Smith" }] };
  const blanked = { errors: ["[VALUE] blanked"], errorsOmitted: 2, warnings: [{ code: "GTIN", text: "blanked" }] };
  assert.deepEqual(blankFindings(findings), blanked);
  assert.equal(blankFindings(null), null);
});

test("a document loses its free text and keeps its elements", () => {
  const before = `<orderStatus>
  <orderId>O-1</orderId>
  <statusReason>Ms Smith &amp; son</statusReason>
  <errors><error>[POSTCODE] Order O-1: 'Smith'</error></errors>
  <line><sku>A</sku><attributeOne>Smith</attributeOne><attributeThree>Smith</attributeThree></line>
  <disposition><qty>1</qty><note>Smith</note></disposition>
  <holds><hold><type>OTHER</type><reason>Ms Smith has moved</reason></hold></holds>
</orderStatus>`;
  assert.equal(
    blankXml(before),
    `<orderStatus>
  <orderId>O-1</orderId>
  <errors><error>[POSTCODE] blanked</error></errors>
  <line><sku>A</sku></line>
  <disposition><qty>1</qty></disposition>
  <holds><hold><type>OTHER</type></hold></holds>
</orderStatus>`,
  );
  const code = "<statusReason>LOST</statusReason>";
  assert.equal(blankXml(code), code);
});
