import { type Refusal, type RequestFault, unprocessable } from "#/kernel/refusal.ts";
import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import { faultsOfLot, findItemRules, type ItemRules } from "#/modules/catalogue/index.ts";
import { reasonCodes, reasonSigns } from "#/modules/inventory/adjustments/reports.ts";
import { type Lot, type LotFields, lotOf } from "#/modules/inventory/lot.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** A line of a report that names an existing SKU and a valid lot. */
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

/**
 * Reads the lines of a report and checks them against the catalogue.
 *
 * @param qtyField the field that holds the quantity of a line
 * @returns the read lines, and the faults of all lines
 */
export async function readLines<
  QtyField extends "qty" | "countedQty",
  Line extends LotFields & { sku: string; serials?: readonly string[] | undefined } & Readonly<
      Record<QtyField, number>
    >,
>(
  tx: ClientTx,
  lines: readonly Line[],
  qtyField: QtyField,
  sign: Sign,
): Promise<{ readonly read: readonly ReadLine<Line>[]; readonly faults: RequestFault[] }> {
  const faults: RequestFault[] = [];
  if (lines.length === 0) faults.push({ pointer: "#/lines", message: "there is none, send at least one" });
  const rulesOf = await findItemRules(
    tx,
    lines.map(({ sku }) => sku),
  );
  const read = lines.flatMap((line, i): ReadLine<Line>[] => {
    const fault = (field: string, message: string) => faults.push({ pointer: `#/lines/${i}/${field}`, message });
    const rules = rulesOf.get(line.sku);
    const sent: number = line[qtyField];
    const qty = parseQuantity(decimal(sent));
    if (qty === undefined || !fits(qty, sign)) {
      fault(qtyField, `${sent} is not ${ruleOfSign[sign]} with at most 3 fraction digits`);
    }
    if (line.expiryDate !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(line.expiryDate)) {
      fault("expiryDate", `expiryDate '${line.expiryDate}' is not a date such as 2026-12-31`);
    }
    if (!rules) fault("sku", `SKU ${line.sku} is unknown; send it in a CAT first`);
    if (!rules || qty === undefined) return [];
    for (const { field, message } of faultsOfLot(rules, qty, line)) fault(field === "qty" ? qtyField : field, message);
    return [{ line, sku: line.sku, rules, lot: lotOf(line), qty, serials: line.serials ?? [] }];
  });
  return { read, faults };
}

/** The number without an exponent, which JavaScript prints for small and large numbers. */
function decimal(value: number): string {
  return /e/.test(String(value)) ? "" : String(value);
}

function fits(qty: number, sign: Sign): boolean {
  return sign === "signed" ? qty !== 0 : sign === "positive" ? qty > 0 : qty >= 0;
}

export function faultsOfReason(reasonCode: string): RequestFault[] {
  const isKnown = (reasonCodes as readonly string[]).includes(reasonCode);
  const message = `reasonCode '${reasonCode}' is not one of ${reasonCodes.join(", ")}`;
  return isKnown ? [] : [{ pointer: "#/reasonCode", message }];
}

/** Lines whose quantity has the other direction than the reason says. */
export function faultsOfSign(reasonCode: string, lines: readonly { readonly qty: number }[]): RequestFault[] {
  const sign = reasonSigns[reasonCode as keyof typeof reasonSigns];
  if (sign === undefined) return [];
  const message = `the reason ${reasonCode} is a ${sign}: its quantity is ${sign === "loss" ? "below" : "above"} 0; for the opposite use another reason, such as CORRECTION`;
  return lines.flatMap(({ qty }, i) =>
    qty > 0 === (sign === "loss") ? [{ pointer: `#/lines/${i}/qty`, message }] : [],
  );
}

/** A 422 whose detail names all faults, each with its line. */
export function refusalOfFields(faults: readonly RequestFault[]): Refusal {
  const sentences = faults.map(({ pointer, message }) => {
    const [, place = "", line] = /^#\/(lines)(?:\/(\d+))?/.exec(pointer) ?? [];
    return place === "" ? message : `${place}${line === undefined ? "" : `[${line}]`}: ${message}`;
  });
  return unprocessable(sentences.join("; "), faults);
}

/** A pool transfer moves stock between pools: for each SKU the lines add up to 0. */
export function faultsOfPoolTransfer(lines: readonly ReadLine<unknown>[]): RequestFault[] {
  const sums = new Map<string, number>();
  for (const { sku, qty } of lines) sums.set(sku, (sums.get(sku) ?? 0) + qty);
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([sku, sum]) => {
      const total = formatQuantity(sum);
      const message = `POOL_TRANSFER of SKU ${sku}: its lines add up to ${total}; send what one pool loses and another gains`;
      return { pointer: "#/reasonCode", message };
    });
}
