import Type, { type Static } from "typebox";
import { defineCursor, pageOf, pageParameters, placeText, startCursor } from "#/http/requests/paging.ts";
import {
  clientIdParameter,
  closed,
  identifier,
  maybeText,
  moment,
  nullable,
  quantity,
  text,
} from "#/http/routes/schema.ts";
import { conditions, reservationOwners } from "#/modules/inventory/index.ts";
import { addressOf, orderStates } from "#/modules/orders/index.ts";
import { parcelStatuses } from "#/modules/parcels/index.ts";
import { dispositionField } from "#/modules/returns/index.ts";

/** The trace of a lot, and its hold, in the Inventory service (contract rest.md §3, §4). */

/** Steps of work orders that a trace follows. */
export const levelsMax = 5;
export const lotsMax = 100;
export const entriesMax = 200;
export const stockMax = 1_000;

const sku = text("Product.", "OIL-OLIVE-500");
const lotNumber = text("Lot: the batchRef of stock, receipts and parcels.", "B-2026-11");
const distributionCentre = text("Facility.", "DC1");
const stockPool = text("Stock pool.", "DEFAULT");
const expiryDate = nullable(
  Type.String({ format: "date", description: "Last good day; null for none.", examples: ["2027-03-31"] }),
);
const serials = (of: string) =>
  Type.Array(text("Serial number.", "SN-000123"), { description: `Serial numbers ${of}, where the item has them.` });
const condition = Type.Enum([...conditions], {
  type: "string",
  title: "StockCondition",
  description: "Condition of the goods.",
  examples: ["GOOD"],
});
const workOrderId = text("Work order.", "WO-7001");

export const tracedLot = Type.Object(
  {
    sku,
    lotNumber,
    level: Type.Integer({
      description: "Work orders between this lot and the requested one, which is 0.",
      examples: [1],
    }),
    workOrderId: nullable(text("The work order that made it; null for the requested one.", "WO-7001")),
  },
  { ...closed, title: "TracedLot", description: "The requested lot, or one that was made from it." },
);

export const lotStock = Type.Object(
  {
    sku,
    lotNumber: maybeText("Lot; null: a unit without a batch.", "B-2026-11"),
    distributionCentre,
    stockPool,
    condition,
    isHeld: Type.Boolean({ description: "Whether the condition keeps it from being sold.", examples: [true] }),
    expiryDate,
    qty: quantity("On hand in this condition."),
    allocated: quantity("Of this, held by orders and work orders."),
  },
  { ...closed, title: "LotStock", description: "Stock left of a lot." },
);

export const lotReceipt = Type.Object(
  {
    sku,
    lotNumber,
    poNumber: text("Purchase order.", "PO-2026-0042"),
    vendorOrderId: maybeText("Its shipping notice.", "ASN-1"),
    receiptId: text("Receipt of the warehouse.", "R-2026-0815"),
    distributionCentre,
    bookedAt: moment("When it was booked."),
    correctedBy: maybeText("The receipt that corrects it: this one counts no more.", "R-2026-0816"),
    condition,
    expiryDate,
    qty: quantity("What came, in stock units."),
  },
  { ...closed, title: "LotReceipt", description: "Goods of a lot that a purchase order brought." },
);

export const lotUse = Type.Object(
  {
    workOrderId,
    componentSku: text("Component.", "OIL-OLIVE-500"),
    componentLotNumber: maybeText("Its lot; null: without a batch.", "B-2026-11"),
    goodsSku: text("Finished good.", "GIFT-SET-1"),
    goodsLotNumber: maybeText(
      "Lot of the finished good; null: it has none, or the component was reported without it, and counts for every lot of the work order.",
      "G-2026-12",
    ),
    qty: quantity("Consumed quantity of the component, in stock units."),
    bookedAt: moment("When it was last consumed."),
  },
  { ...closed, title: "LotUse", description: "A lot that a work order consumed, and what it made of it." },
);

