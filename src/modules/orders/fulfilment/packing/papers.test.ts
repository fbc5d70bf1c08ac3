import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveSettings } from "#/modules/clients/index.ts";
import type { CommercialInvoice, PackingSlip, PaperOrder, ShippingLabel } from "#/modules/documents/index.ts";
import { paperOf, warningsOf } from "#/modules/documents/printing.ts";
import { type PackMatter, papersOf } from "#/modules/orders/fulfilment/packing/papers.ts";
import {
  content,
  facility,
  item,
  lineRow,
  orderLine,
  orderOf,
  orderRow,
  packedParcel,
} from "../../../../../tests/support/papers/packed-order.ts";

const service = {
  code: "HBP-48",
  carrierCode: "HBP",
  name: "Tracked 48",
  trackingUrlOf: () => undefined,
  labelSources: [],
  post: undefined,
};
/** A postal service with a limit of 300 euro, and no rate for other currencies. */
const post = {
  isBelowCn22Limit: (value: string, currency: string) => currency === "EUR" && Number(value) <= 300,
};
const carrier = { carrierCode: "HBP", serviceCode: "HBP-48", service, decisionId: undefined };

/** Three mugs in a parcel. Of two oils, one is in another parcel and one still follows. */
const matter = (over: Partial<PackMatter> = {}): PackMatter => ({
  order: orderRow(),
  lines: [lineRow(), lineRow({ lineNumber: 2, sku: "OIL", qty: 1, qtyUom: "CS", qtyOrdered: 2 })],
  items: new Map([item("MUG", { extendedAttributes: { HsCode: "6912 00" } }), item("OIL")]),
  after: orderOf(
    orderLine(1, "MUG", { ordered: 4000, packed: 3000, cancelled: 1000 }),
    orderLine(2, "OIL", { ordered: 2000, packed: 1000, backordered: 1000 }),
    orderLine(3, "GONE", { ordered: 1000, cancelled: 1000 }),
  ),
  facility: facility(),
  seller: { name: "Demo brand", customs: resolveSettings({}) },
  piecesBefore: 0,
  ...over,
});
const mugs = packedParcel([
  content(1, "MUG", 2000, { batchRef: "B1", serials: ["S1", "S2"] }),
  content(1, "MUG", 1000, { batchRef: "B2", serials: ["S3"] }),
]);
const oil = packedParcel([content(2, "OIL", 1000)], { olpnId: "006141410000000029" });
const made = [mugs, oil].map((parcel) => ({ parcel, carrier }));

const slipsOf = (matter: PackMatter) =>
  papersOf(matter, made).flatMap((paper): PackingSlip[] => (paper.type === "PACKING_SLIP" ? [paper.slip] : []));
const labelsOf = (matter: PackMatter) =>
  papersOf(matter, made).flatMap((paper): ShippingLabel[] =>
    paper.type === "SHIPPING_LABEL" && paper.form !== "bought" ? [paper.label] : [],
  );
const invoicesOf = (matter: PackMatter) =>
  papersOf(matter, made).flatMap((paper): CommercialInvoice[] =>
    paper.type === "COMMERCIAL_INVOICE" ? [paper.invoice] : [],
  );

test("each parcel has a slip and a label in two forms, and an invoice where a customs border is crossed", () => {
  const kinds = (matter: PackMatter) => papersOf(matter, made).map(({ olpnId, type }) => `${olpnId.slice(-2)} ${type}`);
  const papers = ["PACKING_SLIP", "SHIPPING_LABEL", "SHIPPING_LABEL"];
  const customs = [...papers, "COMMERCIAL_INVOICE"];
  assert.deepEqual(kinds(matter()), [...customs.map((type) => `12 ${type}`), ...customs.map((type) => `29 ${type}`)]);
  const toBerlin = orderRow({ shipToAddress: { country: "DE", zip: "10117" } as never });
  assert.deepEqual(
    kinds(matter({ order: toBerlin })),
    ["12", "29"].flatMap((parcel) => papers.map((type) => `${parcel} ${type}`)),
  );
});

