// docs/tracking.md: notifications of tracking services become carrier events, each with the signature of its source.
import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const secrets = {
  easypost: "easypost secret of the tests".replaceAll(" ", "-"),
  shippo: "shippo-token-of-the-tests",
  aftership: "aftership-secret-of-the-tests",
  shipstation: publicKey.export({ format: "der", type: "spki" }).toString("base64"),
};
const standardKey = Buffer.from("a standard webhooks key of tests");
const server = await testServer({
  CROSSDOCK_TRACKING_SECRETS: [
    ...Object.entries(secrets).map(([name, secret]) => `${name}=${encodeURIComponent(secret)}`),
    `generic=${encodeURIComponent(`whsec_${Buffer.from("an older key of the same source").toString("base64")} whsec_${standardKey.toString("base64")}`)}`,
  ].join(","),
});
const dc1 = await warehouseOf(server);
const life = await lifeOf(server, dc1, "DEMO", { items: ["A"] });
await life.stock([{ sku: "A", qty: 50 }]);

/** A despatched parcel of a new order, by its tracking number. */
async function numberOf(orderId: string): Promise<string> {
  await life.ship(orderId, "A", 1);
  const [row] = await server.rows<{ tracking_number: string }>(
    "select tracking_number from parcel where client_id = 'DEMO' and order_id = $1",
    orderId,
  );
  return row?.tracking_number as string;
}

type Headers = Record<string, string>;

