// The example of the typed client, run as a reader runs it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { testServer } from "../support/app/server.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const example = fileURLToPath(new URL("../../packages/client/examples/first-steps.ts", import.meta.url));

test("the example lists orders, looks up stock and creates a work order", async () => {
  const server = await testServer();
  const demo = await server.onboard("DEMO");
  await demo.accept("CAT", catalogue("DEMO", ["GIFT-SET", "MUG"]));
  const dc1 = await warehouseOf(server);
  const lines = [{ sku: "MUG", qty: 5 }];
  await dc1.report("adjustment", { clientId: "DEMO", adjustmentId: "A-1", reasonCode: "INITIAL", lines });
  for (const orderId of ["O-1", "O-2"]) {
    await demo.accept("NO", order("DEMO", orderId, ["GIFT-SET"], { distributionCentre: "DC1" }));
  }

  const { client_id, client_secret } = demo.credentials.oauth;
  const env = { CROSSDOCK_URL: server.url, CROSSDOCK_CLIENT_ID: client_id, CROSSDOCK_CLIENT_SECRET: client_secret };
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [example, ...args], { env });
  const { stdout, stderr } = await run("DC1", "GIFT-SET", "MUG");
  assert.equal(stderr, "");
  const output = stdout.trimEnd().split("\n");
  const [workOrder] = await server.rows<{ id: string }>("select work_order_id as id from work_order limit 2");
  assert.deepEqual(
    output.map((line) => line.replace(/^(order O-\d): [A-Z_]+$/, "$1")),
    [
      "order O-2",
      "order O-1",
      "MUG: 5 on hand, 5 available",
      `work order ${workOrder?.id}: RELEASED`,
      "not-found: The client has no work order of this workOrderId.",
    ],
  );
  assert.match(
    (await run("DC1", "GIFT-SET", "GHOST")).stdout,
    /^GHOST: 0 on hand, 0 available\nno work order: .*GHOST/m,
  );
});

test("the guide shows the example as it is", () => {
  const guide = readFileSync(new URL("../../docs/client.md", import.meta.url), "utf8");
  assert.ok(guide.includes(`\`\`\`ts run-by: tests/client/example.test.ts\n${readFileSync(example, "utf8")}\`\`\`\n`));
});
