import { conflict, type Refusal, type RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { CountReport } from "#/modules/inventory/adjustments/reports.ts";
import {
  type CountLine,
  decided,
  describeScope,
  isInScope,
  type StockCount,
} from "#/modules/inventory/counts/domain.ts";
import * as repository from "#/modules/inventory/counts/repository.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import type { StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { balanceKey, type Condition, describeLot, fieldsOfLot, type Lot, lotOf } from "#/modules/inventory/lot.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";

/** A difference that is not booked, as the answer to the report names it; quantities as JSON numbers. */
export interface WaitingLine {
  readonly sku: string;
  readonly condition: Condition;
  readonly stockPool: string;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly countedQty: number;
  readonly expectedQty: number;
}

type Place = { readonly sku: string; readonly condition: Condition } & Lot;

/** A counted balance with its result; quantities in thousandths. */
export interface CountedLine {
  readonly place: Place;
  readonly uom: string;
  readonly expected: number;
  readonly counted: number;
  readonly changes: readonly StockChange[];
  readonly isWaiting: boolean;
}

/** The requested count that a report answers; undefined where the warehouse counts by itself. */
export async function findRequestedCount(
  tx: ClientTx,
  { facilityCode }: Book,
  countId: string,
): Promise<Result<StockCount | undefined, Refusal>> {
  const count = await repository.findCount(tx, countId);
  if (count?.facilityCode !== facilityCode) return ok(undefined);
  if (count.status === "REQUESTED") return ok(count);
  const end = count.status === "CANCELLED" ? "was cancelled" : "was answered by another report";
  return refused(
    conflict(`Count ${countId} (${describeScope(count.scope)}) ${end}; report what you counted under a new countId.`),
  );
}

/** Each line of the count must be counted, and nothing else: what is left out would be neither found nor missing. */
export function faultsOfAnswer(count: StockCount, report: CountReport): RequestFault[] {
  const places = report.lines.map((line): Place => {
    return { ...lotOf(line), sku: line.sku, condition: line.condition ?? "GOOD" };
  });
  const foreign = places.flatMap((place, i): RequestFault[] => {
    if (isInScope(count.scope, place)) return [];
    const message = `${describeLot(place)} is not part of count ${count.countId} (${describeScope(count.scope)}); report it under another countId`;
    return [{ pointer: `#/lines/${i}/sku`, message }];
  });
  const keys = new Set(places.map(balanceKey));
  const missing = count.lines.flatMap((line): RequestFault[] => {
    if (keys.has(balanceKey(line))) return [];
    const condition = line.condition === "GOOD" ? "" : `, ${line.condition}`;
    const message = `line ${line.lineNumber} of count ${count.countId} (${describeLot(line)}${condition}) is missing; send its countedQty, 0 where there is none`;
    return [{ pointer: "#/lines", message }];
  });
  return [...foreign, ...missing];
}

/** Stores the result of a requested count. */
export function answerCount(
  tx: UnitOfWork,
  book: Book,
  count: StockCount,
  { countedAt, results }: { readonly countedAt: string; readonly results: readonly CountedLine[] },
): { readonly status: "COUNTED" | "WAITING"; readonly waiting: readonly WaitingLine[] } {
  const numberOf = new Map(count.lines.map((line) => [balanceKey(line), line.lineNumber]));
  let last = Math.max(0, ...numberOf.values());
  const lines = results.map(({ place, uom, expected, counted, changes, isWaiting }): CountLine => {
    const { sku, condition, stockPool, batchRef, expiryDate } = place;
    const lineNumber = numberOf.get(balanceKey(place)) ?? ++last;
    const line = { lineNumber, sku, uom, stockPool, batchRef, expiryDate, condition, expected, counted };
    if (isWaiting) return { ...line, state: "WAITING", changes };
    return { ...line, state: changes.length === 0 ? "EQUAL" : "BOOKED" };
  });
  const waiting = results.filter(({ isWaiting }) => isWaiting);
  const status = waiting.length === 0 ? "COUNTED" : "WAITING";
  repository.updateCounts(tx, [
    {
      ...count,
      status,
      lines: lines.toSorted((left, right) => left.lineNumber - right.lineNumber),
      countedAt,
      reportedAt: tx.change.at,
      reportedPosition: book.position,
      ...(status === "COUNTED" ? { endedAt: tx.change.at, endedBy: tx.change.actor } : {}),
    },
  ]);
  return {
    status,
    waiting: waiting.map(({ place, expected, counted }) => ({
      sku: place.sku,
      condition: place.condition,
      ...fieldsOfLot(place),
      countedQty: quantityToNumber(counted),
      expectedQty: quantityToNumber(expected),
    })),
  };
}

/** A later count of a lot decides: differences of earlier counts that still wait for approval are void. */
export async function supersedeWaiting(
  tx: UnitOfWork,
  { facilityCode }: Book,
  countId: string,
  places: readonly Place[],
): Promise<void> {
  const keys = new Set(places.map(balanceKey));
  const isCounted = (line: CountLine) => line.state === "WAITING" && keys.has(balanceKey(line));
  const open = await repository.listOpenCounts(tx, facilityCode);
  const superseded = open.filter(({ lines }) => lines.some(isCounted));
  const by = { at: tx.change.at, actor: tx.change.actor, reason: `counted again by ${countId}` };
  repository.updateCounts(
    tx,
    superseded.map((count) => decided(count, "SUPERSEDED", by, isCounted)),
  );
}
