// A user who is limited to facilities, whatever the role, neither reads nor changes what concerns other facilities: an operation
// is closed to that user unless its route declares how it is partitioned by facility (docs/decisions/0023-console-access.md).
import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorRoles } from "#/http/access/operator-role.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { type ConsoleUser, signIn } from "../support/app/console.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../support/builders/documents.ts";
import { seedCarriers } from "../support/carriers/carriers.ts";
import { exampleRequest, listPublishedOperations, urlOf } from "../support/http/published-operations.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { tellStatuses } from "../support/webhooks/outbound-channels.ts";
import { webhookDesk } from "../support/webhooks/webhooks.ts";
import { type Attempt, check, type Expected, holdAgainst } from "./attempts.ts";

const home = "SDC1";
const elsewhere = "SDC2";
/** Occurs in all data of the other facility, and in data that concerns all facilities. */
const foreignWord = "ONLY-SDC2-KNOWS";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,0.1,0.1" });
await server.operate(async (tx, change) => {
  for (const facilityCode of [home, elsewhere]) {
    await createFacility(tx, change, { facilityCode, name: facilityCode, country: "GB", timezone: "Europe/London" });
  }
});
await seedCarriers(server.database);
const receiver = await startReceiver({ answer: 500 });
atEnd(() => receiver.close());
const alpha = await server.onboard("ALPHA", { facilities: [home, elsewhere] });
await server.onboard("BETA", { facilities: [elsewhere] });
const admin = await signIn(server, "admin");

// The objects have the names of the examples in the documents.
const handleReport = await webhookDesk(server, alpha);
const webhook = await handleReport.create({
  url: `${receiver.url}/${foreignWord}`,
  emailList: [`${foreignWord}@example.com`],
});
await alpha.accept("CAT", catalogue("ALPHA", ["MUG-BLUE-330", "BOX-S"]));
const sent = new Map<string, string>();
for (const [orderId, distributionCentre, externalOrderReference] of [
  ["WEB-100045", elsewhere, foreignWord],
  ["HERE-1", home, "OURS"],
] as const) {
  const more = { externalOrderReference, distributionCentre };
  const { token } = await alpha.accept("NO", order("ALPHA", orderId, ["MUG-BLUE-330"], more));
  await alpha.outcome(token);
  sent.set(orderId, token);
}
const toElsewhere = { distributionCentre: elsewhere };
await alpha.accept("PO", purchaseOrder("ALPHA", "PO-7001", ["MUG-BLUE-330"], toElsewhere));
await alpha.accept("RMA", authorisation("ALPHA", "RMA-5001", ["MUG-BLUE-330"], toElsewhere));
const counting = { clientId: "ALPHA", distributionCentre: elsewhere, sku: "MUG-BLUE-330", note: foreignWord };
const counted = await admin.post("/count/create", counting);
assert.equal(counted.status, 200, JSON.stringify(counted.body));
await server.rows("update stock_count set count_id = '019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11'");
await tellStatuses(server, "ALPHA", ["WEB-100045"], elsewhere);
await tellStatuses(server, "ALPHA", ["HERE-1"], home);
const decided = new Map<string, string>();
for (const distributionCentre of [home, elsewhere]) {
  const shipment = { distributionCentre, shipTo: { country: "GB" }, parcels: [{ weight: 1 }] };
  const { status, body } = await admin.post("/client/carrier/determine?clientId=ALPHA", shipment);
  assert.equal(status, 200, JSON.stringify(body));
  decided.set(distributionCentre, body.decisionId);
}
const shared = await admin.post("/view/save", { screen: "orders", name: "Late", query: "", isShared: true });
assert.equal(shared.status, 200, JSON.stringify(shared.body));
const issued = await admin.post("/credential/issue", { clientId: "ALPHA", kind: "feed" });
assert.equal(issued.status, 200);

interface Listed {
  readonly documentId: string;
  readonly deliveryId: string;
  readonly mailId: string;
  readonly distributionCentre: string;
}

