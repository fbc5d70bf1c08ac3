// docs/feeds.md: its commands, with the samples that they send.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the page, from its first block to its last", async (context) => {
  // The samples belong to this client.
  const { credentials } = await server.onboard("DEMO");
  await walkGuide(context, "docs/feeds.md", {
    url: server.url,
    values: { FEED_URL: server.url, CLIENT: "DEMO", KEY: credentials.feed.apiKey },
    environment: environmentOf(server),
  });
});
