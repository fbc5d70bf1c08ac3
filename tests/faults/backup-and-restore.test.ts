// Follows docs/backup-and-restore.md: a base backup under load, the loss of the server, a point-in-time recovery of its
// database, and everything acknowledged before that time.
import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createIds } from "#/kernel/values/ids.ts";
import { issueWarehouseCredential, notifyChange, type OauthSecret } from "#/modules/clients/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { makeDataDir, type ServerProcess, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { type Receiver, startReceiver } from "../support/http/receiver.ts";
import { portOf } from "../support/warehouse/warehouse-port.ts";
import {
  bearerOf,
  call,
  catalogue,
  orderXml,
  purchaseOrderXml,
  seededRandom,
  sendFeed,
  skus,
  testSeed,
} from "./load/sender.ts";
import { findPrograms, isLeftOut, openSite, startCluster } from "./nodes/cluster.ts";
import { checkRestored, crossdock, secret } from "./nodes/restored.ts";
import { checkDatabase, drained, isSettled, type Sent, withClient } from "./oracles/oracle.ts";

const programs = findPrograms();
/** Two concurrent nodes share the 100 connections that PostgreSQL allows by default. */
const environment = { CROSSDOCK_SECRET: secret, CROSSDOCK_RESTORED: "off", CROSSDOCK_DB_POOL: "4" };
const senders = 6;
const stretch = watchMachine();

interface Load {
  readonly sent: Sent[];
  end(): Promise<void>;
}

let number = 0;

/** Sends documents one after the other from each sender, while there is a server. */
function startLoad(server: ServerProcess, random: () => number): Load {
  const sent: Sent[] = [];
  let isOver = false;
  async function keepSending(): Promise<void> {
    while (!isOver) {
      const lines = 1 + Math.floor(random() * 5);
      const isOrder = random() > 0.15;
      const objectId = `${isOrder ? "NO" : "PO"}-${++number}`;
      const key = random() < 0.4 ? `key-${number}` : undefined;
      const xml = isOrder ? orderXml(objectId, lines) : purchaseOrderXml(objectId, lines);
      const document: Sent = { type: isOrder ? "NO" : "PO", objectId, lines, key, xml };
      sent.push(document);
      const answer = await sendFeed(server, document).catch(() => undefined);
      if (answer?.status === 200) document.answer = answer;
      await sleep(10);
    }
  }
  const sending = Array.from({ length: senders }, keepSending);
  return {
    sent,
    async end() {
      isOver = true;
      await Promise.all(sending);
    },
  };
}

async function credentialsOf(url: string): Promise<OauthSecret> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: "crossdock test" });
  try {
    const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids: createIds() };
    const { oauth } = await database.transaction((tx) =>
      issueWarehouseCredential(tx, change, { facilityCode: "DC1", environment: "sandbox" }),
    );
    await notifyChange(database);
    return oauth;
  } finally {
    await database.close();
  }
}

/** Sends an order and packs it into a parcel; returns the parcel's number. */
async function packOne(server: ServerProcess, oauth: OauthSecret, orderId: string): Promise<string> {
  const answer = await sendFeed(server, { type: "NO", xml: orderXml(orderId, 1) });
  assert(answer.isAccepted, answer.body);
  const port = await portOf(server.url, oauth);
  await port.task(({ objectId }) => objectId === orderId);
  const of = { clientId: "DEMO", orderId };
  await port.report("pick", { ...of, lines: [{ lineNumber: 1, qtyPicked: 1 }] });
  const contents = [{ lineNumber: 1, qty: 1 }];
  const { olpns } = await port.report("pack", { ...of, olpns: [{ weight: 0.5, weightUomCode: "KG", contents }] });
  const [olpn] = olpns as { olpnId: string }[];
  assert.ok(olpn);
  return olpn.olpnId;
}

async function subscribe(server: ServerProcess, receiver: Receiver): Promise<void> {
  const made = await call(`${server.url}/v1/webhookService/webhook/create`, {
    method: "POST",
    headers: { ...(await bearerOf(server)), "content-type": "application/json" },
    body: JSON.stringify({
      clientId: "DEMO",
      topicName: "order:*",
      facilityCode: "DC1",
      url: receiver.url,
      contentType: "application/json",
    }),
  });
  assert.equal(made.status, 201, made.body);
}

/** Result of a query with one row. */
const rowsOf = <Row>(url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows as [Row]);

const momentNow = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
    return (rows[0] as { now: Date }).now;
  });

const testName =
  "a server that is lost is restored to a moment: what was acknowledged before it is there, and leaves when released";

