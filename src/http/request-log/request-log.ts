// The log of the clients' requests (docs/decisions/0049-request-log.md). A request is over before it is logged: it waits
// for nothing, and its transaction contains nothing of the log. Entries wait in memory and are stored every second, those
// of a client in one statement. The queue has a bound: what does not fit is counted and not stored.

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Entry, entryOf } from "#/http/request-log/entry.ts";
import { addRequests, type NewRequest } from "#/http/request-log/repository.ts";
import type { Exchange } from "#/http/server/exchange.ts";
import { createTicker } from "#/kernel/concurrency/ticker.ts";
import type { RequestLogLevel } from "#/kernel/config/variables.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import type { Database } from "#/store/db/database.ts";

export interface RequestLog {
  /** Takes a request that is over. Never throws, and never waits. */
  note(exchange: Exchange, raw: IncomingMessage, res: ServerResponse): void;
  /** Stores what waits; resolves when it is stored, or counted as dropped. */
  flush(): Promise<void>;
  /** Stores what waits, and ends. */
  close(): Promise<void>;
}

export interface RequestLogContext {
  readonly database: Database;
  readonly log: Logger;
  readonly level: RequestLogLevel;
  /** The rows of two clients may be on different nodes of the store: a transaction has one client. */
  readonly isDistributed: boolean;
  /** Whether bodies of this client's failed requests may be stored. */
  keepsBodies(clientId: string): Promise<boolean>;
  /** For tests. */
  readonly entriesMax?: number;
  readonly flushMs?: number;
}

const flushMsDefault = 1_000;
/** Some seconds of a node's requests. */
const entriesMaxDefault = 10_000;
const queueBytesMax = 16 * 1024 * 1024;
/** Rows of one statement. */
const rowsMax = 500;
/** Statements of one transaction: alone, one takes ten times the processor time of one among a hundred. */
const partsOfTransactionMax = 50;

/** Entries of one client, for one statement. */
interface Part {
  readonly clientId: string;
  readonly entries: readonly Entry[];
}

export function createRequestLog(context: RequestLogContext): RequestLog {
  const { database, log, level, entriesMax = entriesMaxDefault } = context;
  const partsMax = context.isDistributed ? 1 : partsOfTransactionMax;
  let queue: Entry[] = [];
  let queueBytes = 0;
  let isStoreAway = false;
  let flushing: Promise<void> | undefined;

  /** @returns the rows of these entries, without bodies that their client does not allow. */
  async function rowsOf(clientId: string, entries: readonly Entry[]): Promise<NewRequest[]> {
    const hasBodies = entries.some(({ row }) => row.body != null);
    const keepsBodies = hasBodies && (await context.keepsBodies(clientId));
    return entries.map(({ row }) => (keepsBodies || row.body == null ? row : withoutBody(row)));
  }

  async function store(parts: readonly Part[]): Promise<void> {
    const rows = await Promise.all(parts.map(({ clientId, entries }) => rowsOf(clientId, entries)));
    // Parts of several clients only on one PostgreSQL.
    const [first] = parts as readonly [Part];
    await database.ofClient(first.clientId).transaction(async (tx) => {
      for (const [i, { clientId }] of parts.entries()) addRequests(tx.of(clientId), rows[i] ?? []);
    });
    isStoreAway = false;
  }

  /** Stores parts together. After a failure each is tried alone, once: only those that fail again are dropped. */
  async function tryStore(parts: readonly Part[]): Promise<void> {
    try {
      await store(parts);
    } catch (error) {
      if (parts.length > 1) {
        for (const part of parts) await tryStore([part]);
        return;
      }
      const entries = parts.reduce((sum, part) => sum + part.entries.length, 0);
      metrics.requestLogDropped.inc({ reason: "not_stored" }, entries);
      if (!isStoreAway) log.warn({ err: error }, "requests could not be added to the request log");
      isStoreAway = true;
    }
  }

  async function storeAll(entries: readonly Entry[]): Promise<void> {
    const parts: Part[] = [];
    for (const [clientId, ofClient] of Map.groupBy(entries, (entry) => entry.clientId)) {
      for (let at = 0; at < ofClient.length; at += rowsMax) {
        parts.push({ clientId, entries: ofClient.slice(at, at + rowsMax) });
      }
    }
    for (let at = 0; at < parts.length; at += partsMax) await tryStore(parts.slice(at, at + partsMax));
  }

  async function flush(): Promise<void> {
    // The entries of a running flush are stored first: its caller may read the log next.
    await flushing;
    if (queue.length === 0) return;
    const entries = queue;
    queue = [];
    queueBytes = 0;
    flushing = storeAll(entries).finally(() => {
      flushing = undefined;
    });
    await flushing;
  }

  const flushes = createTicker(context.flushMs ?? flushMsDefault, () => {
    if (!flushing) void flush();
    return flushing !== undefined;
  });

  return {
    note(exchange, raw, res) {
      try {
        const entry = entryOf(exchange, raw, res, level);
        if (entry === undefined) return;
        if (queue.length >= entriesMax || queueBytes + entry.bytes > queueBytesMax) {
          metrics.requestLogDropped.inc({ reason: "queue_full" });
          return;
        }
        queue.push(entry);
        queueBytes += entry.bytes;
        flushes.start();
      } catch (error) {
        metrics.requestLogDropped.inc({ reason: "not_stored" });
        log.error({ err: error, token: exchange.token }, "a request could not be added to the request log");
      }
    },
    flush,
    async close() {
      flushes.stop();
      await flush();
    },
  };
}

const withoutBody = (row: NewRequest): NewRequest => ({ ...row, body: null, body_bytes: null });
