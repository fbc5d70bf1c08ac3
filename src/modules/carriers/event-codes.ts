import { trackingWords } from "#/modules/carriers/tracking-words.ts";
import type { ClientTransaction, Transaction, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

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
  const known = wordOf(word);
  const rows = await listEventWords(tx, sources, known);
  const [first] = rows.toSorted(
    (left, right) => sources.indexOf(left.carrier_code) - sources.indexOf(right.carrier_code),
  );
  return first?.event_code ?? named.map((source) => trackingWords[source]?.[known]).find((code) => code !== undefined);
}

const wordOf = (code: string) => code.trim().toLowerCase();

/** Counts an event whose code is not mapped, for the table that operators read. */
export function noteUnknownCode(tx: ClientTransaction, carrierCode: string, code: string, at: string): void {
  tx.send(sql`insert into tracking_code (client_id, carrier_code, raw_code, events, first_seen_at, last_seen_at)
      values (${tenant}, ${carrierCode.toUpperCase()}, ${wordOf(code)}, 1, ${at}::timestamptz, ${at}::timestamptz)
      on conflict (client_id, carrier_code, raw_code) do update set events = tracking_code.events + 1,
        last_seen_at = excluded.last_seen_at
      returning events`);
}

export interface MappedCode {
  readonly carrierCode: string;
  readonly code: string;
  readonly eventCode: number;
}

const mappedMax = 5_000;

/** The rows of the table, and the codes of tracking services that it does not have. */
export async function listMappedCodes(tx: Tx): Promise<readonly (MappedCode & { readonly isBuiltIn: boolean })[]> {
  const rows = await tx.query<MappedCode>(sql`select carrier_code as "carrierCode", raw_code as code,
      event_code as "eventCode" from carrier_code_map order by carrier_code, raw_code limit ${mappedMax}`);
  const names = new Set(rows.map(({ carrierCode, code }) => `${carrierCode} ${code}`));
  const builtIn = Object.entries(trackingWords).flatMap(([carrierCode, words]) =>
    Object.entries(words).map(([code, eventCode]) => ({ carrierCode, code, eventCode, isBuiltIn: true })),
  );
  return [
    ...rows.map((row) => ({ ...row, isBuiltIn: false })),
    ...builtIn.filter(({ carrierCode, code }) => !names.has(`${carrierCode} ${code}`)),
  ];
}

/** Maps a code from now on; events that were recorded before keep their code. @returns the code as it is stored */
export function mapCode(tx: Transaction, { carrierCode, code, eventCode }: MappedCode): MappedCode {
  const stored = { carrierCode: carrierCode.toUpperCase(), code: wordOf(code), eventCode };
  tx.send(sql`insert into carrier_code_map (carrier_code, raw_code, event_code)
      values (${stored.carrierCode}, ${stored.code}, ${eventCode})
      on conflict (carrier_code, raw_code) do update set event_code = excluded.event_code`);
  return stored;
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
