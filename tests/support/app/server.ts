import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Config, loadConfig } from "#/kernel/config/config.ts";
import { createLogger, type Logger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { changeChannel, changeClient, type Onboarding, onboardClient, readSettings } from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { type Server, startServer } from "#/server.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database, Transaction } from "#/store/db/database.ts";
import { isUnavailable } from "#/store/db/errors.ts";
import { listen } from "#/store/db/store/listener.ts";
import { type FeedAnswer, readAcknowledgement } from "../oracles/acknowledgement.ts";
import { type TestDatabase, testDatabase } from "../postgres/database.ts";
import { unpackedRow } from "../postgres/unpacked.ts";
import "../oracles/document-check.ts";
import { call } from "../http/call.ts";
import { clientOf } from "../http/rest-client.ts";
import { checkEventsAfterwards } from "../oracles/event-check.ts";
import { atEnd } from "./at-end.ts";
import { refuseStalls } from "./stalls.ts";
import { until, untilTaken } from "./until.ts";

export interface TestServer extends TestDatabase {
  readonly url: string;
  /** Undefined unless the test sets CROSSDOCK_SFTP_PORT. */
  readonly sftp: Server["sftp"];
  readonly config: Config;
  /** The log lines of the server. */
  readonly logged: string[];
  /** Creates a client with credentials, with facilities DC1 and DC2 by default. */
  onboard(
    clientId: string,
    options?: { facilities?: readonly string[]; settings?: Record<string, string> },
  ): Promise<TestClient>;
  /** Applies an operator's command. Running servers see it at once. */
  operate<T>(work: (tx: Transaction, change: Change) => Promise<T>): Promise<T>;
  /** Waits until running servers have received the notifications of earlier changes, those of other processes too. */
  heard(): Promise<void>;
  /** Reads rows of the store that no API shows; the columns `data` and `payload` are unpacked. */
  rows<Row>(text: string, ...values: unknown[]): Promise<Row[]>;
  /** Starts another node on the same database. */
  startNode(environment?: Record<string, string>): Promise<TestNode>;
}

export interface TestNode {
  readonly url: string;
  readonly sftp: Server["sftp"];
  stop(): Promise<void>;
}

/** A client as its integration developer sees it: a URL and credentials. */
export interface TestClient {
  readonly credentials: Onboarding;
  /** The same client, connected to another node. */
  at(url: string): TestClient;
  /** Sends a document of a feed, and returns the sender's view of the response. */
  send(type: string, xml: string | Uint8Array, headers?: Record<string, string>, suffix?: string): Promise<FeedAnswer>;
  /** Sends a document that must be accepted. */
  accept(type: string, xml: string | Uint8Array, headers?: Record<string, string>): Promise<FeedAnswer>;
  /** Sends a document that must be rejected for exactly these reasons, in this order. */
  refuse(type: string, xml: string | Uint8Array, ...reasons: (string | RegExp)[]): Promise<FeedAnswer>;
  /** Sends any request with the client's feed key. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The status record of a document. */
  status(token: string): Promise<Record<string, unknown>>;
  /** Waits until the document has its asynchronous outcome, and returns its status record. */
  outcome(token: string): Promise<Record<string, unknown>>;
  /** Waits until the document is in this state. */
  becomes(token: string, state: string): Promise<Record<string, unknown>>;
  /** The order from the REST API; undefined if it does not exist. */
  order(orderId: string): Promise<Record<string, unknown> | undefined>;
  /** The stock of a facility by SKU, from the REST API. */
  onHand(facilityCode: string): Promise<ReadonlyMap<string, number>>;
  set(settings: Record<string, string>): Promise<void>;
}

/** A whole server in this process, on a separate database and a free port. Await it at the top of a file. */
export async function testServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const { url: databaseUrl, database } = await testDatabase();
  checkEventsAfterwards(database);
  const logged: string[] = [];
  const config = configOf(databaseUrl, environment);
  const log = createLogger({
    level: "info",
    format: "json",
    destination: { write: (line: string) => void logged.push(line) },
  });
  refuseStalls(() => logged.join(""));
  const server = await started(config, log);
  atEnd(() => server.stop());
  const url = server.url as string;
  await insertFacilities(database);
  const heard = listenAlong(databaseUrl, database);
  const operate: TestServer["operate"] = async (work) => {
    const result = await database.transaction((tx) => work(tx, change()));
    await heard();
    return result;
  };
  return {
    url,
    sftp: server.sftp,
    config,
    logged,
    database,
    onboard: (clientId, options = {}) => onboard({ database, operate }, url, clientId, options),
    operate,
    heard,
    async rows<Row>(text: string, ...values: unknown[]) {
      const statement = { text, values, name: `test ${hash("sha1", text)}`, isTenant: false };
      return (await database.query<Row>(statement)).map(unpackedRow);
    },
    async startNode(more = {}) {
      const node = await started(configOf(databaseUrl, { ...environment, ...more }), log);
      // Cleanup for a test that fails before it stops its node; a running node keeps the file from ending.
      atEnd(() => node.stop());
      return { url: node.url as string, sftp: node.sftp, stop: () => node.stop() };
    },
  };
}

