import { dangerousGoodsOf, isHazmat } from "#/kernel/values/dangerous-goods.ts";
import { type AttributeValues, attributeOf, hasFlag } from "#/kernel/values/extended-attributes.ts";
import { paperLanguageOf } from "#/modules/documents/index.ts";
import type { OrderDetails, Work } from "#/modules/facilities/index.ts";
import type { ItemRecord, TaskRecord } from "#/modules/warehouse/tasks/list-contract.ts";
import { type PickFacts, shipmentOf } from "#/modules/warehouse/tasks/pick-shipment.ts";
import type { ListedItem, ListedTask } from "#/modules/warehouse/warehouse.cross-client.ts";

type StoredContent = Pick<
  TaskRecord,
  "lines" | "finishedGood" | "orderReference" | "orderId" | "notes" | "toFacility"
> & {
  readonly extendedAttributes?: AttributeValues;
  readonly shipTo?: object;
  readonly carrierCode?: string;
  readonly order?: OrderDetails;
  readonly purchaseOrder?: NonNullable<Work["purchaseOrder"]>;
};

/** @param facts of the page that the task belongs to */
export function taskRecord(task: ListedTask, facts: PickFacts): TaskRecord {
  // The stored content has no undefined fields.
  const { lines, finishedGood, shipTo, carrierCode, order, purchaseOrder, ...details } = task.content as StoredContent;
  const pick = shipmentOf(task, facts);
  return {
    taskId: task.taskId,
    type: task.type,
    clientId: task.clientId,
    objectId: task.objectId,
    version: task.version,
    priority: task.priority,
    dueAt: task.dueAt,
    releasedAt: task.releasedAt,
    withdrawnAt: task.withdrawnAt,
    lines: (pick?.lines ?? lines).map(withInstruction),
    ...(finishedGood ? { finishedGood } : {}),
    shipTo: shipTo ?? null,
    carrierCode: carrierCode ?? null,
    ...(task.type === "PICK" ? { order: orderRecord(order) } : {}),
    ...(pick ? { shipment: pick.shipment } : {}),
    ...(purchaseOrder ? purchaseOrderFields(purchaseOrder, details.extendedAttributes) : {}),
    ...details,
  };
}

function withInstruction(line: TaskRecord["lines"][number]): TaskRecord["lines"][number] {
  const packingInstruction = attributeOf(line.extendedAttributes, "PackingInstruction");
  return packingInstruction ? { ...line, packingInstruction } : line;
}

/** Attributes with a meaning are fields; all attributes are also passed on unchanged. */
function orderRecord(order: OrderDetails = {}): NonNullable<TaskRecord["order"]> {
  const { externalOrderReference, shippingMethod, language, extendedAttributes = {} } = order;
  return {
    externalOrderReference: externalOrderReference ?? null,
    shippingMethod: shippingMethod ?? null,
    language: language ?? null,
    packingInstruction: attributeOf(extendedAttributes, "PackingInstruction") || null,
    packingSlipLanguage: paperLanguageOf({ language, extendedAttributes }),
    hasPrices: hasFlag(extendedAttributes, "PrintPricesOnPackingSlip"),
    giftMessage: attributeOf(extendedAttributes, "GiftMessage") || null,
    incoterm: attributeOf(extendedAttributes, "IncotermName") || null,
    extendedAttributes,
  };
}

function purchaseOrderFields(
  { poNumber, vendorOrderId, carrierCode, trackingNumber, cartons = [] }: NonNullable<Work["purchaseOrder"]>,
  attributes: AttributeValues | undefined,
): Pick<TaskRecord, "purchaseOrder" | "notes"> {
  const notes = attributeOf(attributes, "Notes");
  return {
    purchaseOrder: {
      poNumber,
      vendorOrderId: vendorOrderId ?? null,
      supplierCode: attributeOf(attributes, "SupplierCode") || null,
      expectedDate: attributeOf(attributes, "ExpectedDate") || null,
      carrierCode: carrierCode ?? null,
      trackingNumber: trackingNumber ?? null,
      cartons: cartons as NonNullable<TaskRecord["purchaseOrder"]>["cartons"],
    },
    ...(notes ? { notes } : {}),
  };
}

/** Extended attributes with a meaning (feeds.md §4) become fields; all attributes are also passed on unchanged. */
export function itemRecord(row: ListedItem): ItemRecord {
  const attributes = row.extended_attributes;
  const packs = Object.entries(row.packs ?? {}).map(([uom, size]) => [uom, Number(size)] as const);
  return {
    clientId: row.client_id,
    sku: row.sku,
    altSku: row.alt_sku,
    eanCode: row.ean_code,
    name: row.name,
    weight: numberOf(row.weight),
    weightUomCode: row.weight_uom_code,
    height: numberOf(row.height),
    length: numberOf(row.length),
    width: numberOf(row.width),
    dimensionsUomCode: row.dimensions_uom_code,
    productType: row.product_type,
    countryOfOrigin: row.country_of_origin,
    imageUrl: row.image_url,
    barcodes: [...row.barcodes],
    stockUom: row.stock_uom,
    packs: Object.fromEntries(packs),
    isHazmat: isHazmat(attributes),
    dangerousGoods: dangerousGoodsOf(attributes) ?? null,
    isBulky: hasFlag(attributes, "IsBulkyFlag"),
    captureBatchRef: row.capture_batch_ref,
    captureSerial: hasFlag(attributes, "CaptureSerial"),
    captureExpiry: hasFlag(attributes, "CaptureExpiry"),
    minShelfLifeDays: numberOf(attributeOf(attributes, "MinShelfLifeDays") || null),
    hsCode: attributeOf(attributes, "HsCode") || null,
    active: row.is_active,
    extendedAttributes: attributes,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

const numberOf = (text: string | null) => (text === null ? null : Number(text));
