/**
 * Amounts of money are exact decimals with at most four fraction digits (`numeric(19,4)` in the database), represented
 * as canonical text: equal amounts have equal texts. Arithmetic uses ten-thousandths.
 */

/** Optional sign, digits, fraction, as in xs:decimal. No two parts can match the same text, so it never backtracks. */
const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?$/;

const integerDigitsMax = 15;
const fractionDigitsMax = 4;

/**
 * The canonical text of an amount as sent: no plus sign, no zeros at either end (`+012.50` becomes `12.5`, `.5`
 * becomes `0.5`).
 *
 * @returns `undefined` when it is not a decimal, below zero, finer than four fraction digits or longer than 15 integer
 * digits. @see contract/feeds.md §3 Types.
 */
export function normaliseAmount(text: string): string | undefined {
  const match = decimalPattern.exec(text);
  if (match === null || !/\d/.test(text)) return undefined;
  const integer = withoutZerosAtStart(match[2] ?? "");
  const fraction = withoutZerosAtEnd(match[3] ?? "");
  if (integer.length > integerDigitsMax || fraction.length > fractionDigitsMax) return undefined;
  if (match[1] === "-" && (integer !== "" || fraction !== "")) return undefined;
  return (integer === "" ? "0" : integer) + (fraction === "" ? "" : `.${fraction}`);
}

/**
 * An amount that is finer than four fraction digits, rounded to them, half a ten-thousandth away from zero.
 *
 * @returns `undefined` when it is not a decimal, or has no more digits than an amount may have.
 */
export function roundAmount(text: string): string | undefined {
  const [, sign = "", integer = "", fraction = ""] =
    text.length > roundedCharactersMax ? [] : (decimalPattern.exec(text) ?? []);
  if (withoutZerosAtEnd(fraction).length <= fractionDigitsMax) return undefined;
  const digits = BigInt(`${integer}${fraction.slice(0, fractionDigitsMax)}`);
  const up = fraction.charCodeAt(fractionDigitsMax) >= "5".charCodeAt(0) ? 1n : 0n;
  const rounded = canonical(digits + up);
  return sign === "-" && rounded !== "0" ? `-${rounded}` : rounded;
}

/** The longest decimal that a program writes by itself: a binary fraction of 64 bits has at most 17 digits. */
const roundedCharactersMax = 40;

function withoutZerosAtStart(digits: string): string {
  return digits.replace(/^0+/, "");
}

/** A loop, because `/0+$/` is quadratic in a long run of zeros before another digit. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

/** Negative when `left` is smaller, 0 when they are equal. @param left @param right canonical amounts. */
export function compareAmounts(left: string, right: string): -1 | 0 | 1 {
  const difference = tenThousandths(left) - tenThousandths(right);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * Exact sum of canonical amounts, itself canonical; `0` for an empty list. It may exceed the limit of a single amount.
 */
export function sumAmounts(amounts: readonly string[]): string {
  let sum = 0n;
  for (const amount of amounts) sum += tenThousandths(amount);
  return canonical(sum);
}

/**
 * A part of an amount, or a multiple of it: `amount × by ÷ of`, half a ten-thousandth rounded up, itself canonical. It may
 * pass the limit of a single amount.
 *
 * @param amount canonical. @param by not below 0. @param of above 0; both whole.
 */
export function scaleAmount(amount: string, by: number, of: number): string {
  const [product, divisor] = [tenThousandths(amount) * BigInt(by), BigInt(of)];
  return canonical((2n * product + divisor) / (2n * divisor));
}

function canonical(sum: bigint): string {
  const fraction = withoutZerosAtEnd(String(sum % 10_000n).padStart(fractionDigitsMax, "0"));
  return `${sum / 10_000n}${fraction === "" ? "" : `.${fraction}`}`;
}

function tenThousandths(amount: string): bigint {
  const point = amount.indexOf(".");
  if (point === -1) return BigInt(amount) * 10_000n;
  return BigInt(amount.slice(0, point) + amount.slice(point + 1).padEnd(fractionDigitsMax, "0"));
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Whether it is an ISO 4217 code, as the standard writes it (three capitals). Currencies that have left the standard
 * still count, because the runtime's list keeps them. @see contract/feeds.md §3, attribute `unit`.
 */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
