import { trackingWords } from "#/modules/carriers/tracking-words.ts";
import type { Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** Tracking services report for many carriers: their codes apply to any carrier that has no such code itself. */
const trackingServices = ["EASYPOST", "AFTERSHIP", "KARRIO"] as const;

/**
 * The event code (lifecycle.md §9) for a carrier's own code, whatever its case; undefined if it is not mapped.
 *
 * @param carrierCode the carrier, or the reporting tracking service; several in order of precedence.
 */
export async function eventCodeOf(
  tx: Tx,
  carrierCode: string | undefined | readonly (string | undefined)[],
  word: string,
): Promise<number | undefined> {
  const named = [carrierCode].flat().flatMap((code) => code?.toUpperCase() ?? []);
  const sources: readonly string[] = [...new Set([...named, ...trackingServices])];
  const known = word.trim().toLowerCase();
  const rows = await listEventWords(tx, sources, known);
  const [first] = rows.toSorted(
    (left, right) => sources.indexOf(left.carrier_code) - sources.indexOf(right.carrier_code),
  );
  return first?.event_code ?? named.map((source) => trackingWords[source]?.[known]).find((code) => code !== undefined);
}

/** The event codes of these carriers for a word. @param word in lower case. */
function listEventWords(
  tx: Tx,
  carrierCodes: readonly string[],
  word: string,
): Promise<{ carrier_code: string; event_code: number }[]> {
  return tx.query(
    sql`select carrier_code, event_code from carrier_code_map
      where carrier_code = any(${carrierCodes}::text[]) and raw_code = ${word} limit 100`,
  );
}
