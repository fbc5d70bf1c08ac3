import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { findItemRules } from "#/modules/catalogue/index.ts";
import {
  type Balance,
  fieldsOfLot,
  listBalances,
  listReservationsOfLots,
  listSerialsInStock,
  listShortPicked,
  lotKey,
  openBooks,
  reportHold,
} from "#/modules/inventory/index.ts";
import type { LotChange, LotChangeRequest } from "#/modules/lots/contract.ts";
import { listFacilities } from "#/modules/lots/trace-repository.ts";
import { freeAllocations } from "#/modules/warehouse/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult, EventDraft } from "#/store/outbox/append.ts";

/** The reason of the ADJ; the words of the request are in the audit log. */
const reasonCode = "CONDITION";

type Change = "hold" | "release";

/**
 * Puts what is left of a lot on hold in each facility, or releases it (contract rest.md §3): the change of condition that
 * a warehouse reports, for each lot of the number. Allocations of held goods are freed; picked and packed goods stay with
 * their orders. A release leaves goods on hold that a pick did not find. A repeat finds nothing more to change.
 */
export async function changeLot(
  tx: UnitOfWork,
  change: Change,
  { sku, lotNumber, reason: note, distributionCentre }: LotChangeRequest,
): Promise<Result<CommandResult<LotChange>, Refusal>> {
  const facilities = await listFacilities(tx, { sku, lotNumber });
  const wanted = facilities.filter((code) => distributionCentre === undefined || code === distributionCentre);
  const books = await openBooks(tx, wanted, tx.change.at);
  const hasSerials = (await findItemRules(tx, [sku])).get(sku)?.captureSerial ?? false;
  const [fromCondition, toCondition] =
    change === "hold" ? (["GOOD", "ON_HOLD"] as const) : (["ON_HOLD", "GOOD"] as const);
  const changes: LotChange["changes"] = [];
  const events: EventDraft[] = [];
  let inHand = 0;
  for (const [facilityCode, book] of books) {
    const balances = (await listBalances(tx, facilityCode, [sku])).filter(
      ({ batchRef, condition, qty }) => batchRef === lotNumber && condition === fromCondition && qty > 0,
    );
    const kept =
      change === "hold" ? await listInHand(tx, facilityCode, balances) : await listMissing(tx, facilityCode, sku);
    const serials = hasSerials ? await listSerialsInStock(tx, facilityCode, [sku]) : [];
    const free = serials.filter((place) => place.condition === fromCondition && place.ownerType === undefined);
    const freeOf = Map.groupBy(free, lotKey);
    const lines = balances.flatMap((lot) => {
      const ofLot = (freeOf.get(lotKey(lot)) ?? []).map(({ serial }) => serial);
      const keptQty = kept.get(lotKey(lot)) ?? 0;
      if (change === "hold") inHand += keptQty;
      const qty = quantityToNumber(lot.qty - keptQty);
      if (qty <= 0) return [];
      const line = { ...fieldsOfLot(lot), sku, fromCondition, toCondition };
      if (!hasSerials) return [{ ...line, qty }];
      // The units that a pick did not find are not known by name: as many of the others stay.
      const named = ofLot.slice(0, qty);
      return named.length === 0 ? [] : [{ ...line, qty: named.length, serials: named }];
    });
    if (lines.length === 0) continue;
    const reported = await reportHold(tx, book, { reasonCode, note, lines }, freeAllocations);
    if (!reported.ok) return reported;
    const { adjustmentId } = reported.value.answer;
    const qty = sumOf(lines);
    changes.push({ distributionCentre: facilityCode, adjustmentId, qty });
    events.push(...reported.value.events);
  }
  const qty = sumOf(changes);
  const answer = { clientId: tx.clientId, sku, lotNumber, qty, qtyInHand: quantityToNumber(inHand), changes };
  return ok({ answer, events });
}

const sumOf = (entries: readonly { readonly qty: number }[]) =>
  quantityToNumber(entries.reduce((sum, { qty }) => sum + quantityOf(qty), 0));

/** Picked and packed quantity by lot. */
async function listInHand(
  tx: UnitOfWork,
  facilityCode: string,
  lots: readonly Balance[],
): Promise<Map<string, number>> {
  const held = new Map<string, number>();
  for (const reservation of await listReservationsOfLots(tx, facilityCode, lots)) {
    const key = lotKey(reservation);
    held.set(key, (held.get(key) ?? 0) + reservation.picked + reservation.packed);
  }
  return held;
}

/** Quantity by lot that a pick did not find. */
async function listMissing(tx: UnitOfWork, facilityCode: string, sku: string): Promise<Map<string, number>> {
  const short = await listShortPicked(tx, facilityCode, [sku], tx.change.at);
  return new Map(short.map((lot) => [lotKey(lot), lot.qty]));
}
