// A consumer that inserts a row for each handled event, in the transaction that publishes it, and emits an event.
import { sql } from "#/store/db/sql.ts";
import type { Consumer } from "#/store/outbox/relay.ts";

export const recordedTable =
  "create table handled (client_id text not null, outbox_id uuid not null, object_id text not null)";

export function createRecorder(): Consumer {
  return {
    async consume(tx, _at, rows) {
      const made = rows.filter(({ topic }) => topic === "test:made");
      const values = JSON.stringify(made.map(({ outboxId, objectId }) => ({ i: outboxId, o: objectId })));
      tx.plain.send(sql`insert into handled (client_id, outbox_id, object_id)
        select ${tx.clientId}, x.i, x.o from json_to_recordset(${values}::json) as x(i uuid, o text)`);
      return made.map(({ objectId }) => ({
        topic: "test:answered",
        objectType: "test",
        objectId,
        data: {},
      }));
    },
  };
}
