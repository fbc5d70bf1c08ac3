import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { createIds } from "#/kernel/values/ids.ts";
import { issueWarehouseCredential, notifyChange, onboardClient } from "#/modules/clients/index.ts";
import { createPortClient, type PortClient } from "#/sandbox/simulator/port-client.ts";
import type { Change } from "#/store/db/audit.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { type EmbeddedServer, startEmbedded } from "#/store/db/embedded/index.ts";
import { benchClient, catalogue } from "../feeds/documents.ts";
import { type Product, startProduct, temporaryFolder, tokenOf } from "../feeds/machine.ts";
import { sendFeed } from "../feeds/send.ts";
import { acceptedReport } from "./reports.ts";
import { settled } from "./settled.ts";

const facilityCode = "DC1";
/** Orders use no SKU below 100: SKUs of equal length ensure that none is a prefix of another. */
export const firstSku = 100;
const piecesOfSku = 1_000_000;

/** A client whose orders are processed. */
export interface Brand {
  readonly clientId: string;
  readonly apiKey: string;
  /** The number of SKUs that it has in stock, starting with the first. */
  readonly skus: number;
}

/** 300, because the SKUs of the copied past have one of three first digits. */
const skusOfBrand = 300;
const skusOfSmallBrand = 20;

/** The database of a product. */
export interface Store {
  readonly name: string;
  readonly databaseUrl: string;
  readonly postgresPid: number;
  /** PostgreSQL's superuser: statistics of statements and the load of a history need more than the product's role. */
  readonly client: pg.Client;
  /** The pause between two looks whether all events are published; a look costs processor time of the store. */
  readonly lookMs?: number;
}

/** A separate PostgreSQL and product, so that the processor time of one base never counts for another. */
export interface Base extends Store {
  readonly product: Product;
  readonly port: PortClient;
  /** The client that is measured. */
  readonly brand: Brand;
  /** An access token of that client, which reads its papers. */
  readonly token: string;
}

/**
 * PostgreSQL's settings during the measurement. Dead rows are vacuumed as in production. Only the product itself
 * analyzes tables: an automatic analyze would run at an arbitrary moment and add its cost to one round.
 */
const settings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_planning": "on",
  autovacuum_analyze_threshold: "2147483647",
  autovacuum_vacuum_insert_threshold: "-1",
  checkpoint_timeout: "1h",
};

/**
 * @param closers receives each function that releases a resource as soon as the resource is open, because a start may
 * fail or be interrupted; the last one runs first
 */
export async function startBase(name: string, closers: (() => unknown)[], env: NodeJS.ProcessEnv = {}): Promise<Base> {
  const folder = temporaryFolder(`postgres-${name}`);
  const server = await startEmbedded({ dataDir: folder, settings });
  closers.push(() => server.stop());
  const client = new pg.Client({ connectionString: superuserUrl(server, folder) });
  await client.connect();
  closers.push(() => client.end());
  await client.query("create extension pg_stat_statements");
  return openBase({ name, databaseUrl: server.url, postgresPid: server.pid, client }, closers, env);
}

/** Starts the product on a database, and gives its client goods. @param closers as above */
export async function openBase(store: Store, closers: (() => unknown)[], env: NodeJS.ProcessEnv): Promise<Base> {
  const { databaseUrl } = store;
  const product = await startProduct(databaseUrl, env);
  closers.push(() => product.stop());
  const { oauth } = await inDatabase(databaseUrl, (database) =>
    database.transaction((tx) => issueWarehouseCredential(tx, change(), { facilityCode, environment: "sandbox" })),
  );
  const abortController = new AbortController();
  closers.push(() => abortController.abort());
  const { url } = product;
  const port = createPortClient({ portUrl: url, authUrl: url, oauth, signal: abortController.signal });
  const brand = { clientId: benchClient, apiKey: product.apiKey, skus: skusOfBrand };
  const base: Base = {
    ...store,
    product,
    port,
    brand,
    token: await tokenOf(product),
  };
  await stock(base, brand);
  return base;
}

/** A small client of the same facility. */
export async function onboard(base: Base, clientId: string): Promise<Brand> {
  const onboarded = await inDatabase(base.databaseUrl, async (database) => {
    const made = await database.transaction((tx) =>
      onboardClient(tx, change(), { clientId, name: clientId, facilities: [facilityCode], environment: "sandbox" }),
    );
    await notifyChange(database);
    return made;
  });
  if (!onboarded.ok) throw new Error(onboarded.fault);
  const brand = { clientId, apiKey: onboarded.value.feed.apiKey, skus: skusOfSmallBrand };
  await stock(base, brand);
  return brand;
}

const ids = createIds();
const change = (): Change => ({ actor: "bench", origin: "bench", at: new Date().toISOString(), ids });

export function superuserUrl(server: EmbeddedServer, folder: string): string {
  const credentials = readFileSync(path.join(folder, "postgres-credentials.json"), "utf8");
  const { superuser: password } = JSON.parse(credentials) as { superuser: string };
  return Object.assign(new URL(server.url), { username: "postgres", password }).href;
}

async function inDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock bench" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function stock(base: Base, { clientId, apiKey, skus }: Brand): Promise<void> {
  const { port, product } = base;
  await sendFeed({ url: product.url, apiKey }, clientId, "CAT", catalogue(firstSku + skus - 1, "SKU-", clientId));
  const lines = Array.from({ length: skus }, (_, i) => ({ sku: `SKU-${firstSku + i}`, qty: piecesOfSku }));
  const id = `STOCK-${clientId}`;
  await acceptedReport(port, "adjustment", { clientId, adjustmentId: id, reasonCode: "FOUND", lines });
  await settled(base, clientId);
}