test("by post a CN22 goes in place of the invoice, up to its value, 2 kg and six lines, and a CN23 beside it otherwise", () => {
  const postal = { ...carrier, service: { ...service, post } };
  const typesOf = (over: Partial<PackMatter> = {}, parcel = mugs) =>
    papersOf(matter(over), [{ parcel, carrier: postal }])
      .map(paperOf)
      .slice(3)
      .map(({ type, contentType }) => `${type} ${contentType.slice(12)}`);
  const small = ["CN22 pdf", "CN22 zpl"];
  const full = ["COMMERCIAL_INVOICE pdf", "CN23 pdf"];
  assert.deepEqual(typesOf(), small);
  assert.deepEqual(typesOf({}, { ...mugs, weight: 2_000, weightUomCode: "G" }), small);
  assert.deepEqual(typesOf({}, { ...mugs, weight: 2.001 }), full);
  // Three mugs: 300 euro, and more.
  assert.deepEqual(typesOf({ lines: [lineRow({ unitNetPrice: "100.0000" })] }), small);
  assert.deepEqual(typesOf({ lines: [lineRow({ unitNetPrice: "100.0100" })] }), full);
  assert.deepEqual(typesOf({ lines: [lineRow({ unitNetPrice: null })] }), full);
  assert.deepEqual(typesOf({ order: orderRow({ currency: "CHF" }) }), full);
  const many = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => lineRow({ lineNumber: i + 1 }));
    return typesOf({ lines }, packedParcel(lines.map(({ lineNumber: line }) => content(line, "MUG", 1000))));
  };
  assert.deepEqual([many(6), many(7)], [small, full]);
  const toBerlin = orderRow({ shipToAddress: { country: "DE", zip: "10117" } as never });
  assert.deepEqual(typesOf({ order: toBerlin }), []);
});

test("a declaration has the data of the invoice, and a CN23 names it", () => {
  const postal = { ...carrier, service: { ...service, post } };
  const declarations = papersOf(matter(), [
    { parcel: mugs, carrier: postal },
    { parcel: { ...mugs, weight: 3, trackingNumber: "RR1GB" }, carrier: postal },
  ]).flatMap((paper) => (paper.type === "CN22" || paper.type === "CN23" ? [paper.declaration] : []));
  const [short, , full] = declarations;
  assert.deepEqual([short?.invoiceNumber, full?.invoiceNumber], [undefined, mugs.olpnId]);
  assert.deepEqual([short?.itemNumber, full?.itemNumber], [mugs.olpnId, "RR1GB"]);
  const [invoice] = invoicesOf(matter());
  assert.deepEqual(
    [short?.lines, short?.sender, short?.addressee],
    [invoice?.lines, invoice?.exporter, invoice?.consignee],
  );
});

test("a slip lists the contents of its parcel and the open lines, without cancelled lines", () => {
  const [first, second] = slipsOf(matter());
  assert.deepEqual(
    [first, second].map((slip) => slip?.lines.map((line) => [line.sku, line.ordered, line.packed, line.backordered])),
    [
      [
        ["MUG", 3000, 3000, 0],
        ["OIL", 2000, 0, 1000],
      ],
      [
        ["MUG", 3000, 0, 0],
        ["OIL", 2000, 1000, 1000],
      ],
    ],
  );
  const [mug] = first?.lines ?? [];
  assert.deepEqual([mug?.name, mug?.batchRefs, mug?.serials], ["Item MUG", ["B1", "B2"], ["S1", "S2", "S3"]]);
  assert.deepEqual(first?.parcel, {
    olpnId: mugs.olpnId,
    piece: 1,
    pieces: undefined,
    carrier: "HBP, Tracked 48",
    trackingNumber: mugs.olpnId,
  });
  // The local date of the facility, which is ahead of UTC.
  assert.deepEqual([first?.date, first?.orderDate, first?.madeAt], ["2026-11-03", "2026-11-03", mugs.packedAt]);
});

test("a slip of many lines leaves out those that are in other parcels", () => {
  const many = Array.from({ length: 150 }, (_, i) => orderLine(i + 1, "MUG", { ordered: 1000, packed: 1000 }));
  many[149] = orderLine(150, "OIL", { ordered: 1000, allocated: 1000 });
  const [slip] = slipsOf(matter({ after: orderOf(...many) }));
  assert.deepEqual(
    slip?.lines.map(({ lineNumber }) => lineNumber),
    [1, 150],
  );
});

