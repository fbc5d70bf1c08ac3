// The shipment of an order as a request to carrier determination (contract carriers.md, determineForOrder).

import { conflict, notFound, type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import type { CarrierRequest } from "#/modules/carriers/index.ts";
import { findItems } from "#/modules/catalogue/index.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { stockedLines } from "#/modules/orders/fulfilment/packing/goods-value.ts";
import { estimateParcel } from "#/modules/orders/fulfilment/packing/parcel-estimate.ts";
import { type OrderMatter, type ShippedParcel, shipmentOf } from "#/modules/orders/fulfilment/packing/shipment.ts";
import { findOrder, linesOfOrder, type StoredOrderLine } from "#/modules/orders/rest/repository.ts";
import { listParcels } from "#/modules/parcels/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * The shipment of an order: its packed parcels, or else one parcel with all quantities that are not cancelled. The
 * carrier and shipping method are the order's own values; the carrier data map them.
 *
 * @returns or 404 if the client has no such order, 409 if nothing of it remains to send, 422 if an item to pack has no
 *   weight.
 */
export async function shipmentOfOrder(tx: ClientTx, orderId: string): Promise<Result<CarrierRequest, Refusal>> {
  const [order, rows, all] = await Promise.all([
    findOrder(tx, orderId),
    linesOfOrder(tx, orderId),
    listParcels(tx, [orderId]),
  ]);
  if (!order) return refused(notFound("The client has no order of this orderId."));
  const lines = stockedLines(rows);
  const skus = [...new Set(lines.map(({ sku }) => sku))];
  const items = new Map((await findItems(tx, skus)).map((item) => [item.sku, item]));
  const matter = { order, lines, items };
  const facility = await findFacility(tx.plain, order.distributionCentre);
  const packed = all.filter(({ status }) => status !== "VOIDED");
  if (packed.length > 0) return ok(shipmentOf(matter, packed, facility));
  const wanted = lines.filter((line) => wantedOf(line) > 0);
  if (wanted.length === 0) {
    return refused(conflict("All lines of the order are cancelled: there is nothing to send."));
  }
  const parcel = estimateOf(matter, wanted);
  return parcel.ok ? ok(shipmentOf(matter, [parcel.value], facility)) : parcel;
}

/** Integer thousandths of the stock unit. */
function wantedOf({ qtyOrdered, qtyCancelled }: StoredOrderLine): number {
  return quantityOf(qtyOrdered) - quantityOf(qtyCancelled);
}

function estimateOf({ items }: OrderMatter, lines: readonly StoredOrderLine[]): Result<ShippedParcel, Refusal> {
  const estimate = estimateGoods(
    items,
    lines.map((line) => ({ sku: line.sku, qty: wantedOf(line) })),
  );
  if (!estimate.ok) {
    const errors = estimate.fault.map((sku) => ({
      pointer: "/path/orderId",
      message: `item ${sku} of the order has no weight: send it with the catalogue, or determine when the order is packed`,
    }));
    return refused(unprocessable(`${errors[0]?.message}`, errors));
  }
  const contents = lines.map((line) => ({
    lineNumber: line.lineNumber,
    sku: line.sku,
    qty: wantedOf(line),
    stockPool: line.stockPool,
    batchRef: "",
    expiryDate: "infinity",
    serials: [],
  }));
  return ok({ ...estimate.value, contents });
}

/** The parcel of goods of these items. @param goods integer thousandths of the stock unit */
export function estimateGoods(
  items: OrderMatter["items"],
  goods: readonly { readonly sku: string; readonly qty: number }[],
): ReturnType<typeof estimateParcel> {
  return estimateParcel(
    goods.map(({ sku, qty }) => {
      const item = items.get(sku);
      return {
        sku,
        qty: qty / 1_000,
        weight: item?.weight ?? undefined,
        weightUomCode: item?.weightUomCode ?? undefined,
        sides: [item?.length ?? undefined, item?.width ?? undefined, item?.height ?? undefined],
        dimensionsUomCode: item?.dimensionsUomCode ?? undefined,
      };
    }),
  );
}
