import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { Buckets } from "#/modules/orders/order.ts";

/** The buckets of a line in REST answers and events: JSON numbers with at most three decimals. */
export function bucketRecord(buckets: Buckets) {
  return {
    qtyOrdered: quantityToNumber(buckets.ordered),
    qtyOpen: quantityToNumber(buckets.open),
    qtyBackordered: quantityToNumber(buckets.backordered),
    qtyAllocated: quantityToNumber(buckets.allocated),
    qtyPicked: quantityToNumber(buckets.picked),
    qtyPacked: quantityToNumber(buckets.packed),
    qtyDespatched: quantityToNumber(buckets.despatched),
    qtyCancelled: quantityToNumber(buckets.cancelled),
  };
}
