import type { Tx } from "#/store/db/database.ts";
import { listPending, type OutboxRow } from "#/store/outbox/repository.ts";

/** The events of a client that the relay has not published yet, in their order: those of bundles included. */
export async function waitingEvents(database: Tx, clientId: string): Promise<OutboxRow[]> {
  const { rows } = await listPending(database.of(clientId), { size: 1_000_000, eventsMax: 10_000 });
  return rows;
}
