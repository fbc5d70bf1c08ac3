import { countSessions, freeSlot, renewLeases, takeSlot } from "#/intake/sftp/server/access-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

export interface Slot {
  readonly sessionId: string;
  free(): Promise<void>;
}

/** Limits the sessions of a client, over all nodes. */
export interface SessionSlots {
  /** Undefined where the client has the maximum number of sessions. */
  take(clientId: string, credentialId: string): Promise<Slot | undefined>;
  /** Keeps the slots of these sessions of this node; returns those that still have theirs. */
  renew(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The slots of a dead node are free after this. */
export const leaseMs = 25_000;

export interface SessionSlotsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sessionsMax: number;
}

export function createSessionSlots({ database, clock, ids, sessionsMax }: SessionSlotsContext): SessionSlots {
  const nodeId = ids.next(clock.now());
  return {
    async take(clientId, credentialId) {
      for (;;) {
        const atMs = clock.now();
        const sessionId = ids.next(atMs);
        const session = { sessionId, nodeId, clientId, credentialId, atMs, leaseUntilMs: atMs + leaseMs };
        const slot = await takeSlot(database, { ...session, slots: sessionsMax });
        if (slot !== undefined) return { sessionId, free: () => freeSlot(database.of(clientId), slot, sessionId) };
        // If a slot is free all the same, another session took the one found: in each such turn some session succeeds.
        if ((await countSessions(database.of(clientId), atMs, leaseMs)) >= sessionsMax) return undefined;
      }
    },
    renew: async (sessionIds) => new Set(await renewLeases(database, nodeId, sessionIds, clock.now() + leaseMs)),
  };
}
