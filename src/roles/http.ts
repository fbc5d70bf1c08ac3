import type { Database } from "#/db/database.ts";
import { findOutbound, registerOutboundRoutes } from "#/delivery/outbound/index.ts";
import { createSender, type Sender } from "#/delivery/webhooks/sender.ts";
import type { AdmissionContext } from "#/feeds/admission.ts";
import type { Receiver } from "#/feeds/receiver.ts";
import { registerFeedRoutes } from "#/feeds/routes.ts";
import { registerXsdRoutes } from "#/feeds/xsd-routes.ts";
import { createBearerHooks } from "#/http/bearer.ts";
import { createRateLimiter, limitOf, rateLimitHeaders } from "#/http/rate-limit.ts";
import { createHttpServer, type HttpServer } from "#/http/server.ts";
import { refusalOfUrl } from "#/kernel/address-policy.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config.ts";
import type { Ids } from "#/kernel/ids.ts";
import type { Logger } from "#/kernel/log.ts";
import type { RoleName } from "#/kernel/role-names.ts";
import { createSecretBox } from "#/kernel/secret-box.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import type { ClientProfile, Directory } from "#/modules/clients/index.ts";
import { createTokenService, registerTokenRoutes } from "#/modules/clients/oauth/index.ts";
import { createPrintShop, type PrintShop } from "#/modules/documents/index.ts";
import { createSsccMint } from "#/modules/parcels/index.ts";
import { carrierRoutes, registerWarehouseRoutes } from "#/modules/warehouse/index.ts";
import { registerAsyncApi } from "#/modules/webhooks/index.ts";
import { createOutboxWriter } from "#/outbox/append.ts";
import { registerClientServices } from "#/roles/client-services.ts";
import { readXsd } from "#/roles/files.ts";
import { masterKeyOf } from "#/roles/master-key.ts";
import { opening, shownHost } from "#/roles/port-fault.ts";
import { registerReference } from "#/roles/reference/routes.ts";

/** Requests that write at the same time seldom wait for each other. */
const writerSlots = 8;

export interface HttpRoleContext {
  readonly config: Config;
  readonly roles: ReadonlySet<RoleName>;
  readonly database: Database;
  readonly directory: Directory;
  readonly receiver: Receiver | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  isReady(): boolean;
  /** To be called after each commit that left something to publish. */
  readonly onCommit: () => void;
}

export interface HttpRole {
  /** Address of the listener, without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** What is served over HTTP: health, and the doors of the roles `feeds`, `auth` and `api`. */
export async function startHttp(context: HttpRoleContext): Promise<HttpRole> {
  const { config, roles, database, directory, receiver, clock, ids, log } = context;
  const { host, port, tls, trustedProxies } = config.http;
  const app = createHttpServer({ log, clock, ids, trustedProxies, tls });
  const limiter = createRateLimiter({ database, clock, log });
  const rateLimit = limitOf(config.rateLimit);
  let url = "";

  registerHealth(app, context);
  if (roles.has("feeds") && receiver) {
    registerXsdRoutes(app, readXsd);
    const admission: AdmissionContext = {
      environment: config.environment,
      findByFeedKey: (apiKey) => directory.findByFeedKey(apiKey),
      takeRate(credentialId, client) {
        const limit = limitOf((client as ClientProfile).settings.rateLimit ?? config.rateLimit);
        if (limit === "off") return { isAllowed: true, retryAfterSeconds: 0, headers: {} };
        const take = limiter.take(`credential ${credentialId}`, limit);
        return {
          isAllowed: take.isAllowed,
          retryAfterSeconds: take.retryAfterSeconds,
          headers: rateLimitHeaders(take),
        };
      },
    };
    registerFeedRoutes(app, { ...admission, database, receiver, log, findOutbound });
    registerOutboundRoutes(app, { ...admission, database, clock, ids });
  }
  if (roles.has("feeds") || roles.has("api")) {
    registerReference(app, () => ({
      feed: config.http.feedUrl ?? url,
      auth: config.http.authUrl ?? url,
      base: config.http.baseUrl ?? url,
    }));
    registerAsyncApi(app);
  }
  let sender: Sender | undefined;
  let printShop: PrintShop | undefined;
  if (roles.has("auth") || roles.has("api")) {
    const secretBox = createSecretBox(masterKeyOf(config), config.secretPrevious);
    const tokens = createTokenService({
      database,
      clock,
      ids,
      secretBox,
      environment: config.environment,
      tokenTtlSeconds: config.tokenTtlSeconds,
      authUrl: () => config.http.authUrl ?? url,
      directory,
      limiter,
    });
    await tokens.prepare();
    if (roles.has("auth")) registerTokenRoutes(app, { tokens });
    if (roles.has("api")) {
      const bearer = createBearerHooks({ verify: tokens.verify, limiter, rateLimit });
      const policy = config.webhooks;
      const own = createSender({ policy, clock });
      const sets = createCarrierSets();
      sender = own;
      registerClientServices(app, {
        ...{ database, bearer, clock, ids, secretBox, sets, onCommit: context.onCommit },
        allowsPlainHttp: config.environment === "sandbox",
        refusalOfUrl: (target) => refusalOfUrl(policy, target),
        sendNow: (target, message) => own.send(target, message),
        writer: createOutboxWriter(ids, writerSlots),
        facilitiesOf: async (clientId) => (await directory.findClient(clientId))?.facilities ?? [],
        availablePoolsOf: async (clientId) => (await directory.findClient(clientId))?.settings.availablePools ?? "*",
      });
      printShop = createPrintShop();
      registerWarehouseRoutes(app, {
        ...{ database, clock, ids },
        bearer: createBearerHooks({ verify: tokens.verify, limiter, rateLimit }, "warehouse", {
          carrier: carrierRoutes,
        }),
        findClient: (clientId) => directory.findClient(clientId),
        ssccs: createSsccMint(database, config.gs1Prefix),
        carriers: { clock, ids, sets },
        printShop,
        onCommit: context.onCommit,
      });
    }
  }

  const listening = { host, port, variable: "PORT", choices: "0 picks a free one" };
  await opening(listening, () => app.listen({ host, port }));
  url = addressOf(app, host, tls !== undefined);
  return {
    url,
    async stop() {
      await app.close();
      await limiter.close();
      await sender?.close();
      await printShop?.close();
    },
  };
}

/** `/healthz`: the process lives. `/readyz`: it can serve; a balancer sends nothing here otherwise. */
function registerHealth(app: HttpServer, { isReady }: HttpRoleContext): void {
  app.get("/healthz", (_request, reply) => reply.send({ status: "ok" }));
  app.get("/readyz", (_request, reply) =>
    isReady()
      ? reply.send({ status: "ready" })
      : reply.code(503).header("retry-after", "1").send({ status: "not ready" }),
  );
}

function addressOf(app: HttpServer, host: string, isTls: boolean): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const shown = shownHost(host);
  return `${isTls ? "https" : "http"}://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}
