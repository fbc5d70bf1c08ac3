import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { openDatabase, type Transaction } from "#/store/db/database.ts";
import { CommitUnknownError, StoreUnavailableError } from "#/store/db/errors.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database, url } = await testDatabase();

test("a transaction commits awaited and unawaited statements", async () => {
  await database.transaction(async (tx) => {
    await tx.query(sql`insert into tenant (client_id) values (${"A"})`);
    tx.send(sql`insert into tenant (client_id) values (${"B"})`);
  });
  const rows = await database.query(sql`select client_id from tenant order by client_id limit 10`);
  assert.deepEqual(rows, [{ client_id: "A" }, { client_id: "B" }]);
});

test("an unawaited statement that fails rolls back the transaction", async () => {
  const failing = database.transaction(async (tx) => {
    tx.send(sql`insert into tenant (client_id) values (${"C"})`);
    tx.send(sql`insert into tenant (client_id) values (${"A"})`);
  });
  await assert.rejects(failing, { code: "23505" });
  assert.deepEqual(await database.query(sql`select from tenant where client_id = ${"C"} limit 1`), []);
});

test("an error of the caller rolls back, and the connection stays usable", async () => {
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.query(sql`insert into tenant (client_id) values (${"D"})`);
      throw new Error("changed my mind");
    }),
    /changed my mind/,
  );
  assert.deepEqual(await database.query(sql`select from tenant where client_id = ${"D"} limit 1`), []);
});

test("a statement of a branch that outlives its transaction is refused, and nothing of it is stored", async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<unknown> | undefined;
  const branch = async (tx: Transaction) => {
    await isOver;
    await tx.query(sql`insert into tenant (client_id) values (${"LATE"})`);
  };
  const failing = database.transaction(async (tx) => {
    late = branch(tx);
    late.catch(() => {});
    await Promise.all([late, Promise.reject(new Error("changed my mind"))]);
  });
  await assert.rejects(failing, /changed my mind/);
  end();
  await assert.rejects(late as Promise<unknown>, /the transaction has ended/);
  let ended: Transaction | undefined;
  await database.transaction(async (tx) => {
    ended = tx;
  });
  assert.throws(() => ended?.send(sql`insert into tenant (client_id) values (${"LATE"})`), /has ended/);
  assert.deepEqual(await database.query(sql`select from tenant where client_id = ${"LATE"} limit 1`), []);
});

test("the first failure is the reason, whichever statement the caller waits for", async () => {
  const taken = sql`insert into tenant (client_id) values (${"A"})`;
  const later = database.transaction(async (tx) => {
    const first = tx.query(taken);
    await tx.query(sql`select 1`);
    await first;
  });
  await assert.rejects(later, { code: "23505" });
  const unawaited = database.transaction(async (tx) => {
    tx.query(taken).catch(() => {});
    tx.send(sql`select 1`);
  });
  await assert.rejects(unawaited, { code: "23505" });
  const swallowed = database.transaction(async (tx) => {
    await tx.query(taken).catch(() => {});
  });
  await assert.rejects(swallowed, { code: "23505" });
});

test("callbacks run after a confirmed commit, and never after a rollback", async () => {
  const noted: string[] = [];
  await database.transaction(async (tx) => {
    tx.send(sql`insert into tenant (client_id) values (${"AFTER"})`);
    tx.afterCommit(() => {
      throw new Error("what follows a commit does not undo it");
    });
    tx.afterCommit(() => noted.push("committed"));
    assert.deepEqual(noted, []);
  });
  assert.deepEqual(noted, ["committed"]);
  const failing = database.transaction(async (tx) => {
    tx.afterCommit(() => noted.push("refused by the store"));
    tx.send(sql`insert into tenant (client_id) values (${"AFTER"})`);
  });
  await assert.rejects(failing, { code: "23505" });
  const transaction = database.transaction(async (tx) => {
    tx.afterCommit(() => noted.push("given up"));
    throw new Error("changed my mind");
  });
  await assert.rejects(transaction, /changed my mind/);
  assert.deepEqual(noted, ["committed"]);
});

test("times come as ISO 8601 UTC with milliseconds, numerics as exact text", async () => {
  const [row] = await database.query(
    sql`select '2026-11-20T11:00:00.12+01:00'::timestamptz as at, 12.30::numeric as qty, 5::bigint as position`,
  );
  assert.deepEqual(row, { at: "2026-11-20T10:00:00.120Z", qty: "12.30", position: 5 });
});

test("a tenant statement without its client throws", async () => {
  assert.throws(() => database.of("A").query(sql`select from tenant where client_id = ${"A"}`), /must name its client/);
  assert.equal((await database.of("A").query(sql`select 1 from tenant where client_id = ${tenant}`)).length, 1);
});

test("an unreachable database is unavailable within the connect time-out", async () => {
  const nowhere = openDatabase({ url: "postgres://x:y@127.0.0.1:1/z", connectionsMax: 1, applicationName: "test" });
  await assert.rejects(nowhere.query(sql`select 1`), StoreUnavailableError);
  await nowhere.close();
});

test("a session that is terminated in the packet that opens it is unavailable, and does not end the process", async () => {
  // AuthenticationOk, ReadyForQuery and ErrorResponse (PostgreSQL documentation, 54.7).
  const fields = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  const opened = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05IE", "latin1");
  const server = createServer((socket) => {
    socket.once("data", () => socket.end(Buffer.concat([opened, length, fields])));
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const away = openDatabase({
    url: `postgres://nobody@127.0.0.1:${port}/away`,
    connectionsMax: 2,
    applicationName: "test",
  });
  await assert.rejects(away.query(sql`select 1 limit 1`), StoreUnavailableError);
  await assert.rejects(
    away.transaction((tx) => tx.query(sql`select 1 limit 1`)),
    StoreUnavailableError,
  );
  await away.close();
  server.close();
});

test("a connection killed under a transaction is unavailable, and the next one works", async () => {
  const other = openDatabase({ url, connectionsMax: 1, applicationName: "test" });
  const failing = other.transaction(async (tx) => {
    const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await database.query(sql`select pg_terminate_backend(${pid})`);
    await tx.query(sql`select 1`);
  });
  await assert.rejects(
    failing,
    (error) => error instanceof StoreUnavailableError && !(error instanceof CommitUnknownError),
  );
  assert.equal((await other.query(sql`select 1`)).length, 1);
  await other.close();
});

test("a statement above its time-out is cancelled", async () => {
  const hasty = openDatabase({ url, connectionsMax: 1, applicationName: "test", statementTimeoutMs: 100 });
  await assert.rejects(hasty.query(sql`select pg_sleep(5)`), StoreUnavailableError);
  await hasty.close();
});
