// webhooks.md §1, rest.md §2: a client creates, changes, lists, pauses and deletes subscriptions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { onboardClient } from "#/modules/clients/index.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import type { Answer } from "../../support/http/call.ts";
import { pointersOf } from "../../support/http/rest-calls.ts";
import { newWebhook, webhookCalls } from "../../support/http/webhook-calls.ts";

const server = await testServer({
  CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: "false",
  CROSSDOCK_PRIVATE_TARGETS: "10.1.0.0/16",
});
const staging = await testServer({ CROSSDOCK_ENVIRONMENT: "staging", CROSSDOCK_GS1_PREFIX: "0614141" });
const webhooks = webhookCalls(server.url, await server.onboard("OWN"));
const other = webhookCalls(server.url, await server.onboard("OTHER"));
const unknownId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";

async function assertRefused(answer: Promise<Answer>, status: number, ...pointers: string[]): Promise<void> {
  const { status: answered, body, headers } = await answer;
  assert.equal(answered, status, JSON.stringify(body));
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  if (pointers.length > 0) assert.deepEqual(pointersOf({ body }), pointers);
}

test("a webhook is created, answered with its secret once, and read without it", async () => {
  const sent = {
    ...newWebhook("OWN"),
    emailList: ["ops@example.com"],
    customHeaders: { "X-Hook-Key": "open sesame" },
    httpSignature: false,
    isPaused: 0,
  };
  const { status, headers, body } = await webhooks.call("POST", "/webhook/create", sent);
  assert.equal(status, 201, JSON.stringify(body));
  const { signingSecret, ...record } = body;
  assert.equal(Buffer.from(String(signingSecret).replace(/^whsec_/, ""), "base64").length, 32);
  assert.equal(headers.get("location"), `/v1/webhookService/webhook/get/${body.webhookId}`);
  assert.equal(headers.get("etag"), '"1"');
  const { webhookId, createdAt, ...rest } = record;
  assert.deepEqual(rest, {
    ...sent,
    additionalTopicNames: [],
    description: null,
    customHeaders: { "X-Hook-Key": "***" },
    status: "ACTIVE",
    health: { lastSuccessAt: null, lastFailureAt: null, consecutiveFailures: 0, pending: 0 },
    updatedAt: createdAt,
    version: 1,
  });
  const read = await webhooks.call("GET", `/webhook/get/${webhookId}`);
  assert.equal(read.headers.get("etag"), '"1"');
  assert.deepEqual(read.body, record);
  assert.deepEqual((await webhooks.call("GET", `/webhook/get/${String(webhookId).toUpperCase()}`)).body, record);
  const [stored] = await server.rows<{ text: string }>(
    "select row_to_json(w)::text as text from webhook w where webhook_id = $1",
    webhookId,
  );
  assert.ok(!stored?.text.includes("sesame") && !stored?.text.includes("whsec_"), "secrets lie open");
});

test("a create that is repeated under its key makes nothing more, and hides the secret", async () => {
  const key = { "idempotency-key": "once" };
  const first = await webhooks.call("POST", "/webhook/create", newWebhook("OWN"), key);
  const second = await webhooks.call("POST", "/webhook/create", newWebhook("OWN"), key);
  assert.equal(second.status, 201);
  assert.deepEqual(second.body, { ...first.body, signingSecret: "***" });
  await assertRefused(webhooks.call("POST", "/webhook/create", { ...newWebhook("OWN"), topicName: "*" }, key), 409);
});

test("what a create has wrong is named all at once: shape 400, what is not there 422", async () => {
  const create = (more: object) => webhooks.call("POST", "/webhook/create", { ...newWebhook("OWN"), ...more });
  await assertRefused(webhooks.call("POST", "/webhook/create", { clientId: "OWN" }), 400, ...["#/topicName", "#/url"]);
  await assertRefused(create({ isPaused: 2 }), 400, "#/isPaused");
  await assertRefused(create({ isPaused: true }), 400, "#/isPaused");
  await assertRefused(create({ status: "ACTIVE" }), 400, "#/status");
  await assertRefused(
    create({
      url: "ftp://x",
      contentType: "image/png",
      emailList: ["a,b@c.d"],
      customHeaders: { Host: "x", "X-A": "a\r\nb" },
    }),
    400,
    ...["#/url", "#/contentType", "#/emailList/0", "#/customHeaders/Host", "#/customHeaders/X-A"],
  );
  await assertRefused(create({ url: "https://user:pass@example.com/" }), 400, "#/url");
  await assertRefused(create({ customHeaders: { "X-A": "***" } }), 400, "#/customHeaders/X-A");
  await assertRefused(create({ emailList: Array.from({ length: 21 }, (_, i) => `a${i}@b.c`) }), 400, "#/emailList");
  await assertRefused(
    create({ topicName: "order:eaten", facilityCode: "DC3", url: "http://127.0.0.1/" }),
    422,
    ...["#/topicName", "#/facilityCode", "#/url"],
  );
  await assertRefused(create({ clientId: "OTHER" }), 403);
});

