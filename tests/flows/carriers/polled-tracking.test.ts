// carriers.md, Tracking by requests: sources without webhooks are asked where their parcels are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { carrierDataOf, serviceOf } from "../../support/carriers/carriers.ts";
import { createSource, standInDefinition, startLabelStandIn } from "../../support/carriers/label-stand-in.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const admin = await signIn(server, "admin");
const standIn = await startLabelStandIn();
atEnd(() => standIn.close());

let isDown = false;
const requests: string[] = [];
const steps: { code: string; at: string; note?: string; where?: { city: string } }[] = [];
/** Sells by the stand-in, and answers for the parcels. */
const source = await startReceiver({
  answer: async ({ method, path, headers, body }) => {
    if (!path.startsWith("/track/")) {
      const answer = await fetch(`${standIn.url}${path}`, {
        method,
        headers: { authorization: String(headers.authorization), "content-type": "application/json" },
        ...(method === "POST" ? { body: body.toString() } : {}),
      });
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString() };
    }
    requests.push(path);
    if (isDown) return 500;
    return { status: 200, body: JSON.stringify({ parcel: { history: steps } }) };
  },
});
atEnd(() => source.close());
const track = {
  method: "GET" as const,
  path: "/track/{purchase.trackingNumber}",
  everyMinutes: 15,
  events: "parcel.history",
  codes: ["code"],
  at: "at",
  text: "note",
  place: ["where.city"],
};
await createSource(admin, "POLLED", source.url, {
  definition: { ...standInDefinition, calls: { ...standInDefinition.calls, track } },
});

const data = carrierDataOf(serviceOf("RM48", "EASYPOST", 3, { labelSources: ["POLLED"] }));
const life = await packingWorld({ server, dc1 }, "POLLS", data);
/** The job runs each minute, and a parcel is due every 15: here both are due at once. */
async function makeDue(): Promise<void> {
  await server.rows("update label_purchase set track_due_at = now() where track_due_at is not null");
  await server.rows("update job_lease set last_run_at = null where job = 'tracking'");
}
const statusOf = async (olpnId: string) => (await life.orders.get(`/olpn/get/${olpnId}`)).body.status;

async function sent(orderId: string): Promise<string> {
  await life.picked(orderId);
  const { olpnId } = await life.packOne(orderId);
  await until(`the label of ${orderId} is bought`, async () => {
    const { body } = await admin.get("/labelPurchase/list?clientId=POLLS");
    return body.items.some((row: Record<string, unknown>) => row.olpnId === olpnId && row.status === "BOUGHT");
  });
  await life.despatch(olpnId);
  return olpnId;
}
const become = (olpnId: string, wanted: string) =>
  until(`${olpnId} is ${wanted}`, async () => {
    await makeDue();
    return (await statusOf(olpnId)) === wanted;
  });

test("a parcel that has left is tracked by requests until it is delivered", async () => {
  const olpnId = await sent("1");
  steps.push({ code: "in_transit", at: new Date().toISOString(), note: "On its way", where: { city: "Leeds" } });
  await become(olpnId, "IN_TRANSIT");
  assert.match(requests[0] ?? "", /^\/track\/T\d+$/);
  const [milestone] = await server.rows<{ location: string; text: string }>(
    "select location, text from order_milestone where client_id = 'POLLS' and code = 120",
  );
  assert.deepEqual(milestone, { location: "Leeds", text: "On its way" });
  steps.push({ code: "delivered", at: new Date().toISOString() });
  await become(olpnId, "DELIVERED");
  await until("it is not tracked any more", async () => {
    await makeDue();
    const rows = await server.rows("select 1 from label_purchase where track_due_at is not null");
    return rows.length === 0;
  });
});

test("a source that is down is tried again later, and its other parcels wait", async () => {
  isDown = true;
  const before = requests.length;
  await sent("2");
  await until("a request while it is down", async () => {
    if (requests.length > before) return true;
    await makeDue();
    return false;
  });
  await until("the parcel is due later", async () => {
    const rows = await server.rows("select 1 from label_purchase where track_due_at > now() + interval '14 minutes'");
    return rows.length === 1;
  });
});
