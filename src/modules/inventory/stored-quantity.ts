/**
 * A numeric with three fraction digits, as PostgreSQL writes it, in integer thousandths. Sums of stock may pass what a
 * document may name, so this does not refuse them as `parseQuantity` would; up to 10¹² they are exact.
 */
export function storedQuantity(text: string): number {
  return Math.round(Number(text) * 1000);
}
