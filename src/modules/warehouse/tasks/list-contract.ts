import Type, { type Static } from "typebox";
import { defineCursor, pageParameters, placeText, startCursor } from "#/http/requests/paging.ts";
import { closed, extendedAttributes, identifier, maybeText, moment, nullable } from "#/http/routes/schema.ts";
import { serviceLevel } from "#/modules/carriers/index.ts";
import { dangerousGoods, productIdentifiers } from "#/modules/catalogue/index.ts";
import { documentTypes } from "#/modules/documents/index.ts";
import { workTypes } from "#/modules/facilities/index.ts";
import { expectedCartons } from "#/modules/purchasing/index.ts";
import { conditionField } from "#/modules/warehouse/reports/report-schema.ts";
import { acceptances } from "#/modules/warehouse/tasks/task-acceptance.ts";
import { consumptionField } from "#/modules/workorders/index.ts";

const taskType = Type.Enum([...workTypes], {
  type: "string",
  title: "TaskType",
  description: "Kind of work.",
  examples: ["PICK"],
});
const clientId = Type.String({ description: "Client.", examples: ["DEMO"] });
const qty = (description: string) => Type.Number({ description, examples: [2] });
const number = (description: string, example: number) => nullable(Type.Number({ description, examples: [example] }));

const attributesOf = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: "object",
    additionalProperties: { type: "string" },
    description,
    examples: [example],
  });

const customsFields = Type.Object(
  {
    description: Type.String({ description: "Description of the goods.", examples: ["Drinking mug of stoneware"] }),
    hsCode: maybeText("Tariff number, as the client writes it.", "6912.00.23.00"),
    countryOfOrigin: maybeText("Country where it was made: ISO 3166-1, two letters.", "GB"),
    productIdentifiers: nullable(productIdentifiers),
  },
  {
    ...closed,
    title: "TaskCustoms",
    description: "For an open pick across a customs border: data of the customs papers.",
  },
);

const taskLine = Type.Object(
  {
    lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
    sku: identifier("Product.", "MUG-BLUE-330"),
    qty: Type.Optional(
      qty("How much, in uom. For a count: the expected quantity on the shelf; absent where the count is blind."),
    ),
    uom: Type.String({ description: "Stock unit.", examples: ["EA"] }),
    stockPool: Type.String({ description: "Stock pool.", examples: ["DEFAULT"] }),
    kit: Type.Optional(
      Type.Object(
        {
          lineNumber: Type.Integer({ description: "Its line of the order.", examples: [1] }),
          sku: identifier("The kit.", "GIFT-SET"),
        },
        { ...closed, title: "TaskKit", description: "Of goods for a kit in an order: the kit that they belong to." },
      ),
    ),
    condition: Type.Optional(conditionField("For a count: condition of the goods to count.")),
    batchRef: Type.Optional(Type.String({ description: "Batch of the lot.", examples: ["B-2026-11"] })),
    expiryDate: Type.Optional(
      Type.String({ format: "date", description: "Expiry date of the lot.", examples: ["2027-03-31"] }),
    ),
    extendedAttributes: Type.Optional(
      attributesOf("For a pick: extended attributes of the order's line. Absent where there are none.", {
        Engraving: "Zoë",
      }),
    ),
    packingInstruction: Type.Optional(
      Type.String({
        description: "For a pick: instruction for this line (extended attribute PackingInstruction).",
        examples: ["Wrap it in tissue paper"],
      }),
    ),
    isHazmat: Type.Optional(
      Type.Boolean({ description: "For an open pick: dangerous goods, by item or line.", examples: [false] }),
    ),
    dangerousGoods: Type.Optional(dangerousGoods),
    customs: Type.Optional(customsFields),
    isBulky: Type.Optional(
      Type.Boolean({ description: "For an open pick: bulky goods, by item or line.", examples: [false] }),
    ),
    returnReasonCode: Type.Optional(
      Type.String({ description: "For a return: code of the reason, as in the RMA.", examples: ["DAMAGED"] }),
    ),
    attributeOne: Type.Optional(
      Type.String({ description: "For a return: free text of the RMA.", examples: ["Handle broken"] }),
    ),
    attributeThree: Type.Optional(
      Type.String({ description: "For a return: free text of the RMA.", examples: ["Photo 42"] }),
    ),
  },
  closed,
);

const finishedGood = Type.Object(
  {
    sku: identifier("The finished good; item/list shows what it captures.", "GIFT-SET-1"),
    qty: qty("Quantity still to make, in uom."),
    uom: Type.String({ description: "Stock unit.", examples: ["EA"] }),
    consumption: consumptionField,
  },
  { ...closed, description: "For a work order: the finished good. Other tasks have none." },
);

