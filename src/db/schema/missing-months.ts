// The months of partitioned tables are made some months ahead (`partitions.ts`). A clock that jumps further needs one
// that is not there yet: it is made when the first row needs it, and the failed work is tried again.
import { OvertakenError, StoreUnavailableError, sqlStateOf } from "#/db/errors.ts";
import { withSchemaLock } from "#/db/schema/migrator.ts";
import { makePartitions } from "#/db/schema/partitions.ts";
import { clockQuery } from "#/db/store/clock.ts";
import type { DatabaseOptions } from "#/db/store/connection.ts";
import { within } from "#/kernel/concurrency/deadline.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { isUuidV7, timeOfId } from "#/kernel/values/ids.ts";

/** No month further than this from the store's clock is made: such an id is a fault. */
const aheadMsMax = 100 * dayMs;
const backMsMax = 400 * dayMs;

/** Work waits this long for its month, and is tried again in any case. */
const waitMsMax = 2_000;

/** @param url for DDL and advisory locks, not through a pooler */
export function createMonthMaker(url: string, log: Logger): NonNullable<DatabaseOptions["onFailure"]> {
  /** All that fail at the same time wait for one. */
  let making: Promise<void> | undefined;

  async function make(failure: Error): Promise<void> {
    const rowMs = timeOfRow(failure);
    await withSchemaLock(url, async (client) => {
      const { rows } = await client.query<{ ms: number }>(clockQuery);
      const nowMs = (rows[0] as { ms: number }).ms;
      const isNear = rowMs !== undefined && rowMs < nowMs + aheadMsMax && rowMs > nowMs - backMsMax;
      await makePartitions(client, isNear ? rowMs : nowMs);
    });
    log.warn({ err: failure }, "partitions of a month were missing, and were made");
  }

  return async (error) => {
    if (!isMissingMonth(error)) return error;
    making ??= make(error).finally(() => {
      making = undefined;
    });
    try {
      await within(making, waitMsMax, () => new OvertakenError("the partitions of a month are being made"));
    } catch (cause) {
      if (cause instanceof OvertakenError) return cause;
      log.error({ err: cause }, "partitions of a month are missing, and could not be made");
      return new StoreUnavailableError("partitions of a month are missing", { cause });
    }
    return new OvertakenError("the partitions of a month were missing, and were made", { cause: error });
  };
}

/** 23514 with these words; on Citus the name is that of a shard. */
const missing = /^no partition of relation "[^"]+" found for row/;

export function isMissingMonth(error: unknown): error is Error {
  return error instanceof Error && /^(23514|XX000)$/.test(sqlStateOf(error) ?? "") && missing.test(error.message);
}

/** The time in the key of the row; undefined where PostgreSQL does not show the key. */
function timeOfRow(error: Error): number | undefined {
  const { detail = "" } = error as { readonly detail?: string };
  const id = /= \(([0-9a-f-]{36})\)/.exec(detail)?.[1];
  return id !== undefined && isUuidV7(id) ? timeOfId(id) : undefined;
}