/** Restarts a node that gets no database connection in time on a busy machine, like a process supervisor. */
async function started(config: Config, log: Logger): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(config, log);
    } catch (error) {
      if (!isUnavailable(error) || attempt === 5) throw error;
    }
  }
}

function configOf(databaseUrl: string, environment: Record<string, string>): Config {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-test-data-"));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const loaded = loadConfig(
    {
      DATABASE_URL: databaseUrl,
      PORT: "0",
      CROSSDOCK_DATA_DIR: dataDir,
      CROSSDOCK_SECRET: "a master key for tests, long enough",
      CROSSDOCK_SEED_DEMO: "false",
      CROSSDOCK_RATE_LIMIT: "off",
      // Automatic work is disabled, unless a test enables it.
      CROSSDOCK_WAREHOUSE_SIM: "false",
      CROSSDOCK_SFTP_PORT: "off",
      ...environment,
    },
    {
      cwd: dataDir,
      readFile: () => {
        throw Object.assign(new Error("no .env here"), { code: "ENOENT" });
      },
    },
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.fault));
  return loaded.value;
}

/** On a shared machine, everything may take ten times as long, and postponed work runs in the next minute. */
const waitMsMax = 90_000;
/** Time between two listeners receiving the same notification. */
const earsApartMs = 100;

/**
 * Returns a function that notifies running servers of a change and waits until they have received it. They send no
 * receipt, so the test listens on the same channel: PostgreSQL wakes up its listener together with theirs.
 */
function listenAlong(databaseUrl: string, database: Database): () => Promise<void> {
  const waiting = new Map<string, () => void>();
  const hear = (_channel: string, payload: string) => {
    // An empty payload means that notifications may have been missed: this listener has just connected, and the
    // servers' listeners probably too.
    const heard = payload === "" ? [...waiting.values()] : [waiting.get(payload)];
    for (const resolve of heard) resolve?.();
  };
  const listener = listen(databaseUrl, [changeChannel], hear, () => {});
  atEnd(() => listener.stop());
  return async () => {
    const receipt = ids.next(Date.now());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.set(receipt, resolve);
    const timer = setTimeout(() => reject(new Error("no notice came")), waitMsMax);
    try {
      await database.query({
        text: "select pg_notify($1, $2)",
        values: [changeChannel, receipt],
        name: "test notice",
        isTenant: false,
      });
      await promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(receipt);
    }
    await new Promise((go) => setTimeout(go, earsApartMs));
  };
}

const ids = createIds();
const change = (): Change => ({ actor: "test", origin: "test", at: new Date().toISOString(), ids });

async function insertFacilities(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    for (const facilityCode of ["DC1", "DC2", "DC3"]) {
      await createFacility(tx, change(), {
        facilityCode,
        name: facilityCode,
        country: "GB",
        timezone: "Europe/London",
      });
    }
  });
}

