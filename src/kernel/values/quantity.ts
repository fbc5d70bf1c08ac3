/**
 * Quantities are exact decimals with at most three fraction digits, represented as whole thousandths in a number: 1.5
 * is 1500. A sum of nine thousand of the largest is still exact (2⁵³ thousandths).
 */

/** 999 999 999, in thousandths. @see contract/feeds.md §3 Types. */
export const quantityMaxThousandths = 999_999_999_000;

const zero = 48;
const nine = 57;

/**
 * Parses a decimal in XML notation (xs:decimal: optional sign, no exponent; zeros at either end have no meaning).
 *
 * @returns thousandths, or `undefined` for anything else, for more than three fraction digits, or beyond the limit.
 */
export function parseQuantity(text: string): number | undefined {
  const signed = text.startsWith("-") || text.startsWith("+");
  let index = signed ? 1 : 0;
  let thousandths = 0;
  let digits = 0;
  for (; index < text.length; index++, digits++) {
    const code = text.charCodeAt(index);
    if (code < zero || code > nine) break;
    // The limit is checked for each digit, so that a million digits never exceed the exact integers.
    if (thousandths <= quantityMaxThousandths) thousandths = thousandths * 10 + (code - zero) * 1000;
  }
  if (text[index] === ".") {
    index++;
    for (let unit = 100; index < text.length; index++, digits++) {
      const code = text.charCodeAt(index);
      if (code < zero || code > nine) break;
      if (unit >= 1) thousandths += (code - zero) * unit;
      else if (code !== zero) return undefined;
      unit = unit > 1 ? unit / 10 : 0;
    }
  }
  if (digits === 0 || index < text.length || thousandths > quantityMaxThousandths) return undefined;
  return text.startsWith("-") && thousandths !== 0 ? -thousandths : thousandths;
}

/** The shortest decimal text: no exponent, no zeros at the end. @param thousandths a safe integer. */
export function formatQuantity(thousandths: number): string {
  // A number of this size prints exactly and without an exponent: nine integer and three fraction digits of at most 17.
  return String(quantityToNumber(thousandths));
}

/** The quantity as a JSON number, which prints with at most three decimals. @param thousandths a safe integer. */
export function quantityToNumber(thousandths: number): number {
  return thousandths / 1000;
}

/** A JSON number as thousandths: sums of thousandths are exact, where 0.1 + 0.2 is not 0.3. @param value at most three decimals. */
export function quantityOf(value: number): number {
  return Math.round(value * 1000);
}

/** JSON Schema's `multipleOf: 0.001` rejects most exact decimals, because 0.001 has no exact binary form. */
export function hasThreeDecimals(value: number): boolean {
  return quantityOf(value) / 1000 === value;
}

/**
 * A `numeric` with three fraction digits, in PostgreSQL's notation, as thousandths. Sums of stock may exceed the limit
 * of a document, so this function does not refuse them as `parseQuantity` does; up to 10¹² they are exact.
 */
export function storedQuantity(text: string): number {
  return quantityOf(Number(text));
}

/**
 * Exact product, as in 2.5 cases of 12 pieces.
 *
 * @returns thousandths, or `undefined` when the product needs a fourth fraction digit or passes the limit.
 */
export function multiplyQuantity(thousandths: number, factorThousandths: number): number | undefined {
  const product = BigInt(thousandths) * BigInt(factorThousandths);
  if (product % 1000n !== 0n) return undefined;
  const result = Number(product / 1000n);
  return Math.abs(result) <= quantityMaxThousandths ? result : undefined;
}

/** Whether the quantity has no fraction. Quantities in EA have none. @see contract/feeds.md §4 Units. */
export function isWhole(thousandths: number): boolean {
  return thousandths % 1000 === 0;
}
