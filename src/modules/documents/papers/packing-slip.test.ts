import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { paperLanguages } from "#/kernel/values/paper-languages.ts";
import {
  bristol,
  line,
  longestAddress,
  longestSlip,
  prices,
  slip,
  sscc,
} from "../../../../tests/support/papers/papers.ts";
import { textOfPages, wordsOf } from "../../../../tests/support/papers/printed-papers.ts";
import { printPackingSlip } from "./packing-slip.ts";
import { a4 } from "./pages.ts";
import { replacedLetters } from "./printed.ts";
import { wordsIn } from "./words.ts";

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

test("a packing slip that is printed again has the same bytes, also after other prints", () => {
  const first = printPackingSlip(slip({ prices }));
  printPackingSlip(slip({ language: "pl", shipTo: { ...bristol, city: "Łódź Ελλάδα" } }));
  const again = printPackingSlip(slip({ prices }));
  assert.equal(Buffer.compare(first, again), 0);
  // The hash comes from another process on another day: it changes only with the fonts, the PDF library or the layout.
  assert.equal(hash("sha256", first), "c31fe3272b1b60cd41c848e4c6cc7cab0396d2b1069a91088135279b1d9542ba");
});

test("a packing slip is a PDF with its date, title and language and with its own fonts", () => {
  const text = Buffer.from(printPackingSlip(slip({ language: "fr" }))).toString("latin1");
  assert.match(text, /^%PDF-1\.7\n/);
  assert.match(text, /%%EOF\n$/);
  assert.match(text, /\(D:20261120090000Z\)/);
  assert.match(text, /\/Lang \(fr\)/);
  assert.match(text, /\/FontFile2 /);
  assert.doesNotMatch(text, /Helvetica/);
});

test("a packing slip gives its text back in the order in which it is read", () => {
  const matter = slip({ giftMessage: "Happy birthday & <3\n\nfrom Jürgen" });
  const bytes = printPackingSlip(matter);
  assert.deepEqual(replacedLetters(matter), []);
  const pages = textOfPages(bytes);
  assert.equal(pages.length, 1);
  const inOrder = [
    ...["Packing slip", "Demo Living GmbH", "Order", "WEB-100045", "SHOP-2026-77812", "2 Nov 2026", "20 Nov 2026"],
    ...["1 of 2", "Royal Mail, Tracked 48", "RM123456789GB", sscc, "Deliver to", "Muster UK Ltd", "Ms Zoë O’Neill"],
    ...["12 Harbour Road", "Bristol", "BS1 5TY", "United Kingdom", "Sent from", "20457 Hamburg", "Germany"],
    ...["MUG-BLUE-330", "Becher „Ahoi“, blau", "OIL-OLIVE-500", "Batch: L-2026-44", "ROPE-M", "SN-81723, SN-81724"],
    ...["A message for you", "Happy birthday & <3", "from Jürgen", "Order WEB-100045", "Page 1 of 1"],
  ];
  let at = 0;
  for (const words of inOrder) {
    const found = (pages[0] as string).indexOf(words, at);
    assert.ok(found >= at, `'${words}' does not come behind what it should`);
    at = found;
  }
});

test("a line of dangerous goods has their classification below its name", () => {
  const [text = ""] = textOfPages(
    printPackingSlip(slip({ lines: [line({ dangerousGoods: "UN1266, 3, II, LTD QTY" })] })),
  );
  assert.match(text, /UN1266, 3, II, LTD QTY/);
});

test("quantities ordered, in this parcel and to follow are in the row of their line", () => {
  const words = wordsOf(printPackingSlip(slip()));
  const rowOf = (sku: string) => {
    const { top } = words.find(({ text }) => text === sku) as { top: number };
    const row = words.filter((word) => Math.abs(word.top - top) < 1);
    return row.sort((word, other) => word.left - other.left).map(({ text }) => text);
  };
  assert.deepEqual(rowOf("OIL-OLIVE-500"), ["2", "OIL-OLIVE-500", "pcs", "3", "1", "2"]);
  assert.deepEqual(rowOf("ROPE-M"), ["3", "ROPE-M", "M", "12.5", "12.5", "–"]);
});

test("prices are printed only on slips with prices, in the notation of the language", () => {
  const [without = ""] = textOfPages(printPackingSlip(slip({ language: "de" })));
  assert.doesNotMatch(without, /10,08|EUR|Einzelpreis|Gesamt/);
  const [priced = ""] = textOfPages(printPackingSlip(slip({ language: "de", prices })));
  for (const text of ["10,08", "1,2345", "1.104,16 EUR", "4,99 EUR", "Darin enthaltene Steuer", "1.109,15 EUR"]) {
    assert.ok(priced.includes(text), `'${text}' is missing`);
  }
  const [taxed = ""] = textOfPages(
    printPackingSlip(slip({ language: "de", prices: { ...prices, totalPrice: "1127.34" } })),
  );
  assert.ok(taxed.includes("Steuer") && !taxed.includes("enthalten"));
});

test("a slip has its title in each language, with all letters", () => {
  for (const language of paperLanguages) {
    const words = wordsIn(language);
    const matter = slip({ language, prices, giftMessage: "x", billTo: bristol });
    const bytes = printPackingSlip(matter);
    assert.deepEqual(replacedLetters(matter), []);
    const text = withoutBlanks(textOfPages(bytes).join(""));
    const { pieceOf, page, tax, ...printed } = words;
    for (const word of Object.values(printed)) assert.ok(text.includes(withoutBlanks(word)), `${language}: '${word}'`);
  }
});