/** The entries of a list as the admin sees them, once it has `count` of them. */
async function listed(path: string, count: number): Promise<Listed[]> {
  return until(`${path} to be there`, async () => {
    const { items } = (await admin.get(path)).body;
    return items.length >= count ? (items as Listed[]) : undefined;
  });
}

const [mail] = await until("the mail is kept", async () => {
  await server.rows("update alert_mail set due_at = '2026-01-01' where status = 'PENDING'");
  const { items } = (await admin.get("/mail/list?status=KEPT")).body;
  return items.length > 0 ? (items as Listed[]) : undefined;
});
const [delivery] = await listed("/webhookDelivery/list", 1);
const documents = await listed("/outbound/list?clientId=ALPHA&type=OS", 2);
const documentAt = (code: string) =>
  documents.find((document) => document.distributionCentre === code)?.documentId as string;
// A document without a facility, such as the ACK of a catalogue.
const [ofNone] = await server.rows<{ id: string }>(
  `update outbound_document set facility_code = null, type = 'ACK', object_id = '${foreignWord}'
   where message_id = (select message_id from outbound_document
     where message_id <> all($1::uuid[]) and client_id = 'ALPHA' order by message_id limit 1)
   returning message_id as id`,
  [documentAt(home), documentAt(elsewhere)],
);

const limited = new Map<string, ConsoleUser>();
// A developer of a brand is not limited to facilities: tests/flows/console/walk.test.ts walks that role.
const roles = operatorRoles.filter((role) => role !== "developer");
for (const role of roles) limited.set(role, await signIn(server, role, { facilityCodes: [home] }));

/** Tables that the platform or every request writes: leases, cursors, counters, sessions, and the logs. */
const restless = [
  ...["rate_limit_use", "console_session", "audit_log", "rest_idempotency", "job_lease", "outbox_lane", "outbox_due"],
  ...["webhook_lane", "webhook_cursor", "stock_book", "stock_change", "stock_snapshot", "credential_use"],
  "request_log",
  ...["activity_day", "activity_due", "activity_cursor"],
];

