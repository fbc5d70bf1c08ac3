import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { declaration } from "../../../../tests/support/papers/papers.ts";
import { textOfPages } from "../../../../tests/support/papers/printed-papers.ts";
import { printCn23 } from "./cn23.ts";

const full = declaration({ invoiceNumber: "006141410000000012" });

test("a CN 23 that is printed again is the same byte for byte", () => {
  const first = printCn23(full);
  assert.equal(Buffer.compare(first, printCn23(full)), 0);
  assert.equal(hash("sha256", first), "ca9f9dae4714046750a9c8cda987d7e218df5286f73c3502449c55b1bcb6e8f7");
});

test("a CN 23 has all data of the form, and says what is not given", () => {
  const [page = "", ...more] = textOfPages(printCn23(full));
  assert.deepEqual(more, []);
  const text = page.replaceAll(/\s+/g, " ");
  const all = [
    ...[
      "CN 23",
      "CUSTOMS DECLARATION / DÉCLARATION EN DOUANE",
      "Royal Mail, Tracked 48",
      "RM123456789GB",
      "20 Nov 2026",
    ],
    ...["006141410000000012", "[X] Sale of goods", "[ ] Gift", "From", "EORI DE1234567", "To", "VAT GB123456789"],
    ...["Mug, stoneware", "6912.00", "Portugal (PT)", "0.68 kg", "16.80", "Total net weight", "1.68 kg"],
    ...["Total gross weight", "1.9 kg", "EUR 32.23", "I certify", "Signature", "Page 1 of 1"],
  ];
  for (const words of all) assert.ok(text.includes(words), `'${words}' is missing in ${text}`);
  const [line] = full.lines;
  assert.ok(line);
  const bare = { ...full, importerNumbers: undefined, lines: [{ ...line, unitValue: undefined, hsCode: undefined }] };
  // The importer's reference, code and two values of the line, and the total value.
  assert.equal(textOfPages(printCn23(bare)).join("").split("not given").length - 1, 5);
});