test("a create needs a topic and an address; the token has the client, and null is left out", async () => {
  const { topicName, url } = newWebhook("OWN");
  const least = await webhooks.call("POST", "/webhook/create", { topicName, url });
  assert.equal(least.status, 201);
  const { clientId, facilityCode, contentType, isPaused } = least.body;
  assert.deepEqual([clientId, facilityCode, contentType, isPaused], ["OWN", "*", "application/json", 0]);
  const nulls = { clientId: null, facilityCode: null, contentType: null, emailList: null, customHeaders: null };
  const sent = { topicName, url, ...nulls, additionalTopicNames: null, description: null, isPaused: null };
  const read = await webhooks.call("POST", "/webhook/create", sent);
  assert.equal(read.status, 201);
  const fieldsOf = (body: object) => ({ ...body, webhookId: "", signingSecret: "", createdAt: "", updatedAt: "" });
  assert.deepEqual(fieldsOf(read.body), fieldsOf(least.body));
  const inQuery = await webhooks.call("POST", "/webhook/create?clientId=OWN", { topicName, url });
  assert.equal(inQuery.status, 201);
  await assertRefused(webhooks.call("POST", "/webhook/create", { topicName: null, url }), 400, "#/topicName");
});

test("a literal address that nothing is sent to is refused in every spelling, at create and at patch", async () => {
  const { webhookId } = await webhooks.create();
  const closed = ["http://127.0.0.1/", "https://10.2.0.1/", "https://2130706433/", "https://0x7f.1/", "https://[::1]/"];
  closed.push("https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest", "https://192.0.2.1/");
  for (const url of closed) {
    await assertRefused(webhooks.call("POST", "/webhook/create", { ...newWebhook("OWN"), url }), 422, "#/url");
    await assertRefused(webhooks.call("PATCH", `/webhook/patch/${webhookId}`, { url }), 422, "#/url");
  }
  assert.equal((await webhooks.create({ url: "http://10.1.2.3:8080/hooks" })).url, "http://10.1.2.3:8080/hooks");
});

test("plain http is refused outside the sandbox", async () => {
  const onboarded = await staging.operate((tx, change) =>
    onboardClient(tx, change, { clientId: "STAGED", name: "Staged", facilities: ["DC1"], environment: "staging" }),
  );
  assert.ok(onboarded.ok);
  const calls = webhookCalls(staging.url, { credentials: onboarded.value });
  const url = "http://example.com/";
  await assertRefused(calls.call("POST", "/webhook/create", { ...newWebhook("STAGED"), url }), 422, "#/url");
  await calls.create();
});

