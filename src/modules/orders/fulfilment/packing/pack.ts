import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { DeterminationContext } from "#/modules/carriers/index.ts";
import { type KeptDocument, keepDocuments, type PaperOrder, warningsOf } from "#/modules/documents/index.ts";
import { openBook, writeReservations, writeSerials } from "#/modules/inventory/index.ts";
import { startPurchases } from "#/modules/labels/index.ts";
import { withHold } from "#/modules/orders/commands/hold-order.ts";
import { inUtc, orderAnswer, orderClaim, refusalOfOrder } from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import type { Seller } from "#/modules/orders/fulfilment/packing/papers.ts";
import { type PackPlan, planPack } from "#/modules/orders/fulfilment/packing/plan.ts";
import type { PackReport } from "#/modules/orders/fulfilment/packing/report.ts";
import { type Order, stateOf } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import {
  findParcelOwners,
  insertParcelKeys,
  insertParcels,
  parcelEvent,
  type SsccMint,
} from "#/modules/parcels/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

export interface PackTerms {
  /** Mints numbers for parcels that the warehouse does not number. */
  readonly ssccs: SsccMint;
  readonly carriers: DeterminationContext;
}

export interface PackOrder {
  readonly clientId: string;
  readonly seller: Seller;
  readonly facilityCode: string;
  readonly body: PackReport;
  /** When the report was received, ISO 8601 UTC. */
  readonly at: string;
}

/** The number of parcels for which the platform mints a number. */
export function countUnnumbered({ olpns }: PackReport): number {
  return olpns.filter(({ olpnId }) => olpnId === undefined).length;
}

/**
 * Creates parcels from the picked quantities of an order, with their carriers and papers (lifecycle.md §1, §5). Answers
 * their numbers, carriers and papers. If no carrier takes them, the refusal comes with the events of a hold: then the
 * caller commits.
 */
export async function reportPack(
  tx: Transaction,
  change: Change,
  { ssccs, carriers }: PackTerms,
  { clientId, seller, facilityCode, body, at }: PackOrder,
): Promise<CommandResult<Result<object, Refusal>>> {
  const view = tx.of(clientId, change);
  tx.claim(orderClaim(body.orderId));
  for (const { olpnId } of body.olpns) if (olpnId !== undefined) tx.claim(`olpn ${olpnId}`);
  await openBook(view, facilityCode, change.at);
  const [order] = await lockOrders(view, [body.orderId]);
  const refusal = refusalOfOrder(order, body.orderId, facilityCode);
  if (refusal || !order) return { answer: refused(refusal as Refusal), events: [] };
  const mint = () => mintFree(tx, ssccs, countUnnumbered(body));
  const planning = { clientId, facilityCode, body, carriers, seller, packedAt: inUtc(body.occurredAt ?? at), mint };
  const plan = await planPack(tx, planning, order);
  if (!plan.ok) {
    const { refusal, holdReason } = plan.fault;
    const events = holdReason === undefined ? [] : await holdFor(view, order, holdReason);
    return { answer: refused(refusal), events };
  }
  const packed = writePlan(view, plan.value);
  const papers = await keepPapers(view, plan.value);
  const settled = await settlePlan(view, order, plan.value);
  return { answer: ok(answerOf(plan.value, papers)), events: [...packed, ...settled] };
}

/** Mints new numbers and skips those that a warehouse has already given to a parcel. */
async function mintFree(tx: Transaction, ssccs: SsccMint, count: number): Promise<string[]> {
  const minted: string[] = [];
  while (minted.length < count) {
    const taken = await ssccs.take(count - minted.length);
    const used = new Set((await findParcelOwners(tx, "OLPN", taken)).map(({ key }) => key));
    minted.push(...taken.filter((sscc) => !used.has(sscc)));
  }
  return minted;
}

/** Holds the order until an operator changes its carrier, address or parcels. */
function holdFor(tx: UnitOfWork, before: Order, reason: string): Promise<EventDraft[]> {
  const type = "CARRIER_UNAVAILABLE";
  const order = withHold(before, { type, reason, since: tx.change.at, by: tx.change.actor });
  return settleOrders(tx, [{ order, before, action: "hold", topics: ["order:held"], detail: { hold: type, reason } }]);
}

function writePlan(tx: UnitOfWork, plan: PackPlan): EventDraft[] {
  const { made, reservations, exchanged, purchases } = plan;
  writeReservations(tx, reservations.changed());
  writeSerials(tx, tx.change.at, exchanged);
  insertParcels(tx, tx.change.at, made);
  insertParcelKeys(
    tx.plain,
    tx.clientId,
    made.flatMap(({ olpnId, trackingNumber = olpnId }) => [
      { kind: "OLPN" as const, key: olpnId, olpnId },
      { kind: "TRACKING" as const, key: trackingNumber, olpnId },
    ]),
  );
  if (purchases.length > 0) startPurchases(tx, purchases);
  return made.map((parcel) => parcelEvent("parcel:packed", parcel));
}

function settlePlan(
  tx: UnitOfWork,
  before: Order,
  { after, parcels, made, purchases }: PackPlan,
): Promise<EventDraft[]> {
  const isPacked = before.status !== "PACKED" && stateOf(after).state === "PACKED";
  const awaited = new Set(purchases.map(({ olpnId }) => olpnId));
  const labels = made.flatMap(({ olpnId }) => (awaited.has(olpnId) ? [] : { code: 70, olpnId }));
  return settleOrders(tx, [
    {
      order: after,
      before,
      action: "pack",
      parcels: [...parcels, ...made],
      milestones: isPacked ? [{ code: 60 }, ...labels, { code: 75 }] : labels,
    },
  ]);
}

interface KeptPaper {
  readonly document: KeptDocument;
  readonly warnings: readonly string[];
}

/** Stores what the papers show; their bytes are made at their first read. */
async function keepPapers(tx: UnitOfWork, { papers }: PackPlan): Promise<KeptPaper[]> {
  const documents = await keepDocuments(tx, papers);
  return documents.map((document, i) => ({
    document,
    warnings: warningsOf(papers[i] as PaperOrder).map(({ text }) => text),
  }));
}

function answerOf({ after, parcels, made, purchases, warnings }: PackPlan, papers: readonly KeptPaper[]): object {
  const papersOf = Map.groupBy(papers, ({ document }) => document.olpnId);
  return {
    ...orderAnswer(after, [...parcels, ...made]),
    olpns: made.map(({ olpnId, carrierCode, carrierServiceCode, trackingNumber, decisionId }) => ({
      olpnId,
      carrierCode: carrierCode ?? null,
      carrierServiceCode: carrierServiceCode ?? null,
      trackingNumber: trackingNumber ?? null,
      decisionId: decisionId ?? null,
      documents: (papersOf.get(olpnId) ?? []).map(({ document, warnings: ofPaper }) => ({
        documentId: document.documentId,
        type: document.type,
        contentType: document.contentType,
        warnings: ofPaper,
      })),
    })),
    warnings: [
      ...warnings,
      ...purchases.map(
        ({ olpnId }) => `The label of ${olpnId} is being bought from its carrier: read label/get/${olpnId}.`,
      ),
    ],
  };
}
