// Requested counts (lifecycle.md §8). Pure. Quantities in integer thousandths.
import type { StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import type { Condition, Lot } from "#/modules/inventory/lot.ts";

export const countStatuses = [
  "REQUESTED",
  "WAITING",
  "COUNTED",
  "APPROVED",
  "REJECTED",
  "SUPERSEDED",
  "CANCELLED",
] as const;
export type CountStatus = (typeof countStatuses)[number];

/** `ADJUSTMENT`: no warehouse counts; an operator's adjustment above the tolerance waits. */
export const countCauses = ["OPERATOR", "SHORT_PICK", "ZERO_BALANCE", "ABC", "RECOUNT", "ADJUSTMENT"] as const;
export type CountCause = (typeof countCauses)[number];

/** The outcome of a line: `EQUAL` has no difference, `BOOKED` had one within the tolerance. */
export const countLineStates = ["EQUAL", "BOOKED", "WAITING", "APPROVED", "REJECTED", "SUPERSEDED"] as const;
export type CountLineState = (typeof countLineStates)[number];

/** The goods that the warehouse counts; an absent field means any. At least the SKU or the pool is present. */
export interface CountScope {
  readonly sku?: string | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly condition: Condition;
}

export interface CountLine extends Lot {
  readonly lineNumber: number;
  readonly sku: string;
  readonly uom: string;
  readonly condition: Condition;
  /** Units of the shelf: without picked and packed ones, unless the warehouse counted those too. */
  readonly expected: number;
  /** Undefined until the warehouse has counted the lot, and in an ended count for a lot that it need not count. */
  readonly counted?: number | undefined;
  readonly state?: CountLineState | undefined;
  /** While the difference waits: what its approval books. */
  readonly changes?: readonly StockChange[] | undefined;
}

export interface StockCount {
  readonly countId: string;
  readonly facilityCode: string;
  readonly status: CountStatus;
  readonly cause: CountCause;
  readonly scope: CountScope;
  readonly isBlind: boolean;
  readonly note?: string | undefined;
  /** ISO 8601 UTC, as all times. */
  readonly requestedAt: string;
  readonly requestedBy: string;
  readonly lines: readonly CountLine[];
  readonly countedAt?: string | undefined;
  readonly reportedAt?: string | undefined;
  /** Position of the book after the report. */
  readonly reportedPosition?: number | undefined;
  readonly endedAt?: string | undefined;
  readonly endedBy?: string | undefined;
  readonly endReason?: string | undefined;
}

/** A difference up to either limit is booked at once (client settings countTolerance, countToleranceUnits). */
export interface CountTolerance {
  /** Per cent of the expected quantity. */
  readonly countTolerance: number;
  readonly countToleranceUnits: number;
}

/**
 * Whether units that were lost and units that were found are few enough to be booked without an operator.
 * @param expected the quantity that the books have, thousandths
 */
export function isWithinTolerance(
  expected: number,
  changes: readonly Pick<StockChange, "type" | "qty">[],
  { countTolerance, countToleranceUnits }: CountTolerance,
): boolean {
  const deviation = changes
    .filter(({ type }) => type === "ADJUSTMENT")
    .reduce((sum, { qty }) => sum + Math.abs(qty), 0);
  return deviation <= countToleranceUnits * 1000 || deviation * 100 <= countTolerance * expected;
}

/** Whether the count asks for this lot. Its condition does not matter: counted goods may turn out to be damaged. */
export function isInScope(scope: CountScope, lot: { readonly sku: string } & Lot): boolean {
  return (
    (scope.sku ?? lot.sku) === lot.sku &&
    (scope.stockPool ?? lot.stockPool) === lot.stockPool &&
    (scope.batchRef ?? lot.batchRef) === lot.batchRef &&
    (scope.expiryDate ?? lot.expiryDate) === lot.expiryDate
  );
}

/** The SKUs of which these counts ask for any lot. */
export function skusInCounts(counts: readonly StockCount[]): ReadonlySet<string | undefined> {
  return new Set(counts.flatMap(({ scope, lines }) => [scope.sku, ...lines.map(({ sku }) => sku)]));
}

/** Whether the count asks for all GOOD lots of a SKU. */
export function isWholeSku(scope: CountScope): scope is CountScope & { readonly sku: string } {
  const { sku, stockPool, batchRef, expiryDate, condition } = scope;
  return (
    sku !== undefined && condition === "GOOD" && [stockPool, batchRef, expiryDate].every((field) => field === undefined)
  );
}

/** Readable text: `SKU A, batch B1`, `pool B2B`. */
export function describeScope({ sku, stockPool, batchRef, expiryDate, condition }: CountScope): string {
  const parts = [
    sku === undefined ? [] : `SKU ${sku}`,
    batchRef === undefined || batchRef === "" ? [] : `batch ${batchRef}`,
    expiryDate === undefined || expiryDate === "infinity" ? [] : `expiry ${expiryDate}`,
    stockPool === undefined ? [] : `pool ${stockPool}`,
    condition === "GOOD" ? [] : condition,
  ].flat();
  return parts.join(", ");
}

/** The count after its waiting lines that fit were decided: it ends with the last of them. */
export function decided(
  count: StockCount,
  state: "APPROVED" | "REJECTED" | "SUPERSEDED",
  by: { readonly at: string; readonly actor: string; readonly reason?: string | undefined },
  fits: (line: CountLine) => boolean = () => true,
): StockCount {
  const lines = count.lines.map((line): CountLine => {
    if (line.state !== "WAITING" || !fits(line)) return line;
    const { changes: _, ...rest } = line;
    return { ...rest, state };
  });
  if (lines.some((line) => line.state === "WAITING")) return { ...count, lines };
  return { ...count, lines, status: state, endedAt: by.at, endedBy: by.actor, endReason: by.reason };
}
