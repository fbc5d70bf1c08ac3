// A proxy between the server and its PostgreSQL that a test can shut, like a failover or a cut cable.
import net from "node:net";
import { freePort } from "../app/free-port.ts";

export interface Proxy {
  /** URL of the target through the proxy. */
  readonly url: string;
  /** Cuts all connections and accepts no new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Stops forwarding on open connections without closing them; new connections work. */
  hush(): void;
}

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  let server = listener();
  // The proxy listens on it again after a shut, so no other program may get the port meanwhile.
  const ownPort = await freePort();
  await listen(ownPort);
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(ownPort);

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
      await listen(ownPort);
    },
  };
}
