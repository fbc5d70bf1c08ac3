import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { threeLineOrder } from "./feeds/documents.ts";
import { machine, temporaryFolder } from "./feeds/machine.ts";
import { sendFeed } from "./feeds/send.ts";
import { numberOption } from "./load/arguments.ts";
import { type Platform, startPlatform } from "./sizing/platform.ts";
import { pickPort } from "./sizing/port.ts";
import { cpuSecondsOf } from "./sizing/processors.ts";
import { perOrder, readSizes, readWalBytes } from "./sizing/tables.ts";

const skus = 200;
const piecesOfSku = 1_000_000;
const sendersAtATime = 8;
/** Timeout from the first order to the last delivery. */
const msMax = 20 * 60_000;
const measuredFile = fileURLToPath(new URL("./sizing/measured.json", import.meta.url));
const textOf = (measured: object) => `${JSON.stringify(measured, undefined, 2)}\n`;

/**
 * Measures what an order leaves in the store after its complete life. The order is sent by HTTP, allocated, picked,
 * packed, despatched and delivered by the simulated warehouse and carrier. Every event is pushed to one webhook; every
 * outbound document is fetched and acknowledged. docs/sizing.md calculates with the result.
 */
export async function run(args: readonly string[]): Promise<void> {
  const orders = numberOption(args, "orders", 3_000);
  const folder = temporaryFolder("sizing");
  const server = await startEmbedded({ dataDir: folder });
  const receiver = await startReceiver();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  let platform: Platform | undefined;
  try {
    platform = await startPlatform(server.url, folder);
    await stock(platform, client);
    await subscribe(platform, receiver.url);
    const sizes = await readSizes(client);
    const wal = await readWalBytes(client);
    const busy = { program: cpuSecondsOf(platform.pid), store: cpuSecondsOf(server.pid) };
    const startedMs = performance.now();
    await sendAll(platform, orders);
    console.log(`${orders} orders sent after ${seconds(startedMs)} s`);
    await delivered(client, orders);
    await acknowledgeAll(platform, client);
    console.log(`all delivered and acknowledged after ${seconds(startedMs)} s`);
    const measured = {
      machine: machine(),
      orders,
      linesOfOrder: 3,
      walBytes: Math.round(((await readWalBytes(client)) - wal) / orders),
      // This includes the simulated warehouse and carrier, which are clients of the port and not the subject of the
      // measurement.
      programMs: milliseconds(cpuSecondsOf(platform.pid) - busy.program, orders),
      storeMs: milliseconds(cpuSecondsOf(server.pid) - busy.store, orders),
      tables: perOrder(sizes, await readSizes(client), orders),
    };
    console.log(textOf(measured));
    if (args.includes("--keep")) writeFileSync(measuredFile, textOf(measured));
    if (args.includes("--keep-sizes")) {
      const { programMs, storeMs } = JSON.parse(readFileSync(measuredFile, "utf8")) as typeof measured;
      writeFileSync(measuredFile, textOf({ ...measured, programMs, storeMs }));
    }
  } finally {
    await platform?.stop();
    await client.end();
    receiver.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const milliseconds = (busySeconds: number, orders: number) => Math.round((busySeconds * 1e5) / orders) / 100;
const seconds = (sinceMs: number) => ((performance.now() - sinceMs) / 1_000).toFixed(0);

async function startReceiver(): Promise<{ readonly url: string; close(): void }> {
  const port = await pickPort();
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200).end());
  }).listen(port, "127.0.0.1");
  return { url: `http://127.0.0.1:${port}/hooks`, close: () => server.close() };
}

/** Sends a purchase order, whose goods the simulated warehouse receives. */
async function stock(platform: Platform, client: pg.Client): Promise<void> {
  const textOfSkus = (text: (n: number) => string) => Array.from({ length: skus }, (_, i) => text(i + 1)).join("");
  const item = (n: number) => `<item><sku>SZ-${n}</sku><name>Stoneware mug ${n}</name><weight>0.42</weight>
    <weightUomCode>KG</weightUomCode></item>`;
  const line = (n: number) => `<line><lineNumber>${n}</lineNumber><sku>SZ-${n}</sku><qty>${piecesOfSku}</qty></line>`;
  const date = new Date().toISOString();
  await sendFeed(
    platform,
    "DEMO",
    "CAT",
    `<itemMaster><clientId>DEMO</clientId><date>${date}</date>${textOfSkus(item)}</itemMaster>`,
  );
  await sendFeed(
    platform,
    "DEMO",
    "PO",
    `<vendorOrder><poNumber>SIZING</poNumber><distributionCentre>DC1</distributionCentre><clientId>DEMO</clientId>
      <lines>${textOfSkus(line)}</lines></vendorOrder>`,
  );
  await until(async () => {
    const { rows } = await client.query(
      "select count(distinct sku)::int as skus from stock_balance where client_id = 'DEMO' and sku like 'SZ-%' and condition = 'GOOD'",
    );
    return rows[0]?.skus === skus;
  }, "the goods to be received");
}

async function subscribe({ url, token }: Platform, target: string): Promise<void> {
  const response = await fetch(`${url}/v1/webhookService/webhook/create`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      clientId: "DEMO",
      topicName: "*",
      facilityCode: "*",
      url: target,
      contentType: "application/json",
    }),
  });
  if (!response.ok) throw new Error(await response.text());
}

const orderOf = (n: number) => threeLineOrder("DEMO", `SZ-${n}`, (line) => `SZ-${((n * 7 + line) % skus) + 1}`);

async function sendAll(platform: Platform, orders: number): Promise<void> {
  let next = 0;
  const sender = async () => {
    while (next < orders) await sendFeed(platform, "DEMO", "NO", orderOf(++next));
  };
  await Promise.all(Array.from({ length: sendersAtATime }, sender));
}

/** Waits until every order is delivered and every event is pushed. */
async function delivered(client: pg.Client, orders: number): Promise<void> {
  await until(async () => {
    const { rows } = await client.query(`select
      (select count(*)::int from sales_order where client_id = 'DEMO' and order_id like 'SZ-%' and status = 'DELIVERED') as delivered,
      (select count(*)::int from webhook_delivery where client_id = 'DEMO' and completed_at is null) as open,
      (select count(*)::int from outbox where client_id = 'DEMO') as waiting`);
    return rows[0]?.delivered === orders && rows[0]?.open === 0 && rows[0]?.waiting === 0;
  }, "the orders to be delivered");
}

async function acknowledgeAll(platform: Platform, client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ message_id: string }>(
    "select message_id from outbound_document where client_id = 'DEMO' and acknowledged_at is null",
  );
  const headers = { "x-api-key": platform.apiKey };
  for (const { message_id } of rows) {
    const answer = await fetch(`${platform.url}/feeds/DEMO/outbound/${message_id}/ack`, { method: "POST", headers });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + msMax; Date.now() < end; await sleep(1_000)) if (await isSo()) return;
  throw new Error(`waited ${msMax / 60_000} minutes for ${what}`);
}
