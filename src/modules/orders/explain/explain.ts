import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";
import { type CarrierSets, findLatestDecision, type LatestDecision } from "#/modules/carriers/index.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { localDate, poolsOf } from "#/modules/inventory/index.ts";
import { addressKeyOf } from "#/modules/orders/addresses/address-check.ts";
import { findCheck } from "#/modules/orders/addresses/repository.ts";
import { findPolicy } from "#/modules/orders/allocation/backorder-repository.ts";
import { type ConsideredLot, listLotsWithRefusal } from "#/modules/orders/allocation/considered-lots.ts";
import type { ExplainedLine, OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { explainCustoms } from "#/modules/orders/explain/customs.ts";
import {
  componentRefusal,
  type KitLimit,
  type LineFacts,
  lotsShownMax,
  refusalsOf,
} from "#/modules/orders/explain/refusals.ts";
import {
  isShipped,
  nextOf,
  quantitiesOf,
  routingSentence,
  shortOf,
  summaryOf,
} from "#/modules/orders/explain/sentences.ts";
import { promisedOnOf, type ShownLine, shownLines } from "#/modules/orders/kits.ts";
import { facilitiesOf, facilityOfLine, lineStateOf, type Order } from "#/modules/orders/order.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import { findOrder } from "#/modules/orders/rest/repository.ts";
import { findDecision } from "#/modules/orders/routing/decision-repository.ts";
import { listFreeStock } from "#/modules/orders/routing/free-stock.ts";
import { type ExpectedReceipt, listExpectedReceipts } from "#/modules/purchasing/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

const linesShownMax = 100;
const receiptsShownMax = 5;

export interface ExplainAsk {
  readonly orderId: string;
  /** The facilities that the client may use, in routing order. */
  readonly facilities: readonly string[];
  readonly sets: CarrierSets;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/**
 * Why an order has not shipped, and what happens next; undefined for an unknown order. The stock is read with the rules
 * by which allocation chooses it (`inventory/lot-rules.ts`). The lines, lots and receipts that it reads are bounded.
 */
export async function explainOrder(
  tx: ClientTx,
  { orderId, facilities, sets, at }: ExplainAsk,
): Promise<OrderExplanation | undefined> {
  const [order] = await readOrders(tx, [orderId]);
  if (order === undefined) return undefined;
  const firstDecisionMs = Date.parse(order.receivedAt) - dayMs;
  const codes = facilitiesOf(order);
  const [policy, decision, routing, row, facility, ...others] = await Promise.all([
    findPolicy(tx),
    findLatestDecision(tx, orderId, idBoundary(firstDecisionMs)),
    isDecided(order) ? findDecision(tx, orderId, firstDecisionMs) : undefined,
    findOrder(tx, orderId),
    ...codes.map((code) => findFacility(tx.plain, code)),
  ]);
  const present = [...shownLines(order)]
    .filter(({ buckets }) => buckets.despatched + buckets.cancelled < buckets.ordered)
    .sort((left, right) => Number(shortOf(right) > 0) - Number(shortOf(left) > 0));
  const shown = present.slice(0, linesShownMax);
  // A line is explained by the stock of the facility that fulfils it.
  const explained = await Promise.all(
    [facility, ...others].map((place, i) => {
      const facilityCode = codes[i] as string;
      const today = localDate(place?.timezone ?? "UTC", Date.parse(at));
      const part = shown.filter((line) => facilityOfLine(order, line) === facilityCode);
      return explainLines(tx, { ...order, distributionCentre: facilityCode }, part, { facilities, today, at });
    }),
  );
  const byNumber = new Map(explained.flat().map((line) => [line.lineNumber, line]));
  const lines = shown.flatMap(({ lineNumber }) => byNumber.get(lineNumber) ?? []);
  const address = row ? await findCheck(tx, orderId, addressKeyOf(tx.clientId, row.shipToAddress)) : undefined;
  const customs =
    row && facility && order.status !== "CANCELLED" ? await explainCustoms(tx, sets, row, facility, at) : null;
  const hasEnded = order.status === "CANCELLED" || isShipped(order);
  const nextCutOffAt =
    hasEnded || !facility ? null : nextCutOff({ ...facility.settings, timezone: facility.timezone }, at);
  const backorderEndsAt =
    order.backorderedSince === undefined
      ? null
      : new Date(Date.parse(order.backorderedSince) + policy.backorderDays * dayMs).toISOString();
  const shortLines = present.filter((line) => shortOf(line) > 0).length;
  const facts = { order, lines, shortLines, policy, backorderEndsAt, nextCutOffAt };
  return {
    orderId,
    clientId: tx.clientId,
    asOf: at,
    status: order.status,
    statusReason: order.statusReason ?? null,
    isShipped: isShipped(order),
    summary: summaryOf(facts),
    next: nextOf(facts),
    holds: [...order.holds],
    lines,
    linesOmitted: present.length - lines.length,
    routing: {
      distributionCentre: order.distributionCentre,
      by: order.routedBy ?? null,
      text: routingSentence(order, routing),
      rule: routing?.rule ?? null,
      candidates: (routing?.candidates ?? []).map(({ facilityCode, ...candidate }) => ({
        distributionCentre: facilityCode,
        ...candidate,
      })),
    },
    carrier: decision === undefined ? null : carrierOf(decision),
    customs,
    address: address ?? null,
    backorderedSince: order.backorderedSince ?? null,
    backorderEndsAt,
    shipAfter: order.shipAfter ?? null,
    shipBy: order.shipBy ?? null,
    deliverBy: order.deliverBy ?? null,
    despatchBy: order.despatchBy ?? null,
    nextCutOffAt,
  };
}

/** Whether a decision about the facility may be kept. */
const isDecided = ({ routedBy }: Order) => routedBy === "RULE" || routedBy === "REROUTED";

/** @param order as the facility of these lines sees it */
async function explainLines(
  tx: ClientTx,
  order: Order,
  lines: readonly ShownLine[],
  { facilities, today, at }: { readonly facilities: readonly string[]; readonly today: string; readonly at: string },
): Promise<ExplainedLine[]> {
  const short = lines.filter((line) => shortOf(line) > 0);
  const skus = [...new Set(short.flatMap(({ sku, components = [] }) => [sku, ...components.map((part) => part.sku)]))];
  const facilityCode = order.distributionCentre;
  const otherFacilities = facilities.filter((code) => code !== facilityCode);
  const [rules, lots, elsewhere, receipts] = await Promise.all([
    findItemRules(tx, skus),
    listLotsWithRefusal(tx, facilityCode, today, skus, lotsShownMax),
    skus.length === 0 || otherFacilities.length === 0
      ? []
      : listFreeStock(tx, { facilityCodes: otherFacilities, skus, at }),
    listExpectedReceipts(tx, facilityCode, skus, receiptsShownMax),
  ]);
  const lotsOf = Map.groupBy(lots, ({ sku }) => sku);
  const elsewhereOf = Map.groupBy(elsewhere, ({ sku }) => sku);
  const receiptsOf = Map.groupBy(receipts, ({ sku }) => sku);
  return lines.map((line): ExplainedLine => {
    const limit = shortOf(line) > 0 ? limitOf(line, lots) : undefined;
    const lacking = limit?.row ?? line;
    const { sku } = lacking;
    const facts: LineFacts = {
      today,
      otherFacilities,
      rules: rules.get(sku),
      lots: lotsOf.get(sku) ?? [],
      elsewhere: elsewhereOf.get(sku) ?? [],
    };
    const isShort = shortOf(line) > 0;
    const { refusals, omitted } = isShort ? refusalsOf(order, lacking, facts) : { refusals: [], omitted: 0 };
    return {
      lineNumber: line.lineNumber,
      distributionCentre: facilityCode,
      sku: line.sku,
      status: lineStateOf(line, order),
      uom: line.uom,
      stockPool: line.stockPool,
      ...quantitiesOf(line),
      promisedOn: promisedOnOf(line) ?? null,
      // Free stock that makes no whole kit waits for another component.
      refusals:
        limit && order.holds.length === 0
          ? [componentRefusal(limit), ...refusals.filter(({ code }) => code !== "PENDING")]
          : refusals,
      refusalsOmitted: omitted,
      expectedReceipts: isShort ? (receiptsOf.get(sku) ?? []).map(receiptRecord) : [],
    };
  });
}

/** The component that allows no more kits of a line, with its free stock; undefined for a line without components. */
function limitOf({ components = [], stockPool }: ShownLine, lots: readonly ConsideredLot[]): KitLimit | undefined {
  const pools = poolsOf(stockPool);
  const limits = components.map((row): KitLimit => {
    const { kitQty = 1_000, buckets } = row;
    const free = lots
      .filter((lot) => lot.sku === row.sku && pools.includes(lot.stockPool) && lot.refusedBy === undefined)
      .reduce((sum, { qty, allocated }) => sum + qty - allocated, 0);
    const { allocated, picked, packed, despatched } = buckets;
    const held = allocated + picked + packed + despatched;
    return { row, free, kits: Math.floor(free / kitQty) * 1_000, level: (held + free) / kitQty };
  });
  return limits.toSorted((left, right) => left.level - right.level)[0];
}

const receiptRecord = ({ poNumber, vendorOrderId, qty, announcedAt, expectedDate }: ExpectedReceipt) => ({
  poNumber,
  vendorOrderId,
  qty: quantityToNumber(qty),
  announcedAt,
  expectedDate,
});

function carrierOf({ chosen, ...decision }: LatestDecision): OrderExplanation["carrier"] {
  return {
    ...decision,
    carrierCode: chosen?.carrierCode ?? null,
    serviceCode: chosen?.serviceCode ?? null,
    despatchDate: chosen?.despatchDate ?? null,
    estimatedDelivery: chosen?.estimatedDelivery ?? null,
  };
}
