import type { components } from "#operator";

type Entry = components["schemas"]["TimelineEntry"];

/** The codes of the catalogue that mean the same as a change, by the text of the change. */
const codesOf: Readonly<Record<string, readonly number[]>> = {
  Held: [30],
  Released: [35],
  "Allocation run": [50, 48, 45],
  Picked: [55, 58, 52],
  Packed: [60],
  Loaded: [80],
  Despatched: [100, 95],
  "Cancellation requested": [88],
  Cancelled: [90],
};

/** A change and its code are written in one transaction, the code with the moment at which it began. */
const togetherMs = 2_000;

/**
 * Shows each fact once: an entry of the catalogue takes over the actor and the details of the change that caused it,
 * and the change is left out. A change without such an entry stays.
 * @param entries oldest first
 */
export function factsOnce(entries: readonly Entry[]): readonly Entry[] {
  const causes = new Map<Entry, Entry>();
  const mergedChanges = new Set<Entry>();
  for (const [index, change] of entries.entries()) {
    if (change.kind !== "CHANGE") continue;
    const milestone = milestoneOf(entries, index, causes);
    if (milestone === undefined) continue;
    causes.set(milestone, change);
    mergedChanges.add(change);
  }
  return entries.flatMap((entry) => {
    if (mergedChanges.has(entry)) return [];
    const cause = causes.get(entry);
    return cause === undefined ? entry : merged(entry, cause);
  });
}

/** The nearest fitting entry that no other change has taken: the latest before the change, or else the first of its moment after it. */
function milestoneOf(entries: readonly Entry[], index: number, taken: ReadonlyMap<Entry, Entry>): Entry | undefined {
  const change = entries[index];
  const codes = change && codesOf[change.text];
  if (change === undefined || codes === undefined) return undefined;
  const isNear = (entry: Entry) =>
    entry.kind === "MILESTONE" &&
    !taken.has(entry) &&
    Math.abs(Date.parse(change.at) - Date.parse(entry.at)) <= togetherMs;
  const before = entries.slice(0, index).filter(isNear);
  const after = entries.slice(index + 1).filter((entry) => isNear(entry) && entry.at === change.at);
  for (const code of codes) {
    const has = (entry: Entry) => entry.code === code;
    const found = before.findLast(has) ?? after.find(has);
    if (found !== undefined) return found;
  }
  return undefined;
}

function merged(milestone: Entry, { actor, detail }: Entry): Entry {
  const details = [milestone.detail, detail].filter((text) => text !== null);
  return { ...milestone, actor, detail: details.length === 0 ? null : details.join(" · ") };
}
