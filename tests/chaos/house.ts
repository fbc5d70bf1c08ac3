// The target of the faults: PostgreSQL, a proxy before it and the complete program in one process, on fixed ports; six
// clients with stock, a catalogue and a webhook each, and a warehouse.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { roleNames } from "#/kernel/config/role-names.ts";
import { createIds } from "#/kernel/values/ids.ts";
import {
  changeClient,
  issueWarehouseCredential,
  notifyChange,
  type Onboarding,
  onboardClient,
} from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { type SourceCall, type SourceCalls, saveSource } from "#/modules/labels/index.ts";
import { openDatabase } from "#/store/db/database.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { type Node, startNode } from "../faults/nodes/nodes.ts";
import { type StoreProxy, startStoreProxy } from "../faults/nodes/store-proxy.ts";
import { withClient } from "../faults/oracles/oracle.ts";
import { atEnd } from "../support/app/at-end.ts";
import { freePort } from "../support/app/free-port.ts";
import { endProcess, makeDataDir, postgresOf } from "../support/app/process.ts";
import { runProgram } from "../support/app/program.ts";
import { until } from "../support/app/until.ts";
import { carrierDataOf, saveCarriers, seedCarriers, serviceOf } from "../support/carriers/carriers.ts";
import { secret as carrierSecret, standInDefinition, startLabelStandIn } from "../support/carriers/label-stand-in.ts";
import type { SftpPlace } from "../support/sftp/session.ts";

type LabelStandIn = Awaited<ReturnType<typeof startLabelStandIn>>;

/** Warehouses: orders leave from both, transfers go from the first to the second. */
export const facilityCodes = ["DC1", "DC2"] as const;
export type FacilityCode = (typeof facilityCodes)[number];
const secret = "a master key for tests, long enough";

export interface ChaosClient extends Onboarding {
  /** Faults of one client strike these clients; the bounds of liveness apply to the others. */
  readonly isVictim: boolean;
}

export interface House {
  readonly url: string;
  readonly sftp: SftpPlace;
  /** The database, without the proxy. */
  readonly databaseUrl: string;
  readonly proxy: StoreProxy;
  readonly clients: readonly ChaosClient[];
  /** Credentials for the port of each facility. */
  readonly warehouses: ReadonlyMap<FacilityCode, Onboarding["oauth"]>;
  /** The carrier of the victims' parcels; the others have another one. Undefined: the program buys no labels. */
  readonly carrierOfVictims: LabelStandIn | undefined;
  readonly pid: number;
  /** The folder of the program's own files. */
  readonly folder: string;
  /** The complete output of its processes. */
  output(): string;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** @returns the milliseconds until it was ready */
  start(): Promise<number>;
  /** Sets the error of the program's clock. */
  setClock(aheadMs: number): void;
  /** Stops PostgreSQL, by kill -9 or by an immediate shutdown, and waits until it serves again. */
  strikeStore(signal: "SIGKILL" | "SIGQUIT"): Promise<void>;
  /** Runs a statement without the proxy. */
  rows<Row>(text: string, ...values: unknown[]): Promise<Row[]>;
  /** Runs the `crossdock` command of the program under test. */
  command(...words: string[]): Promise<{ readonly code: number; readonly output: string }>;
}

