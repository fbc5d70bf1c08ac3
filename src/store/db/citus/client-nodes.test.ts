import assert from "node:assert/strict";
import { test } from "node:test";
import { withDeadline } from "#/kernel/concurrency/deadline.ts";
import { openClientNodes, urlOfNode } from "#/store/db/citus/client-nodes.ts";
import { openConnectionPool } from "#/store/db/connection-pool.ts";
import { DeadlineError, isNodeAway } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database, url } = await testDatabase({ engine: "postgresql" });
const { hostname, port } = new URL(url);
/** The server of the test under a further name, so that its connections are counted separately. */
const node = `${hostname === "localhost" ? "127.0.0.1" : "localhost"}:${port}`;
/** Nothing listens here. */
const awayNode = "127.0.0.1:1";

function openNodes(nodeOf: (clientId: string) => string | undefined, isOneServer = false, connectionsMax = 2) {
  const errors: Error[] = [];
  const options = { url, connectionsMax, applicationName: "test", onError: (error: Error) => errors.push(error) };
  const coordinator = openConnectionPool(options);
  const placement = { nodeOf: async (clientId: string) => nodeOf(clientId), isOneServer: () => isOneServer };
  const nodes = openClientNodes(database, coordinator, options, placement);
  atEnd(() => Promise.all([nodes.close(), coordinator.close()]));
  const ofClient = (clientId: string) => nodes.ofClient(clientId) ?? assert.fail("one server");
  return { errors, coordinator, nodes, ofClient };
}

const statement = sql`select 1 as one limit 1`;
const answer = [{ one: 1 }];

test("work of a client goes to its node, other work to the coordinator", async () => {
  const { coordinator, nodes, ofClient } = openNodes((clientId) => (clientId === "A" ? node : undefined));
  const { transaction, query, reads } = ofClient("A");
  assert.deepEqual(await transaction((tx) => tx.query(statement)), answer);
  assert.deepEqual(await query(statement), answer);
  assert.deepEqual(await reads.query(statement), answer);
  assert.equal(coordinator.load().total, 0);
  assert.equal(nodes.load().total, 1);
  assert.deepEqual(await ofClient("B").query(statement), answer);
  assert.equal(coordinator.load().total, 1);
});

test("on one server there is nothing to choose", () => {
  assert.equal(openNodes(() => undefined, true).nodes.ofClient("A"), undefined);
});

test("where a node refuses the connection, the coordinator serves its clients, and the error is reported once", async () => {
  const { errors, coordinator, ofClient } = openNodes(() => awayNode);
  const { transaction, query, reads } = ofClient("A");
  assert.deepEqual(await transaction((tx) => tx.query(statement)), answer);
  assert.deepEqual(await query(statement), answer);
  assert.deepEqual(await reads.query(statement), answer);
  assert.equal(coordinator.load().total, 1);
  assert.deepEqual(
    errors.map(({ message }) => message),
    [`no connection to the node ${awayNode}: the coordinator serves its clients`],
  );
});

test("a read that its node does not answer is repeated at the coordinator", async () => {
  assert.deepEqual(
    await openNodes(() => awayNode)
      .ofClient("A")
      .reads.query(statement),
    answer,
  );
});

test("a connection that a node ends is a failure of that node, and an error of a statement is not", async () => {
  const { ofClient } = openNodes(() => node);
  const { transaction, query } = ofClient("A");
  const ended = transaction(async (tx) => {
    const [session] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid limit 1`);
    await database.query(sql`select pg_terminate_backend(${session?.pid}::integer)`);
    await tx.query(statement);
  });
  await assert.rejects(ended, isNodeAway);
  const faulty = { ...statement, text: "select nothing from nowhere", name: "faulty" };
  await assert.rejects(query(faulty), (error) => !isNodeAway(error));
});

test("a node whose connections are all in use is not a reason to use the coordinator", async () => {
  const { errors, coordinator, ofClient } = openNodes(() => node, false, 1);
  await ofClient("A").transaction(async () => {
    const late = withDeadline({ atMs: performance.now() + 50 }, () => ofClient("A").query(statement));
    await assert.rejects(late, (error) => error instanceof DeadlineError && isNodeAway(error));
  });
  assert.equal(coordinator.load().total, 0);
  assert.deepEqual(errors, []);
});

test("the URL of a node keeps user, database and settings", () => {
  const base = "postgres://app:p%40ss@coordinator:5432/crossdock?sslmode=verify-full&host=/run/postgresql";
  assert.equal(urlOfNode(base, "worker-1:6000"), "postgres://app:p%40ss@worker-1:6000/crossdock?sslmode=verify-full");
  assert.equal(urlOfNode("postgres://app@c/x", "worker-1:5432"), "postgres://app@worker-1:5432/x");
});
