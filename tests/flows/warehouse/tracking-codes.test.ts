// carriers.md, Tracking codes: unknown codes are counted and shown, and an admin maps them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const token = "shippo-token-of-the-tests";
const server = await testServer({ CROSSDOCK_TRACKING_SECRETS: `shippo=${token}` });
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");
const life = await lifeOf(server, dc1, "DEMO", { items: ["A"] });
await life.stock([{ sku: "A", qty: 50 }]);
await life.ship("1", "A", 1);
const [parcel] = await server.rows<{ tracking_number: string }>(
  "select tracking_number from parcel where client_id = 'DEMO' and order_id = '1'",
);

async function report(minutesAgo: number, status: string): Promise<(number | null)[]> {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const data = { tracking_number: parcel?.tracking_number, tracking_history: [{ status, status_date: at }] };
  const answer = await fetch(`${server.url}/v1/trackingWebhooks/shippo?token=${token}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ event: "track_updated", data }),
  });
  assert.equal(answer.status, 200);
  const { results } = (await answer.json()) as { results: { eventCode: number | null }[] };
  return results.map(({ eventCode }) => eventCode);
}
interface Code {
  readonly carrierCode: string;
  readonly code: string;
  readonly eventCode: number | null;
  readonly eventName: string | null;
  readonly isBuiltIn: boolean;
  readonly events: number;
}
const listed = async () => (await admin.get("/trackingCode/list")).body.items as Code[];

test("an unknown code is kept, counted and shown first, until an admin maps it", async () => {
  assert.deepEqual(await report(3, "Teleported"), [399]);
  const sameAgain = await report(2, "TELEPORTED");
  assert.deepEqual(sameAgain, [399]);
  const [first, ...others] = await listed();
  const { lastSeenAt, ...unknown } = first as Code & { lastSeenAt: string };
  const shippo = { carrierCode: "SHIPPO", code: "teleported" };
  assert.deepEqual(unknown, { ...shippo, eventCode: null, eventName: null, isBuiltIn: false, events: 2 });
  assert.ok(Date.now() - Date.parse(lastSeenAt) < 60_000);
  const named = (carrierCode: string, code: string) =>
    others.find((row) => row.carrierCode === carrierCode && row.code === code);
  assert.deepEqual(
    [named("EASYPOST", "in_transit"), named("SHIPPO", "transit")].map((row) => [row?.eventName, row?.isBuiltIn]),
    [
      ["In Transit", false],
      ["In Transit", true],
    ],
  );
  const { status, body } = await admin.post("/trackingCode/map", { ...shippo, code: "Teleported", eventCode: 120 });
  assert.deepEqual([status, body], [200, { ...shippo, eventCode: 120 }]);
  assert.deepEqual(await report(1, "teleported"), [120]);
  const after = (await listed()).find(({ code }) => code === "teleported");
  assert.deepEqual([after?.eventCode, after?.eventName, after?.events], [120, "In Transit", 2]);
  const [audit] = await server.rows<{ object_id: string }>(
    "select object_id from audit_log where object_type = 'trackingCode' limit 1",
  );
  assert.equal(audit?.object_id, "SHIPPO teleported");
});

test("a built-in code is replaced; a code that carriers do not report is refused", async () => {
  const transit = { carrierCode: "SHIPPO", code: "transit" };
  assert.equal((await admin.post("/trackingCode/map", { ...transit, eventCode: 130 })).status, 200);
  const rows = (await listed()).filter(({ carrierCode, code }) => carrierCode === "SHIPPO" && code === "transit");
  assert.deepEqual(
    rows.map(({ eventCode, isBuiltIn }) => [eventCode, isBuiltIn]),
    [[130, false]],
  );
  const { status, body } = await admin.post("/trackingCode/map", { ...transit, eventCode: 999 });
  assert.deepEqual([status, body.detail], [422, "999 is no event code that carriers report."]);
  const viewer = await signIn(server, "viewer");
  assert.equal((await viewer.post("/trackingCode/map", { ...transit, eventCode: 120 })).status, 403);
});
