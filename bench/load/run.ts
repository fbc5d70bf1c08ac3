import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Results of the clients of `runClients`: answers, answers a second, milliseconds, bytes of an answer. */
export interface LoadResult {
  readonly count: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly bytes: number;
}

/**
 * Runs a load generator in a separate process. Throws when a request was refused, because the rate is then meaningless.
 */
export async function runLoad(generator: URL, args: readonly (string | number)[]): Promise<LoadResult> {
  const child = spawn(process.execPath, [fileURLToPath(generator), ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    out += text;
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  const result = JSON.parse(out) as LoadResult & { readonly refused: number; readonly firstRefusal: string };
  if (result.refused > 0) throw new Error(`${result.refused} requests were refused: ${result.firstRefusal}`);
  return result;
}