/** The contents of every table except those, and except the users' own views. */
async function effects(): Promise<unknown> {
  const tables = await server.rows<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1::text[])
     order by c.relname`,
    restless,
  );
  const userNames = roles.map((role) => limited.get(role)?.userName);
  const hashes = tables.map(({ name }) => {
    const rows = name === "console_view" ? `(select * from console_view where user_name <> all($1::text[]))` : name;
    return `select '${name}' as name, (select md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) from ${rows} t) as rows`;
  });
  return server.rows(
    `${hashes.join(" union all ")} order by 1`,
    ...(hashes.some((hash) => hash.includes("$1")) ? [userNames] : []),
  );
}

// Pending deliveries are held: no attempt runs between two comparisons.
await handleReport.patch(webhook.webhookId, { isPaused: 1 });
/** Waits until the consequences of earlier steps are processed. */
await until("the platform comes to rest", async () => {
  const [row] = await server.rows<{ busy: boolean }>(
    `select exists (select from outbox where state = 'PENDING') or exists (select from stock_change where needs_allocation)
       or exists (select from webhook_delivery where status in ('PENDING', 'RETRYING')) or exists (select from webhook_delivery where attempt_id is not null) or exists (select from alert_mail where status = 'PENDING')
       as busy`,
  );
  return row?.busy === false;
});

test("the compared state is sensitive: an admin without limits changes it", async () => {
  const before = await effects();
  assert.equal((await admin.post("/credential/issue", { clientId: "ALPHA", kind: "feed" })).status, 200);
  assert.notDeepEqual(await effects(), before);
});

test("the compared state does not change without an action", async () => {
  const before = await effects();
  await admin.get("/overview/flow");
  assert.deepEqual(await effects(), before);
});

/**
 * Operations that are open to users with facility limits, by the mechanism that restricts them. Every other one is
 * closed.
 */
const openOperations: Readonly<Record<string, readonly string[]>> = {
  none: [
    ...["getSession", "deleteSession", "changeOwnPassword", "getRestoreState", "listViews", "saveView", "deleteView"],
    ...["clientFindItemBySku", "clientFindItemBySkuList", "clientListItems", "clientListCarrierServiceCodes"],
    ...["clientGetItemTemplate", "clientGetItemTemplates"],
    ...["clientListTopics", "getSignInStep", "proveUser", "listOwnFactors", "beginTotp", "confirmTotp", "renameFactor"],
    ...["deleteFactor", "renewRecoveryCodes", "challengePasskey", "beginPasskey", "confirmPasskey"],
    ...["listAgentTokens", "createAgentToken", "deleteAgentToken"],
  ],
  scope: [
    ...["readOrderFlow", "readCutOffBoard", "readStockHealth", "readOrderTrends", "readServiceLevel"],
    "listExceptions",
    "listExceptionCauses",
    ...["summariseExceptions", "listExceptionOwners", "assignExceptions", "noteExceptions", "snoozeExceptions"],
    ...["resolveExceptions"],
    ...[
      "retryReport",
      "listOrdersOverClients",
      "countOrdersOverClients",
      "readOrderFigures",
      "changeOrders",
      "search",
      "listStock",
    ],
    ...[
      "listBackorderedProducts",
      "listStockLots",
      "listExpiringStock",
      "listWaitingForProduct",
      "listExpectedOfProduct",
      "listPurchaseOrders",
      "readInboundFigures",
      "getPurchaseOrder",
    ],
    ...[
      "listReturns",
      "listWorkOrdersOfAll",
      "listTransfersOfAll",
      "listUnidentifiedReceiptsOfAll",
      "listCarrierDecisions",
      "listLabelPurchases",
      "listLabelManifests",
      "listWebhookHealth",
      "listUndelivered",
      "listReceivers",
      "listWaitingClients",
      "printOrders",
    ],
    ...["listOutboundDocuments", "listClientDirectory", "listFacilityDirectory", "listPortCredentials", "getSandbox"],
    ...["stepSandbox", "listCounts", "readCarrierLanes", "readActivityReport", "readPerformanceReport"],
  ],
  named: [
    ...["readStockStatement", "getFacilityOfDirectory", "clientListOrders", "clientListRmas", "clientListWorkOrders"],
    ...["clientCreateWorkOrder", "clientGetFacility", "clientFindInventoryBySku", "clientFindInventoryBySkuList"],
    ...["clientFindInventoryDetailsBySkuList", "clientListInventory", "clientListMovements", "clientListSnapshots"],
    ...["clientGetSnapshot", "clientReconcile", "clientDetermineCarrier", "createCount"],
    "clientPromiseOrder",
    "clientListUnidentifiedReceipts",
    ...["compareStock", "adjustStock", "holdStock"],
    "createLabelManifests",
    "clientGetActivity",
  ],
  order: [
    "addOrderNote",
    ...["getOrderTimeline", "listFeedsOfOrder", "setHold", "liftHold", "clientGetOrder", "clientGetOrderStatus"],
    ...["clientCancelOrder", "clientUpdateOrder", "clientHoldOrder", "clientReleaseOrder", "clientCancelOrderLine"],
    ...["clientUpdateOrderLine", "clientListDocuments", "clientListOlpns", "clientDetermineCarrierForOrder"],
  ],
  return: ["clientGetRma", "clientCancelRma", "clientCloseRma"],
  purchaseOrder: ["clientGetClientPurchaseOrder", "clientClosePurchaseOrder"],
  workOrder: ["clientGetWorkOrder", "clientUpdateWorkOrder", "clientCancelWorkOrder"],
  transfer: ["clientGetTransfer", "clientCancelTransfer"],
  unidentifiedReceipt: [
    "clientGetUnidentifiedReceipt",
    "clientBindUnidentifiedReceipt",
    "clientCloseUnidentifiedReceipt",
  ],
  parcel: ["clientGetOlpn"],
  orderDocument: ["clientGetDocument"],
  carrierDecision: ["clientGetCarrierDecision"],
  outboundDocument: ["getOutboundDocument", "resendOutboundDocument"],
  count: ["getCount", "cancelCount", "approveCount", "rejectCount"],
  labelManifest: ["getLabelManifest", "getLabelManifestDocument", "retryLabelManifest"],
};

const operations = listPublishedOperations().filter(({ document, leastRole }) => document === "operator" && leastRole);
const partitionOf = new Map(
  Object.entries(openOperations).flatMap(([partition, names]) => names.map((name) => [name, partition] as const)),
);

test("exactly the operations of the list are open, each by what keeps it within", () => {
  assert.ok(operations.length >= 140, `only ${operations.length}`);
  assert.deepEqual(
    Object.fromEntries(operations.map(({ operationId, partition }) => [operationId, partition]).sort()),
    Object.fromEntries(
      operations.map(({ operationId }) => [operationId, partitionOf.get(operationId) ?? "closed"]).sort(),
    ),
  );
});

/** Operations that end the session or change the password of the user under test. */
const endsSession = ["deleteSession", "changeOwnPassword"];

for (const [role, user] of limited) {
  test(`a walk of every operation by ${role} with facility limits: what is not of the list is 403, and nothing changes`, async () => {
    const before = await effects();
    for (const operation of operations) {
      const { operationId, method } = operation;
      if (endsSession.includes(operationId)) continue;
      for (const clientId of ["ALPHA", undefined]) {
        const request = exampleRequest(operation, clientId);
        if (clientId !== undefined && request.path.clientId !== undefined) Object.assign(request.path, { clientId });
        // The facility is also named where the operation has no facility parameter; this must not grant access.
        for (const facility of [{}, { distributionCentre: home }, { facilityCode: home }]) {
          const address = urlOf("", operation, { ...request, query: { ...request.query, ...facility } });
          const response = await user.request(address.replace("/v1/operatorService", ""), {
            method,
            ...(request.body === undefined
              ? {}
              : { body: JSON.stringify(request.body), headers: { "content-type": "application/json" } }),
          });
          const seen = { status: response.status, text: await response.text() };
          const why = `${operationId} ${address}: ${seen.text.slice(0, 300)}`;
          assert.ok(seen.status < 500, why);
          assert.ok(!seen.text.includes(foreignWord), why);
          if (!partitionOf.has(operationId)) assert.equal(seen.status, 403, why);
        }
      }
    }
    assert.deepEqual(await effects(), before);
  });
}

const closed: Expected = { status: 403 };
const hidden: Expected = { status: 404, type: "not-found" };
const foreign: Expected = { status: 403, type: "scope-forbidden" };
const within = (...shows: readonly string[]): Expected => ({ status: 200, hides: [foreignWord, elsewhere], shows });
const nothing: Expected = { status: 200, hides: [foreignWord, elsewhere, "WEB-100045"] };
const ofAlpha = "clientId=ALPHA";
const push = { types: ["OS"], pull: false, sftp: false, push: { url: "https://example.com/mine" } };
const other = decided.get(elsewhere) as string;

/**
 * Method, path and body, and the expected outcome for an admin and an operator; a viewer may also be refused for the
 * role.
 */
const cases: readonly (readonly [attempt: string, method: string, path: string, expected: Expected, body?: object])[] =
  [
    // Ways to take over a client.
    ...(["feed", "oauth", "sftp"] as const).map(
      (kind) =>
        [`issue a ${kind} credential`, "POST", "/credential/issue", closed, { clientId: "ALPHA", kind }] as const,
    ),
    ["push a client's feeds to an address", "PUT", `/outboundChannel/set?${ofAlpha}`, closed, push],
    ["suspend a client", "POST", "/clientDirectory/suspend/ALPHA", closed],
    ["resume a client", "POST", "/clientDirectory/resume/ALPHA", closed],
    ["lift a client's rate limit", "PATCH", "/clientDirectory/patch/ALPHA", closed, { settings: { rateLimit: "off" } }],
    [
      "open one's own facility alone to a client",
      "PATCH",
      "/clientDirectory/patch/ALPHA",
      closed,
      { facilities: [home] },
    ],
    ["make a client", "POST", "/clientDirectory/create", closed, { clientId: "MINE", facilities: [home] }],
    ["make a user without limits", "POST", "/user/create", closed, { userName: "mine", role: "admin" }],
    ["lift one's own limits", "PATCH", `/user/patch/${limited.get("admin")?.userName}`, closed, { facilityCodes: [] }],
    ["give an admin a password", "POST", `/user/resetPassword/${admin.userName}`, closed],
    ["end the sessions of an admin", "POST", `/user/revokeSessions/${admin.userName}`, closed, {}],
    ["change one's own facility", "PATCH", `/facilityDirectory/patch/${home}`, closed, { name: "Mine" }],
    ["issue a credential of one's own warehouse", "POST", "/credential/issueWarehouse", closed, { facilityCode: home }],
    ["issue a credential of a carrier", "POST", "/credential/issueCarrier", closed, { carrierCode: "RM" }],
    ["revoke a credential", "POST", `/credential/revoke/${issued.body.credentialId}`, closed],
    ["change the simulated warehouse", "PATCH", "/sandbox/patch", closed, { speed: 0 }],
    ["activate carrier data", "POST", "/carrierData/activate", closed, { basedOn: 1, data: { services: [] } }],
    ["release what waits after a restore", "POST", "/restore/release", closed, { parts: ["webhooks"] }],
    ["delete another user's shared view", "DELETE", `/view/delete/${shared.body.viewId}`, hidden],
    // Data of a client that belongs to no facility.
    ["read a client's settings and credentials", "GET", "/clientDirectory/get/ALPHA", closed],
    ["read a client's outbound channels", "GET", `/outboundChannel/list?${ofAlpha}`, closed],
    ["read mails", "GET", "/mail/list", closed],
    ["read one mail", "GET", `/mail/get/${mail?.mailId}?${ofAlpha}`, closed],
    ["read the audit log", "GET", "/audit/list", closed],
    ["read carrier data", "GET", "/carrierData/get", closed],
    ["list feeds", "GET", "/feed/list", closed],
    ["read a feed document", "GET", `/feed/document/${sent.get("WEB-100045")}`, closed],
    ["download a feed document", "GET", `/feed/bytes/${sent.get("WEB-100045")}`, closed],
    [
      "send a document in a client's name",
      "POST",
      "/feed/send",
      closed,
      { clientId: "ALPHA", feedType: "CAT", xml: "<a/>" },
    ],
    ["read the rates of feeds", "GET", "/overview/feeds", closed],
    ["read the health of all webhooks", "GET", "/overview/webhooks", closed],
    ["read events", "GET", `/client/event/list?${ofAlpha}&facilityCode=${home}`, closed],
    ["read a webhook", "GET", `/client/webhook/get/${webhook.webhookId}?${ofAlpha}`, closed],
    ["read a delivery with its answer", "GET", `/client/webhook/delivery/${delivery?.deliveryId}?${ofAlpha}`, closed],
    ["deliver again", "POST", `/client/webhook/redeliver/${delivery?.deliveryId}?${ofAlpha}`, closed, {}],
    ["rotate a signing secret", "POST", `/client/webhook/rotateSecret/${webhook.webhookId}?${ofAlpha}`, closed],
    ["delete a webhook", "DELETE", `/client/webhook/delete/${webhook.webhookId}?${ofAlpha}`, closed],
    ["simulate carriers over a client's decisions", "POST", `/client/carrier/simulate?${ofAlpha}`, closed, {}],
    ["list a client's facilities", "GET", `/client/facility/list?${ofAlpha}`, closed],
    // Lists contain only data of the user's facility.
    ["list carrier decisions", "GET", `/carrierDecision/list?${ofAlpha}`, within(decided.get(home) as string)],
    ["list decisions of another's order", "GET", `/carrierDecision/list?${ofAlpha}&orderId=WEB-100045`, nothing],
    ["list deliveries of subscriptions to all facilities", "GET", "/webhookDelivery/list", nothing],
    ["list those of one's own facility", "GET", `/webhookDelivery/list?distributionCentre=${home}`, nothing],
    ["list subscriptions to all facilities", "GET", `/webhook/list?distributionCentre=${home}`, nothing],
    ["list outbound documents", "GET", "/outbound/list", within(documentAt(home))],
    ["list orders", "GET", "/order/list", within("HERE-1")],
    ["list exceptions", "GET", "/exception/list", nothing],
    ["list exceptions by cause", "GET", "/exception/causes", nothing],
    ["list clients", "GET", "/clientDirectory/list", { ...within("ALPHA"), hides: ["BETA", elsewhere] }],
    ["list facilities", "GET", "/facilityDirectory/list", within(home)],
    ...[
      sent.get("WEB-100045"),
      delivery?.deliveryId,
      documentAt(elsewhere),
      ofNone?.id,
      foreignWord,
      "BETA",
      elsewhere,
    ].map(
      (text) => [`search for ${text}`, "GET", `/search?text=${text}`, { status: 200, shows: ['"items":[]'] }] as const,
    ),
    // Objects of another facility do not exist for this user.
    ["read another's carrier decision", "GET", `/client/carrier/decision/${other}?${ofAlpha}`, hidden],
    ["read another's order", "GET", `/client/order/get/WEB-100045?${ofAlpha}`, hidden],
    ["read another's timeline", "GET", `/order/timeline/WEB-100045?${ofAlpha}`, hidden],
    ["read the feeds of another's order", "GET", `/order/feeds/WEB-100045?${ofAlpha}`, hidden],
    ["cancel another's order", "POST", `/client/order/cancel/WEB-100045?${ofAlpha}`, hidden, { reason: "mine" }],
    ["hold another's order", "POST", `/order/setHold/WEB-100045?${ofAlpha}`, hidden, { type: "OTHER", reason: "mine" }],
    [
      "change many orders, among them another's",
      "POST",
      `/order/bulk?${ofAlpha}`,
      { status: 200, shows: ['"refused":1'], hides: [foreignWord] },
      { action: "cancel", orderIds: ["WEB-100045"], reason: "mine" },
    ],
    ["read another's outbound document", "GET", `/outbound/document/${documentAt(elsewhere)}?${ofAlpha}`, hidden],
    ["read an outbound document of no facility", "GET", `/outbound/document/${ofNone?.id}?${ofAlpha}`, hidden],
    ["resend another's outbound document", "POST", `/outbound/resend/${documentAt(elsewhere)}?${ofAlpha}`, hidden],
    ["read another's purchase order", "GET", `/client/purchaseOrder/get/PO-7001?${ofAlpha}`, hidden],
    ["close another's purchase order", "POST", `/client/purchaseOrder/close/PO-7001?${ofAlpha}`, hidden, {}],
    ["close another's return", "POST", `/client/rma/close/RMA-5001?${ofAlpha}`, hidden, {}],
    ["step another's order", "POST", "/sandbox/step", hidden, { clientId: "ALPHA", objectId: "WEB-100045" }],
    ["step what is not there", "POST", "/sandbox/step", hidden, { clientId: "ALPHA", objectId: "NO-SUCH" }],
    ["step whatever is next", "POST", "/sandbox/step", foreign, {}],
    [
      "step another's order at one's own facility",
      "POST",
      "/sandbox/step",
      hidden,
      { clientId: "ALPHA", objectId: "WEB-100045", facilityCode: home },
    ],
    // Requests that name a facility.
    ["list another's orders", "GET", `/order/list?distributionCentre=${elsewhere}`, foreign],
    ["list orders of both", "GET", `/order/list?distributionCentre=${home}&distributionCentre=${elsewhere}`, foreign],
    ["count another's orders", "GET", `/order/count?distributionCentre=${elsewhere}`, foreign],
    ["list another's stock", "GET", `/stock/list?distributionCentre=${elsewhere}`, foreign],
    ["read another's ledger", "GET", `/stock/statement?${ofAlpha}&sku=BOX-S&distributionCentre=${elsewhere}`, foreign],
    ["read another facility", "GET", `/facilityDirectory/get/${elsewhere}`, foreign],
    ["read another's inventory", "GET", `/client/inventory/list?${ofAlpha}&distributionCentre=${elsewhere}`, foreign],
    [
      "ask for both in two places",
      "POST",
      `/client/findInventoryBySkuList?${ofAlpha}&distributionCentre=${home}`,
      foreign,
      { distributionCentre: elsewhere, products: ["BOX-S"] },
    ],
    [
      "name a facility in the wrong place",
      "POST",
      `/client/findInventoryBySkuList?${ofAlpha}&facilityCode=${home}`,
      { status: [400, 403] },
      { products: ["BOX-S"] },
    ],
    [
      "name several facilities as a list",
      "POST",
      `/client/findInventoryBySkuList?${ofAlpha}`,
      { status: [400, 403] },
      { distributionCentre: [home, elsewhere], products: ["BOX-S"] },
    ],
    [
      "make a work order elsewhere",
      "POST",
      "/client/workOrder/create",
      foreign,
      { clientId: "ALPHA", facilityCode: elsewhere, finishedGoodSku: "BOX-S", qty: 1, components: [] },
    ],
    [
      "determine a carrier for elsewhere",
      "POST",
      `/client/carrier/determine?${ofAlpha}`,
      foreign,
      { distributionCentre: elsewhere, shipTo: { country: "GB" }, parcels: [{ weight: 1 }] },
    ],
    [
      "promise a basket from elsewhere",
      "POST",
      `/client/order/promise?${ofAlpha}`,
      foreign,
      { distributionCentre: elsewhere, shipToAddress: { country: "GB" }, lines: [{ sku: "BOX-S", qty: 1 }] },
    ],
    [
      "promise a basket from the facility that the routing chooses",
      "POST",
      `/client/order/promise?${ofAlpha}`,
      foreign,
      { shipToAddress: { country: "GB" }, lines: [{ sku: "BOX-S", qty: 1 }] },
    ],
  ];

/** A viewer without the role gets no further. */
const expectedOf = (role: string, expected: Expected): Expected =>
  role === "viewer" && expected.status !== 200
    ? { ...expected, status: [expected.status, 403].flat(), type: undefined }
    : expected;

const reads = ["GET"];

holdAgainst(
  [...limited].flatMap(([role, user]) =>
    cases.map(([attempt, method, path, expected, body]): Attempt => {
      const isRefused = role === "viewer" && !reads.includes(method);
      return {
        attempt: `${role} limited to ${home}: ${attempt}`,
        send: async () => {
          const response = await user.request(path, {
            method,
            ...(body === undefined
              ? {}
              : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
          });
          return { status: response.status, text: await response.text() };
        },
        expected: isRefused ? { status: [400, 403, 404] } : expectedOf(role, expected),
      };
    }),
  ),
  effects,
);

test("operations of the user's own facility stay open", async () => {
  const operator = limited.get("operator") as ConsoleUser;
  const shown = await operator.get(`/outbound/document/${documentAt(home)}?${ofAlpha}`);
  check({ status: shown.status, text: JSON.stringify(shown.body) }, { status: 200, shows: ["HERE-1"] });
  assert.equal((await operator.post(`/outbound/resend/${documentAt(home)}?${ofAlpha}`)).status, 200);
  assert.equal((await operator.get(`/client/carrier/decision/${decided.get(home)}?${ofAlpha}`)).status, 200);
  // No simulated warehouse runs here that could take the step.
  const stepped = await operator.post("/sandbox/step", { clientId: "ALPHA", objectId: "HERE-1" });
  assert.equal(stepped.status, 409, JSON.stringify(stepped.body));
  const held = await operator.post(`/order/setHold/HERE-1?${ofAlpha}`, { type: "OTHER", reason: "ours" });
  assert.equal(held.status, 200, JSON.stringify(held.body));
});