test("many lines go over pages with their number, their head and the heads of the columns, each line once", () => {
  const lines = Array.from({ length: 100 }, (_, i) => line({ lineNumber: i + 1, sku: `SKU-${i + 1}`, name: "Becher" }));
  const pages = textOfPages(printPackingSlip(slip({ lines })));
  assert.ok(pages.length > 2 && pages.length < 8, `${pages.length} pages`);
  pages.forEach((text, i) => {
    assert.ok(text.includes(`Page ${i + 1} of ${pages.length}`));
    assert.ok(text.includes("WEB-100045") && text.includes("Demo Living GmbH"));
    assert.equal(text.split("To follow").length, 2, `heads of columns on page ${i + 1}`);
  });
  const skus = pages.flatMap((text) => text.match(/SKU-\d+/g) ?? []);
  assert.deepEqual(
    skus,
    lines.map(({ sku }) => sku),
  );
});

test("nothing of the longest slip that the feeds allow is lost, and nothing leaves the page", () => {
  const longest = longestSlip({ language: "fr" });
  const bytes = printPackingSlip(longest);
  assert.deepEqual(replacedLetters(longest), []);
  const words = wordsOf(bytes);
  const outside = words.filter(
    ({ left, right, top, bottom }) =>
      left < a4.margin - 0.5 || right > a4.width - a4.margin + 0.5 || top < 20 || bottom > a4.height - a4.margin + 6,
  );
  assert.deepEqual(outside, []);
  const text = withoutBlanks(textOfPages(bytes).join(""));
  const { country, ...fields } = longestAddress;
  for (const field of Object.values(fields))
    assert.equal(text.split(withoutBlanks(field)).length, 4, field.slice(0, 20));
  for (const { serials = [] } of longest.lines) for (const serial of serials) assert.ok(text.includes(serial));
  // Cells of a row are extracted line by line, so the test counts their letters.
  const count = (letters: string) => text.split(letters).length - 1;
  const skus = longest.lines.map(({ sku }) => sku).join("");
  assert.deepEqual([count("Ж"), count("Ю")], [skus.split("Ж").length - 1, 35 * 64]);
  assert.equal(count("Beschreibung"), 35 * 19);
  assert.ok(count("999999999,999") >= 35 * 3);
  assert.ok(text.includes("999999999999999,9999EUR"));
  assert.equal(count("AllesGute"), 200);
  assert.equal(
    count("W"),
    20 * 80 +
      3 * (255 + [...longestAddress.department, ...longestAddress.state].filter((letter) => letter === "W").length),
  );
});

test("numbers of a row never run into each other, however long they are", () => {
  const words = wordsOf(printPackingSlip(longestSlip({ language: "de" })));
  const numbers = words.filter(({ text }) => /^[\d.]+,\d+$/.test(text));
  assert.ok(numbers.length > 100);
  for (const number of numbers) {
    const next = numbers.find((other) => other !== number && other.page === number.page && overlaps(number, other));
    assert.equal(next, undefined);
  }
});

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function overlaps(box: Box, other: Box): boolean {
  const isBeside = box.right <= other.left || other.right <= box.left;
  // Boxes of lines are as high as the font, which is more than the line spacing.
  return !isBeside && Math.abs(box.top - other.top) < 3;
}

test("letters without a font are replaced, with a warning", () => {
  const matter = slip({ giftMessage: "生日快乐 🎂 生" });
  const [bytes, warnings] = [printPackingSlip(matter), replacedLetters(matter)];
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["LETTERS_REPLACED"],
  );
  assert.match(warnings[0]?.text ?? "", /U\+1F382, U\+4E50, U\+5FEB, U\+65E5, U\+751F:/);
  assert.ok(textOfPages(bytes).join("").includes("\uFFFD\uFFFD\uFFFD\uFFFD \uFFFD \uFFFD"));
});

test("names of Poland, Greece, Ukraine, Vietnam, Turkey, Armenia, Georgia, Israel and Egypt are printed correctly", () => {
  const names = [
    "Zażółć Łódź",
    "Ἀθῆναι Ελλάδα",
    "Київ Їжак",
    "Nguyễn Thị Phượng",
    "İğdır Şırnak",
    "Հայաստան",
    "საქართველო",
  ];
  const matter = slip({ giftMessage: [...names, "שלום עולם", "القاهرة"].join("\n") });
  const bytes = printPackingSlip(matter);
  assert.deepEqual(replacedLetters(matter), []);
  const text = textOfPages(bytes).join("").normalize("NFC");
  for (const name of [...names, "שלום עולם", "القاهرة"]) assert.ok(text.includes(name.normalize("NFC")), name);
});

test("no paper depends on earlier papers: its text is copied correctly", () => {
  // İ is drawn as I and a dot, ị as i and a dot: each must still be copied as its own letter.
  const text = "İğdır Thị ffi ﬁ WEIGHT I i Ǻ á ي ی";
  const first = printPackingSlip(slip({ giftMessage: text }));
  for (const before of ["İ Ị ị Á", "ی", "ffi I"]) printPackingSlip(slip({ giftMessage: before }));
  assert.equal(Buffer.compare(first, printPackingSlip(slip({ giftMessage: text }))), 0);
  for (const words of [text.slice(0, 9), "WEIGHT I i Ǻ á", "I i Thị"]) {
    const pages = textOfPages(printPackingSlip(slip({ giftMessage: words })));
    assert.ok(pages.join("").normalize("NFC").includes(words.normalize("NFC")), words);
  }
});
