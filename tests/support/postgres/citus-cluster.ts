// Clusters of Citus on this machine, by the kit beside the project (docs/citus.md, "What is proved, and how").
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { processesIn } from "#/store/db/embedded/process-table.ts";
import { freePort } from "../app/free-port.ts";
import { endProcess } from "../app/process.ts";
import { until } from "../app/until.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const kit = path.resolve(process.env.CROSSDOCK_TEST_CITUS_KIT ?? path.join(root, "..", "shared", "citus"));
const program = path.join(kit, "cluster.sh");
const buildMsMax = 1_200_000;

export interface CitusCluster {
  /** The coordinator, as superuser. */
  readonly url: string;
  /** It has the log of each node, as `PORT.log`. */
  readonly folder: string;
  /** The coordinator first. */
  readonly ports: readonly number[];
  /** Process id of the PostgreSQL of a node. */
  pidOf(port: number): number;
  /** kill -9 of a node's PostgreSQL with all its processes. */
  kill(port: number): Promise<void>;
  /**
   * Stops all processes of a node, as if its machine had gone without closing its connections; returns what lets them go
   * on.
   */
  freeze(port: number): () => void;
  /** Starts a worker that was killed. */
  start(port: number): Promise<void>;
  /** One more worker, which the store does not know yet; returns its port. */
  grow(): Promise<number>;
  /** Also called when this process ends. May be called more than once. */
  stop(): void;
}

/** The sentence to print where there is no kit; undefined if there is one. */
export function missingKit(): string | undefined {
  return existsSync(program) ? undefined : `LEFT OUT: nothing was run on Citus, because ${program} does not exist`;
}

/** The folder of PostgreSQL's programs and that of their libraries, as the node of a process runs with them. */
export function programsOf(pid: number): { readonly bin: string; readonly libraries: string } {
  const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  const libraries = environment.find((line) => line.startsWith("LD_LIBRARY_PATH="))?.slice("LD_LIBRARY_PATH=".length);
  return { bin: path.dirname(readlinkSync(`/proc/${pid}/exe`)), libraries: libraries ?? "" };
}

/** @param env settings of the kit, in addition to those of this process */
export async function startCluster(workers: number, env: NodeJS.ProcessEnv = {}): Promise<CitusCluster> {
  const cluster = (...args: readonly string[]) =>
    execFileSync("bash", [program, ...args], {
      env: { ...process.env, ...env },
      encoding: "utf8",
      timeout: buildMsMax,
      stdio: ["ignore", "pipe", "inherit"],
    });
  /** Leaves this process free to send and to measure. */
  const clusterBeside = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)("bash", [program, ...args], { env: { ...process.env, ...env } });
    return stdout;
  };
  cluster("build");
  const parent = mkdtempSync(path.join(os.tmpdir(), "crossdock-citus-"));
  // PostgreSQL's own account passes through it.
  execFileSync("chmod", ["755", parent]);
  const folder = path.join(parent, "cluster");
  const port = await freePort();
  const ports = Array.from({ length: workers + 1 }, (_, i) => port + i);
  const filesOf = (of: number) => path.join(folder, String(of));
  const pidFileOf = (of: number) => path.join(filesOf(of), "postmaster.pid");
  const pidOf = (of: number) => Number(readFileSync(pidFileOf(of), "utf8").split("\n")[0]);
  const stop = () => {
    process.off("exit", stop);
    if (!existsSync(parent)) return;
    cluster("stop", folder);
    rmSync(parent, { recursive: true });
  };
  process.once("exit", stop);
  cluster("start", folder, String(port), String(workers));
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    ports,
    pidOf,
    async kill(of) {
      // First the process that would start others.
      process.kill(pidOf(of), "SIGKILL");
      await until("the node to be gone", () => {
        const left = processesIn(filesOf(of));
        left.forEach(endProcess);
        return left.length === 0;
      });
    },
    freeze(of) {
      const frozen = [pidOf(of), ...processesIn(filesOf(of))];
      for (const pid of frozen) process.kill(pid, "SIGSTOP");
      const thaw = () => {
        process.off("exit", thaw);
        for (const pid of frozen) {
          try {
            process.kill(pid, "SIGCONT");
          } catch {
            // It has ended.
          }
        }
      };
      process.once("exit", thaw);
      return thaw;
    },
    async start(of) {
      // If the killed process is a zombie, it counts as running, and PostgreSQL does not start.
      rmSync(pidFileOf(of), { force: true });
      await clusterBeside("worker", "start", String(ports.indexOf(of)), folder);
    },
    grow: async () => Number(await clusterBeside("grow", folder)),
    stop,
  };
}
