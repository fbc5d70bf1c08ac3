// docs/quick-start.md: from nothing to a delivered order, with the program as a new user gets it, in each language.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { makeDataDir, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { fencesOf } from "./fences.ts";
import { walkGuide } from "./walk.ts";

const page = "docs/quick-start.md";
const tabs = ["curl", "TypeScript", "Java", "Python", "C#"];

test("the quick start has the same languages in each step", () => {
  const shown = fencesOf(page).flatMap(({ tab }) => tab ?? []);
  const order = shown.filter((tab, i) => tab !== shown[i - 1]);
  assert.ok(order.length > tabs.length);
  assert.deepEqual(
    order,
    order.map((_, i) => tabs[i % tabs.length]),
  );
});

// tests/guides/newcomer.test.ts walks through it with curl.
for (const tab of tabs.filter((tab) => tab !== "curl")) {
  test(
    `the quick start with ${tab} leads to a delivered order of the demo, and to one of a client that it makes`,
    {
      timeout: 240_000,
    },
    (context) => walk(context, tab),
  );
}

async function walk(context: TestContext, tab: string): Promise<void> {
  const dataDir = makeDataDir();
  const { url, demo } = await startProcess(dataDir, {
    CROSSDOCK_WAREHOUSE_SIM: "true",
    // A reader watches this for two minutes.
    CROSSDOCK_WAREHOUSE_SIM_SPEED: "20",
  });
  await walkGuide(context, page, {
    url,
    tab,
    values: {
      BASE: url,
      CLIENT: demo.clientId,
      KEY: demo.feed.apiKey,
      CLIENT_ID: demo.oauth.client_id,
      CLIENT_SECRET: demo.oauth.client_secret,
    },
    environment: { CROSSDOCK_DATA_DIR: dataDir },
    async before({ source }) {
      if (!/outbound\?type=OS|read[-_]status/.test(source)) return;
      // A reader who has watched the order to its end reads its documents; on a slow machine, they may appear later.
      await until(
        "a status of the order",
        async () => {
          const headers = { "x-api-key": demo.feed.apiKey };
          const answer = await fetch(`${url}/feeds/${demo.clientId}/outbound?type=OS&limit=500`, { headers });
          const { items } = (await answer.json()) as { items: { objectId: string }[] };
          return items.some(({ objectId }) => objectId.startsWith("WEB-")) || undefined;
        },
        60_000,
      );
    },
  });
}
