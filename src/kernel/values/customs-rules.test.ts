import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type CustomsDestination,
  type CustomsItem,
  customsDestinations,
  customsGoodsOf,
  customsRules,
  faultsOfCustoms,
  flatDutyOf,
  identifiersText,
  lackSentence,
  rulesOf,
  tariffDigits,
  unmetRules,
} from "#/kernel/values/customs-rules.ts";
import { stopWordOf } from "#/kernel/values/customs-stop-words.ts";

const attributes = { HsCode: "6912.00.23.00", ManufacturerProductId: " A-77 " };
const mug: CustomsItem = {
  sku: "MUG",
  name: "Ceramic mug, blue",
  eanCode: "4006381333931",
  weight: "0.35",
  countryOfOrigin: "GB",
  extendedAttributes: attributes,
};
const bare: CustomsItem = { sku: "BARE", name: "Gifts" };

const lacks = (item: CustomsItem, destination: CustomsDestination, isAboveLimit = false) =>
  rulesOf(unmetRules(customsGoodsOf(item)), destination, isAboveLimit).map(({ code }) => code);

test("goods with all data lack nothing anywhere, and goods without any lack what each destination asks for", () => {
  for (const destination of customsDestinations) assert.deepEqual(lacks(mug, destination, true), [], destination);
  const everywhere = ["HS_CODE", "ORIGIN", "NET_WEIGHT"];
  assert.deepEqual(lacks(bare, "GB"), everywhere);
  assert.deepEqual(lacks(bare, "OTHER"), everywhere);
  assert.deepEqual(lacks(bare, "CH_NO"), ["HS_CODE", "DESCRIPTION", "ORIGIN", "NET_WEIGHT"]);
  assert.deepEqual(lacks(bare, "US"), ["HS_CODE", "HTSUS_CODE", "ORIGIN", "NET_WEIGHT"]);
  assert.deepEqual(lacks(bare, "EU"), [
    "HS_CODE",
    "DESCRIPTION",
    "ORIGIN",
    "NET_WEIGHT",
    "MANUFACTURER_ID",
    "STANDARD_ID",
  ]);
});

test("each rule is met by its field alone", () => {
  const without: Record<string, CustomsItem> = {
    HS_CODE: { ...mug, extendedAttributes: { ...attributes, HsCode: "" } },
    HTSUS_CODE: { ...mug, extendedAttributes: { ...attributes, HsCode: "6912.00.23" } },
    CN_CODE: { ...mug, extendedAttributes: { ...attributes, HsCode: "691200" } },
    DESCRIPTION: { ...mug, extendedAttributes: { ...attributes, CustomsDescription: "Parts and accessories" } },
    ORIGIN: { ...mug, countryOfOrigin: null },
    NET_WEIGHT: { ...mug, weight: null },
    MANUFACTURER_ID: { ...mug, extendedAttributes: { HsCode: "6912002300", ManufacturerProductId: " " } },
    STANDARD_ID: { ...mug, eanCode: "4006381333932" },
  };
  assert.deepEqual(
    Object.keys(without),
    customsRules.map(({ code }) => code),
  );
  for (const [code, item] of Object.entries(without)) {
    const codes = unmetRules(customsGoodsOf(item)).map((rule) => rule.code);
    assert.ok(codes.includes(code), code);
    if (!code.endsWith("_CODE")) assert.deepEqual(codes, [code]);
  }
});

test("only a consignment above 150 EUR needs the Combined Nomenclature", () => {
  const six = { ...mug, extendedAttributes: { ...attributes, HsCode: "6912.00" } };
  assert.deepEqual([lacks(six, "EU"), lacks(six, "EU", true), lacks(six, "US")], [[], ["CN_CODE"], ["HTSUS_CODE"]]);
});

