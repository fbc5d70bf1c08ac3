// Blanks the feed documents of orders: the bytes go, the findings stay without the values.
import type { ClientTransaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { updateOf } from "#/db/table.ts";
import { dropPayloads } from "#/feeds/repository.ts";
import { feedDocument } from "#/feeds/tables.ts";

// Citus accepts a function of a column in an update only if it is immutable. decode is, convert_to is not.
const setAck = updateOf(feedDocument, {
  set: ["findings"],
  with: { ack_base64: "text" },
  also: { ack: sql`decode(given.ack_base64, 'base64')` },
});

export interface BlankedFeed {
  readonly token: string;
  readonly ack: Buffer;
  readonly findings: object | null;
}

/** Hash, keys and token stay, so that a document that is sent again is recognised as a duplicate. */
export function blankFeeds(tx: ClientTransaction, feeds: readonly BlankedFeed[]): void {
  if (feeds.length === 0) return;
  const tokens = feeds.map(({ token }) => token);
  const rows = feeds.map(({ token, ack, findings }) => ({
    token,
    findings,
    ack_base64: ack.toString("base64"),
  }));
  dropPayloads(tx, tokens);
  setAck.send(tx, rows);
  // The document's file leaves /archive or /rejected with its bytes. The ACK stays listed, with its new size.
  const sizes = JSON.stringify(feeds.map(({ token, ack }) => ({ token, ack_bytes: ack.byteLength })));
  const acks = sql`(
      select token, ack_bytes from json_to_recordset(${sizes}::json) as given(token uuid, ack_bytes integer)
      limit ${rows.length}
    ) given`;
  tx.send(sql`update feed_file f set archive_name = null, ack_bytes = given.ack_bytes from ${acks}
      where f.client_id = ${tenant} and f.is_accepted = true and f.token = given.token and f.ordinal > 0`);
  tx.send(sql`update feed_file f set archive_name = null, ack_bytes = given.ack_bytes from ${acks}
      where f.client_id = ${tenant} and f.is_accepted = false and f.token = given.token and f.ordinal > 0`);
}
