import type { FeedClient, RoutingRule } from "#/intake/feeds/intake/definition.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { multiplyQuantity } from "#/kernel/values/quantity.ts";
import { type CarrierSets, decideBy, heaviestParcel, rankedPrice, zonesOf } from "#/modules/carriers/index.ts";
import { findItems, type StoredItem } from "#/modules/catalogue/index.ts";
import { flagsOf, wishesOf } from "#/modules/orders/fulfilment/packing/shipment.ts";
import { estimateGoods } from "#/modules/orders/fulfilment/packing/shipment-of-order.ts";
import { despatchByOf } from "#/modules/orders/routing/despatch-by.ts";
import type { RoutedOrder } from "#/modules/orders/routing/routed-order.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** A facility by a rule, for one order. */
export interface Measure {
  /** The lowest is the best; of equal ones the first of the client's. Infinity: the rule knows nothing of it. */
  readonly rank: number;
  /** The reason as it is stored and shown; null: the rule knows nothing of it. */
  readonly text: string | null;
}

export type Measures = (order: RoutedOrder) => (facilityCode: string) => Measure;

export interface MeasureContext {
  readonly client: Pick<FeedClient, "calendars">;
  readonly sets: CarrierSets;
  /** ISO 8601 UTC. */
  readonly at: string;
}

const unknown: Measure = { rank: Number.POSITIVE_INFINITY, text: null };

/** How a rule measures facilities. The carrier data and the items are read once for all orders. */
export async function createMeasures(
  tx: ClientTx,
  rule: Exclude<RoutingRule, "ORDER">,
  context: MeasureContext,
  skus: readonly string[],
): Promise<Measures> {
  switch (rule) {
    case "SOONEST":
      return bySoonest(context);
    case "NEAREST":
      return byNearest(tx, context);
    case "FEWEST_PARCELS":
      return byFewestParcels(tx, context, skus);
    case "CHEAPEST":
      return byCheapest(tx, context, skus);
  }
}

function bySoonest({ client, at }: MeasureContext): Measures {
  return ({ shipAfter }) =>
    (facilityCode) => {
      const text = despatchByOf(client, facilityCode, { shipAfter, shipBy: undefined }, at);
      return text === undefined ? unknown : { rank: Date.parse(text), text };
    };
}

/** The nearest shares the zone of the address in the most price matrices; of those that share equally many, its country. */
async function byNearest(tx: ClientTx, { client, sets }: MeasureContext): Promise<Measures> {
  const { data } = await sets.activeFor(tx);
  const zones = new Map<string, ReturnType<typeof zonesOf>>();
  return ({ shipToAddress }) => {
    const country = toAlpha2(shipToAddress?.country ?? "");
    if (country === undefined) return () => unknown;
    const wanted = zonesOf(data, { country, zip: shipToAddress?.zip ?? "" });
    const all = wanted.filter((zone) => zone !== undefined).length;
    return (facilityCode) => {
      const place = client.calendars?.[facilityCode];
      if (place?.country === undefined) return unknown;
      const there = zones.get(facilityCode) ?? zonesOf(data, { country: place.country, zip: place.zip ?? "" });
      zones.set(facilityCode, there);
      const shared = wanted.filter((zone, i) => zone !== undefined && zone === there[i]).length;
      const isSame = place.country === country;
      const text =
        shared > 0
          ? `the zone of the address in ${shared} of ${all} price matrices`
          : `${isSame ? "the" : "not the"} country of the address`;
      return { rank: -2 * shared - Number(isSame), text };
    };
  };
}

/** The number of parcels, by the weight of the goods and the heaviest parcel that a service takes from the facility. */
async function byFewestParcels(tx: ClientTx, { sets }: MeasureContext, skus: readonly string[]): Promise<Measures> {
  const [{ data }, items] = await Promise.all([sets.activeFor(tx), readItems(tx, skus)]);
  return (order) => {
    const country = toAlpha2(order.shipToAddress?.country ?? "") ?? "";
    const parcel = parcelOf(order, items);
    return (facilityCode) => {
      const most = heaviestParcel(data, facilityCode, country);
      if (parcel === undefined || most === 0) return unknown;
      const parcels = Math.max(1, Math.ceil((parcel.weight * 1_000) / most));
      return { rank: parcels, text: parcels === 1 ? "1 parcel" : `${parcels} parcels` };
    };
  };
}

/** The price of the service that carrier determination would choose for all goods as one parcel. */
async function byCheapest(tx: ClientTx, context: MeasureContext, skus: readonly string[]): Promise<Measures> {
  const { client, sets, at } = context;
  const [{ data }, items] = await Promise.all([sets.activeFor(tx), readItems(tx, skus)]);
  const atMs = Date.parse(at);
  return (order) => {
    const parcel = parcelOf(order, items);
    const wishes = { ...wishesOf(order), ...flagsOf(order.lines, items) };
    return (facilityCode) => {
      const place = client.calendars?.[facilityCode];
      if (parcel === undefined || place?.country === undefined) return unknown;
      const facility = { ...place, facilityCode, country: place.country };
      const request = { ...wishes, distributionCentre: facilityCode, parcels: [parcel] };
      const decided = decideBy(data, request, facility, atMs);
      const chosen = decided.ok ? decided.value.decision.chosen : null;
      const price = chosen && rankedPrice(data, chosen, atMs);
      return price ? { rank: price.ranked, text: price.text } : unknown;
    };
  };
}

/** All goods of an order as one parcel; undefined while an item has no weight. */
function parcelOf({ lines }: RoutedOrder, items: ReadonlyMap<string, StoredItem>) {
  const goods = lines.flatMap(({ sku, qty, components }) =>
    components === undefined
      ? { sku, qty }
      : components.map((part) => ({ sku: part.sku, qty: multiplyQuantity(qty, part.qty) ?? 0 })),
  );
  const parcel = estimateGoods(items, goods);
  return parcel.ok ? parcel.value : undefined;
}

const itemsOfRead = 1_000;

async function readItems(tx: ClientTx, skus: readonly string[]): Promise<ReadonlyMap<string, StoredItem>> {
  const items = new Map<string, StoredItem>();
  for (let i = 0; i < skus.length; i += itemsOfRead) {
    for (const item of await findItems(tx, skus.slice(i, i + itemsOfRead))) items.set(item.sku, item);
  }
  return items;
}
