import type { ProposedChange } from "#/modules/proposals/index.ts";

/** More changes are cut: a person reads them. */
const changesMax = 60;
const textMax = 300;

/** They change with every write. */
const uninteresting = new Set(["version", "updatedAt", "clientId"]);

/** The fields of a record whose values a write would change: those that its answer has. */
export function changesOf(before: unknown, after: unknown): ProposedChange[] {
  const values = new Map(leavesOf(before, ""));
  const fields = new Map(leavesOf(after, ""));
  const changes = [...fields].flatMap(([field, value]): ProposedChange[] => {
    const old = values.get(field) ?? null;
    return old === value ? [] : [{ field, before: old, after: value }];
  });
  return changes.slice(0, changesMax);
}

function leavesOf(value: unknown, field: string): [string, string | null][] {
  if (typeof value !== "object" || value === null) return [[field, value === null ? null : cut(String(value))]];
  // A list that was or becomes empty has a value too.
  const size: [string, string | null][] = Array.isArray(value) ? [[`${field}.count`, String(value.length)]] : [];
  const parts = Object.entries(value).flatMap(([name, part]) =>
    uninteresting.has(name) ? [] : leavesOf(part, field === "" ? name : `${field}.${name}`),
  );
  return [...size, ...parts];
}

const cut = (text: string) => (text.length > textMax ? `${text.slice(0, textMax)}…` : text);
