// feeds.md §4, CAT and Units; §2 [EAN], [COUNTRY], [VALUE] and the warnings of a catalogue.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import {
  attributes,
  authorisation,
  cancelOrder,
  catalogue,
  order,
  type Parts,
  purchaseOrder,
} from "../../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const merging = await server.onboard("MERGING", { settings: { catMode: "MERGE" } });

type Item = Record<string, unknown>;

async function itemOf(sku: string, clientId = "DEMO"): Promise<Item | undefined> {
  return (await server.rows<Item>("select * from item where client_id = $1 and sku = $2", clientId, sku))[0];
}

const item = (sku: string, more: Parts = {}) => catalogue("DEMO", [{ sku, ...more }]);
const ean = (of: string, sku: string, holder: string) =>
  `[EAN] EAN ${of} of SKU ${sku} is already mapped to SKU ${holder}`;
const full: Parts = {
  altSku: "ALT",
  eanCode: "4006381333931",
  name: "First",
  weight: "1.5",
  weightUomCode: "kgm",
  height: "1",
  length: "2",
  width: "3",
  dimensionsUomCode: "in",
  productType: "T",
  countryOfOrigin: "DEU",
  imageUrl: "https://example.com/a.png",
  captureBatchRef: "1",
  extendedAttributes: attributes({ StockUom: "KG", "Uom.BAG": "12.5", Active: "false", Colour: "red" }),
  gtinBarcodes: { barcode: ["4006381333931", "96385074"] },
};

test("a catalogue creates items with all their fields, codes in one form", async () => {
  await demo.accept("CAT", item("FULL", full));
  const stored = await itemOf("FULL");
  const { name, weight_uom_code, dimensions_uom_code, country_of_origin, stock_uom, packs, is_active, version } =
    stored as Item;
  assert.deepEqual(
    { name, weight_uom_code, dimensions_uom_code, country_of_origin, stock_uom, packs, is_active, version },
    {
      name: "First",
      weight_uom_code: "KG",
      dimensions_uom_code: "IN",
      country_of_origin: "DE",
      stock_uom: "KG",
      packs: { BAG: "12.5" },
      is_active: false,
      version: 1,
    },
  );
  assert.equal(stored?.capture_batch_ref, true);
  assert.deepEqual(stored?.barcodes, ["4006381333931", "96385074"]);
  assert.deepEqual(stored?.extended_attributes, { StockUom: "KG", "Uom.BAG": "12.5", Active: "false", Colour: "red" });
});

test("a catalogue replaces an item's fields; an absent element clears the field", async () => {
  await demo.accept("CAT", item("FULL", { name: "Second" }));
  const stored = await itemOf("FULL");
  assert.equal(stored?.name, "Second");
  for (const column of ["alt_sku", "ean_code", "weight", "country_of_origin", "image_url", "product_type", "packs"])
    assert.equal(stored?.[column], null, column);
  assert.deepEqual(
    [stored?.extended_attributes, stored?.barcodes, stored?.stock_uom, stored?.is_active, stored?.version],
    [{}, [], "EA", true, 2],
  );
});

test("with catMode MERGE an absent element keeps the field, and a given one replaces it", async () => {
  const merge = (more: Parts) => catalogue("MERGING", [{ sku: "FULL", ...more }]);
  await merging.accept("CAT", merge(full));
  await merging.accept(
    "CAT",
    merge({ name: "Second", weight: "2", extendedAttributes: attributes({ Colour: "blue" }) }),
  );
  const stored = await itemOf("FULL", "MERGING");
  assert.deepEqual(
    [
      stored?.name,
      Number(stored?.weight),
      stored?.weight_uom_code,
      stored?.alt_sku,
      stored?.ean_code,
      stored?.is_active,
    ],
    ["Second", 2, "KG", "ALT", "4006381333931", false],
  );
  assert.deepEqual([stored?.stock_uom, stored?.packs], ["KG", { BAG: "12.5" }]);
  assert.deepEqual(stored?.extended_attributes, { StockUom: "KG", "Uom.BAG": "12.5", Active: "false", Colour: "blue" });
  // An item whose update omits the EAN keeps it, so that no other item can take it.
  const moving = (sku: string) =>
    catalogue("MERGING", [
      { sku: "FULL", name: "Third" },
      { sku, eanCode: "4006381333931" },
    ]);
  await merging.refuse("CAT", moving("TAKER"), ean("4006381333931", "TAKER", "FULL"));
  assert.equal((await itemOf("FULL", "MERGING"))?.name, "Second", "a document is all or nothing");
  const document = catalogue("MERGING", [
    { sku: "FULL", eanCode: "96385074" },
    { sku: "TAKER", eanCode: "4006381333931" },
  ]);
  await merging.accept("CAT", document);
  assert.equal((await itemOf("TAKER", "MERGING"))?.ean_code, "4006381333931");
});

