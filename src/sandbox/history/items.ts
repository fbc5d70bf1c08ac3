import { gs1CheckDigit } from "#/kernel/values/gtin.ts";
import { draw } from "#/sandbox/simulator/draw.ts";

/** An item of the large catalogue. All its values depend on its number alone. */
export interface HistoryItem {
  readonly sku: string;
  readonly name: string;
  /** EAN-13 from the range that GS1 reserves for internal use (200 to 299). */
  readonly ean: string;
  readonly type: string;
  readonly origin: string;
  /** Pence. */
  readonly price: number;
  /** Grams. */
  readonly weight: number;
  /** Millimetres, the longest first. */
  readonly sides: readonly [number, number, number];
  /** The item is out of stock and is not replenished, so its orders wait. */
  readonly isOutOfStock?: boolean;
}

/** Per kind: lowest and highest weight in grams, lowest and highest price in pence, sides in millimetres. */
const kinds = [
  { name: "T-shirt", type: "APPAREL", grams: [140, 260], pence: [990, 3_490], sides: [320, 240, 25] },
  { name: "Mug", type: "HOME", grams: [280, 460], pence: [690, 1_890], sides: [130, 110, 110] },
  { name: "Notebook", type: "STATIONERY", grams: [180, 620], pence: [450, 2_490], sides: [220, 160, 20] },
  { name: "Lamp", type: "HOME", grams: [900, 3_200], pence: [2_490, 14_900], sides: [480, 260, 240] },
  { name: "Trainers", type: "FOOTWEAR", grams: [700, 1_300], pence: [3_990, 12_900], sides: [340, 220, 130] },
  { name: "Tea", type: "FOOD", grams: [90, 540], pence: [390, 2_190], sides: [150, 90, 90] },
  { name: "Rucksack", type: "LUGGAGE", grams: [650, 1_700], pence: [2_990, 15_900], sides: [520, 320, 180] },
  { name: "Headphones", type: "ELECTRONICS", grams: [160, 620], pence: [1_990, 24_900], sides: [210, 190, 90] },
] as const;
const manners = ["Classic", "Harbour", "Meadow", "Studio", "Alpine", "Coast", "Urban", "Heritage", "Nordic", "Garden"];
const colours = ["blue", "green", "red", "black", "white", "grey", "yellow", "sand", "navy", "rose", "olive", "plum"];
const origins = ["GB", "PT", "DE", "IT", "CN", "VN", "IN", "TR"];

const skuOf = (number: number) => `H-SKU-${String(number).padStart(5, "0")}`;

/** One item in fifty. */
const isOutOfStock = (number: number) => number % 50 === 7;

/** The last such item before a number, or the first of all. */
export const outOfStockNear = (number: number) => Math.floor(Math.max(0, number - 7) / 50) * 50 + 7;

/** @param number from 1 */
export function historyItem(number: number): HistoryItem {
  const kind = kinds[number % kinds.length] as (typeof kinds)[number];
  const of = (what: string) => draw("seed-history", "item", number, what);
  const between = (what: string, [low, high]: readonly [number, number]) => Math.round(low + of(what) * (high - low));
  const size = 0.85 + of("size") * 0.3;
  const [length, width, height] = kind.sides;
  const digits = `20${String(number).padStart(10, "0")}`;
  return {
    sku: skuOf(number),
    name: `${pick(manners, of("manner"))} ${kind.name.toLowerCase()}, ${pick(colours, of("colour"))}`,
    ean: `${digits}${gs1CheckDigit(digits)}`,
    type: kind.type,
    origin: pick(origins, of("origin")),
    price: Math.floor(between("price", kind.pence) / 10) * 10 + 9,
    weight: between("weight", kind.grams),
    sides: [Math.round(length * size), Math.round(width * size), Math.round(height * size)],
    isOutOfStock: isOutOfStock(number),
  };
}

/** The list element at a relative position from 0 to 1. */
export function pick<Value>(values: readonly Value[], part: number): Value {
  return values[Math.min(values.length - 1, Math.floor(part * values.length))] as Value;
}
