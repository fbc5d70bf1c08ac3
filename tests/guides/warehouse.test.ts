// docs/warehouse.md: its first steps.
import { test } from "node:test";
import { freePort } from "../support/app/free-port.ts";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the page, from its first block to its last", async (context) => {
  await walkGuide(context, "docs/warehouse.md", {
    url: server.url,
    values: { BASE: server.url, HOOK_PORT: String(await freePort()) },
    environment: environmentOf(server),
  });
});
