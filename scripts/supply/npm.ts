import { spawn } from "node:child_process";
import { root } from "./shipped.ts";

export interface NpmAnswer {
  readonly code: number | null;
  readonly output: string;
  readonly complaints: string;
}

const answerMsMax = 120_000;

/**
 * Runs npm in a folder: the npm that started this program, otherwise the one on the path. Kills it after two minutes.
 */
export function runNpm(args: readonly string[], folder = root): Promise<NpmAnswer> {
  const npmPath = process.env.npm_execpath;
  const [program, ...before] = npmPath === undefined ? ["npm"] : [process.execPath, npmPath];
  const child = spawn(program as string, [...before, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: answerMsMax,
    // npm's settings of the calling command do not apply to this one.
    env: { ...process.env, npm_config_loglevel: "error", npm_config_json: undefined, NODE_ENV: undefined },
  });
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output, complaints }));
  });
}
