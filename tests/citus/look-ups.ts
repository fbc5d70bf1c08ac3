// Every look-up over clients of background work, with moments that find as many rows as possible.

import { listClientsWithDueChecks } from "#/delivery/addresses/addresses.cross-client.ts";
import {
  listClientsToManifest,
  listClientsToTrack,
  listClientsWithDue,
} from "#/delivery/labels/labels.cross-client.ts";
import { listClientsWithDueMails } from "#/delivery/mail/mail.cross-client.ts";
import { listClientsWithoutSnapshot, listClientsWithUnwritten } from "#/delivery/outbound/outbound.cross-client.ts";
import {
  listClientBacklogs,
  listDueIncidents,
  listDueLanes,
  listLanesAhead,
  listTaskReaders,
} from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { listClientsWithParked, listOverdue, listOverdueAhead } from "#/intake/feeds/feeds.cross-client.ts";
import { listOwnersWithWork } from "#/modules/activity/activity.cross-client.ts";
import {
  listAllocationDue,
  listBooksWithExpired,
  listBooksWithOverduePromises,
  listClientsWithUnpublishedChanges,
} from "#/modules/inventory/inventory.cross-client.ts";
import {
  listClientsWithBackorders,
  listClientsWithCancelRequests,
  listClientsWithMovedItems,
  listClientsWithOrdersAtRisk,
  listClientsWithOrdersToRelease,
  listClientsWithOrdersToReroute,
} from "#/modules/orders/allocation/allocation.cross-client.ts";
import {
  listClientsWithFinishedPurchaseOrders,
  listClientsWithUnfinishedPurchaseOrders,
} from "#/modules/purchasing/purchasing.cross-client.ts";
import { listClientsWithQuietReturns, listClientsWithUnusedReturns } from "#/modules/returns/returns.cross-client.ts";
import type { Tx } from "#/store/db/database.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";
import { listDueClients } from "#/store/outbox/outbox.cross-client.ts";

const [early, late] = ["2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z"] as const;
const max = 1_000;

/** By the name of the function. */
export const lookUps: Readonly<Record<string, (tx: Tx) => Promise<readonly unknown[]>>> = {
  listAllocationDue: (tx) => listAllocationDue(tx, max),
  listBooksWithExpired: (tx) => listBooksWithExpired(tx, "2100-01-01", max),
  listBooksWithOverduePromises: (tx) => listBooksWithOverduePromises(tx, "2100-01-01", max),
  listClientBacklogs,
  listClientsToManifest: (tx) => listClientsToManifest(tx, { facilityCode: "DC1", cutOffAt: late, since: early }),
  listClientsToTrack: (tx) => listClientsToTrack(tx, "SOURCE", late),
  listClientsWithBackorders: (tx) => listClientsWithBackorders(tx, late),
  listClientsWithCancelRequests: (tx) => listClientsWithCancelRequests(tx, late),
  listClientsWithDue: (tx) => listClientsWithDue(tx, "SOURCE", late),
  listClientsWithDueChecks: (tx) => listClientsWithDueChecks(tx, late),
  /** At most one mail, so that both of its statements are asked. */
  listClientsWithDueMails: (tx) => listClientsWithDueMails(tx, late, late, 1),
  listClientsWithFinishedPurchaseOrders: (tx) => listClientsWithFinishedPurchaseOrders(tx, late, max),
  listClientsWithMovedItems,
  listClientsWithOrdersAtRisk: (tx) => listClientsWithOrdersAtRisk(tx, late),
  listClientsWithOrdersToRelease: (tx) => listClientsWithOrdersToRelease(tx, late),
  listClientsWithOrdersToReroute: (tx) => listClientsWithOrdersToReroute(tx, late),
  listClientsWithParked: (tx) => listClientsWithParked(tx, max),
  listClientsWithQuietReturns: (tx) => listClientsWithQuietReturns(tx, late, late, max),
  listClientsWithUnfinishedPurchaseOrders: (tx) => listClientsWithUnfinishedPurchaseOrders(tx, late, late, max),
  listClientsWithUnpublishedChanges: (tx) => listClientsWithUnpublishedChanges(tx, late, max),
  listClientsWithUnusedReturns: (tx) => listClientsWithUnusedReturns(tx, late, max),
  listClientsWithUnwritten: (tx) => listClientsWithUnwritten(tx, max),
  listClientsWithoutSnapshot: (tx) => listClientsWithoutSnapshot(tx, "DC1", { at: late, endedDate: "2099-12-31" }, max),
  listDueClients: (tx) => listDueClients(tx, late, late, max),
  listDueIncidents: (tx) => listDueIncidents(tx, late, late, max),
  listDueLanes: (tx) => listDueLanes(tx, late, late, max),
  listLanesAhead: (tx) => listLanesAhead(tx, early, max),
  listOverdue: (tx) => listOverdue(tx, late, max, ["NONE"]),
  listOverdueAhead: (tx) => listOverdueAhead(tx, early, max),
  listOwnersWithWork,
  listTaskReaders,
  listTenants,
};
