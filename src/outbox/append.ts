import { randomUUID } from "node:crypto";
import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantSend } from "#/db/tenant.ts";
import type { Ids } from "#/kernel/ids.ts";

/** Something that happened, as a webhook topic (webhooks.md §3) will tell it. */
export interface EventDraft {
  readonly topic: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly facilityCode?: string | undefined;
  /** The document whose outcome hangs on this event. */
  readonly feedToken?: string | undefined;
  readonly data: unknown;
  /** What the event has to say in an outbound feed (outbound.md), as at this moment. */
  readonly outbound?: OutboundDraft | undefined;
}

/** The content of one outbound document; its envelope and its XML are made when the event is published. */
export interface OutboundDraft {
  readonly type: "GR" | "OS" | "RS" | "ADJ" | "ACK";
  readonly objectId: string;
  readonly content: object;
}

/**
 * One for each connection that writes at a time. It marks a slot of its own in `outbox_due`, so that two writers of one
 * client never wait for each other there. What serves many requests at once takes turns among several slots.
 */
export interface OutboxWriter {
  append(tx: Transaction, clientId: string, at: string, drafts: readonly EventDraft[]): void;
}

export function createOutboxWriter(ids: Ids, slotCount = 1): OutboxWriter {
  const slots = Array.from({ length: slotCount }, () => randomUUID());
  let marked = 0;
  return {
    /**
     * Appends events in the transaction that causes them: they exist exactly when it is committed. The mark tells the
     * relay which client has work; its row lock, held to the commit, keeps the relay from clearing it too early.
     */
    append(tx, clientId, at, drafts) {
      if (drafts.length === 0) return;
      const atMs = Date.parse(at);
      const rows = drafts.map((draft) => ({
        i: ids.next(atMs),
        t: draft.topic,
        y: draft.objectType,
        o: draft.objectId,
        f: draft.facilityCode,
        k: draft.feedToken,
        d: draft.data,
        b: draft.outbound,
      }));
      tenantSend(
        tx,
        clientId,
        sql`insert into outbox as o
            (client_id, outbox_id, topic, object_type, object_id, facility_code, feed_token, occurred_at, data, outbound)
          select t.client_id, x.i, x.t, x.y, x.o, x.f, x.k, ${at}::timestamptz, x.d, x.b
          from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json)
            as x(i uuid, t text, y text, o text, f text, k uuid, d json, b json)
          where t.client_id = ${tenant}`,
      );
      tenantSend(
        tx,
        clientId,
        sql`insert into outbox_due as d (client_id, slot, marked) values (${tenant}, ${slots[++marked % slotCount]}, ${marked})
          on conflict (client_id, slot) do update set marked = excluded.marked returning marked`,
      );
    },
  };
}
