// operations.md §5: who did what to which object, as the console lists it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { keepDocuments } from "#/modules/documents/index.ts";
import { recordAudit } from "#/store/db/audit.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { untilTaken } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { label, sscc } from "../../support/papers/papers.ts";

const server = await testServer();
const acme = await server.onboard("ACME");
const other = await server.onboard("OTHER");
for (const client of [acme, other]) {
  const { clientId } = client.credentials;
  await client.accept("CAT", catalogue(clientId, ["MUG"]));
  // Waits until all consequences are processed; otherwise their entries would follow the ones under test.
  await client.outcome((await client.accept("NO", order(clientId, "O-1", [{ sku: "MUG" }]))).token);
}
await acme.outcome((await acme.accept("NO", order("ACME", "O-2", [{ sku: "MUG" }]))).token);
await restCalls(server.url, "/v1/orderService", acme.credentials)("POST", "/order/hold/O-2", { reason: "test" });
const anna = await signIn(server, "admin");

interface Entry {
  readonly auditId: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly clientId: string | null;
}

async function listed(query = ""): Promise<Entry[]> {
  const { status, body } = await anna.get(`/audit/list${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items as Entry[];
}

test("the newest comes first, and pages follow each other without a gap", async () => {
  const all = await listed("?limit=500");
  assert.deepEqual(
    all.map(({ auditId }) => auditId),
    all
      .map(({ auditId }) => auditId)
      .toSorted()
      .toReversed(),
  );
  const pages: string[] = [];
  for (let cursor = "", page = 0; page < 100; page++) {
    const { body } = await anna.get(`/audit/list?limit=3&to=${all[0]?.at}${cursor}`);
    pages.push(...body.items.map(({ auditId }: Entry) => auditId));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  assert.deepEqual(
    pages,
    all.filter(({ at }) => at < (all[0]?.at ?? "")).map(({ auditId }) => auditId),
  );
});

test("a note of an order, and the reads of documents with personal data, are in the log with their user", async () => {
  const [feed] = (await anna.get("/feed/list?clientId=ACME&type=NO&limit=1")).body.items as { token: string }[];
  const token = feed?.token ?? "";
  const papers = await server.operate((tx, change) =>
    keepDocuments(tx.of("ACME", change), [
      { orderId: "O-1", olpnId: sscc, type: "SHIPPING_LABEL", form: "zpl", label: label() },
    ]),
  );
  const documentId = papers[0]?.documentId ?? "";
  const note = await anna.post("/order/note/O-1?clientId=ACME", { text: "Anna Lee called" });
  assert.equal(note.status, 200, JSON.stringify(note.body));
  for (const path of [
    `/feed/document/${token}?fromRow=2`,
    `/feed/document/${token}`,
    `/feed/bytes/${token}`,
    `/client/document/get/${documentId}?clientId=ACME`,
  ]) {
    assert.equal((await untilTaken(() => anna.get(path))).status, 200, path);
  }
  // The client's own reads are in the request log.
  const entries = (await listed("?clientId=ACME&limit=500")).filter(({ actor }) => actor === `user:${anna.userName}`);
  assert.deepEqual(
    entries.map(({ action, objectType, objectId }) => [action, objectType, objectId]),
    [
      ["read", "paper", documentId],
      // Once an hour.
      ["read", "feedDocument", token],
      ["create", "orderNote", "O-1"],
    ],
  );
  assert.ok(!JSON.stringify(await listed("?limit=500")).includes("Anna Lee"));
});

test("the oldest comes first where it is asked for, in pages and within a time", async () => {
  const newestFirst = await listed("?limit=500");
  const [newest, ...older] = newestFirst.map(({ auditId }) => auditId);
  assert.deepEqual(
    (await listed("?limit=500&sort=at")).map(({ auditId }) => auditId).slice(0, newestFirst.length),
    [newest, ...older].toReversed(),
  );
  const from = newestFirst.at(-2)?.at;
  const within = newestFirst.filter(({ at }) => at >= (from ?? "")).map(({ auditId }) => auditId);
  for (const filter of ["", "&clientId=ACME", "&actor=test"]) {
    const expected = (await listed(`?limit=500&from=${from}${filter}`)).map(({ auditId }) => auditId).toReversed();
    if (filter === "") assert.deepEqual(expected.slice(0, within.length), within.toReversed());
    const pages: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await anna.get(`/audit/list?limit=2&sort=at&from=${from}${filter}${more}`);
      pages.push(...body.items.map(({ auditId }: Entry) => auditId));
      cursor = body.nextCursor;
    }
    assert.ok(expected.length > 2 || filter !== "");
    assert.deepEqual(pages.slice(0, expected.length), expected, filter);
  }
  const { nextCursor } = (await anna.get("/audit/list?limit=1")).body;
  assert.equal((await anna.get(`/audit/list?sort=at&cursor=${nextCursor}`)).status, 400, "a cursor of the other sort");
});

test("it is filtered by client, actor, action, object and time", async () => {
  assert.ok((await listed("?clientId=ACME")).every(({ clientId }) => clientId === "ACME"));
  const orders = await listed("?objectType=order&objectId=O-2");
  assert.ok(orders.length > 0 && orders.every(({ objectId, clientId }) => objectId === "O-2" && clientId === "ACME"));
  // An event states that the order is back-ordered: the platform's own step has no line.
  assert.deepEqual([...new Set(orders.map(({ actor }) => actor))], ["client:ACME"]);
  const made = await listed("?action=create&actor=test");
  assert.ok(made.some(({ objectType, objectId }) => objectType === "client" && objectId === "ACME"));
  const users = await listed("?objectType=user");
  assert.ok(users.some(({ clientId, objectId }) => clientId === null && objectId === anna.userName));
  assert.deepEqual(await listed("?from=2100-01-01T00:00:00Z"), []);
  assert.deepEqual(await listed("?to=2020-01-01T00:00:00Z"), []);
});

test("a user limited to a client sees only its audit lines, and none of the platform", async () => {
  const limited = await signIn(server, "viewer", { clientIds: ["OTHER"] });
  const { body } = await limited.get("/audit/list?limit=500");
  assert.ok(body.items.length > 0);
  assert.ok(body.items.every(({ clientId }: Entry) => clientId === "OTHER"));
  assert.equal((await limited.get("/audit/list?clientId=ACME")).status, 403);
});

test("no line of any action shows a secret or an address", async () => {
  const secret = acme.credentials.feed.apiKey;
  const text = JSON.stringify((await anna.get("/audit/list?limit=500")).body);
  for (const word of [secret, acme.credentials.oauth.client_secret, "Mill Lane", "LS1 4AP"])
    assert.ok(!text.includes(word));
});

test("a cursor of another list, or of none, is refused", async () => {
  for (const cursor of ["abc", Buffer.from('{"v":1,"k":"audit","p":{"id":"x"}}').toString("base64url")]) {
    assert.equal((await anna.get(`/audit/list?cursor=${cursor}`)).status, 400);
  }
});

test("actions of a day are listed before those of the next day", async () => {
  await server.operate(async (tx, change) => {
    for (const daysAgo of [3, 1]) {
      const at = new Date(Date.now() - daysAgo * dayMs).toISOString();
      // Ids of the entries' own day.
      const { createIds } = await import("#/kernel/values/ids.ts");
      recordAudit(tx.of("ACME", { ...change, at, ids: createIds() }), {
        action: "look",
        objectType: "shelf",
        objectId: `S-${daysAgo}`,
      });
    }
  });
  assert.deepEqual(
    (await listed("?objectType=shelf")).map(({ objectId }) => objectId),
    ["S-1", "S-3"],
  );
});