export const lotReservation = Type.Object(
  {
    sku,
    lotNumber,
    ownerType: Type.Enum([...reservationOwners], {
      type: "string",
      title: "ReservationOwner",
      description: "What holds the goods.",
      examples: ["ORDER"],
    }),
    ownerId: text("Its orderId, workOrderId or transferId.", "WEB-100045"),
    distributionCentre,
    qtyAllocated: quantity("Reserved and not yet picked: a hold of the lot frees it."),
    qtyPicked: quantity("Picked."),
    qtyPacked: quantity("Packed, and not yet despatched."),
  },
  { ...closed, title: "LotReservation", description: "Stock of a lot that an order or a work order has." },
);

export const lotReturn = Type.Object(
  {
    sku,
    lotNumber: maybeText("Lot as the warehouse reported it; null: none.", "B-2026-11"),
    rmaNumber: maybeText("Return; null: it was not announced.", "RMA-5001"),
    olpnId: maybeText("The parcel that came back to its sender.", "006141410000000012"),
    returnId: maybeText("Identifier of a return with neither.", "RET-17"),
    distributionCentre,
    disposition: dispositionField,
    qty: quantity("In stock units."),
    serials: serials("of the units"),
    bookedAt: moment("When it was booked."),
  },
  { ...closed, title: "LotReturn", description: "Goods of a lot that came back." },
);

export const lotParcel = Type.Object(
  {
    olpnId: text("Parcel: an SSCC-18.", "006141410000000012"),
    status: Type.Enum([...parcelStatuses], {
      type: "string",
      title: "OlpnStatus",
      description: "State of the parcel.",
      examples: ["DELIVERED"],
    }),
    carrierCode: maybeText("Carrier.", "RM"),
    trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
    trackingUrl: maybeText("Where the carrier shows the parcel.", "https://carrier.example/RM123456785GB"),
    despatchedAt: nullable(moment("When it left.")),
    qty: quantity("Quantity of the lot in the parcel, in stock units."),
    serials: serials("of these units"),
  },
  { ...closed, title: "LotParcel", description: "A parcel with goods of the lot." },
);

export const lotOrder = Type.Object(
  {
    sku,
    lotNumber: maybeText("Lot in the parcels; null: without a batch, found by its serial number.", "B-2026-11"),
    orderId: text("Order.", "WEB-100045"),
    externalOrderReference: maybeText("The client's own reference.", "SHOP-2026-77812"),
    status: Type.Enum([...orderStates], {
      type: "string",
      title: "OrderStatus",
      description: "State of the order.",
      examples: ["DELIVERED"],
    }),
    distributionCentre,
    qty: quantity("Despatched quantity of the lot, in stock units."),
    despatchedAt: nullable(moment("When goods of the lot last left with the order.")),
    shipToAddress: addressOf("Delivery address; its fields are null once they are erased."),
    personalDataErasedAt: nullable(moment("When names and addresses of the order were erased.")),
    parcels: Type.Array(lotParcel, { description: "The order's parcels with goods of the lot, by time of packing." }),
  },
  { ...closed, title: "LotOrder", description: "An order that goods of the lot left with, and who got them." },
);
export type LotOrder = Static<typeof lotOrder>;

export const lotOrderPage = pageOf(lotOrder, "Orders that goods of a lot left with, lot by lot, by orderId.");

const section = <Item extends ReturnType<typeof Type.Object>>(item: Item, description: string) =>
  Type.Array(item, { description });
const truncated = (what: string) =>
  Type.Boolean({ description: `Whether there are more ${what} than are listed.`, examples: [false] });

