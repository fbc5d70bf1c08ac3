import assert from "node:assert/strict";
import { test } from "node:test";
import { narrowed, openLookUps } from "#/store/db/citus/reachable-nodes.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import { until } from "../../../../tests/support/app/until.ts";

const lookUp = sql`select d.client_id from outbox_due d where d.slot = ${"a"} limit ${10}`;
const refused = Object.assign(new Error("connection to the remote node failed"), { severity: "ERROR", code: "08006" });

/** A store that answers a statement by the first word of `answers` in its text. */
function standIn(answers: Readonly<Record<string, () => unknown[]>>) {
  const sent: Statement[] = [];
  const query = async <Row>(statement: Statement): Promise<Row[]> => {
    sent.push(statement);
    const [, answer] = Object.entries(answers).find(([word]) => statement.text.includes(word)) ?? [];
    return (answer?.() ?? []) as Row[];
  };
  const noted: (readonly string[])[] = [];
  const lookUps = openLookUps({ query, transaction: (work) => work({ query }) }, (nodes) => noted.push(nodes));
  return { sent, noted, lookUps };
}

function fail(error: Error): never {
  throw error;
}

test("a narrowed statement puts the owners before each table, and keeps its own parameters", () => {
  const { text, values } = narrowed(lookUp, ["outbox", "outbox_due"], ["A", "B"]);
  assert.equal(
    text,
    `with outbox_due as not materialized (select * from outbox_due where client_id = any($3::text[])) ${lookUp.text}`,
  );
  assert.deepEqual(values, ["a", 10, ["A", "B"]]);
});

test("with all nodes up, a look-up is one statement", async () => {
  const { sent, noted, lookUps } = standIn({ outbox_due: () => [{ client_id: "A" }] });
  assert.deepEqual(await lookUps.query(lookUp), [{ client_id: "A" }]);
  assert.deepEqual(sent, [lookUp]);
  assert.deepEqual(noted, []);
});

test("without a node, the look-up finds the rows of the others; the change is reported once each way", async () => {
  let isAway = true;
  const { sent, noted, lookUps } = standIn({
    "with outbox_due": () => [{ client_id: "B" }],
    "from outbox_due": () =>
      isAway ? fail(new StoreUnavailableError("away", { cause: refused })) : [{ client_id: "A" }, { client_id: "B" }],
    "not citus_check_connection_to_node": () => (isAway ? [{ node: "worker-1:5432" }] : []),
    get_shard_id_for: () => [{ id: "B" }],
    pg_class: () => [{ name: "outbox_due" }],
  });
  for (let i = 0; i < 2; i++) assert.deepEqual(await lookUps.query(lookUp), [{ client_id: "B" }]);
  assert.deepEqual(noted, [["worker-1:5432"]]);
  assert.equal(sent.filter(({ text }) => text === lookUp.text).length, 1, "the node is not asked again");
  isAway = false;
  await until("all rows", async () => (await lookUps.query(lookUp)).length === 2);
  assert.deepEqual(noted, [["worker-1:5432"], []]);
});

test("a node that does not answer at all is found by the time-out of the look-up", async () => {
  const late = Object.assign(new Error("canceling statement due to statement timeout"), {
    severity: "ERROR",
    code: "57014",
  });
  const { noted, lookUps } = standIn({
    "with outbox_due": () => [{ client_id: "B" }],
    "from outbox_due": () => fail(new StoreUnavailableError("late", { cause: late })),
    "not citus_check_connection_to_node": () => [{ node: "worker-1:5432" }],
    get_shard_id_for: () => [{ id: "B" }],
    pg_class: () => [{ name: "outbox_due" }],
  });
  assert.deepEqual(await lookUps.query(lookUp), [{ client_id: "B" }]);
  assert.deepEqual(noted, [["worker-1:5432"]]);
});

test("any other failure stays a failure, and so does one of a node that answers again", async () => {
  const broken = Object.assign(new Error("no such column"), { severity: "ERROR", code: "42703" });
  const { sent, lookUps } = standIn({ outbox_due: () => fail(broken) });
  await assert.rejects(lookUps.query(lookUp), broken);
  assert.equal(sent.length, 1);
  const again = standIn({ outbox_due: () => fail(refused) });
  await assert.rejects(again.lookUps.query(lookUp), refused);
  assert.deepEqual(again.noted, []);
});

test("without the coordinator, or with an error of a connection to it, the first failure stays", async () => {
  const stopped = Object.assign(new Error("shutting down"), { severity: "FATAL", code: "57P01" });
  for (const error of [stopped, new StoreUnavailableError("away")]) {
    const { noted, lookUps } = standIn({
      outbox_due: () => fail(error),
      "not citus_check_connection_to_node": () => fail(new StoreUnavailableError("the catalogue is away, too")),
    });
    await assert.rejects(lookUps.query(lookUp), error);
    assert.deepEqual(noted, []);
  }
});
