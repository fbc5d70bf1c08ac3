import type { CommercialInvoice } from "#/modules/documents/papers/commercial-invoice.ts";
import type { CustomsDeclaration } from "#/modules/documents/papers/customs-goods.ts";
import type { ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import type { PackingSlip, PackingSlipLine } from "#/modules/documents/papers/packing-slip.ts";

/** Contents of printed documents: an ordinary order, and the longest that the feeds allow. */
export const warehouse = {
  companyName: "Crossdock Nord",
  address1: "Am Hafen 12",
  zip: "20457",
  city: "Hamburg",
  country: "DE",
};

export const bristol = {
  title: "Ms",
  companyName: "Muster UK Ltd",
  department: "Goods in",
  firstName: "Zoë",
  lastName: "O’Neill",
  address1: "12 Harbour Road",
  address2: "Unit 4",
  city: "Bristol",
  zip: "BS1 5TY",
  state: "Avon",
  country: "GB",
};

export const lodz = {
  firstName: "Grażyna",
  lastName: "Brzęczyszczykiewicz",
  address1: "ul. Świętokrzyska 14/3",
  zip: "90-001",
  city: "Łódź",
  country: "PL",
};

const nameMax = 255;
const identifierMax = 64;

/** A name of 255 characters: words of a language, or one word without a break. */
const longest = (word: string) => word.repeat(nameMax).slice(0, nameMax);

/** Every field of an address at its longest (schemas/xsd/NO.xsd). */
export const longestAddress = {
  companyName: longest("Gesellschaft-"),
  department: longest("Wareneingang"),
  title: longest("Professorin."),
  firstName: longest("Maximiliane,"),
  lastName: longest("W"),
  address1: longest("Donaudampfstraße/"),
  address2: longest("Łącznik;"),
  city: longest("Llanfairpwllgwyngyll"),
  zip: longest("9"),
  state: longest("Württemberg:"),
  country: "DE",
};

export const sscc = "006141410000000012";

export const line = (over: Partial<PackingSlipLine> = {}): PackingSlipLine => ({
  lineNumber: 1,
  sku: "MUG-BLUE-330",
  name: "Becher „Ahoi“, blau, 330 ml",
  uom: "EA",
  ordered: 2000,
  packed: 2000,
  backordered: 0,
  unitPrice: "10.08",
  lineTotal: "20.16",
  ...over,
});

export const slip = (over: Partial<PackingSlip> = {}): PackingSlip => ({
  language: "en",
  madeAt: "2026-11-20T09:00:00.000Z",
  date: "2026-11-20",
  orderDate: "2026-11-02",
  orderId: "WEB-100045",
  externalOrderReference: "SHOP-2026-77812",
  seller: "Demo Living GmbH",
  shipFrom: warehouse,
  shipTo: bristol,
  parcel: { olpnId: sscc, piece: 1, pieces: 2, carrier: "Royal Mail, Tracked 48", trackingNumber: "RM123456789GB" },
  lines: [
    line(),
    line({
      lineNumber: 2,
      sku: "OIL-OLIVE-500",
      name: "Olivenöl, 500 ml",
      ordered: 3000,
      packed: 1000,
      backordered: 2000,
      batchRefs: ["L-2026-44"],
      unitPrice: "12",
      lineTotal: "36",
    }),
    line({
      lineNumber: 3,
      sku: "ROPE-M",
      name: "Tau, Meterware",
      uom: "M",
      ordered: 12_500,
      packed: 12_500,
      serials: ["SN-81723", "SN-81724"],
      unitPrice: "1.2345",
      lineTotal: "15.4313",
    }),
  ],
  ...over,
});

export const prices = {
  currency: "EUR",
  subtotal: "1104.16",
  shippingCost: "4.99",
  taxes: "18.19",
  totalPrice: "1109.15",
};

const most = "999999999999999.9999";

/** A slip of 35 lines with everything at its longest. */
export const longestSlip = (over: Partial<PackingSlip> = {}): PackingSlip =>
  slip({
    orderId: "O".repeat(identifierMax),
    externalOrderReference: "R".repeat(identifierMax),
    seller: longest("S"),
    shipFrom: longestAddress,
    shipTo: longestAddress,
    billTo: longestAddress,
    parcel: {
      olpnId: sscc,
      piece: 999,
      pieces: 999,
      carrier: longest("C"),
      trackingNumber: "T".repeat(identifierMax),
    },
    lines: Array.from({ length: 35 }, (_, i) =>
      line({
        lineNumber: 999_965 + i,
        sku: `${i}-`.padEnd(identifierMax, "Ж"),
        name: longest("Beschreibung ").trim(),
        uom: "Ю".repeat(identifierMax),
        ordered: 999_999_999_999,
        packed: 999_999_999_999,
        backordered: 999_999_999_999,
        unitPrice: most,
        lineTotal: most,
        ...(i === 5 ? { serials: Array.from({ length: 400 }, (_, serial) => `SERIAL${serial}`) } : {}),
      }),
    ),
    prices: { currency: "EUR", subtotal: most, shippingCost: most, taxes: most, totalPrice: most },
    giftMessage: `${"Alles Gute ".repeat(10)}${"W".repeat(80)}\n`.repeat(20),
    ...over,
  });

export const label = (over: Partial<ShippingLabel> = {}): ShippingLabel => ({
  madeAt: "2026-11-20T09:00:00.000Z",
  date: "2026-11-20",
  olpnId: sscc,
  orderId: "WEB-100045",
  externalOrderReference: "SHOP-2026-77812",
  shipFrom: warehouse,
  shipTo: bristol,
  carrier: "Royal Mail",
  service: "Tracked 48",
  trackingNumber: "RM123456789GB",
  isGeneratedTrackingNumber: false,
  piece: 1,
  pieces: 2,
  weight: { value: 1.25, uom: "KG" },
  ...over,
});

export const longestLabel = (): ShippingLabel =>
  label({
    shipFrom: longestAddress,
    shipTo: longestAddress,
    orderId: "O".repeat(identifierMax),
    externalOrderReference: "R".repeat(identifierMax),
    carrier: "C".repeat(identifierMax),
    service: longest("S"),
    trackingNumber: "T".repeat(identifierMax),
    isGeneratedTrackingNumber: true,
    piece: 999,
    pieces: 999,
    weight: { value: 999_999_999.999999, uom: "KG" },
  });

export const declaration = (over: Partial<CustomsDeclaration> = {}): CustomsDeclaration => {
  const { madeAt, date, orderId, exporter, consignee, lines, currency, reasonForExport } = invoice();
  return {
    madeAt,
    date,
    orderId,
    itemNumber: "RM123456789GB",
    operator: "Royal Mail, Tracked 48",
    sender: exporter,
    addressee: consignee,
    importerNumbers: ["VAT GB123456789"],
    lines,
    currency,
    reasonForExport,
    grossWeight: { value: 1.9, uom: "KG" },
    ...over,
  };
};

export const invoice = (over: Partial<CommercialInvoice> = {}): CommercialInvoice => ({
  invoiceNumber: "WEB-100045-1",
  madeAt: "2026-11-20T09:00:00.000Z",
  date: "2026-11-20",
  orderId: "WEB-100045",
  exporter: { ...warehouse, customsNumbers: ["EORI DE1234567"] },
  importer: bristol,
  consignee: bristol,
  currency: "EUR",
  shippingCost: "4.99",
  incoterm: "DAP",
  reasonForExport: "SALE",
  olpnIds: [sscc],
  grossWeight: { value: 3.4, uom: "KG" },
  carrier: "Royal Mail",
  trackingNumber: "RM123456789GB",
  lines: [
    {
      lineNumber: 1,
      sku: "MUG-BLUE-330",
      description: "Mug, stoneware",
      hsCode: "6912.00",
      countryOfOrigin: "PT",
      qty: 2000,
      uom: "EA",
      unitNetWeight: { value: 0.34, uom: "KG" },
      unitValue: "8.4",
    },
    {
      lineNumber: 2,
      sku: "ROPE-M",
      description: "Rope",
      hsCode: "5607.49",
      countryOfOrigin: "PL",
      qty: 12_500,
      uom: "M",
      unitNetWeight: { value: 80, uom: "G" },
      unitValue: "1.2345",
    },
  ],
  ...over,
});
