import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";
import { findLatestDecision, type LatestDecision } from "#/modules/carriers/index.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import { findFacility } from "#/modules/facilities/index.ts";
import { localDate } from "#/modules/inventory/index.ts";
import { findPolicy } from "#/modules/orders/allocation/backorder-repository.ts";
import { listLotsWithRefusal } from "#/modules/orders/allocation/considered-lots.ts";
import type { ExplainedLine, OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { type LineFacts, lotsShownMax, refusalsOf } from "#/modules/orders/explain/refusals.ts";
import {
  isShipped,
  nextOf,
  quantitiesOf,
  routingSentence,
  shortOf,
  summaryOf,
} from "#/modules/orders/explain/sentences.ts";
import { listFreeStock } from "#/modules/orders/intake/routing.ts";
import { lineStateOf, type Order, type OrderLine } from "#/modules/orders/order.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import { type ExpectedReceipt, listExpectedReceipts } from "#/modules/purchasing/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

const linesShownMax = 100;
const receiptsShownMax = 5;

export interface ExplainAsk {
  readonly orderId: string;
  /** The facilities that the client may use, in routing order. */
  readonly facilities: readonly string[];
  /** ISO 8601 UTC. */
  readonly at: string;
}

/**
 * Why an order has not shipped, and what happens next; undefined for an unknown order. The stock is read with the rules
 * by which allocation chooses it (`inventory/lot-rules.ts`). The lines, lots and receipts that it reads are bounded.
 */
export async function explainOrder(
  tx: ClientTx,
  { orderId, facilities, at }: ExplainAsk,
): Promise<OrderExplanation | undefined> {
  const [order] = await readOrders(tx, [orderId]);
  if (order === undefined) return undefined;
  const firstDecision = idBoundary(Date.parse(order.receivedAt) - dayMs);
  const [facility, policy, decision] = await Promise.all([
    findFacility(tx.plain, order.distributionCentre),
    findPolicy(tx),
    findLatestDecision(tx, orderId, firstDecision),
  ]);
  const today = localDate(facility?.timezone ?? "UTC", Date.parse(at));
  const present = order.lines
    .filter(({ buckets }) => buckets.despatched + buckets.cancelled < buckets.ordered)
    .sort((left, right) => Number(shortOf(right) > 0) - Number(shortOf(left) > 0));
  const lines = await explainLines(tx, order, present.slice(0, linesShownMax), { facilities, today, at });
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
      text: routingSentence(order),
    },
    carrier: decision === undefined ? null : carrierOf(decision),
    backorderedSince: order.backorderedSince ?? null,
    backorderEndsAt,
    despatchBy: order.despatchBy ?? null,
    nextCutOffAt,
  };
}

async function explainLines(
  tx: ClientTx,
  order: Order,
  lines: readonly OrderLine[],
  { facilities, today, at }: { readonly facilities: readonly string[]; readonly today: string; readonly at: string },
): Promise<ExplainedLine[]> {
  const skus = [...new Set(lines.filter((line) => shortOf(line) > 0).map(({ sku }) => sku))];
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
    const { sku } = line;
    const facts: LineFacts = {
      today,
      otherFacilities,
      rules: rules.get(sku),
      lots: lotsOf.get(sku) ?? [],
      elsewhere: elsewhereOf.get(sku) ?? [],
    };
    const isShort = shortOf(line) > 0;
    const { refusals, omitted } = isShort ? refusalsOf(order, line, facts) : { refusals: [], omitted: 0 };
    return {
      lineNumber: line.lineNumber,
      sku,
      status: lineStateOf(line, order),
      uom: line.uom,
      stockPool: line.stockPool,
      ...quantitiesOf(line),
      refusals,
      refusalsOmitted: omitted,
      expectedReceipts: isShort ? (receiptsOf.get(sku) ?? []).map(receiptRecord) : [],
    };
  });
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
