import { checkLimit } from "#/intake/feeds/intake/checks.ts";
import type { Entry } from "#/intake/feeds/intake/definition.ts";
import { finding } from "#/kernel/feed-codes.ts";
import { canonicalUnitOfMeasure, defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import {
  formatQuantity,
  isWhole,
  multiplyQuantity,
  parseQuantity,
  quantityMaxThousandths,
  quantityOf,
} from "#/kernel/values/quantity.ts";
import type { KitComponent } from "#/modules/catalogue/kit-component.ts";
import { findStockUnits, type StockUnit } from "#/modules/catalogue/repository.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * A line of a PO, RMA or NO with a quantity of a SKU. The conversion sets stock unit and quantity if the SKU is known.
 */
export interface QuantityLine {
  /** The place of the quantity in the document, such as `lines/line[2]/qty`. */
  readonly path: string;
  readonly sku: string;
  /** As sent, in integer thousandths. */
  readonly feedQty: number;
  readonly feedUom: string | undefined;
  /** In the stock unit, integer thousandths. */
  qty: number;
  uom: string;
  /** Of a kit: its components, set with the stock unit. */
  kit?: readonly KitComponent[] | undefined;
  /** The item is inactive in the catalogue. */
  isInactive?: boolean;
  /** The first day on which the item, and those of a kit, may leave. `YYYY-MM-DD` */
  availableFrom?: string | undefined;
  /** Of a kit: what an order of it needs, set by `readKits`. */
  components?: readonly KitContent[];
}

/** A component of a kit with its stock unit. */
export interface KitContent {
  readonly sku: string;
  readonly uom: string;
  /** For one kit; integer thousandths of the stock unit. */
  readonly qty: number;
  readonly isInactive?: boolean;
}

/**
 * PO, RMA and NO may name only SKUs known through CAT, and count them in the stock unit or a pack of the item
 * (feeds.md §4, Units). One look-up for all lines of all documents; unknown SKUs and units become faults. The transaction
 * shares the tenant's row, so that the units stay until the documents are written.
 */
export async function convertQuantities<Message>(
  tx: ClientTx,
  entries: readonly Entry<Message>[],
  linesOf: (message: Message) => readonly QuantityLine[],
): Promise<void> {
  const skus = new Set<string>();
  for (const { message } of entries) for (const { sku } of linesOf(message)) skus.add(sku);
  if (skus.size === 0) return;
  const found = await findStockUnits(tx, [...skus]);
  const units = new Map(found.map((unit) => [unit.sku, unit]));
  const refused: { readonly entry: Entry<Message>; readonly named: readonly string[] }[] = [];
  for (const entry of entries) {
    const missing = new Set<string>();
    for (const line of linesOf(entry.message)) {
      const unit = units.get(line.sku);
      if (unit) convertLine(line, unit, entry);
      else missing.add(line.sku);
    }
    if (missing.size === 0) continue;
    entry.missingSkus.push(...missing);
    refused.push({ entry, named: [...missing].slice(0, skusNamedMax) });
  }
  if (refused.length === 0) return;
  const similar = await findSimilarSkus(tx, new Set(refused.flatMap(({ named }) => named)));
  for (const { entry, named } of refused) {
    const omitted = entry.missingSkus.length - named.length;
    const more = omitted > 0 ? ` and ${omitted} more` : "";
    const known = named.flatMap((sku) => (similar.has(sku) ? `${similar.get(sku)} for ${sku}` : []));
    const hint = known.length === 0 ? "" : `; similar known SKUs: ${known.join(", ")}`;
    entry.faults.push(finding("UNKNOWN_SKU", `The request references unknown SKUs: ${named.join(", ")}${more}${hint}`));
  }
}

/** An order may have 1 000 lines, and components of kits are further rows of it. */
const componentsMax = 1_000;

/**
 * The components of the kits among these lines, with their units. Only documents with kits cost a look-up: whether an
 * item is a kit came with the conversion of its quantity.
 */
export async function readKits<Message>(
  tx: ClientTx,
  entries: readonly Entry<Message>[],
  linesOf: (message: Message) => readonly QuantityLine[],
): Promise<void> {
  const ofEntries = entries.map((entry) => ({ entry, lines: linesOf(entry.message).filter(({ kit }) => kit) }));
  const skus = new Set(ofEntries.flatMap(({ lines }) => lines.flatMap(({ kit = [] }) => kit.map(({ sku }) => sku))));
  if (skus.size === 0) return;
  const units = new Map((await findStockUnits(tx, [...skus])).map((unit) => [unit.sku, unit]));
  for (const { entry, lines } of ofEntries) {
    const count = lines.reduce((sum, { kit = [] }) => sum + kit.length, 0);
    entry.faults.push(...checkLimit(count, componentsMax, "components of kits"));
    for (const line of lines) {
      line.components = (line.kit ?? []).map(({ sku, qty }): KitContent => {
        const unit = units.get(sku);
        const availableFrom = dayOf(unit?.available_from);
        if (availableFrom !== undefined && availableFrom > (line.availableFrom ?? ""))
          line.availableFrom = availableFrom;
        return {
          sku,
          uom: unit?.stock_uom ?? defaultStockUnit,
          qty: quantityOf(qty),
          ...(unit?.is_active === false ? { isInactive: true } : {}),
        };
      });
      const tooMany = line.components.find(({ qty }) => multiplyQuantity(line.qty, qty) === undefined);
      if (tooMany) {
        const text = `${formatQuantity(line.qty)} kits need more of component ${tooMany.sku} than can be counted`;
        entry.faults.push(finding("VALUE", `${line.path}: ${text}`));
      }
    }
  }
}

/** The first days on which these items may leave, `YYYY-MM-DD`, by SKU; without those that have none. */
export async function findAvailableDays(tx: ClientTx, skus: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const units = skus.length === 0 ? [] : await findStockUnits(tx, skus);
  return new Map(
    units.flatMap(({ sku, available_from: text }) => {
      const day = dayOf(text);
      return day === undefined ? [] : [[sku, day] as const];
    }),
  );
}

/** The day of a text that begins with one; undefined for any other. */
function dayOf(text: string | null | undefined): string | undefined {
  const day = /^[12]\d{3}-\d\d-\d\d(?=$|T)/.exec(text?.trim() ?? "")?.[0];
  if (day === undefined) return undefined;
  const ms = Date.parse(`${day}T00:00:00Z`);
  // 31 February is a moment of March.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day ? undefined : day;
}

const skusNamedMax = 20;
/** Of a batch of documents: each SKU has up to 200 spellings, and one statement looks all of them up. */
const skusComparedMax = 50;

/** The known SKUs that differ from unknown ones by case or a hyphen, by the unknown SKU. */
async function findSimilarSkus(tx: ClientTx, unknown: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const sentAs = new Map<string, string[]>();
  for (const sku of [...unknown].slice(0, skusComparedMax)) {
    for (const spelling of spellingsOf(sku)) {
      const sent = sentAs.get(spelling);
      if (sent) sent.push(sku);
      else sentAs.set(spelling, [sku]);
    }
  }
  const known = await findStockUnits(tx, [...sentAs.keys()]);
  return new Map(known.flatMap(({ sku }) => (sentAs.get(sku) ?? []).map((sent) => [sent, sku] as const)));
}

function convertLine<Message>(line: QuantityLine, unit: StockUnit, entry: Entry<Message>): void {
  const stockUnit = unit.stock_uom;
  const sentUnit = line.feedUom === undefined ? stockUnit : canonicalUnitOfMeasure(line.feedUom);
  line.uom = stockUnit;
  line.kit = unit.components ?? undefined;
  line.isInactive = !unit.is_active;
  line.availableFrom = dayOf(unit.available_from);
  if (sentUnit === stockUnit) {
    line.qty = line.feedQty;
  } else {
    const size = parseQuantity(unit.packs?.[sentUnit] ?? "");
    if (size === undefined) {
      const allowed = [stockUnit, ...Object.keys(unit.packs ?? {})].join(", ");
      const text = `${line.path.replace(/[^/]+$/, "qtyUom")}: '${line.feedUom}' is not a unit of SKU ${line.sku}; allowed: ${allowed}`;
      entry.faults.push(finding("VALUE", text));
      return;
    }
    const converted = multiplyQuantity(line.feedQty, size);
    if (converted === undefined || converted > quantityMaxThousandths) {
      const text = `${formatQuantity(line.feedQty)} ${sentUnit} of ${formatQuantity(size)} ${stockUnit}`;
      entry.faults.push(
        finding("VALUE", `${line.path}: ${text} cannot be counted in ${stockUnit} with at most 3 fraction digits`),
      );
      return;
    }
    line.qty = converted;
  }
  if (stockUnit === defaultStockUnit && !isWhole(line.qty)) {
    entry.faults.push(finding("VALUE", `${line.path}: '${formatQuantity(line.feedQty)}' is not a whole number of EA`));
  }
}

/** The SKUs among these that are known through CAT. */
export async function findKnownSkus(tx: ClientTx, skus: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await findStockUnits(tx, skus)).map(({ sku }) => sku));
}

