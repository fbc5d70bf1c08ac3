import { setTimeout as sleep } from "node:timers/promises";
import { createOutboxNotice } from "#/app/roles/notices.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { clients, draftOf, facilities, pathOf } from "./base.ts";
import type { ReceiverProcess } from "./processes.ts";

const eventsPerSecond = 200;
const arrivalMsMax = 20_000;
/** The subscription that hangs in disturbed phases; it is never counted. */
const hangingClient = clients[0];
const hangingFacility = facilities[0] as string;

let phases = 0;

/**
 * 200 events a second through the product's own append path, each wanted by one of the fifty subscriptions, in turn.
 *
 * @returns milliseconds from each commit to the arrival of its push, of the 49 subscriptions that never hang; sorted.
 */
export async function runSteady(
  database: Database,
  receiver: ReceiverProcess,
  seconds: number,
  hangs: boolean,
): Promise<readonly number[]> {
  const writer = createOutboxWriter(createIds(), { slotCount: 8 });
  const notice = createOutboxNotice(database, (error) => console.error(error.message));
  const name = `S${++phases}`;
  const committed = new Map<string, number>();
  await receiver.ask({ kind: "record" });
  if (hangs) await receiver.ask({ kind: "hang", path: pathOf(hangingClient, hangingFacility) });
  const tell = async (i: number) => {
    const clientId = clients[i % clients.length] as string;
    const facilityCode = facilities[Math.floor(i / clients.length) % facilities.length] as string;
    const objectId = `${name}-${i}`;
    await database.transaction(async (tx) => {
      writer.append(tx.of(clientId), new Date().toISOString(), [draftOf(objectId, facilityCode)]);
    });
    const atMs = Date.now();
    notice.send(clientId);
    if (clientId !== hangingClient || facilityCode !== hangingFacility) committed.set(objectId, atMs);
  };
  const started = performance.now();
  const telling: Promise<void>[] = [];
  for (let i = 0; i < eventsPerSecond * seconds; i++) {
    const waitMs = started + (i * 1_000) / eventsPerSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    telling.push(tell(i));
  }
  await Promise.all(telling);
  const arrivals = await collect(receiver, committed);
  if (hangs) await receiver.ask({ kind: "hang", path: undefined });
  await notice.stop();
  return [...committed]
    .map(([objectId, atMs]) => Math.max(0, (arrivals.get(objectId) as number) - atMs))
    .sort((left, right) => left - right);
}

/** The first arrival of each object. */
async function collect(
  receiver: ReceiverProcess,
  committed: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const arrivals = new Map<string, number>();
  for (const until = Date.now() + arrivalMsMax; ; ) {
    await sleep(500);
    const answer = await receiver.ask({ kind: "take" });
    if (answer.kind !== "taken") throw new Error(answer.kind);
    for (const [objectId, atMs] of answer.arrivals) if (!arrivals.has(objectId)) arrivals.set(objectId, atMs);
    const missing = [...committed.keys()].filter((objectId) => !arrivals.has(objectId));
    if (missing.length === 0) return arrivals;
    if (Date.now() > until) throw new Error(`${missing.length} pushes did not come`);
  }
}
