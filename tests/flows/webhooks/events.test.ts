// rest.md §3, webhooks.md: the event log by cursor, and the topics.
import assert from "node:assert/strict";
import { test } from "node:test";
import { topics } from "#/delivery/webhooks/index.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { answered, clientOf, refused } from "../../support/http/rest-client.ts";

const server = await testServer();
const path = "/v1/webhookService/event/list";
const topicsPath = "/v1/webhookService/webhook/topics";

type EventQuery = Record<string, string | number>;
/** The query type that the typed client accepts: wrong queries are sent as well. */
type TypedQuery = { limit?: number };

/** A client with an item, and functions that read its events. */
async function readerOf(clientId: string) {
  const client = await server.onboard(clientId);
  const { webhooks } = clientOf(server, client);
  const ask = (query: EventQuery) => webhooks.GET(path, { params: { query: query as TypedQuery } });
  const list = async (query: EventQuery = {}) => (await answered(200, ask(query))) as unknown as Feed;
  /** Reads page by page to the end, from the start of the query. */
  async function readAll(query: EventQuery = {}): Promise<{ items: LoggedEvent[]; nextCursor: string; pages: number }> {
    const items: LoggedEvent[] = [];
    let cursor = typeof query.cursor === "string" ? query.cursor : undefined;
    for (let pages = 1; ; pages++) {
      const page = await list(cursor === undefined ? query : { ...query, cursor });
      items.push(...page.items);
      if (page.nextCursor === cursor) return { items, nextCursor: page.nextCursor, pages };
      cursor = page.nextCursor;
    }
  }
  /** Waits until all appended events are published. */
  async function quiet(): Promise<void> {
    await until("the events to be published", async () => {
      const [row] = await server.rows<{ open: number }>(
        "select count(*)::integer as open from outbox where client_id = $1",
        clientId,
      );
      return row?.open === 0;
    });
  }
  const logged = () =>
    server.rows<{ id: string; position: number; topic: string }>(
      `select 'evt_' || replace(event_id::text, '-', '') as id, position, topic from event
        where client_id = $1 order by position`,
      clientId,
    );
  return { client, clientId, webhooks, ask, list, readAll, quiet, logged };
}

interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly clientId: string;
  readonly facilityCode: string | null;
  readonly objectType: string;
  readonly objectId: string;
  readonly position: number;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Feed {
  readonly items: readonly LoggedEvent[];
  readonly nextCursor: string;
}

/** Writes the given number of rejections with an error of this length directly to the log. */
async function logRejections(clientId: string, count: number, errorLength: number): Promise<void> {
  await server.rows(
    `insert into event (client_id, event_id, position, topic, object_type, object_id, sequence, occurred_at, data)
      select l.client_id, (left(x.id, 24) || lpad(to_hex(n), 12, '0'))::uuid, l.last_position + n, 'feed:rejected', 'feed',
        x.id, n, now(), json_build_object('token', x.id, 'feedType', 'NO', 'objectId', null, 'errors', json_build_array(repeat('x', $3)))
      from outbox_lane l
        cross join (select lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') as t) c
        cross join lateral (select left(c.t, 8) || '-' || right(c.t, 4) || '-7000-8000-000000000000' as id) x
        cross join generate_series(1, $2::integer) n
      where l.client_id = $1 returning 1`,
    clientId,
    count,
    errorLength,
  );
  await server.rows("update outbox_lane set last_position = last_position + $2 where client_id = $1", clientId, count);
}