test("the language is the attribute's, else the order's; prices are printed only if the order requests them", () => {
  const [plain] = slipsOf(matter());
  assert.deepEqual([plain?.language, plain?.prices, plain?.lines[0]?.unitPrice], ["de", undefined, undefined]);
  const extendedAttributes = { PackingSlipLanguage: "fr-FR", PrintPricesOnPackingSlip: "true", GiftMessage: "Salut" };
  const [priced] = slipsOf(matter({ order: orderRow({ extendedAttributes }) }));
  assert.deepEqual([priced?.language, priced?.giftMessage], ["fr", "Salut"]);
  assert.deepEqual(priced?.prices, {
    currency: "EUR",
    subtotal: "100",
    shippingCost: "4.99",
    taxes: "16.76",
    totalPrice: "104.99",
  });
  // The oil was ordered by the case: the price of a case is not the price of a piece.
  assert.deepEqual(
    priced?.lines.map(({ unitPrice, lineTotal }) => [unitPrice, lineTotal]),
    [
      ["12", "36"],
      [undefined, "36"],
    ],
  );
});

test("slip and label state the dangerous goods of the parcel, and the label limited quantities if all are", () => {
  const goods = { UnNumber: "UN1266", HazardClass: "3", PackingGroup: "II", LimitedQuantity: "true" };
  const cells = { UnNumber: "UN3481", HazardClass: "9" };
  const items = (mug: Record<string, string>, oil: Record<string, string>) =>
    new Map([item("MUG", { extendedAttributes: mug }), item("OIL", { extendedAttributes: oil })]);
  const [slip] = slipsOf(matter({ items: items(goods, cells) }));
  assert.deepEqual(
    slip?.lines.map(({ dangerousGoods }) => dangerousGoods),
    ["UN1266, 3, II, LTD QTY", "UN3481, 9"],
  );
  const labels = (mug: Record<string, string>, oil: Record<string, string>) =>
    labelsOf(matter({ items: items(mug, oil) })).map(({ dangerousGoods }) => dangerousGoods);
  assert.deepEqual(labels(goods, cells), ["UN1266 LTD QTY", "UN1266 LTD QTY", "UN3481", "UN3481"]);
  assert.deepEqual(labels({}, { IsHazmat: "true" }), [undefined, undefined, undefined, undefined]);
});

test("a label has the number of its piece, and the total when no piece follows", () => {
  const pieces = (over: Partial<PackMatter>) => labelsOf(matter(over)).map(({ piece, pieces }) => [piece, pieces]);
  assert.deepEqual(pieces({}), [
    [1, undefined],
    [1, undefined],
    [2, undefined],
    [2, undefined],
  ]);
  const all = orderOf(orderLine(1, "MUG", { ordered: 4000, packed: 3000, despatched: 1000 }));
  assert.deepEqual(pieces({ piecesBefore: 2, after: all }).at(-1), [4, 4]);
});

test("a label names carrier and service, and goes from the client at its facility", () => {
  const [label] = labelsOf(matter());
  assert.deepEqual([label?.carrier, label?.service, label?.isGeneratedTrackingNumber], ["HBP", "Tracked 48", true]);
  assert.deepEqual(label?.weight, { value: 1.25, uom: "KG" });
  assert.deepEqual(label?.shipFrom, {
    companyName: "Demo brand",
    department: "c/o Crossdock B.V.",
    address1: "Waalhaven 1",
    address2: undefined,
    city: "Rotterdam",
    zip: "3087 BM",
    state: undefined,
    country: "NL",
  });
  assert.equal(label?.shipTo.phone, "+44 7700 1");
  const bare = facility({ companyName: null, address1: null, city: null, zip: null });
  assert.deepEqual(labelsOf(matter({ facility: bare }))[0]?.shipFrom.country, "NL");
});

test("an invoice covers its parcel, with net values and customs data", () => {
  const [first, second] = invoicesOf(matter());
  assert.deepEqual(first?.lines, [
    {
      lineNumber: 1,
      sku: "MUG",
      description: "Item MUG",
      hsCode: "6912 00",
      countryOfOrigin: "PT",
      qty: 3000,
      uom: "EA",
      unitNetWeight: { value: 0.35, uom: "KG" },
      unitValue: "10.08",
    },
  ]);
  assert.deepEqual([first?.currency, first?.shippingCost, second?.shippingCost], ["EUR", "4.99", undefined]);
  assert.deepEqual(
    second?.lines.map(({ sku, unitValue }) => [sku, unitValue]),
    [["OIL", "5.04"]],
  );
  assert.deepEqual(first?.importer, { ...first?.consignee, customsNumbers: undefined });
  const invoiced = orderRow({ billToAddress: { companyName: "Payer Ltd", country: "GBR" } as never });
  assert.deepEqual(invoicesOf(matter({ order: invoiced }))[0]?.importer, {
    companyName: "Payer Ltd",
    phone: undefined,
    country: "GB",
    customsNumbers: undefined,
  });
  const [unpriced] = invoicesOf(matter({ order: orderRow({ currency: null }) }));
  assert.equal(unpriced?.currency, "XXX");
});

