// The console's list of exceptions, for the workload of plans.test.ts.

import {
  endRaised,
  findRefusedReport,
  purgeAnnotations,
  storeAnnotations,
} from "#/console-api/exceptions/annotation-repository.ts";
import { cursors } from "#/console-api/exceptions/contract.ts";
import { countExceptions, findExceptions, listCauses, listExceptions } from "#/console-api/exceptions/reading.ts";
import { sources } from "#/console-api/exceptions/sources/sources.cross-client.ts";
import { exceptionTypes } from "#/console-api/exceptions/types.ts";
import { startCursor } from "#/http/requests/paging.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { raiseException, replaceExceptions } from "#/modules/facilities/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds();

/**
 * Sends every statement of the list: first and following pages in both directions, with each filter, and the operators'
 * actions.
 */
export async function runConsoleExceptions(database: Database, clientId: string): Promise<void> {
  const at = new Date().toISOString();
  const change: Change = { actor: "test", origin: "test", at, ids };
  const everywhere = { clientIds: null, facilityCodes: null };
  const filters = [
    everywhere,
    { clientIds: [clientId], facilityCodes: ["DC1"] },
    { ...everywhere, owner: "anna" },
    { ...everywhere, isSnoozed: true },
    { ...everywhere, owner: "anna", isSnoozed: false },
    { ...everywhere, owner: null, isSnoozed: false, untilUs: Date.now() * 1000, text: "web" },
  ];
  for (const filter of filters) {
    for (const sort of ["since", "-since"] as const) {
      for (const source of [undefined, ...sources.keys()]) {
        if (source !== undefined && source % 7 !== 0) continue;
        const after = { us: Date.now() * 1000, source: source ?? 0, clientId, objectKey: "X" };
        const cursor = source === undefined ? startCursor : cursors[sort].encode(after);
        await listExceptions(database, { ...filter, types: exceptionTypes }, { at, sort, cursor });
      }
    }
    for (const isByClient of [false, true]) await countExceptions(database, filter, { at, limit: 1000, isByClient });
    await listCauses(database, { ...filter, types: exceptionTypes }, { at, sort: "severity" });
  }
  const keys = exceptionTypes.map((type) => ({ type, clientId, objectKey: "WEB-100045", sinceUs: Date.now() * 1000 }));
  await findExceptions(database, everywhere, keys, at);
  const exceptionId = ids.next(Date.now());
  await database.transaction(async (tx) => {
    await storeAnnotations(tx.of(clientId), keys, { what: "owner", owner: "anna" }, at);
    await storeAnnotations(tx.of(clientId), keys, { what: "note", note: "asked" }, at);
    await storeAnnotations(tx.of(clientId), keys, { what: "snoozed", until: at, by: "anna" }, at);
    await storeAnnotations(tx.of(clientId), keys.slice(1), { what: "resolved", by: "user:anna", reason: "done" }, at);
    endRaised(tx.of(clientId), [exceptionId], change);
    raiseException(tx.of(clientId, change), {
      kind: "UNPLANNED",
      objectType: "purchaseOrder",
      objectId: "PO-1",
      summary: "more",
    });
    await findRefusedReport(tx.of(clientId), exceptionId);
  });
  const broken = { objectType: "sku", objectId: "A", summary: "apart" };
  for (const found of [[{ key: "BALANCE A", exception: broken }], []])
    await database.transaction((tx) => replaceExceptions(tx.of(clientId, change), "STOCK_CHECK", found));
  await purgeAnnotations(database.of(clientId), new Date(Date.now() - 90 * dayMs).toISOString());
}
