// Exact fractions.

export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

export function exact(value: number | string): Fraction {
  const text = typeof value === "string" ? value : value.toFixed(8);
  const [whole = "0", decimals = ""] = text.replace("-", "").split(".");
  const n = BigInt(whole + decimals);
  return { n: text.startsWith("-") ? -n : n, d: 10n ** BigInt(decimals.length) };
}
export const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
export const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
export const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { n: -b.n, d: b.d });
export const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;
export const isSame = (a: Fraction, b: Fraction): boolean => a.n * b.d === b.n * a.d;
export const isMore = (a: Fraction, b: Fraction): boolean => isLess(b, a);
export const zero = exact(0);

export function ceiling({ n, d }: Fraction): Fraction {
  return { n: n % d === 0n ? n / d : n / d + 1n, d: 1n };
}

/** Rounds to a multiple of `unit`, half away from zero. */
export function rounded(value: Fraction, unit: Fraction): Fraction {
  if (value.n < 0n) return minus(zero, rounded({ n: -value.n, d: value.d }, unit));
  const { n, d } = over(value, unit);
  return times({ n: (2n * n + d) / (2n * d), d: 1n }, unit);
}

export const upTo = (value: Fraction, unit: Fraction): Fraction => times(ceiling(over(value, unit)), unit);
export const toNumber = (value: Fraction): number => {
  const { n } = rounded(times(value, exact(10_000)), exact(1));
  const d = rounded(times(value, exact(10_000)), exact(1)).d;
  return Number(n / d) / 10_000;
};

export const greatest = (values: readonly Fraction[]): Fraction | undefined =>
  values.reduce<Fraction | undefined>((most, value) => (most && !isMore(value, most) ? most : value), undefined);
export const sumOf = (values: readonly Fraction[]): Fraction => values.reduce(plus, zero);
