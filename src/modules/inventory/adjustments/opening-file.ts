/**
 * Opening stock as CSV: one line for each lot.
 *
 * ```csv
 * distributionCentre,sku,qty,condition,stockPool,batchRef,expiryDate,serials
 * DC1,MUG-BLUE-330,480,,,,,
 * DC1,OIL-OLIVE-500,90,GOOD,DEFAULT,FV-2601,2027-06-30,
 * DC2,LAMP-DESK-01,2,,,,,SN-1|SN-2
 * ```
 *
 * - `sku` and `qty` are required columns; the others may be absent or empty, and the order is free.
 * - `distributionCentre` may be empty if the client has one facility.
 * - `serials` are separated by `|`.
 */
import { readCsv } from "#/kernel/values/csv-lines.ts";
import { parseQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import { faultOfPool, type PoolSettings } from "#/kernel/values/stock-pools.ts";
import { type Condition, conditions } from "#/modules/inventory/lot.ts";

export const openingColumns = [
  "distributionCentre",
  "sku",
  "qty",
  "condition",
  "stockPool",
  "batchRef",
  "expiryDate",
  "serials",
] as const;
export type OpeningColumn = (typeof openingColumns)[number];

/** Lines of one file, at most: it is one transaction. */
export const openingLinesMax = 5_000;

/** A fault of one line: its value, and what to do. */
export interface OpeningFault {
  /** From 1, as editors count. */
  readonly line: number;
  /** Null for a fault of the whole line. */
  readonly column: string | null;
  readonly value: string | null;
  readonly message: string;
}

export interface OpeningLine {
  readonly line: number;
  readonly facilityCode: string;
  readonly sku: string;
  readonly qty: number;
  readonly condition: Condition;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** The client whose stock it is. */
export interface OpeningOwner {
  readonly facilities: readonly string[];
  readonly settings: PoolSettings;
}

const textMax = 64;
/** Unknown columns and those that occur twice each have a fault; a file with more of them is another file. */
const columnsMax = 2 * openingColumns.length;

/** Reads the file and checks everything that needs no database. */
export function readOpeningFile(
  text: string,
  owner: OpeningOwner,
): { readonly lines: readonly OpeningLine[]; readonly faults: readonly OpeningFault[] } {
  // The header and one line too many: the rest of a longer file is not read.
  const { lines, fault } = readCsv(text, openingLinesMax + 2);
  const [header, ...rows] = lines;
  const whole = (line: number, message: string): OpeningFault => ({ line, column: null, value: null, message });
  if (!header) return { lines: [], faults: [whole(fault?.line ?? 1, fault?.message ?? "the file has no lines")] };
  const wrong = faultsOfHeader(header.cells);
  if (wrong.length > 0) return { lines: [], faults: wrong.map((message) => whole(header.line, message)) };
  if (rows.length > openingLinesMax) {
    const message = `the file has ${rows.length} lines or more, at most ${openingLinesMax} are booked together; split it`;
    return { lines: [], faults: [whole(header.line, message)] };
  }
  const faults: OpeningFault[] = [];
  const serialLines = new Map<string, number>();
  const read = rows.flatMap(({ line, cells }): OpeningLine[] => {
    if (cells.length !== header.cells.length) {
      faults.push(
        whole(line, `has ${cells.length} cells, the header has ${header.cells.length}; add or remove commas`),
      );
      return [];
    }
    const cell = (column: OpeningColumn) => cells[header.cells.indexOf(column)] ?? "";
    const before = faults.length;
    const wrongCell = (column: OpeningColumn, message: string) =>
      faults.push({ line, column, value: cell(column), message });
    for (const column of ["sku", "stockPool", "batchRef"] as const) {
      if (cell(column).length > textMax) wrongCell(column, `has more than ${textMax} characters; shorten it`);
    }
    const facilityCode = cell("distributionCentre") || (owner.facilities.length === 1 ? owner.facilities[0] : "") || "";
    if (!owner.facilities.includes(facilityCode)) {
      const state = facilityCode === "" ? "is empty" : `'${facilityCode}' is not a facility of the client`;
      wrongCell("distributionCentre", `${state}; name one of ${owner.facilities.join(", ")}`);
    }
    if (cell("sku") === "") wrongCell("sku", "is empty; name the SKU of an item");
    const qty = parseQuantity(cell("qty"));
    if (qty === undefined || qty <= 0) {
      wrongCell("qty", `'${cell("qty")}' is not a quantity; write a number above 0 with at most 3 fraction digits`);
    }
    const condition = cell("condition") || "GOOD";
    if (!(conditions as readonly string[]).includes(condition)) {
      wrongCell("condition", `'${condition}' is not a condition; write ${conditions.join(", ")}, or leave it empty`);
    }
    const poolFault = cell("stockPool") === "" ? undefined : faultOfPool(owner.settings, cell("stockPool"));
    if (poolFault !== undefined)
      wrongCell("stockPool", `${poolFault}; add it to the setting stockPools, or correct it`);
    if (cell("expiryDate") !== "" && !isDate(cell("expiryDate"))) {
      wrongCell("expiryDate", `'${cell("expiryDate")}' is not a date; write it as 2027-06-30`);
    }
    const serials = cell("serials")
      .split("|")
      .flatMap((serial) => serial.trim() || []);
    for (const serial of serials) {
      const first = serialLines.get(`${cell("sku")} ${serial}`);
      if (first !== undefined) wrongCell("serials", `serial ${serial} is on line ${first} already; remove one of them`);
      if (serial.length > textMax) wrongCell("serials", `a serial has more than ${textMax} characters; shorten it`);
      serialLines.set(`${cell("sku")} ${serial}`, line);
    }
    if (faults.length > before || qty === undefined) return [];
    return [
      {
        line,
        facilityCode,
        sku: cell("sku"),
        qty: quantityToNumber(qty),
        condition: condition as Condition,
        stockPool: cell("stockPool") || undefined,
        batchRef: cell("batchRef") || undefined,
        expiryDate: cell("expiryDate") || undefined,
        serials: serials.length > 0 ? serials : undefined,
      },
    ];
  });
  if (fault) faults.push(whole(fault.line, fault.message));
  else if (rows.length === 0)
    faults.push(whole(header.line + 1, "there is no line below the header; add one for each lot"));
  return { lines: read, faults };
}

function faultsOfHeader(cells: readonly string[]): string[] {
  if (cells.length > columnsMax) {
    return [`the header has ${cells.length} columns; the columns are ${openingColumns.join(", ")}`];
  }
  const unknown = cells.filter((cell) => !(openingColumns as readonly string[]).includes(cell));
  const twice = cells.filter((cell, i) => cells.indexOf(cell) !== i);
  const missing = ["sku", "qty"].filter((column) => !cells.includes(column));
  return [
    ...unknown.map((cell) => `'${cell}' is not a column; the columns are ${openingColumns.join(", ")}`),
    ...twice.map((cell) => `the column ${cell} occurs twice; remove one of them`),
    ...missing.map((column) => `the column ${column} is missing; add it`),
  ];
}

function isDate(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
