import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { nextMigrations } from "../faults/nodes/releases.ts";
import { checkedAfter, checkMigration } from "./migration-rules.ts";
import { listFiles, root } from "./source.ts";

const files = listFiles("migrations/*.sql").map((file) => ({
  name: path.basename(file),
  text: readFileSync(path.join(root, file), "utf8"),
}));

test("a release can run with the previous one: each new migration is known to be harmless, or gives the reason", () => {
  const faults = files.flatMap((file, i) => (i < checkedAfter ? [] : checkMigration(file, files.slice(0, i))));
  assert.equal(faults.join("\n"), "");
});

test("the migrations of the roll-out that tests run are known to harm none", () => {
  const number = checkedAfter + 1;
  const added = nextMigrations(String(checkedAfter).padStart(4, "0"));
  const faults = added.flatMap(({ name, text }, i) =>
    checkMigration({ name: `${String(number + i).padStart(4, "0")}_${name}`, text }, files.slice(0, checkedAfter)),
  );
  assert.deepEqual(faults, []);
});

/** Migrations on the main branch, as `sha256sum` lists them. */
const digestsFile = path.join(root, "migrations/SHA256SUMS");

test("a migration on the main branch never changes: its digest is listed, and only lines are added", () => {
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");
  const listed = readFileSync(digestsFile, "utf8").trimEnd().split("\n");
  const listedNames = new Set(listed.map((line) => line.split("  ")[1]));
  const lines = files.map(({ name, text }) => `${digestOf(text)}  ${name}`);
  const added = lines.filter((line) => !listedNames.has(line.split("  ")[1]));
  const isUpdating = process.env.CROSSDOCK_TEST_UPDATE === "1";
  if (isUpdating && added.length > 0) writeFileSync(digestsFile, `${[...listed, ...added].join("\n")}\n`);
  assert.deepEqual(
    listed.filter((line) => !lines.includes(line)),
    [],
    "these migrations were changed or deleted: restore them, and add a new one instead",
  );
  assert.deepEqual(
    isUpdating ? [] : added,
    [],
    "add these lines to migrations/SHA256SUMS: CROSSDOCK_TEST_UPDATE=1 npm test -- tests/tidy/migrations.test.ts",
  );
});

const before = { name: "0027_before.sql", text: "create table thing (thing_id int primary key);" };
const validate = (text: string) => checkMigration({ name: "0028_next.sql", text }, [before]);
const judged = (sql: string, head = "-- beside: 0027") => validate(`${head}\n${sql};`).join("\n");

test("a migration says which releases are compatible with it", () => {
  assert.match(validate("create table a (b int);").join(), /does not say which releases/);
  assert.match(validate("-- beside: none\n").join(), /does not say which releases/);
  assert.match(validate("-- beside: 0029\n").join(), /a later migration/);
  assert.deepEqual(validate("-- beside: 0028\ndrop table thing;"), [], "older ones are stopped first");
  const later = { name: "0050_next.sql", text: "-- beside: 0049\ncreate table a (b int);" };
  assert.match(checkMigration(later, []).join(), /so that a node of \d+\.\d+\.\d+ \(\d{4}\) cannot restart beside it/);
});

test("a new object is harmless", () => {
  for (const sql of [
    "create table other (id int primary key); create unique index other_a on other (id); alter table other drop column id",
    "alter table thing add column a text, add column b numeric(12,3) not null default 0, add column c text default 'x'",
    "alter table thing add column at timestamptz not null default now()",
    "insert into other (id) values (1)",
    "comment on table thing is 'a thing'",
  ]) {
    assert.equal(judged(sql), "", sql);
  }
  const built = "create index concurrently if not exists thing_a on thing (a)";
  assert.equal(judged(built, "-- no-transaction\n-- beside: 0027"), "");
});

test("a statement that runs when the schema is finalized may run again", () => {
  const sql = "-- when finalized: 0.2.0 finds things by it\ndrop index concurrently";
  assert.match(judged(`${sql} if exists thing_a`), /does not say '-- finalize'/);
  assert.match(judged(`${sql} thing_a`, "-- beside: 0027\n-- finalize"), /needs 'if exists'/);
  assert.equal(judged(`${sql} if exists thing_a`, "-- beside: 0027\n-- finalize"), "");
});

test("a statement that may break an older node is named, unless a reason is above it", () => {
  for (const [sql, words] of [
    ["drop table thing", /not known to be harmless/],
    ["drop index thing_a", /not known to be harmless/],
    ["alter table thing rename to other", /may need what it changes/],
    ["alter table thing rename column a to b", /may need what it changes/],
    ["alter table thing drop column a", /may need what it changes/],
    ["alter table thing alter column a type bigint", /may need what it changes/],
    ["alter table thing alter column a set not null", /may need what it changes/],
    ["alter table thing add constraint c check (a > 0)", /may need what it changes/],
    ["alter table thing add column a int not null", /do not fill/],
    ["alter table thing add column a int check (a > 0)", /existing rows are checked/],
    ["alter table thing add column a uuid default gen_random_uuid()", /rewrites the whole table/],
    ["alter table thing add column a int, drop column b", /may need what it changes/],
    ["create unique index thing_a on thing (a)", /may write what it refuses/],
    ["create index thing_a on thing (a)", /writers wait/],
    ["create index concurrently if not exists thing_a on thing (a)", /outside a transaction only/],
    ["update thing set a = 1", /locks they wait for/],
    ["do $$ begin drop table thing; end $$", /not known to be harmless/],
  ] as const) {
    assert.match(judged(sql), words, sql);
    assert.equal(judged(`-- harmless: no statement reads it\n${sql}`), "", sql);
  }
  const head = "-- no-transaction\n-- beside: 0027";
  assert.match(judged("alter table thing add column a int", head), /needs 'if not exists'/);
  assert.match(judged("create index concurrently thing_a on thing (a)", head), /needs 'if not exists'/);
});
