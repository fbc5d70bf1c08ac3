import type { Transaction } from "#/db/database.ts";
import type { HistoryFrame } from "#/history-generator/frame.ts";
import { parcelOf } from "#/history-generator/history-rows.ts";
import type { Departure } from "#/history-generator/order-life.ts";
import { type PlannedOrder, pricesOf } from "#/history-generator/order-plan.ts";
import { assert } from "#/kernel/assert.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Determined, determineAll, type RequestedCarrier } from "#/modules/carriers/index.ts";

export interface PackedOrder {
  readonly order: PlannedOrder;
  readonly departure: Departure;
  readonly olpnId: string;
}

/**
 * Decides the carriers with the current data, each at the time when its parcel was packed, and stores the decisions.
 *
 * @param packed in any order
 * @returns the decision per parcel; undefined if its shipment is invalid.
 */
export async function decideHistory(
  tx: Transaction,
  { clientId, sets }: HistoryFrame,
  packed: readonly PackedOrder[],
): Promise<ReadonlyMap<string, Determined | undefined>> {
  if (packed.length === 0) return new Map();
  // The ids of one generator never go back, so parcels are processed in chronological order.
  const inTime = packed.toSorted((left, right) => left.departure.packedMs - right.departure.packedMs);
  let place = 0;
  // The determination reads the time once per shipment, in order.
  const clock = { now: () => inTime[Math.min(place++, inTime.length - 1)]?.departure.packedMs ?? 0 };
  const requests = inTime.map((packedOrder) => askedOf(clientId, packedOrder));
  const answers = await determineAll(tx, { clock, ids: createIds(), sets }, requests);
  return new Map(
    inTime.map(({ olpnId, departure }, i) => {
      const answer = answers[i];
      const determined = answer?.ok ? answer.value : undefined;
      const decidedMs = determined && Date.parse(determined.decision.decidedAt);
      assert(decidedMs === undefined || decidedMs === departure.packedMs, "a decision of the history is of its moment");
      return [olpnId, determined];
    }),
  );
}

function askedOf(clientId: string, { order, olpnId }: PackedOrder): RequestedCarrier {
  const { country, zip, city } = order.address;
  const { subtotal, total } = pricesOf(order);
  const money = (pence: number) => ({ amount: pence / 100, currency: order.currency });
  const parcel = { ...parcelOf(order), weightUomCode: "KG", dimensionsUomCode: "CM", declaredValue: money(subtotal) };
  return {
    clientId,
    request: {
      distributionCentre: order.facilityCode,
      shipTo: { country, zip, city },
      parcels: [parcel],
      shippingMethod: order.shippingMethod,
      orderValue: money(total),
      extendedAttributes: {},
    },
    of: { orderId: order.orderId, olpnId },
  };
}
