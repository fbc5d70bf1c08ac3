// A TCP proxy in front of PostgreSQL that simulates network failures: refused, silent, cut.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "../../support/app/free-port.ts";

export interface StoreProxy {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Cuts every connection, and refuses new ones. */
  refuse(): Promise<void>;
  /** Drops all further bytes: on open connections for ever; new ones are accepted and get no response. */
  hang(): void;
  /** Cuts every connection; new ones work. */
  cut(): void;
  /** Cuts each connection that sends COMMIT, after or just before PostgreSQL has received it. */
  cutAtCommit(when: "delivered" | "lost"): void;
  /** Delays every chunk by this time, in both directions; 0 ends it. */
  delay(ms: number): void;
  /** Cuts every connection; new ones get this error instead of a session, like from a server that cannot start one. */
  failConnects(sqlstate: string, message: string): void;
  /** Forwards everything again, on new connections. */
  back(): Promise<void>;
  close(): Promise<void>;
}

/** The simple query `commit` in the protocol (PostgreSQL documentation, 54.7): Q, length, text, zero byte. */
const commitMessage = Buffer.from("Q\0\0\0\x0bcommit\0", "latin1");

/** ErrorResponse (PostgreSQL documentation, 54.7): E, length, fields of one letter and a text, zero byte. */
function errorResponse(sqlstate: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlstate}\0M${message}\0\0`);
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isSwallowing: boolean;
}

export async function startStoreProxy(databaseUrl: string): Promise<StoreProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let isHanging = false;
  let atCommit: "delivered" | "lost" | undefined;
  let delayMs = 0;
  let refusal: Buffer | undefined;
  const silent = new Set<Socket>();

  /**
   * Writes to a socket with the current delay, always in order, even if the delay changes. One timer takes the chunks
   * from a queue: two timers, of 232 and 231.9 ms, fired in the wrong order, and an answer of PostgreSQL came before the
   * one it follows.
   */
  function delayed(to: Socket): (chunk: Buffer) => void {
    const queue: { readonly chunk: Buffer; readonly dueMs: number }[] = [];
    const drain = () => {
      const nowMs = performance.now();
      while (queue[0] !== undefined && queue[0].dueMs <= nowMs) {
        const { chunk } = queue.shift() as { chunk: Buffer };
        if (!to.destroyed) to.write(chunk);
      }
      const [next] = queue;
      if (next !== undefined) setTimeout(drain, Math.max(1, next.dueMs - nowMs));
    };
    return (chunk) => {
      if (queue.length === 0 && delayMs === 0) {
        to.write(chunk);
        return;
      }
      queue.push({ chunk, dueMs: performance.now() + delayMs });
      if (queue.length === 1) setTimeout(drain, delayMs);
    };
  }

  function pass(client: Socket): void {
    client.on("error", () => {});
    if (isHanging) {
      silent.add(client);
      client.resume().once("close", () => silent.delete(client));
      return;
    }
    if (refusal !== undefined) {
      const answer = refusal;
      client.once("data", () => client.end(answer));
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    // Without this, Nagle's algorithm in the proxy costs 40 ms a round trip.
    client.setNoDelay();
    server.setNoDelay();
    const pair: Pair = { client, server, isSwallowing: false };
    pairs.add(pair);
    const up = delayed(server);
    const down = delayed(client);
    let tail = Buffer.alloc(0);
    client.on("data", (chunk: Buffer) => {
      if (pair.isSwallowing) return;
      const seen = Buffer.concat([tail, chunk]);
      const place = atCommit === undefined ? -1 : seen.indexOf(commitMessage);
      tail = seen.subarray(-commitMessage.length + 1);
      if (place < 0) {
        up(chunk);
        return;
      }
      pair.isSwallowing = true;
      if (atCommit === "lost") {
        server.write(chunk.subarray(0, Math.max(0, place - (seen.length - chunk.length))));
        end(pair);
      } else {
        server.write(chunk);
        // PostgreSQL has the commit in its buffer, and runs it even if the client is gone.
        client.destroy();
        server.end();
      }
    });
    server.on("data", (chunk: Buffer) => {
      if (!pair.isSwallowing) down(chunk);
    });
    server.on("error", () => end(pair));
    client.on("close", () => {
      if (!pair.isSwallowing) end(pair);
    });
    server.on("close", () => {
      if (!pair.isSwallowing) end(pair);
    });
  }

  function end(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }

  const listener = createServer(pass);
  // The proxy listens on it again later, so no other program may get the port meanwhile.
  const port = await freePort();
  listener.listen(port, "127.0.0.1");
  await once(listener, "listening");
  const url = new URL(databaseUrl);
  url.port = String(port);

  const cut = () => {
    for (const pair of [...pairs]) end(pair);
  };
  const stopListening = async () => {
    if (!listener.listening) return;
    const closed = once(listener, "close");
    listener.close();
    cut();
    for (const socket of silent) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    refuse: stopListening,
    hang() {
      isHanging = true;
      for (const pair of pairs) pair.isSwallowing = true;
    },
    cut,
    cutAtCommit(when) {
      atCommit = when;
    },
    delay(ms) {
      delayMs = ms;
    },
    failConnects(sqlstate, message) {
      refusal = errorResponse(sqlstate, message);
      cut();
    },
    async back() {
      isHanging = false;
      atCommit = undefined;
      delayMs = 0;
      refusal = undefined;
      if (listener.listening) return;
      listener.listen(port, "127.0.0.1");
      await once(listener, "listening");
    },
    close: stopListening,
  };
}
