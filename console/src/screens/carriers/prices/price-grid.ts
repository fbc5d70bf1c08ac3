/**
 * The price matrix of a rate card as a grid for spreadsheets: zones as columns, weights as rows.
 *
 * ```csv
 * Up to kg,DOMESTIC,REMOTE
 * 2,3.1,6.9
 * 20,5.4+0.25,
 * ```
 *
 * A cell is the price of a parcel, with the price of each started kilogram above the break before after a `+`. An empty
 * cell is not a price. The separator is a tab, a semicolon or a comma; with the first two, a decimal comma is read as well.
 */
import { quoted } from "../../../parts/csv/csv-cell.ts";
import type { RateCard } from "../carrier-data.ts";

type Break = RateCard["breaks"][number];

export interface GridFault {
  /** From 1, as spreadsheets count. */
  readonly row: number;
  /** From 1; undefined: the whole row. */
  readonly column: number | undefined;
  readonly message: string;
}

/** A break with the cell that it was read from. */
export interface GridBreak {
  readonly row: number;
  readonly column: number;
  readonly values: Break;
}

export interface GridReading {
  /** Zones of the heading. */
  readonly zones: readonly string[];
  readonly breaks: readonly GridBreak[];
  readonly faults: readonly GridFault[];
}

/** Characters of a pasted or chosen text. */
export const gridTextMax = 1_000_000;

export const weightsOf = ({ breaks }: Pick<RateCard, "breaks">): number[] =>
  [...new Set(breaks.map(({ upToKg }) => upToKg))].sort((left, right) => left - right);

export const zoneNamesOf = ({ zones, breaks }: Pick<RateCard, "zones" | "breaks">): string[] => [
  ...new Set([...zones, ...breaks].map(({ zone }) => zone)),
];

