export interface Count {
  readonly sku: string;
  readonly qty: number;
}

export interface CountFile {
  readonly counts: readonly Count[];
  /** One sentence per unreadable line. */
  readonly faults: readonly string[];
}

/** Maximum per request of the service (contract rest.md §2). */
const countsMax = 1_000;

/**
 * Parses counts from a spreadsheet: `SKU,quantity` per line, separated by comma, semicolon or tab, with an optional
 * header line.
 */
export function readCounts(text: string): CountFile {
  const counts: Count[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [sku = "", quantity = ""] = line.split(/[;,\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
    const qty = Number(quantity);
    if (sku !== "" && quantity !== "" && Number.isFinite(qty) && qty >= 0) {
      if (seen.has(sku)) faults.push(`Line ${i + 1}: SKU ${sku} is listed twice. Keep one line for it.`);
      else counts.push({ sku, qty });
      seen.add(sku);
    } else if (i > 0) {
      faults.push(`Line ${i + 1}: "${line.slice(0, 60)}" is not a SKU and a quantity of 0 or more.`);
    }
  }
  if (counts.length > countsMax)
    faults.push(`There are ${counts.length} lines; at most ${countsMax} can be compared at once.`);
  if (counts.length === 0 && faults.length === 0) faults.push("There is no line with a SKU and a quantity.");
  return { counts, faults };
}