const orderDetails = Type.Object(
  {
    externalOrderReference: maybeText("Number that the customer knows.", "100045"),
    shippingMethod: maybeText("Shipping method as the order names it.", "EXPRESS"),
    language: maybeText("Language of the customer (BCP 47).", "en-GB"),
    packingInstruction: maybeText(
      "Instruction for the packing station (extended attribute PackingInstruction).",
      "No advertising in the box",
    ),
    packingSlipLanguage: maybeText("Language of the packing slip.", "de"),
    hasPrices: Type.Boolean({ description: "The packing slip shows prices.", examples: [false] }),
    giftMessage: maybeText("Text for the recipient; the packing slip has it too.", "Happy birthday"),
    incoterm: maybeText("Incoterm of a shipment across customs borders.", "DAP"),
    extendedAttributes: attributesOf("All extended attributes of the order, as received.", {
      GiftMessage: "Happy birthday",
    }),
  },
  { ...closed, title: "TaskOrder", description: "For a pick: what the packing station needs to know of the order." },
);

const shipment = Type.Object(
  {
    serviceLevel: nullable(serviceLevel),
    documents: Type.Array(Type.Enum([...documentTypes], { type: "string", title: "DocumentType" }), {
      description:
        "Papers that packing produces for each parcel; COMMERCIAL_INVOICE where it crosses a customs border: with a postal service, packing makes a CN22 in its place or a CN23 beside it.",
      examples: [["PACKING_SLIP", "SHIPPING_LABEL"]],
    }),
    isHazmat: Type.Boolean({ description: "A line has dangerous goods.", examples: [false] }),
    isBulky: Type.Boolean({ description: "A line has bulky goods.", examples: [false] }),
    estimate: nullable(
      Type.Object(
        {
          weight: Type.Number({ description: "Sum of the weights of the goods.", examples: [1.171] }),
          weightUomCode: Type.Enum(["KG"], { type: "string", description: "Unit of weight.", examples: ["KG"] }),
          length: number("Longest side of the goods; null where an item lacks a side.", 30),
          width: number("Second side.", 20),
          height: number("Height that holds the volume of the goods.", 10),
          dimensionsUomCode: maybeText("Unit of length: CM.", "CM"),
          volume: number("Product of the sides, in litres.", 6),
        },
        {
          ...closed,
          title: "ShipmentEstimate",
          description: "One parcel with all goods of the task, without packaging; null where an item has no weight.",
        },
      ),
    ),
  },
  {
    ...closed,
    title: "TaskShipment",
    description: "For an open pick: what the goods, the address and the carrier data say at this moment.",
  },
);

const purchaseOrderDetails = Type.Object(
  {
    poNumber: identifier("Number of the purchase order.", "PO-4711"),
    vendorOrderId: maybeText("Identifier of the shipping notice.", "V-1"),
    supplierCode: maybeText("Supplier (extended attribute SupplierCode).", "POTTERIES"),
    expectedDate: maybeText("Expected date (extended attribute ExpectedDate).", "2026-11-30"),
    carrierCode: maybeText("Carrier of the delivery.", "HAULIER"),
    trackingNumber: maybeText("Number of the delivery at the carrier.", "JD014600006281230704"),
    cartons: expectedCartons,
  },
  { ...closed, title: "TaskPurchaseOrder", description: "For a purchase order: what receiving needs to know of it." },
);

export const task = Type.Object(
  {
    taskId: Type.String({ format: "uuid", description: "Identifier of the task.", examples: [exampleId(1)] }),
    type: taskType,
    clientId,
    objectId: Type.String({
      description:
        "Order, purchase order (with its vendor order after a slash), return, work order, transfer or count: the countId of its report.",
      examples: ["WEB-100045"],
    }),
    version: Type.Integer({ description: "Counts up with every change of the work.", examples: [1] }),
    priority: Type.Integer({ description: "1 first, 9 last.", examples: [5] }),
    dueAt: nullable(moment("By when.")),
    releasedAt: moment("When the task was created."),
    withdrawnAt: nullable(moment("When the task ended; null while it is open.")),
    lines: Type.Array(taskLine, { description: "Lines of the task; for a work order its components." }),
    finishedGood: Type.Optional(finishedGood),
    shipTo: nullable(
      Type.Unsafe<object>({
        type: "object",
        additionalProperties: true,
        description: "Delivery address, with the fields of the Order record.",
        examples: [
          { firstName: "Zoë", lastName: "O’Neill", address1: "12 Harbour Road", city: "Bristol", country: "GB" },
        ],
      }),
    ),
    carrierCode: maybeText("Carrier, where it is fixed.", "RM"),
    order: Type.Optional(orderDetails),
    shipment: Type.Optional(shipment),
    purchaseOrder: Type.Optional(purchaseOrderDetails),
    orderReference: Type.Optional(
      Type.String({ description: "For a return: the order, as the RMA names it.", examples: ["WEB-100045"] }),
    ),
    orderId: Type.Optional(
      Type.String({ description: "For a return: the identifier of that order.", examples: ["WEB-100045"] }),
    ),
    notes: Type.Optional(
      Type.String({
        description:
          "For a work order, a transfer or a count its notes, for a purchase order its extended attribute Notes.",
        examples: ["Use the blue box"],
      }),
    ),
    toFacility: Type.Optional(
      Type.String({ description: "For a transfer: the facility that receives the goods.", examples: ["DC2"] }),
    ),
    extendedAttributes: Type.Optional(
      attributesOf("For a purchase order: its extended attributes. Absent where there are none.", {
        Supplier: "Potteries Ltd",
      }),
    ),
  },
  { ...closed, title: "Task", description: "Work released to the facility." },
);

