// Signals that a client gets of its orders without asking, when nothing is due any more: the last OS of an order shows what
// REST answers, and neither codes nor statuses go back.
import assert from "node:assert/strict";
import type { TestClient, TestServer } from "../app/server.ts";
import { listDocuments } from "./outbound-documents.ts";
import type { XmlNode } from "./xml-tree.ts";

/** Written independently of the code: codes at which an order stands aside (lifecycle.md §9). */
const asides: ReadonlySet<number> = new Set([30, 35, 45, 48, 58, 88]);
const ended: ReadonlySet<string> = new Set(["order:delivered", "order:returnedToSender"]);
/** Statuses after which none of an earlier group follows. */
const groups = [["PARTIALLY_DESPATCHED"], ["DESPATCHED"], ["DELIVERED", "RETURNED_TO_SENDER"]];
const groupOf = (status: string) => groups.findIndex((group) => group.includes(status));

export async function assertSignals(server: TestServer, clientId: string, client: TestClient): Promise<void> {
  const statuses = await listDocuments(server, clientId, "OS");
  const orders = await server.rows<{ order_id: string }>(
    "select order_id from sales_order where client_id = $1 order by 1",
    clientId,
  );
  for (const { order_id: orderId } of orders) {
    const ofOrder = statuses.get(orderId) ?? [];
    assertForward(`${clientId} ${orderId}`, ofOrder);
    assert.deepEqual(
      shownByFeed(ofOrder.at(-1)),
      await shownByRest(server, clientId, (await client.order(orderId)) ?? {}),
      `${clientId} ${orderId}: the last OS shows what REST answers`,
    );
  }
  await assertCodes(server, clientId);
}

function assertForward(name: string, statuses: readonly XmlNode[]): void {
  const seen = statuses.map((root) => root.text("status") ?? "");
  for (const [i, status] of seen.entries()) {
    const before = seen[i - 1] ?? "";
    // A delivered parcel came back, and another one is lost.
    const isBack = before === "DELIVERED" && status === "DESPATCHED";
    assert.ok(isBack || groupOf(status) >= groupOf(before), `${name}: the status goes back: ${seen.join(", ")}`);
  }
}

const quantities = ["Ordered", "Open", "Backordered", "Allocated", "Picked", "Packed", "Despatched", "Cancelled"];
const shownQuantities = [...quantities, "Delivered", "Returned"].map((name) => `qty${name}`);

function shownByFeed(root: XmlNode | undefined) {
  if (root === undefined) return undefined;
  const [distributionCentre, status, statusReason] = root.texts("distributionCentre", "status", "statusReason");
  return {
    distributionCentre,
    status,
    statusReason,
    lines: root.all("lines/line").map((line) => ({
      names: line.texts("lineNumber", "sku", "status"),
      quantities: line.texts(...shownQuantities).map(Number),
      ...(root.attributes.schemaVersion === "1.2"
        ? {
            components: line
              .all("components/component")
              .map((part) => [part.text("sku"), ...part.texts("qtyPerKit", ...shownQuantities).map(Number)]),
          }
        : {}),
    })),
    parcels: root
      .all("shipments/shipment")
      .map((shipment) => [shipment.text("olpnId"), shipment.text("despatchedAt") !== undefined])
      .sort(),
    // OS 1.0 does not list holds.
    ...(root.attributes.schemaVersion === "1.0"
      ? {}
      : { holds: root.all("holds/hold").map((hold) => hold.text("type")) }),
  };
}

async function shownByRest(server: TestServer, clientId: string, order: Readonly<Record<string, unknown>>) {
  const parcels = await server.rows<{ olpn_id: string; is_gone: boolean }>(
    `select olpn_id, despatched_at is not null as is_gone from parcel
     where client_id = $1 and order_id = $2 and status <> 'VOIDED'`,
    clientId,
    order.orderId,
  );
  const [setting] = await server.rows<{ version: string | null }>(
    "select settings ->> 'orderStatusVersion' as version from client where client_id = $1",
    clientId,
  );
  const lines = order.lines as readonly Readonly<Record<string, unknown>>[];
  return {
    distributionCentre: order.distributionCentre,
    status: order.status,
    statusReason: order.statusReason ?? undefined,
    lines: lines.map((line) => ({
      names: [String(line.lineNumber), line.sku, line.status],
      quantities: shownQuantities.map((name) => Number(line[name])),
      ...(setting?.version === "1.2"
        ? {
            components: (line.components as readonly Readonly<Record<string, unknown>>[]).map((part) => [
              part.sku,
              ...["qtyPerKit", ...shownQuantities].map((name) => Number(part[name])),
            ]),
          }
        : {}),
    })),
    parcels: parcels.map(({ olpn_id, is_gone }) => [olpn_id, is_gone]).sort(),
    ...(setting?.version === "1.1" || setting?.version === "1.2"
      ? { holds: (order.holds as { type: string }[]).map(({ type }) => type) }
      : {}),
  };
}

/** The codes of an order begin at the beginning, and none comes twice, after a later one or after the end. */
async function assertCodes(server: TestServer, clientId: string): Promise<void> {
  interface Signal {
    readonly eventCode?: number;
    readonly olpnId?: string | null;
  }
  const found = await server.rows<{ object_id: string; topic: string; data: Signal }>(
    "select object_id, topic, data from event where client_id = $1 and object_type = 'order' order by position",
    clientId,
  );
  const rows = found.map(({ object_id, topic, data: { eventCode = null, olpnId = null } }) => ({
    object_id,
    topic,
    code: eventCode,
    is_whole: olpnId === null,
  }));
  for (const [orderId, events] of Map.groupBy(rows, ({ object_id }) => object_id)) {
    const signals = events.map(({ topic, code, is_whole }) =>
      code === null ? topic : `${code}${is_whole ? "" : " (parcel)"}`,
    );
    const story = `${clientId} ${orderId}: ${signals.join(", ")}`;
    const codes = events.flatMap(({ code, is_whole }) => (code !== null && is_whole ? code : []));
    assert.deepEqual(codes.slice(0, 2), [10, 20], story);
    const steps = codes.filter((code) => !asides.has(code));
    assert.deepEqual(
      steps,
      [...new Set(steps)].sort((left, right) => left - right),
      story,
    );
    const end = events.findIndex(({ topic }) => ended.has(topic));
    const late =
      end < 0
        ? []
        : events
            .slice(end)
            .filter(({ topic, code, is_whole }) => topic === "order:despatched" || (is_whole && code !== null));
    assert.deepEqual(late, [], story);
  }
}