async function onboard(
  { database, operate }: { database: Database; operate: TestServer["operate"] },
  url: string,
  clientId: string,
  options: { facilities?: readonly string[]; settings?: Record<string, string> },
): Promise<TestClient> {
  const { facilities = ["DC1", "DC2"], settings } = options;
  const onboarded = await database.transaction((tx) =>
    onboardClient(tx, change(), { clientId, name: clientId, facilities, environment: "sandbox" }),
  );
  if (!onboarded.ok) throw new Error(onboarded.fault);
  const client = clientAt(operate, url, onboarded.value);
  if (settings) await client.set(settings);
  return client;
}

function clientAt(operate: TestServer["operate"], url: string, credentials: Onboarding): TestClient {
  const { clientId, feed } = credentials;
  const rest = clientOf({ url }, { credentials });
  const client: TestClient = {
    credentials,
    at: (other) => clientAt(operate, other, credentials),
    async send(type, xml, headers = {}, suffix = "") {
      const response = await client.request(`/feeds/${clientId}/${type}${suffix}`, {
        method: "POST",
        headers: { "content-type": "application/xml", ...headers },
        body: xml as string,
      });
      return readAcknowledgement(response.status, response.headers, await response.bytes());
    },
    async accept(type, xml, headers = {}) {
      const answer = await untilTaken(() => client.send(type, xml, headers), waitMsMax);
      assert.ok(answer.isAccepted, answer.body);
      return answer;
    },
    async refuse(type, xml, ...reasons) {
      const answer = await client.send(type, xml);
      assert.equal(answer.isAccepted, false, answer.body);
      assert.equal(answer.errors.length, reasons.length, answer.body);
      reasons.forEach((reason, i) => {
        if (typeof reason === "string") assert.equal(answer.errors[i], reason);
        else assert.match(answer.errors[i] as string, reason);
      });
      return answer;
    },
    request: (path, init = {}) =>
      fetch(url + path, {
        ...init,
        headers: { "x-api-key": feed.apiKey, ...(init.headers as Record<string, string>) },
      }),
    async status(token) {
      const response = await client.request(`/feeds/${clientId}/status/${token}`);
      assert.equal(response.status, 200);
      return (await response.json()) as Record<string, unknown>;
    },
    async outcome(token) {
      const ended = async () => {
        const status = await client.status(token);
        return status.state !== "ACCEPTED" && status;
      };
      return until(`the outcome of ${token}`, ended, waitMsMax);
    },
    async becomes(token, state) {
      let status: Record<string, unknown> = {};
      const hasState = async () => {
        status = await client.status(token);
        return status.state === state && status;
      };
      return until(() => `the document to be ${state}; it is ${status.state}`, hasState, waitMsMax);
    },
    async order(orderId) {
      const path = "/v1/orderService/order/get/{orderId}";
      const { data, response } = await rest.orders.GET(path, { params: { path: { orderId } } });
      if (response.status === 404) return undefined;
      assert.equal(response.status, 200);
      return data;
    },
    async onHand(facilityCode) {
      const query = { distributionCentre: facilityCode, limit: 500 };
      const { data, response } = await rest.inventory.GET("/v1/inventoryService/inventory/list", { params: { query } });
      assert.equal(response.status, 200);
      assert.equal(data?.nextCursor, null);
      return new Map(data?.items.map(({ sku, onHand }) => [sku, onHand]));
    },
    async set(changes) {
      const read = readSettings(Object.entries(changes).map(([name, value]) => `${name}=${value}`));
      if (!read.ok) throw new Error(String(read.fault));
      const changed = await operate((tx, change) => changeClient(tx.of(clientId, change), { settings: read.value }));
      if (!changed.ok) throw new Error(changed.fault.detail);
    },
  };
  return client;
}

/** Fetches a token like a client. */
export async function accessTokenOf(url: string, oauth: Onboarding["oauth"]): Promise<string> {
  const { status, body } = await call("POST", `${url}/v1/oauth/token`, {
    body: { grant_type: "client_credentials", ...oauth },
  });
  assert.equal(status, 200);
  return String(body.access_token);
}
