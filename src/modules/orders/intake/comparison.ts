import type { ExtendedAttributeName } from "#/kernel/values/extended-attributes.ts";

/** Attributes that say something about the document, or are compared under a name of their own. */
export const attributesWithMeaning: ReadonlySet<string> = new Set<ExtendedAttributeName>([
  "Revision",
  "Priority",
  "ShipPartial",
]);

/** Whether two values of the header say the same, whatever the order of their fields; what is absent is null. */
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
