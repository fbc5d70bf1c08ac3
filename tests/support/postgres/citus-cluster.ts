// Clusters of Citus on this machine, by the kit beside the project (docs/citus.md, "What is proved, and how").
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../app/free-port.ts";

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
  /** Also called when this process ends. May be called more than once. */
  stop(): void;
}

/** The sentence to print where there is no kit; undefined if there is one. */
export function missingKit(): string | undefined {
  return existsSync(program) ? undefined : `LEFT OUT: nothing was run on Citus, because ${program} does not exist`;
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
  cluster("build");
  const parent = mkdtempSync(path.join(os.tmpdir(), "crossdock-citus-"));
  // PostgreSQL's own account passes through it.
  execFileSync("chmod", ["755", parent]);
  const folder = path.join(parent, "cluster");
  const port = await freePort();
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
    ports: Array.from({ length: workers + 1 }, (_, i) => port + i),
    pidOf: (of) => Number(readFileSync(path.join(folder, String(of), "postmaster.pid"), "utf8").split("\n")[0]),
    stop,
  };
}