test("an EAN that is mapped to another SKU is refused, in the store and within the document", async () => {
  await demo.accept("CAT", item("E-A", { eanCode: "E1" }));
  const taken = catalogue("DEMO", [{ sku: "E-B", eanCode: "E1" }, "E-C"]);
  await demo.refuse("CAT", taken, ean("E1", "E-B", "E-A"));
  assert.equal(await itemOf("E-C"), undefined);
  const twice = [
    { sku: "E-B", eanCode: "E2" },
    { sku: "E-C", eanCode: "E2" },
  ];
  await demo.refuse("CAT", catalogue("DEMO", twice), ean("E2", "E-C", "E-B"));
  await demo.accept("CAT", item("E-A", { eanCode: "E1" }));
  await demo.accept("CAT", item("E-A"));
  await demo.accept("CAT", taken);
});

test("one document may move an EAN from one SKU to another, in any order, and swap two", async () => {
  for (const [from, to] of [
    ["M-A", "M-B"],
    ["M-D", "M-C"],
  ] as const) {
    const code = `MOVE-${from}`;
    await demo.accept("CAT", item(from, { eanCode: code }));
    const parts = [{ sku: from }, { sku: to, eanCode: code }];
    await demo.accept("CAT", catalogue("DEMO", from < to ? parts : parts.reverse()));
    assert.deepEqual([(await itemOf(from))?.ean_code, (await itemOf(to))?.ean_code], [null, code]);
  }
  const pair = (a: string, b: string) =>
    catalogue("DEMO", [
      { sku: "S-A", eanCode: a },
      { sku: "S-B", eanCode: b },
    ]);
  await demo.accept("CAT", pair("L", "R"));
  await demo.accept("CAT", pair("R", "L"));
  assert.equal((await itemOf("S-A"))?.ean_code, "R");
});

test("the same EAN belongs to different SKUs of different clients", async () => {
  await demo.accept("CAT", item("T-A", { eanCode: "SHARED" }));
  await merging.accept("CAT", catalogue("MERGING", [{ sku: "T-B", eanCode: "SHARED" }]));
});

test("two senders that map one EAN at the same moment: one is accepted, the other gets the name of the holder", async () => {
  for (let round = 0; round < 5; round++) {
    const code = `RACE-${round}`;
    const answers = await Promise.all(
      ["A", "B"].map((half) => demo.send("CAT", item(`${code}-${half}`, { eanCode: code }))),
    );
    assert.deepEqual(answers.map(({ isAccepted }) => isAccepted).sort(), [false, true]);
    const refused = answers.find(({ isAccepted }) => !isAccepted);
    assert.match(refused?.errors[0] as string, /^\[EAN\] EAN RACE-\d of SKU .* is already mapped to SKU /);
  }
});

test("a repeated SKU in a document is refused; SKUs that differ by case are different", async () => {
  const sentence = "[VALUE] item[2]/sku: SKU 'D' is in the document twice, first as item[1]";
  await demo.refuse("CAT", catalogue("DEMO", ["D", "D"]), sentence);
  await demo.accept("CAT", catalogue("DEMO", ["D", "d"]));
});

test("countries and units outside their lists are refused with path and value", async () => {
  const wrong = { countryOfOrigin: "QQ", weightUomCode: "STONE", dimensionsUomCode: "ELL" };
  await demo.refuse(
    "CAT",
    catalogue("DEMO", ["OK", { sku: "W", ...wrong }]),
    "[COUNTRY] item[2]/countryOfOrigin: 'QQ' is not a country code of ISO 3166-1",
    "[VALUE] item[2]/weightUomCode: 'STONE' is not a unit of weight; allowed: KG, KGM, G, GRM, LB, LBR, OZ, ONZ",
    "[VALUE] item[2]/dimensionsUomCode: 'ELL' is not a unit of length; allowed: CM, CMT, MM, MMT, M, MTR, IN, INH, FT, FOT",
  );
  for (const weightUomCode of ["kg", "KGM", "g", "Grm", "LB", "lbr", "OZ", "onz"])
    await demo.accept("CAT", item("W", { weightUomCode }));
  for (const dimensionsUomCode of ["cm", "CMT", "mm", "mmt", "m", "MTR", "in", "INH", "ft", "FOT"])
    await demo.accept("CAT", item("W", { dimensionsUomCode }));
  for (const countryOfOrigin of ["gb", "GBR", "xk"]) await demo.accept("CAT", item("W", { countryOfOrigin }));
});

