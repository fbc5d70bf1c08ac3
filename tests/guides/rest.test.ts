// docs/rest.md: calls of the REST services in each language.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

for (const tab of ["curl", "Python"]) {
  test(`the calls with ${tab} work as shown, with the client's own credentials`, async (context) => {
    const { credentials } = await server.onboard(tab.toUpperCase());
    await walkGuide(context, "docs/rest.md", {
      url: server.url,
      tab,
      values: {
        BASE: server.url,
        CLIENT: tab.toUpperCase(),
        KEY: credentials.feed.apiKey,
        CLIENT_ID: credentials.oauth.client_id,
        CLIENT_SECRET: credentials.oauth.client_secret,
      },
      environment: environmentOf(server),
    });
  });
}
