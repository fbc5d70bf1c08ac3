import type { WeightUnit } from "#/kernel/telemetry/measure.ts";
import type { PaperLanguage } from "#/kernel/values/paper-languages.ts";

/**
 * The formats of numbers and dates by language. They are our own tables rather than `Intl`: its data change between
 * releases of the runtime, and a reprinted paper must be the same byte for byte.
 */
interface Notation {
  readonly decimal: "." | ",";
  /** Between thousands. */
  readonly group: string;
  /** Spanish and Polish do not group four digits. */
  readonly groupsFrom: 4 | 5;
  /** True if the currency precedes the amount. */
  readonly currencyFirst: boolean;
  date(day: string, month: string, year: string): string;
}

const noBreak = "\u00A0";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const notations: Readonly<Record<PaperLanguage, Notation>> = {
  // The month is a word: 03/04 is March in one variant of English and April in another.
  en: {
    decimal: ".",
    group: ",",
    groupsFrom: 4,
    currencyFirst: true,
    date: (day, month, year) => `${Number(day)} ${months[Number(month) - 1]} ${year}`,
  },
  de: {
    decimal: ",",
    group: ".",
    groupsFrom: 4,
    currencyFirst: false,
    date: (day, month, year) => `${day}.${month}.${year}`,
  },
  fr: {
    decimal: ",",
    group: noBreak,
    groupsFrom: 4,
    currencyFirst: false,
    date: (day, month, year) => `${day}/${month}/${year}`,
  },
  es: {
    decimal: ",",
    group: ".",
    groupsFrom: 5,
    currencyFirst: false,
    date: (day, month, year) => `${day}/${month}/${year}`,
  },
  it: {
    decimal: ",",
    group: ".",
    groupsFrom: 4,
    currencyFirst: false,
    date: (day, month, year) => `${day}/${month}/${year}`,
  },
  nl: {
    decimal: ",",
    group: ".",
    groupsFrom: 4,
    currencyFirst: true,
    date: (day, month, year) => `${day}-${month}-${year}`,
  },
  pl: {
    decimal: ",",
    group: noBreak,
    groupsFrom: 5,
    currencyFirst: false,
    date: (day, month, year) => `${day}.${month}.${year}`,
  },
};

/** A decimal in the format of a language. @param decimal digits, with a point and digits for a fraction */
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

/** Currencies whose minor unit is not a hundredth (ISO 4217), as far as goods are priced in them. */
const minorDigits: Readonly<Record<string, number>> = Object.fromEntries([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3]),
]);

/** The least number of fraction digits of amounts in a currency. */
export function minorDigitsOf(currency: string): number {
  return minorDigits[currency] ?? 2;
}

/**
 * An amount without its currency; it keeps decimals below the minor unit. @param amount a canonical amount
 * (kernel/values/amount.ts)
 */
export function formatAmount(amount: string, currency: string, language: PaperLanguage): string {
  const [integer = "0", fraction = ""] = amount.split(".");
  const digits = fraction.padEnd(minorDigitsOf(currency), "0");
  return formatDecimal(digits === "" ? integer : `${integer}.${digits}`, language);
}

/** An amount with the code of its currency, which is the same in all languages. */
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

/** A weight in its original unit: at most six fraction digits, as the store has. */
export function formatWeight({ value, uom }: Weight, language: PaperLanguage): string {
  const [integer = "0", fraction = ""] = value.toFixed(6).split(".");
  const digits = fraction.replace(/0+$/, "");
  return `${formatDecimal(digits === "" ? integer : `${integer}.${digits}`, language)}${noBreak}${unitNames[uom]}`;
}
