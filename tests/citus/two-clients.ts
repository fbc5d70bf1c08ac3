// Two clients of a program on Citus whose rows are on different workers, and their load: every sender sends an order
// until it knows that the order is stored, then the next.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createIds } from "#/kernel/values/ids.ts";
import { notifyChange, type Onboarding, onboardClient } from "#/modules/clients/index.ts";
import { workerSettings } from "#/store/db/citus/placement.ts";
import { openDatabase } from "#/store/db/database.ts";
import { type Answer, call, catalogue, orderXml } from "../faults/load/sender.ts";
import { drained, withClient } from "../faults/oracles/oracle.ts";
import { atEnd } from "../support/app/at-end.ts";
import { makeDataDir, type ServerProcess, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import type { CitusCluster } from "../support/postgres/citus-cluster.ts";

export const secret = "a master key for tests, long enough";
const sendersOfClient = 3;
const linesOfOrder = 2;
const answersMin = 40;
const pauseMs = 250;
const clientId = "DEMO";

/** A request. */
export interface Sent {
  readonly clientId: string;
  readonly orderId: string;
  /** Undefined if the connection broke. */
  readonly answer: Answer | undefined;
}

export interface TwoClients {
  /** The one that runs now. */
  server(): ServerProcess;
  /** The demo client, and one on another worker. */
  readonly clientIds: readonly [string, string];
  /** The credentials of the client on the other worker. */
  readonly other: Onboarding;
  /** The port of the worker that has the client's rows. */
  portOf(clientId: string): Promise<number>;
  /**
   * Sends orders of both clients until `work` has ended and a few more are answered. Prints what the clients saw.
   * @param work its argument returns the requests that are answered
   */
  underLoad(t: TestContext, work: (answered: () => readonly Sent[]) => Promise<void>): Promise<readonly Sent[]>;
  /** Stops the program, and starts it again when `work` is done. @param env further variables from then on */
  whileStopped(work: () => Promise<void>, env?: Readonly<Record<string, string>>): Promise<void>;
  /** The program's own connections to the node of this port, without those of the coordinator. */
  connectionsTo(port: number): Promise<number>;
  /** Each order that was sent is there once, with its lines and its event. */
  checkOrders(): Promise<void>;
}

const isAccepted = ({ answer }: Sent) => answer?.isAccepted === true;
/** An earlier request was stored, and its answer was lost. */
const isRepeat = ({ answer }: Sent) => /\[DUPLICATE\] .* its bytes are identical/.test(answer?.body ?? "");

export const refusedOf = (requests: readonly Sent[], of: string) =>
  requests.filter((sent) => sent.clientId === of && !isAccepted(sent) && !isRepeat(sent));
/** Each was refused with 503 and the time after which to send it again. */
export function assertRetryLater(refused: readonly Sent[]): void {
  for (const { answer } of refused) {
    assert.equal(answer?.status, 503, answer?.body ?? "no answer");
    assert.match(answer?.headers["retry-after"] ?? "", /^\d+$/);
  }
}

export const acceptedOf = (requests: readonly Sent[], of: string) =>
  requests.filter((sent) => sent.clientId === of && isAccepted(sent));

/** The result of a statement on a separate connection. */
export type List = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

export async function openList(url: string): Promise<List> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  atEnd(() => client.end());
  return async <Row>(text: string, ...values: unknown[]) => (await client.query(text, values)).rows as Row[];
}

const createOperator = "create role operator login superuser";

/** As a superuser other than the program's role, which waits for locks for one second only. */
export async function openOperator(url: string): Promise<List> {
  await withClient(url, (client) => client.query(createOperator));
  return openList(Object.assign(new URL(url), { username: "operator" }).href);
}

/** A further worker, which has no shard yet; returns its port. */
export async function addWorker(cluster: CitusCluster, url: string, list: List): Promise<number> {
  const port = await cluster.grow();
  await withClient(`postgres://postgres@127.0.0.1:${port}/postgres`, (client) => client.query(createOperator));
  await list("select citus_add_node('127.0.0.1', $1)", port);
  await withClient(url, async (client) => {
    for (const text of await workerSettings(client)) await client.query(text);
  });
  return port;
}

