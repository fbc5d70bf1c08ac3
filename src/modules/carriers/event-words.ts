import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Services that speak for many carriers: their words are understood of any carrier that has no such word of its own. */
const trackingServices = ["EASYPOST", "AFTERSHIP", "KARRIO"] as const;

/**
 * The event code (lifecycle.md §9) that a carrier's own word stands for, whatever its case; undefined for a word that
 * nobody has mapped.
 *
 * @param carrierCode the carrier, or the tracking service that reports; several in the order in which they are asked.
 */
export async function eventCodeOf(
  tx: Tx,
  carrierCode: string | undefined | readonly (string | undefined)[],
  word: string,
): Promise<number | undefined> {
  const named = [carrierCode].flat().flatMap((code) => code?.toUpperCase() ?? []);
  const asked: readonly string[] = [...new Set([...named, ...trackingServices])];
  const rows = await listEventWords(tx, asked, word.trim().toLowerCase());
  return rows.toSorted((left, right) => asked.indexOf(left.carrier_code) - asked.indexOf(right.carrier_code))[0]
    ?.event_code;
}

/** What these carriers mean by a word. @param word in small letters. */
function listEventWords(
  tx: Tx,
  carrierCodes: readonly string[],
  word: string,
): Promise<{ carrier_code: string; event_code: number }[]> {
  return tx.query(
    sql`select carrier_code, event_code from carrier_event_word
      where carrier_code = any(${carrierCodes}::text[]) and word = ${word} limit 100`,
  );
}
