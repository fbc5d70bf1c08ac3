import Type, { type Static } from "typebox";
import { scopeParameters } from "#/http/access/operator.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { defineCursor, pageOf, pageParameters, placeDay, placeMoment, placeText } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, quantity, text } from "#/http/routes/schema.ts";
import { unsellableStock } from "#/modules/inventory/index.ts";

/**
 * Stock for operators (lifecycle.md §8): levels over all clients, lots, the ledger as a statement, and expiring lots.
 */
const clientId = Type.String({ description: "Client.", examples: ["DEMO"] });
const distributionCentre = Type.String({ description: "Facility.", examples: ["DC1"] });
const sku = Type.String({ description: "Product.", examples: ["MUG-BLUE-330"] });
const day = (description: string, example = "2027-03-31") =>
  Type.String({ format: "date", description, examples: [example] });

/** A day that a request names, limited to the years that times may have. */
export const namedDay = (description: string, example?: string) =>
  Type.Refine(
    day(description, example),
    (value) => readDateTime(`${value}T00:00:00Z`) !== undefined,
    () => "must be a date such as 2027-03-31",
  );
const askedDay = (description: string) => Type.Optional(namedDay(description));

const name = maybeText("Name of the item; null: in no catalogue.", "Mug, blue, 330 ml");

const level = Type.Object(
  {
    clientId,
    distributionCentre,
    sku,
    name,
    onHand: quantity("All conditions, until despatch or consumption."),
    available: quantity("What can be sold: onHand − allocated − unsellable."),
    allocated: quantity("Held by orders and work orders."),
    onHold: quantity("ON_HOLD, QUARANTINE, and GOOD that has expired."),
    damaged: quantity("DAMAGED."),
    unsellable: quantity(
      "Not allocated, and not allowed to be: onHold, damaged, too near its expiry for the item, or of an inactive item.",
    ),
    unsellableReasons: Type.Array(unsellableStock, {
      description: "unsellable by reason; reasons without stock are left out.",
    }),
    lots: Type.Integer({ description: "Lots with stock.", examples: [3] }),
    firstExpiry: nullable(day("Last good day of the lot that expires first; null where none does.")),
    lastMovementAt: moment("When its stock last moved."),
  },
  { ...closed, title: "StockLevel", description: "Stock of a product of a client in a facility, in stock units." },
);
export type StockLevel = Static<typeof level>;

export const storedLevel = Type.Omit(level, ["available", "unsellableReasons"]);

export const levelPage = pageOf(level, "Levels, in the order of the SKUs.");

