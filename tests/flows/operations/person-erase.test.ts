// `crossdock person erase`: an order passes through every feature, with words that occur nowhere else. The test then
// searches every column of every table for them. Words that must be absent afterwards were present before.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eraseDue, eraseOrder } from "#/app/retention/erasure/erase-orders.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { raiseException } from "#/modules/facilities/index.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { commandLine } from "../../support/app/cli.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { attributes, authorisation, cancelOrder, order } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { webhookCalls } from "../../support/http/webhook-calls.ts";
import { placesOf } from "../../support/postgres/every-column.ts";
import { openSession, type SftpPlace } from "../../support/sftp/session.ts";
import { carrierOf, warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { setWaysOf } from "../../support/webhooks/outbound-channels.ts";

const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
const dc1 = await warehouseOf(server);
const carrier = await carrierOf(server, "KARRIO");
const crossdock = commandLine(server);
const clientId = "ACME";
const settings = { holdRules: "large: first order and value > 1000000 GBP" };
const life = await lifeOf(server, dc1, clientId, { settings });
const { client } = life;
const rest = restCalls(server.url, "/v1/orderService", client.credentials);
// A receiver whose answers repeat personal data of the customer.
const isAbout = (body: string) => /"(?:O-1|R-1)"/.test(body);
const receiver = await startReceiver({
  answer: ({ body }) => ({ status: 200, body: isAbout(body.toString()) ? "thank you, Wilhelmina Canaryanswer" : "" }),
});
atEnd(() => receiver.close());
const ids = createIds();

const person = {
  title: "Canarytitle",
  companyName: "Canarycompany Ltd",
  department: "Canarydepartment",
  firstName: "Wilhelmina",
  lastName: "Canarylastname",
  address1: "7 Canarystreet",
  address2: "Flat Canarysecond",
  city: "Canarytown",
  zip: "BS1 5QQ",
  state: "Canarystate",
  country: "GB",
  phone: "+44 117 4960777",
  mobile: "+44 7700 900777",
  email: "canary@person.example",
};
/** Everything that the erasure must remove, from any source. */
const canaries = [
  ...Object.entries(person).flatMap(([field, value]) => (field === "country" ? [] : [value])),
  "CANARY-ADDRESS-ID",
  "O'Canary",
  "Canarybilling",
  "Canarymessage",
  "Canaryengraving",
  "Canarytender",
  "Canarymoved",
  "Canaryneighbour",
  "Canaryporch",
  "Canaryanswer",
  "Canarybadzip",
  "Canaryreturn",
  "Canarynote",
  "Canaryreport",
  "Canaryremark",
  "Canaryword",
];
/** Data of another person, in the same feeds and tables. */
const other = {
  firstName: "Stays",
  lastName: "Staysname",
  address1: "8 Staysstreet",
  city: "Stayscity",
  zip: "LS1 4AP",
  country: "GB",
  phone: "+44 113 4960999",
  email: "s@stays.example",
};
const othersWords = ["Staysname", "8 Staysstreet", "s@stays.example"];

const parts = (who: object, more: object = {}) => ({
  distributionCentre: "DC1",
  externalOrderReference: "REF-1",
  shipToAddress: { "@addressId": "CANARY-ADDRESS-ID", ...who },
  billToAddress: { ...who, firstName: "O'Canary", lastName: "Canarybilling", phone: "-", mobile: "0" },
  payments: { payment: { "@type": "VOUCHER", tender: "Canarytender" } },
  totalPrice: { "@unit": "GBP", "#": "42.50" },
  extendedAttributes: attributes({ GiftMessage: "Canarymessage" }),
  ...more,
});
const line = { sku: "A", qty: 2, extendedAttributes: attributes({ Engraving: "Canaryengraving" }) };
const document = order(clientId, "O-1", [line], parts(person));

/** Waits until all events of client and facility are published and have their deliveries, and all of those have ended. */
const allTold = () =>
  until("all deliveries have ended", async () => {
    const [row] = await server.rows<{ open: number }>(
      `select ((select count(*) from outbox where client_id in ($1, 'facility:DC1') and state = 'PENDING')
           + (select count(*) from warehouse_task where client_id = $1 and position is null)
           + (select count(*) from webhook_cursor c join warehouse_feed f on f.facility_code = 'DC1'
              where c.client_id = 'facility:DC1' and c.task_position < f.last_position)
           + (select count(*) from webhook_cursor c join outbox_lane l on l.client_id = c.client_id
              where c.client_id in ($1, 'facility:DC1') and c.last_position < l.last_position)
           + (select count(*) from webhook_delivery where client_id in ($1, 'facility:DC1') and completed_at is null))::integer
           as open`,
      clientId,
    );
    return row?.open === 0;
  });

const shownOrder = () => life.shown("O-1") as unknown as Promise<Record<string, unknown>>;
const places = () => placesOf(server, canaries);
const columnsOf = (found: readonly string[]) =>
  [...new Set(found.map((place) => place.split(":")[0] as string))].sort();
const erase = (...more: string[]) => crossdock(["person", "erase", "--client", clientId, "--order", "O-1", ...more]);

test("what an order says of a person is gone everywhere once it is erased, and nothing else is", async () => {
  for (const type of ["OS", "ACK", "RS"] as const) await setWaysOf(server, clientId, type, { pull: true, sftp: true });
  await webhookCalls(server.url, client).create({ url: receiver.url, topicName: "*", facilityCode: "*" });
  const ofWarehouse = { topicName: "*", url: receiver.url, contentType: "application/json" };
  assert.equal((await dc1.post("/webhook/create", ofWarehouse)).status, 201);
  await server.rows(
    `insert into console_view (view_id, screen, user_name, name, query, created_at, updated_at)
     select gen_random_uuid(), 'orders', 'anna', name, query, now(), now()
     from (values ('One person', 'q=CANARY%40person.example&status=PACKED'), ('His name', 'q=Wilhelmina+Canarylastname'),
       ('His other name', 'q=O%27Canary+Canarybilling'), ('Call +44 117 4960777', 'status=ON_HOLD'),
       ('Another', 'q=s%40stays.example'), ('On hold - 2026', 'status=ON_HOLD')) as given(name, query)`,
  );
  await life.stock([{ sku: "A", qty: 20 }]);

  // A refused document, whose errors quote the wrong value; then the order, as a file.
  const wrong = parts({ ...person, zip: "Canarybadzip" });
  await client.send("NO", order(clientId, "O-1", [line], wrong));
  const user = await openSession(server.sftp as SftpPlace, client.credentials.sftp);
  await user.put("/inbound/NO/O-1.xml", document);
  await life.quiet();
  await client.accept("NO", order(clientId, "O-2", ["A"], { distributionCentre: "DC1", shipToAddress: other }));
  await life.quiet();
  const moved = await rest(
    "PATCH",
    `/order/update/O-1?clientId=${clientId}`,
    { shipToAddress: { ...person, addressId: "CANARY-ADDRESS-ID", address2: "Canarymoved" } },
    { "content-type": "application/merge-patch+json", "idempotency-key": "move-1" },
  );
  assert.equal(moved.status, 200, JSON.stringify(moved.body));
  await life.quiet();

  const open = await erase();
  assert.equal(open.code, 1);
  assert.match(open.stderr, /order O-1 is ALLOCATED: its address is needed until it has left or is cancelled/);

  await life.pick("O-1", 2);
  const [olpnId = ""] = await life.pack("O-1", 2);
  await life.despatch(olpnId);
  const event = { olpnId, eventCode: 200, occurredAt: new Date().toISOString() };
  await carrier.report("carrierEvent", { ...event, location: "Canaryporch", text: "left with Canaryneighbour" });
  await client.accept(
    "RMA",
    authorisation(clientId, "R-1", [{ sku: "A", quantityReturned: 1, attributeOne: "Canaryreturn" }], {
      orderReference: "REF-1",
    }),
  );
  await life.quiet();
  const waiting = await erase();
  assert.match(waiting.stderr, /return R-1 of order O-1 is AUTHORISED: close or cancel it first/);
  await dc1.report("return", {
    clientId,
    rmaNumber: "R-1",
    lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE", note: "Canarynote" }],
  });
  await server.operate(async (tx, change) => {
    raiseException(tx.of(clientId, change), {
      kind: "REPORT_REFUSED",
      facilityCode: "DC1",
      objectType: "order",
      objectId: "O-1",
      summary: "refused for Canaryreport",
      detail: { report: "pack", status: 409, body: { remark: "Canaryreport" } },
    });
  });
  await server.rows(
    `insert into exception_annotation (client_id, type, object_key, since, note, updated_at)
     values ($1, 'ORDER_HELD', 'O-1', now(), 'called Canaryremark', now()) returning 1 as done`,
    clientId,
  );
  await server.rows(
    `insert into order_note (client_id, order_id, note_id, author, text)
     values ($1, 'O-1', $2::uuid, 'user:anna', 'called Canaryword') returning 1 as done`,
    clientId,
    createIds().next(Date.now()),
  );
  // Papers have digests once they are read.
  assert.equal((await rest("GET", "/document/list/O-1")).status, 200);
  await allTold();
  assert.ok((await placesOf(server, ["Canaryanswer"])).length > 0, "the webhooks have been answered");
  assert.ok(receiver.requests.length > 10, `${receiver.requests.length} requests`);
  const tasks = receiver.requests.filter(({ body }) => body.includes("Canarylastname") && body.includes('"task:'));
  assert.ok(tasks.length > 0, "the warehouse received the address");

  // The complete list of places with these words: a new place must be erased as well.
  assert.deepEqual(columnsOf(await places()), [
    "carrier_decision.request",
    "console_view.name",
    "console_view.query",
    "event.data",
    "exception_annotation.note",
    "feed_document.ack",
    "feed_document.findings",
    "feed_payload.payload",
    "operator_exception.detail",
    "operator_exception.summary",
    "order_content.bill_to_address",
    "order_content.extended_attributes",
    "order_content.payments",
    "order_content.ship_to_address",
    "order_document.content",
    "order_milestone.location",
    "order_milestone.text",
    "order_note.text",
    "outbound_document.payload",
    "rest_idempotency.answer",
    "return_authorisation_line.attribute_one",
    "return_disposition.note",
    "sales_order.customer",
    "sales_order_line.extended_attributes",
    "warehouse_task.content",
    "webhook_attempt.body",
  ]);
  const before = await shownOrder();

  const erased = await erase("--json");
  assert.equal(erased.code, 0, erased.stderr);
  const report = JSON.parse(erased.stdout) as Record<string, unknown>;
  assert.deepEqual(
    [report.orderId, report.isRepeat, report.returns, report.parcels, report.feeds, report.views],
    ["O-1", false, 1, 1, 3, 4],
  );
  assert.deepEqual(await places(), []);
  const views = await server.rows<{ name: string }>("select name from console_view order by name limit 10");
  assert.deepEqual(
    views.map(({ name }) => name),
    ["Another", "On hold - 2026"],
  );
  // The file and its bytes are gone from the archive; its ACK remains for its documented time.
  assert.equal((await user.sizes("/archive")).size, 0);
  assert.match(
    String(await user.get("/acks/O-1.xml.ack.xml")),
    /<success>true<.*<objectId>O-1<\/objectId><\/apiResponse>\n$/,
  );
  user.end();
  for (const word of othersWords) assert.ok((await placesOf(server, [word])).length > 1, word);

  const after = await shownOrder();
  const kept = ({
    orderId,
    status,
    totalPrice,
    externalOrderReference,
    milestones,
    olpns,
    receivedAt,
    updatedAt,
  }: typeof after) => ({
    orderId,
    status,
    totalPrice,
    externalOrderReference,
    milestones,
    olpns,
    receivedAt,
    updatedAt,
  });
  assert.deepEqual(kept(after), kept(before));
  assert.equal(after.version, Number(before.version) + 1);
  assert.equal(typeof after.personalDataErasedAt, "string");
  const address = after.shipToAddress as Record<string, unknown>;
  assert.deepEqual([address.country, address.lastName, address.zip], ["GB", null, null]);
  const quantities = (shown: typeof after) =>
    (shown.lines as Record<string, unknown>[]).map(({ extendedAttributes: _, ...rest }) => rest);
  assert.deepEqual(quantities(after), quantities(before));
  await life.assertSound();
});

test("what was erased is still known: a resend is a duplicate, documents answer, and it may be erased again", async () => {
  const again = await client.send("NO", document);
  assert.equal(again.isAccepted, false);
  assert.match(again.body, /\[DUPLICATE\]/);
  const [feed] = await server.rows<{ token: string }>(
    "select token from feed_document where client_id = $1 and object_id = 'O-1' and state = 'PROCESSED' order by token limit 1",
    clientId,
  );
  assert.equal((await client.status(feed?.token ?? "")).state, "PROCESSED");
  const list = (await (await client.request(`/feeds/${clientId}/outbound?type=OS`)).json()) as {
    items: { messageId: string; href?: string; objectId?: string }[];
  };
  assert.ok(list.items.length > 3);

  // The resend was refused; like any document, it is stored with its contents. The answer to its webhook contains a
  // name as well.
  await allTold();
  assert.notDeepEqual(await places(), []);
  const erased = await erase("--json");
  assert.equal(erased.code, 0, erased.stderr);
  assert.equal((JSON.parse(erased.stdout) as { isRepeat: boolean }).isRepeat, true);
  assert.deepEqual(await places(), []);
  const audits = await server.rows<{ actor: string; detail: object }>(
    "select actor, detail from audit_log where client_id = $1 and action = 'erase' and object_id = 'O-1' limit 10",
    clientId,
  );
  assert.equal(audits.length, 2);
  assert.ok(audits.every(({ actor, detail }) => actor.startsWith("cli:") && Object.keys(detail).length === 0));
});

test("a parcel's late code finds its order, and nothing is asked of the address", async () => {
  receiver.answer = 200;
  const [parcel] = await server.rows<{ olpn_id: string }>(
    "select olpn_id from parcel where client_id = $1 limit 1",
    clientId,
  );
  const event = { olpnId: parcel?.olpn_id, eventCode: 205, occurredAt: new Date().toISOString() };
  await carrier.report("carrierEvent", event);
  await life.quiet();
  assert.equal((await life.shown("O-1")).status, "DELIVERED");
});

test("an order that is not there is refused, and of one that was only refused the documents are blanked", async () => {
  const unknown = await crossdock(["person", "erase", "--client", clientId, "--order", "O-99"]);
  assert.deepEqual([unknown.code, /has no order O-99, and no document about one/.test(unknown.stderr)], [1, true]);
  const nobody = await crossdock(["person", "erase", "--client", "NOBODY", "--order", "O-1"]);
  assert.equal(nobody.code, 1);
  const refused = await client.send("NO", order(clientId, "O-3", [line], parts({ ...person, zip: "Canarybadzip" })));
  await allTold();
  assert.notDeepEqual(await places(), []);
  // An event that is published only after the erasure would repeat its words.
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
  const early = server.database.transaction(async (tx) => {
    const event = { topic: "feed:rejected", objectType: "feed", objectId: refused.token, data: {} };
    createOutboxWriter(ids).append(tx.of(clientId), change.at, [event]);
    const erased = await eraseOrder(tx.of(clientId, change), "O-3");
    throw new Error(erased.ok ? "erased" : erased.fault);
  });
  await assert.rejects(early, /^Error: an event of order O-3 is being published; run this again in a moment$/);
  const erased = await crossdock(["person", "erase", "--client", clientId, "--order", "O-3"]);
  assert.equal(erased.code, 0, erased.stderr);
  assert.deepEqual(await places(), []);
});

test("orders are blanked by themselves when their time has come, and not before", async () => {
  const olpnIds = await life.ship("O-4", "A", 1);
  await carrier.report("carrierEvent", { olpnId: olpnIds[0], eventCode: 200, occurredAt: new Date().toISOString() });
  await life.ship("O-5", "A", 1);
  await life.place("O-6", ["A"], { distributionCentre: "DC1" });
  await life.quiet();
  const aged = (orderId: string, days: number) =>
    server.rows(
      `update sales_order set ended_at = case when ended_at is not null then $2::timestamptz end, updated_at = $2::timestamptz
       where order_id = $1 returning 1 as done`,
      orderId,
      new Date(Date.now() - days * dayMs).toISOString(),
    );
  for (const orderId of ["O-4", "O-5", "O-6"]) await aged(orderId, 401);
  const change = { actor: "worker", origin: "retention", at: new Date().toISOString(), ids };
  const before = new Date(Date.now() - 400 * dayMs).toISOString();
  const due = { database: server.database, change, clientId, before };
  const erase = async (ordersMax: number) =>
    (await Array.fromAsync(eraseDue({ ...due, ordersMax }))).reduce((sum, count) => sum + count, 0);
  assert.equal(await erase(1), 1);
  assert.equal(await erase(100), 1);
  assert.equal(await erase(100), 0);
  const rows = await server.rows<{ order_id: string; city: string | null }>(
    "select order_id, ship_to_address ->> 'city' as city from order_content where client_id = $1 order by 1",
    clientId,
  );
  // O-5 is despatched and its carrier has reported no end; O-6 is open; O-2 is recent.
  assert.deepEqual(
    rows.map(({ order_id, city }) => [order_id, city]),
    [
      ["O-1", null],
      ["O-2", "Stayscity"],
      ["O-4", null],
      ["O-5", null],
      ["O-6", "Leeds"],
    ],
  );
  await accessTokenOf(server.url, client.credentials.oauth);
});

test("of the reason of a state the words of the platform stay, at once and after the next change", async () => {
  const reasons: Record<string, string | null> = {};
  for (const orderId of ["O-31", "O-32", "O-33"]) {
    await life.place(orderId, ["A"], { distributionCentre: "DC1" });
    if (orderId === "O-31") await client.accept("NO", cancelOrder(clientId, orderId));
    else await rest("POST", `/order/cancel/${orderId}`, { reason: orderId === "O-32" ? "Ms Smith has moved" : "LOST" });
    await life.quiet();
    const result = await crossdock(["person", "erase", "--client", clientId, "--order", orderId]);
    assert.equal(result.code, 0, result.stderr);
    reasons[orderId] = (await life.shown(orderId)).statusReason as string | null;
  }
  assert.deepEqual(reasons, { "O-31": "cancelled by the client's feed", "O-32": null, "O-33": "LOST" });
  const documents = await server.rows<{ payload: Buffer }>(
    "select payload from outbound_document where client_id = $1 and object_id = 'O-31' and type = 'OS' order by message_id desc limit 1",
    clientId,
  );
  assert.match(
    String(documents[0]?.payload),
    /<statusReason>cancelled by the client(?:'|&apos;)s feed<\/statusReason>/,
  );
});
