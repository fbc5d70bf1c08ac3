import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "#/console-api/feeds/document/document-rows.ts";
import { readSentence } from "#/intake/feeds/fault-words.ts";
import { placeFaults } from "./fault-places.ts";

const text = `<?xml version="1.0"?>
<!-- <sku>A</sku> is no line -->
<orderRequest>
  <orderId>1001</orderId>
  <shipToAddress>
    <name note="a > b"><![CDATA[<sku>A</sku>]]></name>
    <zip>12</zip>
  </shipToAddress>
  <extendedAttributes>
    <attribute name="Priority">x</attribute>
    <attribute name="Revision">0</attribute>
  </extendedAttributes>
  <lines>
    <line><lineNumber>1</lineNumber><sku>A</sku></line>
    <line><lineNumber>2</lineNumber><sku>B &amp; C</sku><qty/></line>
  </lines>
</orderRequest>
`;

async function linesOf(sentence: string, missing: readonly string[] = []): Promise<(number | null)[]> {
  const faults = [readSentence(sentence, "error", "NO")];
  const placed = await placeFaults(text, rowsOf(text), faults, missing);
  return placed.map(({ line }) => line);
}

test("an error sentence is parsed into code, words, place and path", () => {
  const fault = readSentence("[XSD] Line 12: lines/line[3]/qty: 'abc' is not a valid decimal", "error", "NO");
  assert.deepEqual([fault.code, fault.line, fault.column, fault.path], ["XSD", 12, null, "lines/line[3]/qty"]);
  assert.match(fault.remedy ?? "", /\/xsd\/NO\.xsd/);
  assert.equal(readSentence("[XML] Line 3, column 7: the document ends", "error", "NO").column, 7);
  assert.equal(readSentence("3 further errors were left out", "error", "NO").code, "");
});

test("an error is located by its path, with the element numbers of the sentences", async () => {
  assert.deepEqual(await linesOf("[VALUE] lines/line[2]/qty: required for NEW and UPDATE"), [15]);
  assert.deepEqual(await linesOf("[VALUE] shipToAddress/zip: wrong"), [7]);
  assert.deepEqual(await linesOf("[VALUE] extendedAttributes/attribute[@name='Revision']: '0' is not"), [11]);
});

test("a missing element is shown at its place", async () => {
  assert.deepEqual(await linesOf("[VALUE] shipToAddress/city: required for NEW and UPDATE"), [5]);
});

test("an error without a path is located by the subject of its code", async () => {
  assert.deepEqual(
    await linesOf("[UNKNOWN_SKU] The request references unknown SKUs: A, B & C", ["A", "B & C"]),
    [14, 15],
  );
  assert.deepEqual(await linesOf("[POSTCODE] Order 1001: ship-to postcode '12' is not valid"), [7]);
  assert.deepEqual(await linesOf("[DUPLICATE] Order 1001 exists already"), [4]);
  assert.deepEqual(await linesOf("[STALE] Order 1001: Revision 0 is not above the stored Revision 3"), [11]);
  assert.deepEqual(await linesOf("[LIMIT] The document holds 1001 lines; at most 1000 are allowed"), [null]);
});

test("a warning is located by its subject, and has a remedy", async () => {
  const method = text.replace("<orderId>", "<shippingMethod>PIGEON</shippingMethod>\n  <orderId>");
  const sentences = [
    "[SHIPPING_METHOD] shippingMethod: 'PIGEON' is not a mapped method, service level or service of the carrier data",
    "[PRIORITY] Priority 'x' is not 1 to 9; 5 is taken",
  ];
  const faults = sentences.map((sentence) => readSentence(sentence, "warning", "NO"));
  assert.match(faults[0]?.remedy ?? "", /^Add the shipping method to the carrier data/);
  const placed = await placeFaults(method, rowsOf(method), faults, []);
  assert.deepEqual(
    placed.map(({ line }) => line),
    [4, 11],
  );
});

test("the line in the error message takes precedence", async () => {
  assert.deepEqual(await linesOf("[XSD] Line 9: lines/line[1]/qty: 'x' is not"), [9]);
  assert.deepEqual(await linesOf("[XML] Line 99, column 1: the document ends"), [17]);
});

test("malformed documents are read to their end", async () => {
  for (const broken of ["", "<", "<a", "<a b='", "<!-- ", "<![CDATA[", "</a></a>", "<a><b></a>", "x".repeat(1_000)]) {
    const fault = readSentence("[DUPLICATE] Order 1 exists already", "error", "NO");
    const placed = await placeFaults(broken, rowsOf(broken), [fault], []);
    assert.equal(placed.length, 1);
  }
});
