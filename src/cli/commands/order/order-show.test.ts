import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { testServer } from "../../../../tests/support/app/server.ts";
import { lifeOf } from "../../../../tests/support/builders/life.ts";
import { restCalls } from "../../../../tests/support/http/rest-calls.ts";
import { warehouseOf } from "../../../../tests/support/warehouse/warehouse-port.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const server = await testServer();
const port = await warehouseOf(server);
const life = await lifeOf(server, port, "ACME");

async function show(environment: Record<string, string>, ...words: string[]) {
  const { database, dataDir, secret } = server.config;
  const child = spawn(process.execPath, ["src/cli/main.ts", "order", "show", ...words], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      CROSSDOCK_DATA_DIR: dataDir,
      CROSSDOCK_SECRET: secret,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number, stdout, stderr };
}

test("an order is shown with its lines, its timeline and its page in the console, and with --json as over REST", async () => {
  await life.stock([{ sku: "A", qty: 10 }]);
  await life.place("WEB/1", [{ sku: "A", qty: 2 }]);

  const shown = await show({ CROSSDOCK_BASE_URL: "https://wms.example.com" }, "WEB/1", "--client", "ACME");
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /^Order +WEB\/1 of ACME\nState +ALLOCATED\n/);
  assert.match(shown.stdout, /\nConsole +https:\/\/wms\.example\.com\/console\/orders\/ACME\/WEB%2F1\n/);
  assert.match(shown.stdout, /\nFacility +DC1\n/);
  assert.match(shown.stdout, /\n1 +A +ALLOCATED +2 EA +2 +0 +0 +0\n/);
  assert.match(shown.stdout, /\n\S+Z +10 +Order Received\n/);
  assert.doesNotMatch(shown.stdout, /PARCEL/);

  const json = await show({}, "WEB/1", "--client", "ACME", "--json");
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const { body } = await call("GET", "/order/get/WEB%2F1");
  assert.deepEqual(JSON.parse(json.stdout), body);
});

test("an unknown order and an unknown client are refused", async () => {
  const order = await show({}, "NOWHERE", "--client", "ACME");
  assert.deepEqual([order.code, order.stderr.trim()], [1, "crossdock: client ACME has no order NOWHERE"]);
  const client = await show({}, "WEB/1", "--client", "NOBODY");
  assert.equal(client.code, 1);
  assert.match(client.stderr, /NOBODY/);
});
