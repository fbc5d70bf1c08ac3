// kill -9 while the parts of a snapshot and of its movement statement are written. Each part exists once, and together
// they are complete (outbound.md, INV and IMS). CROSSDOCK_TEST_ROUNDS makes more rounds, CROSSDOCK_TEST_SEED repeats a
// run's choices (not its timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#/store/db/database.ts";
import { unpackBytes } from "#/store/packed/packed.ts";
import { databaseUrlOf, makeDataDir, startProcess } from "../../support/app/process.ts";
import { until } from "../../support/app/until.ts";
import { movementOf, post } from "../../support/builders/stock.ts";
import { clientId } from "../load/floor-load.ts";
import { call, seededRandom, testSeed } from "../load/sender.ts";
import { withClient } from "../oracles/oracle.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 1);
/** Enough for more than two parts of ten thousand rows. */
const skuCount = 21_000;
const partsOfEach = 3;
/** The lease of the killed worker must expire first. */
const writtenMsMax = 120_000;

interface Part {
  readonly message_id: string;
  readonly type: "INV" | "IMS";
  readonly part: number;
  readonly parts: number;
  readonly list_position: string;
  readonly xml: string;
}

test("a snapshot whose writer is killed is reported completely, each part once", {
  timeout: 360_000 * rounds,
}, async (t) => {
  const seed = testSeed();
  const random = seededRandom(seed);
  t.diagnostic(`seed ${seed}`);
  const dataDir = makeDataDir();
  let server = await startProcess(dataDir);
  const url = databaseUrlOf(dataDir);
  const list = <Row>(text: string, ...values: unknown[]) =>
    withClient(url, async (client) => (await client.query(text, [clientId, ...values])).rows as Row[]);
  const database = openDatabase({
    url,
    connectionsMax: 1,
    applicationName: "crossdock test",
    statementTimeoutMs: 60_000,
  });
  for (let i = 0; i < skuCount; i += 7_000) {
    const skus = Array.from({ length: Math.min(7_000, skuCount - i) }, (_, n) => `S-${String(i + n).padStart(5, "0")}`);
    await post(
      database,
      clientId,
      skus.map((sku) => movementOf({ sku, qty: 3_000 })),
    );
  }
  await database.close();

  for (let round = 1; round <= rounds; round++) {
    const answer = await call(`${server.url}/feeds/${clientId}/outbound/request`, {
      method: "POST",
      headers: { "x-api-key": server.demo.feed.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ type: "INV", distributionCentre: "DC1" }),
    });
    assert.equal(answer.status, 202, answer.body);
    const { messageId } = JSON.parse(answer.body) as { messageId: string };
    const [{ snapshot }] = (await list<{ snapshot: string }>(
      "select snapshot_id as snapshot from stock_snapshot where client_id = $1 and inv_message_id = $2",
      messageId,
    )) as [{ snapshot: string }];
    // In the first round, the statement has three parts as well. Later statements list the movements since, which are
    // few.
    const killAtParts = 1 + Math.floor(random() * (round === 1 ? 2 * partsOfEach - 1 : partsOfEach));
    await until(
      "some parts",
      async () => {
        const [row] = await list<{ n: number }>(
          "select count(*)::int as n from outbound_document where client_id = $1 and object_id = $2",
          snapshot,
        );
        return (row?.n ?? 0) >= killAtParts;
      },
      writtenMsMax,
    );
    await sleep(random() * 60);
    await server.kill();
    const partsOf = async (): Promise<Part[]> => {
      const rows = await list<Omit<Part, "xml"> & { readonly payload: Buffer }>(
        `select message_id, type, part, parts, list_position, payload from outbound_document
         where client_id = $1 and object_id = $2 order by list_position`,
        snapshot,
      );
      return rows.map(({ payload, ...part }) => ({ ...part, xml: unpackBytes(payload).toString() }));
    };
    const before = await partsOf();
    server = await startProcess(dataDir);
    const beganMs = performance.now();
    await until(
      "the snapshot to be written",
      async () => {
        const rows = await list("select from stock_snapshot where client_id = $1 and written_at is null");
        return rows.length === 0;
      },
      writtenMsMax,
    );
    const parts = await partsOf();
    t.diagnostic(
      `round ${round}: killed with ${before.length} of ${parts.length} parts; the rest ${Math.round(performance.now() - beganMs)} ms after`,
    );
    assert.deepEqual(parts.slice(0, before.length), before, "what was written stays");
    const inv = parts.filter(({ type }) => type === "INV");
    const ims = parts.filter(({ type }) => type === "IMS");
    assert.equal(inv[0]?.message_id, messageId, "the first part has the id that was promised");
    for (const documentParts of [inv, ims]) {
      assert.deepEqual(
        documentParts.map(({ part }) => part),
        Array.from({ length: documentParts[0]?.parts ?? 0 }, (_, i) => i + 1),
        "each part is there once, in order",
      );
    }
    assert.equal(inv.length, partsOfEach);
    if (round === 1) assert.equal(ims.length, partsOfEach);
    const skus = inv.flatMap(({ xml }) => all(xml, "sku"));
    const known = await list<{ sku: string }>(
      "select sku from stock_snapshot_row where client_id = $1 and snapshot_id = $2",
      snapshot,
    );
    assert.deepEqual(skus.toSorted(), known.map(({ sku }) => sku).toSorted(), "each SKU is reported once");
    assert(skus.length >= skuCount);
    checkStatement(ims);
    const moved = ims.flatMap(({ xml }) => all(xml, "movementId"));
    assert.equal(new Set(moved).size, moved.length, "no movement is reported twice");
    if (round === 1) assert(moved.length >= skuCount);
  }
  await server.stop("SIGINT");
});

const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)<`, "g"))].map(([, text = ""]) => text);

/** Asserts opening + movements = closing for each SKU, over all parts. */
function checkStatement(parts: readonly Part[]): void {
  const skus = new Map<string, { opening: number; closing: number; moved: number }>();
  for (const { xml } of parts) {
    for (const [, item = ""] of xml.matchAll(/<item>(.*?)<\/item>/gs)) {
      const [sku = ""] = all(item, "sku");
      const moved = all(item, "qty").reduce((sum, qty) => sum + Number(qty), 0);
      const before = skus.get(sku)?.moved ?? 0;
      skus.set(sku, {
        opening: Number(all(item, "opening")[0]),
        closing: Number(all(item, "closing")[0]),
        moved: before + moved,
      });
    }
  }
  for (const [sku, { opening, closing, moved }] of skus) assert.equal(opening + moved, closing, sku);
}