test("a product has a GTIN, or the declaration that none exists, and not both", () => {
  const none = { ...attributes, NoStandardProductId: "1" };
  const { eanCode: _, ...plain } = mug;
  assert.deepEqual(lacks({ ...plain, extendedAttributes: none }, "EU"), []);
  assert.deepEqual(lacks({ ...plain, gtinBarcodes: ["X-1", "4006381333931"] }, "EU"), []);
  assert.deepEqual(lacks(plain, "EU"), ["STANDARD_ID"]);
  assert.deepEqual(lacks({ ...mug, extendedAttributes: none }, "EU"), ["STANDARD_ID"]);
  const textOf = (item: CustomsItem) => identifiersText(customsGoodsOf(item).identifiers);
  assert.equal(textOf(mug), "MUG, maker A-77, GTIN 4006381333931");
  assert.equal(textOf({ ...plain, extendedAttributes: none }), "MUG, maker A-77, no standard identifier (Y081)");
  assert.equal(textOf(bare), "BARE");
});

test("attributes of a line come before those of its item", () => {
  const goods = customsGoodsOf(mug, { HsCode: "6913.90", CustomsDescription: " " }, "PL");
  assert.deepEqual([goods.hsCode, goods.description, goods.countryOfOrigin], ["6913.90", "Ceramic mug, blue", "PL"]);
});

test("a tariff number has 6, 8 or at least 10 digits, with any separators", () => {
  assert.equal(tariffDigits("6912 00-23.00"), "6912002300");
  for (const text of ["", "6912", "69120", "6912002", "691200230", "6912.0A", "69120023000000"])
    assert.equal(tariffDigits(text), undefined, text);
  assert.equal(tariffDigits(undefined), undefined);
});

test("a description of nothing but stop words is refused, and one that says more is not", () => {
  for (const text of ["Gifts", " SPARE  parts. ", "Clothes, shoes and accessories", "N/A", "parts & tools"])
    assert.notEqual(stopWordOf(text), undefined, text);
  for (const text of ["Gift box of 6 ceramic mugs", "Spare parts for looms", "Mug and parts", "", "Handbags"])
    assert.equal(stopWordOf(text), undefined, text);
});

test("a CAT is warned of values that customs refuse, and of data that its destinations miss", () => {
  assert.deepEqual(faultsOfCustoms({ HsCode: "69.12", CustomsDescription: "Goods", NoStandardProductId: "yes" }), [
    "HsCode '69.12': expected 6, 8, 10 or more digits, such as 6912.00 or 6912002300",
    "CustomsDescription 'Goods': 'goods' is a stop word of ICS2; say what the goods are",
    "NoStandardProductId 'yes': expected true, false, 1 or 0",
  ]);
  assert.deepEqual(faultsOfCustoms({ HsCode: " ", CustomsDescription: "", NoStandardProductId: "", Colour: "X" }), []);
  const rules = unmetRules(customsGoodsOf(bare));
  assert.equal(
    lackSentence(rules, ["EU", "US"]),
    "lacks customs data for EU: HsCode, CustomsDescription, countryOfOrigin, weight, ManufacturerProductId, eanCode; US: HsCode, countryOfOrigin, weight",
  );
  assert.equal(lackSentence(rules, []), undefined);
  assert.equal(lackSentence([], ["EU"]), undefined);
});

test("each subheading of six digits is a tariff line of 3 EUR, from July 2026 for two years", () => {
  const codes = ["6912.00.23", "6912.00.25", "9403.60", undefined, "12"];
  assert.deepEqual(flatDutyOf(codes, "2026-11-26"), { tariffLines: 4, withoutHsCode: 2, eur: 12 });
  assert.equal(flatDutyOf(codes, "2026-06-30"), undefined);
  assert.equal(flatDutyOf(codes, "2028-07-01"), undefined);
});

test("docs/customs.md has the source and the date of each rule", () => {
  const page = readFileSync(new URL("../../../docs/customs.md", import.meta.url), "utf8");
  for (const { code, destinations, field, needs, source, since } of customsRules) {
    const where = destinations.length === customsDestinations.length ? "all" : destinations.join(", ");
    const row = `| \`${code}\` | ${where} | \`${field}\` | ${needs} | ${since} | ${source} |`;
    assert.ok(page.includes(row), row);
  }
});
