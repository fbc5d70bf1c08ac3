import type { FieldOption } from "./fields.tsx";

/** Options by their values: `optionsOf({ ACTIVE: "Active", SUSPENDED: "Suspended" })`. */
export const optionsOf = (labels: Readonly<Record<string, string>>): FieldOption[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
