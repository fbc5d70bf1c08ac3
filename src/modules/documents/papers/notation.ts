import type { WeightUnit } from "#/kernel/telemetry/measure.ts";
import type { PaperLanguage } from "#/modules/documents/papers/language.ts";

/**
 * How the languages write numbers and dates. Tables of our own rather than `Intl`: its data changes from one release of
 * the runtime to the next, and a paper that is made again must be the same byte for byte.
 */
interface Notation {
  readonly decimal: "." | ",";
  /** Between thousands. */
  readonly group: string;
  /** Spanish and Polish leave four digits together. */
  readonly groupsFrom: 4 | 5;
  /** Does the currency stand before the amount? */
  readonly currencyFirst: boolean;
  date(day: string, month: string, year: string): string;
}

const noBreak = "\u00A0";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const notations: Readonly<Record<PaperLanguage, Notation>> = {
  // The month as a word: 03/04 is March in one English and April in another.
  en: {
    ...{ decimal: ".", group: ",", groupsFrom: 4, currencyFirst: true },
    date: (day, month, year) => `${Number(day)} ${months[Number(month) - 1]} ${year}`,
  },
  de: {
    ...{ decimal: ",", group: ".", groupsFrom: 4, currencyFirst: false },
    date: (day, month, year) => `${day}.${month}.${year}`,
  },
  fr: {
    ...{ decimal: ",", group: noBreak, groupsFrom: 4, currencyFirst: false },
    date: (day, month, year) => `${day}/${month}/${year}`,
  },
  es: {
    ...{ decimal: ",", group: ".", groupsFrom: 5, currencyFirst: false },
    date: (day, month, year) => `${day}/${month}/${year}`,
  },
  it: {
    ...{ decimal: ",", group: ".", groupsFrom: 4, currencyFirst: false },
    date: (day, month, year) => `${day}/${month}/${year}`,
  },
  nl: {
    ...{ decimal: ",", group: ".", groupsFrom: 4, currencyFirst: true },
    date: (day, month, year) => `${day}-${month}-${year}`,
  },
  pl: {
    ...{ decimal: ",", group: noBreak, groupsFrom: 5, currencyFirst: false },
    date: (day, month, year) => `${day}.${month}.${year}`,
  },
};

/** A decimal as a language writes it. @param decimal digits, and a point and digits where there is a fraction */
export function formatDecimal(decimal: string, language: PaperLanguage): string {
  const { decimal: point, group, groupsFrom } = notations[language];
  const [integer = "0", fraction] = decimal.split(".");
  const grouped = integer.length < groupsFrom ? integer : integer.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`;
}

/** A quantity. @param thousandths of a unit, not below 0 */
export function formatThousandths(thousandths: number, language: PaperLanguage): string {
  const fraction = String(thousandths % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return formatDecimal(`${Math.floor(thousandths / 1000)}${fraction && `.${fraction}`}`, language);
}

/** Currencies whose smallest coin is not a hundredth (ISO 4217), as far as goods are priced in them. */
const minorDigits: Readonly<Record<string, number>> = Object.fromEntries([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3]),
]);

/** How many fraction digits amounts of a currency have at least. */
export function minorDigitsOf(currency: string): number {
  return minorDigits[currency] ?? 2;
}

/** An amount without its currency, finer than the smallest coin where it is. @param amount a canonical amount (kernel/amount.ts) */
export function formatAmount(amount: string, currency: string, language: PaperLanguage): string {
  const [integer = "0", fraction = ""] = amount.split(".");
  const digits = fraction.padEnd(minorDigitsOf(currency), "0");
  return formatDecimal(digits === "" ? integer : `${integer}.${digits}`, language);
}

/** An amount with its currency's code, which is the same in all languages. */
export function formatMoney(amount: string, currency: string, language: PaperLanguage): string {
  const written = formatAmount(amount, currency, language);
  return notations[language].currencyFirst ? `${currency}${noBreak}${written}` : `${written}${noBreak}${currency}`;
}

/** A day. @param date `YYYY-MM-DD` */
export function formatDate(date: string, language: PaperLanguage): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return notations[language].date(day, month, year);
}

const unitNames: Readonly<Record<WeightUnit, string>> = { KG: "kg", G: "g", LB: "lb", OZ: "oz" };

export interface Weight {
  readonly value: number;
  readonly uom: WeightUnit;
}

/** A weight in the unit in which it was given: at most six fraction digits, as the store has them. */
export function formatWeight({ value, uom }: Weight, language: PaperLanguage): string {
  const [integer = "0", fraction = ""] = value.toFixed(6).split(".");
  const digits = fraction.replace(/0+$/, "");
  return `${formatDecimal(digits === "" ? integer : `${integer}.${digits}`, language)}${noBreak}${unitNames[uom]}`;
}
