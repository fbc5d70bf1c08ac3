// The log of a complete server during an afternoon: JSON, one line for each event, in the fields of
// docs/observability.md, without contents of documents or credentials.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startStoreProxy } from "../../faults/nodes/store-proxy.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, leeds, order, purchaseOrder } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { openSession, type SftpPlace } from "../../support/sftp/session.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

import { listFiles, readSource } from "../../tidy/source.ts";

type Line = Record<string, unknown> & { readonly level: string; readonly time: string; readonly msg: string };

/** Values planted in documents, bodies and headers: no reader of a log may see any of them. */
const canary = {
  lastName: "Canarina-Fringill",
  street: "17 Serinus Close",
  city: "Canaryville",
  phone: "+44 113 4960 999",
  email: "canary.buyer@example.com",
  alertEmail: "canary.alerts@example.com",
  headerValue: "canary-header-7731",
  password: "canary-wrong-password",
  itemName: "Canary seed, 5 kg",
  note: "canary: leave it by the shed",
} as const;

const server = await testServer({ CROSSDOCK_SFTP_PORT: "0", CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,0.2" });
const client = await server.onboard("LOGGED", { settings: { parkUnknownSkus: "true" } });
const { feed, oauth, sftp, clientId } = client.credentials;
const secrets: string[] = [feed.apiKey, oauth.client_secret, sftp.password, "a master key for tests, long enough"];

const guide = readFileSync(fileURLToPath(new URL("../../../docs/observability.md", import.meta.url)), "utf8");
const vocabulary: ReadonlySet<string> = new Set(
  [...(/^## Logs$[\s\S]*?(?=^## )/m.exec(guide)?.[0] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
);

const linesOf = (raw: readonly string[]) => raw.map((line) => JSON.parse(line) as Line);
const linesWith = (fields: Record<string, unknown>, raw: readonly string[] = server.logged) =>
  linesOf(raw).filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value));

/** The only line with these fields; waits until it is written. */
async function theLine(fields: Record<string, unknown>): Promise<Line> {
  const what = JSON.stringify(fields);
  await until(`a line with ${what}`, async () => linesWith(fields)[0]);
  const found = linesWith(fields);
  assert.equal(found.length, 1, `${what}: ${JSON.stringify(found)}`);
  return found[0] as Line;
}

const toCanary = {
  ...leeds,
  lastName: canary.lastName,
  address1: canary.street,
  city: canary.city,
  phone: canary.phone,
  email: canary.email,
};

before(async () => {
  await client.accept("CAT", catalogue(clientId, ["SKU-1", { sku: "SKU-2", name: canary.itemName }]));
});

test("a feed document by HTTP is one line: token, client, object, outcome, size and time", async () => {
  const xml = order(clientId, "WEB-1", ["SKU-1"], { shipToAddress: toCanary });
  const { token } = await client.accept("NO", xml);
  const { time, durationMs, ...line } = await theLine({ token, msg: "request" });
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Number(durationMs) > 0);
  assert.deepEqual(line, {
    level: "info",
    msg: "request",
    token,
    method: "POST",
    route: "/feeds/:clientId/:type(^(?:CAT|PO|RMA|NO)$)",
    status: 200,
    clientId,
    objectId: "WEB-1",
    feedType: "NO",
    outcome: "accepted",
    bytes: Buffer.byteLength(xml),
  });
});

test("the log line of a rejected document and of a repeat has that outcome", async () => {
  const wrong = order(clientId, "WEB-2", ["SKU-1"], { shipToAddress: { ...toCanary, zip: "no postcode" } });
  const refused = await client.send("NO", wrong);
  assert.equal(refused.isAccepted, false);
  const line = await theLine({ token: refused.token, msg: "request" });
  assert.deepEqual([line.outcome, line.objectId, line.level], ["rejected", "WEB-2", "info"]);
  const headers = { "idempotency-key": "one" };
  await client.accept("PO", purchaseOrder(clientId, "PO-1", ["SKU-1"]), headers);
  await client.accept("PO", purchaseOrder(clientId, "PO-1", ["SKU-1"]), headers);
  await theLine({ objectId: "PO-1", outcome: "accepted" });
  await theLine({ objectId: "PO-1", outcome: "replayed" });
});

test("a REST write is one line with the object's id, where it is in the path and where it does not", async () => {
  const token = await accessTokenOf(server.url, oauth);
  secrets.push(token);
  const call = (method: string, path: string, body: object) =>
    fetch(`${server.url}/v1/orderService/${path}?clientId=${clientId}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const created = await fetch(`${server.url}/v1/workOrderService/workOrder/create`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      clientId,
      workOrderId: "WO-1",
      facilityCode: "DC1",
      finishedGoodSku: "SKU-2",
      qty: 1,
      components: [{ sku: "SKU-1", qtyPer: 1 }],
    }),
  });
  const held = await call("POST", "order/hold/WEB-1", { reason: canary.note });
  for (const [answer, objectId] of [
    [created, "WO-1"],
    [held, "WEB-1"],
  ] as const) {
    assert.ok(answer.ok, await answer.text());
    const correlation = answer.headers.get("x-correlation-token");
    const line = await theLine({ token: correlation, msg: "request" });
    assert.deepEqual([line.clientId, line.objectId, line.method], [clientId, objectId, "POST"]);
    assert.ok(Number(line.durationMs) > 0);
  }
});

test("an unauthorised sender leaves no text in the log", async () => {
  const path = `/feeds/${clientId}/status/${canary.lastName}`;
  await (await fetch(server.url + path, { headers: { "x-api-key": canary.password } })).text();
  const answer = await fetch(`${server.url}/v1/orderService/order/get/${canary.lastName}`);
  const token = answer.headers.get("x-correlation-token");
  assert.equal(answer.status, 401, await answer.text());
  const line = await theLine({ token, msg: "request" });
  assert.deepEqual(
    [line.route, line.objectId, line.clientId],
    ["/v1/orderService/order/get/:orderId", undefined, undefined],
  );
  const page = await fetch(`${server.url}/problems/${canary.lastName}`);
  assert.equal(page.status, 404, await page.text());
});

test("each report of a warehouse has a line, those of a batch under the token of their request", async () => {
  const port = await warehouseOf(server);
  secrets.push(port.token);
  const adjustment = (adjustmentId: string, sku: string) => ({
    clientId,
    adjustmentId,
    reasonCode: "FOUND",
    lines: [{ sku, qty: 5 }],
  });
  const answer = await port.post("/adjustment/report", adjustment("ADJ-1", "SKU-1"));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const single = await theLine({ token: answer.headers.get("x-correlation-token"), msg: "request" });
  assert.deepEqual([single.clientId, single.facilityCode, single.objectId], [clientId, "DC1", "ADJ-1"]);
  const reports = [adjustment("ADJ-2", "SKU-1"), adjustment("ADJ-3", "NO-SUCH-SKU")];
  const batch = await port.post("/adjustment/report", { reports });
  assert.equal(batch.status, 200, JSON.stringify(batch.body));
  const token = batch.headers.get("x-correlation-token");
  await theLine({ token, msg: "request" });
  const parts = linesWith({ token, msg: "report" });
  assert.deepEqual(
    parts.map(({ objectId, outcome, clientId: of }) => [objectId, outcome, of]),
    [
      ["ADJ-2", "accepted", clientId],
      ["ADJ-3", "rejected", undefined],
    ],
  );
  assert.ok(parts.every(({ durationMs }) => Number(durationMs) > 0));
});

test("a delivery that fails and then succeeds has a line for each attempt", async () => {
  const receiver = await startReceiver({ answer: ({ number }) => (number === 1 ? 500 : 200) });
  atEnd(() => receiver.close());
  // An earlier order whose event is still pending would be delivered too, and fail instead of this one.
  await until("earlier events are published", async () => {
    const open = await server.rows("select 1 from outbox where state = 'PENDING' limit 1");
    return open.length === 0;
  });
  const handleReport = await webhookDesk(server, client);
  const { webhookId, signingSecret } = await handleReport.create({
    url: `${receiver.url}/hook?key=${canary.headerValue}`,
    topicName: "order:received",
    customHeaders: { "X-Shop": canary.headerValue },
    emailList: [canary.alertEmail],
  });
  secrets.push(signingSecret);
  await client.accept("NO", order(clientId, "WEB-3", ["SKU-1"], { shipToAddress: toCanary }));
  const delivered = await theLine({ webhookId, msg: "webhook attempt", attempt: 2 });
  const failed = await theLine({ webhookId, msg: "webhook attempt", attempt: 1 });
  for (const [line, status] of [
    [failed, 500],
    [delivered, 200],
  ] as const) {
    const { time: _, durationMs, deliveryId, errorClass, ...fields } = line;
    assert.ok(Number(durationMs) >= 0 && typeof deliveryId === "string");
    assert.equal(errorClass, status === 500 ? "status" : undefined);
    const about = { clientId, webhookId, topicName: "order:received", objectId: "WEB-3" };
    const rest = { attempt: status === 500 ? 1 : 2, isProbe: false, status, msg: "webhook attempt", level: "info" };
    assert.deepEqual(fields, { ...about, ...rest });
  }
  assert.equal(failed.deliveryId, delivered.deliveryId);
});

test("a job that did something is a line with how much and how long", async () => {
  // Its order waited for a SKU, so that the healing worker has work.
  await client.send("NO", order(clientId, "WEB-4", ["SKU-LATE"], { shipToAddress: toCanary }));
  const line = await until("the line of a job", async () => linesWith({ msg: "job" })[0], 60_000);
  assert.deepEqual([line.level, typeof line.job, typeof line.durationMs], ["info", "string", "number"]);
});

test("a sign-in to the console is a line of its request, and so is a refused one", async () => {
  const user = await signIn(server);
  secrets.push(user.password, user.csrfToken, user.cookie.replace(/^[^=]*=/, ""));
  const refused = await fetch(`${server.url}/v1/operatorService/session/create`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ userName: user.userName, password: canary.password }),
  });
  assert.equal(refused.status, 401, await refused.text());
  const route = "/v1/operatorService/session/create";
  for (const status of [201, 401]) assert.equal((await theLine({ route, status })).msg, "request");
});

test("a file by SFTP has a line with what one by HTTP has, and its session two", async () => {
  const user = await openSession(server.sftp as SftpPlace, sftp);
  await user.put("/inbound/NO/order.xml", order(clientId, "WEB-5", ["SKU-1"], { shipToAddress: toCanary }));
  user.end();
  const { time: _, durationMs, token, bytes, ...line } = await theLine({ msg: "file processed" });
  assert.match(String(token), /^[0-9a-f-]{36}$/);
  assert.ok(Number(durationMs) > 0 && Number(bytes) > 0);
  const about = { clientId, feedType: "NO", objectId: "WEB-5", outcome: "accepted" };
  assert.deepEqual(line, { level: "info", msg: "file processed", ...about });
  const ended = await theLine({ msg: "SFTP session ended", clientId });
  assert.ok(Number(ended.durationMs) > 0);
});

test("while the database is unavailable one line is an error, and every other line at most a warning", async () => {
  const proxy = await startStoreProxy(server.config.database.url as string);
  const node = await server.startNode({ DATABASE_URL: proxy.url, CROSSDOCK_SFTP_PORT: "off" });
  atEnd(async () => {
    await node.stop();
    await proxy.close();
  });
  await sleep(500);
  const from = server.logged.length;
  await proxy.refuse();
  for (let i = 0; i < 6; i++) {
    await client.at(node.url).send("NO", order(clientId, `AWAY-${i}`, ["SKU-1"], { shipToAddress: toCanary }));
    await sleep(400);
  }
  const isAway = { msg: "the database does not answer" };
  await until("the store to be known as away", async () => linesWith(isAway, server.logged.slice(from))[0]);
  await proxy.back();
  const answersAgain = { msg: "the database answers again" };
  await until("the store to answer again", async () => linesWith(answersAgain, server.logged.slice(from))[0]);
  // On a machine that stalls for two seconds, the store is unavailable as well: each such period has one line, and one
  // for its end.
  await until("one line for each time", async () => linesWith(isAway).length === linesWith(answersAgain).length);
  const lines = linesOf(server.logged.slice(from));
  const loud = lines.filter(({ level }) => level === "error" || level === "fatal").map(({ msg }) => msg);
  assert.deepEqual(new Set(loud), new Set(["the database does not answer"]));
  assert.ok(
    lines.some(({ level, status }) => level === "info" && status === 503),
    "the senders were answered",
  );
});

test("no other line so far is an error", () => {
  const loud = linesOf(server.logged).filter(({ level }) => level === "error" || level === "fatal");
  assert.deepEqual(new Set(loud.map(({ msg }) => msg)), new Set(["the database does not answer"]));
});

test("every line is JSON with level, time and message, by the names of the vocabulary", () => {
  for (const raw of server.logged) {
    assert.equal(raw.indexOf("\n"), raw.length - 1, "one line each");
    const line = JSON.parse(raw) as Line;
    assert.match(line.level, /^(?:debug|info|warn|error|fatal)$/);
    assert.match(line.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.ok(line.msg.length > 0, raw);
  }
  const used = new Set(linesOf(server.logged).flatMap((line) => Object.keys(line)));
  const undocumented = [...used].filter((name) => !["level", "time", "msg"].includes(name) && !vocabulary.has(name));
  assert.deepEqual(undocumented, [], "the guide has every field");
});

test("the guide has every field that is in the source", () => {
  const fields = listFiles("src/**/*.ts")
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => [...readSource(file).code.matchAll(/\blog(?:\.\w+|\[[^\]]+\])\(\s*\{([^{}]*)\}/g)])
    .flatMap(([, inner = ""]) => inner.split(",").map((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1]))
    .filter((name) => name !== undefined);
  assert.ok(new Set(fields).size > 20, `${fields}`);
  assert.deepEqual(
    [...new Set(fields)].filter((name) => !vocabulary.has(name)),
    [],
  );
});

test("no line holds a key, a password, a cookie, a custom header, a name, an address or anything else of a document", () => {
  const text = server.logged.join("");
  assert.ok(server.logged.length > 40, `${server.logged.length} lines`);
  for (const [what, secret] of [...secrets.entries(), ...Object.entries(canary)]) {
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    const found = forms.find((form) => text.includes(form));
    const at = found === undefined ? "" : text.slice(text.indexOf(found) - 300, text.indexOf(found) + 100);
    assert.equal(found, undefined, `${what}: ${at}`);
  }
});
