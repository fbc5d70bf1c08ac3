// The spans of publishing. A document whose events, or whose object's events, are in a batch has spans for the work
// that they cause.

import { metrics } from "#/kernel/telemetry/metrics.ts";
import { newSpanId, traces } from "#/kernel/telemetry/trace.ts";
import type { ClientTx } from "#/store/db/database.ts";
import type { OutboxRow } from "#/store/outbox/repository.ts";

/** An object as named in events. */
export interface TracedObject {
  readonly objectType: string;
  readonly objectId: string;
}

/**
 * The tokens of the documents that created the objects, by `traceKeyOf`; an object that no document created has none.
 * Called only while traces are on, and outside the traced transactions: neither events nor deliveries carry trace data,
 * and no work fails because of traces.
 */
export type TraceOrigins = (tx: ClientTx, objects: readonly TracedObject[]) => Promise<ReadonlyMap<string, string>>;

export function traceKeyOf({ objectType, objectId }: TracedObject): string {
  return `${objectType} ${objectId}`;
}

/** The name of a consumer's work, and the rows that cause it. */
export interface TracedWork {
  readonly name: string;
  concerns(row: OutboxRow): boolean;
}

export interface PublishTrace {
  /** A consumer has worked on the rows that concern it. */
  note(work: TracedWork, rows: readonly OutboxRow[], startedMs: number): void;
  /** The transaction has committed: only now has its work happened. Never rejects. */
  end(tx: ClientTx, rows: readonly OutboxRow[], events: number): Promise<void>;
}

interface Done {
  readonly name: string;
  readonly rows: readonly OutboxRow[];
  readonly startedMs: number;
  readonly endedMs: number;
}

interface Published {
  readonly spanId: string;
  readonly topics: Set<string>;
}

/** An object seldom has more than five topics in one batch. */
const topicsMax = 20;

/** Undefined while no exporter takes spans. */
export function createPublishTrace(findOrigins: TraceOrigins | undefined): PublishTrace | undefined {
  if (!traces.isOn || findOrigins === undefined) return undefined;
  const startedMs = performance.now();
  const works: Done[] = [];

  return {
    note({ name, concerns }, rows, workStartedMs) {
      const concerned = rows.filter(concerns);
      if (concerned.length > 0)
        works.push({ name, rows: concerned, startedMs: workStartedMs, endedMs: performance.now() });
    },
    async end(tx, rows, events) {
      const endedMs = performance.now();
      const every = new Set([...rows, ...works.flatMap((work) => work.rows)]);
      let origins: ReadonlyMap<string, string>;
      try {
        origins = await findOrigins(tx, [...every]);
      } catch {
        metrics.telemetryDropped.inc({ reason: "no_origin" }, 1 + works.length);
        return;
      }
      const tokenOf = (row: OutboxRow) => origins.get(traceKeyOf(row)) ?? row.feedToken ?? undefined;
      const published = new Map<string, Published>();
      for (const row of every) {
        const token = tokenOf(row);
        if (token === undefined) continue;
        const known = published.get(token) ?? { spanId: newSpanId(), topics: new Set<string>() };
        published.set(token, known);
        known.topics.add(row.topic);
      }
      for (const [token, { spanId, topics }] of published) {
        traces.add({
          token,
          name: "publish",
          kind: "INTERNAL",
          spanId,
          startedMs,
          endedMs,
          attributes: {
            "crossdock.client_id": tx.clientId,
            "crossdock.topics": [...topics].slice(0, topicsMax).join(","),
            "crossdock.batch.events": events,
          },
        });
      }
      for (const work of works) {
        for (const token of new Set(work.rows.map(tokenOf))) {
          const parent = token === undefined ? undefined : published.get(token);
          if (token === undefined || parent === undefined) continue;
          traces.add({
            token,
            name: work.name,
            kind: "INTERNAL",
            parentId: parent.spanId,
            startedMs: work.startedMs,
            endedMs: work.endedMs,
            attributes: {},
          });
        }
      }
    },
  };
}
