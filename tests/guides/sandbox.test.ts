// docs/sandbox.md: the test causes every promised outcome.
import { test } from "node:test";
import { makeDataDir, startProcess } from "../support/app/process.ts";
import { walkGuide } from "./walk.ts";

const dataDir = makeDataDir();

test("the sandbox brings about what its page says", { timeout: 240_000 }, async (context) => {
  const { url, demo } = await startProcess(dataDir, { CROSSDOCK_WAREHOUSE_SIM: "true" });
  await walkGuide(context, "docs/sandbox.md", {
    url,
    values: {
      BASE: url,
      CLIENT: demo.clientId,
      KEY: demo.feed.apiKey,
      CLIENT_ID: demo.oauth.client_id,
      CLIENT_SECRET: demo.oauth.client_secret,
    },
    environment: { CROSSDOCK_DATA_DIR: dataDir },
  });
});
