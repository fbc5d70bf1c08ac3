// docs/warehouse-client.md: its programs and one report of each kind.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();
// The sandbox of a reader has a simulated warehouse, which works every facility that it may.
await server.startNode({ CROSSDOCK_WAREHOUSE_SIM: "true", CROSSDOCK_WAREHOUSE_SIM_SPEED: "1000" });

test("the page, from its first block to its last", async (context) => {
  await walkGuide(context, "docs/warehouse-client.md", {
    url: server.url,
    values: { BASE: server.url },
    environment: environmentOf(server),
  });
});
