import { roundAmount } from "#/kernel/values/amount.ts";
import { isFlag } from "#/kernel/values/flag.ts";
import { canonicalMoment } from "#/kernel/values/moment.ts";
import type { Readings } from "#/xml/index.ts";

/**
 * Forms of values that partners write, and whose meaning is in no doubt, by the type of the published XSDs
 * (feeds.md §3, Other forms). The XSDs say what to send; this table says what is read besides.
 */
export const readings: Readings = new Map([
  ["DateTime", (text: string) => formOf(canonicalMoment(text))],
  ["ActionType", (text: string) => formOf(/^(?:new|update|cancel)$/i.exec(text)?.[0].toUpperCase())],
  ["Flag", (text: string) => formOf(isFlag(text) ? text.toLowerCase() : undefined)],
  ["CurrencyCode", (text: string) => formOf(/^[a-z]{3}$/i.exec(text)?.[0].toUpperCase())],
  ["Amount", readAmount],
]);

const formOf = (text: string | undefined) => (text === undefined ? undefined : { text });

function readAmount(text: string) {
  const rounded = roundAmount(text);
  return rounded === undefined
    ? undefined
    : { text: rounded, note: `has more than 4 fraction digits; ${rounded} is taken` };
}
