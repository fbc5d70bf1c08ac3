// The Work Order service over real HTTP. Import it once per file.
import { type Answer, call as send } from "../http/call.ts";
import { serveClientServices } from "../http/client-services.ts";
import { database, ids } from "./work-orders.ts";

const url = await serveClientServices({ database, ids });

/** @param body if absent, the request has no body. */
export function call(
  method: "GET" | "POST" | "PATCH",
  clientId: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const place = `${url}${path.startsWith("/workOrder/") ? "/v1/workOrderService" : ""}${path}`;
  return send(method, place, { token: `${clientId}.b.c`, body, headers });
}
