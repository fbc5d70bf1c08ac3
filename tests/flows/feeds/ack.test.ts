// feeds.md §2: the ACK. (tests/support/oracles/acknowledgement.ts checks for the complete suite that every ACK fits
// ApiResponse.xsd.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, lines, order, purchaseOrder } from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));

/** Names of the elements below the root, in order. */
const childrenOf = (body: string) =>
  [...body.replace(/<(errors|missingSkus)>.*?<\/\1>/gs, "<$1/>").matchAll(/<(?!\/|\?|apiResponse)(\w+)/g)].map(
    ([, name]) => name,
  );

test("children are in the order of the contract, and empty lists are omitted", async () => {
  const accepted = await demo.accept("NO", order("DEMO", "1001", ["A"]));
  assert.deepEqual(childrenOf(accepted.body), ["token", "success", "feedType", "objectId"]);
  const rejected = await demo.refuse("NO", order("DEMO", "1002", ["X"]), /^\[UNKNOWN_SKU\]/);
  assert.deepEqual(childrenOf(rejected.body), ["token", "success", "feedType", "errors", "missingSkus", "objectId"]);
  const unreadable = await demo.refuse("NO", "", /^\[XML\]/);
  assert.deepEqual(childrenOf(unreadable.body), ["token", "success", "feedType", "errors"]);
});

test("objectId is the orderId, the poNumber, the rmaNumber, or the SKU of a catalogue of one item", async () => {
  assert.equal((await demo.accept("NO", order("DEMO", "O-1", ["A"]))).objectId, "O-1");
  assert.equal((await demo.accept("PO", purchaseOrder("DEMO", "P-1", ["A"]))).objectId, "P-1");
  assert.equal((await demo.accept("RMA", authorisation("DEMO", "R-1", ["A"]))).objectId, "R-1");
  assert.equal((await demo.accept("CAT", catalogue("DEMO", ["A"]))).objectId, "A");
  assert.equal((await demo.accept("CAT", catalogue("DEMO", ["A", "B"]))).objectId, undefined);
});

test("a rejected document has its objectId, too, as far as it can be read", async () => {
  const bad = { sku: "A", qty: "many" };
  const cases: [type: string, document: string, objectId: string | undefined][] = [
    ["NO", order("DEMO", "O-2", [bad]), "O-2"],
    ["PO", purchaseOrder("DEMO", "P-2", [bad]), "P-2"],
    ["RMA", authorisation("DEMO", "R-2", [{ sku: "A", quantityReturned: "many" }]), "R-2"],
    ["CAT", catalogue("DEMO", [{ sku: "A", weight: "heavy" }]), "A"],
    ["CAT", catalogue("DEMO", [{ sku: "A", weight: "heavy" }, "B"]), undefined],
    ["NO", order("DEMO", "O-3", [bad]).replace("</orderRequest>", ""), undefined],
    ["NO", order("DEMO", "O-3", [bad]).replace("<orderId>O-3</orderId>", ""), undefined],
    ["NO", "<vendorOrder><poNumber>P-3</poNumber></vendorOrder>", undefined],
    // An ACK cannot contain a value that is not an identifier by ApiResponse.xsd.
    ["NO", order("DEMO", "TAB\tINSIDE", [bad]), undefined],
    ["NO", order("DEMO", "LINE\nINSIDE", [bad]), undefined],
    ["NO", order("DEMO", " blank\n", [bad]), "blank"],
    ["NO", order("DEMO", "x".repeat(65), [bad]), undefined],
    ["NO", order("DEMO", "two  blanks", [bad]), "two  blanks"],
    ["NO", order("DEMO", "no-break\u00a0", [bad]), "no-break\u00a0"],
    ["NO", order("DEMO", "😀".repeat(64), [bad]), "😀".repeat(64)],
  ];
  for (const [type, document, objectId] of cases) {
    const answer = await demo.send(type, document);
    assert.equal(answer.isAccepted, false);
    assert.equal(answer.objectId, objectId, answer.body);
  }
});

test("all problems of a document are reported together", async () => {
  await demo.refuse(
    "NO",
    order("OTHER", "1003", ["X", { sku: "A", lineNumber: 1, qty: "0.5" }], {
      orderDate: undefined,
      distributionCentre: "DC9",
      totalPrice: { "@unit": "ZZZ", "#": 1 },
      shipToAddress: { address1: "1 High Street", city: "Leeds", zip: "12", country: "GB" },
      billToAddress: { address1: "1 High Street", city: "Leeds", country: "QQ" },
    }),
    "[CLIENT] clientId 'OTHER' in the payload is not the 'DEMO' of the path",
    "[VALUE] orderDate: required for NEW and UPDATE",
    "[FACILITY] distributionCentre 'DC9' is unknown or not open to client DEMO",
    "[VALUE] lines/line[2]/lineNumber: '1' is used more than once",
    "[VALUE] totalPrice/@unit: 'ZZZ' is not a currency code of ISO 4217",
    "[COUNTRY] billToAddress/country: 'QQ' is not a country code of ISO 3166-1",
    /^\[POSTCODE\] Order 1003: ship-to postcode '12' is not valid for country GB/,
    "[ADDRESS] Order 1003: shipToAddress: has no name: send a firstName, lastName or companyName",
    "[VALUE] lines/line[2]/qty: '0.5' is not a whole number of EA",
    "[UNKNOWN_SKU] The request references unknown SKUs: X",
  );
});

