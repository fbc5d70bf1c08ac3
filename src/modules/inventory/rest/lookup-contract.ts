import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { alsoNamed } from "#/http/server/other-forms.ts";
import { conditions } from "#/modules/inventory/lot.ts";
import { unsellableReasons } from "#/modules/inventory/lot-rules.ts";

/** Current stock of the Inventory service (rest.md §3, §4; specification 2.3). */
const skusMax = 1_000;
/** The highest position that JavaScript and the query represent exactly. */
const positionMax = 999_999_999_999_999;

const distributionCentre = identifier("Facility.", "DC1");
const sku = identifier("Product.", "MUG-BLUE-330");
const stockPoolField = Type.String({ description: "Stock pool.", examples: ["DEFAULT"] });

const stockPool = Type.Object(
  {
    stockPool: stockPoolField,
    onHand: quantity("On hand in the pool, in all conditions."),
    available: quantity("Of this, free to be allocated; of a kit also the kits of components in this pool."),
  },
  { ...closed, title: "StockPool", description: "A stock pool with stock on hand." },
);

/** Also of the levels of operators. */
export const unsellableStock = Type.Object(
  {
    reason: Type.Enum([...unsellableReasons], {
      type: "string",
      title: "UnsellableReason",
      description:
        "ON_HOLD, QUARANTINE, DAMAGED: the condition of the goods. UNKNOWN_ITEM, INACTIVE: the item is not in the catalogue, or not Active. EXPIRED: the goods have expired. SHELF_LIFE: they expire before the item's MinShelfLifeDays.",
      examples: ["SHELF_LIFE"],
    }),
    qty: quantity("Of this, in all stock pools."),
  },
  { ...closed, title: "UnsellableStock", description: "Stock that cannot be sold, for one reason." },
);

const quantities = {
  sku,
  found: Type.Boolean({
    description: "Whether the client has an item with this SKU. All quantities of an unknown one are 0.",
    examples: [true],
  }),
  onHand: quantity("In the facility, in all conditions, until it is despatched or consumed."),
  available: quantity(
    "What can be sold: onHand less allocated and unsellable, and of a kit also the kits that its components allow; only of the stock pools in the client setting availablePools.",
  ),
  allocated: quantity("Held by orders and work orders; picked and packed units too."),
  onHold: quantity("On hold, in quarantine, or expired and not allocated."),
  damaged: quantity("Damaged."),
  unsellable: quantity(
    "Not allocated, and not allowed to be: onHold, damaged, too near its expiry for the item, or of an inactive item.",
  ),
  unsellableReasons: Type.Array(unsellableStock, {
    description: "unsellable by reason; reasons without stock are left out.",
  }),
  expected: quantity("Open quantity of purchase orders, inTransit included."),
  inTransit: quantity("Shipped by another facility of yours, and neither received nor lost."),
  inReturn: quantity("Authorised to come back and not yet received."),
  backordered: quantity("Quantity for which order lines wait."),
  uom: maybeText("Stock unit, in which all quantities are; null: unknown SKU.", "EA"),
  kit: nullable(
    Type.Object(
      {
        qty: quantity("Kits that can be made of the available components, in all stock pools."),
        limitedBy: Type.String({ description: "SKU of the component that allows no more.", examples: ["CUP-RED"] }),
        text: Type.String({ description: "The reason in words.", examples: ["2 kits: CUP-RED has 5"] }),
      },
      {
        ...closed,
        title: "KitStock",
        description: "Of a kit: what its components allow. Null: the item is not a kit.",
      },
    ),
  ),
  stockPools: Type.Array(stockPool, {
    description: "By name; pools with nothing on hand or available are left out.",
  }),
  lastMovementAt: nullable(
    moment("When the ledger last had an entry for the SKU here, reservations included; null: never."),
  ),
};

const item = Type.Object(quantities, {
  ...closed,
  title: "InventoryItem",
  description: "Stock of one SKU in one facility.",
});

export type InventoryItem = Static<typeof item>;

