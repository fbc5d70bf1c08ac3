import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  clientIdParameter,
  closed,
  extendedAttributes,
  identifier,
  maybeText,
  moment,
  nullable,
  positiveQuantity,
} from "#/http/routes/schema.ts";
import { alsoNamed } from "#/http/server/other-forms.ts";
import { customsDestinations } from "#/kernel/values/customs-rules.ts";
import { packingGroups } from "#/kernel/values/dangerous-goods.ts";
import { componentsOfKitMax } from "#/modules/catalogue/kit-component.ts";

/** Shared by REST and the port. */
export const dangerousGoods = Type.Object(
  {
    unNumber: maybeText("UN number: UN and four digits.", "UN1266"),
    hazardClass: maybeText("Class or division, with its compatibility group.", "3"),
    packingGroup: nullable(
      Type.Enum([...packingGroups], { type: "string", description: "Packing group.", examples: ["II"] }),
    ),
    isLimitedQuantity: Type.Boolean({ description: "Packed in limited quantities.", examples: [true] }),
  },
  {
    ...closed,
    title: "DangerousGoods",
    description: "Classification of dangerous goods, by the item's extended attributes; null: no dangerous goods.",
  },
);

/** Shared by REST and the port. */
export const productIdentifiers = Type.Object(
  {
    merchant: Type.String({ description: "The merchant's: the SKU.", examples: ["MUG-BLUE-330"] }),
    manufacturer: maybeText("The maker's.", "PM-330-B"),
    gtin: maybeText("GTIN, the standard identifier.", "4006381333931"),
    hasNoStandardId: Type.Boolean({
      description: "The client declares that no standard identifier exists (Y081).",
      examples: [false],
    }),
  },
  {
    ...closed,
    title: "ProductIdentifiers",
    description: "Identifiers that customs of the European Union ask for; null for a task to elsewhere.",
  },
);

export const customsDestination = Type.Enum([...customsDestinations], {
  type: "string",
  title: "CustomsDestination",
  description: "Group of countries whose rules of customs data apply.",
  examples: ["EU"],
});

/** Of an item, or of a line of an order. */
export const lackFields = {
  code: Type.String({ description: "Rule that is not met.", examples: ["MANUFACTURER_ID"] }),
  field: Type.String({ description: "Field of the CAT that answers it.", examples: ["ManufacturerProductId"] }),
  needs: Type.String({ description: "The rule in words.", examples: ["the maker's identifier of the product"] }),
};

const customsLack = Type.Object(
  {
    ...lackFields,
    since: Type.String({ format: "date", description: "Day from which it applies.", examples: ["2026-11-01"] }),
    source: Type.String({ description: "Law or notice.", examples: ["Delegated Regulation (EU) 2026/1022"] }),
  },
  { ...closed, title: "ItemLack", description: "Customs data that an item lacks." },
);

/**
 * The Item record of the REST services (contract rest.md §4): the fields of the CAT feed under the feed's names, and
 * the fields that the platform adds. Every field is always present; an unknown value is `null`.
 */
const measure = (description: string, example: number) => nullable(Type.Number({ description, examples: [example] }));

const sku = identifier("The client's own identifier of the product, case-sensitive.", "MUG-BLUE-330");
const name = { description: "Name of the product.", examples: ["Ceramic mug, blue, 330 ml"] };
const captureBatchRef = {
  description: "Whether the warehouse records the batch of every received and despatched unit.",
  examples: [false],
};
const gtinBarcodes = Type.Array(Type.String({ description: "A barcode.", examples: ["4006381334006"] }), {
  description: "Further barcodes that identify the item when scanned.",
});
const components = Type.Array(
  Type.Object(
    {
      sku: identifier("SKU of the component.", "CUP-RED"),
      qty: positiveQuantity("Of the component in one kit, in its stock unit. At most three decimals.", 2),
    },
    { ...closed, title: "KitComponent", description: "A component of a kit." },
  ),
  { maxItems: componentsOfKitMax, description: "The components of a kit; empty: the item is not a kit." },
);
const stockUom = {
  description: "Unit that stock of it is counted in: the extended attribute StockUom, EA without it.",
  examples: ["EA"],
};
const active = {
  description: "False: known, but not allocated to orders: the extended attribute Active, true without it.",
  examples: [true],
};
const warnings = Type.Array(
  Type.String({
    description: "A sentence that starts with its code.",
    examples: ["[GTIN] the check digit of '4006381334001' of SKU MUG-BLUE-330 is wrong"],
  }),
  { description: "Warnings of the last catalogue with the item." },
);
const version = { description: "Counts up with every change; also in the ETag.", examples: [1] };
const feedToken = {
  format: "uuid",
  description: "Token of the last catalogue with the item.",
  examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
};
const createdAt = moment("When a catalogue first contained it.");
const updatedAt = moment("When a catalogue last contained it.");

