// Facilities, items in REST, and due orders, for the workload of plans.test.ts.

import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { addWarnings, findHazmatSkus, mergeItems } from "#/modules/catalogue/repository.ts";
import { findItems, listItems } from "#/modules/catalogue/rest-repository.ts";
import { refusalOfFacilities, refusalOfPools } from "#/modules/clients/uses.ts";
import { facilityOf } from "#/modules/facilities/index.ts";
import {
  findOpenFacility,
  findOpenRecord,
  listOpenFacilities,
  lockFacility,
  updateFacility,
} from "#/modules/facilities/repository.ts";
import { publishOrdersAtRisk, releaseDatedOrders } from "#/modules/orders/index.ts";
import { findCustomers, insertOrders } from "#/modules/orders/intake/repository.ts";
import type { Database } from "#/store/db/database.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { noContent } from "../../support/builders/order-content.ts";

const ids = createIds();

/** Sends every statement of facilities, of the Item Master service and of orders at risk. */
export async function runFacilities(database: Database, clientId: string): Promise<void> {
  const at = new Date().toISOString();
  await database.transaction(async (tx) => {
    const facility = await lockFacility(tx, "DC1");
    if (!facility) throw new Error("there is no facility DC1");
    const { settings, name } = facilityOf(facility);
    updateFacility(tx, "DC1", { ...settings, name, address: facility.address });
  });
  await refusalOfFacilities(database, { clientId, facilities: ["DC1", "DC2"] }, []);
  const pools = { stockPools: "*", availablePools: "*" } as const;
  await refusalOfPools(database.of(clientId), pools, { ...pools, stockPools: ["VIP"] });
  await refusalOfPools(database.of(clientId), { ...pools, stockPools: ["VIP"] }, { ...pools, stockPools: [] });
  await findOpenFacility(database.of(clientId), "DC1");
  await findOpenRecord(database.of(clientId), "DC1");
  await listOpenFacilities(database.of(clientId), 0, 100);
  await readItems(database, clientId);
  const warnings = [{ code: "OLDER", text: "older" } as const];
  await database.transaction(async (tx) => addWarnings(tx.of(clientId), [{ sku: "MUG-BLUE-330", warnings }]));
  await tellOfRisk(database, clientId, at);
}

/** A page of items with each REST filter, in both directions, first and following. */
async function readItems(database: Database, clientId: string): Promise<void> {
  const [first] = await findItems(database.of(clientId), ["MUG-BLUE-330", "NEVER-SEEN"]);
  if (!first) throw new Error("the catalogue has not been read");
  await findHazmatSkus(database.of(clientId), ["MUG-BLUE-330", "NEVER-SEEN"]);
  await findCustomers(database.of(clientId), ["ann@example.com"]);
  for (const sort of ["receivedAt", "-receivedAt"] as const) {
    for (const updatedSince of [undefined, new Date(Date.now() - dayMs).toISOString()]) {
      for (const active of [undefined, true]) {
        for (const after of [undefined, { us: first.createdUs, id: first.sku }]) {
          await listItems(database.of(clientId), { active, updatedSince, sort, after, limit: 100 });
        }
      }
    }
  }
}

async function tellOfRisk(database: Database, clientId: string, at: string): Promise<void> {
  const order = {
    orderId: "DUE-1",
    token: ids.next(Date.now()),
    receivedAt: at,
    status: "RECEIVED" as const,
    distributionCentre: "DC1",
    isRouted: false,
    holds: [],
    revision: undefined,
    despatchBy: at,
    content: { ...noContent, orderDate: at },
  };
  await database.transaction(async (tx) => insertOrders(tx.of(clientId), [order]));
  const published = await publishOrdersAtRisk({
    database,
    ids,
    writer: createOutboxWriter(ids),
    clock: { now: Date.now },
  });
  if (published !== 1) throw new Error(`${published} orders were reported at risk`);
  const hold = { type: "SHIP_AFTER", reason: "not before", since: at, by: "feed" } as const;
  const preOrder = { ...hold, type: "PRE_ORDER" } as const;
  const dated = { ...order, orderId: "DUE-2", holds: [hold, preOrder], content: { ...order.content, shipAfter: at } };
  await database.transaction(async (tx) => insertOrders(tx.of(clientId), [dated]));
  const item = { sku: "MUG-BLUE-330", name: "Mug", extended_attributes: { AvailableFrom: at.slice(0, 10) } };
  const change = { json: Buffer.from(JSON.stringify([item])), datedAt: at, token: ids.next(Date.now()), at };
  await database.transaction((tx) => mergeItems(tx.of(clientId), change));
  const released = await releaseDatedOrders({
    database,
    ids,
    writer: createOutboxWriter(ids),
    clock: { now: Date.now },
  });
  if (released !== 1) throw new Error(`${released} orders were released`);
}
