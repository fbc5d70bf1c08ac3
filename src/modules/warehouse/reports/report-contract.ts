import Type, { type Static } from "typebox";
import { closed, identifier, moment, newIdentifier } from "#/http/routes/schema.ts";
import { dispositionField } from "#/modules/returns/index.ts";
import {
  clientIdField,
  conditionField,
  lineNumberField,
  lines,
  lotFields,
  olpnIdField,
  positive,
  reasonCodeField,
  reportFields,
  serialsField,
  signed,
  skuField,
  text,
  zeroOrMore,
} from "#/modules/warehouse/reports/report-schema.ts";

// The bodies of the reports, with the fields of warehouse.md.

const client = { clientId: clientIdField };
const optionalClient = { clientId: Type.Optional(clientIdField) };
const orderId = identifier("The order.", "WEB-100045");
const olpnIds = Type.Array(olpnIdField, { minItems: 1, maxItems: 10_000, description: "Parcels." });
const loadId = newIdentifier("Load: parcels that leave together in one vehicle.", "LOAD-7");
const optionalCondition = Type.Optional(conditionField("Condition of the goods; default GOOD."));

export const goodsReceiptReport = Type.Object(
  {
    ...client,
    poNumber: Type.Optional(identifier("The purchase order; it may be left out beside sscc.", "PO-4711")),
    vendorOrderId: Type.Optional(identifier("Vendor order, where the purchase order has several.", "V-1")),
    sscc: Type.Optional(
      identifier(
        "A carton that the purchase order announces; without lines it came as announced.",
        "340123450000000017",
      ),
    ),
    receiptId: newIdentifier("The warehouse's identifier of the receipt.", "RCV-1"),
    correctsReceiptId: Type.Optional(identifier("The receipt that this one replaces.", "RCV-0")),
    lines: Type.Optional(
      lines(
        {
          lineNumber: Type.Optional(lineNumberField),
          sku: skuField,
          qty: positive("Received."),
          condition: optionalCondition,
          ...lotFields,
        },
        "Received quantities; empty or left out in a correction to nothing, when the order is only closed, or beside sscc.",
        0,
      ),
    ),
    closeOrder: Type.Optional(Type.Boolean({ description: "No further goods are expected.", examples: [false] })),
    ...reportFields,
  },
  { ...closed, title: "GoodsReceiptReport", description: "Received quantities of a purchase order." },
);

export const pickReport = Type.Object(
  {
    ...client,
    orderId,
    lines: lines({
      lineNumber: lineNumberField,
      qtyPicked: zeroOrMore("Picked."),
      qtyShort: Type.Optional(zeroOrMore("Quantity not found.")),
      ...lotFields,
    }),
    ...reportFields,
  },
  { ...closed, title: "PickReport", description: "Picked and short quantities of an order." },
);

const olpn = Type.Object(
  {
    olpnId: Type.Optional(olpnIdField),
    weight: positive("Weight of the parcel."),
    weightUomCode: text("Unit of weight.", "KG", 10),
    length: Type.Optional(positive("Length.")),
    width: Type.Optional(positive("Width.")),
    height: Type.Optional(positive("Height.")),
    dimensionsUomCode: Type.Optional(text("Unit of length.", "CM", 10)),
    contents: lines(
      {
        lineNumber: lineNumberField,
        qty: positive("Packed quantity of the line."),
        batchRef: lotFields.batchRef,
        serials: Type.Optional(serialsField),
      },
      "Contents of the parcel.",
    ),
    carrierCode: Type.Optional(identifier("Carrier, if the warehouse has chosen it.", "RM")),
    carrierServiceCode: Type.Optional(identifier("Service of the carrier.", "RM48")),
    trackingNumber: Type.Optional(newIdentifier("Tracking number of the carrier.", "RM123456785GB")),
  },
  closed,
);

export const packReport = Type.Object(
  {
    ...client,
    orderId,
    olpns: Type.Array(olpn, { minItems: 1, maxItems: 1_000, description: "Created parcels." }),
    ...reportFields,
  },
  { ...closed, title: "PackReport", description: "Parcels (OLPNs) of an order." },
);

export const loadReport = Type.Object(
  {
    ...optionalClient,
    loadId,
    olpnIds,
    vehicle: Type.Optional(text("Vehicle.", "B-XY 123")),
    ...reportFields,
  },
  { ...closed, title: "LoadReport", description: "Parcels loaded to a vehicle." },
);

export const despatchReport = Type.Object(
  { ...optionalClient, loadId: Type.Optional(loadId), olpnIds: Type.Optional(olpnIds), ...reportFields },
  { ...closed, title: "DespatchReport", description: "Departure of parcels, or of a load: name one of the two." },
);

export const parcelVoidReport = Type.Object(
  { ...client, olpnId: olpnIdField, ...reportFields },
  { ...closed, title: "ParcelVoidReport", description: "A parcel is voided before it leaves." },
);

export const loadRemoveReport = Type.Object(
  { ...optionalClient, loadId, olpnIds, ...reportFields },
  { ...closed, title: "LoadRemoveReport", description: "Parcels are removed from a load before it leaves." },
);

export const cancelReport = Type.Object(
  {
    ...client,
    orderId,
    lines: lines({
      lineNumber: lineNumberField,
      outcome: Type.Enum(["CANCELLED", "TOO_LATE"], {
        type: "string",
        description: "Whether the line could still be cancelled.",
        examples: ["CANCELLED"],
      }),
      qty: Type.Optional(positive("Cancelled quantity; left out: the requested quantity.")),
    }),
    ...reportFields,
  },
  { ...closed, title: "CancelReport", description: "Answer to a cancel request, line by line." },
);

