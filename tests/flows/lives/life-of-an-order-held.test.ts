// outbound.md, OS 1.1; webhooks.md §3: a client knows the open holds of an order, over SFTP and by webhook.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createXmlEngine, element } from "#/intake/xml/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { commandLine } from "../../support/app/cli.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { money, type Parts } from "../../support/builders/documents.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { webhookCalls } from "../../support/http/webhook-calls.ts";
import { parseXml } from "../../support/oracles/xml-tree.ts";
import { openSession, type SftpPlace } from "../../support/sftp/session.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { setWaysOf } from "../../support/webhooks/outbound-channels.ts";
import { fetchXml, list } from "../../support/webhooks/outbound-list.ts";

const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
const dc1 = await warehouseOf(server);
const anna = await signIn(server, "operator");
const engine = await createXmlEngine();
const large: Parts = { distributionCentre: "DC1", totalPrice: money("900", "EUR") };
const ofRule = ["CLIENT_RULE", "rule large: value > 500 EUR"] as const;
const reasonOfRule = ofRule.join(": ");

async function clientOf(clientId: string, settings: Record<string, string> = {}) {
  const life = await lifeOf(server, dc1, clientId, { settings: { holdRules: "large: value > 500 EUR", ...settings } });
  await life.stock([{ sku: "A", qty: 20 }]);
  return life;
}

/** Validates with the published bytes of a version. */
async function assertValid(xml: string, version: string): Promise<void> {
  const schema = engine.compile(await (await fetch(`${server.url}/xsd/${version}/OS.xsd`)).bytes());
  const read = engine.read(Buffer.from(xml), { schema, shape: element({ children: {} }) });
  assert.ok(read.ok, read.ok ? "" : `${JSON.stringify(read.fault.problems)}\n${xml}`);
}

/** Version, status, and type and reason of each hold. */
async function readStatus(xml: string) {
  const root = parseXml(xml);
  const version = /schemaVersion="([^"]+)"/.exec(xml)?.[1] ?? "";
  await assertValid(xml, version);
  const holds = root.all("holds/hold").map((hold) => {
    assert.ok(Date.parse(hold.text("since") ?? "") > 0, xml);
    return hold.texts("type", "reason");
  });
  return {
    version,
    status: root.text("status"),
    reason: root.text("statusReason"),
    holds,
    hasList: /<holds/.test(xml),
  };
}

async function statusesOf({ client, quiet }: Life, orderId: string) {
  await quiet();
  const { items } = await list(client, "?type=OS&limit=500");
  const ofOrder = items.filter(({ objectId }) => objectId === orderId);
  return Promise.all(ofOrder.map(async ({ messageId }) => readStatus(await fetchXml(client, messageId))));
}

const lift = async (clientId: string, orderId: string, ...types: string[]) => {
  const { status, body } = await anna.post(`/order/liftHold/${orderId}?clientId=${clientId}`, { types });
  assert.equal(status, 200, JSON.stringify(body));
};

test("an order that a rule holds has its hold in the OS 1.1 that SFTP brings", async () => {
  const life = await clientOf("FILES", { orderStatusVersion: "1.1" });
  await setWaysOf(server, "FILES", "OS", { sftp: true });
  await life.place("1", [{ sku: "A", qty: 1 }], large);
  await life.place("2", [{ sku: "A", qty: 1 }]);
  const user = await openSession(server.sftp as SftpPlace, life.client.credentials.sftp);
  const names = [...(await user.sizes("/outbound/OS")).keys()];
  const found = await Promise.all(names.map(async (name) => String(await user.get(`/outbound/OS/${name}`))));
  user.end();
  const read = new Map(
    await Promise.all(found.map(async (xml) => [parseXml(xml).text("orderId"), await readStatus(xml)] as const)),
  );
  assert.deepEqual(Object.fromEntries(read), {
    1: { version: "1.1", status: "ON_HOLD", reason: reasonOfRule, holds: [ofRule], hasList: true },
    2: { version: "1.1", status: "ALLOCATED", reason: undefined, holds: [], hasList: false },
  });
});

test("an OS 1.1 follows each change of the holds, and an OS 1.0 those of the state and its reason", async () => {
  for (const version of ["1.1", "1.0"] as const) {
    const life = await clientOf(`V${version.replace(".", "")}`, { orderStatusVersion: version });
    const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
    await life.place("1", [{ sku: "A", qty: 1 }], large);
    assert.equal((await rest("POST", "/order/hold/1", { reason: "Which colour?" })).status, 200);
    await lift(life.clientId, "1", "CLIENT_RULE");
    assert.equal((await rest("POST", "/order/release/1", {})).status, 200);
    const ofClient = ["CLIENT_REQUEST", "Which colour?"];
    const reasonOfClient = ofClient.join(": ");
    const statuses = await statusesOf(life, "1");
    assert.deepEqual(
      statuses.map(({ status, reason, holds }) => [status, reason, holds]),
      version === "1.1"
        ? [
            ["ON_HOLD", reasonOfRule, [ofRule]],
            ["ON_HOLD", reasonOfRule, [ofRule, ofClient]],
            ["ON_HOLD", reasonOfClient, [ofClient]],
            ["ALLOCATED", undefined, []],
          ]
        : [
            ["ON_HOLD", reasonOfRule, []],
            ["ON_HOLD", reasonOfClient, []],
            ["ALLOCATED", undefined, []],
          ],
    );
    for (const { version: written, hasList, holds } of statuses)
      assert.deepEqual([written, hasList], [version, holds.length > 0]);
    await life.assertSound();
  }
});