async function send(source: string, body: string, headers: Headers, query = "") {
  const answer = await fetch(`${server.url}/v1/trackingWebhooks/${source}${query}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const text = await answer.text();
  const { results = [], detail } = JSON.parse(text) as {
    results?: { outcome: string; eventCode: number | null; carrierEventCode: string }[];
    detail?: string;
  };
  const outcomes = results.map((result) => `${result.carrierEventCode} ${result.eventCode} ${result.outcome}`);
  return { status: answer.status, outcomes, detail };
}

const hexOf = (body: string, secret = secrets.easypost): Headers => ({
  "x-hmac-signature": `hmac-sha256-hex=${createHmac("sha256", secret).update(body).digest("hex")}`,
});
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const easypost = (trackingCode: string, details: readonly object[], more: object = {}) =>
  JSON.stringify({
    id: "evt_1",
    object: "Event",
    created_at: ago(0),
    description: "tracker.updated",
    result: { object: "Tracker", tracking_code: trackingCode, carrier: "USPS", tracking_details: details },
    ...more,
  });
const detail = (status: string, minutes: number) => ({
  object: "TrackingDetail",
  status,
  message: `${status} in words`,
  datetime: ago(minutes),
  tracking_location: { city: "Leeds", state: null, country: "GB" },
});

test("a notification records its events by the way of every carrier event, and a duplicate changes nothing", async () => {
  const number = await numberOf("EASY");
  const body = easypost(number, [detail("out_for_delivery", 5), detail("in_transit", 60)]);
  const first = await send("easypost", body, hexOf(body));
  assert.deepEqual(first, {
    status: 200,
    outcomes: ["in_transit 120 RECORDED", "out_for_delivery 160 RECORDED"],
    detail: undefined,
  });
  const again = await send("easypost", body, hexOf(body));
  assert.deepEqual(again.outcomes, ["in_transit 120 REPEAT", "out_for_delivery 160 REPEAT"]);
  const delivered = easypost(number, [detail("delivered", 1)]);
  assert.deepEqual((await send("easypost", delivered, hexOf(delivered))).outcomes, ["delivered 200 RECORDED"]);
  assert.equal((await life.shown("EASY")).status, "DELIVERED");
  const codes = (await life.signals("EASY")).filter((signal) => typeof signal === "number");
  assert.deepEqual(codes.slice(-3), [120, 160, 200]);
});

test("an unknown state is kept with its own code, and an exception makes the parcel an exception", async () => {
  const number = await numberOf("ODD");
  const body = easypost(number, [detail("teleported", 9), detail("failure", 3)]);
  assert.deepEqual((await send("easypost", body, hexOf(body))).outcomes, [
    "teleported 399 RECORDED",
    "failure 230 RECORDED",
  ]);
  const rows = await server.rows<{ raw_code: string }>(
    "select raw_code from order_milestone where client_id = 'DEMO' and order_id = 'ODD' and code = 399",
  );
  assert.deepEqual(rows, [{ raw_code: "teleported" }]);
  const [parcel] = await server.rows<{ status: string }>(
    "select status from parcel where client_id = 'DEMO' and order_id = 'ODD'",
  );
  assert.equal(parcel?.status, "EXCEPTION");
});

test("an unknown parcel is acknowledged, so that its sender does not repeat it", async () => {
  const body = easypost("NO-SUCH-PARCEL", [detail("in_transit", 1)]);
  assert.deepEqual((await send("easypost", body, hexOf(body))).outcomes, ["in_transit null UNKNOWN_PARCEL"]);
  const other = easypost("X", [detail("in_transit", 1)], { description: "batch.updated" });
  assert.deepEqual(await send("easypost", other, hexOf(other)), { status: 200, outcomes: [], detail: undefined });
});

test("a wrong signature, another body, an old notification, a body too large and an unknown source are refused", async () => {
  const number = await numberOf("GUARDED");
  const body = easypost(number, [detail("in_transit", 1)]);
  const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;
  assert.equal(await statusOf("easypost", body, {}), 401);
  assert.equal(await statusOf("easypost", body, hexOf(body, "another secret")), 401);
  assert.equal(await statusOf("easypost", `${body} `, hexOf(body)), 401);
  const bare = await fetch(`${server.url}/v1/trackingWebhooks/easypost`, { method: "POST" });
  assert.equal(bare.status, 401);
  assert.equal(await statusOf("shipstation", body, { "x-shipengine-timestamp": ago(0) }), 401);
  const old = easypost(number, [detail("in_transit", 1)], { created_at: ago(4 * 24 * 60) });
  assert.equal(await statusOf("easypost", old, hexOf(old)), 422);
  const large = easypost(number, [], { padding: "x".repeat(300 * 1024) });
  assert.equal(await statusOf("easypost", large, hexOf(large)), 413);
  assert.equal(await statusOf("easypost", "{", hexOf("{")), 400);
  assert.equal(await statusOf("toString", body, hexOf(body)), 404);
  assert.equal(await statusOf("unknown", body, hexOf(body)), 404);
  assert.ok(!(await life.signals("GUARDED")).includes(120));
});

test("Shippo sends its token in the URL, and its substatus says more than its status", async () => {
  const number = await numberOf("SHIPPO");
  const body = JSON.stringify({
    event: "track_updated",
    data: {
      tracking_number: number,
      tracking_history: [
        {
          status: "TRANSIT",
          substatus: { code: "out_for_delivery" },
          status_date: ago(9),
          location: { city: "Leeds" },
        },
        { status: "TRANSIT", substatus: null, status_date: ago(60), status_details: "On its way" },
      ],
    },
  });
  assert.equal((await send("shippo", body, {}, "?token=wrong")).status, 401);
  assert.deepEqual((await send("shippo", body, {}, `?token=${secrets.shippo}`)).outcomes, [
    "TRANSIT 120 RECORDED",
    "out_for_delivery 160 RECORDED",
  ]);
  assert.ok(!server.logged.join("").includes(secrets.shippo), "the token is in no log");
});

test("AfterShip signs in base64, and its subtag says more than its tag", async () => {
  const number = await numberOf("AFTER");
  const checkpoint = { tag: "Exception", subtag: "Exception_004", checkpoint_time: ago(2).slice(0, 19), city: "Bern" };
  const body = JSON.stringify({
    ts: Math.floor(Date.now() / 1_000),
    event: "tracking_update",
    msg: { tracking_number: number, slug: "dhl", checkpoints: [checkpoint] },
  });
  const signature = createHmac("sha256", secrets.aftership).update(body).digest("base64");
  const { outcomes } = await send("aftership", body, { "aftership-hmac-sha256": signature });
  assert.deepEqual(outcomes, ["Exception_004 148 RECORDED"]);
});

test("ShipStation signs time and body with its private key, at most five minutes ago", async () => {
  const number = await numberOf("STATION");
  const body = JSON.stringify({
    resource_type: "API_TRACK",
    data: {
      tracking_number: number,
      events: [{ status_code: "AT", occurred_at: ago(3), description: "Nobody home", city_locality: "Austin" }],
    },
  });
  const signedAt = (timestamp: string) => ({
    "x-shipengine-timestamp": timestamp,
    "x-shipengine-rsa-sha256-key-id": "key",
    "x-shipengine-rsa-sha256-signature": sign("sha256", Buffer.from(`${timestamp}.${body}`), privateKey).toString(
      "base64",
    ),
  });
  assert.equal((await send("shipstation", body, signedAt(ago(6)))).status, 401);
  const replayed = { ...signedAt(ago(6)), "x-shipengine-timestamp": ago(0) };
  assert.equal((await send("shipstation", body, replayed)).status, 401);
  assert.deepEqual((await send("shipstation", body, signedAt(ago(1)))).outcomes, ["AT 170 RECORDED"]);
});

test("the generic form is that of Standard Webhooks, with any of the secrets", async () => {
  const number = await numberOf("GENERIC");
  const event = { trackingNumber: number, code: "in_transit", occurredAt: ago(4), location: "Leeds", text: "Sorted" };
  const body = JSON.stringify({ events: [event, { ...event, occurredAt: "yesterday" }, { code: "x" }] });
  const signedAt = (seconds: number) => {
    const mac = createHmac("sha256", standardKey).update(`msg_1.${seconds}.${body}`).digest("base64");
    return { "webhook-id": "msg_1", "webhook-timestamp": String(seconds), "webhook-signature": `v1,AAAA v1,${mac}` };
  };
  const now = Math.floor(Date.now() / 1_000);
  assert.equal((await send("generic", body, signedAt(now - 400))).status, 401);
  assert.deepEqual((await send("generic", body, signedAt(now))).outcomes, ["in_transit 120 RECORDED"]);
});