export interface HouseOptions {
  /** `src/main.ts` of another version of the program. */
  readonly program?: string | undefined;
  /** Options of Node. */
  readonly options?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const retrySchedule = [0.5, 0.5, 1, 2, ...Array.from({ length: 12 }, () => 4)].join(",");
const healthy = ["CALM1", "CALM2", "CALM3", "CALM4"];
const victims = ["VICTIM1", "VICTIM2"];

export async function openHouse({ program, options = [], environment = {} }: HouseOptions): Promise<House> {
  const storeDir = makeDataDir();
  // A killed process leaves the system's cache intact: no fault here stops the machine.
  const postgres = await startEmbedded({ dataDir: storeDir, settings: { fsync: "off", max_connections: "200" } });
  const proxy = await startStoreProxy(postgres.url);
  const dataDir = makeDataDir();
  const clock = path.join(dataDir, "chaos-clock");
  // As for an installed program: a start without it takes 3 s more processor time.
  const compileCache = process.env.NODE_COMPILE_CACHE ?? path.join(dataDir, "compile-cache");
  const [port, sftpPort] = [await freePort(), await freePort()];
  let node: Node | undefined;
  let written = "";
  const client = new pg.Pool({ connectionString: postgres.url, max: 4 });
  client.on("error", () => {});
  atEnd(async () => {
    await node?.kill();
    await client.end();
    await proxy.close();
    await postgres.stop();
  });

  async function start(): Promise<number> {
    node = await startNode({
      databaseUrl: proxy.url,
      dataDir,
      roles: roleNames.filter((role) => role !== "warehouse-sim"),
      ...(program === undefined ? {} : { program }),
      environment: {
        PORT: String(port),
        CROSSDOCK_SFTP_PORT: String(sftpPort),
        NODE_COMPILE_CACHE: compileCache,
        SHIFTED_CLOCK_FILE: clock,
        // The circuit breaker opens after the first two steps, and probes at the longest interval: a fault's effects
        // end within seconds.
        CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: retrySchedule,
        NODE_OPTIONS: ["--import", new URL("../support/app/shifted-clock.mjs", import.meta.url).href, ...options].join(
          " ",
        ),
        ...environment,
      },
    });
    return node.readyMs;
  }

  const running = (): Node => {
    if (node === undefined) throw new Error("the program has not been started");
    return node;
  };
  const ended = () => {
    written += node?.output() ?? "";
    node = undefined;
  };

  await start();
  const { clients, warehouses } = await makeClients(postgres.url);
  const carrierOfVictims = await makeCarriers(postgres.url);
  return {
    url: `http://127.0.0.1:${port}`,
    sftp: { host: "127.0.0.1", port: sftpPort },
    databaseUrl: postgres.url,
    proxy,
    clients,
    warehouses,
    carrierOfVictims,
    start,
    folder: dataDir,
    get pid() {
      return running().pid;
    },
    output: () => written + (node?.output() ?? ""),
    async kill() {
      await running().kill();
      ended();
    },
    async stop() {
      await running().stop("SIGTERM");
      ended();
    },
    setClock: (aheadMs) => writeFileSync(clock, String(aheadMs)),
    async strikeStore(signal) {
      const { postmaster } = postgresOf(storeDir);
      if (postmaster === undefined) throw new Error("PostgreSQL does not run");
      if (signal === "SIGKILL") endProcess(postmaster);
      else process.kill(postmaster, signal);
      await until("PostgreSQL to end", () => postgresOf(storeDir).postmaster !== postmaster);
      await until(
        "PostgreSQL to be back",
        () => withClient(postgres.url, (client) => client.query("select")).catch(() => undefined),
        60_000,
      );
    },
    rows: async (text, ...values) => (await client.query(text, values)).rows,
    command: (...words) =>
      runCommand(program, words, {
        DATABASE_URL: postgres.url,
        CROSSDOCK_DATA_DIR: dataDir,
        NODE_COMPILE_CACHE: compileCache,
      }),
  };
}

/** A label source for the victims and one for the others. @returns that of the victims */
async function makeCarriers(url: string): Promise<LabelStandIn | undefined> {
  const database = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock chaos" });
  try {
    const hasSources = await withClient(url, (client) => client.query("select to_regclass('label_source') as found"));
    if (hasSources.rows[0]?.found === null) return undefined;
    const withSecret = (call: SourceCall): SourceCall => ({
      ...call,
      headers: { ...call.headers, authorization: carrierSecret },
    });
    const plain = Object.entries(standInDefinition.calls ?? {}) as [string, SourceCall][];
    const calls = Object.fromEntries(plain.map(([name, call]) => [name, withSecret(call)])) as SourceCalls;
    const standIns = { CALM: await startLabelStandIn(), VICTIMS: await startLabelStandIn() };
    for (const [sourceCode, standIn] of Object.entries(standIns)) {
      atEnd(() => standIn.close());
      const at = new Date().toISOString();
      const stored = { headersSealed: null, updatedBy: "chaos", createdAt: at, updatedAt: at, version: 1 } as const;
      const definition = { ...standInDefinition, attemptsMax: 20, calls };
      const source = {
        sourceCode,
        name: sourceCode,
        kind: "HTTP",
        url: standIn.url,
        isActive: true,
        definition,
      } as const;
      await database.transaction(async (tx) => saveSource(tx, { ...source, ...stored }));
    }
    for (const clientId of [...healthy, ...victims]) {
      const labelSources = [victims.includes(clientId) ? "VICTIMS" : "CALM"];
      const shippingMethods = { ECONOMY: "C48", STANDARD: "C48", EXPRESS: "C48", NEXT_DAY: "C48" };
      const data = carrierDataOf(serviceOf("C48", "CARRIER", 3, { labelSources }));
      await saveCarriers(database, { ...data, mapping: { shippingMethods } }, clientId);
    }
    await notifyChange(database);
    return standIns.VICTIMS;
  } finally {
    await database.close();
  }
}

async function runCommand(
  program: string | undefined,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const main = program ?? fileURLToPath(new URL("../../src/main.ts", import.meta.url));
  const { code, stdout, stderr } = await runProgram(
    [process.execPath, path.join(path.dirname(main), "cli", "main.ts"), ...words],
    {
      cwd: environment.CROSSDOCK_DATA_DIR,
      env: { PATH: process.env.PATH, CROSSDOCK_SECRET: secret, ...environment },
    },
  );
  return { code: code ?? 1, output: stdout + stderr };
}

async function makeClients(url: string): Promise<Pick<House, "clients" | "warehouses">> {
  const database = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock chaos" });
  const change = { actor: "chaos", origin: "chaos", at: new Date().toISOString(), ids: createIds() };
  try {
    const warehouses = new Map<FacilityCode, Onboarding["oauth"]>();
    for (const facilityCode of facilityCodes) {
      const { oauth } = await database.transaction(async (tx) => {
        const facility = { facilityCode, name: facilityCode, country: "GB", timezone: "Europe/London" };
        await createFacility(tx, change, facility);
        return issueWarehouseCredential(tx, change, { facilityCode, environment: "sandbox" });
      });
      warehouses.set(facilityCode, oauth);
    }
    await seedCarriers(database);
    const clients: ChaosClient[] = [];
    for (const clientId of [...healthy, ...victims]) {
      const made = await database.transaction(async (tx) => {
        const facilities = [...facilityCodes];
        const onboarded = await onboardClient(tx, change, {
          clientId,
          name: clientId,
          facilities,
          environment: "sandbox",
        });
        await changeClient(tx.of(clientId, change), { settings: { overrides: { splitOrders: true }, cleared: [] } });
        return onboarded;
      });
      if (!made.ok) throw new Error(made.fault);
      clients.push({ ...made.value, isVictim: victims.includes(clientId) });
    }
    await notifyChange(database);
    return { clients, warehouses };
  } finally {
    await database.close();
  }
}
