// docs/first-steps.md: four commands, from credentials to an order that can be followed.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the four commands work unchanged, with the client's own credentials", async (context) => {
  const { credentials } = await server.onboard("ACME");
  await walkGuide(context, "docs/first-steps.md", {
    url: server.url,
    values: {
      FEEDS: server.url,
      AUTH: server.url,
      BASE: server.url,
      CLIENT: "ACME",
      KEY: credentials.feed.apiKey,
      CLIENT_ID: credentials.oauth.client_id,
      CLIENT_SECRET: credentials.oauth.client_secret,
    },
    environment: environmentOf(server),
  });
});