function exampleId(n: number): string {
  return `019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b1${n}`;
}

export type TaskRecord = Static<typeof task>;

export const item = Type.Object(
  {
    clientId,
    sku: identifier("Product.", "MUG-BLUE-330"),
    altSku: maybeText("Another number of the product.", "330-B"),
    eanCode: maybeText("EAN.", "4006381333931"),
    name: Type.String({ description: "Name.", examples: ["Mug, blue, 330 ml"] }),
    weight: number("Weight of a stock unit.", 0.35),
    weightUomCode: maybeText("Unit of weight.", "KG"),
    height: number("Height.", 10),
    length: number("Length.", 12),
    width: number("Width.", 9),
    dimensionsUomCode: maybeText("Unit of length.", "CM"),
    productType: maybeText("Kind of product.", "MUG"),
    countryOfOrigin: maybeText("Country code of ISO 3166-1, two letters.", "GB"),
    imageUrl: maybeText("Picture.", "https://shop.example/mug.jpg"),
    barcodes: Type.Array(Type.String({ description: "A barcode.", examples: ["04006381333931"] }), {
      description: "Further barcodes.",
    }),
    stockUom: Type.String({ description: "Unit of all quantities of the port.", examples: ["EA"] }),
    packs: Type.Unsafe<Record<string, number>>({
      type: "object",
      additionalProperties: { type: "number" },
      description: "Number of stock units in a pack, by unit.",
      examples: [{ CS: 12 }],
    }),
    isHazmat: Type.Boolean({ description: "Dangerous goods.", examples: [false] }),
    dangerousGoods: nullable(dangerousGoods),
    isBulky: Type.Boolean({ description: "Bulky goods.", examples: [false] }),
    captureBatchRef: Type.Boolean({ description: "Reports must name the batch.", examples: [false] }),
    captureSerial: Type.Boolean({ description: "Reports must name each serial number.", examples: [false] }),
    captureExpiry: Type.Boolean({ description: "Reports must name the expiry date.", examples: [false] }),
    minShelfLifeDays: number("Minimum days before expiry at picking.", 30),
    hsCode: maybeText("Customs tariff number.", "691110"),
    active: Type.Boolean({ description: "Whether it may be sold.", examples: [true] }),
    extendedAttributes,
    updatedAt: moment("When it last changed."),
    version: Type.Integer({ description: "Counts up with every change.", examples: [1] }),
  },
  { ...closed, title: "WarehouseItem", description: "An item as a warehouse needs it." },
);

export type ItemRecord = Static<typeof item>;

const feedOf = <Item extends typeof task | typeof item>(of: Item, title: string, description: string) =>
  Type.Object(
    {
      items: Type.Array(of, { description: "What has changed." }),
      nextCursor: Type.String({
        description: "Sent as `cursor`, it answers later changes. Never null, on an empty page too.",
        examples: [startCursor],
      }),
    },
    { ...closed, title, description },
  );

export const taskFeed = feedOf(task, "TaskFeed", "Tasks in the order of their changes.");
export const itemFeed = feedOf(item, "WarehouseItemFeed", "Items in the order of their changes.");

/** With the time of an answer it is below the 30 s that a proxy usually allows. */
export const waitSecondsMax = 20;

const wait = Type.Integer({
  minimum: 0,
  maximum: waitSecondsMax,
  default: 0,
  description:
    "Seconds to wait for a change where the page is empty: the answer comes as soon as there is one. After this time, or when the server stops, the page is empty.",
  examples: [1],
});

export const taskQuery = Type.Object(
  { type: Type.Optional(taskType), wait: Type.Optional(wait), ...pageParameters },
  closed,
);
export const itemQuery = Type.Object({ ...pageParameters }, closed);

const position = Type.Integer({ minimum: 0 });

export const taskCursor = defineCursor("tasks:position", Type.Object({ p: position }, closed));
/** `c` represents the facility's clients: the items of a new client may have earlier positions. */
export const itemCursor = defineCursor("items:position", Type.Object({ p: position, c: placeText(1024) }, closed));

export const acceptBody = Type.Object(
  {
    taskIds: Type.Array(Type.String({ format: "uuid", description: "A task.", examples: [exampleId(1)] }), {
      minItems: 1,
      maxItems: 500,
      description: "Tasks that the warehouse takes.",
    }),
  },
  {
    ...closed,
    title: "TaskAcceptance",
    description: "Tasks that the warehouse takes.",
    examples: [{ taskIds: [exampleId(1), exampleId(2)] }],
  },
);

export const acceptAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          taskId: Type.String({ format: "uuid", description: "The task.", examples: [exampleId(1)] }),
          status: Type.Enum([...acceptances], {
            type: "string",
            description: "WITHDRAWN: the task no longer needs work. UNKNOWN: the facility has no such task.",
            examples: ["ACCEPTED"],
          }),
        },
        closed,
      ),
      { description: "One for each task, in the order of the request." },
    ),
  },
  { ...closed, title: "TaskAcceptanceAnswer", description: "The results." },
);
