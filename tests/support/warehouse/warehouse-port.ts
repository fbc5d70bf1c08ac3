// The warehouse and carrier port as a warehouse system uses it: credentials of a facility, and JSON over HTTP.
import assert from "node:assert/strict";
import { issueCarrierCredential, issueWarehouseCredential, type OauthSecret } from "#/modules/clients/index.ts";
import { accessTokenOf, type TestServer } from "../app/server.ts";
import { until } from "../app/until.ts";
import { seedCarriers } from "../carriers/carriers.ts";
import { type Answer, call } from "../http/call.ts";

export interface PortTask {
  readonly taskId: string;
  readonly type: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly version: number;
  readonly dueAt: string | null;
  readonly withdrawnAt: string | null;
  readonly lines: readonly {
    readonly lineNumber: number;
    readonly sku: string;
    readonly qty: number;
    readonly kit?: { readonly lineNumber: number; readonly sku: string };
    readonly customs?: Readonly<Record<string, unknown>>;
  }[];
  readonly order?: Readonly<Record<string, unknown>>;
  readonly shipment?: Readonly<Record<string, unknown>>;
  readonly purchaseOrder?: Readonly<Record<string, unknown>>;
  readonly orderReference?: string;
  readonly orderId?: string;
  readonly notes?: string;
  readonly toFacility?: string;
  readonly extendedAttributes?: Readonly<Record<string, string>>;
}

export interface Port {
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
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
  const token = await accessTokenOf(url, oauth);
  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    call(method, `${url}/v1/warehouseService${path}`, { token, body, headers });
  const port: Port = {
    token,
    get: (path) => send("GET", path),
    post: (path, body, headers) => send("POST", path, body, headers),
    async report(kind, body, headers) {
      const answer = await port.post(pathOf(kind), body, headers);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    async refuse(kind, body, status, headers) {
      const answer = await port.post(pathOf(kind), body, headers);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      return String(answer.body.detail);
    },
    async task(fits) {
      let tasks: readonly PortTask[] = [];
      const find = async () => {
        tasks = await allTasks(port);
        return tasks.find(fits);
      };
      return until(() => `such a task among ${JSON.stringify(tasks)}`, find);
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
