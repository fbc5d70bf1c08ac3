// A port for a program that needs to know its port before it listens.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A free port of this machine, outside the range of ephemeral ports (from 32768 on). The system assigns none of these
 * by itself, so the port stays free until the caller's program opens it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