test("extended attributes with a meaning are validated, all others are accepted", async () => {
  const wrong: [name: string, value: string][] = [
    ["StockUom", "A B"],
    ["Uom.CS", "0"],
    ["Uom.CS", "a dozen"],
    ["Uom.C S", "12"],
    ["IsHazmat", "maybe"],
    ["Active", "no"],
    ["CaptureSerial", "2"],
    ["MinShelfLifeDays", "-1"],
    ["LowStockThreshold", "1.5"],
  ];
  for (const [name, value] of wrong) {
    const answer = await demo.send("CAT", item("ATTR", { extendedAttributes: attributes({ [name]: value }) }));
    assert.equal(answer.errors.length, 1, `${name} ${value}`);
    assert.ok(
      answer.errors[0]?.startsWith(`[VALUE] item/extendedAttributes/attribute[@name='${name}']: '${value}' is not `),
      answer.body,
    );
  }
  const right = {
    IsHazmat: "true",
    IsBulkyFlag: "0",
    Active: "1",
    MinShelfLifeDays: "30",
    HsCode: "6912.00",
    CutToOrder: "?",
  };
  await demo.accept("CAT", item("ATTR", { extendedAttributes: attributes(right) }));
});

test("a value of dangerous goods of another form is a warning, and is left out", async () => {
  const values = { IsHazmat: "true", UnNumber: "1266", HazardClass: "ten", PackingGroup: "III", LimitedQuantity: "no" };
  const { token } = await demo.accept("CAT", item("ACID", { extendedAttributes: attributes(values) }));
  const { warnings } = await demo.status(token);
  assert.deepEqual(warnings, [
    "[VALUE] item: UnNumber '1266': expected UN and four digits, such as UN1266",
    "[VALUE] item: HazardClass 'ten': expected a class or division, such as 3, 2.1 or 1.4S",
    "[VALUE] item: LimitedQuantity 'no': expected true, false, 1 or 0",
  ]);
});

test("quantities are counted in the stock unit or a pack; the original is kept", async () => {
  await demo.accept("CAT", item("MUG", { extendedAttributes: attributes({ "Uom.CS": 12, "Uom.HALF": "0.5" }) }));
  await demo.accept("CAT", item("OIL", { extendedAttributes: attributes({ StockUom: "l", "Uom.CAN": "2.5" }) }));
  await demo.accept("CAT", item("OFF", { extendedAttributes: attributes({ Active: "false" }) }));
  const same = ["EA", "each", "UNIT", "pc", "PCE", "PCS", "ST", "C62", "H87"];
  const orderLines: Parts[] = [
    ...same.map((qtyUom) => ({ sku: "MUG", qty: 2, qtyUom })),
    { sku: "MUG", qty: 3 },
    { sku: "MUG", qty: "1.5", qtyUom: "cs" },
    { sku: "MUG", qty: 4, qtyUom: "HALF" },
    { sku: "OIL", qty: "0.125" },
    { sku: "OIL", qty: "1.2", qtyUom: "Can" },
    { sku: "OFF", qty: 1 },
  ];
  await demo.accept("NO", order("DEMO", "UNITS", orderLines));
  const { lines } = (await demo.order("UNITS")) as {
    lines: { qty: number; qtyUom: string; uom: string; qtyOrdered: number }[];
  };
  assert.deepEqual(
    lines.slice(same.length).map(({ qty, qtyUom, uom, qtyOrdered }) => [qty, qtyUom, uom, qtyOrdered]),
    [
      [3, null, "EA", 3],
      [1.5, "cs", "EA", 18],
      [4, "HALF", "EA", 2],
      [0.125, null, "L", 0.125],
      [1.2, "Can", "L", 3],
      [1, null, "EA", 1],
    ],
  );
  for (const line of lines.slice(0, same.length)) assert.deepEqual([line.uom, line.qtyOrdered], ["EA", 2]);
});

