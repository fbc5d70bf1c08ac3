// Searches with fields, such as `status:packed client:DEMO despatched:>2026-11-01`.
import { anyHold, holdTypes, noHold, orderGroups, orderStates } from "../order-filters.ts";
import { keyOfEnds } from "../time-range.ts";

/** The list of orders that a search with fields asks for. */
export interface OrderSearch {
  /** Path of the list, with its filters. */
  readonly to: string;
  /** A sentence for each part that cannot be read. */
  readonly faults: readonly string[];
}

/** Filters of the list by their names in its URL, or why the value cannot be read. */
type Reading = Readonly<Record<string, string>> | string;
type Field = (value: string) => Reading;

const dayFormat = /^([<>]?)(\d{4}-\d\d-\d\d)$/;
const flags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  late: { isLate: "true" },
  "at-risk": { isAtRisk: "true" },
  held: { holdType: anyHold },
};

const fields: Readonly<Record<string, Field>> = {
  status: readStates,
  client: (value) => ({ client: value.toUpperCase() }),
  facility: (value) => ({ facility: value.toUpperCase() }),
  hold: (value) => readWord("hold", value, [anyHold, noHold, ...holdTypes], "holdType"),
  carrier: (value) => ({ carrierCode: value.toUpperCase() }),
  shipping: (value) => ({ shippingMethod: value }),
  priority: (value) => (/^[1-9]$/.test(value) ? { priority: value } : `priority is 1 to 9, not ${value}.`),
  is: (value) => flags[value.toLowerCase()] ?? `is knows ${Object.keys(flags).join(", ")}, not ${value}.`,
  customer: (value) => ({ customer: value }),
  sku: (value) => ({ sku: value }),
  lot: (value) => ({ lotNumber: value }),
  serial: (value) => ({ serialNumber: value }),
  received: (value) =>
    readDay("received", value, (sign, day) => {
      if (sign === "") return { receivedOn: day };
      return { range: sign === ">" ? keyOfEnds(day, "") : keyOfEnds("", day) };
    }),
  despatched: (value) =>
    readDay("despatched", value, (sign, day) => ({
      despatched: keyOfEnds(sign === "<" ? "" : day, sign === ">" ? "" : day),
    })),
  delivered: (value) =>
    readDay("delivered", value, (sign, day) => (sign === "" ? { deliveredOn: day } : "delivered is a day.")),
};

/**
 * Reads a search whose parts are `field:value`; a part without a field is the beginning of an order or reference.
 * A value with blanks is in quotes.
 *
 * @returns undefined if the text has no known field.
 */
export function readOrderSearch(text: string): OrderSearch | undefined {
  const parts = (text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((part) => part.replaceAll('"', ""));
  const pairs = parts.map((part) => {
    const [, name, value = ""] = /^([a-z]+):(.*)$/i.exec(part) ?? [];
    return { part, name: name?.toLowerCase(), value };
  });
  if (!pairs.some(({ name }) => name !== undefined && Object.hasOwn(fields, name))) return undefined;
  const query = new URLSearchParams();
  const faults: string[] = [];
  const words: string[] = [];
  for (const { part, name, value } of pairs) {
    if (name === undefined) words.push(part);
    else if (!Object.hasOwn(fields, name))
      faults.push(`${name} is no field; known are ${Object.keys(fields).join(", ")}.`);
    else if (value === "") faults.push(`${name} has no value yet.`);
    else {
      const reading = (fields[name] as Field)(value);
      if (typeof reading === "string") faults.push(reading);
      else for (const [key, filter] of Object.entries(reading)) query.set(key, filter);
    }
  }
  if (words.length > 0) query.set("text", words.join(" "));
  return { to: `/orders?${query}`, faults };
}

const codeOf = (value: string) => value.toUpperCase().replaceAll("-", "_");

/** The code that the value names, whole or by its beginning. */
function codeNamed(value: string, codes: readonly string[]): string | undefined {
  const code = codeOf(value);
  if (codes.includes(code)) return code;
  const [only, ...others] = codes.filter((known) => known.startsWith(code));
  return others.length === 0 ? only : undefined;
}

const wordsOf = (codes: readonly string[]) => codes.map((code) => code.toLowerCase().replaceAll("_", "-")).join(", ");

function readWord(field: string, value: string, codes: readonly string[], key: string): Reading {
  const code = codeNamed(value, codes);
  return code === undefined ? `${field} knows ${wordsOf(codes)}, not ${value}.` : { [key]: code };
}

function readStates(value: string): Reading {
  if (value.toLowerCase() === "open") return { status: orderGroups.open };
  const isNegated = value.startsWith("!");
  const names = (isNegated ? value.slice(1) : value).split(",").filter((name) => name !== "");
  const codes = names.map((name) => codeNamed(name, orderStates));
  const unknown = names.find((_, i) => codes[i] === undefined);
  if (unknown !== undefined) return `status knows open, ${wordsOf(orderStates)}, not ${unknown}.`;
  return { status: `${isNegated ? "!" : ""}${codes.join(",")}` };
}

function readDay(field: string, value: string, read: (sign: string, day: string) => Reading): Reading {
  const [, sign = "", day = ""] = dayFormat.exec(value) ?? [];
  if (day === "" || Number.isNaN(Date.parse(day))) return `${field} is a day such as 2026-11-20, not ${value}.`;
  return read(sign, day);
}
