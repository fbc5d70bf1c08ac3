import { readFileSync } from "node:fs";
import { masterKeyOf } from "#/app/secrets/master-key.ts";
import { createUser } from "#/console-api/index.ts";
import { newSettings, saveRule } from "#/delivery/notifications/index.ts";
import { setChannels } from "#/delivery/outbound/index.ts";
import * as outbound from "#/delivery/outbound/repository.ts";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";
import { createSecretBox, type SecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { createIds, type Ids } from "#/kernel/values/ids.ts";
import { notifyChange } from "#/modules/clients/index.ts";
import { beginDemo, beginning } from "#/sandbox/demo/begin.ts";
import { brands, demoClientId } from "#/sandbox/demo/brands.ts";
import { playDays } from "#/sandbox/demo/day.ts";
import { catalogueXml } from "#/sandbox/demo/documents.ts";
import { goodsIn } from "#/sandbox/demo/goods-in.ts";
import { type DemoCredentials, guideCatalogue, keepDemoCredentials } from "#/sandbox/demo/greeting.ts";
import { historyDays, pastDays } from "#/sandbox/demo/history.ts";
import { deliverPast, subscribe } from "#/sandbox/demo/receivers.ts";
import { refusedFeeds } from "#/sandbox/demo/refused-feeds.ts";
import * as repository from "#/sandbox/demo/repository.ts";
import { stockWork } from "#/sandbox/demo/stock-work.ts";
import { type DemoWorld, openDemoWorld } from "#/sandbox/demo/world.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";

export { demoClientId };

interface SeedContext {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** URL of a running listener that answers the demo's subscriptions. Default: the configured one. */
  readonly url?: string;
}

const whole = "whole";
/** Other nodes wait for the node that creates the demo. */
const limits = { lockTimeoutMs: 40_000, statementTimeoutMs: 40_000 } as const;

/**
 * Creates two facilities, three brands with weeks of history, and the last days of their orders in every state. It does
 * nothing if the demo exists. It works stage by stage, and each stage may be repeated, so that the next start completes
 * an interrupted run.
 */
export async function seedDemo(context: SeedContext): Promise<void> {
  const { config, database, clock } = context;
  if (await isDone(database, whole)) return;
  const begunMs = clock.now();
  const ids = createIds();
  const at = new Date(begunMs - historyDays * dayMs).toISOString();
  const change: Change = { actor: "seed", origin: "local", at, ids };
  await database.transaction(async (tx) => {
    const beganAt = new Date(begunMs).toISOString();
    const credentials = await beginDemo(tx, change, { beganAt, environment: config.environment });
    // Runs before the commit. After it, a kill leaves a client whose credentials are lost.
    if (credentials) keepDemoCredentials(config.dataDir, { ...credentials, ...(await makeFirstUser(tx, change)) });
  }, limits);
  await notifyChange(database);
  await database.transaction(async (tx) => {
    await repository.lockDemo(tx, beginning);
    if (await isDone(database, whole)) return;
    // The store closes a transaction that is idle for seconds, which releases the lock.
    const stillHere = setInterval(() => void repository.lockDemo(tx, beginning).catch(() => {}), 2_000);
    await play(context).finally(() => clearInterval(stillHere));
  }, limits);
}

async function isDone(database: Database, stage: string): Promise<boolean> {
  const stages = await repository.listStages(database);
  return stages.some((entry) => entry.stage === stage && entry.done_at !== null);
}

async function play(context: SeedContext): Promise<void> {
  const { config, database } = context;
  const begin = (await repository.listStages(database)).find(({ stage }) => stage === beginning);
  assert(begin, "the demo was begun");
  const { environment, gs1Prefix } = config;
  const beganMs = Date.parse(begin.started_at);
  const world = await openDemoWorld({ database, beganMs, gs1Prefix, environment });
  try {
    await stage(context, "catalogues", () => open(context, world));
    if (config.demoHistory) {
      await stage(context, "days", async () => {
        const past = await pastDays(world);
        await playDays(world, [...past, ...goodsIn(world), ...stockWork(world), ...refusedFeeds(world)]);
      });
      await stage(context, "receivers", async () => {
        await takeOutbound(world);
        await deliverPast(world);
      });
    }
    await stage(context, whole, () => sendSamples(world));
  } finally {
    await world.close();
  }
}

async function stage({ database, clock }: SeedContext, name: string, work: () => Promise<void>): Promise<void> {
  if (await isDone(database, name)) return;
  const at = () => new Date(clock.now()).toISOString();
  await repository.beginStage(database, name, at());
  await work();
  await repository.endStage(database, name, at());
}

/** Sends the first documents of each brand and creates its subscriptions. */
async function open({ config, url }: SeedContext, world: DemoWorld): Promise<void> {
  world.goTo(historyDays * 24 - 1);
  const date = new Date(world.clock.now()).toISOString();
  const sent = [
    { clientId: demoClientId, xml: guideCatalogue(demoClientId, date), key: "demo-cat-0" },
    { clientId: demoClientId, xml: sample("CAT"), key: "demo-cat-1" },
    ...brands.map(({ clientId, goods }) => ({ clientId, xml: catalogueXml(clientId, date, goods), key: "demo-cat-2" })),
  ];
  for (const catalogue of sent)
    await accepted(world.send({ ...catalogue, type: "CAT" }), `CAT of ${catalogue.clientId}`);
  const secretBox = createSecretBox(masterKeyOf(config), config.secretPrevious);
  const { baseUrl, port } = config.http;
  if (config.demoHistory) await openChannels(world, secretBox);
  if (config.demoHistory) await addRule(world);
  if (config.demoHistory)
    await subscribe(world, secretBox, url ?? baseUrl ?? `http://127.0.0.1:${port === 0 ? 8080 : port}`);
  await world.publish();
}

const sample = (type: FeedType) => readFileSync(new URL(`../../../samples/accepted/${type}.xml`, import.meta.url));

/** The order matters: each document refers to earlier ones. */
async function sendSamples(world: DemoWorld): Promise<void> {
  world.goTo(0);
  for (const type of ["PO", "NO", "RMA"] as const) {
    const document = { clientId: demoClientId, type, xml: sample(type), key: `demo-sample-${type}` };
    await accepted(world.send(document), `the demo's ${type}`);
  }
}

async function accepted(receipt: ReturnType<DemoWorld["send"]>, what: string): Promise<void> {
  const { kind, ...answer } = await receipt;
  const isAccepted = kind === "replayed" || (kind === "validated" && "isAccepted" in answer && answer.isAccepted);
  assert(isAccepted, `${what} is accepted`);
}

const userName = "admin";

/** Creates the first user of the console. Returns nothing if the name is taken. */
async function makeFirstUser(tx: Transaction, change: Change): Promise<Pick<DemoCredentials, "console">> {
  const made = await createUser(tx, change, { userName, role: "admin" });
  return made.ok ? { console: { username: userName, password: made.value.password } } : {};
}

// Outbound feeds of the brands: one fetches at once, one late, one by SFTP.

/** FJORD fetches its files over SFTP. */
async function openChannels(world: DemoWorld, secretBox: SecretBox): Promise<void> {
  const change = {
    actor: "user:anna",
    origin: "console",
    at: new Date(world.clock.now()).toISOString(),
    ids: world.ids,
  };
  const pushContext = { secretBox, world: { allowsPlainHttp: true, refusalOfUrl: () => undefined } };
  await world.database.transaction(async (tx) => {
    const request = { types: outboundTypes, isHttp: false, isSftp: true, push: undefined };
    const set = await setChannels(tx.of("FJORD", change), request, pushContext);
    assert(set.ok, "the demo's ways of outbound feeds are set");
  });
}

/** The demo has no mail server: its messages are kept in the console. */
async function addRule({ database, clock, ids }: DemoWorld): Promise<void> {
  const at = new Date(clock.now()).toISOString();
  await database.transaction(async (tx) =>
    saveRule(tx, {
      ruleId: ids.next(clock.now()),
      name: "What hurts",
      channel: "MAIL",
      isActive: true,
      targetSealed: null,
      settings: {
        ...newSettings,
        addresses: ["operations@example.com"],
        kinds: ["FEED_REJECTED", "ORDER_LATE", "RECEIVER_FAILING", "SUBSCRIPTION_DISABLED", "DELIVERY_FAILED"],
        quietFrom: "22:00",
        quietUntil: "06:00",
        timeZone: "Europe/London",
      },
      updatedBy: "user:anna",
      createdAt: at,
      updatedAt: at,
      version: 1,
    }),
  );
}

/** Age in hours of the newest document that each client has fetched. LUMEN has not fetched since the day before. */
const takenHours = { DEMO: 2, LUMEN: 28 } as const;
const documentsMax = 1_000;

async function takeOutbound(world: DemoWorld): Promise<void> {
  const { database, beganMs } = world;
  for (const [clientId, hours] of Object.entries(takenHours)) {
    const beforeMs = beganMs - hours * hourMs;
    const waiting = await outbound.listPending(database.of(clientId), 0, undefined, documentsMax);
    const taken = waiting.filter(({ createdAt }) => Date.parse(createdAt) < beforeMs);
    await database.transaction(async (tx) => {
      await Promise.all(
        taken.map(({ messageId, createdAt }) => {
          const at = new Date(Date.parse(createdAt) + 600_000).toISOString();
          return outbound.acknowledge(tx.of(clientId), messageId, at);
        }),
      );
    });
  }
}
