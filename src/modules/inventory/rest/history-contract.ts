import Type, { type Static } from "typebox";
import { readDateTime } from "#/http/requests/date-time.ts";
import {
  defineCursor,
  pageOf,
  pageParameters,
  placeDay,
  placeId,
  placeText,
  receiptSortParameter,
  startCursor,
} from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { type MovementType, reservationMovementTypes, stockMovementTypes } from "#/modules/inventory/ledger/ledger.ts";
import { conditions } from "#/modules/inventory/lot.ts";

/** The history part of the Inventory service: the ledger as a change feed, and ended days (rest.md §3, §4). */
const distributionCentre = identifier("Facility.", "DC1");
const sku = identifier("Product.", "MUG-BLUE-330");
const uom = Type.String({ description: "Stock unit, in which all quantities are.", examples: ["EA"] });
const stockPool = Type.String({ description: "Stock pool.", examples: ["DEFAULT"] });

const position = (description: string) => Type.Integer({ minimum: 0, description, examples: [4_711] });

const date = (description: string) => Type.String({ format: "date", description, examples: ["2026-11-20"] });

/** The date of a request, limited to the years that times may have. */
const askedDate = (description: string) =>
  Type.Refine(
    date(description),
    (text) => readDateTime(`${text}T00:00:00Z`) !== undefined,
    () => "must be a date such as 2026-11-20",
  );

const movementTypes: readonly MovementType[] = [...stockMovementTypes, ...reservationMovementTypes];

const movementType = (description: string) =>
  Type.Enum([...movementTypes], { type: "string", title: "MovementType", description, examples: ["RECEIPT"] });

export const movement = Type.Object(
  {
    position: position("Position of the entry in the ledger of client and facility; counts up without gaps."),
    at: moment("When it was booked; never before the entry before it."),
    occurredAt: moment("When it happened in the warehouse, as reported. Information only."),
    sku,
    type: movementType("Kind of entry. ALLOCATION, DEALLOCATION and PICK are about reservations only."),
    affectsOnHand: Type.Boolean({
      description: "Whether qty counts towards onHand. A change of condition is two entries that cancel out.",
      examples: [true],
    }),
    qty: quantity("Signed quantity, in stock units."),
    condition: Type.Enum([...conditions], {
      type: "string",
      title: "StockCondition",
      description: "Condition of the goods.",
      examples: ["GOOD"],
    }),
    lot: Type.Object(
      {
        stockPool,
        batchRef: maybeText("Batch; null for none.", "B-2026-11"),
        expiryDate: nullable(
          Type.String({
            format: "date",
            description: "Last day on which the goods are good; null for none.",
            examples: ["2027-03-31"],
          }),
        ),
      },
      { ...closed, title: "MovementLot", description: "Lot that the goods are of." },
    ),
    serials: Type.Array(Type.String({ description: "Serial number.", examples: ["SN-000123"] }), {
      description: "Serial numbers of the units, where the item captures them.",
    }),
    reference: Type.Object(
      {
        type: Type.String({
          description: "Kind of object: order, receipt, purchaseOrder, return, adjustment, count, workOrder.",
          examples: ["receipt"],
        }),
        id: Type.String({ description: "Its identifier.", examples: ["R-2026-0815"] }),
      },
      { ...closed, title: "MovementReference", description: "The object of the entry." },
    ),
    reason: maybeText("Reason code, where there is one.", "DAMAGE"),
  },
  { ...closed, title: "Movement", description: "An entry of the stock ledger." },
);

export type MovementRecord = Static<typeof movement>;

export const movementPage = Type.Object(
  {
    items: Type.Array(movement, {
      description:
        "Entries in the order of their positions, with 20000 serial numbers in one answer or those of one entry.",
    }),
    nextCursor: Type.String({
      description:
        "Sent as `cursor`, it answers later entries; never null. A page may be short, and one of one type empty, before the end: the end is reached when the same nextCursor is returned.",
      examples: [startCursor],
    }),
  },
  { ...closed, title: "MovementPage", description: "Entries of the stock ledger after a position." },
);

/** The highest position that JavaScript and the query represent exactly. */
const positionMax = 999_999_999_999_999;

export const movementListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    distributionCentre,
    sku: Type.Optional(identifier("Entries of this product only.", "MUG-BLUE-330")),
    type: Type.Optional(movementType("Entries of this kind only.")),
    sincePosition: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: positionMax,
        default: 0,
        description: "Begins after this position: of a snapshot, a look-up or a reconciliation. Ignored with a cursor.",
        examples: [4_711],
      }),
    ),
    ...pageParameters,
  },
  closed,
);

