// Runs the command line as a child process on the database of a test server.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./program.ts";
import type { TestServer } from "./server.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param environment added to the server's configuration; an empty string removes a variable. */
export function commandLine({ config, url }: Pick<TestServer, "config" | "url">) {
  const { database, dataDir, secret } = config;
  // The file by which `crossdock api` finds the server of its data directory.
  writeFileSync(path.join(dataDir, "greeting.json"), JSON.stringify({ url }));
  const known = { DATABASE_URL: database.url, CROSSDOCK_DATA_DIR: dataDir, CROSSDOCK_SECRET: secret };
  return (words: readonly string[], environment: Record<string, string> = {}): Promise<CommandResult> =>
    runCommand(words, { ...known, ...environment });
}

/**
 * @param environment added to that of this process; an empty string removes a variable.
 * @param folder the program's, possibly of another release
 */
export async function runCommand(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder = root,
): Promise<CommandResult> {
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...environment }).filter(([, value]) => value !== ""),
  );
  const { code, stdout, stderr } = await runProgram([process.execPath, "src/cli/main.ts", ...words], {
    cwd: folder,
    env,
  });
  return { code: code as number, stdout, stderr };
}
