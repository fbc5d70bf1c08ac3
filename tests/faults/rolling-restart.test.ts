// Three nodes behind a load balancer are restarted one by one under load. No request is refused or cut, everything
// acknowledged is stored once, and every event is delivered once and in order (docs/roles.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createIds } from "#/kernel/values/ids.ts";
import { onboardClient } from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { faultLine, makeDataDir } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { endSessions } from "../support/sftp/session.ts";
import { describeTook, startMixedLoad } from "./load/mixed-load.ts";
import { catalogue, orderXml, type Served, seededRandom, sendFeed, testSeed } from "./load/sender.ts";
import { startBalancer } from "./nodes/balancer.ts";
import { type Node, startNode } from "./nodes/nodes.ts";
import { watchConnections } from "./oracles/connection-watch.ts";
import { watchEvents } from "./oracles/event-watch.ts";
import { checkDatabase, drained, withClient } from "./oracles/oracle.ts";

const seed = testSeed();
const stretch = watchMachine();
/** Long enough for the balancer to notice on a busy machine. */
const drainSeconds = 8;
const roles = ["api", "feeds", "auth", "worker", "sftp"] as const;
/** Small, so that additional connections are noticed. */
const poolOfRole = 2;
/** For a process without the console, according to docs/roles.md. */
const besidePoolMax = 8;
const { url: databaseUrl, database } = await testDatabase();
const ids = createIds();
const demo = await database.transaction(async (tx) => {
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
  await createFacility(tx, change, { facilityCode: "DC1", name: "DC1", country: "GB", timezone: "Europe/London" });
  const client = { clientId: "DEMO", name: "Demo", facilities: ["DC1"], environment: "sandbox" };
  const onboarded = await onboardClient(tx, change, client);
  assert.ok(onboarded.ok);
  return onboarded.value;
});

const dataDirs = [makeDataDir(), makeDataDir(), makeDataDir()];
const start = (at: number) =>
  startNode({
    databaseUrl,
    roles,
    dataDir: dataDirs[at] as string,
    environment: { CROSSDOCK_DRAIN_SECONDS: String(drainSeconds), CROSSDOCK_DB_POOL: String(poolOfRole) },
  });
const nodes: Node[] = await Promise.all(dataDirs.map((_, at) => start(at)));
const balancer = await startBalancer(nodes);
atEnd(() => balancer.stop());
atEnd(endSessions);
const served: Served = { url: balancer.url, demo };

test("nodes are restarted one by one under load without a failed request", { timeout: 400_000 }, async (t) => {
  t.diagnostic(`seed ${seed}`);
  const watch = await watchEvents(served);
  atEnd(() => watch.receiver.close());
  await until("the items to be there", async () => (await sendFeed(served, catalogue)).isAccepted);
  const connections = watchConnections(database);
  const load = startMixedLoad({ served, sftp: balancer.sftp, random: seededRandom(seed), name: "ROLL" });
  await sleep(2_000);
  for (const at of nodes.keys()) {
    const old = nodes[at] as Node;
    const before = load.sent.length;
    const stopping = old.stop("SIGTERM");
    const beganMs = performance.now();
    await until("the balancer to notice", async () => balancer.readyCount() === 2, drainSeconds * 1_000);
    const noticedMs = performance.now() - beganMs;
    const { code, ms } = await stopping;
    assert.equal(code, 0, old.output());
    assert(
      ms >= drainSeconds * 1_000 && ms < (drainSeconds + 5 * stretch()) * 1_000,
      `the stop took ${Math.round(ms)} ms`,
    );
    assert.doesNotMatch(old.output(), faultLine);
    const next = await start(at);
    nodes[at] = next;
    balancer.replace(at, next);
    await until("three nodes", async () => balancer.readyCount() === 3, 100_000);
    t.diagnostic(
      `node ${at + 1}: noticed in ${Math.round(noticedMs)} ms, ended in ${Math.round(ms)} ms, ready again in ` +
        `${Math.round(next.readyMs)} ms; ${load.sent.length - before} orders meanwhile`,
    );
    await sleep(700);
  }
  await load.end();
  t.diagnostic(describeTook(load));
  const open = await connections.end();
  t.diagnostic(`connections: ${JSON.stringify(open)}`);
  assert(open.total <= nodes.length * (roles.length * poolOfRole + besidePoolMax), JSON.stringify(open));
  assert.deepEqual(load.faults, []);
  assert.deepEqual(balancer.faults, []);
  assert(balancer.counts.every((count) => count > 20));
  const publishedMs = await drained(databaseUrl);
  const states = await checkDatabase(databaseUrl, load.sent);
  assert.equal(states.PROCESSED, load.sent.length + 1, "what was acknowledged is there, and nothing else");
  const kept = await withClient(databaseUrl, (client) =>
    client.query("select work_order_id from work_order where client_id = 'DEMO' order by 1"),
  );
  assert.deepEqual(
    kept.rows.map(({ work_order_id }) => work_order_id),
    load.workOrders.toSorted(),
  );
  const { events, latestMs } = await watch.check(databaseUrl);
  t.diagnostic(
    `${events} events, the latest ${latestMs} ms after it happened; all published ${Math.round(publishedMs)} ms after the load`,
  );
});

test("a process that ends in the middle of its work leaves no lease behind for others to wait for", async () => {
  const orders = Array.from({ length: 200 }, (_, i) => ({ type: "NO" as const, xml: orderXml(`BURST-${i}`, 1) }));
  const answers = await Promise.all(orders.map((order) => sendFeed(served, order)));
  assert(answers.every(({ isAccepted }) => isAccepted));
  const ends = await Promise.all(nodes.map((node) => node.stop("SIGINT")));
  assert.deepEqual(
    ends.map(({ code }) => code),
    [0, 0, 0],
  );
  assert(
    ends.every(({ ms }) => ms < 5_000 * stretch()),
    "Ctrl-C does not wait for a load balancer",
  );
  const held = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
        where a.attname = 'lease_until' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
    );
    assert(rows.length >= 3, "there are tables with leases");
    const counts: [string, number][] = [];
    for (const { name } of rows) {
      const found = await client.query(
        // A released lane has no owner, whatever its lease time is.
        `select count(*)::int as n from ${name} t
          where lease_until > now() and not (to_jsonb(t) ? 'owner' and to_jsonb(t) ->> 'owner' is null)`,
      );
      counts.push([name, found.rows[0].n]);
    }
    return counts.filter(([, count]) => count > 0);
  });
  assert.deepEqual(held, []);
});
