// rest.md §2: a repeat that overlaps its first request gets the same answer, for every write of the published documents that
// takes an Idempotency-Key. `tests/faults/report-at-once.test.ts` proves it for reports, json-documents.test.ts for documents.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import { demoCarrierData } from "#/sandbox/demo/carriers/carriers.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until, untilTaken } from "../../support/app/until.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { memberWithApp } from "../../support/builders/second-factor.ts";
import { type Answer, call } from "../../support/http/call.ts";
import {
  exampleRequest,
  isDocument,
  isReport,
  type Json,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../../support/http/published-operations.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { untilBlocked } from "../../support/postgres/locks.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const clientId = "DEMO";
const mug = "MUG-BLUE-330";
const tee = "TEE-BLACK-M";
const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.05" });
const demo = await server.onboard(clientId);
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");
const ben = await signIn(server);
const token = await accessTokenOf(server.url, demo.credentials.oauth);
const receiver = await startReceiver();
atEnd(() => receiver.close());

await demo.accept("CAT", catalogue(clientId, [{ sku: mug, weight: 1, weightUomCode: "KG" }, tee, "GIFT-SET"]));
await demo.accept("PO", purchaseOrder(clientId, "PO-7001", [mug]));
for (const rmaNumber of ["RMA-5001", "RMA-5002"]) {
  await demo.accept("RMA", authorisation(clientId, rmaNumber, [{ sku: mug, quantityReturned: 2 }]));
}
const receive = (sku: string, qty: number) =>
  dc1.report("adjustment", { clientId, adjustmentId: sku, reasonCode: "FOUND", lines: [{ sku, qty }] });
await receive(mug, 500);

// A document whose key is in progress is a 409 (contract feeds.md §1). The settings of the simulated warehouse need a
// running one, which would work on the orders of the test.
const notWalked = ["sendFeed", "changeSandbox"];
const writes = listPublishedOperations().filter(
  (operation) =>
    !operation.isMounted &&
    !isReport(operation) &&
    !isDocument(operation) &&
    !notWalked.includes(operation.operationId) &&
    operation.parameters.some(({ name }) => name === "idempotency-key"),
);

interface Scene {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

const callOf = (
  document: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => {
  if (document === "operator") {
    const session = { cookie: admin.cookie, "x-csrf-token": admin.csrfToken };
    return call(method, server.url + path, { body, headers: { ...session, ...headers } });
  }
  return call(method, server.url + path, { token: document === "warehouse" ? dc1.token : token, body, headers });
};

function succeeded({ status, body }: { readonly status: number; readonly body: unknown }) {
  assert.ok(status < 300, JSON.stringify(body));
  return body as ReturnType<typeof JSON.parse>;
}

let made = 0;
const nextName = (prefix: string) => `${prefix}-${++made}`;

async function newOrder(): Promise<Scene & { readonly path: { readonly orderId: string } }> {
  const orderId = nextName("WEB");
  const lines = [3, 2].map((qty) => ({ sku: mug, qty }));
  await demo.accept("NO", order(clientId, orderId, lines, { distributionCentre: "DC1" }));
  await until("the order to be allocated", async () => (await demo.order(orderId))?.status === "ALLOCATED");
  return { path: { orderId } };
}

async function newUser(): Promise<Scene> {
  return { path: { userName: (await signIn(server)).userName } };
}

/** A count that waits for the approval of another user. */
async function newWaitingCount(): Promise<Scene> {
  const sku = nextName("COUNTED");
  await demo.accept("CAT", catalogue(clientId, [sku]));
  await receive(sku, 100);
  const body = { clientId, distributionCentre: "DC1", sku, reasonCode: "DAMAGE", countedQty: 60 };
  const { countId } = succeeded(await ben.post("/stock/adjust", body));
  return { path: { countId } };
}

const webhooksOf = (document: string) => (method: string, path: string, body?: object) =>
  callOf(document, method, `/v1/${document}Service/webhook/${path}`, body);

async function newWebhook(document: string): Promise<Scene & { readonly path: { readonly webhookId: string } }> {
  const ofClient = document === "webhook" ? { clientId, facilityCode: "*" } : {};
  const topicName = document === "webhook" ? "order:*" : "task:*";
  const body = { ...ofClient, topicName, url: `${receiver.url}/hook`, contentType: "application/json" };
  const { webhookId } = succeeded(await webhooksOf(document)("POST", "create", body));
  return { path: { webhookId } };
}

/** The body of the example, with the address of the test's receiver and topics that both kinds of webhooks have. */
const withReceiver = (document: string, operationId: string): Json => {
  const operation = writes.find((write) => write.document === document && write.operationId === operationId);
  const { body } = exampleRequest(operation as PublishedOperation, document === "webhook" ? clientId : undefined);
  return { ...(body as { readonly [name: string]: Json }), url: `${receiver.url}/hook`, additionalTopicNames: [] };
};

async function newDelivery(document: string): Promise<Scene> {
  const { path } = await newWebhook(document);
  await newOrder();
  const deliveryId = await until("a delivery that has ended", async () => {
    const { items } = succeeded(await webhooksOf(document)("GET", `deliveries/${path.webhookId}`));
    return (items as { deliveryId: string; endedAt: string | null }[]).find(({ endedAt }) => endedAt !== null)
      ?.deliveryId;
  });
  return { path: { deliveryId } };
}

const webhookScenes = (document: string): Record<string, () => Promise<Scene>> => ({
  [`${document} createWebhook`]: async () => ({ body: withReceiver(document, "createWebhook") }),
  [`${document} patchWebhook`]: async () => ({
    ...(await newWebhook(document)),
    body: withReceiver(document, "patchWebhook"),
  }),
  [`${document} deleteWebhook`]: () => newWebhook(document),
  [`${document} rotateWebhookSecret`]: () => newWebhook(document),
  [`${document} redeliver`]: () => newDelivery(document),
  [`${document} recoverWebhook`]: async () => ({
    ...(await newWebhook(document)),
    body: {
      ...(document === "webhook" ? { clientId } : {}),
      since: new Date(Date.now() - 3_600_000).toISOString(),
      until: new Date().toISOString(),
    },
  }),
});

const ids = createIds();
const labelSource = (sourceCode: string) => ({
  sourceCode,
  name: "EasyPost",
  kind: "EASYPOST",
  url: "https://127.0.0.1:1/v2",
});

/** Where a request differs from the example, with the object that it needs. */
/** Goods without a purchase order, and one that takes them. */
async function newUnidentified(): Promise<Scene> {
  const receiptId = nextName("RCV");
  const lines = [{ sku: mug, qty: 1 }];
  await demo.accept("PO", purchaseOrder(clientId, receiptId, lines));
  const { unidentifiedId } = await dc1.report("unidentifiedReceipt", { clientId, receiptId, packages: 1, lines });
  return { path: { unidentifiedId: String(unidentifiedId) }, body: { clientId, poNumber: receiptId } };
}

async function newRule(): Promise<Scene> {
  const rule = { name: nextName("RULE"), channel: "MAIL", addresses: ["ops@example.com"] };
  const { ruleId } = succeeded(await admin.post("/notificationRule/create", rule));
  return { path: { ruleId } };
}

const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  "carrier-determination determineCarrierForOrder": newOrder,
  "order cancelOrder": newOrder,
  "order bindUnidentifiedReceipt": newUnidentified,
  "order closeUnidentifiedReceipt": async () => ({
    ...(await newUnidentified()),
    body: { clientId, outcome: "RETURNED", reason: "wrong house" },
  }),
  "order updateOrder": newOrder,
  "order holdOrder": newOrder,
  "order cancelOrderLine": newOrder,
  "order updateOrderLine": newOrder,
  "order releaseOrder": async () => {
    const { path } = await newOrder();
    succeeded(
      await callOf("order", "POST", `/v1/orderService/order/hold/${path.orderId}`, { clientId, reason: "Wait" }),
    );
    return { path };
  },
  "order closeRma": async () => {
    const lines = [{ lineNumber: 1, sku: mug, qty: 1, disposition: "RESELLABLE" }];
    await dc1.report("return", { clientId, rmaNumber: "RMA-5001", lines });
    return {};
  },
  "order cancelRma": async () => ({ path: { rmaNumber: "RMA-5002" } }),
  "operator revokeUserSessions": async () => ({ ...(await newUser()), body: {} }),
  "operator patchUser": newUser,
  "operator resetFactors": async () => {
    const { userName } = await memberWithApp(server, "olga");
    return { path: { userName } };
  },
  "operator resetPassword": newUser,
  "operator parkFeed": async () => {
    const { token } = await demo.send("NO", order(clientId, nextName("WEB"), ["UNKNOWN"]));
    return { path: { token } };
  },
  "operator retryFeed": async () => {
    const { token } = await demo.accept("CAT", catalogue(clientId, [nextName("SKU")]));
    await demo.becomes(token, "PROCESSED");
    return { path: { token } };
  },
  "operator setHold": newOrder,
  "operator liftHold": async () => {
    const { path } = await newOrder();
    const body = { type: "ADDRESS_INVALID", reason: "Unknown street" };
    succeeded(await admin.post(`/order/setHold/${path.orderId}?clientId=${clientId}`, body));
    return { path };
  },
  "operator addOrderNote": newOrder,
  "operator importStock": async () => ({
    body: { clientId, csv: `distributionCentre,sku,qty\nDC1,${tee},480\n`, importId: "OPENING-2026", isDryRun: false },
  }),
  "operator createCount": async () => ({ body: { clientId, distributionCentre: "DC1", sku: mug } }),
  "operator cancelCount": async () => {
    const { countId } = succeeded(await admin.post("/count/create", { clientId, distributionCentre: "DC1", sku: tee }));
    return { path: { countId } };
  },
  "operator approveCount": newWaitingCount,
  "operator rejectCount": newWaitingCount,
  "operator adjustStock": async () => ({
    body: { clientId, distributionCentre: "DC1", sku: mug, reasonCode: "DAMAGE", qty: -1 },
  }),
  "operator holdStock": async () => ({
    body: {
      clientId,
      distributionCentre: "DC1",
      sku: mug,
      reasonCode: "CONDITION",
      qty: 1,
      fromCondition: "GOOD",
      toCondition: "ON_HOLD",
    },
  }),
  "operator activateCarrierData": async () => ({
    body: { clientId, basedOn: 0, data: demoCarrierData as unknown as Json },
  }),
  "operator resendOutboundDocument": async () => {
    const find = () => server.rows<{ message_id: string }>("select message_id from outbound_document limit 1");
    const { message_id } = await until("an outbound document", async () => (await find())[0]);
    return { path: { documentId: message_id } };
  },
  "operator setOutboundChannels": async () => ({ body: { types: ["OS"], pull: true, sftp: false } }),
  "operator createClient": async () => ({ body: { clientId: "ACME", name: "Acme Outdoor", facilities: ["DC1"] } }),
  "operator createFacility": async () => ({
    body: { facilityCode: "DC9", name: "Hull", country: "GB", timezone: "Europe/London" },
  }),
  "operator issueCredential": async () => ({ body: { clientId, kind: "feed" } }),
  "operator issueCarrierCredential": async () => ({ body: { carrierCode: "RM" } }),
  "operator revokeCredential": async () => {
    const { credentialId } = succeeded(await admin.post("/credential/issue", { clientId, kind: "feed" }));
    return { path: { credentialId } };
  },
  "operator deleteView": async () => {
    const { viewId } = succeeded(await admin.post("/view/save", { screen: "orders", name: "Late", query: "" }));
    return { path: { viewId } };
  },
  "operator deleteAgentToken": async () => {
    const { agentToken } = succeeded(await admin.post("/agentToken/create", { name: "Order desk", clientId }));
    return { path: { tokenId: agentToken.tokenId } };
  },
  "operator withdrawInvitation": async () => {
    const address = `${nextName("anna").toLowerCase()}@brand.example`;
    const { invitation } = succeeded(await admin.post("/invitation/create", { clientId, address }));
    return { path: { invitationId: invitation.invitationId } };
  },
  "operator patchNotificationRule": newRule,
  "operator deleteNotificationRule": newRule,
  "operator testNotificationRule": newRule,
  "operator createLabelSource": async () => ({ body: labelSource("EASYPOST-EU") }),
  "operator patchLabelSource": async () => {
    const sourceCode = nextName("SOURCE");
    succeeded(await admin.post("/labelSource/create", labelSource(sourceCode)));
    return { path: { sourceCode }, body: { name: "EasyPost, Europe" } };
  },
  "operator retryLabelPurchase": async () => {
    const purchaseId = ids.next(Date.now());
    // Its source is not set up, so that no worker sends it.
    await server.rows(
      `insert into label_purchase (client_id, purchase_id, order_id, olpn_id, facility_code, carrier_code, service_code, sources,
          rank, source_code, status, is_sent, tries, request, created_at, updated_at)
        values ($1, $2::uuid, 'WEB-1', 'OLPN-1', 'DC1', 'RM', 'RM48', '{NONE}', 0, 'NONE', 'FAILED', false, 0, '{}', now(), now())`,
      clientId,
      purchaseId,
    );
    return { path: { purchaseId }, body: {} };
  },
  "operator mapTrackingCode": async () => ({ body: { carrierCode: "EASYPOST", code: "unknown", eventCode: 120 } }),
  "operator createLabelManifests": async () => ({ body: { distributionCentre: "DC1", sourceCode: "OWN" } }),
  "operator retryLabelManifest": async () => {
    const manifestId = ids.next(Date.now());
    // Its source is not set up, so that no worker sends it.
    await server.rows(
      `insert into label_manifest (client_id, manifest_id, facility_code, source_code, carrier_code, status, is_sent, tries,
          request, parcels, left_out, created_by, created_at, updated_at)
        values ($1, $2::uuid, 'DC1', 'NONE', 'RM', 'FAILED', false, 0, '{}', '[]', '[]', 'test', now(), now())`,
      clientId,
      manifestId,
    );
    return { path: { manifestId }, body: {} };
  },
  ...webhookScenes("warehouse"),
  ...webhookScenes("webhook"),
};

/** The version of the object, where the operation takes one: the repeat meets the version that the first has made. */
async function ifMatchOf({ document, parameters }: PublishedOperation, path: string): Promise<Record<string, string>> {
  if (!parameters.some(({ name }) => name === "if-match")) return {};
  const [, service, object, id] = /^(\/v1\/\w+\/)(\w+?)(?:Line)?\/\w+\/([^/?]+)/.exec(path) as RegExpExecArray;
  const isOfPlatform = ["facilityDirectory", "labelSource", "notificationRule"].includes(object as string);
  const query = document === "warehouse" || isOfPlatform ? "" : `?clientId=${clientId}`;
  const ofClient = document === "operator" && object === "order" ? "client/" : "";
  const { status, headers } = await callOf(document, "GET", `${service}${ofClient}${object}/get/${id}${query}`);
  const version = headers.get("etag");
  assert.ok(version, `${path}: ${status}`);
  return { "if-match": version };
}

/** Equal, with the secrets of the first answer in place of the `***` of the repeat. */
function assertSame(first: unknown, repeat: unknown, why: string): void {
  if (repeat === "***") return;
  if (typeof repeat !== "object" || repeat === null) assert.deepEqual(repeat, first, why);
  else {
    assert.deepEqual(Object.keys(repeat), Object.keys(first as object), why);
    for (const [name, value] of Object.entries(repeat))
      assertSame((first as Record<string, unknown>)[name], value, `${why}, ${name}`);
  }
}

for (const operation of writes) {
  const { document, operationId, method } = operation;
  test(`${document} ${operationId}`, async () => {
    const scene = (await scenes[`${document} ${operationId}`]?.()) ?? {};
    const example = exampleRequest(operation, document === "warehouse" ? undefined : clientId);
    const request = { ...example, path: { ...example.path, ...scene.path }, body: scene.body ?? example.body };
    const path = urlOf("", operation, request);
    const headers = { "idempotency-key": `${document}.${operationId}`, ...(await ifMatchOf(operation, path)) };
    const send = () => untilTaken(() => callOf(document, method, path, request.body, headers));
    let answers: Promise<Answer[]> | undefined;
    let hasEnded = false;
    await server.database.transaction(async (tx) => {
      // Neither can commit its answer until both have found none.
      await tx.query(sql`lock table rest_idempotency, feed_idempotency in share mode`);
      answers = Promise.all([send(), send()]).finally(() => {
        hasEnded = true;
      });
      await Promise.race([untilBlocked(server.database, 2), until("both have ended", async () => hasEnded)]);
    });
    const [first, second] = (await answers) as [Answer, Answer];
    const why = `${JSON.stringify(first.body)} ${JSON.stringify(second.body)}`;
    assert.ok(first.status < 300 && second.status === first.status, `${first.status} ${second.status} ${why}`);
    const isReplay = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";
    assert.notEqual(isReplay(first), isReplay(second), why);
    const [original, repeat] = isReplay(second) ? [first, second] : [second, first];
    assertSame(original.body, repeat.body, operationId);
    assert.equal(repeat.headers.get("etag"), original.headers.get("etag"));
  });
}
