// operations.md §4: the same program with fewer roles. Seven processes with one role each form a deployment. Each
// serves its part and nothing else, and an order goes through all of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { RoleName } from "#/kernel/config/role-names.ts";
import type { DemoCredentials } from "#/sandbox/demo/greeting.ts";
import { signInAs } from "../support/app/console.ts";
import { watchMachine } from "../support/app/machine.ts";
import { faultLine, makeDataDir, spawnProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { withProgram } from "../support/sftp/openssh.ts";
import { localFile } from "../support/sftp/server.ts";
import { opensshAbsence, sftpUser } from "../support/sftp/user.ts";
import { call, orderXml } from "./load/sender.ts";
import { type Node, startNode, statusOf } from "./nodes/nodes.ts";

const { url: databaseUrl } = await testDatabase();
const dataDir = makeDataDir();
const stretch = watchMachine();
const nodes = new Map<RoleName, Node>();
const start = async (role: RoleName, environment: Record<string, string> = {}, dataDir = makeDataDir()) => {
  const node = await startNode({ databaseUrl, roles: [role], environment, dataDir });
  nodes.set(role, node);
  return node;
};
const worker = await start("worker", { CROSSDOCK_SEED_DEMO: "true" }, dataDir);
const demo = JSON.parse(readFileSync(path.join(dataDir, "demo-credentials.json"), "utf8")) as DemoCredentials;
const [api, feeds, auth, console, sftp] = await Promise.all([
  start("api"),
  start("feeds"),
  start("auth"),
  start("console"),
  start("sftp"),
]);

/** For each role, a request that only this role serves, and its response to an unauthorised client. */
const doors: readonly { readonly role: RoleName; readonly method: string; readonly path: string; status: number }[] = [
  { role: "api", method: "GET", path: "/v1/orderService/order/list", status: 401 },
  { role: "api", method: "GET", path: "/v1/warehouseService/task/list", status: 401 },
  { role: "feeds", method: "POST", path: "/feeds/DEMO/NO", status: 401 },
  { role: "feeds", method: "GET", path: "/xsd/NO.xsd", status: 200 },
  { role: "auth", method: "POST", path: "/v1/oauth/token", status: 400 },
  { role: "auth", method: "GET", path: "/.well-known/jwks.json", status: 200 },
  { role: "console", method: "GET", path: "/console/", status: 200 },
  { role: "console", method: "GET", path: "/v1/operatorService/order/list", status: 401 },
];

test("each role serves its own paths, and names the role of other paths", async () => {
  for (const [nodeRole, { url }] of nodes) {
    for (const { role, method, path, status } of doors) {
      const response = await fetch(url + path, { method });
      const text = await response.text();
      const name = `${method} ${path} on ${nodeRole}`;
      if (role === nodeRole) {
        assert.equal(response.status, status, `${name}: ${text}`);
      } else {
        assert.equal(response.status, 404, name);
        const { detail } = JSON.parse(text) as { detail: string };
        assert.equal(detail, `This node does not serve this path: it has the roles ${nodeRole}, and not ${role}.`);
      }
    }
  }
});

test("every process answers health checks, and a worker nothing else", async () => {
  for (const { url } of nodes.values()) {
    assert.equal(await statusOf(`${url}/healthz`), 200);
    await until("it to be ready", async () => (await statusOf(`${url}/readyz`)) === 200);
    assert.equal(await statusOf(`${url}/metrics`), 200);
  }
  for (const { url } of [worker, sftp]) {
    for (const path of ["/", "/docs", "/openapi/order.json", "/demo/receiver", "/v1/orderService/order/list"]) {
      assert.equal(await statusOf(url + path), 404, path);
    }
  }
});

async function tokenOf(): Promise<Record<string, string>> {
  const { client_id, client_secret } = demo.oauth;
  const response = await fetch(`${auth.url}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials", client_id, client_secret }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}

async function orderBecomes(orderId: string, status: string): Promise<void> {
  const headers = await tokenOf();
  await until(
    `${orderId} to be ${status}`,
    async () => {
      const response = await fetch(`${api.url}/v1/orderService/order/get/${orderId}`, { headers });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return (JSON.parse(text) as { status: string }).status === status;
    },
    60_000,
  );
}

test("an order goes from the feeds node over the worker and the simulated warehouse to the API's, and the console sees it", async () => {
  await start("warehouse-sim", {
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: "20",
    CROSSDOCK_BASE_URL: api.url,
    CROSSDOCK_AUTH_URL: auth.url,
  });
  const response = await fetch(`${feeds.url}/feeds/DEMO/NO`, {
    method: "POST",
    headers: { "x-api-key": demo.feed.apiKey, "content-type": "application/xml" },
    body: orderXml("APART-1", 1, "TEE-M"),
  });
  assert.match(await response.text(), /<success>true</);
  await orderBecomes("APART-1", "DELIVERED");
  const { username, password } = demo.console ?? assert.fail("the demo has a user of the console");
  const user = await signInAs(console, username, password);
  const list = await user.request("/order/list?clientId=DEMO&limit=50");
  assert.match(await list.text(), /"APART-1"/);
});

withProgram("a file on the SFTP node becomes an order that the worker handles", opensshAbsence, async () => {
  const { host, port } = sftp.sftp ?? assert.fail("the node serves SFTP");
  const user = sftpUser({ host, port }, demo.sftp);
  await user.done(`put ${localFile("no.xml", orderXml("APART-2", 1, "TEE-M"))} /inbound/NO/apart.xml`);
  await orderBecomes("APART-2", "DELIVERED");
});

test("a draining process is not ready and continues to serve; Ctrl-C ends it at once", async () => {
  const environment = { CROSSDOCK_DRAIN_SECONDS: "60" };
  const node = await startNode({ databaseUrl, roles: ["feeds"], environment, dataDir: makeDataDir() });
  const ended = node.stop("SIGTERM");
  await until("the node to drain", async () => (await statusOf(`${node.url}/readyz`)) === 503);
  const answer = await call(`${node.url}/feeds/DEMO/NO`, {
    method: "POST",
    headers: { "x-api-key": demo.feed.apiKey, "content-type": "application/xml" },
    body: orderXml("APART-3", 1, "TEE-M"),
  });
  assert(answer.isAccepted, answer.body);
  assert.equal(answer.headers.connection, "close");
  assert.equal(await statusOf(`${node.url}/healthz`), 200, "it lives");
  await orderBecomes("APART-3", "DELIVERED");
  const beganMs = performance.now();
  process.kill(node.pid, "SIGINT");
  const { code } = await ended;
  assert.equal(code, 0, node.output());
  assert(performance.now() - beganMs < 5_000 * stretch());
});

test("every process stops cleanly on a signal", async () => {
  for (const [role, node] of [...nodes].reverse()) {
    const { code, ms } = await node.stop("SIGTERM");
    assert.equal(code, 0, `${role}: ${node.output()}`);
    assert(ms < 5_000 * stretch(), `${role} took ${Math.round(ms)} ms`);
    assert.match(node.output(), /"msg":"stopped"/);
    assert.doesNotMatch(node.output(), faultLine, role);
  }
});

test("a role without work is refused, with the missing setting", async () => {
  const refusals: readonly (readonly [Record<string, string>, RegExp])[] = [
    [{ CROSSDOCK_ROLES: "sftp", CROSSDOCK_SFTP_PORT: "off" }, /role sftp has no work: CROSSDOCK_SFTP_PORT/],
    [{ CROSSDOCK_ROLES: "warehouse-sim" }, /role warehouse-sim has no work: CROSSDOCK_WAREHOUSE_SIM/],
    [
      { CROSSDOCK_ROLES: "warehouse-sim", CROSSDOCK_WAREHOUSE_SIM: "true" },
      /role warehouse-sim uses the port: it needs the role api in this process, or CROSSDOCK_BASE_URL/,
    ],
  ];
  for (const [environment, text] of refusals) {
    const node = spawnProcess(dataDir, { DATABASE_URL: databaseUrl, ...environment });
    const { code } = (await node.ended) as { code: number };
    assert.equal(code, 1);
    assert.match(node.output(), text);
  }
});
