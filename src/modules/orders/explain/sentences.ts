import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { type BackorderPolicy, shipsInParts } from "#/modules/orders/allocation/backorder-repository.ts";
import type { ExplainedLine } from "#/modules/orders/explain/contract.ts";
import { facilitiesOf, isSplit, type Order, type OrderLine, releaseAtOf, totalsOf } from "#/modules/orders/order.ts";
import type { RoutingDecision } from "#/modules/orders/routing/decision-repository.ts";

/** The facts behind the sentences about an order. */
export interface OrderFacts {
  readonly order: Order;
  /** The lines of which a part has not left: those that are short first. */
  readonly lines: readonly ExplainedLine[];
  /** Number of lines that are short. */
  readonly shortLines: number;
  readonly policy: BackorderPolicy;
  readonly backorderEndsAt: string | null;
  readonly nextCutOffAt: string | null;
}

export const shortOf = ({ buckets }: OrderLine) => buckets.open + buckets.backordered;

/** Whether everything that is not cancelled has left. */
export function isShipped(order: Order): boolean {
  const { ordered, cancelled, despatched } = totalsOf(order.lines);
  return despatched > 0 && despatched === ordered - cancelled;
}

/** Why the order has not shipped, in a sentence. */
export function summaryOf({ order, lines, shortLines }: OrderFacts): string {
  const { status, statusReason, holds } = order;
  const facility = listed(facilitiesOf(order));
  const totals = totalsOf(order.lines);
  if (status === "CANCELLED") return `The order is cancelled${statusReason === undefined ? "" : `: ${statusReason}`}.`;
  if (isShipped(order)) return shippedSentence(order);
  const [hold] = holds;
  if (hold !== undefined) {
    const why = hold.reason === "" ? "" : ` (${hold.reason})`;
    const more = holds.length > 1 ? `, and ${holds.length - 1} more` : "";
    return `The order has been on hold since ${hold.since}: ${hold.type}${why}${more}.`;
  }
  const part = totals.despatched > 0 ? "A part of the order has left. " : "";
  const [line] = lines;
  if (line !== undefined && shortLines > 0) return part + shortSentence(line, shortLines);
  if (order.cancelRequestedAt !== undefined) {
    const who = isSplit(order) ? `A facility of ${facility}` : `Facility ${facility}`;
    return `${part}${who} was asked to cancel goods of the order, and has not answered.`;
  }
  if (totals.allocated > 0 && totals.picked + totals.packed === 0) {
    return order.takenAt === undefined
      ? `${part}The goods are allocated at ${facility}; the warehouse has not begun to pick them.`
      : `${part}The goods are allocated at ${facility}; the warehouse has accepted the pick.`;
  }
  if (totals.allocated + totals.picked > 0) {
    return isSplit(order)
      ? `${part}Facilities ${facility} pick and pack the goods.`
      : `${part}Facility ${facility} picks and packs the goods.`;
  }
  return `${part}The goods are packed at ${facility} and wait for their carrier.`;
}

function shippedSentence(order: Order): string {
  const { status, statusReason } = order;
  if (status === "DELIVERED") {
    return statusReason === "PARTIALLY_DELIVERED"
      ? "The order has shipped; not all of its parcels were delivered."
      : "The order is delivered.";
  }
  if (status === "RETURNED_TO_SENDER") return "The order has shipped; its parcels came back to the sender.";
  if (statusReason === "LOST") return "The order has shipped; its parcels are lost.";
  return `The order has shipped: everything has left ${listed(facilitiesOf(order))}.`;
}