test("all XSD errors of a document are reported together, each with line, path, value and rule", async () => {
  const document = `<?xml version="1.0"?>
<orderRequest>
  <orderId>1004</orderId>
  <clientId>DEMO</clientId>
  <colour>red</colour>
  <lines>
    <line><lineNumber>1</lineNumber><sku>A</sku><qty>1</qty></line>
    <line><lineNumber>x</lineNumber><sku>A</sku><qty>abc</qty></line>
    <line><lineNumber>3</lineNumber><qty unit="EA">3</qty></line>
  </lines>
</orderRequest>`;
  const answer = await demo.refuse(
    "NO",
    document,
    /^\[XSD\] Line 5: colour: element 'colour' is not allowed here; allowed: orderId, /,
    /^\[XSD\] Line 8: lines\/line\[2\]\/lineNumber: 'x' is not a valid line number/,
    /^\[XSD\] Line 8: lines\/line\[2\]\/qty: 'abc' is not a valid decimal/,
    "[XSD] Line 9: lines/line[3]: element 'sku' is missing",
    /^\[XSD\] Line 9: lines\/line\[3\]\/qty(\/@unit)?: attribute 'unit' is not allowed here/,
  );
  assert.equal(answer.objectId, "1004");
});

test("at most 100 errors are listed, then one gives the number left out", async () => {
  const wrong = (count: number) => order("DEMO", `E-${count}`, Array(count).fill({ sku: "A", qty: "x" }));
  assert.equal((await demo.send("NO", wrong(100))).errors.length, 100);
  const answer = await demo.send("NO", wrong(101));
  assert.equal(answer.errors.length, 101);
  assert.equal(answer.errors.at(-1), "1 further error was left out");
  assert.equal((await demo.send("NO", wrong(350))).errors.at(-1), "250 further errors were left out");
  const halves = order("DEMO", "E-V", Array(130).fill({ sku: "A", qty: "0.5" }));
  const values = await demo.send("NO", halves);
  assert.equal(values.errors.length, 101);
  assert.equal(values.errors.at(-1), "30 further errors were left out");
  assert.deepEqual((await demo.status(values.token)).errors, values.errors.slice(0, 100));
});

test("unknown SKUs are all in missingSkus, in document order, each once; the sentence names the first twenty", async () => {
  const skus = Array.from({ length: 45 }, (_, i) => `S${(i * 7) % 45}`);
  const lineSkus = ["A", ...skus, "S0", "B", "S7"];
  const named = skus.slice(0, 20).join(", ");
  const sentence = `[UNKNOWN_SKU] The request references unknown SKUs: ${named} and 25 more`;
  for (const [type, document] of [
    ["NO", order("DEMO", "1005", lineSkus)],
    ["PO", purchaseOrder("DEMO", "P-5", lineSkus)],
    ["RMA", authorisation("DEMO", "R-5", lineSkus)],
  ] as const) {
    const answer = await demo.refuse(type, document, sentence);
    assert.deepEqual(answer.missingSkus, skus);
    assert.equal(answer.feedType, type);
  }
  await demo.accept("CAT", catalogue("DEMO", skus));
  await demo.accept("NO", order("DEMO", "1005", lineSkus));
  await demo.accept("PO", purchaseOrder("DEMO", "P-5", lineSkus));
  await demo.accept("RMA", authorisation("DEMO", "R-5", lineSkus));
});

test("SKUs that only some lines name wrongly do not hide the other faults", async () => {
  const answer = await demo.refuse(
    "NO",
    order("DEMO", "1006", ["X", { sku: "A", qtyUom: "CRATE" }]),
    "[VALUE] lines/line[2]/qtyUom: 'CRATE' is not a unit of SKU A; allowed: EA",
    "[UNKNOWN_SKU] The request references unknown SKUs: X",
  );
  assert.deepEqual(answer.missingSkus, ["X"]);
});

test("a payload of another client is refused and names both", async () => {
  const sentence = "[CLIENT] clientId 'demo' in the payload is not the 'DEMO' of the path";
  await demo.refuse("CAT", catalogue("demo", ["A"]), sentence);
  await demo.refuse("PO", purchaseOrder("demo", "P-7", ["A"]), sentence);
  await demo.refuse("RMA", authorisation("demo", "R-7", ["A"]), sentence);
  await demo.refuse("NO", order("demo", "1007", ["A"]), sentence);
  await demo.accept("NO", order("DEMO", "1007", ["A"]));
});

test("documents that hold more than they may are refused with both numbers", async () => {
  const many = (count: number) => lines(Array(count).fill("A"));
  const cases = [
    ["NO", 1_000, (n: number, id: string) => order("DEMO", id, [], { lines: { line: many(n) } })],
    ["RMA", 1_000, (n: number, id: string) => authorisation("DEMO", id, Array(n).fill("A"))],
    ["PO", 5_000, (n: number, id: string) => purchaseOrder("DEMO", id, [], { lines: { line: many(n) } })],
  ] as const;
  for (const [type, max, make] of cases) {
    const sentence = `[LIMIT] The document holds ${max + 1} lines; at most ${max} are allowed`;
    const answer = await demo.refuse(type, make(max + 1, "LIMIT"), sentence);
    assert.equal(answer.objectId, "LIMIT");
    await demo.accept(type, make(max, "LIMIT"));
  }
});

test("nesting of 64 levels can be read, 65 cannot", async () => {
  const nested = (levels: number) => "<a>".repeat(levels) + "</a>".repeat(levels);
  await demo.refuse("NO", nested(64), "[XSD] Line 1: the root element is 'a'; expected 'orderRequest'");
  await demo.refuse("NO", nested(65), "[XML] nesting over 64 at line 1");
});
