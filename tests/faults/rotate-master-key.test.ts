// The master key is changed while two nodes send webhooks continuously, in the steps of docs/keys-and-data.md. No node
// ever meets a text that it cannot open, nothing is lost, and at the end the old key opens nothing.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { rotateMasterKey } from "#/app/secrets/rotate.ts";
import { sealedTables } from "#/app/secrets/sealed-tables.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { atEnd } from "../support/app/at-end.ts";
import { commandLine } from "../support/app/cli.ts";
import { accessTokenOf, type TestNode, testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { type ReceivedRequest, startReceiver } from "../support/http/receiver.ts";
import { webhookCalls } from "../support/http/webhook-calls.ts";
import { tellEvents } from "../support/webhooks/webhooks.ts";

const former = "the master key that was there first, long enough";
const next = "the master key that takes its place, long enough";

// Has no role that opens secrets: it only creates the database.
const server = await testServer({ CROSSDOCK_ROLES: "feeds", CROSSDOCK_SECRET: former });
const client = await server.onboard("ACME");
const crossdock = commandLine(server);
const receiver = await startReceiver();
atEnd(() => receiver.close());

const keysOf = (current: string, previous?: string) => ({
  CROSSDOCK_ROLES: "api,auth,worker",
  CROSSDOCK_SECRET: current,
  ...(previous === undefined ? {} : { CROSSDOCK_SECRET_PREVIOUS: previous }),
});

const nodes: TestNode[] = [];
atEnd(async () => {
  for (const node of nodes) await node.stop();
});

/** Replaces a node, like a rolling restart. */
async function restart(i: 0 | 1, keys: Record<string, string>): Promise<void> {
  await nodes[i]?.stop();
  nodes[i] = await server.startNode(keys);
}

const secrets = new Map<string, string>();
const headerValue = "a value that only the receiver knows";

/** Creates a subscription through one node, sealed with that node's key. */
async function subscribe(i: 0 | 1, path: string): Promise<string> {
  const calls = webhookCalls((nodes[i] as TestNode).url, client);
  const made = await calls.create({
    url: `${receiver.url}${path}`,
    topicName: "*",
    facilityCode: "*",
    customHeaders: { "X-Token": headerValue },
  });
  secrets.set(path, made.signingSecret as string);
  return made.webhookId;
}

let eventCount = 0;
let isOver = false;
/** Publishes events continuously, like on a busy day. */
async function tellOn(): Promise<void> {
  while (!isOver) {
    await tellEvents(server, "ACME", [`O-${++eventCount}`]);
    await sleep(40);
  }
}

const isSigned = ({ path, headers, body }: ReceivedRequest) => {
  const key = Buffer.from((secrets.get(path) ?? "").replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString()}`;
  const expected = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(expected);
};

const sealedUnder = async (master: string) => {
  const box = createSecretBox(master);
  const found: string[] = [];
  for (const { table, columns } of sealedTables) {
    for (const column of columns) {
      const rows = await server.rows<{ text: string | null }>(`select ${column} as text from ${table} limit 1000`);
      found.push(...rows.flatMap(({ text }) => (text !== null && box.isCurrent(text) ? [`${table}.${column}`] : [])));
    }
  }
  return found;
};

test("a master key is changed in rolling restarts under load, and every event arrives, signed as before", async () => {
  await restart(0, keysOf(former));
  await restart(1, keysOf(former));
  await subscribe(0, "/first");
  const telling = tellOn();
  await receiver.waitFor(5);

  // Step 1: every node knows the next key, and still seals with the former one.
  await restart(0, keysOf(former, next));
  await restart(1, keysOf(former, next));
  await subscribe(1, "/second");
  assert.deepEqual(await sealedUnder(next), []);

  // Step 2: the nodes seal with the next key. Between the two restarts, one node seals with it and the other opens it.
  await restart(0, keysOf(next, former));
  await subscribe(0, "/third");
  assert.ok((await sealedUnder(next)).includes("webhook.signing_secret_sealed"));
  const sentOf = (path: string) => receiver.requests.filter((request) => request.path === path).length;
  await nodes[0]?.stop();
  nodes.shift();
  const before = sentOf("/third");
  await until("the node with the former key sends what the next one has sealed", () => sentOf("/third") > before + 3);
  nodes.unshift(await server.startNode(keysOf(next, former)));
  await restart(1, keysOf(next, former));

  // Step 3: the rest under the former key is sealed again.
  const rotated = await crossdock(["secret", "rotate", "--json"], {
    CROSSDOCK_SECRET: next,
    CROSSDOCK_SECRET_PREVIOUS: former,
  });
  assert.equal(rotated.code, 0, rotated.stderr);
  const report = JSON.parse(rotated.stdout) as { resealed: number; current: number; unopened: unknown[] };
  // Two webhooks with secret and headers, and the key of access tokens; the third webhook was made under the next key.
  assert.deepEqual([report.resealed, report.current, report.unopened], [5, 2, []]);
  assert.deepEqual(await sealedUnder(former), []);
  const again = await crossdock(["secret", "rotate"], {
    CROSSDOCK_SECRET: next,
    CROSSDOCK_SECRET_PREVIOUS: former,
  });
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /No text is encrypted with CROSSDOCK_SECRET_PREVIOUS: it can be removed\./);

  // Step 4: the former key is removed.
  await restart(0, keysOf(next));
  await restart(1, keysOf(next));
  await subscribe(1, "/fourth");
  await tellEvents(server, "ACME", ["O-last"]);
  isOver = true;
  await telling;
  const arrived = (path: string) =>
    new Set(receiver.requests.filter((request) => request.path === path).map(objectIdOf)).size;
  await until("all events have arrived", () => arrived("/first") === eventCount + 1, 100_000);
  assert.deepEqual(
    receiver.requests.filter((request) => !isSigned(request)).map(({ path }) => path),
    [],
  );
  assert.ok(receiver.requests.every(({ headers }) => headers["x-token"] === headerValue));
  await accessTokenOf((nodes[0] as TestNode).url, client.credentials.oauth);

  // The former key opens nothing any more: a start with it alone fails, with advice.
  await assert.rejects(
    server.startNode(keysOf(former)),
    /CROSSDOCK_SECRET decrypts none of the secrets in this database/,
  );
});

const objectIdOf = ({ body }: ReceivedRequest) =>
  String((JSON.parse(body.toString()) as { object?: { id?: string }; objectId?: string }).objectId ?? body.toString());

test("an interrupted rotation is continued by the next one", async () => {
  const { database } = server;
  const third = "a third master key, which is as long as the others";
  const secretBox = createSecretBox(third, next);
  let transactions = 0;
  const breaking = {
    ...database,
    transaction: ((work, options) => {
      if (++transactions > 2) throw new Error("the process was ended here");
      return database.transaction(work, options);
    }) as typeof database.transaction,
  };
  await assert.rejects(rotateMasterKey({ database: breaking, secretBox, batchSize: 1 }), /ended here/);
  const left = (await sealedUnder(next)).length;
  assert.ok(left > 0);
  const rest = await rotateMasterKey({ database, secretBox, batchSize: 1 });
  assert.equal(
    rest.columns.reduce((sum, { resealed }) => sum + resealed, 0),
    left,
  );
  assert.deepEqual(await sealedUnder(next), []);
});
