import { acrossClients as sql } from "#/store/db/sql.ts";

/** A position in a list over clients that begins with the newest row: by moment, client and id. */
export interface NewestPlace {
  /** ISO 8601 UTC */
  readonly at: string;
  readonly client: string;
  /** A UUID. */
  readonly id: string;
}

export const highest: NewestPlace = {
  at: "infinity",
  client: "\u{10FFFF}",
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};
export const lowest: NewestPlace = { at: "-infinity", client: "", id: "00000000-0000-0000-0000-000000000000" };

/** For a comparison with `(moment, client_id, id)`. */
export const place = ({ at, client, id }: NewestPlace) => sql`(${at}::timestamptz, ${client}, ${id}::uuid)`;
