import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { testServer } from "../../../../tests/support/app/server.ts";
import { attributes, purchaseOrder } from "../../../../tests/support/builders/documents.ts";
import { lifeOf } from "../../../../tests/support/builders/life.ts";
import { restCalls } from "../../../../tests/support/http/rest-calls.ts";
import { warehouseOf } from "../../../../tests/support/warehouse/warehouse-port.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const server = await testServer();
const life = await lifeOf(server, await warehouseOf(server), "ACME", {
  items: [{ sku: "OIL", extendedAttributes: attributes({ MinShelfLifeDays: 30 }) }],
});

async function explain(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { database, dataDir, secret } = server.config;
  const child = spawn(process.execPath, ["src/cli/main.ts", "order", "explain", ...words], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: database.url, CROSSDOCK_DATA_DIR: dataDir, CROSSDOCK_SECRET: secret },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number, stdout, stderr };
}

test("an order is explained in sentences, and with --json as over REST", async () => {
  const expiryDate = Temporal.Now.plainDateISO("UTC").add({ days: 10 }).toString();
  await life.stock([{ sku: "OIL", qty: 10, batchRef: "OLD", expiryDate }]);
  await life.client.accept("PO", purchaseOrder("ACME", "PO-1", [{ sku: "OIL", qty: 12 }]));
  await life.place("WEB-1", [{ sku: "OIL", qty: 2 }]);

  const shown = await explain("WEB-1", "--client", "ACME");
  assert.equal(shown.code, 0, shown.stderr);
  const [summary = "", next = "", blank, ...rest] = shown.stdout.split("\n");
  assert.match(summary, new RegExp(`^Line 1 waits for 2 EA of OIL at DC1: the lot expires on ${expiryDate}; `));
  assert.match(next, /^Purchase order PO-1 expects 12 of OIL; /);
  assert.equal(blank, "");
  const facts = rest.join("\n");
  assert.match(facts, /\nState +BACKORDERED\n/);
  assert.match(facts, /\nLine 1, OIL, BACKORDERED: 2 EA ordered, 0 allocated, 2 back-ordered, 2 short\n/);
  assert.match(facts, /\n {2}SHELF_LIFE +lot OLD: The lot expires on .* To change it: A lot that expires on or after /);
  assert.match(facts, /\n {2}EXPECTED +Purchase order PO-1 expects 12 EA, announced /);

  const json = await explain("WEB-1", "--client", "ACME", "--json");
  const { asOf, ...found } = JSON.parse(json.stdout) as OrderExplanation;
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const { body } = await call("GET", "/order/explain/WEB-1");
  const { asOf: asOfRest, ...overRest } = body as unknown as OrderExplanation;
  assert.deepEqual(found, overRest);
  assert.ok(asOfRest >= asOf);
});

test("an unknown order and an unknown client are refused", async () => {
  const order = await explain("NOWHERE", "--client", "ACME");
  assert.deepEqual([order.code, order.stderr.trim()], [1, "crossdock: client ACME has no order NOWHERE"]);
  const client = await explain("WEB-1", "--client", "NOBODY");
  assert.equal(client.code, 1);
  assert.match(client.stderr, /NOBODY/);
});