/** The matrix as CSV, in the form that `readGrid` reads. */
export function writeGrid(card: Pick<RateCard, "zones" | "breaks">): string {
  const zones = zoneNamesOf(card);
  const cells = new Map(card.breaks.map((of) => [`${of.upToKg} ${of.zone}`, cellOf(of)]));
  const rows = weightsOf(card).map((upToKg) => [
    String(upToKg),
    ...zones.map((zone) => cells.get(`${upToKg} ${zone}`) ?? ""),
  ]);
  return [["Up to kg", ...zones], ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

const cellOf = ({ price, perExtraKg }: Break) => (perExtraKg === undefined ? String(price) : `${price}+${perExtraKg}`);

/** Reads a grid. @param known the zones of the card */
export function readGrid(text: string, known: readonly string[]): GridReading {
  if (text.length > gridTextMax)
    return refused(1, `the text has ${text.length.toLocaleString("en-GB")} characters: at most 1,000,000 are read`);
  const separator = separatorOf(text);
  const rows = cellsOf(text, separator)
    .map((cells, i) => ({ row: i + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [heading, ...lines] = rows;
  if (heading === undefined) return refused(1, "there are no cells: paste the heading with the zones, and the rows");
  const zones = heading.cells.slice(1).map((zone) => zone.replace(/^'(?=[=+@-])/, ""));
  const faults: GridFault[] = zones.flatMap((zone, i) => {
    const message = faultOfZone(zone, zones.indexOf(zone) === i, known);
    return message === undefined ? [] : [{ row: heading.row, column: i + 2, message }];
  });
  if (zones.length === 0) faults.push({ row: heading.row, column: 2, message: `has no zone: ${zoneHelp(known)}` });
  if (lines.length === 0)
    faults.push({ row: heading.row + 1, column: undefined, message: "there is no row of prices" });
  const breaks: GridBreak[] = [];
  const rowOf = new Map<number, number>();
  for (const { row, cells } of lines) {
    const [weightText = "", ...prices] = cells;
    const upToKg = numberOf(weightText.replace(/^(?:≤|<=|up to)\s*/i, "").replace(/\s*kg$/i, ""), separator);
    const known = upToKg.ok ? rowOf.get(upToKg.value) : undefined;
    if (!upToKg.ok || upToKg.value <= 0)
      faults.push({
        row,
        column: 1,
        message: `"${weightText}" is not a weight: ${upToKg.ok ? "write one above 0" : upToKg.help}`,
      });
    else if (known !== undefined)
      faults.push({
        row,
        column: 1,
        message: `${upToKg.value} kg is also the weight of row ${known}: remove one of them`,
      });
    else rowOf.set(upToKg.value, row);
    prices.forEach((cell, i) => {
      const [zone, column] = [zones[i], i + 2];
      if (cell === "") return;
      if (zone === undefined || zone === "") {
        faults.push({ row, column, message: `"${cell}" is in a column without a zone: name it in row ${heading.row}` });
        return;
      }
      const price = priceOf(cell, separator);
      if (!price.ok) faults.push({ row, column, message: `${zone}: "${cell}" is not a price: ${price.help}` });
      else if (upToKg.ok) breaks.push({ row, column, values: { zone, upToKg: upToKg.value, ...price.value } });
    });
  }
  return { zones: zones.filter((zone) => zone !== ""), breaks, faults };
}

const refused = (row: number, message: string): GridReading => ({
  zones: [],
  breaks: [],
  faults: [{ row, column: undefined, message }],
});

const zoneHelp = (known: readonly string[]) =>
  known.length === 0
    ? "add the zones of the matrix first"
    : `the matrix has ${known.slice(0, 12).join(", ")}${known.length > 12 ? " and others" : ""}`;

function faultOfZone(zone: string, isFirst: boolean, known: readonly string[]): string | undefined {
  if (zone === "") return undefined;
  if (!isFirst) return `zone ${zone} has two columns: remove one of them`;
  return known.includes(zone)
    ? undefined
    : `"${zone}" is not a zone of the matrix: add it, or correct it; ${zoneHelp(known)}`;
}

/** Cells pasted from a spreadsheet are separated by tabs. */
function separatorOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  return ["\t", ";", ","].find((separator) => first.includes(separator)) ?? ",";
}

/** Rows of cells (RFC 4180, with any separator). */
function cellsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  // A quoted cell, or one up to the next separator, and what ends it.
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`, "y");
  const source = text.replace(/^\ufeff/, "");
  while (cell.lastIndex < source.length) {
    const from = cell.lastIndex;
    const found = cell.exec(source);
    if (found === null) {
      // A quotation mark within a cell: the text up to the separator is the cell.
      const rest = source.slice(from).match(new RegExp(`^[^${separator}\\r\\n]*`))?.[0] ?? "";
      rows.at(-1)?.push(rest);
      cell.lastIndex = from + rest.length + 1;
      continue;
    }
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] !== separator) rows.push([]);
  }
  return rows;
}

type Read<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly help: string };

const priceHelp = "write a number such as 3.10, or 3.10+0.25 with the price of each further kilogram";

function priceOf(cell: string, separator: string): Read<Pick<Break, "price" | "perExtraKg">> {
  const [priceText = "", extraText, ...more] = cell
    .replace(/^'/, "")
    .split("+")
    .map((part) =>
      part
        .replace(/^(?:[A-Z]{3}\b|[£€$¥])\s*|\s*(?:\b[A-Z]{3}|[£€$¥])$/g, "")
        .replace(/\s*\/\s*kg$/i, "")
        .trim(),
    );
  const price = numberOf(priceText, separator);
  if (!price.ok) return price;
  if (extraText === undefined) return { ok: true, value: { price: price.value } };
  const extra = more.length === 0 ? numberOf(extraText, separator) : { ok: false as const, help: priceHelp };
  return extra.ok ? { ok: true, value: { price: price.value, perExtraKg: extra.value } } : extra;
}

/** A number of 0 or more. A comma is a decimal comma, but not where it may separate thousands. */
function numberOf(text: string, separator: string): Read<number> {
  if (/^\d{1,9}(?:\.\d{1,8})?$/.test(text)) return { ok: true, value: Number(text) };
  if (separator !== "," && /^\d{1,3},\d{3}$/.test(text)) {
    const [plain, decimal] = [text.replace(",", ""), text.replace(",", ".")];
    return { ok: false, help: `it may be ${plain} or ${decimal}: write one of these` };
  }
  if (separator !== "," && /^\d{1,9},\d{1,8}$/.test(text)) return { ok: true, value: Number(text.replace(",", ".")) };
  return { ok: false, help: priceHelp };
}

/** The card with these prices for the zones that the grid names; other zones keep theirs. */
export function withGrid(card: RateCard, { zones, breaks }: GridReading): RateCard {
  const made = breaks.map(({ values }) => values);
  const kept = card.breaks.filter(({ zone }) => !zones.includes(zone));
  const order = zoneNamesOf(card);
  const all = [...kept, ...made].toSorted(
    (left, right) => order.indexOf(left.zone) - order.indexOf(right.zone) || left.upToKg - right.upToKg,
  );
  return { ...card, breaks: all };
}

/** A cell whose price changes. */
export interface GridChange {
  readonly zone: string;
  readonly upToKg: number;
  /** "5.4+0.25"; undefined: none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Of the price of a parcel, in per cent. */
  readonly percent: number | undefined;
}

/** The changed cells from one matrix to another, by zone and weight. */
export function gridChangesOf(before: RateCard, after: RateCard): GridChange[] {
  const keyOf = ({ zone, upToKg }: Break) => JSON.stringify([zone, upToKg]);
  const [old, made] = [before, after].map(({ breaks }) => new Map(breaks.map((of) => [keyOf(of), of]))) as [
    Map<string, Break>,
    Map<string, Break>,
  ];
  const order = zoneNamesOf(before);
  return [...new Set([...old.keys(), ...made.keys()])]
    .flatMap((key): GridChange[] => {
      const [left, right] = [old.get(key), made.get(key)];
      const { zone, upToKg } = (left ?? right) as Break;
      const [was, is] = [left && cellOf(left), right && cellOf(right)];
      if (was === is) return [];
      const percent = left && right && left.price > 0 ? (100 * (right.price - left.price)) / left.price : undefined;
      return [{ zone, upToKg, before: was, after: is, percent }];
    })
    .toSorted((left, right) => order.indexOf(left.zone) - order.indexOf(right.zone) || left.upToKg - right.upToKg);
}
