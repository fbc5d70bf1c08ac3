// The request log of a client without its list (searched-lists.ts), for the workload of plans.test.ts.

import { addRequests, blankRequests, findBody, findRequest } from "#/http/request-log/repository.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

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
  await database.transaction(async (tx) => addRequests(tx.of(clientId), rows));
  const [{ request_id: requestId }] = rows as [(typeof rows)[number]];
  await findRequest(database.of(clientId), requestId);
  await findBody(database.of(clientId), requestId);
  await database.transaction(async (tx) => blankRequests(tx.of(clientId), ["GONE-1"]));
}
