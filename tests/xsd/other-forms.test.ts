// feeds.md §3, Other forms: a document in the forms of partners' serialisers is read as the one in the published form.
// CROSSDOCK_TEST_ROUNDS sets the number of documents, CROSSDOCK_TEST_SEED the first of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedDefinitions } from "#/app/roles/feed-definitions.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { createValidator } from "#/intake/feeds/intake/validator.ts";
import { createXmlEngine } from "#/intake/xml/index.ts";
import { readXsd } from "#/kernel/shipped-files.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { diceOf } from "../support/builders/dice.ts";
import { otherForm, publishedForm, sampleOf } from "../support/builders/other-forms.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 4_000);
/** The documents differ from day to day. */
const seed = Number(process.env.CROSSDOCK_TEST_SEED ?? Math.floor(Date.now() / dayMs) * rounds);

const validate = createValidator(await createXmlEngine(), createFeedDefinitions(createCarrierSets()), readXsd);
const client: FeedClient = {
  clientId: "DEMO",
  status: "ACTIVE",
  facilities: ["DC1"],
  settings: {
    rejectedFeedStatus: 200,
    parkUnknownSkus: false,
    identicalResend: "REJECT",
    feedDeadlineMinutes: 15,
    catMode: "REPLACE",
    customsDestinations: [],
    namelessAddress: "REFUSE",
    doubtfulAddress: "WARN",
    addressCheck: "OFF",
    holdRules: [],
    routingRule: "ORDER",
    splitOrders: false,
    backorder: "WAIT",
    stockPools: [],
    availablePools: [],
  },
};

/** Moments and units by their meaning, all else as it is written. */
function meaning(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      if (part instanceof Uint8Array) return JSON.parse(Buffer.from(part).toString("utf8"));
      if (typeof part !== "string") return part;
      if (/^\d{4}-\d\d-\d\dT/.test(part)) return new Date(part).toISOString();
      if (["feedUom", "uom"].includes(key)) return "EA";
      if (["country", "IsHazmat", "PrintPricesOnPackingSlip"].includes(key)) return part.toLowerCase();
      if (/^\d+\.\d+$/.test(part)) return String(Number(part));
      return part;
    }),
  );
}

function readingOf(type: "CAT" | "PO" | "RMA" | "NO", document: string) {
  const reading = validate({ type, bytes: Buffer.from(document), charset: undefined, client });
  assert.deepEqual(reading.faults, [], document);
  const pieces = reading.checked?.pieces?.map(({ content }) => content);
  return { objectId: reading.objectId, message: meaning(reading.checked?.message), pieces: meaning(pieces ?? []) };
}

test(`${rounds} documents in other forms are read as those in the published form`, (t) => {
  t.diagnostic(`seed ${seed}`);
  for (let round = 0; round < rounds; round++) {
    const dice = diceOf(seed + round);
    const sample = sampleOf(dice, "DEMO", `F-${round}`, ["A", "B", "C"]);
    const document = otherForm(dice, sample);
    const expected = readingOf(sample.type, publishedForm(sample));
    assert.deepEqual(readingOf(sample.type, document), expected, `seed ${seed + round}:\n${document}`);
  }
});

const doubtful: readonly (readonly [what: string, type: "NO" | "RMA", xml: string, fault: RegExp])[] = [
  [
    "a moment without an offset",
    "NO",
    "<orderDate>2026-11-03T09:30:00</orderDate>",
    /orderDate: .* not a valid date-time/,
  ],
  ["a date that no calendar has", "NO", "<orderDate>20260230T0930Z</orderDate>", /orderDate: .* not a valid date-time/],
  ["a decimal comma", "NO", '<totalPrice unit="EUR">12,50</totalPrice>', /totalPrice: '12,50' is not a valid amount/],
  ["a word for an action", "NO", "<actionType>change</actionType>", /actionType: 'change' is not a valid action/],
  [
    "a line break within a code",
    "NO",
    "<carrierCode>D\nPD</carrierCode>",
    /carrierCode: 'D␊PD' is not a valid identifier/,
  ],
  ["a value beside xsi:nil", "NO", '<origin xsi:nil="true">web</origin>', /origin/],
  ["an element twice", "RMA", "<clientId>DEMO</clientId>", /'clientId' appears more than once/],
  [
    "a required element that is nil",
    "RMA",
    "<line><lineNumber>1</lineNumber><sku xsi:nil='1'/><quantityReturned>1</quantityReturned></line>",
    /sku: '' is not a valid identifier/,
  ],
];

for (const [what, type, xml, fault] of doubtful) {
  test(`${what} stays refused`, () => {
    const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    const line = "<line><lineNumber>9</lineNumber><sku>A</sku><quantityReturned>1</quantityReturned></line>";
    const document =
      type === "NO"
        ? `<orderRequest ${instance}><orderId> 1 </orderId><clientId>DEMO</clientId>${xml}</orderRequest>`
        : `<returnMerchandiseAuthorization ${instance}>${line}<clientId>DEMO</clientId>${xml}<distributionCentre>DC1</distributionCentre><rmaNumber> 1 </rmaNumber></returnMerchandiseAuthorization>`;
    const reading = validate({ type, bytes: Buffer.from(document), charset: undefined, client });
    assert.equal(reading.checked, undefined);
    assert.equal(reading.objectId, "1");
    assert.equal(reading.faults.length, 1, JSON.stringify(reading.faults));
    assert.match(reading.faults[0]?.text ?? "", fault);
  });
}

test("an amount with more decimals than are kept is rounded, with a warning that names line, place and values", () => {
  const price = '<totalPrice unit="gbp"> 19.999949999 </totalPrice>\n<subtotal unit="gbp">0.99995</subtotal>';
  const document = `<orderRequest><orderId>1</orderId><clientId>DEMO</clientId>${price}<actionType>update</actionType></orderRequest>`;
  const reading = validate({ type: "NO", bytes: Buffer.from(document), charset: undefined, client });
  const warnings = reading.checked?.warnings.map(({ code, text }) => `[${code}] ${text}`);
  assert.deepEqual(warnings, [
    "[VALUE] Line 1: totalPrice: '19.999949999' has more than 4 fraction digits; 19.9999 is taken",
    "[VALUE] Line 2: subtotal: '0.99995' has more than 4 fraction digits; 1 is taken",
  ]);
});

test("a list that is read in pieces is rewritten like a short one", () => {
  const item = (i: number) =>
    `<item>\n<sku> S${i} </sku><name>${"n".repeat(200)}</name><captureBatchRef>TRUE</captureBatchRef></item>\n`;
  const items = Array.from({ length: 8_000 }, (_, i) => item(i)).join("");
  for (const head of ["<date>20261103T0930Z</date><clientId> DEMO </clientId>", ""]) {
    const tail = head === "" ? "<clientId>DEMO</clientId><date>20261103T0930Z</date>" : "";
    const bytes = Buffer.from(`<itemMaster>${head}${items}${tail}</itemMaster>`);
    assert.ok(bytes.length > 2 * 1024 * 1024);
    const reading = validate({ type: "CAT", bytes, charset: undefined, client });
    assert.deepEqual(reading.faults, []);
    const skus = reading.checked?.pieces?.flatMap(({ content }) => (content as { skus: string[] }).skus);
    assert.equal(skus?.length, 8_000);
    assert.equal(skus?.[7_999], "S7999");
    assert.deepEqual(reading.checked?.message, { date: "2026-11-03T09:30:00Z", unitless: [] });
  }
});
