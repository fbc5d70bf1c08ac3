import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { gs1CheckDigit } from "#/kernel/values/gtin.ts";
import { labelSize, ssccBars, ssccText } from "#/modules/documents/papers/label-parts.ts";
import { bristol, label, lodz, longestAddress, longestLabel, sscc } from "../../../../tests/support/papers/papers.ts";
import { barcodesOfPdf, textOfPages, wordsOf } from "../../../../tests/support/papers/printed-papers.ts";
import { replacedLetters } from "./printed.ts";
import { printShippingLabel } from "./shipping-label.ts";

const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");

test("a label that is printed again is the same byte for byte", () => {
  const first = printShippingLabel(label());
  printShippingLabel(label({ shipTo: lodz }));
  assert.equal(Buffer.compare(first, printShippingLabel(label())), 0);
  assert.equal(hash("sha256", first), "c2536f4079f901f0e3ee1e689292f6709d243546c799dd07f76b299f7887d63b");
});

test("the bars are GS1-128: start with pairs of digits, FNC1, 00 and the SSCC", () => {
  const bars = ssccBars(sscc);
  assert.equal(
    bars.reduce((sum, modules) => sum + modules),
    156,
  );
  assert.deepEqual(bars.slice(0, 18), [2, 1, 1, 2, 3, 2, 4, 1, 1, 1, 3, 1, 2, 1, 2, 2, 2, 2]);
  assert.equal(ssccText(sscc), "(00) 0061 4141 0000 0000 12");
});

test("another program reads the SSCC off the label as a printer of 203 dpi prints it", async () => {
  const others = ["10614141234567890", "00000000000000000", "99999999999999999", "34012345000000001"];
  for (const olpnId of [sscc, ...others.map((digits) => `${digits}${gs1CheckDigit(digits)}`)]) {
    assert.deepEqual(await barcodesOfPdf(printShippingLabel(label({ olpnId }))), [`Code128:(00)${olpnId}`]);
  }
  assert.deepEqual(await barcodesOfPdf(printShippingLabel(longestLabel())), [`Code128:(00)${sscc}`]);
});

test("a label shows carrier, service, both addresses, order, reference, weight, day, piece and tracking number", () => {
  const [text = "", ...more] = textOfPages(printShippingLabel(label()));
  assert.deepEqual(more, []);
  const inOrder = [
    ...[
      "Royal Mail",
      "Tracked 48",
      "1 of 2",
      "FROM",
      "Crossdock Nord",
      "20457 Hamburg",
      "Germany",
      "TO",
      "Muster UK Ltd",
    ],
    ...["Ms Zoë O’Neill", "BS1 5TY", "UNITED KINGDOM", "WEB-100045", "SHOP-2026-77812", "1.25 kg", "20 Nov 2026"],
    ...["RM123456789GB", "(00) 0061 4141 0000 0000 12"],
  ];
  let at = 0;
  for (const words of inOrder) {
    const found = text.indexOf(words, at);
    assert.ok(found >= at, `'${words}' does not come behind what it should in ${text}`);
    at = found;
  }
  assert.doesNotMatch(text, /NOT A CARRIER/);
});

test("a label with dangerous goods states their UN numbers and limited quantities", () => {
  const [text = ""] = textOfPages(printShippingLabel(label({ dangerousGoods: "UN1266 LTD QTY" })));
  assert.match(text, /UN1266 LTD QTY/);
});

test("a label with a tracking number from the SSCC states that it is not a carrier's number", () => {
  const parcelLabel = label({
    isGeneratedTrackingNumber: true,
    trackingNumber: sscc,
    pieces: undefined,
    externalOrderReference: undefined,
  });
  const [text = ""] = textOfPages(printShippingLabel(parcelLabel));
  assert.match(text, /NOT A CARRIER’S LABEL: this tracking number was made from the SSCC/);
  assert.doesNotMatch(text, /REFERENCE|undefined| of /);
});

test("nothing of the longest label that the feeds allow is lost, leaves the label or meets the bars", () => {
  const bytes = printShippingLabel(longestLabel());
  assert.deepEqual(replacedLetters(longestLabel()), []);
  for (const { left, right, top, bottom, text } of wordsOf(bytes)) {
    assert.ok(left >= 11.5 && right <= labelSize.width - 11.5 && top > 0 && bottom < labelSize.height, text);
    // The bars begin 321 points below the upper edge and are 32 mm high.
    assert.ok(bottom < 321 || top > 321 + 75, text);
  }
  const text = withoutBlanks(textOfPages(bytes).join(""));
  const { country, ...fields } = longestAddress;
  for (const field of Object.values(fields))
    assert.equal(text.split(withoutBlanks(field)).length, 3, field.slice(0, 20));
  for (const field of ["O".repeat(64), "R".repeat(64), "T".repeat(64), "C".repeat(64), "S".repeat(255), "GERMANY"]) {
    assert.ok(text.includes(field), field.slice(0, 20));
  }
});

test("a number that is not an SSCC is a fault of the program", () => {
  assert.throws(() => printShippingLabel(label({ olpnId: "12345" })), /is not an SSCC-18/);
  assert.throws(() => printShippingLabel(label({ olpnId: "006141410000000013" })), /is not an SSCC-18/);
  assert.equal(replacedLetters(label({ shipTo: { ...bristol, address2: "東" } })).length, 1);
});
