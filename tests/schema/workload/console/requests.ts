// The request log of a client, for the workload of plans.test.ts.
import type { Database } from "#/db/database.ts";
import {
  addRequests,
  blankRequests,
  findBody,
  findReach,
  findRequest,
  listRequests,
  type RequestFilter,
} from "#/http/request-log/repository.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";

const ids = createIds();

export async function runRequestLog(database: Database, clientId: string): Promise<void> {
  const rows = [200, 404].map((status) => ({
    request_id: ids.next(Date.now()),
    method: "GET",
    path: "/v1/orderService/order/get/WEB-100045",
    status,
    duration_ms: 1,
    object_id: "WEB-100045",
    is_failed: status >= 400,
  }));
  await database.transaction(async (tx) => addRequests(tx, clientId, rows));
  const [{ request_id: requestId }] = rows as [(typeof rows)[number]];
  await findRequest(database, clientId, requestId);
  await findBody(database, clientId, requestId);
  const range = { from: idBoundary(Date.now() - 86_400_000), before: idBoundary(Date.now() + 86_400_000) };
  const any = { isFailed: false, statusClass: undefined, method: undefined, path: undefined };
  for (const isFailed of [false, true]) {
    for (const statusClass of [undefined, 4]) {
      for (const method of [undefined, "GET"]) {
        for (const path of [undefined, "/order/"]) {
          const filter: RequestFilter = { ...any, isFailed, statusClass, method, path };
          await listRequests(database, clientId, { filter, ...range }, 50);
        }
      }
    }
    await findReach(database, clientId, { filter: { ...any, isFailed }, ...range }, 20_000);
  }
  await database.transaction(async (tx) => blankRequests(tx, clientId, ["GONE-1"]));
}
