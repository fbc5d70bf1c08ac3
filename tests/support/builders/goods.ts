// A client's view of its goods: outbound documents validated against their schema, the event log, and consistent books.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stockJobs } from "#/app/roles/stock-jobs.ts";
import { writeSnapshots } from "#/delivery/outbound/index.ts";
import { createXmlEngine, element } from "#/intake/xml/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { checkStock, describeBroken } from "#/modules/inventory/index.ts";
import type { TestClient, TestServer } from "../app/server.ts";
import { until } from "../app/until.ts";
import { parseXml, type XmlNode } from "../oracles/xml-tree.ts";
import { fetchXml, list, post, readOn } from "../webhooks/outbound-list.ts";

const engine = await createXmlEngine();
const schemaOf = (type: string) =>
  engine.compile(readFileSync(new URL(`../../../schemas/xsd/${type}.xsd`, import.meta.url)));
const schemas = Object.fromEntries(
  ["ACK", "GR", "OS", "RS", "ADJ", "INV", "IMS"].map((type) => [type, schemaOf(type)]),
);
const anything = element({ children: {} });
const ids = createIds();

export interface OutboundXml {
  readonly messageId: string;
  readonly type: string;
  readonly objectId: string;
  readonly xml: string;
  /** Its root element. */
  readonly root: XmlNode;
}

