// A door between the server and its PostgreSQL that a test can shut, as a failover or a cut cable does.
import net from "node:net";
import { freePort } from "../app/free-port.ts";

export interface Proxy {
  /** The address behind the door, reached through it. */
  readonly url: string;
  /** Everything under way is cut off, and nobody is let in. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Nothing comes through any more on what is open now, and nothing is cut off; new connections are as before. */
  hush(): void;
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let server = listener();
  // To be listened at again after it was shut: nobody else may be given it meanwhile.
  const own = await freePort();
  await listen(own);
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(own);

  function listener(): net.Server {
    return net.createServer((inward) => {
      const outward = net.connect(Number(port || 5432), hostname);
      for (const [socket, other] of [
        [inward, outward],
        [outward, inward],
      ] as const) {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }

  function listen(at: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(at, "127.0.0.1", resolve);
    });
  }

  return {
    url: url.href,
    async shut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    hush() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async open() {
      server = listener();
      await listen(own);
    },
  };
}
