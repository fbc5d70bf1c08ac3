import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary, timeOfId } from "#/kernel/values/ids.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import {
  dropOldPartitions,
  makePartitions,
  makePastPartitions,
  partitionedTables,
} from "#/store/db/schema/partitions.ts";
import { sql } from "#/store/db/sql.ts";
import { clearOfMidnight } from "../support/app/midnight.ts";
import { testDatabase } from "../support/postgres/database.ts";

// At the end of a month, this test and the database may see different months.
await clearOfMidnight("UTC");
const { url, database } = await testDatabase({ engine: "postgresql" });
const connection = {
  query: async <Row>(text: string) => ({
    rows: await database.query<Row>({ text, name: "", values: [], isTenant: false }),
  }),
};

const nowMs = Date.now();

interface Partition {
  readonly table: string;
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Determined from the bounds in the catalogue, not from the names. */
async function listPartitions(): Promise<Partition[]> {
  const { rows } = await connection.query<{ table: string; name: string; bound: string }>(
    `select p.relname as table, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relkind = 'p' and c.relkind = 'r' order by 1, 2`,
  );
  return rows.map(({ table, name, bound }) => {
    const [from = "", to = ""] = [...bound.matchAll(/'([0-9a-f-]{36})'/g)].map((match) => match[1] as string);
    return { table, name, fromMs: timeOfId(from), toMs: timeOfId(to) };
  });
}

test("making partitions again changes nothing", async () => {
  const before = await listPartitions();
  const first = Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth() - 1);
  // The months of autumn 2026 are for other tests (tests/support/app/months.ts).
  const ofNow = before.filter(({ fromMs }) => fromMs >= first);
  assert.equal(ofNow.length, partitionedTables.length * 5);
  await makePartitions(connection, nowMs);
  await makePartitions(connection, nowMs);
  assert.deepEqual(await listPartitions(), before);
});

test("nodes that keep the partitions at the same moment do not get into each other's way", async () => {
  const before = await listPartitions();
  await Promise.all(Array.from({ length: 6 }, () => withSchemaLock(url, (client) => makePartitions(client, nowMs))));
  assert.deepEqual(await listPartitions(), before);
});

test("past months are made of the table that is asked for and of no other, without gaps, once", async () => {
  const before = await listPartitions();
  // A year back, and before all months of other tests.
  const fromMs = Math.min(nowMs - 366 * dayMs, ...before.map((partition) => partition.fromMs - 40 * dayMs));
  for (let run = 0; run < 2; run++) await makePastPartitions(connection, "carrier_decision", fromMs, nowMs);
  const after = await listPartitions();
  const made = after.filter(({ name }) => !before.some((partition) => partition.name === name));
  assert.deepEqual([...new Set(made.map(({ table }) => table))], ["carrier_decision"]);
  const months = after.filter(({ table }) => table === "carrier_decision");
  assert.ok((months[0]?.fromMs ?? nowMs) <= fromMs && (months[0]?.toMs ?? 0) > fromMs);
  for (const [i, month] of months.entries()) if (i > 0) assert.equal(month.fromMs, months[i - 1]?.toMs, month.name);
  await assert.rejects(makePastPartitions(connection, "sales_order", fromMs, nowMs), /no partitions/);
});

test("a later run adds the months that have come into sight, without gaps, over the turn of a year too", async () => {
  for (let ms = Date.UTC(2023, 10, 15); ms < nowMs; ms += 28 * dayMs) await makePartitions(connection, ms);
  const partitions = await listPartitions();
  for (const { table, keptDays } of partitionedTables) {
    const months = partitions.filter((partition) => partition.table === table);
    // The first run is on November 15.
    assert.equal(months[0]?.fromMs, Date.UTC(2023, (keptDays ?? 15) < 15 ? 10 : 9, 1), table);
    for (const [i, month] of months.entries()) if (i > 0) assert.equal(month.fromMs, months[i - 1]?.toMs, month.name);
  }
});

test("a row lies in the month of its id, to the millisecond", async () => {
  const ids = createIds();
  const turn = Date.UTC(2024, 1, 1);
  await connection.query("insert into tenant (client_id) values ('A')");
  const homeOf = async (token: string) => {
    const rows = await database.query<{ name: string }>(sql`
      insert into feed_payload (client_id, token, content_type, encoding, payload) values ('A', ${token}, 'x', 'identity', '')
      returning tableoid::regclass::text as name`);
    return rows[0]?.name;
  };
  assert.equal(await homeOf(ids.next(turn - 1)), "feed_payload_2024_01");
  assert.equal(await homeOf(ids.next(turn)), "feed_payload_2024_02");
  assert.equal(await homeOf(idBoundary(turn)), "feed_payload_2024_02");
});

test("a month is dropped when it ended as long ago as its table keeps it, and not a millisecond earlier", async () => {
  const before = await listPartitions();
  const end = Date.UTC(2024, 0, 1);
  assert.ok(before.some(({ toMs }) => toMs === end));

  await dropOldPartitions(connection, end + 90 * dayMs - 1);
  const early = await listPartitions();
  assert.ok(early.some(({ table, toMs }) => table === "event" && toMs === end));
  assert.ok(
    !early.some(({ table, toMs }) => table === "webhook_attempt" && toMs === end),
    "tries are kept for 30 days",
  );

  const dropped = await dropOldPartitions(connection, end + 90 * dayMs);
  const rest = await listPartitions();
  assert.deepEqual(dropped.sort(), [
    "event_2023_12",
    "feed_document_2023_12",
    "feed_payload_2023_12",
    "outbound_document_2023_12",
    // Kept for 30 days: these months end on the last day of February, 30 days ago.
    "webhook_attempt_2024_02",
    "webhook_delivery_2023_12",
  ]);
  const keptDaysOf = new Map(
    partitionedTables.map(({ table, keptDays }) => [table, keptDays ?? Number.POSITIVE_INFINITY]),
  );
  const expected = early.filter(({ table, toMs }) => toMs + (keptDaysOf.get(table) ?? 0) * dayMs > end + 90 * dayMs);
  assert.deepEqual(rest, expected);
  assert.deepEqual(await dropOldPartitions(connection, end + 90 * dayMs), []);
});

test("a client that keeps its raw feeds for longer keeps nothing else for longer", async () => {
  const end = Date.UTC(2024, 1, 1);
  const has = async (table: string) =>
    (await listPartitions()).some((partition) => partition.table === table && partition.toMs === end);
  assert.ok((await has("feed_payload")) && (await has("event")));
  await dropOldPartitions(connection, end + 90 * dayMs, 120);
  const kept = ["feed_document", "feed_payload", "event", "webhook_delivery", "outbound_document"];
  assert.deepEqual(await Promise.all(kept.map(has)), [true, true, false, false, false]);
});

test("audit log and stock ledger keep every month for ever", async () => {
  const before = (await listPartitions()).filter(({ table }) => isKept(table));
  await dropOldPartitions(connection, nowMs + 100 * 365 * dayMs);
  const rest = await listPartitions();
  assert.deepEqual(rest, before);
});

function isKept(table: string): boolean {
  return table === "audit_log" || table === "stock_movement";
}
