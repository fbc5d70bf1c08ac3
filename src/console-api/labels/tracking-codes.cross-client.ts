import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

export interface SeenCode {
  readonly carrierCode: string;
  readonly code: string;
  readonly events: number;
  readonly lastSeenAt: string;
}

const readMax = 10_000;
const seenMax = 1_000;

/** Codes that were not mapped when events had them since a moment, the last seen first. */
export function listSeenCodes(tx: Tx, since: string): Promise<SeenCode[]> {
  return tx.query(sql`select s.carrier_code as "carrierCode", s.raw_code as code,
      sum(s.events)::double precision as events, max(s.last_seen_at) as "lastSeenAt"
    from (select carrier_code, raw_code, events, last_seen_at from tracking_code
      where last_seen_at > ${since}::timestamptz order by last_seen_at desc limit ${readMax}) s
    group by s.carrier_code, s.raw_code order by max(s.last_seen_at) desc limit ${seenMax}`);
}