// Other spellings of a SKU that partners send by mistake: another case, a hyphen more or less.

/** Long SKUs have only few spellings that people write. */
const spellingsMax = 200;

/**
 * Spellings that differ from a SKU by case, and by hyphens, blanks and underscores: each a key to look up, so that the
 * cost depends on the length of the SKU and not on the catalogue.
 */
export function spellingsOf(sku: string): readonly string[] {
  const plain = sku.replace(/[-_ ]/g, "");
  const joints = [sku, plain, ...["-", "_", " "].map((joint) => sku.replace(/[-_ ]/g, joint))];
  for (let at = 1; at < sku.length; at++) {
    if (/[-_ ]/.test(sku[at] as string)) joints.push(sku.slice(0, at) + sku.slice(at + 1));
    else if (!/[-_ ]/.test(sku[at - 1] as string)) joints.push(`${sku.slice(0, at)}-${sku.slice(at)}`);
  }
  const spellings = new Set<string>();
  for (const form of joints) {
    for (const cased of [form, form.toUpperCase(), form.toLowerCase(), capitalised(form)]) spellings.add(cased);
  }
  spellings.delete(sku);
  return [...spellings].slice(0, spellingsMax);
}

const capitalised = (text: string) =>
  text.toLowerCase().replace(/(^|[-_ ])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