test("the log shows each event as it is pushed, in order, with its position", async () => {
  const { client, list, quiet } = await readerOf("SHOWN");
  await client.accept("CAT", catalogue("SHOWN", ["A"]));
  const { token } = await client.accept("NO", order("SHOWN", "1", ["A"], { distributionCentre: "DC1" }));
  await quiet();
  const { items } = await list();
  assert.deepEqual(
    items.map(({ position }) => position),
    items.map((_, i) => i + 1),
  );
  const received = items.find(({ type }) => type === "order:received") as LoggedEvent;
  assert.match(received.id, /^evt_[0-9a-f]{32}$/);
  assert.match(received.timestamp, /^\d{4}-.*Z$/);
  const { id: _, timestamp: __, position: ___, data, ...rest } = received;
  assert.deepEqual(rest, {
    type: "order:received",
    clientId: "SHOWN",
    facilityCode: "DC1",
    objectType: "order",
    objectId: "1",
    sequence: 1,
  });
  assert.equal(data.orderId, "1");
  const processed = items.find((event) => event.type === "feed:processed" && event.objectId === token) as LoggedEvent;
  assert.deepEqual(processed.data, { token, feedType: "NO", objectId: "1", errors: [] });
});

test("of an order with many lines 200 are reported, how many there are, and where all of them are", async () => {
  const { client, list, quiet } = await readerOf("MANY");
  await client.accept("CAT", catalogue("MANY", ["A"]));
  await client.accept(
    "NO",
    order(
      "MANY",
      "A/1",
      Array.from({ length: 201 }, () => "A"),
    ),
  );
  await quiet();
  const [received] = (await list({ topicName: "order:received" })).items;
  const { lines, linesTotal, linesTruncated, href } = received?.data ?? {};
  assert.deepEqual([(lines as object[]).length, linesTotal, linesTruncated], [200, 201, true]);
  const { access_token: token } = (await (
    await fetch(`${server.url}/v1/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials", ...client.credentials.oauth }),
    })
  ).json()) as { access_token: string };
  const record = await fetch(`${server.url}${href}`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(((await record.json()) as { lines: object[] }).lines.length, 201);
});

test("a reader at work while events are published misses none and gets none twice", async () => {
  const { client, list, quiet, logged } = await readerOf("BUSY");
  await client.accept("CAT", catalogue("BUSY", ["A"]));
  let isSending = true;
  const senders = [0, 1, 2].map(async (sender) => {
    for (let i = 0; i < 15; i++) await client.accept("NO", order("BUSY", `${sender}-${i}`, ["A"]));
  });
  const sent = Promise.all(senders)
    .then(quiet)
    .finally(() => {
      isSending = false;
    });
  const read: LoggedEvent[] = [];
  let cursor: string | undefined;
  for (;;) {
    const isLast = !isSending;
    const page = await list({ limit: 7, ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(page.items.length <= 7);
    read.push(...page.items);
    if (isLast && page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  await sent;
  const all = await logged();
  assert.ok(all.length > 45 * 4);
  assert.deepEqual(
    read.map(({ id, position, type }) => ({ id, position, topic: type })),
    all,
  );
});

test("an empty page has a cursor too, which finds what comes later", async () => {
  const { client, list, quiet } = await readerOf("EMPTY");
  const empty = await list();
  assert.deepEqual(empty.items, []);
  await client.accept("CAT", catalogue("EMPTY", ["A"]));
  await quiet();
  const { items, nextCursor } = await list({ cursor: empty.nextCursor });
  assert.deepEqual(
    items.map(({ type }) => type),
    ["feed:accepted", "feed:processed"],
  );
  const again = await list({ cursor: nextCursor });
  assert.deepEqual(again, { items: [], nextCursor });
});

test("filters are those of a webhook, and the object", async () => {
  const { client, list, quiet } = await readerOf("FILTER");
  await client.accept("CAT", catalogue("FILTER", ["A"]));
  await client.accept("NO", order("FILTER", "1", ["A"], { distributionCentre: "DC1" }));
  await client.accept("NO", order("FILTER", "2", ["A"], { distributionCentre: "DC2" }));
  await quiet();
  const { items: all } = await list({ limit: 500 });
  const same = async (query: EventQuery, isWanted: (event: LoggedEvent) => boolean) => {
    const wanted = all.filter(isWanted);
    assert.ok(wanted.length > 0 && wanted.length < all.length, JSON.stringify(query));
    assert.deepEqual((await list({ ...query, limit: 500 })).items, wanted, JSON.stringify(query));
  };
  await same({ topicName: "order:received" }, ({ type }) => type === "order:received");
  await same({ topicName: "order:*" }, ({ type }) => type.startsWith("order:"));
  await same({ topicName: "carrier:*" }, ({ type }) => type === "carrier:trackAndTrace");
  await same({ facilityCode: "DC1" }, ({ facilityCode }) => facilityCode === "DC1" || facilityCode === null);
  await same({ objectType: "feed" }, ({ objectType }) => objectType === "feed");
  await same({ objectId: "2" }, ({ objectId }) => objectId === "2");
  await same(
    { topicName: "order:*", facilityCode: "DC2", objectType: "order", objectId: "2" },
    ({ type, objectId }) => type.startsWith("order:") && objectId === "2",
  );
  assert.deepEqual((await list({ topicName: "*", facilityCode: "*", limit: 500 })).items, all);
  assert.deepEqual((await list({ topicName: "return:*" })).items, []);
});

test("a reader starts at a moment, and continues by cursor", async () => {
  const { client, list, readAll, quiet } = await readerOf("SINCE");
  await client.accept("CAT", catalogue("SINCE", ["A"]));
  await quiet();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const since = new Date().toISOString();
  await client.accept("NO", order("SINCE", "1", ["A"]));
  await quiet();
  const { items: all } = await list({ limit: 500 });
  const later = all.filter(({ timestamp }) => timestamp >= since);
  assert.ok(later.length > 0 && later.length < all.length);
  assert.deepEqual((await list({ since, limit: 500 })).items, later);
  const { items } = await readAll({ since, limit: 2 });
  assert.deepEqual(items, later, "with a cursor, since is passed over");
  assert.deepEqual((await list({ since: "1970-01-01T00:00:00Z", limit: 500 })).items, all);
  assert.deepEqual((await list({ since: "1950-01-01T00:00:00Z", limit: 500 })).items, all);
  const future = await list({ since: "2100-01-01T00:00:00+02:00" });
  assert.deepEqual(future.items, []);
  await client.accept("NO", order("SINCE", "2", ["A"]));
  await quiet();
  const next = await list({ cursor: future.nextCursor, topicName: "order:received" });
  assert.deepEqual(
    next.items.map(({ objectId }) => objectId),
    ["2"],
  );
});

test("a filter with few matches reads a bounded number of events, and the reader continues", async () => {
  const { client, clientId, list, readAll, quiet } = await readerOf("RARE");
  await client.accept("CAT", catalogue("RARE", ["A"]));
  await client.accept("NO", order("RARE", "first", ["A"]));
  await quiet();
  await logRejections(clientId, 45_000, 10);
  await client.accept("NO", order("RARE", "last", ["A"]));
  await quiet();
  const rare = { topicName: "order:received" };
  const first = await list(rare);
  assert.deepEqual(
    first.items.map(({ objectId }) => objectId),
    ["first"],
  );
  const second = await list({ ...rare, cursor: first.nextCursor });
  assert.deepEqual(second.items, [], "nothing is found, and it goes on");
  assert.notEqual(second.nextCursor, first.nextCursor);
  const { items, pages, nextCursor } = await readAll(rare);
  assert.deepEqual(
    items.map(({ objectId }) => objectId),
    ["first", "last"],
  );
  assert.equal(pages, 4, "20 000 events are looked at for a page, and one more asks whether that was all");
  assert.deepEqual((await list({ cursor: nextCursor })).items, [], "at the end of the whole log");

  await server.rows("delete from event where client_id = $1 and position <= 44000", clientId);
  const kept = await list(rare);
  assert.deepEqual(
    kept.items.map(({ objectId }) => objectId),
    ["last"],
    "months that are gone are not looked through",
  );
  const [oldest] = (await list({ limit: 1 })).items;
  assert.equal(oldest?.position, 44_001);
});

test("a page ends early where its events are large", async () => {
  const { clientId, list, readAll } = await readerOf("LARGE");
  await logRejections(clientId, 60, 200_000);
  const page = await list({ limit: 500 });
  assert.ok(page.items.length > 10 && page.items.length < 25, `${page.items.length}`);
  const { items } = await readAll({ limit: 500 });
  assert.deepEqual(
    items.map(({ position }) => position),
    Array.from({ length: 60 }, (_, i) => i + 1),
  );
  const filtered = await readAll({ limit: 500, topicName: "feed:*" });
  assert.equal(filtered.items.length, 60);
});

test("another client's events are never shown, for any request", async () => {
  const mine = await readerOf("MINE");
  const theirs = await readerOf("THEIRS");
  for (const { client, clientId, quiet } of [mine, theirs]) {
    await client.accept("CAT", catalogue(clientId, ["A"]));
    await client.accept("NO", order(clientId, "1", ["A"]));
    await quiet();
  }
  const { items, nextCursor } = await mine.list({ objectId: "1", limit: 500 });
  assert.ok(items.length > 0);
  for (const { clientId } of items) assert.equal(clientId, "MINE");
  await refused(403, mine.ask({ clientId: "THEIRS" }));
  const refusal = await refused(400, theirs.ask({ cursor: nextCursor }));
  assert.match(refusal.detail, /another client's list/);
});

test("what is asked for wrongly is refused, with its pointer", async () => {
  const { webhooks, ask, list } = await readerOf("WRONG");
  const pointed = async (status: number, query: EventQuery, pointer: string) => {
    const { errors } = await refused(status, ask(query));
    assert.deepEqual(
      errors.map((error) => error.pointer),
      [pointer],
      JSON.stringify(query),
    );
  };
  for (const limit of [0, 501, "many", 1.5]) await pointed(400, { limit }, "/query/limit");
  const topicsCursor = (await answered(200, webhooks.GET(topicsPath, { params: { query: { limit: 1 } } })))
    .nextCursor as string;
  const { nextCursor } = await list();
  for (const cursor of ["x", "!", topicsCursor, `${nextCursor}A`]) await pointed(400, { cursor }, "/query/cursor");
  for (const since of ["yesterday", "2026-02-30T00:00:00Z", "2026-11-20"])
    await pointed(400, { since }, "/query/since");
  await pointed(400, { objectType: "parcel" }, "/query/objectType");
  await pointed(400, { objectId: "a\u0000b" }, "/query/objectId");
  await pointed(400, { topic: "order:*" }, "/query/topic");
  await pointed(400, { topicName: "x".repeat(65) }, "/query/topicName");
  for (const topicName of ["order:eaten", "orders:*", "order", "order:re*", "**", ":*"])
    await pointed(422, { topicName }, "/query/topicName");
});

test("the topics say what a webhook can receive, page by page", async () => {
  const { webhooks } = await readerOf("TOPICS");
  const topicsOf = (query: EventQuery) => webhooks.GET(topicsPath, { params: { query: query as TypedQuery } });
  const { items, nextCursor } = await answered(200, topicsOf({ limit: 500 }));
  assert.equal(nextCursor, null);
  assert.deepEqual(
    items.map(({ topicName }: { topicName: string }) => topicName),
    topics.map(({ topicName }) => topicName),
  );
  for (const item of items) {
    assert.equal(item.sample.type, item.topicName);
    assert.equal(item.sample.objectType, item.objectType);
    assert.equal(item.documentation, `/docs/events#${item.topicName}`);
    assert.ok(item.description !== "" && item.object !== "");
  }
  const paged: string[] = [];
  let cursor: string | null = null;
  do {
    const query: EventQuery = cursor === null ? { limit: 10 } : { limit: 10, cursor };
    const page: { items: { topicName: string }[]; nextCursor: string | null } = await answered(200, topicsOf(query));
    paged.push(...page.items.map(({ topicName }) => topicName));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(
    paged,
    topics.map(({ topicName }) => topicName),
  );
  await refused(400, topicsOf({ cursor: "x" }));
  await refused(400, topicsOf({ limit: 501 }));
});
