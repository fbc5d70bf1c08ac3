import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pickPort } from "./port.ts";

export interface Platform {
  readonly url: string;
  readonly apiKey: string;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const program = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));
/** Simulated seconds of the warehouse in one real second: orders go through as fast as they are sent. */
const simSpeed = 50;

/** Starts all roles in one process, with the demo's client, carriers and simulated warehouse. */
export async function startPlatform(databaseUrl: string, folder: string): Promise<Platform> {
  const port = await pickPort();
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    CROSSDOCK_DATA_DIR: folder,
    PORT: String(port),
    CROSSDOCK_SFTP_PORT: "off",
    CROSSDOCK_RATE_LIMIT: "off",
    CROSSDOCK_LOG_LEVEL: "error",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: String(simSpeed),
  };
  const log = openSync(path.join(folder, "log"), "w");
  const child = spawn(process.execPath, [program("main.ts")], { env, stdio: ["ignore", log, log] });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  await ready(url, child);
  const issue = (kind: string) =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [program("cli/main.ts"), "credentials", "issue", "DEMO", "--kind", kind, "--json"],
        {
          env,
          encoding: "utf8",
        },
      ),
    ) as { feed?: { apiKey: string }; oauth?: { client_id: string; client_secret: string } };
  const { oauth } = issue("oauth");
  const answer = await fetch(`${url}/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", ...oauth }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return {
    url,
    token,
    apiKey: issue("feed").feed?.apiKey ?? "",
    pid: child.pid as number,
    async stop() {
      child.kill("SIGTERM");
      await Promise.race([new Promise((resolve) => child.once("exit", resolve)), sleep(10_000)]);
    },
  };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + 180_000; Date.now() < until; await sleep(250)) {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error("the program was not ready within three minutes");
}
