// docs/unidentified-goods.md: from the report of the warehouse to the receipt of the purchase order, and to an end without one.
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { catalogue } from "../support/builders/documents.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["TEE-M"]));

test("the page leads from unknown goods to their purchase order", async (context) => {
  const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = demo.credentials.oauth;
  await walkGuide(context, "docs/unidentified-goods.md", {
    url: server.url,
    values: { BASE: server.url, CLIENT: "DEMO", CLIENT_ID, CLIENT_SECRET },
    environment: environmentOf(server),
  });
});