export const returnReport = Type.Object(
  {
    ...client,
    rmaNumber: Type.Optional(identifier("The return authorisation.", "RMA-1")),
    olpnId: Type.Optional(olpnIdField),
    returnId: Type.Optional(newIdentifier("The warehouse's identifier of the return.", "RET-1")),
    lines: lines(
      {
        lineNumber: Type.Optional(lineNumberField),
        sku: skuField,
        qty: positive("Came back."),
        disposition: dispositionField,
        returnReasonCode: Type.Optional(identifier("Code of the reason why the goods came back.", "REFUSED")),
        note: Type.Optional(text("A remark.", "box opened", 1_000)),
        ...lotFields,
      },
      "Returned goods; empty where the return is only closed.",
      0,
    ),
    close: Type.Optional(Type.Boolean({ description: "No further goods are expected.", examples: [false] })),
    ...reportFields,
  },
  {
    ...closed,
    title: "ReturnReport",
    description: "Returned quantities, graded: of an RMA, of a parcel that came back to its sender, or blind.",
  },
);

export const adjustmentReport = Type.Object(
  {
    ...client,
    adjustmentId: newIdentifier("The warehouse's identifier of the adjustment.", "ADJ-1"),
    reasonCode: reasonCodeField,
    lines: lines({ sku: skuField, qty: signed("Signed quantity."), condition: optionalCondition, ...lotFields }),
    ...reportFields,
  },
  { ...closed, title: "AdjustmentReport", description: "A difference of the stock." },
);

export const holdReport = Type.Object(
  {
    ...client,
    reasonCode: reasonCodeField,
    lines: lines({
      sku: skuField,
      qty: positive("Quantity."),
      fromCondition: conditionField("Previous condition."),
      toCondition: conditionField("New condition."),
      ...lotFields,
    }),
    ...reportFields,
  },
  { ...closed, title: "HoldReport", description: "Stock changes its condition." },
);

export const countReport = Type.Object(
  {
    ...client,
    countId: newIdentifier(
      "The warehouse's identifier of the count, or the objectId of the COUNT task that it answers.",
      "CNT-1",
    ),
    includesStaged: Type.Optional(
      Type.Boolean({ description: "Picked and packed units were counted too.", examples: [false] }),
    ),
    lines: lines({ sku: skuField, countedQty: zeroOrMore("Counted."), condition: optionalCondition, ...lotFields }),
    ...reportFields,
  },
  { ...closed, title: "CountReport", description: "A count; its difference becomes an adjustment." },
);

export const workOrderReport = Type.Object(
  {
    ...client,
    workOrderId: identifier("The work order.", "WO-1"),
    finishedGood: Type.Optional(
      Type.Object({ qty: positive("Produced."), ...lotFields }, { ...closed, description: "Finished goods." }),
    ),
    components: Type.Optional(
      lines(
        {
          sku: skuField,
          qty: positive("Consumed."),
          reason: Type.Optional(text("Reason, if it is not production: SCRAP.", "SCRAP", 64)),
          ...lotFields,
        },
        "Consumed components.",
      ),
    ),
    close: Type.Optional(Type.Boolean({ description: "No further goods are made.", examples: [false] })),
    ...reportFields,
  },
  { ...closed, title: "WorkOrderReport", description: "Finished goods produced, components consumed." },
);

export const transferReport = Type.Object(
  {
    ...client,
    transferId: identifier("The transfer.", "TR-100"),
    lines: lines({ sku: skuField, qty: positive("Shipped."), ...lotFields }, "What ships, all of it."),
    carrierCode: Type.Optional(identifier("Carrier.", "HAULIER")),
    trackingNumber: Type.Optional(identifier("Number of the consignment.", "CN-88120")),
    ...reportFields,
  },
  { ...closed, title: "TransferReport", description: "Goods that leave for another facility." },
);

export const carrierEventReport = Type.Object(
  {
    ...optionalClient,
    olpnId: Type.Optional(olpnIdField),
    trackingNumber: Type.Optional(identifier("Tracking number of the carrier.", "RM123456785GB")),
    eventCode: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 999, description: "Code of the platform, above 100.", examples: [160] }),
    ),
    carrierEventCode: Type.Optional(text("Code of the carrier.", "out_for_delivery", 100)),
    location: Type.Optional(text("Where.", "Bristol depot")),
    text: Type.Optional(text("Text of the carrier.", "With the driver", 1_000)),
    ...reportFields,
    occurredAt: moment("When it happened."),
  },
  {
    ...closed,
    title: "CarrierEventReport",
    description: "An event of a parcel: the parcel by one of its numbers, the event by one of its codes.",
  },
);

export type GoodsReceiptBody = Static<typeof goodsReceiptReport>;
export type PickBody = Static<typeof pickReport>;
export type PackBody = Static<typeof packReport>;
export type LoadBody = Static<typeof loadReport>;
export type DespatchBody = Static<typeof despatchReport>;
export type ParcelVoidBody = Static<typeof parcelVoidReport>;
export type LoadRemoveBody = Static<typeof loadRemoveReport>;
export type CancelBody = Static<typeof cancelReport>;
export type ReturnBody = Static<typeof returnReport>;
export type AdjustmentBody = Static<typeof adjustmentReport>;
export type HoldBody = Static<typeof holdReport>;
export type CountBody = Static<typeof countReport>;
export type WorkOrderBody = Static<typeof workOrderReport>;
export type TransferBody = Static<typeof transferReport>;
export type CarrierEventBody = Static<typeof carrierEventReport>;
