// Checks of the storage that grows, and of its cleanup.
import {
  type Asked,
  bad,
  type Check,
  type CheckGroup,
  doubtful,
  good,
  rated,
  sizeOf,
  timeOf,
} from "#/cli/doctor/check.ts";
import {
  type DatabaseFacts,
  type DeadRows,
  type HeldSlot,
  type LongTransaction,
  listDeadRows,
  listLongTransactions,
  listMonthSizes,
  listNodeSizes,
  listPrepared,
  listSlots,
} from "#/cli/doctor/repository.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { isOnCitus } from "#/store/db/citus/catalogue.ts";
import { monthSuffix, partitionedTables } from "#/store/db/schema/partitions.ts";

export function storageChecks({ database, nowMs }: Asked, facts: DatabaseFacts): CheckGroup[] {
  const tables = partitionedTables.map(({ table }) => table);
  return [
    {
      name: "growth",
      run: async () => {
        const onCitus = await isOnCitus(database);
        const sizes = onCitus ? await listNodeSizes(database) : [facts.database_bytes];
        return [growthCheck(sizes, await listMonthSizes(database, tables, onCitus), nowMs)];
      },
    },
    {
      name: "long transactions",
      run: async () => [
        transactionCheck(await listLongTransactions(database, secondsWarn), await listPrepared(database, secondsWarn)),
      ],
    },
    {
      name: "vacuum",
      run: async () => [vacuumCheck(facts), deadRowsCheck(await listDeadRows(database, deadRowsMin, deadPart))],
    },
    { name: "replication slots", run: async () => [slotCheck(await listSlots(database))] },
  ];
}

/**
 * Based on the last whole month, and on the present one so far.
 * @param sizes of the database on each node
 */
export function growthCheck(
  sizes: readonly number[],
  months: readonly { readonly month: string; readonly bytes: number }[],
  nowMs: number,
): Check {
  const of = (offset: number) => months.find(({ month }) => month === monthSuffix(nowMs, offset))?.bytes ?? 0;
  const days = (nowMs - Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth(), 1)) / dayMs;
  const perDay = days < 1 ? of(-1) / 30 : Math.max(of(-1) / 30, of(0) / days);
  return good(
    "growth",
    `the database has ${sizeOf(sizes.reduce((sum, size) => sum + size, 0))}${sizes.length > 1 ? ` on ${sizes.length} nodes` : ""}; monthly partitions grow by ${sizeOf(perDay)} a day`,
  );
}

const secondsWarn = 5 * 60;
const secondsFail = 60 * 60;

export function transactionCheck(
  long: readonly LongTransaction[],
  prepared: readonly { readonly gid: string; readonly seconds: number }[],
): Check {
  const name = "long transactions";
  const texts = [
    ...long.map(
      ({ pid, application_name: of, state, seconds }) =>
        `process ${pid} (${of || "without a name"}, ${state ?? "unknown"}) for ${timeOf(seconds)}`,
    ),
    ...prepared.map(({ gid, seconds }) => `prepared '${gid}' for ${timeOf(seconds)}`),
  ];
  if (texts.length === 0) return good(name, "none");
  const advice =
    "nothing that died since can be cleaned up: let them end, or end them with select pg_terminate_backend(PID), or rollback prepared 'NAME'";
  const longest = Math.max(...[...long, ...prepared].map(({ seconds }) => seconds));
  return rated(name, texts.join(", "), advice, { fail: longest >= secondsFail, warn: true });
}

const transactionAgeWarn = 1_000_000_000;
const transactionAgeFail = 1_700_000_000;

export function vacuumCheck({
  autovacuum,
  track_counts: counts,
  transaction_age: age,
}: Pick<DatabaseFacts, "autovacuum" | "track_counts" | "transaction_age">): Check {
  const text = `autovacuum ${autovacuum}, track_counts ${counts}, the oldest transaction id is ${Math.round(age / 1e6)} million old`;
  if (autovacuum !== "on" || counts !== "on") {
    return bad("vacuum", text, "set both to on: without them tables grow without limit, until nothing can be written");
  }
  const advice = "find what blocks vacuum (long transactions, prepared ones, replication slots); then vacuum (freeze)";
  return rated("vacuum", text, advice, { fail: age > transactionAgeFail, warn: age > transactionAgeWarn });
}

const deadRowsMin = 200_000;
const deadPart = 0.5;

export function deadRowsCheck(tables: readonly DeadRows[]): Check {
  if (tables.length === 0) return good("dead rows", "few");
  const texts = tables.map(({ table, dead, live }) => `${table} has ${dead} dead rows beside ${live}`);
  return doubtful(
    "dead rows",
    texts.join(", "),
    "vacuum is too slow or blocked: find long transactions, then vacuum the tables",
  );
}

const slotBytesWarn = 2 ** 30;
const slotBytesFail = 10 * 2 ** 30;

export function slotCheck(slots: readonly HeldSlot[]): Check {
  const name = "replication slots";
  if (slots.length === 0) return good(name, "none");
  const describe = ({ slot, is_active: isActive, wal_status: status, bytes }: HeldSlot) =>
    `'${slot}' (${isActive ? "active" : "not active"}${status === null ? "" : `, ${status}`}) holds ${sizeOf(bytes)}`;
  const advice =
    "let its reader catch up, or drop it with select pg_drop_replication_slot('NAME'): what it holds fills the disk";
  const isLost = ({ wal_status: status }: HeldSlot) => status === "lost" || status === "unreserved";
  const worst = slots.filter((slot) => isLost(slot) || slot.bytes > slotBytesFail);
  const large = slots.filter(({ bytes }) => bytes > slotBytesWarn);
  const shown = [worst, large, slots].find(({ length }) => length > 0) ?? [];
  return rated(name, shown.map(describe).join(", "), advice, { fail: worst.length > 0, warn: large.length > 0 });
}
