// The pages for the developer of a brand, as a newcomer pastes them: in the order of the navigation, on one demo, which is
// as usable afterwards as before.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import { atEnd } from "../support/app/at-end.ts";
import { freePort } from "../support/app/free-port.ts";
import { databaseUrlOf, makeDataDir, startProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { opensshAbsence } from "../support/sftp/user.ts";
import { fencesOf, isToBeProved, newcomersPages } from "./fences.ts";
import { walkGuide } from "./walk.ts";

const walked = newcomersPages.filter((file) => fencesOf(file).some(isToBeProved));

const dataDir = makeDataDir();
const { url, demo } = await startProcess(dataDir, {
  CROSSDOCK_WAREHOUSE_SIM: "true",
  // A reader waits a minute for each order.
  CROSSDOCK_WAREHOUSE_SIM_SPEED: "20",
  CROSSDOCK_DEMO_HISTORY: "true",
  CROSSDOCK_SFTP_PORT: "0",
});
const { sftp } = JSON.parse(readFileSync(path.join(dataDir, "greeting.json"), "utf8"));
const database = new pg.Client({ connectionString: databaseUrlOf(dataDir) });
await database.connect();
atEnd(() => database.end());

const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["BASE", "FEEDS", "AUTH", "FEED_URL"].map((name) => [name, url])),
  CLIENT: demo.clientId,
  KEY: demo.feed.apiKey,
  CLIENT_ID: demo.oauth.client_id,
  CLIENT_SECRET: demo.oauth.client_secret,
  HOST: sftp.host,
  SFTP_PORT: String(sftp.port),
  HOOK_PORT: String(await freePort()),
  EXCHANGE: mkdtempSync(path.join(os.tmpdir(), "crossdock-exchange-")),
};

atEnd(() => rmSync(values.EXCHANGE as string, { recursive: true, force: true }));

/** The values that the first block of a page sets. A page about another client names it there. */
function valuesOf(file: string): Record<string, string> {
  const [first] = fencesOf(file).filter((fence) => isToBeProved(fence) && fence.language === "sh");
  const set = [...(first?.source ?? "").matchAll(/^(?:export )?(\w+)=(.*)$/gm)];
  return Object.fromEntries(
    set.map(([, name = "", shown = ""]) => [name, name === "CLIENT" ? shown : (values[name] ?? shown)]),
  );
}

/** The client's items, as orders, labels and carriers use them. */
async function items(): Promise<Map<string, unknown>> {
  const { rows } = await database.query<{ sku: string; row: Record<string, unknown> }>(
    "select sku, to_jsonb(item) - '{version,updated_at,dated_at,feed_token,feed_position}'::text[] as row from item where client_id = $1",
    [demo.clientId],
  );
  return new Map(rows.map(({ sku, row }) => [sku, row]));
}

const before = await items();

for (const file of walked) {
  test(`${file}, from its first block to its last`, { timeout: 300_000 }, async (context) => {
    if (file === "docs/sftp.md" && opensshAbsence !== undefined) {
      context.diagnostic(`LEFT OUT: ${file} was not run: ${opensshAbsence}`);
      assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${opensshAbsence}`);
      return;
    }
    await walkGuide(context, file, {
      url,
      tab: "curl",
      values: valuesOf(file),
      environment: { CROSSDOCK_DATA_DIR: dataDir },
      prepare(folder) {
        // A page has the reader save these values of the greeting.
        writeFileSync(path.join(folder, "client_id"), demo.oauth.client_id);
        writeFileSync(path.join(folder, "client_secret"), demo.oauth.client_secret);
      },
    });
  });
}

test("the items of the demo are as they were", async () => {
  const after = await items();
  for (const [sku, item] of before) assert.deepEqual(after.get(sku), item, sku);
});

test("no catalogue of the pages is older than what is stored", async () => {
  const { rows } = await database.query(
    "select token, findings from feed_document where client_id = $1 and findings::text like '%OLDER%'",
    [demo.clientId],
  );
  assert.deepEqual(rows, []);
});

test("an order of the greeting is determined a carrier, and delivered", async () => {
  const orderId = "WEB-AT-LAST";
  const document = `<orderRequest><orderId>${orderId}</orderId><clientId>${demo.clientId}</clientId><orderDate>${new Date().toISOString()}</orderDate>
<shipToAddress><lastName>Lovelace</lastName><address1>12 St James's Square</address1><city>London</city><zip>SW1Y 4JH</zip><country>GB</country></shipToAddress>
<lines><line><lineNumber>1</lineNumber><sku>HELLO-TEE</sku><qty>1</qty></line><line><lineNumber>2</lineNumber><sku>TEE-M</sku><qty>1</qty></line></lines></orderRequest>`;
  const sent = await fetch(`${url}/feeds/${demo.clientId}/NO`, {
    method: "POST",
    headers: { "x-api-key": demo.feed.apiKey, "content-type": "application/xml" },
    body: document,
  });
  assert.match(await sent.text(), /<success>true/);
  const body = new URLSearchParams({ grant_type: "client_credentials", ...demo.oauth });
  const { access_token } = (await (await fetch(`${url}/v1/oauth/token`, { method: "POST", body })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  const determined = await fetch(`${url}/v1/carrierDeterminationService/carrier/determineForOrder/${orderId}`, {
    method: "POST",
    headers,
    body: "{}",
  });
  assert.equal(determined.status, 200, await determined.text());
  await until(
    "the order to be delivered",
    async () => {
      const answer = await fetch(`${url}/v1/orderService/order/status/${orderId}`, { headers });
      return ((await answer.json()) as { status: string }).status === "DELIVERED";
    },
    120_000,
  );
});