export const levelQuery = Type.Object(
  {
    ...scopeParameters,
    text: Type.Optional(identifier("Beginning of the SKU.", "MUG")),
    isOnHold: Type.Optional(
      Type.Boolean({
        description: "True: only products with stock in condition ON_HOLD.",
        examples: [true],
      }),
    ),
    isUnavailable: Type.Optional(
      Type.Boolean({ description: "True: only products of which nothing is available.", examples: [true] }),
    ),
    isUnsellable: Type.Optional(
      Type.Boolean({ description: "True: only products with stock that cannot be sold.", examples: [true] }),
    ),
    expiresWithinDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_650,
        description:
          "Only products with a lot of good stock whose last day is today, in its facility, or within so many days.",
        examples: [30],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

export const levelCursor = defineCursor(
  "stock:levels",
  Type.Object({ sku: placeText(), clientId: placeText(), facilityCode: placeText() }),
);

const wanted = Type.Object(
  {
    clientId,
    distributionCentre,
    sku,
    name,
    lines: Type.Integer({ description: "Lines of orders that wait for it.", examples: [3] }),
    orders: Type.Integer({ description: "Orders that wait for it.", examples: [2] }),
    qty: quantity("Quantity that they wait for."),
    oldestAcceptedAt: moment("When the first of them was accepted."),
  },
  { ...closed, title: "BackorderedProduct", description: "A product for which orders wait in a facility." },
);
export const storedWanted = Type.Omit(wanted, ["name"]);
export type StoredWanted = Static<typeof storedWanted>;

export const wantedPage = pageOf(wanted, "Products that orders wait for, in the order of the SKUs.");

export const wantedQuery = Type.Object({ ...scopeParameters, ...pageParameters }, closed);

const waiterKinds = ["ORDER", "WORK_ORDER"] as const;

export const stockWaiter = Type.Object(
  {
    kind: Type.Enum([...waiterKinds], {
      type: "string",
      description: "What waits: a line of an order, or a component of a work order.",
      examples: ["ORDER"],
    }),
    id: text("Its orderId or workOrderId.", "WEB-100045"),
    lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
    distributionCentre,
    status: maybeText("State of the order or work order.", "BACKORDERED"),
    priority: Type.Integer({ description: "1 is served first, 9 last.", examples: [5] }),
    qtyWanted: quantity("Quantity of the line."),
    qty: quantity("Of this, missing."),
    waitingSince: moment("When it was accepted: the order in which stock is allocated within a priority."),
    dueAt: nullable(moment("Despatch deadline of the order, or due date of the work order; null where it has none.")),
  },
  { ...closed, title: "StockWaiter", description: "A line that waits for a product." },
);
export type StockWaiter = Static<typeof stockWaiter>;
export const waiterPage = pageOf(
  stockWaiter,
  "What waits for the product in each facility, in the order of allocation.",
);

const waiterPlace = Type.Object({
  facilityCode: placeText(),
  priority: Type.Integer({ minimum: 0, maximum: 9 }),
  at: placeMoment,
  kind: placeText(),
  id: placeText(),
  lineNumber: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
});
export type WaiterPlace = Static<typeof waiterPlace>;
export const waiterCursor = defineCursor("stock:waiting", waiterPlace);

export const expectedStock = Type.Object(
  {
    poNumber: text("Number of the purchase order; of a transfer its transferId.", "PO-7001"),
    vendorOrderId: text("Vendor's order number, empty where there is none.", "V-1"),
    lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
    distributionCentre,
    fromFacility: maybeText("The facility that shipped the goods; null: they come from a vendor.", "DC2"),
    status: text("State of the purchase order: OPEN or RECEIVING.", "OPEN"),
    expectedDate: nullable(day("Day on which the goods are expected; null where the client named none.")),
    qty: quantity("Ordered, in stock units."),
    qtyReceived: quantity("Received."),
    receivedAt: moment("When the purchase order was announced."),
  },
  { ...closed, title: "ExpectedStock", description: "A line of an open purchase order of which goods are missing." },
);
export type ExpectedStock = Static<typeof expectedStock>;
export const expectedList = Type.Object(
  {
    items: Type.Array(expectedStock, { description: "The first to come first, those without a day last; up to 1000." }),
  },
  { ...closed, title: "ExpectedStockList", description: "What open purchase orders still bring of a product." },
);

const lotFields = {
  condition: text("GOOD, ON_HOLD, DAMAGED or QUARANTINE.", "GOOD"),
  stockPool: text("Stock pool.", "DEFAULT"),
  batchRef: maybeText("Batch; null for none.", "B-2026-11"),
  expiryDate: nullable(day("Last day on which the goods are good; null for none.")),
};

export const lot = Type.Object(
  {
    distributionCentre,
    ...lotFields,
    qty: quantity("Quantity of the lot, in stock units."),
    allocated: quantity("Of this, held by orders and work orders."),
    receivedAt: moment("Since when the lot has had stock without interruption."),
    lastMovementAt: moment("When it last moved."),
  },
  { ...closed, title: "StockLot", description: "A lot of a product." },
);

export const lotList = Type.Object(
  { clientId, sku, items: Type.Array(lot, { description: "Lots with stock, up to 1000." }) },
  { ...closed, title: "StockLotList", description: "Stock of a product, by lot." },
);
export type StockLot = Static<typeof lot>;

const namedClient = identifier("Client.", "DEMO");
const namedProduct = identifier("Product.", "MUG-BLUE-330");

export const lotQuery = Type.Object(
  {
    ...scopeParameters,
    clientId: namedClient,
    sku: namedProduct,
    batchRef: Type.Optional(identifier("Only lots of this batch.", "B-2026-11")),
  },
  closed,
);

const ofProduct = { ...scopeParameters, clientId: namedClient, sku: namedProduct };
export const waiterQuery = Type.Object({ ...ofProduct, ...pageParameters }, closed);
export const expectedQuery = Type.Object(ofProduct, closed);

const entry = Type.Object(
  {
    position: Type.Integer({ description: "Position in the ledger of client and facility.", examples: [4_711] }),
    at: moment("When it was booked."),
    occurredAt: moment("When it happened in the warehouse, as reported."),
    type: text("Kind of entry, such as RECEIPT, DESPATCH, ADJUSTMENT, HOLD; reservations too.", "RECEIPT"),
    ...lotFields,
    qty: quantity("Signed quantity, in stock units."),
    affectsOnHand: Type.Boolean({ description: "Whether qty counts towards onHand.", examples: [true] }),
    allocatedChange: quantity("Change of the allocated quantity."),
    onHandAfter: quantity("On hand of the product in the facility after this entry."),
    reason: maybeText("Reason code, where there is one.", "DAMAGE"),
    reference: Type.Object(
      {
        type: text("Kind of object.", "receipt"),
        id: text("Its identifier.", "R-2026-0815"),
        poNumber: maybeText("For a receipt: its purchase order.", "PO-7001"),
        vendorOrderId: maybeText("For a receipt: the vendor's order number.", "V-1"),
      },
      { ...closed, title: "StatementReference", description: "The document that caused the entry." },
    ),
  },
  { ...closed, title: "StatementEntry", description: "An entry of the ledger, with the balance after it." },
);
export type StatementEntry = Static<typeof entry>;
export const storedEntry = Type.Omit(entry, ["onHandAfter"]);
export type StoredEntry = Static<typeof storedEntry>;

export const statementPage = pageOf(entry, "Entries, the newest first.");

export const statementQuery = Type.Object(
  {
    clientId: namedClient,
    distributionCentre: identifier("Facility.", "DC1"),
    sku: namedProduct,
    from: askedDay("Only entries of this day of the facility or later ones, of the last 400 days; default: all."),
    to: askedDay("Only entries of this day of the facility or earlier ones; default: all."),
    ...pageParameters,
  },
  closed,
);

/** The cursor contains the balance, so that a page need not sum all later entries. */
export const statementCursor = defineCursor(
  "stock:statement",
  Type.Object({ of: placeText(400), position: Type.Integer({ minimum: 0 }), onHand: Type.Integer() }),
);

const expiring = Type.Object(
  {
    clientId,
    distributionCentre,
    sku,
    name,
    ...lotFields,
    expiryDate: day("Last day on which the goods are good."),
    daysLeft: Type.Integer({
      description: "Days until then in the facility; negative if it has passed.",
      examples: [12],
    }),
    qty: quantity("Quantity of the lot, in stock units."),
    allocated: quantity("Of this, held by orders and work orders."),
    despatchedPerDay: Type.Number({
      description: "Average daily despatches of the product in the facility over the last 30 days.",
      examples: [4.2],
    }),
    coverDays: nullable(
      Type.Number({
        description: "Days until the lot is sold at that pace; null without despatches.",
        examples: [20.5],
      }),
    ),
    atRisk: quantity("Quantity left at expiry, at that pace."),
  },
  { ...closed, title: "ExpiringLot", description: "A lot that expires, and the forecast of its sale." },
);
export type ExpiringLot = Static<typeof expiring>;
export const storedExpiring = Type.Omit(expiring, ["name", "daysLeft", "despatchedPerDay", "coverDays", "atRisk"]);
export type StoredExpiring = Static<typeof storedExpiring>;

export const expiringPage = pageOf(expiring, "Lots, the first to expire first.");

export const expiryKinds = ["EXPIRED", "EXPIRED_ALLOCATED", "EXPIRING"] as const;

export const expiryQuery = Type.Object(
  {
    ...scopeParameters,
    from: askedDay("First day; default: 400 days ago, which includes expired lots."),
    to: askedDay("Last day; default: in 90 days."),
    only: Type.Optional(
      Type.Enum([...expiryKinds], {
        type: "string",
        description:
          "Only lots of good stock, by the day of their facility. EXPIRED: past their last day; EXPIRED_ALLOCATED: also still allocated to orders or work orders; EXPIRING: last day within the next 30 days.",
        examples: ["EXPIRED"],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

export const expiryCursor = defineCursor(
  "stock:expiry",
  Type.Object({
    expiryDate: placeDay,
    clientId: placeText(),
    facilityCode: placeText(),
    sku: placeText(),
    lot: placeText(800),
  }),
);
