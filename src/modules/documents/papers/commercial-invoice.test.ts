import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { invoice, longestAddress, sscc } from "../../../../tests/support/papers/papers.ts";
import { textOfPages, wordsOf } from "../../../../tests/support/papers/printed-papers.ts";
import { printCommercialInvoice, warningsOfInvoice } from "./commercial-invoice.ts";
import type { DeclaredLine } from "./customs-goods.ts";
import { a4 } from "./pages.ts";

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

test("a commercial invoice that is printed again is the same byte for byte", () => {
  const first = printCommercialInvoice(invoice());
  assert.equal(Buffer.compare(first, printCommercialInvoice(invoice())), 0);
  assert.equal(hash("sha256", first), "7171a9135edb7e440abdf32ac78c9782eda929cc20dfcde36797443a2328ca32");
});

test("a commercial invoice has all customs data", () => {
  assert.deepEqual(warningsOfInvoice(invoice()), []);
  const bytes = printCommercialInvoice(invoice());
  const [text = "", ...more] = textOfPages(bytes);
  assert.deepEqual(more, []);
  const all = [
    ...[
      "Commercial invoice",
      "WEB-100045-1",
      "20 Nov 2026",
      "Sale",
      "DAP",
      "EUR",
      "United Kingdom (GB)",
      "3.4 kg",
      sscc,
    ],
    ...["Exporter", "EORI DE1234567", "Importer", "Consignee", "Mug, stoneware", "6912.00", "Portugal (PT)", "2 EA"],
    ...["0.68 kg", "8.40", "16.80", "12.5 M", "1 kg", "1.2345", "15.43", "Total net weight", "1.68 kg"],
    ...["EUR 32.23", "EUR 4.99", "EUR 37.22", "I declare that", "Signature", "Page 1 of 1"],
  ];
  for (const words of all)
    assert.ok(text.replaceAll("\u00A0", " ").includes(words), `'${words}' is missing in ${text}`);
});

const bare: DeclaredLine = { lineNumber: 7, sku: "LAMP", description: "Lamp", qty: 1000, uom: "EA" };

test("missing values are printed as not given, with a warning and without a partial sum", () => {
  const lines = [...invoice().lines, bare, { ...bare, lineNumber: 8, hsCode: " " }];
  const matter = invoice({ incoterm: undefined, lines });
  const [bytes, warnings] = [printCommercialInvoice(matter), warningsOfInvoice(matter)];
  const codes = ["HS_CODE_MISSING", "ORIGIN_MISSING", "VALUE_MISSING", "NET_WEIGHT_MISSING"];
  assert.deepEqual(
    warnings.map(({ code, lineNumber }) => `${code} ${lineNumber}`),
    ["INCOTERM_MISSING undefined", ...codes.map((code) => `${code} 7`), ...codes.map((code) => `${code} 8`)],
  );
  assert.equal(warnings[1]?.text, "Line 7, SKU LAMP: the item has no HsCode.");
  const text = textOfPages(bytes).join("");
  // Incoterm, five fields of each line, and three sums.
  assert.equal(text.split("not given").length - 1, 1 + 2 * 5 + 3);
  assert.doesNotMatch(text, /32\.23|37\.22/);
});

test("the value of a line is rounded half up to the currency's coins", () => {
  const valued = (unitValue: string, qty: number, currency: string) => {
    const [text = ""] = textOfPages(
      printCommercialInvoice(
        invoice({
          currency,
          shippingCost: undefined,
          lines: [{ ...bare, unitValue, qty, hsCode: "1", countryOfOrigin: "CN" }],
        }),
      ),
    );
    return /Total invoice value\s+(\S+\s\S+)/.exec(text)?.[1]?.replaceAll(/\s/g, " ");
  };
  assert.equal(valued("0.0005", 10_000, "EUR"), "EUR 0.01");
  assert.equal(valued("0.0049", 1000, "EUR"), "EUR 0.00");
  assert.equal(valued("1.5", 1000, "JPY"), "JPY 2");
  assert.equal(valued("1.0005", 1000, "KWD"), "KWD 1.001");
  assert.equal(valued("999999999.9999", 999_999_999_999, "EUR"), "EUR 999,999,999,998,900,000.00");
});

test("nothing of the longest invoice is lost, and nothing leaves the page", () => {
  const party = { ...longestAddress, phone: "1".repeat(255), email: "e".repeat(255), customsNumbers: ["N".repeat(64)] };
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
  const bytes = printCommercialInvoice(
    invoice({
      exporter: party,
      importer: party,
      consignee: party,
      invoiceNumber: "I".repeat(64),
      orderId: "O".repeat(64),
      incoterm: "P".repeat(255),
      carrier: "C".repeat(255),
      shippingCost: "999999999999999.9999",
      olpnIds: Array.from({ length: 50 }, () => sscc),
      lines: Array.from({ length: 35 }, () => longest),
    }),
  );
  const outside = wordsOf(bytes).filter(
    ({ left, right, top, bottom }) =>
      left < a4.margin - 0.5 || right > a4.width - a4.margin + 0.5 || top < 20 || bottom > a4.height - a4.margin + 6,
  );
  assert.deepEqual(outside, []);
  const text = withoutBlanks(textOfPages(bytes).join(""));
  const { country, customsNumbers, ...fields } = party;
  for (const field of Object.values(fields)) {
    // The exporter's company is also in the head of each page.
    assert.ok(text.split(withoutBlanks(field)).length - 1 >= 3, field.slice(0, 20));
  }
  // Cells of a row are extracted line by line, so the test counts their letters.
  const count = (letter: string) => text.split(letter).length - 1;
  assert.deepEqual([count("Д"), count("Ж"), count("Ю")], [35 * 255, 35 * 100, 35 * 64]);
  assert.equal(count("999,999,999.999Ю"), 35);
});

test("an invoice to the European Union names the identifiers of each product", () => {
  const identifiers = { merchant: "LAMP", manufacturer: "L-7", gtin: "4006381333931", hasNoStandardId: false };
  const text = textOfPages(printCommercialInvoice(invoice({ lines: [{ ...bare, identifiers }] }))).join("");
  assert.match(text.replaceAll(/\s+/g, " "), /LAMP, maker L-7, GTIN 4006381333931/);
});
