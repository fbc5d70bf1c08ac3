import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { childText, readXml, writeXml } from "./xml.ts";

test("an object is written as its attributes, text, children and lists, without what is empty", () => {
  const price = { "@unit": "EUR", "#text": 4.5 };
  const item = [
    { sku: "A&B", price },
    { sku: "C", tag: ["x", "y"] },
  ];
  const written = writeXml("list", { at: new Date(0), isNew: true, none: null, nothing: undefined, tiny: 1e-7, item });
  assert.equal(
    written,
    '<?xml version="1.0" encoding="UTF-8"?>\n<list><at>1970-01-01T00:00:00.000Z</at><isNew>true</isNew><tiny>0.0000001</tiny>' +
      '<item><sku>A&#38;B</sku><price unit="EUR">4.5</price></item><item><sku>C</sku><tag>x</tag><tag>y</tag></item></list>\n',
  );
});

test("what XML cannot carry is refused with its path", () => {
  const refusal = (value: unknown) => () => writeXml("list", { item: [{ sku: "A" }, { sku: value }] });
  assert.throws(refusal("a\u0001b"), /^TypeError: list\/item\[1\]\/sku has the character U\+0001/);
  assert.throws(refusal("a\ud800b"), /^TypeError: list\/item\[1\]\/sku has the character U\+d800/);
  assert.throws(refusal(Number.NaN), /^TypeError: list\/item\[1\]\/sku is NaN/);
  assert.throws(refusal(new Date(Number.NaN)), /^TypeError: list\/item\[1\]\/sku is an invalid date/);
  assert.throws(
    refusal(() => ""),
    /^TypeError: list\/item\[1\]\/sku is not a text/,
  );
});

test("every text comes back as it was written, in elements and in attributes", () => {
  const text = fc
    .string({ unit: "binary" })
    .filter((value) => !/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(value));
  fc.assert(
    fc.property(text, text, (content, attribute) => {
      const { text: read, attributes } = readXml(writeXml("a", { "@b": attribute, "#text": content }));
      assert.deepEqual({ read, attributes }, { read: content, attributes: { b: attribute } });
    }),
  );
});

test("comments, instructions, CDATA, empty elements and references are read", () => {
  const text = `\ufeff<?xml version="1.0"?><!-- <no> --><a b='1' c="&lt;&#x41;"><d/><e>x<![CDATA[<y>]]>&amp;</e ></a>\n`;
  const root = readXml(text);
  assert.deepEqual(root.attributes, { b: "1", c: "<A" });
  assert.deepEqual(
    root.children.map(({ name }) => name),
    ["d", "e"],
  );
  assert.equal(childText(root, "e"), "x<y>&");
  assert.equal(childText(root, "f"), undefined);
});

test("what is not one element is refused with its place", () => {
  for (const [text, reason] of [
    ["<a><b></a>", /<\/a> at character 6 closes nothing/],
    ["<a>", /not one whole element/],
    ["", /not one whole element/],
    ["<a/><b/>", /not one whole element/],
    ["<html><p>502<", /not XML at character 12/],
    ["Bad Gateway", /not one whole element/],
  ] as const) {
    assert.throws(() => readXml(text), reason, text);
  }
});
