import type { CarrierData } from "../carrier-data.ts";

/** A difference between two sets of carrier data. */
export interface DraftChange {
  /** "Service RM48", "Price matrix of RM48". */
  readonly of: string;
  /** The place in it: "maxWeightKg", "DOMESTIC up to 2 kg"; empty: the whole. */
  readonly place: string;
  /** undefined: added. */
  readonly before: string | undefined;
  /** undefined: removed. */
  readonly after: string | undefined;
  /** Per cent, of a number that changed. */
  readonly percent: number | undefined;
}

type Item = Readonly<Record<string, unknown>>;

/** Sections that are lists, with the name of an item. */
const lists: Readonly<Record<string, (item: Item) => string>> = {
  services: ({ code }) => `Service ${code}`,
  rateCards: ({ serviceCode, validFrom }) =>
    `Price matrix of ${serviceCode}${validFrom === undefined ? "" : ` from ${validFrom}`}`,
  rules: ({ ruleId }) => `Rule ${ruleId}`,
  rates: ({ from, to, date }) => `Rate ${from} to ${to} of ${date}`,
};

const sections: Readonly<Record<string, string>> = {
  mapping: "Mapping",
  settings: "Settings",
  holidays: "Holidays",
};

/** Lists within an item, with the name of each element. */
const parts: Readonly<Record<string, (item: Item) => string>> = {
  zones: ({ zone, country }) => `zone ${zone} ${country}`,
  breaks: ({ zone, upToKg }) => `${zone} up to ${upToKg} kg`,
  surcharges: ({ code }) => `surcharge ${code}`,
};

/** The changes from one set to another, section by section in the order of the sections. */
export function changesOf(before: CarrierData, after: CarrierData): DraftChange[] {
  const [old, made] = [before as unknown as Item, after as unknown as Item];
  return [
    ...Object.entries(lists).flatMap(([section, nameOf]) =>
      pairsOf(itemsOf(old[section]), itemsOf(made[section]), nameOf).flatMap(([name, left, right]) =>
        compared(left, right).map((change) => ({ of: name, ...change })),
      ),
    ),
    ...Object.entries(sections).flatMap(([section, name]) =>
      compared(old[section] ?? {}, made[section] ?? {}).map((change) => ({ of: name, ...change })),
    ),
  ];
}

type Difference = Omit<DraftChange, "of">;

/** @param place the parts of the place so far */
function compared(before: unknown, after: unknown, place: readonly string[] = []): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const nameOf = parts[place.at(-1) ?? ""];
  if (nameOf !== undefined)
    return pairsOf(itemsOf(before), itemsOf(after), nameOf).flatMap(([name, left, right]) =>
      compared(left, right, [...place.slice(0, -1), name]),
    );
  if (isItem(before) && isItem(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      compared(before[key], after[key], [...place, wordsOf(key)]),
    );
  const isNumber = typeof before === "number" && typeof after === "number" && before !== 0;
  return [
    {
      // The price is what a break is for.
      place: place.filter((part) => part !== "price").join(" "),
      before: textOf(before),
      after: textOf(after),
      percent: isNumber ? (100 * ((after as number) - before)) / before : undefined,
    },
  ];
}

/** An element of a list: a value, or the fields of an object, "field country, op in, value GB". */
const entryText = (value: unknown): string =>
  isItem(value)
    ? Object.entries(value)
        .map(([key, part]) => `${wordsOf(key)} ${isItem(part) ? `(${entryText(part)})` : textOf(part)}`)
        .join(", ")
    : (textOf(value) ?? "none");

const isItem = (value: unknown): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);
const itemsOf = (value: unknown): readonly Item[] => (Array.isArray(value) ? value.filter(isItem) : []);

/** Items of equal name, the first with the first: several entries may form one zone. */
function pairsOf(
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
): [name: string, before: Item | undefined, after: Item | undefined][] {
  const [old, made] = [Map.groupBy(before, nameOf), Map.groupBy(after, nameOf)];
  return [...new Set([...old.keys(), ...made.keys()])].flatMap((name) => {
    const [left, right] = [old.get(name) ?? [], made.get(name) ?? []];
    return Array.from(
      { length: Math.max(left.length, right.length) },
      (_, i) => [name, left[i], right[i]] as const,
    ).map(([of, one, other]): [string, Item | undefined, Item | undefined] => [of, one, other]);
  });
}

/** `maxWeightKg` in words: "max weight kg". Codes stay. */
const wordsOf = (key: string) =>
  key.replaceAll(/([a-z\d])([A-Z])/g, (_all, before: string, next: string) => `${before} ${next.toLowerCase()}`);

/** A value in words; undefined for none. */
function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value === "" ? "empty" : value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.map(entryText).join(value.some(isItem) ? "; " : ", ");
  if (!isItem(value)) return "none";
  if (typeof value.amount === "number") return `${value.amount} ${value.currency ?? ""}`.trim();
  if (typeof value.price === "number") return String(value.price);
  // A whole service, matrix or rule: its name says what it is.
  return "complete";
}
