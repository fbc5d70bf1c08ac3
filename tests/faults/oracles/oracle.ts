// Invariants of the database after any fault, checked from the database and the senders' responses alone.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import pg from "pg";
import { bytesOf, type PayloadEncoding } from "#/intake/feeds/payload.ts";
import { until } from "../../support/app/until.ts";
import type { Answer, Sendable } from "../load/sender.ts";

/** A sent document, and the response, if the sender got one. */
export interface Sent extends Sendable {
  readonly objectId: string;
  readonly lines: number;
  /** Set only for a document that must be rejected in any state of the store. */
  readonly isFaulty?: boolean;
  /** The final response: 200. After a 503 or a broken connection, the outcome is unknown. */
  answer?: Answer;
  /** A repetition without a key was rejected as a duplicate of this document, so the first request was stored. */
  originToken?: string;
}

/** Whether the sender knows the outcome. */
export function isSettled({ answer, originToken }: Sent): boolean {
  return answer !== undefined || originToken !== undefined;
}

interface Document {
  readonly token: string;
  readonly feed_type: string;
  readonly state: string;
  readonly object_id: string | null;
  readonly body: string;
  readonly payload: Buffer | null;
  readonly encoding: PayloadEncoding;
  readonly ack: string;
}

interface StoredObject {
  readonly id: string;
  readonly feed_token: string;
  readonly lines: number;
  readonly pieces: number;
}

const clientId = "DEMO";

/** Waits until everything committed is published. The lane of a killed relay must be taken over first. */
export async function drained(url: string): Promise<number> {
  const beganMs = performance.now();
  await withClient(url, (client) =>
    until(
      "the outbox to be empty",
      async () => {
        const { rows } = await client.query("select count(*)::int as n from outbox where state = 'PENDING'");
        return rows[0].n === 0;
      },
      60_000,
    ),
  );
  return performance.now() - beganMs;
}

/**
 * @param leftOut number of positions that a restore skipped
 * @returns the number of documents in the database, by state
 */
export async function checkDatabase(url: string, sent: readonly Sent[], leftOut = 0): Promise<Record<string, number>> {
  return withClient(url, async (client) => {
    const list = async <Row>(text: string) => (await client.query(text, [clientId])).rows as Row[];
    const documents = await list<Document>(
      `select d.token, d.feed_type, d.state, d.object_id, encode(d.body_sha256, 'hex') as body,
         p.payload, p.encoding, convert_from(d.ack, 'UTF8') as ack
       from feed_document d left join feed_payload p on p.client_id = d.client_id and p.token = d.token
       where d.client_id = $1`,
    );
    const orders = await list<StoredObject>(
      `select o.order_id as id, o.feed_token, count(l.*)::int as lines, coalesce(sum(l.qty_ordered), 0)::int as pieces
       from sales_order o left join sales_order_line l on l.client_id = o.client_id and l.order_id = o.order_id
       where o.client_id = $1 group by o.order_id, o.feed_token`,
    );
    const purchaseOrders = await list<StoredObject>(
      `select o.po_number as id, o.feed_token, count(l.*)::int as lines, coalesce(sum(l.qty), 0)::int as pieces
       from purchase_order o left join purchase_order_line l
         on l.client_id = o.client_id and l.po_number = o.po_number and l.vendor_order_id = o.vendor_order_id
       where o.client_id = $1 group by o.po_number, o.feed_token`,
    );
    const [strays] = await list<Record<string, number>>(
      `select
         (select count(*) from feed_payload p where p.client_id = $1
            and not exists (select from feed_document d where d.client_id = $1 and d.token = p.token))::int as payloads,
         (select count(*) from sales_order_line l where l.client_id = $1
            and not exists (select from sales_order o where o.client_id = $1 and o.order_id = l.order_id))::int as lines,
         (select count(*) from feed_idempotency k where k.client_id = $1
            and not exists (select from feed_document d where d.client_id = $1 and d.token = k.token
                            and d.state in ('ACCEPTED', 'PROCESSED')))::int as keys`,
    );
    // A job may append events after the outbox was empty: order:atRisk in the hour before a cut-off.
    await until("every row of the outbox to be published", async () => {
      const [waiting] = await list<{ rows: string }>(
        "select coalesce(string_agg(distinct state || ' ' || topic, ', '), '') as rows from outbox where client_id = $1",
      );
      assert.doesNotMatch(waiting?.rows ?? "", /FAILED/);
      return waiting?.rows === "";
    });
    const keys = await list<{ key: string; token: string }>(
      "select idempotency_key as key, token from feed_idempotency where client_id = $1",
    );
    const events = await list<{ topic: string; object_id: string; position: string }>(
      "select topic, object_id, position from event where client_id = $1 order by position",
    );

    assert.deepEqual(strays, { payloads: 0, lines: 0, keys: 0 }, "nothing lies about without its document");
    assert.deepEqual(
      events.map(({ position }) => (Number(position) > leftOut ? Number(position) - leftOut : Number(position))),
      events.map((_, i) => i + 1),
      "positions run from 1 without another gap, each once",
    );
    checkDocuments(documents, events);
    checkObjects("NO", orders, documents, sent, events);
    checkObjects("PO", purchaseOrders, documents, sent, events);
    checkAnswers(documents, keys, sent);
    return Object.fromEntries(
      Map.groupBy(documents, ({ state }) => state)
        .entries()
        .map(([k, v]) => [k, v.length]),
    );
  });
}

