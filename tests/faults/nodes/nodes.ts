// Nodes of one deployment on one database, each a separate process with some of the roles.
import assert from "node:assert/strict";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { makeDataDir, type StartingProcess, sftpIn, spawnProcess, urlIn } from "../../support/app/process.ts";
import { until } from "../../support/app/until.ts";

export interface NodeOptions {
  readonly databaseUrl: string;
  readonly roles: readonly RoleName[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** Main file of another release. */
  readonly program?: string;
}

export interface Node extends Pick<StartingProcess, "pid" | "output" | "kill" | "stop"> {
  readonly url: string;
  /** Undefined if the node does not serve SFTP. */
  readonly sftp: { readonly host: string; readonly port: number } | undefined;
  readonly readyMs: number;
}

/** Starts a node and waits until it is ready. If it still runs at the end of the file, it is stopped. */
export async function startNode(options: NodeOptions): Promise<Node> {
  const { databaseUrl, roles, environment = {}, dataDir = makeDataDir(), program } = options;
  const startedMs = performance.now();
  const node = spawnProcess(
    dataDir,
    {
      DATABASE_URL: databaseUrl,
      CROSSDOCK_SECRET: "a master key for tests, long enough",
      CROSSDOCK_ROLES: roles.join(","),
      CROSSDOCK_SEED_DEMO: "false",
      ...(roles.includes("sftp") ? { CROSSDOCK_SFTP_PORT: "0" } : {}),
      ...environment,
    },
    program,
  );
  let hasEnded = false;
  void node.ended.then(() => {
    hasEnded = true;
  });
  atEnd(() => node.stop("SIGINT"));
  const url = await until(
    `the node ${roles.join(",")} to be ready`,
    async () => {
      assert(!hasEnded, `the node ended:\n${node.output()}`);
      const shown = urlIn(node.output());
      return shown !== undefined && (await statusOf(`${shown}/readyz`)) === 200 ? shown : undefined;
    },
    200_000,
  );
  return {
    pid: node.pid,
    output: node.output,
    kill: node.kill,
    stop: node.stop,
    url,
    sftp: sftpIn(node.output()),
    readyMs: performance.now() - startedMs,
  };
}

/** Undefined without a response. */
export async function statusOf(url: string, init: RequestInit = {}): Promise<number | undefined> {
  const response = await fetch(url, init).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status;
}