test("a patch merges: what it leaves out stays, null takes back, *** keeps a header", async () => {
  const customHeaders = { "X-One": "1", "X-Two": "2" };
  const { webhookId } = await webhooks.create({ customHeaders, emailList: ["a@b.c"] });
  const patch = (body: object, headers?: Record<string, string>) =>
    webhooks.call("PATCH", `/webhook/patch/${webhookId}`, body, headers);
  const changed = await patch({ topicName: "*", customHeaders: { "X-One": "***", "X-Two": null, "X-Three": "3" } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(changed.headers.get("etag"), '"2"');
  assert.deepEqual(changed.body.customHeaders, { "X-One": "***", "X-Three": "***" });
  assert.deepEqual([changed.body.topicName, changed.body.facilityCode, changed.body.version], ["*", "DC1", 2]);
  assert.deepEqual(changed.body.emailList, ["a@b.c"]);
  const cleared = await patch({ emailList: null, customHeaders: null, isPaused: null });
  assert.deepEqual([cleared.body.emailList, cleared.body.customHeaders, cleared.body.version], [[], {}, 3]);
  const same = await patch({ topicName: "*", clientId: "OWN" }, { "if-match": '"3"' });
  assert.deepEqual([same.status, same.body.version, same.body.updatedAt], [200, 3, cleared.body.updatedAt]);
  await assertRefused(patch({ topicName: "order:*" }, { "if-match": '"2"' }), 412);
  await assertRefused(patch({ topicName: "order:eaten", facilityCode: "DC9" }), 422, "#/topicName", "#/facilityCode");
  await assertRefused(patch({ webhookId: unknownId }), 400, "#/webhookId");
  await assertRefused(patch({ url: null }), 400, "#/url");
  await assertRefused(patch({ customHeaders: { "X-New": "***" } }), 400, "#/customHeaders/X-New");
  const key = { "idempotency-key": "patched" };
  const keyed = await patch({ topicName: "order:*" }, key);
  assert.deepEqual((await patch({ topicName: "order:*" }, key)).body, keyed.body);
  await assertRefused(patch({ topicName: "parcel:*" }, key), 409);
});

test("a webhook takes several topics, each once; a patch of one field leaves the other", async () => {
  const several = ["parcel:load", "order:*", "return:*", "parcel:load"];
  const { webhookId, ...made } = await webhooks.create({ additionalTopicNames: several });
  const topicsOf = ({ topicName, additionalTopicNames }: Record<string, unknown>) => [topicName, additionalTopicNames];
  assert.deepEqual(topicsOf(made), ["order:*", ["parcel:load", "return:*"]]);
  assert.deepEqual(topicsOf(await webhooks.get(webhookId)), topicsOf(made));
  const patch = (body: object) => webhooks.call("PATCH", `/webhook/patch/${webhookId}`, body);
  const patched = async (body: object) => topicsOf((await patch(body)).body);
  assert.deepEqual(await patched({ topicName: "parcel:load" }), ["parcel:load", ["return:*"]]);
  assert.deepEqual(await patched({ additionalTopicNames: ["feed:rejected"] }), ["parcel:load", ["feed:rejected"]]);
  assert.deepEqual(await patched({ url: "https://example.com/other" }), ["parcel:load", ["feed:rejected"]]);
  assert.deepEqual(await patched({ additionalTopicNames: null }), ["parcel:load", []]);
  const create = (additionalTopicNames: unknown) =>
    webhooks.call("POST", "/webhook/create", { ...newWebhook("OWN"), additionalTopicNames });
  await assertRefused(create("parcel:load"), 400, "#/additionalTopicNames");
  await assertRefused(create([""]), 400, "#/additionalTopicNames/0");
  const names = Array.from({ length: 50 }, () => "parcel:load");
  await assertRefused(create(names), 400, "#/additionalTopicNames");
  await assertRefused(
    create(["parcel:load", "order:eaten", "task:*"]),
    422,
    "#/additionalTopicNames/1",
    "#/additionalTopicNames/2",
  );
  await assertRefused(patch({ additionalTopicNames: ["order:eaten"] }), 422, "#/additionalTopicNames/0");
  const { topicName: _, ...withoutTopic } = newWebhook("OWN");
  await assertRefused(
    webhooks.call("POST", "/webhook/create", { ...withoutTopic, additionalTopicNames: ["parcel:load"] }),
    400,
    "#/topicName",
  );
});

test("a description is one line that a patch changes and null removes", async () => {
  const description = "States of orders – for the shop's order page";
  const { webhookId, ...first } = await webhooks.create({ description });
  assert.equal(first.description, description);
  const patch = (body: object) => webhooks.call("PATCH", `/webhook/patch/${webhookId}`, body);
  assert.deepEqual((await patch({ url: "https://example.com/other" })).body.description, description);
  assert.deepEqual((await patch({ description: "For the returns desk" })).body.description, "For the returns desk");
  const { body } = await webhooks.call("GET", "/webhook/list?sort=-receivedAt");
  const [newest] = body.items as { readonly description: string | null }[];
  assert.equal(newest?.description, "For the returns desk");
  assert.deepEqual((await patch({ description: null })).body.description, null);
  for (const refusedText of [" x", "two\nlines", "x".repeat(256)]) {
    await assertRefused(patch({ description: refusedText }), 400, "#/description");
    const created = { ...newWebhook("OWN"), description: refusedText };
    await assertRefused(webhooks.call("POST", "/webhook/create", created), 400, "#/description");
  }
});

test("another address is tried at once by a webhook that waits for its next probe", async () => {
  const { webhookId } = await webhooks.create();
  const laneOf = async () => {
    const [lane] = await server.rows<{ is_due: boolean; waits: boolean }>(
      `select due_at < clock_timestamp() + interval '1 minute' as is_due, breaker ? 'nextProbeAtMs' as waits
        from webhook_lane where webhook_id = $1`,
      webhookId,
    );
    return lane;
  };
  await server.rows(
    `update webhook_lane set due_at = clock_timestamp() + interval '15 minutes',
        breaker = jsonb_build_object('nextProbeAtMs', (extract(epoch from clock_timestamp()) * 1000)::bigint + 900000)
      where webhook_id = $1`,
    webhookId,
  );
  await webhooks.call("PATCH", `/webhook/patch/${webhookId}`, { description: "For the shop" });
  assert.deepEqual(await laneOf(), { is_due: false, waits: true });
  await webhooks.call("PATCH", `/webhook/patch/${webhookId}`, { url: "https://example.com/repaired" });
  await until("it is probed", async () => (await laneOf())?.waits === false);
});

test("pausing and resuming are seen in isPaused and status", async () => {
  const { webhookId } = await webhooks.create({ isPaused: 1 });
  const stateOf = ({ isPaused, status }: Record<string, unknown>) => [isPaused, status];
  assert.deepEqual(stateOf(await webhooks.get(webhookId)), [1, "PAUSED"]);
  const patch = async (body: object) =>
    stateOf((await webhooks.call("PATCH", `/webhook/patch/${webhookId}`, body)).body);
  assert.deepEqual(await patch({ isPaused: 0 }), [0, "ACTIVE"]);
  assert.deepEqual(await patch({ isPaused: 1 }), [1, "PAUSED"]);
  assert.deepEqual(await patch({ isPaused: null }), [0, "ACTIVE"]);
  await server.rows("update webhook set status = 'DISABLED' where webhook_id = $1", webhookId);
  assert.deepEqual(stateOf(await webhooks.get(webhookId)), [0, "DISABLED"]);
  assert.deepEqual(await patch({ topicName: "*" }), [0, "DISABLED"]);
  assert.deepEqual(await patch({ isPaused: 0 }), [0, "ACTIVE"]);
});

test("a rotated secret is another one, shown once; the one before is kept for a day", async () => {
  const { webhookId, signingSecret } = await webhooks.create();
  const key = { "idempotency-key": "rotated" };
  const rotate = (headers: Record<string, string>) =>
    webhooks.call("POST", `/webhook/rotateSecret/${webhookId}`, undefined, headers);
  const first = await rotate({ ...key, "if-match": '"1"' });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.match(String(first.body.signingSecret), /^whsec_/);
  assert.notEqual(first.body.signingSecret, signingSecret);
  assert.deepEqual([first.body.version, first.headers.get("etag")], [2, '"2"']);
  assert.deepEqual((await rotate(key)).body, { ...first.body, signingSecret: "***" });
  await assertRefused(rotate({ "if-match": '"1"' }), 412);
  const [row] = await server.rows<{ hours: number }>(
    `select extract(epoch from previous_secret_until - updated_at)::float / 3600 as hours from webhook where webhook_id = $1`,
    webhookId,
  );
  assert.equal(row?.hours, 24);
});

test("a deleted webhook is gone", async () => {
  const { webhookId } = await webhooks.create();
  const path = `/webhook/delete/${webhookId}`;
  await assertRefused(webhooks.call("DELETE", path, undefined, { "if-match": '"7"' }), 412);
  const key = { "idempotency-key": "deleted" };
  assert.equal((await webhooks.call("DELETE", path, undefined, key)).status, 204);
  assert.equal((await webhooks.call("DELETE", path, undefined, key)).status, 204);
  await assertRefused(webhooks.call("DELETE", `${path}?clientId=OWN`, undefined, key), 409);
  await assertRefused(webhooks.call("DELETE", path), 404);
  await assertRefused(webhooks.call("GET", `/webhook/get/${webhookId}`), 404);
  const left = await server.rows("select webhook_id from webhook_lane where webhook_id = $1", webhookId);
  assert.deepEqual(left, []);
});

test("another client's webhook and an unknown one are the same 404", async () => {
  const { webhookId } = await webhooks.create();
  for (const id of [webhookId, unknownId, "no-uuid"]) {
    await assertRefused(other.call("GET", `/webhook/get/${id}`), 404);
    await assertRefused(other.call("PATCH", `/webhook/patch/${id}`, { topicName: "*" }), 404);
    await assertRefused(other.call("POST", `/webhook/rotateSecret/${id}`), 404);
    await assertRefused(other.call("DELETE", `/webhook/delete/${id}`), 404);
  }
  const { body } = await other.call("GET", "/webhook/list");
  assert.deepEqual(body, { items: [], nextCursor: null });
  await assertRefused(other.call("GET", `/webhook/get/${webhookId}?clientId=OWN`), 403);
  assert.equal((await webhooks.get(webhookId)).version, 1);
});

test("the list pages both ways, and what is made meanwhile comes at its end", async () => {
  const lister = webhookCalls(server.url, await server.onboard("LISTER"));
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.push((await lister.create()).webhookId);
  const page = async (query: string) => {
    const { status, body } = await lister.call("GET", `/webhook/list?limit=2${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const { items, nextCursor } = body as { items: { webhookId: string }[]; nextCursor: string | null };
    return { ids: items.map(({ webhookId }) => webhookId), nextCursor };
  };
  for (const [sort, expected] of [
    ["receivedAt", made],
    ["-receivedAt", [...made].reverse()],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const read = await page(`&sort=${sort}${cursor === null ? "" : `&cursor=${cursor}`}`);
      seen.push(...read.ids);
      cursor = read.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(seen, expected);
  }
  const first = await page("");
  const late = (await lister.create()).webhookId;
  const second = await page(`&cursor=${first.nextCursor}`);
  const third = await page(`&cursor=${second.nextCursor}`);
  assert.deepEqual([...first.ids, ...second.ids, ...third.ids], [...made, late]);
  assert.equal(third.nextCursor, null);
  await assertRefused(
    lister.call("GET", `/webhook/list?sort=-receivedAt&cursor=${first.nextCursor}`),
    400,
    "/query/cursor",
  );
});

test("a client has at most 200 webhooks", async () => {
  const greedy = webhookCalls(server.url, await server.onboard("GREEDY"));
  const { webhookId } = await greedy.create();
  await server.rows(
    `insert into webhook (client_id, webhook_id, kind, topic_name, facility_code, url, content_type, status, signing_secret_sealed,
       from_position, created_at, updated_at)
     select client_id, overlay(webhook_id::text placing lpad(n::text, 12, '0') from 25)::uuid, kind, topic_name, facility_code, url,
       content_type, status, signing_secret_sealed, from_position, created_at, updated_at
     from webhook cross join generate_series(1, 199) n where webhook_id = $1`,
    webhookId,
  );
  await assertRefused(greedy.call("POST", "/webhook/create", newWebhook("GREEDY")), 409);
  assert.equal((await greedy.call("DELETE", `/webhook/delete/${webhookId}`)).status, 204);
  await greedy.create();
});

test("the audit log says who did what, and no address, header or secret", async () => {
  const audited = webhookCalls(server.url, await server.onboard("AUDITED"));
  const words = {
    url: "https://hooks.example.com/audit",
    emailList: ["ops@audit.example"],
    customHeaders: { "X-K": "val-ue" },
  };
  const { webhookId } = await audited.create(words);
  await audited.call("PATCH", `/webhook/patch/${webhookId}`, { emailList: null, customHeaders: { "X-K": "other" } });
  await audited.call("PATCH", `/webhook/patch/${webhookId}`, { additionalTopicNames: ["parcel:load"] });
  await audited.call("PATCH", `/webhook/patch/${webhookId}`, { isPaused: 1 });
  await audited.call("POST", `/webhook/rotateSecret/${webhookId}`);
  await audited.call("DELETE", `/webhook/delete/${webhookId}`);
  const rows = await server.rows<{ actor: string; action: string; detail: object }>(
    "select actor, action, detail from audit_log where client_id = 'AUDITED' and object_id = $1 order by audit_id",
    webhookId,
  );
  assert.deepEqual(
    rows.map(({ action, detail }) => [action, detail]),
    [
      ["create", { topicName: "order:*", facilityCode: "DC1", status: "ACTIVE" }],
      ["update", { changed: ["emailList", "customHeaders"] }],
      ["update", { changed: ["additionalTopicNames"] }],
      ["update", { changed: ["status"], from: "ACTIVE", to: "PAUSED" }],
      ["rotateSecret", {}],
      ["delete", {}],
    ],
  );
  assert.ok(rows.every(({ actor }) => actor === "client:AUDITED"));
  const text = JSON.stringify(rows) + server.logged.join("");
  for (const word of ["val-ue", "audit.example", "whsec_"]) assert.ok(!text.includes(word), word);
});
