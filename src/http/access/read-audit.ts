import type { FastifyRequest } from "fastify";
import { actorOf } from "#/http/access/operator.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import type { Clock } from "#/kernel/clock.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type Change, recordAudit } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

interface ReadAuditContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A document with personal data. */
export interface ReadObject {
  readonly objectType: "feedDocument" | "paper";
  readonly objectId: string;
}

/** Adds a line to the audit log for a user of the console who reads the object; a client reads its own. */
export type ReadAudit = (request: FastifyRequest, clientId: string, object: ReadObject) => Promise<void>;

/** A document is read in windows, and again after a reload: one line in this time says who read it. */
const onceInMs = hourMs;
const rememberedMax = 10_000;

export function createReadAudit({ database, clock, ids }: ReadAuditContext): ReadAudit {
  /** When a read was recorded last; in that order. */
  const recorded = new Map<string, number>();
  return async (request, clientId, { objectType, objectId }) => {
    const { operator } = exchangeOf(request);
    if (!operator) return;
    const nowMs = clock.now();
    const key = JSON.stringify([operator.userName, clientId, objectType, objectId]);
    const lastMs = recorded.get(key);
    if (lastMs !== undefined && nowMs - lastMs < onceInMs) return;
    const at = new Date(nowMs).toISOString();
    const change: Change = { actor: actorOf(operator), origin: request.ip, at, ids };
    // Before the answer: what is not recorded is not shown.
    await database.transaction(async (tx) => {
      recordAudit(tx.of(clientId, change), { action: "read", objectType, objectId });
    });
    recorded.delete(key);
    recorded.set(key, nowMs);
    if (recorded.size > rememberedMax) recorded.delete(recorded.keys().next().value as string);
  };
}
