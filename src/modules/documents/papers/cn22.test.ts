import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { ready } from "zpl-renderer-js";
import { declaration, longestAddress } from "../../../../tests/support/papers/papers.ts";
import { textOfPages, wordsOf } from "../../../../tests/support/papers/printed-papers.ts";
import { cn22LinesMax, printCn22, printCn22Zpl } from "./cn22.ts";
import type { DeclaredLine } from "./customs-goods.ts";
import { labelSize } from "./label-parts.ts";

/** In reading order, with one blank between words. */
const read = (bytes: Uint8Array) => textOfPages(bytes).join("").replaceAll(/\s+/g, " ");

test("a CN 22 that is printed again is the same byte for byte, as PDF and as ZPL", () => {
  const first = printCn22(declaration());
  assert.equal(Buffer.compare(first, printCn22(declaration())), 0);
  assert.equal(hash("sha256", first), "653c647ce427cf3be7fe3f608c7ef80f4d745fdeb21af685e8563c1dfe9d8f22");
  const zpl = Buffer.from(printCn22Zpl(declaration()));
  assert.equal(hash("sha256", zpl), "0d81d88f8803dedf6c69c4c8d677adc720fae073892d33dda2c641ed89e99351");
  assert.match(zpl.toString("latin1"), /^\^XA[\x20-\x7E\n]+\^XZ\n$/);
});

test("a CN 22 has the category, the goods, both parties and the certification", () => {
  const text = read(printCn22(declaration({ reasonForExport: "GIFT" })));
  const all = [
    ...["CUSTOMS DECLARATION", "DÉCLARATION EN DOUANE", "CN 22", "[X] Gift", "[ ] Sale of goods", "[ ] Returned goods"],
    ...["2 EA Mug, stoneware", "HS 6912.00", "Origin Portugal (PT)", "0.68 kg", "16.80", "VALUE EUR"],
    ...["12.5 M Rope", "HS 5607.49", "Origin Poland (PL)", "1 kg", "15.43", "1.9 kg", "EUR 32.23", "RM123456789GB"],
    ...[
      "Crossdock Nord",
      "EORI DE1234567",
      "Muster UK Ltd",
      "VAT GB123456789",
      "I certify",
      "20 Nov 2026",
      "SIGNATURE",
    ],
  ];
  for (const words of all) assert.ok(text.includes(words), `'${words}' is missing in ${text}`);
  for (const [reason, box] of [
    ["SALE", "Sale of goods"],
    ["SAMPLE", "Commercial sample"],
    ["RETURN", "Returned goods"],
    ["REPAIR", "Other: repair or replacement"],
  ] as const) {
    assert.ok(read(printCn22(declaration({ reasonForExport: reason }))).includes(`[X] ${box}`), reason);
  }
});

const longest: DeclaredLine = {
  lineNumber: 999_999,
  sku: "K".repeat(64),
  description: "Д".repeat(255),
  hsCode: "Ж".repeat(100),
  uom: "Ю".repeat(64),
  countryOfOrigin: "CD",
  qty: 999_999_999_999,
  unitValue: "999999999999999.9999",
  unitNetWeight: { value: 999_999_999.999999, uom: "KG" },
};
const party = { ...longestAddress, phone: "1".repeat(255), email: "e".repeat(255), customsNumbers: ["N".repeat(64)] };
const fullest = declaration({
  sender: party,
  addressee: party,
  itemNumber: "T".repeat(64),
  lines: Array.from({ length: cn22LinesMax }, () => longest),
});

test("nothing of the longest CN 22 is lost, and nothing leaves the label", () => {
  const bytes = printCn22(fullest);
  const outside = wordsOf(bytes).filter(
    ({ left, right, top, bottom }) =>
      left < 11 || right > labelSize.width - 11 || top < 0 || bottom > labelSize.height + 1,
  );
  assert.deepEqual(outside, []);
  const text = read(bytes).replaceAll(/\s/g, "");
  const count = (letter: string) => text.split(letter).length - 1;
  assert.deepEqual([count("Д"), count("Ж")], [cn22LinesMax * 255, cn22LinesMax * 100]);
  assert.ok(text.includes("T".repeat(64)));
});

test("a ZPL interpreter prints a CN 22", async () => {
  const { api } = await ready;
  for (const matter of [declaration(), fullest]) {
    const zpl = Buffer.from(printCn22Zpl(matter)).toString("ascii");
    assert.ok((await api.zplToBase64Async(zpl, 101.6, 152.4, 8)).length > 1_000);
  }
});

test("a CN 22 to the European Union names the identifiers of each product", () => {
  const identifiers = { merchant: "MUG-1", manufacturer: "PM-330", gtin: null, hasNoStandardId: true };
  const [first, ...rest] = declaration().lines;
  const text = read(printCn22(declaration({ lines: [{ ...(first as DeclaredLine), identifiers }, ...rest] })));
  assert.ok(text.includes("MUG-1, maker PM-330, no standard identifier (Y081)"), text);
  assert.ok(!read(printCn22(declaration())).includes("MUG-1"));
});
