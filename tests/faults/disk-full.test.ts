// The disk of PostgreSQL is full. Its errors, at the start of a connection or within a transaction, count as temporary,
// and no work is given up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";

const server = await testServer({ CROSSDOCK_ROLES: "api,auth" });
const proxy = await startStoreProxy(server.config.database.url as string);
atEnd(() => proxy.close());
const node = await server.startNode({ DATABASE_URL: proxy.url, CROSSDOCK_ROLES: "feeds,api,auth,worker" });
const client = (await server.onboard("FULL")).at(node.url);
await client.accept("CAT", catalogue("FULL", ["S-1"]));
const token = await accessTokenOf(node.url, client.credentials.oauth);
let orders = 0;
const newOrder = () => order("FULL", `O-${++orders}`, ["S-1"]);
/** Log lines that treat an error as a fault of the program or of a document. */
const faults = () =>
  server.logged.filter((line) => /could not be processed|"level":"error"(?!.*the database does not answer)/.test(line));

async function refusedForNow(): Promise<void> {
  const path = "/v1/orderService/order/list?clientId=FULL";
  const [feeds, reads] = await Promise.all([
    Promise.all(Array.from({ length: 10 }, () => client.send("NO", newOrder()))),
    Promise.all(
      Array.from({ length: 10 }, () => fetch(node.url + path, { headers: { authorization: `Bearer ${token}` } })),
    ),
  ]);
  for (const { status, headers } of [...feeds, ...reads]) {
    assert.equal(status, 503);
    assert.ok(Number(headers.get("retry-after")) > 0);
  }
  await Promise.all(reads.map((read) => read.body?.cancel()));
}

/** A new order each time, because an order that got a 503 may have been stored. */
const accepted = () =>
  until("an order to be accepted", async () => {
    const answer = await client.send("NO", newOrder());
    return answer.isAccepted && answer;
  });

test("without new connections the answer is 503, and no error is logged", async () => {
  for (const [state, message] of [
    ["XX000", 'could not write init file "base/5/pg_internal.init"'],
    ["53100", "could not extend file: No space left on device"],
    ["53300", "sorry, too many clients already"],
  ] as const) {
    proxy.failConnects(state, message);
    await refusedForNow();
    await proxy.back();
    await accepted();
  }
  assert.deepEqual(faults(), []);
});

test("on a full disk documents get 503, and events wait without being given up", async () => {
  await server.rows(`create function no_room() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`);
  await server.rows("create trigger no_room before insert on feed_document for each row execute function no_room()");
  const refused = await client.send("NO", newOrder());
  assert.equal(refused.status, 503);
  await server.rows("drop trigger no_room on feed_document");
  await server.rows("create trigger no_room before insert on event for each row execute function no_room()");
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await accepted());
  const metrics = async () => (await fetch(`${node.url}/metrics`)).text();
  const failed = async () =>
    Number(/^crossdock_db_statement_errors_total\{sqlstate_class="53"\} (\d+)/m.exec(await metrics())?.[1] ?? 0);
  const before = await failed();
  // More attempts than a faulty event gets.
  await until("publishing to be tried often", async () => (await failed()) > before + 5);
  const rows = await server.rows<{ state: string; attempts: number }>(
    "select state, attempts from outbox where client_id = 'FULL'",
  );
  assert.ok(rows.length > 0);
  assert.deepEqual([...new Set(rows.map(({ state, attempts }) => `${state} ${attempts}`))], ["PENDING 0"]);
  await server.rows("drop trigger no_room on event");
  for (const { token } of answers) assert.equal((await client.becomes(token, "PROCESSED")).state, "PROCESSED");
  assert.deepEqual(faults(), []);
});
