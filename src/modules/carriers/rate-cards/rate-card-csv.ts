/**
 * A price matrix as CSV, for spreadsheets: one line for each entry of a zone and each break of that zone.
 *
 * ```csv
 * zone,country,postcodes,remote,upToKg,price,perExtraKg
 * DOMESTIC,GB,,,2,3.1,
 * DOMESTIC,GB,,,20,5.4,0.25
 * REMOTE,GB,IV|KW|BT,true,2,6.9,
 * NORTH,SE,980..984|62,true,,,
 * ```
 *
 * - `postcodes`: postcode prefixes and ranges `from..to`, separated by `|`; empty: the whole country.
 * - `remote`: `true`, or `false`, or empty.
 * - `upToKg`, `price`: a break of the zone; both are empty if the zone has no prices. `perExtraKg` may be empty.
 * - The columns may be in any order. Breaks are in ascending order; lines of a zone with several entries repeat its
 *   breaks, and must repeat them unchanged or leave them out.
 * - If the separator is a semicolon, numbers may have a decimal comma, as spreadsheets write them in most of Europe.
 *
 * Service, currency, validity, step and surcharges are not part of the matrix: the card keeps its own.
 */
import { readCsv, writeCsvLine } from "#/kernel/values/csv-lines.ts";
import type { RateCard, RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

export type PriceMatrix = Pick<RateCard, "zones" | "breaks">;

export const csvColumns = ["zone", "country", "postcodes", "remote", "upToKg", "price", "perExtraKg"] as const;

type Column = (typeof csvColumns)[number];

export interface CsvLineReport {
  /** From 1, as editors count. */
  readonly line: number;
  readonly isTaken: boolean;
  /** The accepted content, or all faults. */
  readonly message: string;
}

export interface CsvReading {
  /** Undefined if any line is refused: a matrix is accepted as a whole or not at all. */
  readonly matrix: PriceMatrix | undefined;
  /** One for each non-empty line, including the header, up to a line whose quotation marks cannot be read. */
  readonly report: readonly CsvLineReport[];
}

export function writeRateCardCsv({ zones, breaks }: PriceMatrix): string {
  const rows = zones.flatMap((entry) => {
    const place = [entry.zone, entry.country, postcodesText(entry), entry.remote ? "true" : ""];
    const zoneBreaks = breaks.filter(({ zone }) => zone === entry.zone);
    if (zoneBreaks.length === 0) return [[...place, "", "", ""]];
    return zoneBreaks.map(({ upToKg, price, perExtraKg }) => [
      ...place,
      ...[String(upToKg), String(price), perExtraKg === undefined ? "" : String(perExtraKg)],
    ]);
  });
  return [csvColumns, ...rows].map(writeCsvLine).join("");
}

function postcodesText({ postcodePrefixes = [], postcodeRanges = [] }: RateZone): string {
  return [...postcodePrefixes, ...postcodeRanges.map(({ from, to }) => `${from}..${to}`)].join("|");
}

/**
 * Reads a matrix and reports the result of every line. Checks that need the rest of the data (countries, overlaps,
 * bounds) are left to `checkCarrierData`, when the card is put in its set.
 */
export function readRateCardCsv(text: string): CsvReading {
  const { lines, separator, fault } = readCsv(text);
  const [header, ...rows] = lines;
  if (header === undefined) {
    const why = fault ?? { line: 1, message: "the file has no lines" };
    return { matrix: undefined, report: [refused(why.line, [why.message])] };
  }
  const wrong = faultsOfHeader(header.cells);
  if (wrong.length > 0) return { matrix: undefined, report: [refused(header.line, wrong)] };
  const builder = new MatrixBuilder();
  const report = [{ line: header.line, isTaken: true, message: "columns" }];
  for (const { line, cells } of rows) {
    const cellOf = (column: Column) => cells[header.cells.indexOf(column)] ?? "";
    report.push(
      cells.length === header.cells.length
        ? builder.add(line, cellOf, separator === ";")
        : refused(line, [`has ${cells.length} cells, the header has ${header.cells.length}`]),
    );
  }
  if (fault) report.push(refused(fault.line, [fault.message]));
  else if (rows.length === 0) report.push(refused(header.line + 1, ["there is no line below the header"]));
  return { matrix: report.every(({ isTaken }) => isTaken) ? builder.matrix : undefined, report };
}

function refused(line: number, faults: readonly string[]): CsvLineReport {
  return { line, isTaken: false, message: faults.join("; ") };
}

function faultsOfHeader(cells: readonly string[]): readonly string[] {
  if (cells.length > 2 * csvColumns.length) {
    return [`has ${cells.length} columns: must be ${csvColumns.join(", ")}`];
  }
  const missing = csvColumns.filter((column) => !cells.includes(column));
  const unknown = cells.filter(
    (cell, i) => !(csvColumns as readonly string[]).includes(cell) || cells.indexOf(cell) !== i,
  );
  return [
    ...(missing.length > 0 ? [`columns are missing: ${missing.join(", ")}`] : []),
    ...(unknown.length > 0 ? [`columns are not known, or are present twice: ${unknown.join(", ")}`] : []),
  ];
}

/** Merges the lines: entries and breaks that occur in several lines are one. */
class MatrixBuilder {
  readonly #entries = new Map<string, RateZone>();
  readonly #breaks = new Map<string, { readonly line: number; readonly values: RateCard["breaks"][number] }>();

  get matrix(): PriceMatrix {
    return {
      zones: [...this.#entries.values()],
      breaks: [...this.#breaks.values()].map(({ values }) => values),
    };
  }

  add(line: number, cellOf: (column: Column) => string, hasDecimalComma: boolean): CsvLineReport {
    const faults: string[] = [];
    const numberOf = (column: "upToKg" | "price" | "perExtraKg"): number | undefined => {
      const text = hasDecimalComma ? cellOf(column).replace(",", ".") : cellOf(column);
      if (text === "") return undefined;
      if (/^\d{1,12}(?:\.\d{1,8})?$/.test(text)) return Number(text);
      faults.push(`${column} is "${cellOf(column)}": must be a number such as 12.5`);
      return undefined;
    };
    const [zone, country, remote] = [cellOf("zone"), cellOf("country"), cellOf("remote").toLowerCase()];
    if (zone === "") faults.push("zone is empty");
    if (!/^[A-Z]{2}$/.test(country)) faults.push(`country is "${country}": must be two capitals, as of ISO 3166-1`);
    if (!["true", "false", ""].includes(remote))
      faults.push(`remote is "${cellOf("remote")}": must be true, false or empty`);
    const [upToKg, price, perExtraKg] = [numberOf("upToKg"), numberOf("price"), numberOf("perExtraKg")];
    const isPriced = cellOf("upToKg") !== "" || cellOf("price") !== "" || cellOf("perExtraKg") !== "";
    if (isPriced && cellOf("upToKg") === "") faults.push("upToKg is empty, but price is not");
    if (isPriced && cellOf("price") === "") faults.push("price is empty, but upToKg or perExtraKg is not");
    const key = JSON.stringify([zone, upToKg]);
    const known = this.#breaks.get(key);
    if (known && isPriced && (known.values.price !== price || known.values.perExtraKg !== perExtraKg)) {
      faults.push(`zone ${zone} up to ${upToKg} kg has another price in line ${known.line}`);
    }
    if (faults.length > 0) return refused(line, faults);
    const entry: RateZone = {
      zone,
      country,
      ...postcodesOf(cellOf("postcodes")),
      ...(remote === "true" ? { remote: true } : {}),
    };
    this.#entries.set(JSON.stringify(entry), entry);
    if (!known && upToKg !== undefined && price !== undefined) {
      const values = { zone, upToKg, price, ...(perExtraKg === undefined ? {} : { perExtraKg }) };
      this.#breaks.set(key, { line, values });
    }
    const costs = upToKg === undefined ? "no price" : `up to ${upToKg} kg: ${price}`;
    return { line, isTaken: true, message: `zone ${zone}, ${country}${entry.remote ? ", remote" : ""}, ${costs}` };
  }
}

function postcodesOf(text: string): Pick<RateZone, "postcodePrefixes" | "postcodeRanges"> {
  const parts = text.split("|").flatMap((part) => part.trim() || []);
  const prefixes = parts.filter((part) => !part.includes(".."));
  const ranges = parts.flatMap((part) => {
    const [from, to] = part.split("..");
    return from !== undefined && to !== undefined ? [{ from: from.trim(), to: to.trim() }] : [];
  });
  return {
    ...(prefixes.length > 0 ? { postcodePrefixes: prefixes } : {}),
    ...(ranges.length > 0 ? { postcodeRanges: ranges } : {}),
  };
}
