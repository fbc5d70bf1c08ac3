// Every extended attribute that the platform reads. The readers take the names from here, and
// docs/extended-attributes.md is generated from it; all other attributes are stored and passed on unchanged.

/** The owner of the attribute: an item of a CAT, the header of a PO or NO, or a line of an NO. */
export type AttributeCarrier = "item" | "purchaseOrder" | "order" | "orderLine";

/** The form of a value, which CAT validates for items. */
export type AttributeForm = "flag" | "wholeNumber" | "priority" | "unit" | "packSize" | "text";

interface ExtendedAttribute {
  readonly on: readonly AttributeCarrier[];
  readonly form: AttributeForm;
  /** The default for a missing or empty attribute, in words. */
  readonly standard: string;
  readonly meaning: string;
}

export const extendedAttributes = {
  StockUom: {
    on: ["item"],
    form: "unit",
    standard: "`EA`",
    meaning:
      "Unit in which stock of the item is counted. EA, EACH, EACHES, UNIT, UNITS, UN, PC, PCE, PCS, PIECE, PIECES, ST, C62 and H87 are the same. It cannot change while stock or open documents exist.",
  },
  "Uom.*": {
    on: ["item"],
    form: "packSize",
    standard: "no pack",
    meaning:
      "Size of a pack in stock units: `Uom.CS` = `12` says that a `CS` holds 12. Orders, POs and RMAs may then give quantities with `qtyUom` CS.",
  },
  IsHazmat: {
    on: ["item", "orderLine"],
    form: "flag",
    standard: "false",
    meaning: "Dangerous goods. Carrier services that do not accept them are excluded; the port shows it as `isHazmat`.",
  },
  UnNumber: {
    on: ["item"],
    form: "text",
    standard: "no number",
    meaning:
      "UN number of dangerous goods, such as `UN1266`; the item is dangerous goods without `IsHazmat` too. The port, the packing slip and the label show it. Any other text is a warning `[VALUE]`.",
  },
  HazardClass: {
    on: ["item"],
    form: "text",
    standard: "no class",
    meaning:
      "Class or division of dangerous goods, such as `3`, `2.1` or `1.4S`. The port and the packing slip show it. Any other text is a warning `[VALUE]`.",
  },
  PackingGroup: {
    on: ["item"],
    form: "text",
    standard: "no packing group",
    meaning:
      "Packing group of dangerous goods: I, II or III. The port and the packing slip show it. Any other text is a warning `[VALUE]`.",
  },
  LimitedQuantity: {
    on: ["item"],
    form: "text",
    standard: "false",
    meaning:
      "With true the dangerous goods are packed in limited quantities; the port shows it, and packing slip and label state `LTD QTY`. A value that is not a flag is a warning `[VALUE]`.",
  },
  IsBulkyFlag: {
    on: ["item", "orderLine"],
    form: "flag",
    standard: "false",
    meaning: "Bulky goods. Carrier services that do not accept them are excluded; the port shows it as `isBulky`.",
  },
  Active: {
    on: ["item"],
    form: "flag",
    standard: "true",
    meaning: "With false the item stays known, and its stock is neither available nor allocated to orders.",
  },
  CaptureSerial: {
    on: ["item"],
    form: "flag",
    standard: "false",
    meaning: "Reports of the warehouse name a serial number for each unit; stock is kept by serial number.",
  },
  CaptureExpiry: {
    on: ["item"],
    form: "flag",
    standard: "false",
    meaning: "Reports of the warehouse name an expiry date; the lot that expires first is allocated first.",
  },
  AvailableFrom: {
    on: ["item"],
    form: "text",
    standard: "at once",
    meaning:
      "First day on which the item may leave, such as `2026-11-30`. Orders of it before are pre-orders: they are accepted, and on hold as `PRE_ORDER` until the day begins at their facility. Any other text has no effect.",
  },
  MinShelfLifeDays: {
    on: ["item"],
    form: "wholeNumber",
    standard: "`0`",
    meaning:
      "Only lots with at least N more days before their expiry are available and allocated, by the date of the facility.",
  },
  LowStockThreshold: {
    on: ["item"],
    form: "wholeNumber",
    standard: "no event",
    meaning:
      "The event `inventory:low` is raised when the available quantity reaches this number of stock units, or falls below it.",
  },
  HsCode: {
    on: ["item", "orderLine"],
    form: "text",
    standard: "on a line, that of the item; else a warning on the invoice",
    meaning:
      "Customs tariff number of the goods on the commercial invoice: 6, 8 or 10 digits and more, by [destination](customs.md). Any other text is a warning `[CUSTOMS]`.",
  },
  CustomsDescription: {
    on: ["item", "orderLine"],
    form: "text",
    standard: "on a line, that of the item; else the item's name",
    meaning:
      "Description of the goods on the commercial invoice. A [stop word](customs.md#stop-words) is a warning `[CUSTOMS]`.",
  },
  ManufacturerProductId: {
    on: ["item"],
    form: "text",
    standard: "none; [customs of the European Union](customs.md) ask for it",
    meaning: "The maker's identifier of the product, of any form, on the customs papers to the European Union.",
  },
  NoStandardProductId: {
    on: ["item"],
    form: "text",
    standard: "false",
    meaning:
      "With true the client declares that the product has no GTIN (document code Y081). A value that is not a flag is a warning `[CUSTOMS]`.",
  },
  CountryOfOrigin: {
    on: ["orderLine"],
    form: "text",
    standard: "`countryOfOrigin` of the item",
    meaning: "Country in which the goods were made, an ISO 3166-1 code, on the commercial invoice.",
  },
  Revision: {
    on: ["purchaseOrder", "order"],
    form: "wholeNumber",
    standard: "not compared",
    meaning:
      "Counts the versions of the document: an UPDATE or CANCEL whose Revision is not above the stored one is refused `[STALE]`.",
  },
  SupplierCode: {
    on: ["purchaseOrder"],
    form: "text",
    standard: "unknown",
    meaning: "Supplier of the goods; the receiving task of the warehouse shows it as `supplierCode`.",
  },
  ExpectedDate: {
    on: ["purchaseOrder"],
    form: "text",
    standard: "unknown",
    meaning:
      "Date on which the goods are expected, such as `2026-11-30`; the receiving task and the explanation of a waiting order show it as `expectedDate`.",
  },
  Notes: {
    on: ["purchaseOrder"],
    form: "text",
    standard: "no notes",
    meaning: "Text for the people who receive the goods; the receiving task shows it as `notes`.",
  },
  Priority: {
    on: ["order"],
    form: "priority",
    standard: "`5`",
    meaning: "Order of allocation: 1 highest, 9 lowest. Any other value is a warning `[PRIORITY]`, and 5 is taken.",
  },
  ShipPartial: {
    on: ["order"],
    form: "flag",
    standard: "the client setting `backorder`",
    meaning: "With true the order leaves in parts: stock on hand is released, the rest waits for stock.",
  },
  PackingSlipLanguage: {
    on: ["order"],
    form: "text",
    standard: "`language` of the order, else English",
    meaning:
      "Language of the packing slip: en, de, fr, es, it, nl or pl. Of a tag such as `de-CH`, the language part is used.",
  },
  PrintPricesOnPackingSlip: {
    on: ["order"],
    form: "flag",
    standard: "false",
    meaning: "The packing slip shows the prices of the order, if the order names one currency.",
  },
  GiftMessage: {
    on: ["order"],
    form: "text",
    standard: "no message",
    meaning: "Text on the packing slip; its line breaks are kept.",
  },
  PackingInstruction: {
    on: ["order", "orderLine"],
    form: "text",
    standard: "no instruction",
    meaning: "Text for the packing station; the picking task of the warehouse shows it as `packingInstruction`.",
  },
  IncotermName: {
    on: ["order"],
    form: "text",
    standard: "the invoice says that it is not given",
    meaning: "Incoterm such as `DAP`, on the commercial invoice and as the field `incoterm` of carrier rules.",
  },
  ReasonForExport: {
    on: ["order"],
    form: "text",
    standard: "the client setting `reasonForExport`",
    meaning:
      "SALE, GIFT, SAMPLE, RETURN or REPAIR, on the commercial invoice. Any other value is a warning `[VALUE]`, and the client's is taken.",
  },
  IossNumber: {
    on: ["order"],
    form: "text",
    standard: "the client setting `iossNumber`",
    meaning:
      "IOSS number of the marketplace that sold the goods, on the commercial invoice to the European Union. Any other text is a warning `[VALUE]`, and the client's is taken.",
  },
  ImporterEori: {
    on: ["order"],
    form: "text",
    standard: "no number",
    meaning: "EORI number of the buyer, on the commercial invoice. Any other text is a warning `[VALUE]`.",
  },
  ImporterVatNumber: {
    on: ["order"],
    form: "text",
    standard: "no number",
    meaning: "VAT number of the buyer, on the commercial invoice. Any other text is a warning `[VALUE]`.",
  },
} as const satisfies Readonly<Record<string, ExtendedAttribute>>;

