// docs/warehouse.md in each language: the push of tasks, and an order from its task to its despatch.
import { test } from "node:test";
import { freePort } from "../support/app/free-port.ts";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

for (const tab of ["curl", "TypeScript", "Java", "Python", "C#"]) {
  const server = await testServer();
  // The sandbox of a reader has a simulated warehouse, which works every facility that it may.
  await server.startNode({ CROSSDOCK_WAREHOUSE_SIM: "true", CROSSDOCK_WAREHOUSE_SIM_SPEED: "1000" });
  test(`the page with ${tab}, from its first block to its last`, async (context) => {
    await walkGuide(context, "docs/warehouse.md", {
      url: server.url,
      tab,
      values: { BASE: server.url, HOOK_PORT: String(await freePort()) },
      environment: environmentOf(server),
    });
  });
}