export interface GoodsEvent {
  readonly topic: string;
  readonly objectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client's goods as visible from outside. */
export interface Goods {
  /** Waits until all events are published, and returns the documents of a type, and of an object, in order. */
  outbound(type: string, objectId?: string): Promise<readonly OutboundXml[]>;
  /** The same for the event log. */
  events(objectType: string, objectId?: string): Promise<readonly GoodsEvent[]>;
  topics(objectType: string, objectId: string): Promise<string[]>;
  /** `GOOD 5/2` for five pieces of which two are allocated, by condition, with pool and lot if any. */
  stock(sku: string, facilityCode?: string): Promise<string[]>;
  /** Asserts the invariants of stock (lifecycle.md §8), as `crossdock stock check` does. */
  assertSound(): Promise<void>;
  /** Requests a snapshot as the client: its items by SKU, of the default pool. */
  snapshot(facilityCode?: string): Promise<ReadonlyMap<string, XmlNode>>;
  /** Everything about the client's goods that a report could change, as one text. */
  trace(): Promise<string>;
  /** Asserts that the work changes nothing. @returns its result */
  unchanged<T>(work: () => Promise<T>): Promise<T>;
  /** The operator's open exceptions, oldest first. */
  exceptions(objectId: string): Promise<{ kind: string; state: string; summary: string }[]>;
}

export function goodsOf(server: TestServer, client: TestClient): Goods {
  const { clientId } = client.credentials;
  const read = new Map<string, OutboundXml>();

  async function atRest(): Promise<void> {
    await until(`${clientId} to come to rest`, async () => {
      const [row] = await server.rows<{ due: boolean }>(
        `select exists (select from outbox where client_id = $1 and state = 'PENDING')
           or exists (select from stock_change where client_id = $1 and needs_allocation) as due`,
        clientId,
      );
      return row?.due === false;
    });
  }

  async function fetchOne(messageId: string, type: string, objectId: string): Promise<OutboundXml> {
    const known = read.get(messageId);
    if (known) return known;
    const xml = await fetchXml(client, messageId);
    const judged = engine.read(Buffer.from(xml), {
      schema: schemas[type] as (typeof schemas)[string],
      shape: anything,
    });
    assert.ok(judged.ok, judged.ok ? "" : `${JSON.stringify(judged.fault.problems)}\n${xml}`);
    const root = parseXml(xml);
    assert.equal(root.text("messageId"), messageId);
    assert.equal(root.text("clientId"), clientId);
    const document = { messageId, type, objectId, xml, root };
    read.set(messageId, document);
    return document;
  }

  const goods: Goods = {
    async outbound(type, objectId) {
      await atRest();
      const { items } = await readOn(client, "?limit=500");
      const wanted = items.filter(
        (item) => item.type === type && (objectId === undefined || item.objectId === objectId),
      );
      return Promise.all(wanted.map((item) => fetchOne(item.messageId, item.type, item.objectId)));
    },
    async events(objectType, objectId) {
      await atRest();
      return server.rows(
        `select topic, object_id as "objectId", data from event where client_id = $1 and object_type = $2
           and ($3::text is null or object_id = $3) order by position`,
        clientId,
        objectType,
        objectId ?? null,
      );
    },
    topics: async (objectType, objectId) => (await goods.events(objectType, objectId)).map(({ topic }) => topic),
    async stock(sku, facilityCode = "DC1") {
      await atRest();
      const rows = await server.rows<{ place: string }>(
        `select concat_ws(' ', condition, nullif(stock_pool, 'DEFAULT'), nullif(batch_ref, ''),
             case when expiry_date < 'infinity' then expiry_date::text end,
             trim_scale(qty) || '/' || trim_scale(allocated)) as place
         from stock_balance where client_id = $1 and sku = $2 and facility_code = $3 and qty > 0 order by 1`,
        clientId,
        sku,
        facilityCode,
      );
      return rows.map(({ place }) => place);
    },
    async assertSound() {
      await atRest();
      const broken = await server.database.transaction((tx) => checkStock(tx.of(clientId)));
      assert.deepEqual(broken.map(describeBroken), []);
    },
    async snapshot(facilityCode = "DC1") {
      await atRest();
      const answer = await post(client, "request", { type: "INV", distributionCentre: facilityCode });
      assert.equal(answer.status, 202);
      const { messageId } = (await answer.json()) as { messageId: string };
      const { objectId } = await written(messageId);
      const { root } = await fetchOne(messageId, "INV", objectId);
      const items = root.all("items/item").filter((item) => item.text("stockPool") === "DEFAULT");
      return new Map(items.map((item) => [item.text("sku") as string, item]));
    },
    async trace() {
      await atRest();
      const tables = [
        ...["purchase_order", "purchase_order_line", "goods_receipt", "goods_receipt_line", "return_authorisation"],
        ...["return_authorisation_line", "return_disposition", "work_order", "work_order_component", "work_order_lot"],
        ...["transfer", "transfer_line", "unidentified_receipt"],
        ...["stock_balance", "stock_movement", "stock_reservation", "stock_serial", "sales_order", "sales_order_line"],
        ...["audit_log", "event", "outbound_document"],
      ];
      const texts = await Promise.all(
        tables.map((table) =>
          server.rows<{ text: string | null }>(
            // Jobs publish quantity events at their own time.
            `select string_agg(md5(t::text), ' ' order by md5(t::text)) as text from ${table} t
             where client_id = $1 and ${table === "event" ? "topic not in ('inventory:changed', 'inventory:low')" : "true"}`,
            clientId,
          ),
        ),
      );
      return texts.map(([row], i) => `${tables[i]}: ${row?.text}`).join("\n");
    },
    async unchanged(work) {
      const before = await goods.trace();
      const result = await work();
      assert.equal(await goods.trace(), before, "what is refused has changed something");
      return result;
    },
    exceptions: (objectId) =>
      server.rows(
        `select kind, state, summary from operator_exception where client_id = $1 and object_id = $2
         order by raised_at, exception_id`,
        clientId,
        objectId,
      ),
  };

  /** Writes the snapshot directly, without waiting for the job. */
  const written = (messageId: string) =>
    until("the snapshot to be written", async () => {
      await writeSnapshots({ database: server.database, clock: { now: Date.now }, ids });
      return (await list(client, "?type=INV&limit=500")).items.find((item) => item.messageId === messageId);
    });

  return goods;
}

/** Runs a job of the worker now, with a different clock. */
export async function runJob(server: TestServer, name: string, clock: Clock): Promise<void> {
  const log = { info() {}, warn() {}, debug() {}, error: (_: unknown, text: string) => assert.fail(text) };
  const jobs = stockJobs({ database: server.database, clock, ids, log: log as never, onCommit() {} });
  const job = jobs.find((job) => job.name === name);
  assert.ok(job, `there is no job ${name}`);
  await job.run();
}

export const inDays = (days: number): Clock => ({ now: () => Date.now() + days * dayMs });