if (!isLeftOut(programs, testName)) {
  test(testName, { timeout: 600_000 }, async (t) => {
    const seed = testSeed();
    t.diagnostic(`seed ${seed}`);
    const random = seededRandom(seed);
    const site = openSite(programs as string);
    const cluster = await startCluster(site);
    for (const text of [
      "create role crossdock login",
      "create role backup login replication",
      "create database crossdock owner crossdock",
    ])
      await withClient(cluster.urlOf("postgres"), (client) => client.query(text));
    const url = `postgres://crossdock@127.0.0.1:${cluster.port}/crossdock`;
    const receiver = await startReceiver();
    atEnd(() => receiver.close());
    const backupUrl = `postgres://backup@127.0.0.1:${cluster.port}/postgres`;

    const dataDir = makeDataDir();
    const first = await startProcess(dataDir, { ...environment, DATABASE_URL: url });
    assert((await sendFeed(first, catalogue)).isAccepted);
    const oauth = await credentialsOf(url);
    const dc1 = await portOf(first.url, oauth);
    await dc1.report("adjustment", {
      clientId: "DEMO",
      adjustmentId: "OPENING",
      reasonCode: "INITIAL",
      lines: skus.map((sku) => ({ sku, qty: 100_000 })),
    });
    await subscribe(first, receiver);
    const load = startLoad(first, random);
    await packOne(first, oauth, "PARCEL-BEFORE");

    // A base backup under load.
    const output = await site.must("backup.sh", ["base"], { DATABASE_URL: backupUrl });
    t.diagnostic(output.trim());
    await sleep(1_500);
    const lastBefore = await packOne(first, oauth, "PARCEL-KEPT");
    await until("a load worth keeping", async () => load.sent.filter(isSettled).length > 60);
    // A document that is answered while the recovery time is read may be committed after that time.
    const kept = load.sent.filter(isSettled).map((document) => ({ ...document }));
    await sleep(10);
    const moment = await momentNow(url);
    const stretched = stretch();
    // Everything from here on is lost, although other systems have seen it.
    await sleep(1_500);
    const lost = await packOne(first, oauth, "PARCEL-LOST");
    assert(BigInt(lost) > BigInt(lastBefore));
    await sleep(1_000);
    await first.kill();
    await load.end();
    // The last commits reach the archive within archive_timeout; on a busy machine, earlier WAL files come first.
    const postgresUrl = cluster.urlOf("postgres");
    const [{ last }] = await rowsOf<{ last: string }>(
      postgresUrl,
      "select pg_walfile_name(pg_logical_emit_message(false, 'test', 'the last')) as last",
    );
    await until(
      "the archive to have them",
      async () => {
        const [row] = await rowsOf<{ is_there: boolean }>(
          postgresUrl,
          `select coalesce(last_archived_wal >= '${last}', false) as is_there from pg_stat_archiver`,
        );
        return row.is_there || undefined;
      },
      60_000,
    );
    await cluster.destroy();
    const pushedBefore = new Map(receiver.requests.map(({ headers, atMs }) => [headers["webhook-id"] as string, atMs]));

    // Restore according to the runbook.
    const into = path.join(site.folder, "restored");
    const port = await site.freePort();
    const to = moment.toISOString();
    const restore = ["moment", "--to", to, "--into", into, "--port", String(port)];
    const keyless = await site.run("restore.sh", restore);
    assert.equal(keyless.status, 1);
    assert.match(keyless.output, /the master key is not here/);
    const keyFile = path.join(site.folder, "secret");
    writeFileSync(keyFile, secret, { mode: 0o644 });
    const withKey = { CROSSDOCK_SECRET_FILE: keyFile };
    const early = ["moment", "--to", "2026-01-01T00:00:00Z", "--into", into];
    assert.match((await site.run("restore.sh", early, withKey)).output, /no base backup in \S+ ended before/);
    const beganMs = performance.now();
    t.diagnostic((await site.must("restore.sh", restore, withKey)).trim());
    t.diagnostic(`restored in ${Math.round(performance.now() - beganMs)} ms`);
    assert.match((await site.run("restore.sh", restore, withKey)).output, /is not empty.*: rm -r /);
    const restoredUrl = `postgres://crossdock@127.0.0.1:${port}/crossdock`;
    const checked = checkRestored(site, restoredUrl, to, secret);
    assert.equal(checked.status, 0, checked.output);
    assert.match(
      checked.output,
      /the master key decrypts all.+is consistent.+start every node with CROSSDOCK_RESTORED=/s,
    );
    const wrongKey = checkRestored(site, restoredUrl, to, "some other master key, long enough, too");
    assert.match(wrongKey.output, /the master key is not the one of this database/);

    const settledThen = await withClient(restoredUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        "select event_id as id from webhook_delivery where completed_at is not null and client_id = 'DEMO'",
      );
      return new Set(rows.map(({ id }) => id));
    });

    // Two nodes start with CROSSDOCK_RESTORED at the same time.
    const pushes = receiver.requests.length;
    const otherDir = makeDataDir();
    copyFileSync(path.join(dataDir, "demo-credentials.json"), path.join(otherDir, "demo-credentials.json"));
    const settings = { ...environment, CROSSDOCK_RESTORED: to, DATABASE_URL: restoredUrl };
    const [firstNode, other] = await Promise.all([startProcess(dataDir, settings), startProcess(otherDir, settings)]);
    assert(firstNode && other);
    const resent = await sendFeed(other, { type: "NO", xml: orderXml("PARCEL-LOST", 1) });
    assert(resent.isAccepted, `lost documents are accepted again: ${resent.body}`);
    await sleep(3_000);
    assert.equal(receiver.requests.length, pushes, "nothing leaves");
    const waiting = crossdock(site, restoredUrl, "restore", "status", "--json");
    assert.deepEqual(JSON.parse(waiting.output).waiting, ["ALLOCATION", "DELIVERIES", "TASKS"]);
    const tasks = await (await portOf(firstNode.url, oauth)).get("/task/list");
    assert.deepEqual(tasks.body.items, []);

    // After the release, all work completes.
    const released = crossdock(site, restoredUrl, "restore", "release", "--all");
    assert.match(released.output, /Released: DELIVERIES, ALLOCATION, TASKS\.\nNothing is waiting\./);
    t.diagnostic(`drained ${Math.round(await drained(restoredUrl))} ms after the release`);
    const states = await checkDatabase(restoredUrl, kept, 1_000_000_000);
    t.diagnostic(`${kept.length} acknowledged before the moment; in the database: ${JSON.stringify(states)}`);
    assert(kept.length > 50, `${kept.length} documents were acknowledged before the moment`);
    const after = await packOne(other, oauth, "PARCEL-AFTER");
    assert(BigInt(after) - BigInt(lost) > 4_000_000_000n, `${after} is far behind ${lost}`);
    await until(
      "all deliveries to be settled",
      () =>
        withClient(restoredUrl, async (client) => {
          const { rows } = await client.query(
            "select count(*)::int as n from webhook_delivery where completed_at is null and client_id = 'DEMO'",
          );
          return rows[0].n === 0;
        }),
      60_000,
    );
    // Only deliveries after the recovery time are repeated, and those shortly before it whose settlement was not
    // committed yet.
    for (const { headers } of receiver.requests.slice(pushes)) {
      const id = headers["webhook-id"] as string;
      assert(!settledThen.has(id), `${id} was settled before`);
      const firstMs = pushedBefore.get(id);
      // The length of that period depends on the disk, which may be slow for some seconds.
      assert(firstMs === undefined || firstMs > moment.getTime() - 5_000 * stretched, `${id} was pushed long before`);
    }
    for (const node of [firstNode, other]) assert.doesNotMatch(node.output(), /"level":"error"/);
    const sound = crossdock(site, restoredUrl, "stock", "check");
    assert.equal(sound.status, 0, sound.output);

    // A move to a new database with a dump.
    for (const node of [firstNode, other]) await node.stop("SIGTERM");
    await site.must("backup.sh", ["dump"], { DATABASE_URL: restoredUrl });
    const list = await site.must("backup.sh", ["list"]);
    const stamp = /^dump (\S+) /m.exec(list)?.[1];
    assert.ok(stamp, list);
    await withClient(`postgres://postgres@127.0.0.1:${port}/postgres`, (client) =>
      client.query("create database moved owner crossdock"),
    );
    const movedUrl = `postgres://crossdock@127.0.0.1:${port}/moved`;
    await site.must("restore.sh", ["dump", stamp], { ...withKey, DATABASE_URL: movedUrl });
    const full = await site.run("restore.sh", ["dump", stamp], { ...withKey, DATABASE_URL: movedUrl });
    assert.match(full.output, /the database has \d+ tables: nothing is restored over what is there/);
    const moved = crossdock(site, movedUrl, "stock", "check");
    assert.equal(moved.status, 0, moved.output);
    const counts = (at: string) =>
      withClient(at, async (client) => {
        const { rows } = await client.query(
          "select (select count(*) from event)::int as events, (select count(*) from sales_order)::int as orders, (select count(*) from stock_movement)::int as movements",
        );
        return rows[0];
      });
    assert.deepEqual(await counts(movedUrl), await counts(restoredUrl));
  });
}