/** UUIDs have 48 bits for the milliseconds. */
const idMsMax = 2 ** 48 - 1;

/** A cursor continues where it stopped, in the same facility and with the same filters. */
export const movementCursor = defineCursor(
  "movements",
  Type.Object({
    facility: placeText(),
    sku: Type.Optional(placeText()),
    type: Type.Optional(placeText()),
    position: Type.Integer({ minimum: 0, maximum: positionMax }),
    /** Unix milliseconds: entries after the position were booked then or later, so older months need no read. */
    fromMs: Type.Integer({ minimum: 0, maximum: idMsMax }),
  }),
);

export const snapshot = Type.Object(
  {
    date: date("Day of the facility that ended with the midnight."),
    distributionCentre,
    position: position("Last position that was booked before the midnight."),
    takenAt: moment("When the snapshot was taken."),
  },
  { ...closed, title: "Snapshot", description: "Stock of a facility as of its midnight, kept for 400 days." },
);

export type SnapshotRecord = Static<typeof snapshot>;

export const snapshotPage = pageOf(snapshot, "Snapshots in the order in which they were taken.");

export const snapshotListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    distributionCentre: Type.Optional(identifier("Snapshots of this facility only.", "DC1")),
    from: Type.Optional(askedDate("Of this day or later ones.")),
    to: Type.Optional(askedDate("Of this day or earlier ones.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export type SnapshotListQuery = Static<typeof snapshotListQuery>;

export const snapshotCursors = {
  receivedAt: defineCursor("snapshots:receivedAt", placeId),
  "-receivedAt": defineCursor("snapshots:-receivedAt", placeId),
} as const;

const unrecorded = "null for a day without a snapshot, because the ledger does not record it.";

const snapshotRow = Type.Object(
  {
    date: date("Day of the facility that ended with the midnight."),
    distributionCentre,
    sku,
    onHand: quantity("All goods in the facility, whatever their condition."),
    available: quantity(
      "Quantity that could be allocated: onHand less allocated and unsellable, of the stock pools in the client's setting availablePools.",
    ),
    allocated: quantity("Held by orders and work orders, until despatch or consumption."),
    onHold: quantity("On hold, in quarantine, or expired."),
    damaged: quantity("Damaged."),
    unsellable: quantity(
      "Not allocated, and not allowed to be: onHold, damaged, too near its expiry for the item, or of an inactive item.",
    ),
    expected: nullable(quantity(`Open on purchase orders; ${unrecorded}`)),
    inReturn: nullable(quantity(`Authorised to come back and not yet received; ${unrecorded}`)),
    backordered: nullable(quantity(`Ordered and waiting for stock; ${unrecorded}`)),
    uom,
    stockPools: Type.Array(
      Type.Object(
        {
          stockPool,
          onHand: quantity("All goods of the pool."),
          available: quantity("Quantity of the pool that could be allocated."),
        },
        { ...closed, title: "SnapshotStockPool", description: "Stock of one pool." },
      ),
      { description: "By stock pool." },
    ),
  },
  { ...closed, title: "SnapshotRow", description: "Stock of a product at the end of the day." },
);

export type SnapshotRowRecord = Static<typeof snapshotRow>;

export const snapshotRowPage = Type.Object(
  {
    date: date("Day of the facility that ended with the midnight."),
    distributionCentre,
    asOf: moment("The facility's midnight that ended the day."),
    position: position("Last position that was booked before it."),
    takenAt: nullable(
      moment(
        "When the snapshot was taken; null where none was taken and the rows are computed from the ledger: the same for all rows with a position.",
      ),
    ),
    items: Type.Array(snapshotRow, {
      description: "Products in the order of their SKUs: those with stock, or a movement in the 400 days before.",
    }),
    nextCursor: pageOf(snapshotRow, "").properties.nextCursor,
  },
  { ...closed, title: "SnapshotRowPage", description: "Stock of a facility as of its midnight." },
);

export const snapshotPath = Type.Object(
  { date: askedDate("Day of the facility, in its own time zone; its midnight is the one that ended it.") },
  closed,
);

export const snapshotQuery = Type.Object(
  { clientId: clientIdParameter, distributionCentre, ...pageParameters },
  closed,
);

/** A cursor belongs to one day in one facility. */
export const snapshotRowCursor = defineCursor(
  "snapshotRows",
  Type.Object({
    facility: placeText(),
    date: placeDay,
    sku: placeText(),
  }),
);
