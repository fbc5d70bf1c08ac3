import assert from "node:assert/strict";
import { test } from "node:test";
import { views } from "#/store/db/client-view.ts";
import { sql } from "#/store/db/sql.ts";
import { deleteFrom, filledFrom, insertInto, selectFrom, table, updateOf } from "#/store/db/table.ts";
import { alone } from "#/store/db/transaction.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase({ engine: "postgresql" });
await database.query(sql`create table parcel_set (client_id text not null, load_id text not null, place integer not null,
  note text, digest bytea, weight numeric(18, 6), packed_at timestamptz, expiry_date date, contents jsonb, raw json, serials text[],
  counts integer[], is_open boolean not null default true, position bigint, token uuid, version integer not null default 1,
  primary key (client_id, load_id, place))`);
await database.query(sql`insert into tenant (client_id) values ('DEMO'), ('OTHER')`);

const parcel = table("parcel_set", ["load_id", "place"], {
  load_id: "text",
  place: "integer",
  note: "text?",
  digest: "bytea?",
  weight: "numeric?",
  packed_at: "timestamptz?",
  expiry_date: "date?",
  contents: "jsonb?",
  raw: "json?",
  serials: "text[]?",
  counts: "integer[]?",
  is_open: "boolean",
  position: "bigint?",
  token: "uuid?",
  version: "integer",
});
const written = [
  "load_id",
  "place",
  "note",
  "weight",
  "packed_at",
  "expiry_date",
  "contents",
  "raw",
  "serials",
] as const;
const columns = [...written, "counts", "position", "token"] as const;
const insertParcels = insertInto(parcel, { columns });
const listParcels = selectFrom(parcel, {
  by: "load_id",
  select: [...columns, "is_open", "version"],
  orderBy: ["load_id", "place"],
  limit: 100,
});

const list = (loadId: string, clientId = "DEMO") => listParcels.query(database.of(clientId), [loadId]);
const places = async (loadId: string) => (await list(loadId)).map(({ place }) => place);
const insert = (rows: Parameters<typeof insertParcels.send>[1], clientId = "DEMO") =>
  database.transaction(async (tx) => insertParcels.send(tx.of(clientId), rows));

test("a value of every type is read back unchanged, and omitted columns have their defaults", async () => {
  const row = {
    load_id: "all",
    place: 1,
    note: `quote " backslash \\ comma, brace {} line\nend é 漢 null`,
    weight: "12345678901.123456",
    packed_at: "2026-11-20T10:00:00.123Z",
    expiry_date: "infinity",
    contents: [{ sku: "A", qty: 1.5 }, null, "text"],
    raw: { of: ["any", { depth: null }] },
    serials: ["a", 'b"c', "d,e", "{f}", "", "null"],
    counts: [1, -2, 0],
    position: 9_007_199_254_740_991,
    token: "019a9f5e-0000-7000-8000-000000000000",
  };
  await insert([row]);
  assert.deepEqual(await list("all"), [{ ...row, is_open: true, version: 1 }]);
});

test("undefined, null, omitted values and JSON null are NULL", async () => {
  await insert([{ load_id: "empty", place: 1, note: undefined, contents: null, serials: null }]);
  const [row] = await list("empty");
  const { load_id: _, place: __, is_open: ___, version: ____, ...others } = row ?? assert.fail("it is missing");
  assert.deepEqual(
    Object.values(others),
    Object.values(others).map(() => null),
  );
});

test("a row is of the client that the statement is sent for", async () => {
  await insert([{ load_id: "own", place: 1 }], "OTHER");
  assert.equal((await list("own", "OTHER")).length, 1);
  assert.deepEqual(await list("own"), []);
});

test("an existing key fails the insert, is kept, or is overwritten", async () => {
  await insert([{ load_id: "twice", place: 1, note: "first" }]);
  const rows = [1, 2].map((place) => ({ load_id: "twice", place, note: "second" }));
  await assert.rejects(insert(rows), { code: "23505" });
  const keep = insertInto(parcel, { columns: ["load_id", "place", "note"], onConflict: "nothing" });
  assert.deepEqual(await keep.query(database.of("DEMO"), rows), [{ load_id: "twice", place: 2 }]);
  const overwrite = insertInto(parcel, {
    columns: ["load_id", "place", "note"],
    onConflict: { set: ["note"] },
    returning: ["place", "note"],
  });
  const changed = rows.map((row) => ({ ...row, note: "third" }));
  assert.deepEqual(await overwrite.query(database.of("DEMO"), changed), [
    { place: 1, note: "third" },
    { place: 2, note: "third" },
  ]);
});

test("an insert leaves out the named columns, and replaces all but the key; a read without a list has all columns", async () => {
  const replace = insertInto(parcel, { except: ["digest"], onConflict: "replace" });
  const row = { load_id: "replaced", place: 1, is_open: true, version: 1 };
  await replace.query(database.of("DEMO"), [{ ...row, note: "first", weight: "1.5" }]);
  await replace.query(database.of("DEMO"), [{ ...row, note: "second", version: 2 }]);
  const [found, ...others] = await selectFrom(parcel, { by: "load_id", limit: 10 }).query(database.of("DEMO"), [
    "replaced",
  ]);
  assert.deepEqual([others, Object.keys(found ?? {})], [[], Object.keys(parcel.columns)]);
  assert.deepEqual([found?.note, found?.weight, found?.version, found?.digest], ["second", null, 2, null]);
});

