import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type LoadResult, runLoad } from "../load/run.ts";

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export function machine(): string {
  const cpu = os.cpus()[0]?.model.trim() ?? "unknown processor";
  return `${os.cpus().length} × ${cpu}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node ${process.version}`;
}

/** The path of a program of the operating system, or undefined where it is not installed. */
export function findProgram(name: string): string | undefined {
  const found = spawnSync(
    "sh",
    ["-c", `command -v ${name} || ls -d /usr/lib/postgresql/*/bin/${name} 2>/dev/null | tail -1`],
    { encoding: "utf8" },
  );
  return found.stdout.trim() || undefined;
}

const folders: string[] = [];

/** A temporary folder that is removed when the process ends. */
export function temporaryFolder(name: string): string {
  if (folders.length === 0) {
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), `crossdock-bench-${name}-`));
  // When run as root, PostgreSQL uses another account that must traverse this folder; otherwise its files go elsewhere
  // and stay.
  chmodSync(folder, 0o711);
  folders.push(folder);
  return folder;
}

export interface Usage {
  readonly cpuSeconds: number;
  /** Resident memory now. */
  readonly residentMiB: number;
  /** The most resident memory since the start. */
  readonly peakMiB: number;
}

/** Use of the machine by a process; Linux only, zeros elsewhere. */
export function usage(pid: number): Usage {
  if (!existsSync(`/proc/${pid}/stat`)) return { cpuSeconds: 0, residentMiB: 0, peakMiB: 0 };
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0) / 1024;
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    residentMiB: mib("VmRSS"),
    peakMiB: mib("VmHWM"),
  };
}

export interface Product {
  readonly url: string;
  readonly pid: number;
  readonly apiKey: string;
  /** Credentials for a token of the REST services. */
  readonly oauth: { readonly client_id: string; readonly client_secret: string };
  stop(): Promise<void>;
}

/**
 * Starts the program as `npm start` does, all roles in one process, on the given database.
 *
 * @param env variables in addition to those of every bench; a second start on a database has the folder of the first
 */
export async function startProduct(databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<Product> {
  const dataDir = env.CROSSDOCK_DATA_DIR ?? temporaryFolder("data");
  const runner = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
  const child = spawn(process.execPath, [runner, "src/main.ts"], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      CROSSDOCK_DATA_DIR: dataDir,
      PORT: "0",
      CROSSDOCK_RATE_LIMIT: "off",
      // Disables deliveries to the demo's receivers, which the same process would answer, and work of its warehouse.
      CROSSDOCK_DEMO_HISTORY: "false",
      CROSSDOCK_WAREHOUSE_SIM: "false",
      CROSSDOCK_SFTP_PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the product ended with ${code}\n${printed}`)));
    child.stdout.on("data", (text: string) => {
      // Reads and drops log lines of requests, as a log collector does.
      if (printed.includes("Ctrl-C stops")) return;
      printed += text;
      if (printed.includes("Ctrl-C stops")) resolve();
    });
  });
  const url = /Feeds +(http:\/\/[^/]+)/.exec(printed)?.[1] as string;
  const { feed, oauth } = JSON.parse(readFileSync(path.join(dataDir, "demo-credentials.json"), "utf8")) as {
    feed: { apiKey: string };
    oauth: Product["oauth"];
  };
  return {
    url,
    pid: childOf(child.pid as number),
    apiKey: feed.apiKey,
    oauth,
    async stop() {
      if (child.exitCode !== null) return;
      child.removeAllListeners("exit");
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGINT");
      await Promise.race([ended, sleep(10_000)]);
    },
  };
}

/** The server process under its runner; the runner itself where the system does not list child processes. */
function childOf(pid: number): number {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").trim().split(" ")[0]) || pid : pid;
}

/** An access token of the demo's client. */
export async function tokenOf({ url, oauth }: Product): Promise<string> {
  const response = await fetch(`${url}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials", ...oauth }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Runs 32 senders of orders for the given number of seconds. */
export function sendOrders({ url, apiKey }: Product, seconds: number, prefix: string): Promise<LoadResult> {
  return runLoad(new URL("./load.ts", import.meta.url), [`${url}/feeds/DEMO/NO`, apiKey, 32, seconds, prefix]);
}

/** Connections enough that at the rates of a bench an order seldom waits for one. */
const connectionsOfArrivals = 256;

/** Sends orders that arrive at random moments. @param rate orders a second */
export function sendArrivals(
  { url, apiKey }: Product,
  { seconds, rate, prefix }: { readonly seconds: number; readonly rate: number; readonly prefix: string },
): Promise<LoadResult> {
  const feed = `${url}/feeds/DEMO/NO`;
  return runLoad(new URL("./load.ts", import.meta.url), [feed, apiKey, connectionsOfArrivals, seconds, prefix, rate]);
}
