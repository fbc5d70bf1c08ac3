import { conflict, notFound, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { faultOfPool, type PoolSettings } from "#/kernel/values/stock-pools.ts";
import { findItemRules, type ItemRules } from "#/modules/catalogue/index.ts";
import type { Work } from "#/modules/facilities/index.ts";
import { listEmptiedLots, listShortPicked } from "#/modules/inventory/adjustments/count-repository.ts";
import {
  type CountCause,
  type CountLine,
  type CountScope,
  describeScope,
  isInScope,
  type StockCount,
  skusInCounts,
} from "#/modules/inventory/counts/domain.ts";
import * as repository from "#/modules/inventory/counts/repository.ts";
import { openBook } from "#/modules/inventory/ledger/book.ts";
import { listBalances } from "#/modules/inventory/ledger/repository.ts";
import { listReservationsOfLots } from "#/modules/inventory/ledger/reservation-repository.ts";
import { balanceKey, type Lot, lotKey, lotOf } from "#/modules/inventory/lot.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

/** Where a client has stock, and in which pools. */
export interface CountOwner {
  readonly facilities: readonly string[];
  readonly settings: PoolSettings;
}

export interface CountRequest {
  readonly facilityCode: string;
  readonly scope: CountScope;
  readonly isBlind: boolean;
  readonly note?: string | undefined;
}

/** A larger pool is counted SKU by SKU, so that one report can answer. */
export const countLinesMax = 1_000;

/**
 * An operator asks for a count of a SKU, a lot or a pool. Its lines are the lots in stock; a lot without stock is
 * counted where the request names it in full. Refused while the same count is open.
 */
export async function requestCount(
  tx: UnitOfWork,
  owner: CountOwner,
  request: CountRequest,
): Promise<Result<StockCount, Refusal>> {
  const { facilityCode, scope } = request;
  const wrong = faultOfRequest(tx.clientId, owner, request);
  if (wrong) return refused(wrong);
  await openBook(tx, facilityCode, tx.change.at);
  const name = JSON.stringify(scopeFields(scope));
  const open = await repository.listOpenCounts(tx, facilityCode);
  const same = open.find((count) => count.status === "REQUESTED" && JSON.stringify(scopeFields(count.scope)) === name);
  if (same) {
    const text = `Count ${same.countId} of ${describeScope(scope)} in ${facilityCode} is open since ${same.requestedAt}; wait for its report, or cancel it.`;
    return refused(conflict(text));
  }
  const lines = await readLinesOf(tx, request);
  if (!lines.ok) return lines;
  return ok(createCount(tx, { ...request, cause: "OPERATOR", lines: lines.value }));
}

/** After a rejection: the lots whose differences were rejected are counted again, against the stock as it is now. */
export async function requestRecount(tx: UnitOfWork, rejected: StockCount): Promise<StockCount> {
  const { facilityCode, scope, isBlind, note } = rejected;
  const again = rejected.lines.filter(({ state }) => state === "REJECTED");
  const lines = await linesOfLots(tx, facilityCode, again);
  return createCount(tx, { facilityCode, scope, isBlind, note, cause: "RECOUNT", lines });
}

/** The rule for short picks: requests a count of each short-picked lot that no open count covers. */
export async function requestShortPickCounts(
  tx: UnitOfWork,
  facilityCode: string,
  skus: readonly string[],
): Promise<StockCount[]> {
  const shorts = (await listShortPicked(tx, facilityCode, skus, tx.change.at)).filter(({ qty }) => qty > 0);
  return requestLotCounts(tx, { facilityCode, cause: "SHORT_PICK" }, shorts);
}

/** The rule for a balance of zero: requests a count of the lot that was emptied last, unless an open count covers it. */
export async function requestZeroBalanceCounts(
  tx: UnitOfWork,
  facilityCode: string,
  skus: readonly string[],
): Promise<StockCount[]> {
  const emptied = await listEmptiedLots(tx, facilityCode, skus);
  return requestLotCounts(tx, { facilityCode, cause: "ZERO_BALANCE" }, emptied);
}

/** The ABC rule: a blind count of all lots of each SKU that has stock and no open count. */
export async function requestAbcCounts(
  tx: UnitOfWork,
  facilityCode: string,
  skus: readonly string[],
): Promise<StockCount[]> {
  await openBook(tx, facilityCode, tx.change.at);
  const inCount = skusInCounts(await repository.listOpenCounts(tx, facilityCode));
  const left = skus.filter((sku) => !inCount.has(sku));
  const lots = (await listBalances(tx, facilityCode, left)).filter(({ condition }) => condition === "GOOD");
  const lines = await linesOfLots(tx, facilityCode, await goodLines(tx, lots));
  return [...Map.groupBy(lines, ({ sku }) => sku)].map(([sku, ofSku]) => {
    const numbered = ofSku.map((line, i) => ({ ...line, lineNumber: i + 1 }));
    const scope = { sku, condition: "GOOD" as const };
    return createCount(tx, { facilityCode, scope, isBlind: true, cause: "ABC", lines: numbered });
  });
}

/** A blind count of each lot that no open count covers. */
async function requestLotCounts(
  tx: UnitOfWork,
  { facilityCode, cause }: { readonly facilityCode: string; readonly cause: CountCause },
  all: readonly ({ readonly sku: string } & Lot)[],
): Promise<StockCount[]> {
  if (all.length === 0) return [];
  const open = await repository.listOpenCounts(tx, facilityCode);
  const covered = new Set(open.flatMap(({ lines }) => lines.map(lotKey)));
  const lots = all.filter((lot) => !covered.has(lotKey(lot)));
  const lines = await linesOfLots(tx, facilityCode, await goodLines(tx, lots));
  return lines.map((line) => {
    const { sku, stockPool, batchRef, expiryDate, condition } = line;
    const scope = { sku, stockPool, batchRef, expiryDate, condition };
    const counted = { facilityCode, scope, isBlind: true, cause, lines: [{ ...line, lineNumber: 1 }] };
    return createCount(tx, counted);
  });
}

/** Lines for GOOD lots in their stock units, without the expected quantities. */
async function goodLines(
  tx: ClientTx,
  lots: readonly ({ readonly sku: string } & Lot)[],
): Promise<Omit<CountLine, "expected">[]> {
  const skus = lots.map(({ sku }) => sku);
  const rules = await findItemRules(tx, [...new Set(skus)]);
  return lots.map(({ sku, stockPool, batchRef, expiryDate }, i) => {
    const uom = rules.get(sku)?.stockUom ?? defaultStockUnit;
    return { lineNumber: i + 1, sku, stockPool, batchRef, expiryDate, uom, condition: "GOOD" };
  });
}

/** Ends a count that the warehouse has not answered. */
export async function cancelCount(
  tx: UnitOfWork,
  countId: string,
  reason: string | undefined,
): Promise<Result<StockCount, Refusal>> {
  const locked = await lockCount(tx, countId);
  if (!locked.ok) return locked;
  const { count } = locked.value;
  if (count.status !== "REQUESTED") {
    return refused(conflict(`Count ${countId} is ${count.status}; only a count without a report can be cancelled.`));
  }
  const end = { endedAt: tx.change.at, endedBy: tx.change.actor, endReason: reason };
  const cancelled: StockCount = { ...count, status: "CANCELLED", ...end };
  repository.updateCounts(tx, [cancelled]);
  recordAudit(tx, { action: "cancel", objectType: "count", objectId: countId, detail: { reason } });
  return ok(cancelled);
}

/** The count with the book of its facility, which is locked: only its holder changes a count. */
export async function lockCount(tx: UnitOfWork, countId: string) {
  const unknown = notFound(`There is no count ${countId} of ${tx.clientId}.`);
  const found = await repository.findCount(tx, countId);
  if (!found) return refused(unknown);
  const book = await openBook(tx, found.facilityCode, tx.change.at);
  const count = await repository.findCount(tx, countId);
  return count ? ok({ book, count }) : refused(unknown);
}

/** The task of a count (warehouse.md): wanted until it is answered or cancelled. */
export function workOfCount(count: StockCount): Work {
  return {
    type: "COUNT",
    objectId: count.countId,
    facilityCode: count.facilityCode,
    isWanted: count.status === "REQUESTED",
    priority: 5,
    notes: count.note,
    lines: count.lines.map(({ lineNumber, sku, uom, stockPool, batchRef, expiryDate, condition, expected }) => ({
      lineNumber,
      sku,
      qty: count.isBlind ? undefined : expected,
      uom,
      stockPool,
      batchRef,
      expiryDate,
      condition,
    })),
  };
}

function createCount(
  tx: UnitOfWork,
  of: CountRequest & { readonly cause: CountCause; readonly lines: readonly CountLine[] },
): StockCount {
  const countId = tx.change.ids.next(Date.parse(tx.change.at));
  const count: StockCount = {
    countId,
    facilityCode: of.facilityCode,
    status: "REQUESTED",
    cause: of.cause,
    scope: of.scope,
    isBlind: of.isBlind,
    note: of.note,
    requestedAt: tx.change.at,
    requestedBy: tx.change.actor,
    lines: of.lines,
  };
  repository.insertCount(tx, count);
  recordAudit(tx, {
    action: "create",
    objectType: "count",
    objectId: countId,
    detail: { facilityCode: of.facilityCode, cause: of.cause, what: describeScope(of.scope) },
  });
  return count;
}

const scopeFields = ({ sku, stockPool, batchRef, expiryDate, condition }: CountScope) =>
  [sku, stockPool, batchRef, expiryDate, condition].map((field) => field ?? null);

function faultOfRequest(
  clientId: string,
  owner: CountOwner,
  { facilityCode, scope }: CountRequest,
): Refusal | undefined {
  if (!owner.facilities.includes(facilityCode)) {
    const message = `'${facilityCode}' is not a facility of ${clientId}; it has ${owner.facilities.join(", ")}`;
    return unprocessableFaults([{ pointer: "#/distributionCentre", message }]);
  }
  if (scope.sku === undefined && scope.stockPool === undefined) {
    return unprocessableFaults([{ pointer: "#/sku", message: "is missing; name a SKU, or a stockPool" }]);
  }
  if (scope.sku === undefined && (scope.batchRef !== undefined || scope.expiryDate !== undefined)) {
    return unprocessableFaults([{ pointer: "#/sku", message: "is missing; a lot belongs to a SKU" }]);
  }
  const message = scope.stockPool === undefined ? undefined : faultOfPool(owner.settings, scope.stockPool);
  return message === undefined ? undefined : unprocessableFaults([{ pointer: "#/stockPool", message }]);
}

/** The lots in stock that the count asks for. */
async function readLinesOf(
  tx: ClientTx,
  { facilityCode, scope }: CountRequest,
): Promise<Result<readonly CountLine[], Refusal>> {
  const { sku, stockPool = "", condition } = scope;
  const balances =
    sku === undefined
      ? await repository.listPoolLots(tx, facilityCode, { stockPool, condition, limit: countLinesMax + 1 })
      : (await listBalances(tx, facilityCode, [sku])).filter(
          (balance) => balance.condition === condition && isInScope(scope, balance),
        );
  if (balances.length > countLinesMax) {
    const message = `'${stockPool}' has more than ${countLinesMax} lots of ${condition} goods in ${facilityCode}; count its SKUs one by one`;
    return refused(unprocessableFaults([{ pointer: "#/stockPool", message }]));
  }
  const rules = await findItemRules(tx, sku === undefined ? balances.map((balance) => balance.sku) : [sku]);
  const lots = balances.length > 0 || sku === undefined ? ok(balances) : lotsWithoutStock(scope, sku, rules.get(sku));
  if (!lots.ok) return lots;
  if (lots.value.length === 0) {
    const message = `'${stockPool}' has no ${condition} goods in ${facilityCode}; name the SKU to count`;
    return refused(unprocessableFaults([{ pointer: "#/stockPool", message }]));
  }
  const wanted = lots.value.map((lot, i) => ({
    lineNumber: i + 1,
    sku: lot.sku,
    stockPool: lot.stockPool,
    batchRef: lot.batchRef,
    expiryDate: lot.expiryDate,
    uom: rules.get(lot.sku)?.stockUom ?? defaultStockUnit,
    condition,
  }));
  return ok(await linesOfLots(tx, facilityCode, wanted));
}

/** Nothing in stock is counted, too: goods may be there that the books do not have. */
function lotsWithoutStock(
  scope: CountScope,
  sku: string,
  rules: ItemRules | undefined,
): Result<readonly ({ readonly sku: string } & Lot)[], Refusal> {
  if (!rules) {
    const message = `SKU ${sku} is unknown; send it in a CAT first`;
    return refused(unprocessableFaults([{ pointer: "#/sku", message }]));
  }
  const missing = [
    rules.captureBatchRef && scope.batchRef === undefined ? ["batchRef"] : [],
    rules.captureExpiry && scope.expiryDate === undefined ? ["expiryDate"] : [],
  ].flat();
  if (missing.length > 0) {
    const faults = missing.map((field) => {
      const message = `is missing; SKU ${sku} has no ${scope.condition} stock there, so name the lot to count`;
      return { pointer: `#/${field}`, message };
    });
    return refused(unprocessableFaults(faults));
  }
  return ok([{ ...lotOf(scope), sku }]);
}

/** The lots with the quantity that the books expect on the shelf now: without picked and packed units. */
export async function linesOfLots(
  tx: ClientTx,
  facilityCode: string,
  lots: readonly Omit<CountLine, "expected">[],
): Promise<CountLine[]> {
  const skus = [...new Set(lots.map(({ sku }) => sku))];
  const good = lots.filter(({ condition }) => condition === "GOOD");
  const [balances, reservations] = await Promise.all([
    listBalances(tx, facilityCode, skus),
    listReservationsOfLots(tx, facilityCode, good),
  ]);
  const balanceOf = new Map(balances.map((balance) => [balanceKey(balance), balance.qty]));
  const stagedOf = new Map<string, number>();
  for (const holder of reservations) {
    const key = lotKey(holder);
    stagedOf.set(key, (stagedOf.get(key) ?? 0) + holder.picked + holder.packed);
  }
  return lots.map(({ lineNumber, sku, uom, stockPool, batchRef, expiryDate, condition }) => {
    const place = { sku, stockPool, batchRef, expiryDate, condition };
    const staged = condition === "GOOD" ? (stagedOf.get(lotKey(place)) ?? 0) : 0;
    return { lineNumber, uom, ...place, expected: Math.max(0, (balanceOf.get(balanceKey(place)) ?? 0) - staged) };
  });
}
