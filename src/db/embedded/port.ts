// The port of the embedded PostgreSQL: picked at the first start, then remembered, so that a tool configured with it
// still finds it.
import { randomInt } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

/**
 * Below the ranges from which systems take the ports of outgoing connections, so that no such port causes a conflict.
 */
const lowest = 15_432;
const beyond = 32_000;

export function rememberedPort(file: string): number | undefined {
  try {
    const port = Number(readFileSync(file, "utf8"));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function rememberPort(file: string, port: number): void {
  writeFileSync(`${file}.new`, `${port}\n`);
  renameSync(`${file}.new`, file);
}

export async function pickPort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(lowest, beyond);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${beyond} on 127.0.0.1`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
