import { createFeedStack } from "#/app/roles/feed-stack.ts";
// The Work Order service over real HTTP. Import it once per file.

import { registerClientServices } from "#/app/roles/client-services.ts";
import { type BearerContext, createBearerHooks } from "#/http/access/bearer.ts";
import { createRateLimiter } from "#/http/access/rate-limit.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { ok } from "#/kernel/result.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { createDigestStore, createPrintService } from "#/modules/documents/index.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import "../oracles/document-check.ts";
import { atEnd } from "../app/at-end.ts";
import { type Answer, call as send } from "../http/call.ts";
import { noWebhooks } from "../webhooks/no-webhooks.ts";
import { database, ids } from "./work-orders.ts";

const log = createLogger({
  level: "error",
  format: "json",
  destination: { write: (line) => process.stderr.write(line) },
});
const limiter = createRateLimiter({ database, clock: systemClock, log });
const app = createHttpServer({ log, clock: systemClock, ids, trustedProxies: [] });

/** The token is the client id, `A-B` for several clients: real tokens have their own tests. */
const bearer: BearerContext = {
  verify: async (token) =>
    ok({
      credentialId: token,
      kind: "client",
      clientIds: (token.split(".")[0] as string).split("-"),
      suspendedClientIds: [],
      facilityCode: undefined,
      rateLimit: undefined,
    }),
  limiter,
  rateLimit: "off",
};
const feedStack = await createFeedStack({ database, clock: systemClock, ids });
atEnd(() => feedStack.close());
const printService = createPrintService();
atEnd(() => printService.close());
registerClientServices(app, {
  printService,
  digestStore: createDigestStore(database),
  database,
  ids,
  clock: systemClock,
  writer: createOutboxWriter(ids),
  onCommit() {},
  bearer: createBearerHooks(bearer),
  ...noWebhooks,
  receiver: feedStack.receiver,
  findClient: async () => undefined,
  chargeRate() {},
  facilitiesOf: async () => ["DC1", "DC2"],
  availablePoolsOf: async () => "*",
  sets: createCarrierSets(),
});
const url = await app.listen({ port: 0, host: "127.0.0.1" });
atEnd(async () => {
  await app.close();
  await limiter.close();
});

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
