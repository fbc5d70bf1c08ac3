import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** What these carriers mean by a word. @param word in small letters. */
export function listEventWords(
  tx: Tx,
  carrierCodes: readonly string[],
  word: string,
): Promise<{ carrier_code: string; event_code: number }[]> {
  return tx.query(
    sql`select carrier_code, event_code from carrier_event_word
      where carrier_code = any(${carrierCodes}::text[]) and word = ${word} limit 100`,
  );
}
