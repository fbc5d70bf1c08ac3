import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import type { Change } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { type Config, loadConfig } from "#/kernel/config.ts";
import { createIds } from "#/kernel/ids.ts";
import { createLogger } from "#/kernel/log.ts";
import { startServer } from "#/main.ts";
import { changeClient, notifyChange, type Onboarding, onboardClient, readSettings } from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

export interface TestServer extends TestDatabase {
  readonly url: string;
  readonly config: Config;
  /** The lines that the server logged. */
  readonly logged: string[];
  /** Makes a client with credentials, open to facilities DC1 and DC2 unless others are named. */
  onboard(
    clientId: string,
    options?: { facilities?: readonly string[]; settings?: Record<string, string> },
  ): Promise<TestClient>;
  /** Starts another node on the same database. */
  startNode(environment?: Record<string, string>): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** A client as a brand's integration developer has it: an address and its keys. */
export interface TestClient {
  readonly credentials: Onboarding;
  /** Sends a document of a feed, and answers what a sender sees. */
  send(type: string, xml: string | Uint8Array, headers?: Record<string, string>, suffix?: string): Promise<FeedAnswer>;
  /** Waits until the document has its asynchronous outcome, and answers its status record. */
  outcome(token: string): Promise<Record<string, unknown>>;
  set(settings: Record<string, string>): Promise<void>;
}

export interface FeedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly isAccepted: boolean;
  readonly token: string;
  readonly objectId: string | undefined;
  readonly errors: readonly string[];
  readonly missingSkus: readonly string[];
}

/** A whole server in this process, on a database of its own, listening on a free port. To be awaited at the top of a file. */
export async function testServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const { url: databaseUrl, database } = await testDatabase();
  const logged: string[] = [];
  const config = configOf(databaseUrl, environment);
  const log = createLogger({
    level: "info",
    format: "json",
    destination: { write: (line: string) => void logged.push(line) },
  });
  const server = await startServer(config, undefined, log);
  after(async () => {
    await server.stop();
    await rm(config.dataDir, { recursive: true, force: true });
  });
  const url = server.url as string;
  await insertFacilities(database);
  return {
    ...{ url, config, logged, database },
    onboard: (clientId, options = {}) => onboard(database, url, clientId, options),
    async startNode(more = {}) {
      const node = await startServer(configOf(databaseUrl, { ...environment, ...more }), undefined, log);
      return { url: node.url as string, stop: () => node.stop() };
    },
  };
}

function configOf(databaseUrl: string, environment: Record<string, string>): Config {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-test-data-"));
  const loaded = loadConfig(
    {
      DATABASE_URL: databaseUrl,
      PORT: "0",
      CROSSDOCK_DATA_DIR: dataDir,
      CROSSDOCK_SECRET: "a master key for tests, long enough",
      CROSSDOCK_SEED_DEMO: "false",
      CROSSDOCK_RATE_LIMIT: "off",
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
  database: Database,
  url: string,
  clientId: string,
  options: { facilities?: readonly string[]; settings?: Record<string, string> },
): Promise<TestClient> {
  const { facilities = ["DC1", "DC2"], settings } = options;
  const onboarded = await database.transaction((tx) =>
    onboardClient(tx, change(), { clientId, name: clientId, facilities, environment: "sandbox" }),
  );
  if (!onboarded.ok) throw new Error(onboarded.fault);
  const credentials = onboarded.value;
  const key = { "x-api-key": credentials.feed.apiKey };
  const client: TestClient = {
    credentials,
    async send(type, xml, headers = {}, suffix = "") {
      const response = await fetch(`${url}/feeds/${clientId}/${type}${suffix}`, {
        method: "POST",
        headers: { ...key, "content-type": "application/xml", ...headers },
        body: xml as string,
      });
      return readAnswer(response);
    },
    async outcome(token) {
      for (const until = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const response = await fetch(`${url}/feeds/${clientId}/status/${token}`, { headers: key });
        const status = (await response.json()) as Record<string, unknown>;
        if (status.state !== "ACCEPTED" || Date.now() > until) return status;
      }
    },
    async set(changes) {
      const read = readSettings(Object.entries(changes).map(([name, value]) => `${name}=${value}`));
      if (!read.ok) throw new Error(String(read.fault));
      const changed = await database.transaction((tx) =>
        changeClient(tx, change(), clientId, { settings: read.value }),
      );
      if (!changed.ok) throw new Error(changed.fault);
      await notifyChange(database);
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  };
  if (settings) await client.set(settings);
  return client;
}

async function readAnswer(response: Response): Promise<FeedAnswer> {
  const body = await response.text();
  const all = (pattern: RegExp) => [...body.matchAll(pattern)].map(([, text]) => decodeXml(text as string));
  return {
    status: response.status,
    headers: response.headers,
    body,
    isAccepted: body.includes("<success>true</success>"),
    token: all(/<token>([^<]*)/g)[0] ?? "",
    objectId: all(/<objectId>([^<]*)/g)[0],
    errors: all(/<error>([^<]*)/g),
    missingSkus: all(/<sku>([^<]*)/g),
  };
}

function decodeXml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
