import type { Field } from "./fields.tsx";

/** The input of products with their quantities. */
export const skuLines = {
  name: "lines",
  label: "Products",
  kind: "lines",
  isRequired: true,
  description: "A line for each: the SKU, a space, and the quantity.",
} as const satisfies Field;

/** `MUG-BLUE 24` in each line. A SKU may have blanks, a quantity has none. */
export function skuLinesOf(text: string): { sku: string; qty: number }[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [, sku = line, qty = ""] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
      return { sku, qty: Number(qty) };
    });
}
