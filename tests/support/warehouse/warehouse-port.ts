// The warehouse and carrier port as a warehouse system uses it: credentials of a facility, and JSON over HTTP.
import assert from "node:assert/strict";
import { issueCarrierCredential, issueWarehouseCredential, type OauthSecret } from "#/modules/clients/index.ts";
import type { TestServer } from "../app/server.ts";
import { seedCarriers } from "../carriers/carriers.ts";

export interface PortAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface PortTask {
  readonly taskId: string;
  readonly type: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly version: number;
  readonly dueAt: string | null;
  readonly withdrawnAt: string | null;
  readonly lines: readonly { readonly lineNumber: number; readonly sku: string; readonly qty: number }[];
}

export interface Port {
  readonly token: string;
  get(path: string): Promise<PortAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<PortAnswer>;
  /** Sends a report that must be accepted; returns the response. */
  report(kind: string, body: object, headers?: Record<string, string>): Promise<Record<string, unknown>>;
  /** Sends a report that must be rejected with this status; returns the reason. */
  refuse(kind: string, body: object, status: number, headers?: Record<string, string>): Promise<string>;
  /** Waits for a matching task. */
  task(fits: (task: PortTask) => boolean): Promise<PortTask>;
}

/** The port of a facility. Packing needs carriers, so default ones are created if the test has none. */
export async function warehouseOf(server: TestServer, facilityCode = "DC1"): Promise<Port> {
  await seedCarriers(server.database);
  const issued = await server.operate((tx, change) =>
    issueWarehouseCredential(tx, change, { facilityCode, environment: "sandbox" }),
  );
  return portOf(server.url, issued.oauth);
}

export async function carrierOf(server: TestServer, carrierCode: string): Promise<Port> {
  const issued = await server.operate((tx, change) =>
    issueCarrierCredential(tx, change, { carrierCode, environment: "sandbox" }),
  );
  if (!issued.ok) throw new Error(issued.fault);
  return portOf(server.url, issued.value.oauth);
}

/** The port of one node, for existing credentials. */
export async function portOf(url: string, oauth: OauthSecret): Promise<Port> {
  const answer = await fetch(`${url}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials", ...oauth }),
  });
  assert.equal(answer.status, 200);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const authorization = `Bearer ${token}`;

  async function send(path: string, init: RequestInit): Promise<PortAnswer> {
    const response = await fetch(`${url}/v1/warehouseService${path}`, init);
    const text = await response.text();
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, body };
  }

  const port: Port = {
    token,
    get: (path) => send(path, { headers: { authorization } }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        headers: { authorization, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    async report(kind, body, headers) {
      const said = await port.post(pathOf(kind), body, headers);
      assert.equal(said.status, 200, JSON.stringify(said.body));
      return said.body;
    },
    async refuse(kind, body, status, headers) {
      const said = await port.post(pathOf(kind), body, headers);
      assert.equal(said.status, status, JSON.stringify(said.body));
      return String(said.body.detail);
    },
    async task(fits) {
      for (const until = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const tasks = await allTasks(port);
        const found = tasks.find(fits);
        if (found) return found;
        assert.ok(Date.now() < until, `no such task among ${JSON.stringify(tasks)}`);
      }
    },
  };
  return port;
}

function pathOf(kind: string): string {
  return kind.includes("/") ? `/${kind}` : `/${kind}/report`;
}

/** The whole list from its beginning. */
export async function allTasks(port: Port): Promise<PortTask[]> {
  const tasks: PortTask[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await port.get(`/task/list?limit=500${cursor && `&cursor=${cursor}`}`);
    const items = body.items as PortTask[];
    tasks.push(...items);
    if (items.length < 500) return tasks;
    cursor = String(body.nextCursor);
  }
}