test("an insert computes columns from additional values", async () => {
  const insertDigests = insertInto(parcel, {
    columns: ["load_id", "place"],
    with: { note: "text", digest: "text", grams: "integer" },
    also: {
      note: sql`upper(given.note)`,
      digest: sql`decode(given.digest, 'hex')`,
      weight: sql`given.grams::numeric / 1000`,
    },
    returning: ["place", "note", "digest", "weight"],
  });
  const rows = [1, 2].map((place) => ({ load_id: "computed", place, note: "a", digest: `0${place}ff`, grams: 1_500 }));
  assert.deepEqual(
    await insertDigests.query(database.of("DEMO"), rows),
    [1, 2].map((place) => ({ place, note: "A", digest: Buffer.from([place, 255]), weight: "1.500000" })),
  );
});

test("an update changes rows by key, computes from the row, and returns the changed rows", async () => {
  await insert([1, 2, 3].map((place) => ({ load_id: "changed", place, note: "old", weight: "1.5" })));
  const change = updateOf(parcel, {
    set: ["note"],
    with: { added: "numeric" },
    also: { weight: sql`parcel_set.weight + given.added`, version: sql`parcel_set.version + 1` },
    where: sql`parcel_set.place < 3`,
    returning: ["place", "weight", "version"],
  });
  const rows = [1, 3, 4].map((place) => ({ load_id: "changed", place, note: "new", added: "0.25" }));
  assert.deepEqual(await change.query(database.of("DEMO"), rows), [{ place: 1, weight: "1.750000", version: 2 }]);
  assert.deepEqual(
    (await list("changed")).map(({ note }) => note),
    ["new", "old", "old"],
  );
});

test("rows are deleted by the whole key, by several of its columns, and by one", async () => {
  const rows = ["a", "b"].flatMap((load) => [1, 2, 3].map((place) => ({ load_id: load, place, note: `${place}` })));
  await insert(rows);
  const byKey = deleteFrom(parcel, { returning: ["load_id"] });
  assert.deepEqual(await byKey.query(database.of("DEMO"), [{ load_id: "a", place: 1 }]), [{ load_id: "a" }]);
  const bySome = deleteFrom(parcel, { by: ["load_id", "note"], where: sql`parcel_set.is_open` });
  await bySome.query(database.of("DEMO"), [{ load_id: "a", note: "2" }]);
  assert.deepEqual([await places("a"), await places("b")], [[3], [1, 2, 3]]);
  const byOne = deleteFrom(parcel, { by: "load_id" });
  await byOne.query(database.of("OTHER"), ["b"]);
  assert.deepEqual(await places("b"), [1, 2, 3]);
  await byOne.query(database.of("DEMO"), ["b", "b"]);
  assert.deepEqual(await places("b"), []);
});

test("rows are read by the whole key, and locked on request", async () => {
  await insert([1, 2, 3].map((place) => ({ load_id: "read", place })));
  const byKey = selectFrom(parcel, { select: ["place"], orderBy: ["place"], lock: "for no key update", limit: 10 });
  const wanted = [3, 1, 4].map((place) => ({ load_id: "read", place }));
  await database.transaction(async (tx) => {
    assert.deepEqual(await byKey.query(tx.of("DEMO"), wanted), [{ place: 1 }, { place: 3 }]);
    const held = { code: "55P03" };
    await assert.rejects(
      database.transaction((other) => byKey.query(other.of("DEMO"), wanted), { lockTimeoutMs: 50 }),
      held,
    );
  });
});

test("no rows send no statement", async () => {
  const isNever = { ...views, query: () => assert.fail("it was sent"), send: () => assert.fail("it was sent") };
  insertParcels.send({ ...isNever, ...alone(), afterCommit: () => {} }.of("DEMO"), []);
  assert.deepEqual(await listParcels.query(isNever.of("DEMO"), []), []);
});

test("a statement part with a value is refused, because the statement is built once", () => {
  assert.throws(() => updateOf(parcel, { also: { note: sql`${"now"}` } }), /a value in \$1: give it with each row/);
});

test("columns with one source have their types and values in one place", () => {
  const content = filledFrom<{ readonly text?: string; readonly weight: number }>()({
    note: ["text?", ({ text }) => text],
    weight: ["numeric", ({ weight }) => weight.toFixed(1)],
  });
  assert.deepEqual(content.columns, { note: "text?", weight: "numeric" });
  assert.deepEqual(content.names, ["note", "weight"]);
  assert.deepEqual(content.rowOf({ weight: 2 }), { note: undefined, weight: "2.0" });
});

test("the compiler refuses a row that does not match the column list", () => {
  const check = (_: () => unknown) => {};
  const whole = { load_id: "x", place: 1, is_open: true, version: 1 };
  // @ts-expect-error a column that cannot be NULL is missing
  check(() => insertParcels.query(database.of("DEMO"), [{ load_id: "x" }]));
  // @ts-expect-error exact text, not a number
  check(() => insertParcels.query(database.of("DEMO"), [{ load_id: "x", place: 1, weight: 1.5 }]));
  // @ts-expect-error JSON has no bytes
  check(() => insertInto(parcel).query(database.of("DEMO"), [{ ...whole, digest: Buffer.from("ff") }]));
  check(() => insertInto(parcel).query(database.of("DEMO"), [whole]));
  // @ts-expect-error no column of the list
  check(() => selectFrom(parcel, { select: ["weigth"], limit: 1 }));
  // @ts-expect-error by one column its values are given
  check(() => listParcels.query(database.of("DEMO"), [{ load_id: "x" }]));
  check(() =>
    filledFrom<{ readonly count: number }>()({
      // @ts-expect-error the column takes a text, and the value is a number
      note: ["text", ({ count }) => count],
    }),
  );
});
