import type { Tx } from "#/db/database.ts";
import { formatQuantity, parseQuantity } from "#/kernel/quantity.ts";
import { findItemRules, type ItemRules, refusalOfLot } from "#/modules/catalogue/index.ts";
import { type Lot, type LotFields, lotOf } from "#/modules/inventory/lot.ts";
import { reasonCodes } from "#/modules/inventory/reports.ts";

/** A line of a report that names a SKU which exists, in a lot that can be booked. */
export interface ReadLine<Line> {
  readonly line: Line;
  readonly sku: string;
  readonly rules: ItemRules;
  readonly lot: Lot;
  /** Integer thousandths. */
  readonly qty: number;
  readonly serials: readonly string[];
}

type Sign = "signed" | "positive" | "zeroOrMore";

const ruleOfSign: Readonly<Record<Sign, string>> = {
  signed: "a quantity above or below 0",
  positive: "a quantity above 0",
  zeroOrMore: "a quantity of 0 or more",
};

/** Reads the lines of a report against the catalogue; the faults of all lines, a sentence each, with where it stands. */
export async function readLines<Line extends LotFields & { sku: string; serials?: readonly string[] | undefined }>(
  tx: Tx,
  clientId: string,
  lines: readonly Line[],
  qtyOf: (line: Line) => number,
  sign: Sign,
): Promise<{ readonly read: readonly ReadLine<Line>[]; readonly faults: string[] }> {
  const faults: string[] = [];
  if (lines.length === 0) faults.push("lines: there is none, send at least one");
  const rulesOf = await findItemRules(
    tx,
    clientId,
    lines.map(({ sku }) => sku),
  );
  const read = lines.flatMap((line, i): ReadLine<Line>[] => {
    const path = `lines[${i}]`;
    const rules = rulesOf.get(line.sku);
    const qty = parseQuantity(decimal(qtyOf(line)));
    if (qty === undefined || !fits(qty, sign)) {
      faults.push(`${path}: ${qtyOf(line)} is not ${ruleOfSign[sign]} with at most 3 fraction digits`);
    }
    if (line.expiryDate !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(line.expiryDate)) {
      faults.push(`${path}: expiryDate '${line.expiryDate}' is not a date such as 2026-12-31`);
    }
    if (!rules) faults.push(`${path}: SKU ${line.sku} is unknown; send it in a CAT first`);
    if (!rules || qty === undefined) return [];
    const refusal = refusalOfLot(rules, qty, line);
    if (refusal !== undefined) faults.push(`${path}: ${refusal}`);
    return [{ line, sku: line.sku, rules, lot: lotOf(line), qty, serials: line.serials ?? [] }];
  });
  return { read, faults };
}

/** Without an exponent, which small and large numbers print with. */
function decimal(value: number): string {
  return /e/.test(String(value)) ? "" : String(value);
}

function fits(qty: number, sign: Sign): boolean {
  return sign === "signed" ? qty !== 0 : sign === "positive" ? qty > 0 : qty >= 0;
}

export function faultsOfReason(reasonCode: string): string[] {
  const isKnown = (reasonCodes as readonly string[]).includes(reasonCode);
  return isKnown ? [] : [`reasonCode '${reasonCode}' is none of ${reasonCodes.join(", ")}`];
}

/** What a pool gives another one gets: per SKU the lines add up to nothing. */
export function faultsOfPoolTransfer(lines: readonly ReadLine<unknown>[]): string[] {
  const sums = new Map<string, number>();
  for (const { sku, qty } of lines) sums.set(sku, (sums.get(sku) ?? 0) + qty);
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([sku, sum]) => {
      const total = formatQuantity(sum);
      return `POOL_TRANSFER of SKU ${sku}: its lines add up to ${total}; send what one pool loses and another gains`;
    });
}
