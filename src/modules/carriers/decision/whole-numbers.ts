/**
 * Exact arithmetic on whole numbers. Money is in ten-thousandths of its unit (`#/kernel/values/amount.ts`), weight in grams,
 * length in thousandths of a centimetre. Intermediate products may exceed the exact integers of a number; results never
 * do.
 */

/** `value` in whole `1 / factor`; data are validated to have no finer decimals. */
export function scaled(value: number, factor: number): number {
  return Math.round(value * factor);
}

/** True if a number has no decimals finer than `1 / factor`. */
export function isExact(value: number, factor: number): boolean {
  return Math.round(value * factor) / factor === value;
}

/**
 * Quotient rounded up. The quotient of two exact integers is rounded to the nearest number, which never crosses a whole
 * number; `%` gives the same result at ten times the cost.
 * @param value not negative @param divisor positive
 */
export function divideUp(value: number, divisor: number): number {
  return Math.ceil(value / divisor);
}

/** Quotient rounded half up. @param value not negative @param divisor positive */
export function divideHalfUp(value: number, divisor: number): number {
  const whole = Math.floor(value / divisor);
  return (value - whole * divisor) * 2 >= divisor ? whole + 1 : whole;
}

/** `value × factor ÷ divisor`, rounded half away from zero. @param factor @param divisor positive */
export function multiplyHalfUp(value: number, factor: number, divisor: number): number {
  if (value < 0) return -multiplyHalfUp(-value, factor, divisor);
  const product = value * factor;
  if (product <= Number.MAX_SAFE_INTEGER) return divideHalfUp(product, divisor);
  const exact = BigInt(value) * BigInt(factor) * 2n + BigInt(divisor);
  return Number(exact / (BigInt(divisor) * 2n));
}

/** `value × factor ÷ divisor`, rounded up. All positive. */
export function multiplyUp(value: number, factor: number, divisor: number): number {
  const product = value * factor;
  if (product <= Number.MAX_SAFE_INTEGER) return divideUp(product, divisor);
  return Number((BigInt(value) * BigInt(factor) + BigInt(divisor) - 1n) / BigInt(divisor));
}
