/** The comparison takes time proportional to both lengths, and no longer text is a misspelt name. */
const nameMax = 64;

/** The most likely candidate for a misspelt name; `undefined` when none is similar. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > nameMax) return undefined;
  let nearest: string | undefined;
  let distanceMin = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(name.length - candidate.length) >= distanceMin) continue;
    const distance = editDistance(name, candidate);
    if (distance >= distanceMin) continue;
    nearest = candidate;
    distanceMin = distance;
  }
  return nearest;
}

/** Insertions, deletions and replacements that turn one text into the other (Levenshtein 1966). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] as number) + (from[line - 1] === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