export type ExtendedAttributeName = keyof typeof extendedAttributes;

type NameOfForm<Form extends AttributeForm> = {
  [Name in ExtendedAttributeName]: (typeof extendedAttributes)[Name]["form"] extends Form ? Name : never;
}[ExtendedAttributeName];

/** Values by name, as received. */
export type AttributeValues = Readonly<Record<string, string>>;

/** The value of an attribute as received; undefined where there is none. */
export function attributeOf(values: AttributeValues | undefined, name: ExtendedAttributeName): string | undefined {
  return values?.[name];
}

/** Whether a flag is set. */
export function hasFlag(values: AttributeValues | undefined, name: NameOfForm<"flag">): boolean {
  return isTrue(attributeOf(values, name));
}

/** The form of an attribute of an item, order or line; undefined for an attribute without a meaning there. */
export function formOfAttribute(name: string, carrier: AttributeCarrier): AttributeForm | undefined {
  const known = name.startsWith("Uom.") ? "Uom.*" : name;
  if (!Object.hasOwn(extendedAttributes, known)) return undefined;
  const { on, form }: ExtendedAttribute = extendedAttributes[known as ExtendedAttributeName];
  return on.includes(carrier) ? form : undefined;
}

/** A flag in the notation of feeds: `true`, `false`, `1` or `0`, in any case, with optional blanks around it. */
export function isFlag(text: string): boolean {
  return /^\s*(?:true|false|[01])\s*$/i.test(text);
}

/** Whether a flag is set; any other value, or a missing one, is false. */
export function isTrue(flag: string | undefined): boolean {
  const text = flag?.trim().toLowerCase();
  return text === "true" || text === "1";
}
