import {
  type DdlConnection,
  makePartitions,
  makePastPartitions,
  partitionedTables,
} from "#/store/db/schema/partitions.ts";
import { stateClientShare } from "#/store/db/schema/statistics.ts";

/** Many tests use fixed dates in autumn 2026, so its monthly partitions exist whenever the tests run. */
const firstMonthMs = Date.UTC(2026, 9, 1);

/** Creates the program's partitions and those of all months since then, and sets the program's statistics options. */
export async function makeMonths(connection: DdlConnection): Promise<void> {
  const nowMs = Date.now();
  await makePartitions(connection, nowMs);
  for (const { table } of partitionedTables) await makePastPartitions(connection, table, firstMonthMs, nowMs);
  await stateClientShare(connection);
}
