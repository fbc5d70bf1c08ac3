import { toAlpha2 } from "#/kernel/values/country.ts";
import {
  customsGoodsOf,
  flatDutyOf,
  rulesOf,
  smallConsignmentEurMax,
  unmetRules,
} from "#/kernel/values/customs-rules.ts";
import { type AttributeValues, attributeOf } from "#/kernel/values/extended-attributes.ts";
import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { type CarrierSets, isAboveAmount } from "#/modules/carriers/index.ts";
import { findItems } from "#/modules/catalogue/index.ts";
import { crossesCustomsBorder, customsDestinationOf, valueOfGoods } from "#/modules/documents/index.ts";
import type { Facility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { isToConsumer } from "#/modules/orders/fulfilment/packing/duty.ts";
import { stockedLines, unitValueOf } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import { listLines, type StoredOrder } from "#/modules/orders/rest/repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

type ExplainedCustoms = NonNullable<OrderExplanation["customs"]>;

/** An order has at most 1 000 lines; each may be a kit. */
const rowsMax = 20_000;
const skusMax = 1_000;
const lacksShownMax = 100;

/**
 * The customs data that the goods of an order lack for its destination, and the flat duty of the European Union, for the
 * whole order as one consignment; null if it crosses no customs border.
 */
export async function explainCustoms(
  tx: ClientTx,
  sets: CarrierSets,
  { orderId, currency, shipToAddress: { country, zip }, extendedAttributes }: StoredOrder,
  facility: Facility,
  at: string,
): Promise<ExplainedCustoms | null> {
  const to = toAlpha2(country ?? "");
  if (to === undefined) return null;
  if (!crossesCustomsBorder(facility.country, facility.settings.zip ?? undefined, to, zip)) return null;
  const destination = customsDestinationOf(to, zip);
  const rows = await listLines(tx, [orderId], rowsMax);
  const goods = stockedLines(rows).filter(({ qtyOrdered, qtyCancelled }) => qtyOrdered > qtyCancelled);
  const skus = [...new Set(goods.map(({ sku }) => sku))].slice(0, skusMax);
  const items = new Map((await findItems(tx, skus)).map((item) => [item.sku, item]));
  const declared = goods.map((line) => {
    const origin = toAlpha2(attributeOf(line.extendedAttributes, "CountryOfOrigin") ?? "");
    const data = customsGoodsOf(items.get(line.sku) ?? { sku: line.sku }, line.extendedAttributes, origin);
    const { sku, uom } = line;
    const qty = quantityOf(line.qtyOrdered) - quantityOf(line.qtyCancelled);
    return { ...data, lineNumber: lineNumberOf(line.lineNumber), sku, uom, qty, unitValue: unitValueOf(line) };
  });
  const value = currency === null ? undefined : valueOfGoods(declared, currency);
  const day = localDate(facility.timezone, Date.parse(at));
  const limit = { amount: smallConsignmentEurMax, currency: "EUR" };
  const isAboveLimit =
    value === undefined || currency === null
      ? undefined
      : await isAboveAmount(tx, sets, { amount: Number(value), currency }, limit, day);
  const lacks = declared.flatMap((line) =>
    rulesOf(unmetRules(line), destination, isAboveLimit ?? false).map(({ code, field, needs }) => ({
      lineNumber: line.lineNumber,
      sku: line.sku,
      code,
      field,
      needs,
    })),
  );
  const isSmall = destination === "EU" && isAboveLimit === false && isToConsumer(extendedAttributes);
  const duty = isSmall
    ? flatDutyOf(
        declared.map(({ hsCode }) => hsCode),
        day,
      )
    : undefined;
  return {
    destination,
    isComplete: lacks.length === 0,
    lacks: lacks.slice(0, lacksShownMax),
    lacksOmitted: Math.max(0, lacks.length - lacksShownMax),
    goodsValue: value ?? null,
    currency,
    flatDuty: duty ? { ...duty, paidBy: payerOf(extendedAttributes) } : null,
  };
}

/** By the Incoterm: with DDP the sender pays duties, with every other one the buyer. */
function payerOf(attributes: AttributeValues): "SENDER" | "BUYER" | null {
  const incoterm = attributeOf(attributes, "IncotermName")?.trim().toUpperCase();
  if (!incoterm) return null;
  return incoterm === "DDP" ? "SENDER" : "BUYER";
}
