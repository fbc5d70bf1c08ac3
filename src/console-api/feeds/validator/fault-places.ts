import { setImmediate as pause } from "node:timers/promises";
import { type DocumentRows, offsetOf, positionAt } from "#/console-api/feeds/document/document-rows.ts";
import { scanElements } from "#/console-api/feeds/document/scan-elements.ts";
import type { FaultText } from "#/intake/feeds/fault-words.ts";

export interface PlacedFault extends FaultText {
  /** Row of the displayed document, from 1; null where the finding concerns no place in it. */
  readonly row: number | null;
}

/** Maximum number of marked places of one finding, such as unknown SKUs. */
const placesOfOneMax = 100;

/**
 * Finds the positions of findings in their document: by line and column where the sentence has them, by its path, or by
 * the element that a finding of its code always concerns. A finding about several positions is returned once for each;
 * all in the order of the document, those without a position first.
 */
export async function placeFaults(
  text: string,
  rows: DocumentRows,
  faults: readonly FaultText[],
  missingSkus: readonly string[],
): Promise<PlacedFault[]> {
  const wanted = faults.map((fault) => wantedOf(fault, missingSkus));
  const found = await findElements(text, wanted);
  const all = faults.flatMap((fault, i): PlacedFault[] => {
    const { line, column } = fault;
    const offsets = found[i] as number[];
    if (line !== null && column !== null) return [placed(fault, offsetOf(rows, line, column, text.length), rows)];
    const onLine = line === null ? offsets : offsets.filter((offset) => positionAt(rows, offset).line === line);
    if (onLine.length > 0) return onLine.map((offset) => placed(fault, offset, rows));
    if (line === null) return [{ ...fault, row: null }];
    const start = offsetOf(rows, line, 1, text.length);
    return [{ ...fault, row: positionAt(rows, start).row }];
  });
  return all.sort((left, right) => (left.row ?? 0) - (right.row ?? 0));
}

function placed(fault: FaultText, offset: number, rows: DocumentRows): PlacedFault {
  return { ...fault, ...positionAt(rows, offset) };
}

interface Wanted {
  /** Paths below the root, or the root's own name; the first existing one counts. */
  readonly paths: readonly string[];
  /** Alternatively, elements of this name with one of these texts. */
  readonly named?: { readonly name: string; readonly texts: ReadonlySet<string> };
}

const identifiers = ["orderId", "poNumber", "rmaNumber"];

function wantedOf({ code, text, path, line, column }: FaultText, missingSkus: readonly string[]): Wanted {
  if (line !== null && column !== null) return { paths: [] };
  switch (code) {
    case "UNKNOWN_SKU":
      return { paths: [], named: { name: "sku", texts: new Set(missingSkus) } };
    case "EAN": {
      const ean = /^EAN (\S+) of SKU/.exec(text)?.[1];
      return { paths: [], ...(ean === undefined ? {} : { named: { name: "eanCode", texts: new Set([ean]) } }) };
    }
    case "CLIENT":
      return { paths: ["clientId"] };
    case "FACILITY":
      return { paths: ["distributionCentre", ...identifiers] };
    case "UNKNOWN_ORDER":
      return { paths: ["orderReference"] };
    case "STALE":
      return { paths: ["extendedAttributes/attribute[@name='Revision']", ...identifiers] };
    case "DUPLICATE":
    case "NOT_FOUND":
      return { paths: identifiers };
    case "STATE":
      return { paths: ["actionType", ...identifiers] };
    case "PRIORITY":
      return { paths: ["extendedAttributes/attribute[@name='Priority']"] };
    case "SHIPPING_METHOD":
      return { paths: ["shippingMethod"] };
    case "ADDRESS":
      return { paths: parentsOf(/: ((?:shipTo|billTo)Address(?:\/\w+)?): /.exec(text)?.[1] ?? "shipToAddress") };
    case "POSTCODE": {
      const address = text.includes("bill-to ") ? "billToAddress" : "shipToAddress";
      return { paths: [`${address}/zip`, address] };
    }
    default:
      return { paths: path === null ? [] : parentsOf(path) };
  }
}

/** A path and its parent paths: a missing element is shown at the place where it belongs. */
function parentsOf(path: string): string[] {
  const steps = path.replace(/\/@[^/]*$/, "").split("/");
  return steps.map((_, i) => steps.slice(0, steps.length - i).join("/"));
}

/** The offsets of the wanted elements, by their index in `wanted`. */
async function findElements(text: string, wanted: readonly Wanted[]): Promise<number[][]> {
  const found = wanted.map(() => [] as number[]);
  if (wanted.every(({ paths, named }) => paths.length === 0 && named === undefined)) return found;
  const best = wanted.map(() => Number.POSITIVE_INFINITY);
  const paths = new Map<string, { readonly of: number; readonly rank: number }[]>();
  wanted.forEach(({ paths: faultPaths }, of) => {
    faultPaths.forEach((path, rank) => {
      const numbered = withNumbers(path);
      paths.set(numbered, [...(paths.get(numbered) ?? []), { of, rank }]);
    });
  });
  const names = new Set(wanted.flatMap(({ named }) => named?.name ?? []));
  for (const element of scanElements(text, [...paths.keys()], names)) {
    if (element === undefined) {
      await pause();
      continue;
    }
    const { offset, path, name, content } = element;
    for (const { of, rank } of (path === undefined ? undefined : paths.get(path)) ?? []) {
      if (rank >= (best[of] as number)) continue;
      best[of] = rank;
      found[of] = [offset];
    }
    if (!names.has(name)) continue;
    const text = content();
    wanted.forEach(({ named }, of) => {
      if (named?.name !== name || !named.texts.has(text)) return;
      const places = found[of] as number[];
      if (places.length < placesOfOneMax) places.push(offset);
    });
  }
  return found;
}

/** `lines/line[3]/qty` as `lines[1]/line[3]/qty[1]`: a path omits the number where only one element has the name. */
export function withNumbers(path: string): string {
  return path
    .split("/")
    .map((step) => (step.endsWith("]") ? step : `${step}[1]`))
    .join("/");
}
