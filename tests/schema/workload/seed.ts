// The history of `seed --size` for the workload of plans.test.ts.

import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { seedHistory } from "#/sandbox/history/index.ts";
import type { Database } from "#/store/db/database.ts";

/** A period whose months have partitions in every database. */
const days = 20;

export async function runSeed(database: Database, clientId: string): Promise<void> {
  const context = { database, clock: systemClock, ids: createIds(), gs1Prefix: "0614141" };
  const { orders } = await seedHistory(context, { clientId, size: 12, days });
  if (orders !== 12) throw new Error(`${orders} orders were added`);
}
