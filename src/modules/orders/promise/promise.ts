import { readDateTime } from "#/http/requests/date-time.ts";
import type { Entry, FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Body } from "#/intake/json/document.ts";
import { type Finding, sentence } from "#/kernel/feed-codes.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { type CarrierSets, decideBy, findShippingFacility } from "#/modules/carriers/index.ts";
import { convertQuantities, findItems, readKits, type StoredItem } from "#/modules/catalogue/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import {
  type BackorderPolicy,
  cancelsRest,
  findPolicy,
  shipsInParts,
} from "#/modules/orders/allocation/backorder-repository.ts";
import { shipmentOf } from "#/modules/orders/fulfilment/packing/shipment.ts";
import { estimateGoods } from "#/modules/orders/fulfilment/packing/shipment-of-order.ts";
import { warnOfInactive } from "#/modules/orders/intake/accept-orders.ts";
import {
  checkOrder,
  faultOfNoFacility,
  type OrderContent,
  type OrderLine,
  type OrderMessage,
} from "#/modules/orders/intake/check-order.ts";
import type { AddressElement, LineElement, OrderRequest } from "#/modules/orders/intake/contract.ts";
import { availabilityOf, startOfDay } from "#/modules/orders/intake/pre-order.ts";
import { atHandOf, type LineAtHand } from "#/modules/orders/promise/at-hand.ts";
import type { PromiseRecord } from "#/modules/orders/promise/contract.ts";
import { readExpectedDays } from "#/modules/orders/promise/expected-days.ts";
import { despatchByOf } from "#/modules/orders/routing/despatch-by.ts";
import { listFreeStock } from "#/modules/orders/routing/free-stock.ts";
import { createRouter } from "#/modules/orders/routing/router.ts";
import type { ClientTx } from "#/store/db/database.ts";