/** Fields that may be missing in an existing item, too. */
const optional = {
  altSku: maybeText("Alternative SKU.", "MUG-330"),
  eanCode: maybeText("Scannable identifier of this SKU alone.", "4006381333931"),
  weight: measure("Weight of one stock unit, in weightUomCode.", 0.35),
  weightUomCode: maybeText("Unit of the weight: KG, G, LB or OZ.", "KG"),
  height: measure("Height of one stock unit, in dimensionsUomCode.", 9.5),
  length: measure("Length of one stock unit, in dimensionsUomCode.", 12),
  width: measure("Width of one stock unit, in dimensionsUomCode.", 8.5),
  dimensionsUomCode: maybeText("Unit of height, length and width: CM, MM, M, IN or FT.", "CM"),
  productType: maybeText("Product type code.", "STANDARD"),
  countryOfOrigin: maybeText("Country where it was made: ISO 3166-1, two letters.", "DE"),
  imageUrl: maybeText("Web address of a picture.", "https://images.example.com/mug-blue-330.jpg"),
  availableFrom: maybeText("First day on which it may leave; orders of it before are pre-orders.", "2026-11-30"),
  dangerousGoods: nullable(dangerousGoods),
};

export const item = Type.Object(
  {
    sku,
    name: Type.String(name),
    ...optional,
    captureBatchRef: Type.Boolean(captureBatchRef),
    extendedAttributes,
    gtinBarcodes,
    components,
    stockUom: Type.String(stockUom),
    active: Type.Boolean(active),
    createdAt,
    updatedAt,
    warnings,
    version: Type.Integer(version),
    feedToken: Type.String(feedToken),
  },
  { ...closed, title: "Item", description: "A product, as the client's catalogue describes it." },
);

export type ItemRecord = Static<typeof item>;

const foundItem = Type.Object(
  {
    sku,
    found: Type.Boolean({
      description: "Whether a catalogue has contained the SKU; if not, all other fields are null.",
      examples: [true],
    }),
    name: nullable(Type.String(name)),
    ...optional,
    captureBatchRef: nullable(Type.Boolean(captureBatchRef)),
    extendedAttributes: nullable(extendedAttributes),
    gtinBarcodes: nullable(gtinBarcodes),
    components: nullable(components),
    stockUom: nullable(Type.String(stockUom)),
    active: nullable(Type.Boolean(active)),
    createdAt: nullable(createdAt),
    updatedAt: nullable(updatedAt),
    warnings: nullable(warnings),
    version: nullable(Type.Integer(version)),
    feedToken: nullable(Type.String(feedToken)),
  },
  {
    ...closed,
    title: "FoundItem",
    description: "The answer for one requested SKU, known or not.",
  },
);

export type FoundItemRecord = Static<typeof foundItem>;

export const itemAnswer = foundItem;

export const itemQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const itemBySkuQuery = Type.Object({ clientId: clientIdParameter, sku }, closed);

/** contract rest.md §2 */
const skusMax = 1_000;

export const skuListBody = Type.Object(
  {
    clientId: clientIdParameter,
    skus: Type.Array(sku, {
      minItems: 1,
      maxItems: skusMax,
      description: "The requested SKUs; duplicates are answered once. The name `products` is accepted as well.",
      [alsoNamed]: ["products"],
    }),
  },
  { ...closed, title: "ItemSkuList", description: "SKUs to read." },
);

export const itemAnswers = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    items: Type.Array(foundItem, { description: "One for each SKU, in the order of the request." }),
  },
  { ...closed, title: "FoundItems", description: "The answers for the requested SKUs." },
);

export const itemCustoms = Type.Object(
  {
    clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
    sku,
    description: Type.String({ description: "CustomsDescription, else the name.", examples: ["Mug of stoneware"] }),
    hsCode: maybeText("Tariff number, as the client writes it.", "6912.00.23.00"),
    countryOfOrigin: maybeText("Country where it was made: ISO 3166-1, two letters.", "DE"),
    productIdentifiers,
    destinations: Type.Array(
      Type.Object(
        {
          destination: customsDestination,
          isComplete: Type.Boolean({ description: "Whether it lacks nothing.", examples: [false] }),
          lacks: Type.Array(customsLack, { description: "Rules that it does not meet." }),
        },
        { ...closed, title: "ItemDestination", description: "A destination, and what the item lacks for it." },
      ),
      { description: "Every destination, for a consignment of at most 150 EUR." },
    ),
  },
  { ...closed, title: "ItemCustoms", description: "Customs data of an item, and what it lacks for each destination." },
);

export type ItemCustoms = Static<typeof itemCustoms>;

export const itemPage = pageOf(item, "Items, by receipt.");

export const itemListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    active: Type.Optional(Type.Boolean({ description: "Only active items, or only the others.", examples: [true] })),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export type ItemListQuery = Static<typeof itemListQuery>;

export const itemCursors = defineReceiptCursors("items");
