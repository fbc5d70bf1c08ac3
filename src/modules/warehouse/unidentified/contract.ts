import Type, { type Static } from "typebox";
import { defineReceiptCursors, pageOf, pageParameters, receiptSortParameter } from "#/http/requests/paging.ts";
import {
  auditedReason,
  clientIdParameter,
  closed,
  identifier,
  maybeText,
  moment,
  newIdentifier,
  nullable,
  quantity,
  text,
} from "#/http/routes/schema.ts";
import {
  clientIdField,
  conditionField,
  lines,
  lotFields,
  positive,
  reportFields,
  skuField,
} from "#/modules/warehouse/reports/report-schema.ts";
import { unidentifiedOutcomes, unidentifiedStates } from "#/modules/warehouse/unidentified/states.ts";

/** Goods that a warehouse received without a purchase order: the report of the port, and the record of the REST services. */
const goods = (description: string) =>
  lines(
    {
      sku: skuField,
      qty: positive("Counted, in the stock unit."),
      condition: Type.Optional(conditionField("Condition of the goods; default GOOD.")),
      ...lotFields,
    },
    description,
    0,
  );

const packages = Type.Integer({ minimum: 1, maximum: 100_000, description: "Packages that came.", examples: [3] });

export const unidentifiedReport = Type.Object(
  {
    clientId: clientIdField,
    receiptId: newIdentifier(
      "The warehouse's identifier of the receipt; the goods receipt has it once the goods are bound.",
      "RCV-7",
    ),
    packages,
    sscc: Type.Optional(newIdentifier("SSCC on the goods.", "340123450000000086")),
    carrierCode: Type.Optional(newIdentifier("Carrier that brought them.", "HAULIER")),
    trackingNumber: Type.Optional(newIdentifier("Number at the carrier.", "JD014600006281230711")),
    marks: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: "What is written on them.",
        examples: ["Oak & Sons, order 1180, box 1 to 3"],
      }),
    ),
    lines: Type.Optional(goods("The goods, as far as they are known; left out: not counted.")),
    ...reportFields,
  },
  {
    ...closed,
    title: "UnidentifiedReceiptReport",
    description: "Goods of a client that came without a known purchase order.",
  },
);
export type UnidentifiedBody = Static<typeof unidentifiedReport>;

const status = Type.Enum([...unidentifiedStates], {
  type: "string",
  title: "UnidentifiedReceiptStatus",
  description: "State of the goods.",
  examples: ["WAITING"],
});

const unidentifiedId = identifier("Identifier of the goods.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b42");

export const unidentifiedReceipt = Type.Object(
  {
    unidentifiedId,
    clientId: text("Client.", "DEMO"),
    distributionCentre: text("Facility where they are.", "DC1"),
    receiptId: text("The warehouse's identifier of the receipt.", "RCV-7"),
    status,
    packages,
    sscc: maybeText("SSCC on the goods.", "340123450000000086"),
    carrierCode: maybeText("Carrier that brought them.", "HAULIER"),
    trackingNumber: maybeText("Number at the carrier.", "JD014600006281230711"),
    marks: maybeText("What is written on them.", "Oak & Sons, order 1180, box 1 to 3"),
    lines: Type.Array(
      Type.Object(
        {
          sku: text("Product.", "MUG-BLUE-330"),
          qty: quantity("Counted, in the stock unit."),
          condition: Type.Optional(text("Condition of the goods; absent: GOOD.", "GOOD")),
          stockPool: Type.Optional(text("Stock pool; absent: DEFAULT.", "DEFAULT")),
          batchRef: Type.Optional(text("Batch.", "B-2026-11")),
          expiryDate: Type.Optional(text("Last good day.", "2027-03-31")),
          serials: Type.Optional(
            Type.Array(text("A serial number.", "SN-000123"), { description: "Its serial numbers." }),
          ),
        },
        { ...closed, title: "UnidentifiedGoods", description: "Goods of a product, as the warehouse counted them." },
      ),
      { description: "The goods, as far as they are known; empty: not counted." },
    ),
    occurredAt: moment("When they came."),
    poNumber: maybeText("The purchase order that they were bound to.", "PO-7001"),
    vendorOrderId: maybeText("Its shipping notice; null for none.", "V-88"),
    reason: maybeText("Why they were bound or closed.", "The supplier sent them without a notice"),
    receivedAt: moment("When the warehouse reported them."),
    settledAt: nullable(moment("When they were bound or closed.")),
    updatedAt: moment("When they last changed."),
    version: Type.Integer({ description: "Counts up with every change; also in the ETag.", examples: [1] }),
  },
  {
    ...closed,
    title: "UnidentifiedReceipt",
    description: "Goods without a purchase order. While they are WAITING they are outside the stock.",
  },
);
export type UnidentifiedReceipt = Static<typeof unidentifiedReceipt>;
export const unidentifiedStatus = status;
export const unidentifiedPage = pageOf(unidentifiedReceipt, "Goods without a purchase order, by receipt.");

export const unidentifiedBind = Type.Object(
  {
    clientId: clientIdParameter,
    poNumber: identifier("The purchase order of the goods, at the same facility.", "PO-7001"),
    vendorOrderId: Type.Optional(identifier("Vendor order, where the purchase order has several.", "V-88")),
    lines: Type.Optional(
      goods(
        "What was counted, in the place of what the warehouse reported; required where it reported no lines and the purchase order does not announce the SSCC with its content.",
      ),
    ),
    reason: auditedReason("The supplier sent them without a notice"),
  },
  { ...closed, title: "UnidentifiedReceiptBind", description: "The purchase order of the goods." },
);
export type UnidentifiedBind = Static<typeof unidentifiedBind>;

export const unidentifiedClose = Type.Object(
  {
    clientId: clientIdParameter,
    outcome: Type.Enum([...unidentifiedOutcomes], {
      type: "string",
      title: "UnidentifiedReceiptOutcome",
      description:
        "RETURNED to the sender; DISPOSED of; or REPORTED by the warehouse otherwise: as a receipt, a return or an adjustment.",
      examples: ["RETURNED"],
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Why; stored with the goods and in the audit log.",
      examples: ["Delivered to the wrong house"],
    }),
  },
  { ...closed, title: "UnidentifiedReceiptClose", description: "What became of the goods." },
);
export type UnidentifiedClose = Static<typeof unidentifiedClose>;

export const unidentifiedPath = Type.Object({ unidentifiedId }, closed);

export const unidentifiedQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const unidentifiedListQuery = Type.Object(
  {
    clientId: clientIdParameter,
    status: Type.Optional(status),
    distributionCentre: Type.Optional(identifier("Goods at this facility.", "DC1")),
    updatedSince: Type.Optional(moment("Changed at or after this time; may repeat earlier answers.")),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

export const unidentifiedCursors = defineReceiptCursors("unidentifiedReceipts");
