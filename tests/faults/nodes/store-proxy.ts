// A TCP proxy before PostgreSQL that can be away in all the ways that a network can: refusing, silent, cut.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "../../support/app/free-port.ts";

export interface StoreProxy {
  /** The database's address by way of the proxy. */
  readonly url: string;
  /** Cuts every connection, and refuses new ones. */
  refuse(): Promise<void>;
  /** Swallows every byte from now on, of old connections for ever; new ones are accepted and get no answer. */
  hang(): void;
  /** Cuts every connection; new ones pass. */
  cut(): void;
  /** Cuts each connection that sends COMMIT, after PostgreSQL has got it, or just before. */
  cutAtCommit(when: "delivered" | "lost"): void;
  /** Lets every chunk of bytes wait for so long, in both directions; 0 ends it. */
  delay(ms: number): void;
  /** Cuts every connection; new ones get this error instead of a session, as from a server that cannot start one. */
  failConnects(sqlstate: string, message: string): void;
  /** Everything passes again, on new connections. */
  back(): Promise<void>;
  close(): Promise<void>;
}

/** The simple query `commit` as the protocol has it (PostgreSQL documentation, 54.7): Q, length, text, zero byte. */
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

  /** What writes to a socket, later by the delay of the moment and in order whatever becomes of the delay. */
  function delayed(to: Socket): (chunk: Buffer) => void {
    let lastDueMs = 0;
    return (chunk) => {
      const nowMs = performance.now();
      lastDueMs = Math.max(lastDueMs, nowMs + delayMs);
      if (lastDueMs <= nowMs) to.write(chunk);
      else
        setTimeout(() => {
          if (!to.destroyed) to.write(chunk);
        }, lastDueMs - nowMs);
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
      const said = refusal;
      client.once("data", () => client.end(said));
      return;
    }
    const server = connect(Number(target.port), target.hostname);
    // Without these Nagle's algorithm, here in the middle, would cost 40 ms a round trip.
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
        // PostgreSQL has the commit in its buffer, and carries it out whether or not somebody waits for the answer.
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
  // To be listened at again after it was away: nobody else may be given it meanwhile.
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
