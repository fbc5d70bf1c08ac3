// docs/carriers.md: from an empty facility to a bought label, with the carrier of the sandbox.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the page leads from an empty facility to a bought label", async (context) => {
  await walkGuide(context, "docs/carriers.md", {
    url: server.url,
    values: { BASE: server.url },
    environment: environmentOf(server),
  });
});