export const lot = Type.Object(
  {
    batchRef: maybeText("Batch; null for none.", "B-2026-11"),
    expiryDate: nullable(
      Type.String({
        format: "date",
        description: "Last day on which the goods are good; null for none.",
        examples: ["2027-03-31"],
      }),
    ),
    receivedAt: moment("Since when the lot has had stock without interruption."),
    condition: Type.Enum([...conditions], {
      type: "string",
      title: "StockCondition",
      description: "Condition of the goods. Expired goods stay GOOD and count as on hold.",
      examples: ["GOOD"],
    }),
    stockPool: stockPoolField,
    qty: quantity("On hand of the lot in this condition."),
    allocated: quantity("Of this, held by orders and work orders."),
    serials: Type.Array(Type.String({ description: "Serial number.", examples: ["SN-000123"] }), {
      description:
        "Serial numbers of the units, where the item captures them, by name: at most 1000 of a lot and 20000 in one answer.",
    }),
    serialsTruncated: Type.Boolean({
      description: "Whether the lot may have more serial numbers than are listed.",
      examples: [false],
    }),
  },
  { ...closed, title: "InventoryLot", description: "Stock on hand of a lot, in one condition." },
);

export type InventoryLot = Static<typeof lot>;

export const detailedItem = Type.Object(
  {
    ...quantities,
    lots: Type.Array(lot, {
      description: "Lots with stock on hand, the first to expire first; at most 20000 in one answer.",
    }),
    lotsTruncated: Type.Boolean({
      description: "Whether there may be more lots than are listed: request this SKU with fewer others.",
      examples: [false],
    }),
  },
  { ...closed, title: "InventoryDetails", description: "Stock of one SKU in one facility, by lot." },
);

export type InventoryDetails = Static<typeof detailedItem>;

const head = {
  clientId: Type.String({ description: "Client.", examples: ["DEMO"] }),
  distributionCentre,
  asOf: moment("Time of the figures."),
  position: Type.Integer({
    minimum: 0,
    description: "Position of the last ledger entry of client and facility that the quantities include.",
    examples: [4_711],
  }),
};

const itemsOf = { description: "Every requested SKU once, in the order of the request." };

export const inventory = Type.Object(
  { ...head, items: Type.Array(item, itemsOf) },
  { ...closed, title: "Inventory", description: "Stock of the requested SKUs." },
);

export const detailedInventory = Type.Object(
  { ...head, items: Type.Array(detailedItem, itemsOf) },
  { ...closed, title: "DetailedInventory", description: "Stock of the requested SKUs, by lot." },
);

export type DetailedInventory = Static<typeof detailedInventory>;

export const inventoryPage = Type.Object(
  {
    ...head,
    position: Type.Integer({
      minimum: 0,
      description:
        "Position of the last ledger entry that the first page includes, on all pages: sent as changedSincePosition later, it answers the changes since.",
      examples: [4_711],
    }),
    ...pageOf(item, "").properties,
  },
  { ...closed, title: "InventoryPage", description: "Stock of a facility by SKU." },
);

export const lookupQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const skuListRequest = Type.Object(
  {
    clientId: clientIdParameter,
    distributionCentre,
    products: Type.Array(sku, {
      minItems: 1,
      maxItems: skusMax,
      description: "SKUs to look up. The name `skus` is accepted as well.",
      [alsoNamed]: ["skus"],
    }),
  },
  { ...closed, title: "InventoryLookup", description: "SKUs and facility to look up." },
);

export const skuQuery = Type.Object({ clientId: clientIdParameter, distributionCentre, sku }, closed);

export const inventoryListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    distributionCentre,
    changedSincePosition: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: positionMax,
        description:
          "Only SKUs with a ledger entry after this position, reservations included. Expected, returning and back-ordered quantities have no position, nor have dates and the rules of items, which change unsellable.",
        examples: [4_711],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

/** A cursor continues where it stopped, in the same facility. */
export const inventoryCursor = defineCursor(
  "inventory",
  Type.Object({
    facility: placeText(),
    since: Type.Optional(Type.Integer({ minimum: 0, maximum: positionMax })),
    /** The last SKU that was listed. */
    sku: placeText(),
    /** The position that the first page returned. */
    position: Type.Integer({ minimum: 0, maximum: positionMax }),
  }),
);