export const lotTrace = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    sku,
    lotNumber: maybeText("Lot; null: the unit of the serial number has no batch.", "B-2026-11"),
    serialNumber: maybeText("The requested serial number.", "SN-000123"),
    found: Type.Boolean({ description: "Whether anything is known of the lot or unit.", examples: [true] }),
    asOf: moment("Time of the answer."),
    lots: section(tracedLot, `The lots of all sections: at most ${lotsMax}, over at most ${levelsMax} levels.`),
    lotsTruncated: truncated("lots"),
    stock: section(lotStock, `Stock left, by facility, pool and condition: at most ${stockMax}.`),
    stockTruncated: truncated("places"),
    reservations: section(lotReservation, `What orders and work orders have of it: at most ${stockMax}.`),
    reservationsTruncated: truncated("reservations"),
    receipts: section(lotReceipt, `Receipts of purchase orders, the newest first: at most ${entriesMax}.`),
    receiptsTruncated: truncated("receipts"),
    components: section(lotUse, `What the requested lot was made of: at most ${entriesMax}.`),
    componentsTruncated: truncated("components"),
    uses: section(lotUse, `Work orders that consumed the lots, and what they made: at most ${entriesMax}.`),
    usesTruncated: truncated("uses"),
    returns: section(lotReturn, `What came back, the newest first: at most ${entriesMax}.`),
    returnsTruncated: truncated("returns"),
    orders: section(lotOrder, "The first orders that goods of the lots left with, as many as `limit`."),
    ordersNextCursor: maybeText(
      "`cursor` of `lot/orders` for the orders after these; null: there are no more.",
      startCursor,
    ),
  },
  { ...closed, title: "LotTrace", description: "Where a lot came from, where it is, and who got it." },
);
export type LotTrace = Static<typeof lotTrace>;

const lotQuery = {
  clientId: clientIdParameter,
  sku: identifier("Product.", "OIL-OLIVE-500"),
  lotNumber: Type.Optional(identifier("Lot; or name a serial number.", "B-2026-11")),
  serialNumber: Type.Optional(identifier("Unit, in place of a lot; a lotNumber beside it is not read.", "SN-000123")),
};

export const traceQuery = Type.Object({ ...lotQuery, limit: pageParameters.limit }, closed);
export const lotOrderQuery = Type.Object({ ...lotQuery, ...pageParameters }, closed);
export type LotQuery = Static<typeof lotOrderQuery>;

/** The place of an order: that of its lot in the trace, and the order. */
export const lotOrderCursor = defineCursor(
  "lot-orders",
  Type.Object({ lot: Type.Integer({ minimum: 0, maximum: lotsMax }), orderId: placeText() }),
);

export const lotChangeQuery = Type.Object({ clientId: clientIdParameter }, closed);

const changeOf = (title: string, description: string) =>
  Type.Object(
    {
      clientId: clientIdParameter,
      sku: identifier("Product.", "OIL-OLIVE-500"),
      lotNumber: identifier("Lot.", "B-2026-11"),
      reason: Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Why; stored in the audit log.",
        examples: ["Recall 2026-17: glass in bottles"],
      }),
      distributionCentre: Type.Optional(identifier("Only in this facility; left out: in all.", "DC1")),
    },
    { ...closed, title, description },
  );

export const lotHold = changeOf("LotHold", "The lot whose stock is put on hold.");
export const lotRelease = changeOf("LotRelease", "The lot whose held stock is released.");
export type LotChangeRequest = Static<typeof lotHold>;

const lotChangeEntry = Type.Object(
  {
    distributionCentre,
    adjustmentId: text("Name of the change in the ledger and in the ADJ.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"),
    qty: quantity("Quantity that changed its condition, in stock units."),
  },
  { ...closed, title: "LotChangeEntry", description: "The change in one facility." },
);

export const lotChange = Type.Object(
  {
    clientId: text("Client.", "DEMO"),
    sku,
    lotNumber,
    qty: quantity("Quantity that changed its condition; 0 where nothing was left to do."),
    qtyInHand: quantity("Of the lot, picked or packed for orders and work orders: it stays with them."),
    changes: section(lotChangeEntry, "By facility; those without a change are left out."),
  },
  { ...closed, title: "LotChange", description: "What a hold or release of a lot changed." },
);
export type LotChange = Static<typeof lotChange>;