export interface PromiseAsk {
  readonly client: FeedClient;
  readonly sets: CarrierSets;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Why a basket has no promise, in the form of a refused document. */
export interface PromiseFaults {
  readonly faults: readonly Finding[];
  readonly missingSkus: readonly string[];
}

/**
 * What an order of this basket would get if it came now, with the rules of an order: checks, routing, allocation, cut-off
 * and choice of the carrier. It reserves nothing. The number of its statements does not depend on the basket.
 */
export async function promiseBasket(
  tx: ClientTx,
  { client, sets, at }: PromiseAsk,
  basket: Body,
): Promise<Result<PromiseRecord, PromiseFaults>> {
  const entry = entryOf(basket, client, at);
  const content = entry.message.content as OrderContent;
  const { lines } = content;
  const linesOf = () => lines;
  const [policy, carriers] = await Promise.all([
    findPolicy(tx),
    sets.activeFor(tx),
    convertQuantities(tx, [entry], linesOf),
  ]);
  await readKits(tx, [entry], linesOf);
  if (entry.faults.length > 0) return refused({ faults: entry.faults, missingSkus: entry.missingSkus });
  warnOfInactive(entry);
  const route = (await createRouter(tx, { client, sets, at }, [content]))(content);
  const { facilityCode } = route;
  const placeOf = (i: number) => route.places?.[i] ?? facilityCode;
  const warnings = entry.warnings.filter(({ code }) => code !== "ADDRESS").map(sentence);
  const terms = { client, content, policy, data: carriers.data, at, warnings };
  const codes = [facilityCode, ...new Set(route.places?.filter((code) => code !== facilityCode))];
  const places = await Promise.all(
    codes.map((code) =>
      promiseOf(
        tx,
        code,
        lines.filter((_, i) => placeOf(i) === code),
        terms,
      ),
    ),
  );
  if (!places.every((place) => place !== undefined)) {
    return refused({ faults: [faultOfNoFacility(client)], missingSkus: [] });
  }
  return ok({
    clientId: tx.clientId,
    distributionCentre: facilityCode,
    routedBy: route.by,
    lines: places.flatMap((place) => place.lines).sort((left, right) => left.lineNumber - right.lineNumber),
    shipments: places.flatMap((place) => place.shipments),
    warnings: [...new Set(warnings)],
  });
}

interface BasketTerms {
  readonly client: FeedClient;
  readonly content: OrderContent;
  readonly policy: BackorderPolicy;
  readonly data: Awaited<ReturnType<CarrierSets["activeFor"]>>["data"];
  readonly at: string;
  /** Gets what could not be promised. */
  readonly warnings: string[];
}

/** The promise of one facility for the lines that it would fulfil; undefined if the facility does not exist. */
async function promiseOf(
  tx: ClientTx,
  facilityCode: string,
  lines: readonly OrderLine[],
  terms: BasketTerms,
): Promise<Pick<PromiseRecord, "lines" | "shipments"> | undefined> {
  const { client, content, policy, at } = terms;
  const skus = [...new Set(lines.flatMap(({ sku, components = [] }) => [sku, ...components.map((part) => part.sku)]))];
  const [facility, stock, items] = await Promise.all([
    findShippingFacility(tx.plain, facilityCode),
    listFreeStock(tx, { facilityCodes: [facilityCode], skus, at }),
    findItems(tx, skus),
  ]);
  if (facility === undefined) return undefined;
  const today = localDate(facility.timezone, Date.parse(at));
  const hands = atHandOf(lines, stock);
  const missing = new Set(hands.flatMap((hand) => hand.missing.flatMap(({ sku, qty }) => (qty > 0 ? sku : []))));
  // An order waits for the last of its items.
  const firstDay = latestOf([today, availabilityOf(client, facilityCode, content.lines)?.day ?? today]);
  const dayOf = await readExpectedDays(tx, { facilityCode, skus: [...missing], today });
  const days = hands.map((hand) =>
    latestOf([firstDay, ...hand.missing.map(({ sku, qty }) => (qty === 0 ? today : (dayOf(sku, qty) ?? unknownDay)))]),
  );
  const parts = hands.flatMap((hand, i): Part[] => {
    const { lineNumber, qty } = lines[i] as OrderLine;
    const now = { lineNumber, qty: hand.qty, goods: hand.goods, day: firstDay };
    const later = { lineNumber, qty: qty - hand.qty, goods: hand.rest, day: days[i] ?? firstDay };
    return (cancelsRest(content, policy) ? [now] : [now, later]).filter((part) => part.qty > 0);
  });
  const lastDay = latestOf(parts.map(({ day }) => day));
  const byDay = Map.groupBy(parts, ({ day }) => (shipsInParts(content, policy) ? day : lastDay));
  const shipping = { ...terms, facility, today, items };
  return {
    lines: lines.map(({ lineNumber, sku, uom, qty }, i) => {
      const available = hands[i]?.qty ?? 0;
      return {
        lineNumber,
        sku,
        uom,
        qty: quantityToNumber(qty),
        qtyAvailable: quantityToNumber(available),
        qtyShort: quantityToNumber(qty - available),
        availableOn: available === qty ? null : knownDay(days[i] ?? firstDay),
      };
    }),
    shipments: [...byDay.keys()].sort().map((day) => shipmentOn(day, byDay.get(day) ?? [], shipping)),
  };
}

/** Goods of a line that are there on a day. */
interface Part {
  readonly lineNumber: number;
  readonly qty: number;
  readonly goods: LineAtHand["goods"];
  readonly day: string;
}

/** It sorts after every day. */
const unknownDay = "unknown";
const knownDay = (day: string) => (day === unknownDay ? null : day);
const latestOf = (days: readonly string[]) => days.reduce((latest, day) => (day > latest ? day : latest), "");

interface ShipmentTerms extends BasketTerms {
  readonly facility: NonNullable<Awaited<ReturnType<typeof findShippingFacility>>>;
  readonly today: string;
  readonly items: readonly StoredItem[];
}

function shipmentOn(day: string, parts: readonly Part[], terms: ShipmentTerms): PromiseRecord["shipments"][number] {
  const { client, content, facility, today } = terms;
  const lines = [...Map.groupBy(parts, ({ lineNumber }) => lineNumber)].map(([lineNumber, ofLine]) => ({
    lineNumber,
    qty: quantityToNumber(ofLine.reduce((sum, { qty }) => sum + qty, 0)),
  }));
  const { facilityCode: distributionCentre } = facility;
  if (day === unknownDay) return { distributionCentre, availableOn: null, despatchBy: null, carrier: null, lines };
  const { shipAfter = terms.at } = content;
  const arrival = day === today ? terms.at : startOfDay(day, facility.timezone);
  const from = arrival > shipAfter ? arrival : shipAfter;
  const despatchBy = despatchByOf(client, distributionCentre, { shipAfter: from, shipBy: undefined }, terms.at);
  const carrier = carrierOf(parts, from, terms);
  return { distributionCentre, availableOn: day, despatchBy: despatchBy ?? null, carrier, lines };
}

/** The carrier service that determination chooses for these goods as one parcel. */
function carrierOf(parts: readonly Part[], shipDate: string, terms: ShipmentTerms): Choice | null {
  const { content, facility, data, at, warnings } = terms;
  const items = new Map(terms.items.map((item) => [item.sku, item]));
  const goods = parts.flatMap((part) => part.goods).filter(({ qty }) => qty > 0);
  const without = (reason: string) => {
    warnings.push(`no carrier is chosen: ${reason}`);
    return null;
  };
  const estimate = estimateGoods(items, goods);
  if (!estimate.ok) return without(`items without weight: ${estimate.fault.join(", ")}`);
  const order = {
    distributionCentre: facility.facilityCode,
    shipToAddress: content.shipToAddress as AddressElement,
    carrierCode: content.carrierCode ?? null,
    shippingMethod: content.shippingMethod ?? null,
    deliverBy: content.deliverBy ?? null,
    totalPrice: content.totalPrice ?? null,
    subtotal: null,
    currency: content.currency ?? null,
    extendedAttributes: content.extendedAttributes,
  };
  const lines = goods.map(({ sku, qty }, i) => ({
    lineNumber: i + 1,
    sku,
    qty: quantityToNumber(qty),
    qtyOrdered: quantityToNumber(qty),
    extendedAttributes: {},
    ...unpriced,
  }));
  const contents = lines.map(({ lineNumber, sku }, i) => ({
    lineNumber,
    sku,
    qty: goods[i]?.qty ?? 0,
    stockPool: "",
    batchRef: "",
    expiryDate: "",
    serials: [],
  }));
  const request = { ...shipmentOf({ order, lines, items }, [{ ...estimate.value, contents }]), shipDate };
  const decided = decideBy(data, request, facility, Date.parse(at));
  if (!decided.ok) return without(decided.fault.map(({ message }) => message).join("; "));
  warnings.push(...decided.value.warnings);
  const { chosen, rejected } = decided.value.decision;
  if (chosen !== null) return chosen as Choice;
  if (rejected.length === 0) return without("there are no carrier data");
  const whys = rejected.map(
    ({ serviceCode, reasons }) => `${serviceCode}: ${reasons.map(({ text }) => text).join(", ")}`,
  );
  return without(whys.slice(0, servicesNamedMax).join("; "));
}

/** A reason against each of fifty services would be most of the answer. */
const servicesNamedMax = 5;

type Choice = NonNullable<PromiseRecord["shipments"][number]["carrier"]>;

const unpriced = { lineTotal: null, unitNetPrice: null, extendedUnitNetPrice: null, unitGrossPrice: null };

/** The basket as an order that is being checked. */
function entryOf(basket: Body, client: FeedClient, at: string): Entry<OrderMessage> {
  const { lines, extendedAttributes, totalPrice, shipAfter, deliverBy, ...header } = basket as unknown as Basket;
  const raw: Partial<OrderRequest> = {
    ...header,
    orderId: "BASKET",
    actionType: "NEW",
    orderDate: at,
    shipAfter: shipAfter && readDateTime(shipAfter),
    deliverBy: deliverBy && readDateTime(deliverBy),
    totalPrice: totalPrice && { amount: String(totalPrice.amount), unit: totalPrice.currency ?? undefined },
    extendedAttributes: Object.entries(extendedAttributes ?? {}),
    lines: lines.map(({ qty, ...line }, i) => ({
      ...line,
      lineNumber: String(i + 1),
      qty: String(qty),
    })) as LineElement[],
  };
  // Where a basket goes has no recipient yet.
  const settings = { ...client.settings, namelessAddress: "WARN", doubtfulAddress: "WARN" } as const;
  const { message, faults, warnings } = checkOrder(raw as OrderRequest, { ...client, settings });
  return {
    token: "",
    receivedAt: at,
    bodySha256: Buffer.alloc(0),
    message,
    faults: faults.map(({ text, ...fault }) => ({ ...fault, text: text.replace(/^Order BASKET: /, "") })),
    warnings: [...warnings],
    parkKey: undefined,
    missingSkus: [],
    replayOf: undefined,
  };
}

/** The body as its schema describes it. */
type Basket = Pick<Partial<OrderRequest>, "distributionCentre" | "shippingMethod" | "carrierCode" | "shipAfter"> & {
  readonly deliverBy?: string;
  readonly shipToAddress: AddressElement;
  readonly totalPrice?: { readonly amount: number; readonly currency?: string };
  readonly extendedAttributes?: Readonly<Record<string, string>>;
  readonly lines: readonly {
    readonly sku: string;
    readonly qty: number;
    readonly qtyUom?: string;
    readonly stockPool?: string;
  }[];
};
