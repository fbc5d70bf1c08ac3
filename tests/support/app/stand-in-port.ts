// A fake warehouse port that accepts every report and fails on command, unlike the real one.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Task } from "#/sandbox/simulator/port.ts";

export interface TakenReport {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** How often it came; only the first one has an effect. */
  times: number;
}

/** A fault: an error status; no response although the report was taken; or no response at all. */
export type PortFault = number | "cut" | "silent" | undefined;

export interface StandInPort {
  readonly url: string;
  /** In the order of their effects. */
  readonly taken: TakenReport[];
  /** Maximum number of concurrent requests. */
  readonly togetherMax: number;
  tokens: number;
  delayMs: number;
  fault: (path: string, body: Readonly<Record<string, unknown>>) => PortFault;
  release(type: Task["type"], objectId: string, lines: readonly object[], more?: Partial<Task>): void;
  /** Actions by object, as `pick O-1`. */
  actions(): string[];
  close(): Promise<void>;
}

export async function standInPort(): Promise<StandInPort> {
  const tasks: Task[] = [];
  const byName = new Map<string, { report: TakenReport; answer: object }>();
  let together = 0;
  let togetherMax = 0;

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://port");
    const path = url.pathname.replace("/v1/warehouseService", "");
    const body = (request.method === "POST" ? JSON.parse(await text(request)) : {}) as Record<string, unknown>;
    if (port.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, port.delayMs));
    const fault = port.fault(path, body);
    if (fault === "silent") return;
    if (typeof fault === "number") return send(response, fault, { title: "set fault", detail: "set by the test" });
    const answer = answerOf(path, body, url.searchParams);
    if (fault === "cut") return void response.destroy();
    send(response, 200, answer);
  }

  function answerOf(path: string, body: Record<string, unknown>, query: URLSearchParams): object {
    if (path === "/v1/oauth/token") return { access_token: `token.${++port.tokens}.x`, expires_in: 3600 };
    if (path === "/item/list") return { items: [], nextCursor: "0" };
    if (path === "/task/list") {
      const from = Number(query.get("cursor") ?? 0);
      const items = tasks.slice(from, from + Number(query.get("limit")));
      return { items, nextCursor: String(from + items.length) };
    }
    if (path === "/task/accept") return { results: (body.taskIds as string[]).map(() => ({ status: "ACCEPTED" })) };
    const name = String(body.reportId ?? body.receiptId ?? body.returnId);
    const known = byName.get(name);
    if (known) {
      if (JSON.stringify(known.report.body) !== JSON.stringify(body))
        throw new Error(`${name} came with other content`);
      known.report.times++;
      return known.answer;
    }
    const report = { path, body, times: 1 };
    port.taken.push(report);
    const olpns = ((body.olpns ?? []) as object[]).map((_, i) => ({ olpnId: `${String(body.orderId)}.${i}` }));
    const answer = { olpns };
    byName.set(name, { report, answer });
    return answer;
  }

  const server = createServer((request, response) => {
    togetherMax = Math.max(togetherMax, ++together);
    response.once("close", () => together--);
    answerTo(request, response).catch((error: Error) => send(response, 500, { detail: error.message }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const port: StandInPort = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: [],
    tokens: 0,
    delayMs: 0,
    fault: () => undefined,
    get togetherMax() {
      return togetherMax;
    },
    release(type, objectId, lines, more = {}) {
      const numbered = lines.map((line, i) => ({
        lineNumber: i + 1,
        qty: 1,
        uom: "EA",
        stockPool: "DEFAULT",
        ...line,
      }));
      tasks.push({
        taskId: `task of ${objectId}`,
        type,
        clientId: "ACME",
        objectId,
        version: 1,
        withdrawnAt: null,
        releasedAt: "2026-11-20T10:00:00.000Z",
        lines: numbered as unknown as Task["lines"],
        ...more,
      });
    },
    actions: () =>
      port.taken.map(({ path, body }) => {
        const action = path.split("/")[1];
        return `${action}${body.eventCode === undefined ? "" : ` ${body.eventCode}`} ${body.orderId ?? body.olpnId ?? ""}`.trim();
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return port;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