test("an unknown unit and half a piece are refused; with the right unit the document is taken", async () => {
  const says = (line: Parts, sentence: string) => demo.refuse("NO", order("DEMO", "HALVES", [line]), sentence);
  await says(
    { sku: "MUG", qtyUom: "PAL" },
    "[VALUE] lines/line/qtyUom: 'PAL' is not a unit of SKU MUG; allowed: EA, CS, HALF",
  );
  await says({ sku: "OIL", qtyUom: "EA" }, "[VALUE] lines/line/qtyUom: 'EA' is not a unit of SKU OIL; allowed: L, CAN");
  await says({ sku: "MUG", qty: "0.5" }, "[VALUE] lines/line/qty: '0.5' is not a whole number of EA");
  await says({ sku: "MUG", qty: 3, qtyUom: "HALF" }, "[VALUE] lines/line/qty: '3' is not a whole number of EA");
  await says(
    { sku: "OIL", qty: "0.001", qtyUom: "CAN" },
    "[VALUE] lines/line/qty: 0.001 CAN of 2.5 L cannot be counted in L with at most 3 fraction digits",
  );
  await says(
    { sku: "MUG", qty: 999_999_999, qtyUom: "CS" },
    "[VALUE] lines/line/qty: 999999999 CS of 12 EA cannot be counted in EA with at most 3 fraction digits",
  );
  await demo.accept("NO", order("DEMO", "HALVES", [{ sku: "MUG", qtyUom: "CS" }]));
});

test("StockUom cannot change while open documents name the SKU", async () => {
  const unit = (sku: string, StockUom: string) => item(sku, { extendedAttributes: attributes({ StockUom }) });
  const refusal = (sku: string) =>
    `[VALUE] StockUom of SKU ${sku} cannot change from EA to KG while stock or open documents of it exist`;
  for (const [sku, type, open] of [
    ["U-NO", "NO", order("DEMO", "U-1", ["U-NO"])],
    ["U-PO", "PO", purchaseOrder("DEMO", "U-2", ["U-PO"])],
    ["U-RMA", "RMA", authorisation("DEMO", "U-3", ["U-RMA"])],
  ] as const) {
    await demo.accept("CAT", unit(sku, "KG"));
    await demo.accept("CAT", unit(sku, "EA"));
    await demo.accept(type, open);
    await demo.refuse("CAT", unit(sku, "KG"), refusal(sku));
    await demo.accept("CAT", unit(sku, "pcs"));
  }
  await demo.accept("NO", cancelOrder("DEMO", "U-1"));
  await demo.accept("CAT", unit("U-NO", "KG"));
  await demo.accept("PO", purchaseOrder("DEMO", "U-2", [], { actionType: "CANCEL" }));
  await demo.accept("CAT", unit("U-PO", "KG"));
});

test("warnings do not reject, are not in the ACK, and are shown by the status call", async () => {
  await demo.accept("CAT", item("B-OLD", { gtinBarcodes: { barcode: ["SCAN-1"] } }));
  const { token, body } = await demo.accept(
    "CAT",
    catalogue(
      "DEMO",
      [
        { sku: "B-NEW", eanCode: "4006381333932", gtinBarcodes: { barcode: ["SCAN-1", "96385075", "free text"] } },
        { sku: "B-TWO", gtinBarcodes: { barcode: ["96385075"] } },
        { sku: "B-OLD", gtinBarcodes: { barcode: ["SCAN-2"] } },
      ],
      "2026-11-01T08:00:00+01:00",
    ),
  );
  assert.ok(!body.includes("GTIN"));
  const { warnings, errors, state } = await demo.outcome(token);
  assert.deepEqual([errors, state], [[], "PROCESSED"]);
  assert.deepEqual(warnings, [
    "[GTIN] item[1]: the check digit of '4006381333932' of SKU B-NEW is wrong",
    "[GTIN] item[1]: the check digit of '96385075' of SKU B-NEW is wrong",
    "[GTIN] item[2]: the check digit of '96385075' of SKU B-TWO is wrong",
    "[BARCODE] Barcode 96385075 of SKU B-TWO is also on SKU B-NEW",
    "[OLDER] date 2026-11-01T08:00:00+01:00 is older than 2026-11-02T08:00:00.000Z, the date of the stored SKU B-OLD",
  ]);
  const shared = await demo.accept("CAT", item("B-THREE", { gtinBarcodes: { barcode: ["SCAN-2"] } }));
  assert.deepEqual((await demo.outcome(shared.token)).warnings, [
    "[BARCODE] Barcode SCAN-2 of SKU B-THREE is also on SKU B-OLD",
  ]);
});

