import type { ExtendedAttributeName } from "#/kernel/values/extended-attributes.ts";

/** Attributes that describe the document, or that are compared through their own field. */
export const attributesWithMeaning: ReadonlySet<string> = new Set<ExtendedAttributeName>([
  "Revision",
  "Priority",
  "ShipPartial",
]);

/** True if two header values are equal, whatever the order of their fields. An absent field equals null. */
export function isSame(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return JSON.stringify(
    fields.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, v]) => [name, canonical(v)]),
  );
}