test("a hold of a picked order is in an OS 1.1, although its state is not ON_HOLD", async () => {
  const life = await clientOf("PICKED", { orderStatusVersion: "1.1" });
  await life.place("1", [{ sku: "A", qty: 1 }]);
  await life.pick("1", 1);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  assert.equal((await rest("POST", "/order/hold/1", { reason: "Stop" })).status, 200);
  const last = (await statusesOf(life, "1")).at(-1);
  assert.deepEqual(
    [last?.status, last?.reason, last?.holds],
    ["PICKING", "CLIENT_REQUEST: Stop", [["CLIENT_REQUEST", "Stop"]]],
  );
  assert.equal((await rest("POST", "/order/release/1", {})).status, 200);
  assert.equal((await life.shown("1")).statusReason, null);
});

test("an OS 1.0 names the hold that an operator or a client sets, with its reason", async () => {
  const life = await clientOf("NAMED");
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  await life.place("1", [{ sku: "A", qty: 1 }]);
  await life.place("2", [{ sku: "A", qty: 1 }]);
  const ofOperator = { type: "OTHER", reason: "The consignee has moved" };
  assert.equal((await anna.post("/order/setHold/1?clientId=NAMED", ofOperator)).status, 200);
  assert.equal((await rest("POST", "/order/hold/2", {})).status, 200);
  for (const [orderId, reason] of [
    ["1", "OTHER: The consignee has moved"],
    ["2", "CLIENT_REQUEST: requested by the client"],
  ] as const) {
    const last = (await statusesOf(life, orderId)).at(-1);
    assert.deepEqual([last?.version, last?.status, last?.reason], ["1.0", "ON_HOLD", reason]);
    assert.equal((await life.shown(orderId)).statusReason, reason);
  }
});

test("a client that has not chosen a version gets documents that are valid in version 1.0", async () => {
  const life = await clientOf("SINCE");
  await life.place("1", [{ sku: "A", qty: 1 }], large);
  const { items } = await list(life.client, "?type=OS");
  assert.equal(items.length, 1);
  const xml = await fetchXml(life.client, items[0]?.messageId ?? "");
  assert.match(xml, /<orderStatus schemaVersion="1.0">/);
  assert.doesNotMatch(xml, /<hold/);
  await assertValid(xml, "1.0");
  await assertValid(xml, "1.1");
});

test("webhooks have the open holds, with the names of order/get", async () => {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const life = await clientOf("HOOKS");
  await webhookCalls(server.url, life.client).create({ url: receiver.url });
  await life.place("1", [{ sku: "A", qty: 1 }], { ...large, doNotShip: "true" });
  const { holds } = (await life.shown("1")) as unknown as { holds: { type: string; since: string }[] };
  await lift("HOOKS", "1", "CLIENT_RULE");
  await lift("HOOKS", "1", "DO_NOT_SHIP");
  const pushedEvents = () =>
    receiver.requests.map(({ body }) => JSON.parse(body.toString()) as { type: string; data: { holds?: unknown } });
  await until("the order is allocated", () => pushedEvents().some(({ type }) => type === "order:allocated"));
  const shown = holds.map(({ type, since, ...rest }) => ({
    type,
    reason: (rest as { reason?: string }).reason,
    since,
  }));
  assert.deepEqual(shown.map(({ type }) => type).sort(), ["CLIENT_RULE", "DO_NOT_SHIP"]);
  const ofClient = shown.filter(({ type }) => type === "DO_NOT_SHIP");
  assert.deepEqual(
    pushedEvents().map(({ type, data }) => [type, data.holds]),
    [
      ["order:received", shown],
      ["order:held", shown],
      ["order:updated", ofClient],
      ["order:released", []],
      ["order:allocated", []],
    ],
  );
});

test("an erasure blanks the reasons of holds in documents and events, which stay valid", async () => {
  const life = await clientOf("ERASED", { orderStatusVersion: "1.1" });
  await life.place("1", [{ sku: "A", qty: 1 }]);
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  assert.equal((await rest("POST", "/order/hold/1", { reason: "Ms Canary has moved" })).status, 200);
  const reasons = async () => {
    const rows = await server.rows<{ data: { holds: readonly { reason: string }[] } }>(
      "select data from event where client_id = 'ERASED' and topic = 'order:held'",
    );
    return rows.flatMap(({ data }) => data.holds.map(({ reason }) => reason));
  };
  assert.deepEqual((await statusesOf(life, "1")).at(-1)?.holds, [["CLIENT_REQUEST", "Ms Canary has moved"]]);
  assert.deepEqual(await reasons(), ["Ms Canary has moved"]);
  await life.cancel("1");
  const erased = await commandLine(server)(["person", "erase", "--client", "ERASED", "--order", "1"]);
  assert.equal(erased.code, 0, erased.stderr);
  const statuses = await statusesOf(life, "1");
  assert.deepEqual(
    statuses.map(({ status, holds }) => [status, holds]),
    [
      ["ALLOCATED", []],
      ["ON_HOLD", [["CLIENT_REQUEST", undefined]]],
      ["CANCELLED", [["CLIENT_REQUEST", undefined]]],
    ],
  );
  assert.deepEqual(
    statuses.flatMap(({ reason }) => reason ?? []),
    ["CLIENT_REQUEST", "cancelled by the client's feed"],
    "what the platform itself says stays",
  );
  assert.deepEqual(await reasons(), [""]);
});