function shortSentence(line: ExplainedLine, shortLines: number): string {
  const { lineNumber, distributionCentre, sku, uom, qtyShort, refusals } = line;
  const [first] = refusals;
  const more = shortLines > 1 ? ` ${shortLines - 1} more ${shortLines === 2 ? "line waits" : "lines wait"}.` : "";
  const why = first === undefined ? "allocation has not looked at it yet." : lowerFirst(first.text);
  return `Line ${lineNumber} waits for ${qtyShort} ${uom} of ${sku} at ${distributionCentre}: ${why}${more}`;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The next event; null for an order that has ended. */
export function nextOf(facts: OrderFacts): string | null {
  const { order, lines, shortLines, policy, backorderEndsAt, nextCutOffAt } = facts;
  const { status, holds, distributionCentre } = order;
  if (isShipped(order)) return status === "DESPATCHED" ? "The carrier reports the delivery." : null;
  if (status === "CANCELLED") return null;
  const [hold] = holds;
  if (hold !== undefined) return releaseOf(hold.type, order);
  const [line] = lines;
  const leaves =
    nextCutOffAt === null
      ? "It leaves when its parcels are packed."
      : `The next cut-off of ${distributionCentre} is ${nextCutOffAt}.`;
  if (line === undefined || shortLines === 0) return leaves;
  const { allocated } = totalsOf(order.lines);
  const part =
    allocated === 0
      ? []
      : shipsInParts(order, policy) || order.takenAt !== undefined
        ? ["The allocated part leaves first."]
        : ["The allocated part waits for the rest, unless the order has ShipPartial true."];
  const end = backorderEndsAt === null ? [] : [`Cancelled if not received by ${backorderEndsAt}.`];
  return [supplyOf(line), ...part, ...end].join(" ");
}

/** The source of the goods of a line: a purchase order, or else the remedy for the first refusal. */
function supplyOf({ expectedReceipts, refusals, sku, promisedOn }: ExplainedLine): string {
  const [receipt] = expectedReceipts;
  const item = refusals.find(({ scope }) => scope === "ITEM");
  const release = item?.release ?? refusals.find((refusal) => refusal.release !== null)?.release;
  if (item === undefined && receipt !== undefined) {
    const { poNumber, qty, expectedDate } = receipt;
    const date = expectedDate === null ? "" : ` (expected date ${expectedDate})`;
    const promise = promisedOn === null ? "" : ` The goods of the line are expected on ${promisedOn}.`;
    return `Purchase order ${poNumber} expects ${qty} of ${sku}${date}; a receipt is allocated at once.${promise}`;
  }
  return release === undefined || release === null
    ? "It is allocated as soon as stock arrives."
    : `Needed: ${lowerFirst(release)}`;
}

function releaseOf(type: Order["holds"][number]["type"], { shipAfter }: Order): string {
  if (type === "SHIP_AFTER" && shipAfter !== undefined) return `It is released at ${releaseAtOf(shipAfter)}.`;
  if (type === "PRE_ORDER") return "It is released when that day begins at its facility.";
  if (type === "ADDRESS_CHECK")
    return "It is released when the verifier answers, or after 15 seconds without an answer.";
  if (type === "DO_NOT_SHIP") return "An UPDATE of the order without doNotShip releases it.";
  if (type === "CLIENT_REQUEST") return "The client releases it: order/release.";
  return "An operator releases it.";
}

const listed = (codes: readonly string[]) =>
  codes.length === 1 ? `${codes[0]}` : `${codes.slice(0, -1).join(", ")} and ${codes.at(-1)}`;

/** How the facility was chosen, in a sentence. */
export function routingSentence(order: Order, decision: RoutingDecision | undefined): string {
  const { distributionCentre, routedBy } = order;
  switch (routedBy) {
    case "RULE":
      return decision === undefined
        ? `The rule of the client chose ${distributionCentre}.`
        : `${distributionCentre} was chosen by the rule ${decision.rule}: ${comparison(decision)}.`;
    case "REROUTED":
      return decision === undefined
        ? `${distributionCentre} could fill all lines, and another facility lacked stock.`
        : `${distributionCentre} could fill all lines, and ${decision.movedFrom} lacked stock${compared(decision)}.`;
    case "NAMED":
      return `The order names ${distributionCentre}.`;
    case "FILLS":
      return `${distributionCentre} was the first facility of the client that could fill all lines.`;
    case "FIRST":
      return `No facility could fill all lines; ${distributionCentre} is the first of the client.`;
    case "SPLIT":
      return `No facility could fill all lines; together ${listed(facilitiesOf(order))} fill more of them.`;
    case undefined:
      return `${distributionCentre} fulfils the order.`;
  }
}

const compared = (decision: RoutingDecision): string =>
  decision.candidates.length === 0 ? "" : `; the rule ${decision.rule} compared ${comparison(decision)}`;

/** The facilities of a decision, with what the rule compared. */
const comparison = ({ candidates }: RoutingDecision): string =>
  candidates
    .map(({ facilityCode, lacks, measure }) =>
      lacks === null ? `${facilityCode} ${measure ?? "is unknown to it"}` : `${facilityCode} lacks ${lacks}`,
    )
    .join(", ");

/** The quantities of a line in the explanation. */
export function quantitiesOf({ buckets }: OrderLine) {
  return {
    qtyOrdered: quantityToNumber(buckets.ordered - buckets.cancelled),
    qtyAllocated: quantityToNumber(buckets.allocated),
    qtyBackordered: quantityToNumber(buckets.backordered),
    qtyShort: quantityToNumber(buckets.open + buckets.backordered),
  };
}
