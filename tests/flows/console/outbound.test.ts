// outbound.md, Delivery, over several clients as the console shows it: the progress of each document, its XML, its
// channels.
import assert from "node:assert/strict";
import { test } from "node:test";
import { idBoundary } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { tellStatuses } from "../../support/webhooks/outbound-channels.ts";
import { list, post } from "../../support/webhooks/outbound-list.ts";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,0.1" });
const demo = await server.onboard("DEMO");
await server.onboard("ACME");
const receiver = await startReceiver();
atEnd(() => receiver.close());
const admin = await signIn(server, "admin");
const anna = await signIn(server, "operator");
const viewer = await signIn(server, "viewer");
const ofDc2 = await signIn(server, "operator", { facilityCodes: ["DC2"] });

interface Document {
  readonly documentId: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly state: string;
  readonly isOverdue: boolean;
  readonly createdAt: string;
  readonly channels: readonly { readonly channel: string; readonly state: string; readonly tries: number }[];
}

const documents = async (query = ""): Promise<Document[]> => (await viewer.get(`/outbound/list?${query}`)).body.items;

async function documentOf(objectId: string): Promise<Document> {
  await until(`${objectId} is written`, async () => (await documents(`objectId=${objectId}`)).length > 0);
  return (await documents(`objectId=${objectId}`))[0] as Document;
}

test("a document waits until it is fetched, is sent again, and is overdue after a day", async () => {
  await tellStatuses(server, "DEMO", ["A-1"]);
  const { documentId } = await documentOf("A-1");
  assert.deepEqual(
    (await documents("waiting=any")).map((document) => document.objectId),
    ["A-1"],
  );
  await post(demo, `${documentId}/ack`);
  assert.equal((await documentOf("A-1")).state, "DELIVERED");
  const again = await anna.post(`/outbound/resend/${documentId}?clientId=DEMO`);
  assert.deepEqual([again.status, again.body.state], [200, "WAITING"], JSON.stringify(again.body));
  assert.equal((await list(demo)).items.length, 1);

  const shown = await anna.get(`/outbound/document/${documentId}?clientId=DEMO`);
  assert.match(shown.body.xml, /<orderStatus /);
  assert.equal((await viewer.get(`/outbound/document/${documentId}?clientId=DEMO`)).status, 403);
  assert.equal((await anna.get(`/outbound/document/${documentId}?clientId=ACME`)).status, 404);
  assert.equal((await ofDc2.get(`/outbound/document/${documentId}?clientId=DEMO`)).status, 404);
  assert.equal((await anna.post(`/outbound/resend/${documentId}?clientId=ACME`)).status, 404);
  assert.deepEqual(await documents("waiting=overdue"), []);
  const dayBefore = Date.now() - 25 * 3_600_000;
  // Replaces only the zeroes at the end: the time before them may contain a group of zeroes too.
  const old = idBoundary(dayBefore).replace(/-0000-0000-(?=0{12}$)/, "-7000-8000-");
  await server.rows(
    "update outbound_document set message_id = $2, created_at = $3 where client_id = 'DEMO' and message_id = $1",
    ...[documentId, old, new Date(dayBefore).toISOString()],
  );
  const [overdue] = await documents("waiting=overdue");
  assert.deepEqual([overdue?.documentId, overdue?.isOverdue], [old, true]);
});