type Event = { readonly topic: string; readonly object_id: string };

function checkDocuments(documents: readonly Document[], events: readonly Event[]): void {
  const topics = Map.groupBy(events, ({ object_id }) => object_id);
  for (const { token, state, body, payload, encoding, ack } of documents) {
    const digest = payload && createHash("sha256").update(bytesOf(payload, encoding)).digest("hex");
    assert.equal(digest, body, `document ${token} has its payload, byte for byte`);
    assert(ack.includes(`<token>${token}</token>`), `document ${token} has its own ACK`);
    assert.equal(ack.includes("<success>true</success>"), state !== "REJECTED", `the ACK of ${token} says what it is`);
    assert.deepEqual(
      (topics.get(token) ?? []).map(({ topic }) => topic).sort(),
      state === "REJECTED" ? ["feed:rejected"] : ["feed:accepted", "feed:processed"],
      `each event of document ${token} (${state}) is there once`,
    );
    assert(
      state === "REJECTED" || state === "PROCESSED",
      `document ${token} is ${state} though everything was published`,
    );
  }
  const known = new Set(documents.map(({ token }) => token));
  for (const { topic, object_id } of events.filter(({ topic }) => topic.startsWith("feed:"))) {
    assert(known.has(object_id), `event ${topic} reports document ${object_id}, which is not there`);
  }
}

/** Every object has one accepted document and all its lines, and every accepted document has its object. */
function checkObjects(
  type: "NO" | "PO",
  objects: readonly StoredObject[],
  documents: readonly Document[],
  sent: readonly Sent[],
  events: readonly Event[],
): void {
  const accepted = new Map(
    documents
      .filter((document) => document.feed_type === type && document.state !== "REJECTED")
      .map((document) => [document.object_id, document]),
  );
  const count = documents.filter((document) => document.feed_type === type && document.state !== "REJECTED").length;
  assert.equal(accepted.size, count, `no ${type} was accepted twice`);
  assert.deepEqual(
    objects.map(({ id }) => id).sort(),
    [...accepted.keys()].sort(),
    `each accepted ${type} has its object, and each object its document`,
  );
  const known = new Map(
    sent
      .filter((document) => document.type === type && !document.isFaulty)
      .map((document) => [document.objectId, document]),
  );
  const received = Map.groupBy(
    events.filter(({ topic }) => topic === "order:received"),
    ({ object_id }) => object_id,
  );
  for (const { id, feed_token, lines, pieces } of objects) {
    assert.equal(feed_token, accepted.get(id)?.token, `${type} ${id} names its document`);
    if (type === "NO") assert.equal(received.get(id)?.length, 1, `order:received of ${id} is there once`);
    const document = known.get(id);
    if (document) {
      assert.deepEqual(
        [lines, pieces],
        [document.lines, (document.lines * (document.lines + 1)) / 2],
        `${type} ${id} has all its lines`,
      );
    }
  }
  if (type === "NO") assert.equal(received.size, objects.length, "no order:received without its order");
}

function checkAnswers(
  documents: readonly Document[],
  keys: readonly { key: string; token: string }[],
  sent: readonly Sent[],
): void {
  const byToken = new Map(documents.map((document) => [document.token, document]));
  const accepted = new Map(
    documents
      .filter(({ state }) => state !== "REJECTED")
      .map((document) => [`${document.feed_type} ${document.object_id}`, document]),
  );
  const bound = new Map(keys.map(({ key, token }) => [key, token]));
  for (const { type, objectId, xml, key, isFaulty, answer, originToken } of sent) {
    const name = `${type} ${objectId}`;
    const effect = accepted.get(name);
    if (isFaulty) assert.equal(effect, undefined, `${name}, which is wrong, has no effect`);
    if (effect) {
      assert.equal(effect.body, createHash("sha256").update(xml).digest("hex"), `${name} has the bytes that were sent`);
      if (key !== undefined) assert.equal(bound.get(key), effect.token, `${name} has bound its key`);
    }
    if (originToken) assert.equal(effect?.token, originToken, `${name} is the duplicate of itself`);
    if (!answer) continue;
    const document = byToken.get(answer.token);
    assert(document, `${name} was acknowledged with ${answer.token} and is lost`);
    assert.equal(document.ack, answer.body, `${name}: the kept ACK is the one that was sent`);
    assert.equal(answer.isAccepted, !isFaulty, `${name} was answered: ${answer.body}`);
    if (answer.isAccepted) assert.equal(effect?.token, answer.token, `${name} was acknowledged and has one effect`);
  }
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
