import { type DdlConnection, makePartitions, makePastPartitions, partitionedTables } from "#/db/schema/partitions.ts";
import { stateClientShare } from "#/db/schema/statistics.ts";

/** Many tests name fixed moments of autumn 2026 for what they do: its months have partitions whenever the tests are run. */
const firstMonthMs = Date.UTC(2026, 9, 1);

/** The partitions that the program makes, those of all months since then, and what it states of them. */
export async function makeMonths(connection: DdlConnection): Promise<void> {
  const nowMs = Date.now();
  await makePartitions(connection, nowMs);
  for (const { table } of partitionedTables) await makePastPartitions(connection, table, firstMonthMs, nowMs);
  await stateClientShare(connection);
}