test("the delivery methods of a type are set; a push shows its attempts, and its failure", async () => {
  const set = await admin.put("/outboundChannel/set?clientId=ACME", {
    types: ["OS"],
    pull: true,
    sftp: true,
    push: { url: `${receiver.url}/feeds`, headers: { "X-Hook-Key": "hush" } },
  });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  assert.match(set.body.items[0].push.signingSecret, /^whsec_/);
  const shown = await viewer.get("/outboundChannel/list?clientId=ACME");
  const channels = shown.body.items.find(({ type }: { type: string }) => type === "OS");
  assert.deepEqual(
    [channels.pull, channels.sftp, channels.push.url, channels.push.signingSecret],
    [true, true, `${receiver.url}/feeds`, null],
  );
  assert.equal(shown.body.items.length, 7);

  await tellStatuses(server, "ACME", ["B-1"]);
  await until("it is pushed", async () =>
    (await documentOf("B-1")).channels.some(({ channel, state }) => channel === "PUSH" && state === "DELIVERED"),
  );
  const pushed = await documentOf("B-1");
  assert.deepEqual(
    pushed.channels.map(({ channel, state }) => `${channel} ${state}`),
    ["PULL WAITING", "SFTP WAITING", "PUSH DELIVERED"],
  );
  receiver.answer = { status: 400, body: "no such order" };
  await tellStatuses(server, "ACME", ["B-2"]);
  await until("its push is given up", async () => (await documentOf("B-2")).state === "FAILED");
  const { documentId } = await documentOf("B-2");
  const failed = await anna.get(`/outbound/document/${documentId}?clientId=ACME`);
  assert.equal(failed.body.exchanges[0].body, "no such order");
  receiver.answer = 200;
  await server.rows("update webhook_lane set breaker = '{}' where client_id = 'ACME'");
  assert.equal((await anna.post(`/outbound/resend/${documentId}?clientId=ACME`)).status, 200);
  await until("it is pushed again", async () =>
    (await documentOf("B-2")).channels.some(({ channel, state }) => channel === "PUSH" && state === "DELIVERED"),
  );
});

test("errors of delivery methods are reported at their fields, and only an admin can set them", async () => {
  const none = await admin.put("/outboundChannel/set?clientId=DEMO", { types: ["OS"], pull: false, sftp: false });
  assert.deepEqual([none.status, none.body.errors[0].pointer], [422, "#/pull"]);
  const wrong = await admin.put("/outboundChannel/set?clientId=DEMO", {
    types: ["OS"],
    pull: false,
    sftp: false,
    push: { url: "ftp://example.com" },
  });
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, "#/push/url"]);
  const byAnna = await anna.put("/outboundChannel/set?clientId=DEMO", { types: ["OS"], pull: true, sftp: false });
  assert.equal(byAnna.status, 403);
});

test("the list is paged, and takes the filters of the top bar", async () => {
  const first = await viewer.get("/outbound/list?limit=1&type=OS");
  const second = await viewer.get(`/outbound/list?limit=1&type=OS&cursor=${first.body.nextCursor}`);
  assert.ok(second.body.items[0].documentId < first.body.items[0].documentId);
  for (const query of ["type=OS", "waiting=any", "clientId=DEMO"]) {
    const newestFirst = await documents(`${query}&limit=500&sort=-createdAt`);
    const rising: Document[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await viewer.get(`/outbound/list?limit=1&${query}&sort=createdAt${more}`);
      rising.push(...body.items);
      cursor = body.nextCursor;
    }
    if (query === "type=OS") assert.ok(newestFirst.length > 1);
    assert.deepEqual(rising, newestFirst.toReversed(), query);
  }
  assert.ok((await documents("clientId=ACME&distributionCentre=DC1")).every(({ clientId }) => clientId === "ACME"));
  assert.deepEqual((await ofDc2.get("/outbound/list")).body.items, []);
});

test("waiting documents are counted by client, with the oldest", async () => {
  const { items } = (await viewer.get("/outbound/waiting")).body;
  assert.ok(items.length > 1);
  for (const { clientId, http, sftp, oldestAt, isOverdue } of items) {
    const waiting = (await documents(
      `waiting=any&clientId=${clientId}&limit=500&sort=createdAt`,
    )) as readonly (Document & {
      readonly createdAt: string;
      readonly isOverdue: boolean;
    })[];
    const countOf = (by: string) =>
      waiting.filter(({ channels }) => channels.some(({ channel, state }) => channel === by && state === "WAITING"))
        .length;
    assert.deepEqual([http, sftp], [countOf("PULL"), countOf("SFTP")], clientId);
    assert.ok(Math.abs(Date.parse(oldestAt) - Date.parse(waiting[0]?.createdAt ?? "")) < 1_000, clientId);
    assert.equal(isOverdue, waiting[0]?.isOverdue);
  }
  assert.deepEqual((await ofDc2.get("/outbound/waiting")).body.items, []);
});
