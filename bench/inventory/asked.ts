/** The requested SKUs: lists of a hundred, spread over all SKUs, the same for both sides. */
export const lists = 2_000;
export const skusOfList = 100;
const step = 104_729;
const stride = 7_919;

/** @param skus the number of SKUs */
export function listOf(list: number, skus: number): string[] {
  return Array.from({ length: skusOfList }, (_, i) => `BENCH-${1 + ((list * stride + i * step) % skus)}`);
}
