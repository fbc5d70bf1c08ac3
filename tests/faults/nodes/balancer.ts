// A load balancer in front of the nodes, as in deployments. It polls `/readyz` of each, keeps and reuses connections,
// and never retries. It records errors between itself and a node, and returns a 502 for them.
import { once } from "node:events";
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Address of a node. */
export interface Place {
  readonly url: string;
  readonly sftp: { readonly host: string; readonly port: number } | undefined;
}

export interface Balancer {
  readonly url: string;
  readonly sftp: { readonly host: string; readonly port: number };
  /** Requests and connections that a node refused or cut. */
  readonly faults: readonly string[];
  /** Number of requests per place, in the order of the given places. */
  readonly counts: readonly number[];
  /** Adds a node; returns its index. */
  add(place: Place): number;
  /** Stops sending to a node, like an operator, whatever the node's `/readyz` reports. */
  retire(at: number): void;
  /** Replaces a node. */
  replace(at: number, place: Place): void;
  /** Number of requests and connections open to a node. */
  inProgress(at: number): number;
  /** Number of nodes that report ready. */
  readyCount(): number;
  stop(): Promise<void>;
}

interface Backend extends Place {
  readonly agent: Agent;
  isReady: boolean;
  isRetired: boolean;
  inProgress: number;
}

/** Polling interval, in proportion to the drain of the nodes as in deployments. */
const lookMs = 150;
const lookMsMax = 5_000;

export async function startBalancer(places: readonly Place[]): Promise<Balancer> {
  const faults: string[] = [];
  const counts: number[] = places.map(() => 0);
  const backends = places.map(backendOf);
  const tunnels = new Set<Socket>();
  let turn = 0;
  let isOver = false;

  function backendOf(place: Place): Backend {
    return {
      ...place,
      agent: new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 64 }),
      isReady: true,
      isRetired: false,
      inProgress: 0,
    };
  }

  /** The next ready node. */
  function pick(): { backend: Backend; at: number } | undefined {
    for (let i = 0; i < backends.length; i++) {
      const at = turn++ % backends.length;
      const backend = backends[at] as Backend;
      if (backend.isReady) return { backend, at };
    }
    return undefined;
  }

  async function look(backend: Backend): Promise<void> {
    const signal = AbortSignal.timeout(lookMsMax);
    const response = await fetch(`${backend.url}/readyz`, { signal, headers: { connection: "close" } }).catch(
      () => undefined,
    );
    await response?.body?.cancel();
    backend.isReady = response?.status === 200 && !backend.isRetired;
  }

  const looking = (async () => {
    for (; !isOver; await sleep(lookMs)) await Promise.all(backends.map(look));
  })();

  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const chosen = pick();
    if (!chosen) {
      faults.push(`${incoming.method} ${incoming.url}: no node is ready`);
      answer.writeHead(503).end();
      return;
    }
    const { backend, at } = chosen;
    counts[at] = (counts[at] as number) + 1;
    backend.inProgress++;
    answer.once("close", () => backend.inProgress--);
    const { connection: _hop, ...headers } = incoming.headers;
    const sent = httpRequest(
      backend.url + incoming.url,
      { agent: backend.agent, method: incoming.method, headers },
      (response) => {
        const { connection: _nextHop, "keep-alive": _limits, ...passed } = response.headers;
        answer.writeHead(response.statusCode ?? 502, passed);
        response.pipe(answer);
        response.on("aborted", () => fail("the answer was cut"));
      },
    );
    const fail = (why: string) => {
      faults.push(`${incoming.method} ${incoming.url} at node ${at + 1}: ${why}`);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    };
    sent.on("error", (error: Error) => fail(error.message));
    incoming.pipe(sent);
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, forward);
  const door = createTcpServer({ noDelay: true }, (socket) => {
    const backend = pick()?.backend;
    tunnels.add(socket);
    socket.on("close", () => tunnels.delete(socket)).on("error", () => {});
    if (!backend?.sftp) {
      faults.push("SFTP: no node is ready");
      socket.destroy();
      return;
    }
    backend.inProgress++;
    socket.once("close", () => backend.inProgress--);
    const { host, port } = backend.sftp;
    const onward = connect({ host, port, noDelay: true });
    onward.on("error", (error: Error) => {
      // After the client has disconnected, the rest does not matter.
      if (!socket.destroyed) faults.push(`SFTP at ${port}: ${error.message}`);
      socket.destroy();
    });
    socket.on("close", () => onward.end());
    onward.on("close", () => socket.end());
    socket.pipe(onward);
    onward.pipe(socket);
  });
  const portOf = async (listener: typeof server | typeof door) => {
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    return (listener.address() as AddressInfo).port;
  };
  const [port, sftpPort] = await Promise.all([portOf(server), portOf(door)]);

  return {
    url: `http://127.0.0.1:${port}`,
    sftp: { host: "127.0.0.1", port: sftpPort },
    faults,
    counts,
    add(place) {
      counts.push(0);
      return backends.push(backendOf(place)) - 1;
    },
    retire(at) {
      Object.assign(backends[at] as Backend, { isReady: false, isRetired: true });
    },
    replace(at, place) {
      backends[at]?.agent.destroy();
      backends[at] = backendOf(place);
    },
    inProgress: (at) => (backends[at] as Backend).inProgress,
    readyCount: () => backends.filter(({ isReady }) => isReady).length,
    async stop() {
      isOver = true;
      await looking;
      for (const { agent } of backends) agent.destroy();
      for (const socket of tunnels) socket.destroy();
      server.closeAllConnections();
      await Promise.all([server, door].map((listener) => new Promise((resolve) => listener.close(resolve))));
    },
  };
}
