import { type DdlConnection, makePartitions, makePastPartitions, partitionedTables } from "#/db/partitions.ts";

/** Many tests name fixed moments of autumn 2026 for what they do: its months have partitions whenever the tests are run. */
const firstMonthMs = Date.UTC(2026, 9, 1);

/** The partitions that the program makes, and those of all months since then. */
export async function makeMonths(connection: DdlConnection): Promise<void> {
  const nowMs = Date.now();
  await makePartitions(connection, nowMs);
  for (const { table } of partitionedTables) await makePastPartitions(connection, table, firstMonthMs, nowMs);
}