export async function startTwoClients(url: string, list: List): Promise<TwoClients> {
  const start = (dataDir: string, env = {}) =>
    startProcess(dataDir, { DATABASE_URL: url, CROSSDOCK_SECRET: secret, ...env });
  let server = await start(makeDataDir());

  async function portOf(of: string): Promise<number> {
    const [row] = await list<{ port: number }>(
      `select nodeport as port from citus_shards
       where table_name = 'tenant'::regclass and shardid = get_shard_id_for_distribution_column('tenant', $1::text)`,
      of,
    );
    assert.ok(row);
    return row.port;
  }

  async function onboardOnOtherWorker(): Promise<Onboarding> {
    const there = await portOf(clientId);
    let number = 1;
    while ((await portOf(`BRAND${number}`)) === there) number++;
    const name = `BRAND${number}`;
    const database = openDatabase({ url, connectionsMax: 1, applicationName: "crossdock test" });
    const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids: createIds() };
    const onboarding = { clientId: name, name, facilities: ["DC1"], environment: "sandbox" } as const;
    const onboarded = await database.transaction((tx) => onboardClient(tx, change, onboarding));
    await notifyChange(database);
    await database.close();
    assert.ok(onboarded.ok);
    return onboarded.value;
  }

  const other = await onboardOnOtherWorker();
  const clientIds = [clientId, other.clientId] as const;
  const keys: Readonly<Record<string, string>> = {
    [clientId]: server.demo.feed.apiKey,
    [other.clientId]: other.feed.apiKey,
  };
  const send = (of: string, type: string, xml: string) =>
    call(`${server.url}/feeds/${of}/${type}`, {
      method: "POST",
      headers: { "x-api-key": keys[of] as string, "content-type": "application/xml" },
      body: xml.replaceAll(`<clientId>${clientId}<`, `<clientId>${of}<`),
    });
  for (const of of clientIds) {
    await until("the items to be there", async () => (await send(of, "CAT", catalogue.xml)).isAccepted);
  }

  const sent: Sent[] = [];

  async function underLoad(t: TestContext, work: (answered: () => readonly Sent[]) => Promise<void>) {
    const from = sent.length;
    const answered = () => sent.slice(from);
    let isOver = false;
    async function sendUntilStored(of: string, orderId: string): Promise<void> {
      for (;;) {
        const answer = await send(of, "NO", orderXml(orderId, linesOfOrder)).catch(() => undefined);
        const request = { clientId: of, orderId, answer };
        sent.push(request);
        if (isAccepted(request) || isRepeat(request)) return;
        await sleep(pauseMs);
      }
    }
    async function keepSending(of: string, sender: number): Promise<void> {
      for (let number = 0; !isOver; number++) await sendUntilStored(of, `${of}-${from}-${sender}-${number}`);
    }
    const sending = Promise.all(
      clientIds.flatMap((of) => Array.from({ length: sendersOfClient }, (_, sender) => keepSending(of, sender))),
    );
    const beganMs = performance.now();
    const haveAnswers = (than: number) => until("answers", () => sent.length > than + answersMin, 60_000);
    try {
      await haveAnswers(from);
      await work(answered);
      await haveAnswers(sent.length);
    } finally {
      isOver = true;
      await sending;
    }
    for (const of of clientIds) {
      const times = answered().flatMap(({ clientId: sender, answer }) => (sender === of && answer ? answer.ms : []));
      const refused = refusedOf(answered(), of).length;
      t.diagnostic(
        `${of}: ${times.length} answers in ${Math.round(performance.now() - beganMs)} ms, ${refused} refused, slowest ${Math.round(Math.max(...times))} ms`,
      );
    }
    return answered();
  }

  async function checkOrders(): Promise<void> {
    await drained(url);
    for (const of of clientIds) {
      const rows = await list<{ id: string; lines: number; received: number }>(
        `select o.order_id as id,
           (select count(*)::int from sales_order_line l where l.client_id = o.client_id and l.order_id = o.order_id) as lines,
           (select count(*)::int from event e where e.client_id = o.client_id and e.object_id = o.order_id
              and e.topic = 'order:received') as received
         from sales_order o where o.client_id = $1 and o.order_id like $1 || '-%' limit 100000`,
        of,
      );
      const orderIds = new Set(sent.flatMap(({ clientId: sender, orderId }) => (sender === of ? orderId : [])));
      assert.deepEqual(rows.map(({ id }) => id).toSorted(), [...orderIds].toSorted());
      assert.deepEqual(
        rows.filter(({ lines, received }) => lines !== linesOfOrder || received !== 1),
        [],
      );
    }
  }

  return {
    server: () => server,
    clientIds,
    other,
    portOf,
    underLoad,
    async whileStopped(work, env) {
      await server.stop("SIGTERM");
      await work();
      server = await start(server.dataDir, env);
    },
    connectionsTo: (port) =>
      withClient(Object.assign(new URL(url), { port: String(port) }).href, async (node) => {
        const { rows } = await node.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
           where datname = current_database() and application_name = 'crossdock'`,
        );
        return rows[0]?.count ?? 0;
      }),
    checkOrders,
  };
}