test("a wrong catalogue leaves nothing, and is taken when it is corrected", async () => {
  const items = (country: string) => catalogue("DEMO", ["Z-1", { sku: "Z-2", countryOfOrigin: country }, "Z-3"]);
  await demo.refuse("CAT", items("ZZ"), /^\[COUNTRY\] item\[2\]/);
  assert.equal(await itemOf("Z-1"), undefined);
  await demo.accept("CAT", items("ZA"));
  assert.ok(await itemOf("Z-3"));
});

for (const [mode, clientId, client] of [
  ["REPLACE", "DEMO", demo],
  ["MERGE", "MERGING", merging],
] as const) {
  test(`a catalogue that is sent again writes the items that differ, and no others (${mode})`, async () => {
    const skus = ["AGAIN-1", "AGAIN-2", "AGAIN-3"];
    const document = (names: readonly string[], date: string) =>
      catalogue(
        clientId,
        skus.map((sku, i) => ({
          sku,
          name: names[i] as string,
          weight: "0.50",
          weightUomCode: "KG",
          extendedAttributes: attributes({ "Uom.BOX": "6", Colour: "blue" }),
        })),
        date,
      );
    const read = () =>
      server.rows<Item>(
        "select sku, name, version, updated_at, feed_token from item where client_id = $1 and sku like 'AGAIN-%' order by sku",
        clientId,
      );
    await client.accept("CAT", document(["One", "Two", "Three"], "2026-11-01T00:00:00Z"));
    const before = await read();
    // Quantities with other decimals are the same.
    await client.accept("CAT", document(["One", "Two", "Three"], "2026-11-02T00:00:00Z").replaceAll("0.50", "0.5"));
    assert.deepEqual(
      (await read()).map(({ version, updated_at, feed_token }) => ({ version, updated_at, feed_token })),
      before.map(({ version, updated_at, feed_token }) => ({ version, updated_at, feed_token })),
    );
    await client.accept("CAT", document(["One", "Second", "Three"], "2026-11-03T00:00:00Z"));
    assert.deepEqual(
      (await read()).map(({ sku, name, version }) => ({ sku, name, version })),
      [
        { sku: "AGAIN-1", name: "One", version: 1 },
        { sku: "AGAIN-2", name: "Second", version: 2 },
        { sku: "AGAIN-3", name: "Three", version: 1 },
      ],
    );
  });
}

test("GTINs are compared as 14 digits, over EANs and barcodes", async () => {
  const upc = "036000291452";
  await demo.accept(
    "CAT",
    catalogue("DEMO", [{ sku: "UPC-1", eanCode: upc, gtinBarcodes: { barcode: ["96385074"] } }]),
  );
  await demo.refuse(
    "CAT",
    item("UPC-2", { eanCode: `00${upc}` }),
    `[EAN] EAN 00${upc} of SKU UPC-2 is already mapped to SKU UPC-1`,
  );
  const twice = catalogue("DEMO", [
    { sku: "UPC-3", eanCode: "4006381333948" },
    { sku: "UPC-4", eanCode: "04006381333948" },
  ]);
  await demo.refuse("CAT", twice, "[EAN] EAN 04006381333948 of SKU UPC-4 is already mapped to SKU UPC-3");
  const warningsOf = async (xml: string) => (await demo.outcome((await demo.accept("CAT", xml)).token)).warnings;
  assert.deepEqual(await warningsOf(item("UPC-5", { eanCode: "0000096385074" })), [
    "[BARCODE] Barcode 0000096385074 of SKU UPC-5 is also on SKU UPC-1",
  ]);
  assert.deepEqual(await warningsOf(item("UPC-6", { gtinBarcodes: { barcode: [`0${upc}`] } })), [
    `[BARCODE] Barcode 0${upc} of SKU UPC-6 is also on SKU UPC-1`,
  ]);
  // An item may have its EAN among its barcodes, and another notation of it later.
  const renewed = { eanCode: `0${upc}`, gtinBarcodes: { barcode: [upc] } };
  assert.deepEqual(await warningsOf(item("UPC-1", renewed)), [
    "[BARCODE] Barcode 0036000291452 of SKU UPC-1 is also on SKU UPC-6",
  ]);
});
