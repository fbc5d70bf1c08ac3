// feeds.md §1: no document is forgotten. No worker runs here, so that documents remain without an outcome.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reportOverdue } from "#/intake/feeds/outcome.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { waitingEvents } from "../../support/postgres/waiting-events.ts";

const server = await testServer({ CROSSDOCK_ROLES: "feeds" });
const demo = await server.onboard("DEMO");
const patient = await server.onboard("PATIENT", { settings: { feedDeadlineMinutes: "60" } });
const writer = createOutboxWriter(createIds());
const sentMs = Date.now();

/** Runs the check as if the given number of minutes had passed. */
const watch = (minutes: number) =>
  reportOverdue({ database: server.database, writer, clock: { now: () => sentMs + minutes * 60_000 } });

async function raised() {
  const events = await Promise.all(
    ["DEMO", "PATIENT"].map(async (clientId) =>
      (await waitingEvents(server.database, clientId)).map((event) => ({ clientId, ...event })),
    ),
  );
  return events
    .flat()
    .flatMap(({ clientId, topic, objectId, data }) =>
      topic === "feed:overdue" ? { client_id: clientId, object_id: objectId, data } : [],
    );
}

test("an accepted document without an outcome raises feed:overdue once, after its client's deadline", async () => {
  const quick = await demo.accept("CAT", catalogue("DEMO", ["A"]));
  const slow = await patient.accept("CAT", catalogue("PATIENT", ["A"]));
  const settled = await demo.accept("CAT", catalogue("DEMO", ["B"]));
  await server.rows("update feed_document set state = 'PROCESSED' where token = $1::uuid", settled.token);
  await demo.refuse("CAT", "", /^\[XML\]/);

  await watch(14);
  assert.deepEqual(await raised(), []);
  await watch(16);
  const event = (clientId: string, token: string) => ({
    client_id: clientId,
    object_id: token,
    data: { token, feedType: "CAT", objectId: "A", errors: [] },
  });
  assert.deepEqual(await raised(), [event("DEMO", quick.token)]);
  await watch(17);
  assert.equal((await raised()).length, 1);
  await watch(59);
  assert.equal((await raised()).length, 1);
  await watch(61);
  assert.deepEqual(await raised(), [event("DEMO", quick.token), event("PATIENT", slow.token)]);
  await Promise.all([watch(62), watch(62)]);
  assert.equal((await raised()).length, 2);
});

test("a document that became overdue by a clock that was ahead is overdue from the right time on, without a second event", async () => {
  const { token } = await demo.accept("CAT", catalogue("DEMO", ["D"]));
  const before = (await raised()).length;
  const day = 24 * 60;
  await watch(day);
  assert.equal((await raised()).length, before + 1);
  const overdueAt = async () =>
    (await server.rows<{ at: string }>("select overdue_at as at from feed_document where token = $1::uuid", token))[0]
      ?.at;
  const at = (minutes: number) => new Date(sentMs + minutes * 60_000).toISOString();
  assert.equal(new Date((await overdueAt()) ?? "").toISOString(), at(day));
  await watch(20);
  assert.equal(new Date((await overdueAt()) ?? "").toISOString(), at(20));
  await watch(21);
  assert.equal(new Date((await overdueAt()) ?? "").toISOString(), at(20));
  assert.equal((await raised()).length, before + 1);
});

test("a document that was reported still ends like any other", async () => {
  const { token } = await demo.accept("CAT", catalogue("DEMO", ["C"]));
  await watch(30);
  assert.equal((await demo.status(token)).state, "ACCEPTED");
  const node = await server.startNode({ CROSSDOCK_ROLES: "worker" });
  assert.equal((await demo.outcome(token)).state, "PROCESSED");
  await node.stop();
});
