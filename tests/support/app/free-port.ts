// A port for a program that must be told its own before it listens.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port of this machine on which nobody listens. It is of those that the system gives to nobody who lets it choose (it
 * chooses from 32768 on): until the caller's program takes it nobody else will, however long that is.
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
