// docs/rest.md: calls of the REST services in Python. tests/guides/newcomer.test.ts sends them with curl.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the calls with Python work as shown, with the client's own credentials", async (context) => {
  const { credentials } = await server.onboard("BRAND");
  await walkGuide(context, "docs/rest.md", {
    url: server.url,
    tab: "Python",
    values: {
      BASE: server.url,
      CLIENT: "BRAND",
      KEY: credentials.feed.apiKey,
      CLIENT_ID: credentials.oauth.client_id,
      CLIENT_SECRET: credentials.oauth.client_secret,
    },
    environment: environmentOf(server),
  });
});
