// Statements over several clients, of jobs, scanners and warehouses, for the workload of plans.test.ts.

import { findClientOfToken, findLongestRetention, listClientsWithParked } from "#/intake/feeds/feeds.cross-client.ts";
import {
  listAllocationDue,
  listBooksWithExpired,
  listBooksWithOverduePromises,
  listClientsWithUnpublishedChanges,
} from "#/modules/inventory/index.ts";
import { clientsOfLoad, findParcelOwners } from "#/modules/parcels/parcels.cross-client.ts";
import {
  listClientsWithFinishedPurchaseOrders,
  listClientsWithUnfinishedPurchaseOrders,
} from "#/modules/purchasing/index.ts";
import { listClientsWithQuietReturns, listClientsWithUnusedReturns } from "#/modules/returns/index.ts";
import {
  findClientOfDocument,
  findOrderOwners,
  findTask,
  findTasks,
  listClientsOfFacility,
  listClientsWithOrder,
  listClientsWithPurchaseOrder,
  listClientsWithReturn,
  listClientsWithTransfer,
  listClientsWithWorkOrder,
  listItemsOfSku,
} from "#/modules/warehouse/warehouse.cross-client.ts";
import type { Database } from "#/store/db/database.ts";

const limit = 1_000;

/** Sends every statement over several clients that the rest of the workload does not send. */
export async function runOverClients(database: Database, token: string): Promise<void> {
  const at = new Date().toISOString();
  await listClientsWithParked(database, limit);
  await findClientOfToken(database, token);
  await findLongestRetention(database);
  await listAllocationDue(database, limit);
  await listClientsWithUnpublishedChanges(database, at, limit);
  await listBooksWithExpired(database, at.slice(0, 10), limit);
  await listBooksWithOverduePromises(database, at.slice(0, 10), limit);
  await findParcelOwners(database, "OLPN", ["106141412345678908"]);
  await clientsOfLoad(database, "DC1", "L");
  await listClientsWithFinishedPurchaseOrders(database, at, limit);
  await listClientsWithUnfinishedPurchaseOrders(database, at, at, limit);
  await listClientsWithUnusedReturns(database, at, limit);
  await listClientsWithQuietReturns(database, at, at, limit);
  await listClientsOfFacility(database, "DC1");
  await findTasks(database, "DC1", [token]);
  await listClientsWithOrder(database, "DC1", "WEB-100045");
  await findOrderOwners(database, "DC1", ["WEB-100045"], undefined);
  await listClientsWithPurchaseOrder(database, "DC1", "PO-7001/V-1", ["PO-7001", "PO-7001/V-1"]);
  await listClientsWithReturn(database, "DC1", "RMA-5001");
  await listClientsWithWorkOrder(database, "DC1", "WO-100");
  await listClientsWithTransfer(database, "DC1", "TR-1");
  await listItemsOfSku(database, "DC1", "MUG-BLUE-330");
  await findTask(database, "DC1", token);
  await findClientOfDocument(database, "DC1", token);
}
