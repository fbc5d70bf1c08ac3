// Orders, search and saved views of the console for the workload of plans.test.ts.

import { noCarrier, orderCursors, orderSorts } from "#/console-api/orders/contract.ts";
import { countPage, readOrderPage } from "#/console-api/orders/list.ts";
import { readFeeds, readTimeline } from "#/console-api/orders/routes.ts";
import { timelineCursor } from "#/console-api/orders/timeline-contract.ts";
import { findOrderHead, insertNote, lockOrderForNote } from "#/console-api/orders/timeline-repository.ts";
import { search } from "#/console-api/search/routes.ts";
import * as views from "#/console-api/views/repository.ts";
import type { Scope } from "#/http/access/operator.ts";
import { startCursor } from "#/http/requests/paging.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

/**
 * Lists, counts and searches over clients with and without limits; the history of one order; a view that is created and
 * deleted.
 */
export async function runConsoleOrders(database: Database, clientId: string, orderId: string): Promise<void> {
  const nowMs = Date.now();
  const scopes: readonly Scope[] = [
    { clientIds: null, facilityCodes: null },
    { clientIds: null, facilityCodes: ["DC1"] },
    { clientIds: [clientId], facilityCodes: null },
    { clientIds: [clientId], facilityCodes: ["DC1"] },
  ];
  const since = new Date(nowMs - dayMs).toISOString();
  const filters = [
    {},
    { text: orderId.slice(0, 5) },
    { customer: "Greta Archer" },
    { customer: "LS1 4AP" },
    { customer: "+44 7700 900123" },
    { customer: "LS1", sku: "SKU-1", lotNumber: "B-1", serialNumber: "SN-1" },
    { updatedSince: since },
    { priority: 4 },
    {
      holdType: "OTHER" as const,
      isHeld: true,
      isAtRisk: true,
      priority: 4,
      carrierCode: ["RM"],
      shippingMethod: "STANDARD",
    },
    { carrierCode: ["RM", "DPD"] },
    { carrierCode: ["RM", noCarrier] },
    { exceptCarrierCode: ["DPD", "RM"] },
    { isAtRisk: true },
    { isHeld: false, leavesWith: [noCarrier] },
    { isLate: true, stage: "BACKORDERED" as const, dueBy: since, leavesWith: [noCarrier, "DPD"] },
    { dueAt: since, leftSince: since, leavesWith: ["RM", "DPD"] },
    ...(["DESPATCHED", "IN_TRANSIT", "DELIVERED_TODAY"] as const).map((stage) => ({ stage })),
    ...["receivedOn", "despatchedFrom", "despatchedTo", "deliveredOn"].map((name) => ({ [name]: since.slice(0, 10) })),
    { receivedFrom: since, receivedTo: new Date(nowMs + dayMs).toISOString() },
  ];
  const after = { us: nowMs * 1000, client: clientId, id: orderId };
  for (const scope of scopes) {
    for (const filter of filters) {
      for (const sort of orderSorts) {
        for (const cursor of [startCursor, orderCursors[sort].encode(after)])
          await readOrderPage(database, { ...filter, sort, cursor }, scope, nowMs);
      }
      await countPage(database, filter, scope, nowMs);
    }
    // The tracking number of the parcel in workload-floor.ts.
    for (const text of [orderId, createIds().next(nowMs), "RM123456785GB", "Greta Archer", "07700 900123"])
      await search(database, scope, text);
  }
  const head = await findOrderHead(database.of(clientId), orderId);
  if (!head) throw new Error(`there is no order ${orderId}`);
  let cursor = startCursor;
  for (let rank = 0; rank <= 11; rank++) {
    await readTimeline(database.of(clientId), { orderId, head, cursor, limit: 10 });
    const id = rank === 11 ? "" : createIds().next(nowMs - dayMs);
    cursor = timelineCursor.encode({ ms: nowMs - dayMs, rank, id });
  }
  await readFeeds(database.of(clientId), orderId, head);
  await database.transaction(async (tx) => {
    const note = { orderId, noteId: createIds().next(nowMs), author: "user:anna", text: "The customer called" };
    if ((await lockOrderForNote(tx.of(clientId), orderId)) === false) insertNote(tx.of(clientId), note);
  });
  await saveView(database);
}

async function saveView(database: Database): Promise<void> {
  const at = new Date().toISOString();
  const viewId = createIds().next(Date.now());
  const view = { userName: "anna", screen: "orders", name: "Late" };
  await database.transaction(async (tx) => {
    await views.findViewOfName(tx, { userName: "anna", screen: "orders", name: "late" });
    await views.countViews(tx, "anna", "orders");
    views.writeView(tx, { ...view, viewId, query: "isAtRisk=true", isShared: true, updatedAt: at });
  });
  await views.listViews(database, "anna", "orders", 100);
  await database.transaction(async (tx) => {
    await views.findView(tx, viewId);
    views.deleteView(tx, viewId);
  });
}