test("the customs data of an invoice are the line's, the order's, the item's and the client's, in this order", () => {
  const customs = {
    reasonForExport: "GIFT",
    exporterEori: "NL123",
    exporterVatNumber: "NL123B01",
    iossNumber: "IM2760000742",
  } as const;
  const seller = { name: "Demo brand", customs };
  const [ofClient] = invoicesOf(matter({ seller }));
  assert.equal(ofClient?.reasonForExport, "GIFT");
  assert.deepEqual(ofClient?.exporter.customsNumbers, ["EORI NL123", "VAT NL123B01"], "no IOSS outside of the Union");

  const fromLondon = { seller, facility: { ...facility({ zip: "SW1A 1AA" }), country: "GB" } };
  const toBerlin = { shipToAddress: { country: "DEU", zip: "10117" } as never };
  const [toUnion] = invoicesOf(matter({ ...fromLondon, order: orderRow(toBerlin) }));
  assert.deepEqual(toUnion?.exporter.customsNumbers?.at(-1), "IOSS IM2760000742");

  const attributes = {
    ReasonForExport: "sample",
    IossNumber: "IM 1234567890",
    ImporterEori: "DE 99",
    ImporterVatNumber: "DE123456789",
  };
  const goods = { CustomsDescription: "Stoneware mug", HsCode: "6912 00 81", CountryOfOrigin: "ESP" };
  const ownData = {
    order: orderRow({ ...toBerlin, extendedAttributes: attributes }),
    lines: [lineRow({ extendedAttributes: goods })],
  };
  const [ofOrder] = invoicesOf(matter({ ...fromLondon, ...ownData }));
  assert.equal(ofOrder?.reasonForExport, "SAMPLE");
  assert.equal(ofOrder?.exporter.customsNumbers?.at(-1), "IOSS IM1234567890");
  assert.deepEqual(ofOrder?.importer.customsNumbers, ["EORI DE99", "VAT DE123456789"]);
  const { description, hsCode, countryOfOrigin } = ofOrder?.lines[0] ?? {};
  assert.deepEqual([description, hsCode, countryOfOrigin], ["Stoneware mug", "6912 00 81", "ES"]);

  const wrong = orderRow({ extendedAttributes: { ReasonForExport: "SALES", ImporterEori: "?" } });
  const [ofWrong] = invoicesOf(matter({ seller, order: wrong }));
  assert.deepEqual([ofWrong?.reasonForExport, ofWrong?.importer.customsNumbers], ["GIFT", undefined]);
});

test("papers have a format and a language, and warnings for missing customs data", () => {
  const papers = papersOf(matter(), made);
  assert.equal(papers.length, 8);
  assert.deepEqual(
    papers
      .map(paperOf)
      .map(({ contentType, language }) => [contentType, language])
      .slice(0, 4),
    [
      ["application/pdf", "de"],
      ["application/pdf", "en"],
      ["application/zpl", "en"],
      ["application/pdf", "en"],
    ],
  );
  assert.deepEqual(
    warningsOf(papers.at(-1) as PaperOrder).map(({ code }) => code),
    ["INCOTERM_MISSING", "HS_CODE_MISSING"],
  );
});

test("goods that are imported into the European Union have their identifiers, and no other goods", () => {
  const identifiersOf = (country: string, zip: string) =>
    invoicesOf(
      matter({
        facility: { ...facility(), country: "US" },
        order: orderRow({ shipToAddress: { country, zip } as never }),
        items: new Map([item("MUG", { extendedAttributes: { ManufacturerProductId: "PM-330" } })]),
      }),
    ).flatMap(({ lines }) => lines.map(({ identifiers }) => identifiers));
  const mugOf = { merchant: "MUG", manufacturer: "PM-330", gtin: null, hasNoStandardId: false };
  assert.deepEqual(identifiersOf("DE", "10117")[0], mugOf);
  assert.deepEqual(identifiersOf("GB", "BT1 5GS")[0], mugOf);
  assert.deepEqual(identifiersOf("GB", "BS1 5TR"), [undefined, undefined]);
});
