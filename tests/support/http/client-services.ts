// The REST services of clients over real HTTP, on a database alone. Import it once per file.
import { registerClientServices } from "#/app/roles/client-services.ts";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { type BearerContext, createBearerHooks } from "#/http/access/bearer.ts";
import { createRateLimiter } from "#/http/access/rate-limit.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { ok } from "#/kernel/result.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { createPrintService } from "#/modules/documents/index.ts";
import type { Database } from "#/store/db/database.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import "../oracles/document-check.ts";
import { atEnd } from "../app/at-end.ts";
import { noWebhooks } from "../webhooks/no-webhooks.ts";

/** @returns the address; a token is a client id, or `A-B` for several clients: real tokens have their own tests */
export async function serveClientServices({ database, ids }: { database: Database; ids: Ids }): Promise<string> {
  const log = createLogger({
    level: "error",
    format: "json",
    destination: { write: (line) => process.stderr.write(line) },
  });
  const limiter = createRateLimiter({ database, clock: systemClock, log });
  const app = createHttpServer({ log, clock: systemClock, ids, trustedProxies: [] });
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
    database,
    ids,
    clock: systemClock,
    writer: createOutboxWriter(ids),
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
  return url;
}
