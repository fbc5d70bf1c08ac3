import { registerMcp } from "#/app/agents/mcp.ts";
import { registerConsole } from "#/app/console-host/static-files.ts";
import { registerReference } from "#/app/docs-site/routes.ts";
import { prepareDocs } from "#/app/docs-site/site.ts";
import {
  addFacilityWebhooks,
  type ClientServicesContext,
  registerClientServices,
} from "#/app/roles/client-services.ts";
import { createOutboundService, registerOperatorService } from "#/app/roles/operator-service.ts";
import { opening, shownHost } from "#/app/roles/port-fault.ts";
import { masterKeyOf } from "#/app/secrets/master-key.ts";
import { type Exposition, registerMetrics, version } from "#/app/telemetry/exposition.ts";
import { createAgentHook } from "#/console-api/index.ts";
import { createSourceClient, type SourceClient } from "#/delivery/labels/index.ts";
import { isMailMissing, mailMissing } from "#/delivery/mail/index.ts";
import { findOutbound, registerOutboundRoutes } from "#/delivery/outbound/index.ts";
import { registerAsyncApi } from "#/delivery/webhooks/index.ts";
import { createSender, type Sender } from "#/delivery/webhooks/sending/sender.ts";
import { type BearerHooks, createBearerHooks } from "#/http/access/bearer.ts";
import { createRateLimiter, limitOf, rateLimitHeaders } from "#/http/access/rate-limit.ts";
import { registerSecurityText } from "#/http/openapi/security-text.ts";
import { createRequestLog } from "#/http/request-log/request-log.ts";
import type { BodyBudget } from "#/http/server/body-budget.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { createHttpServer, type HttpServer } from "#/http/server/server.ts";
import type { AdmissionContext } from "#/intake/feeds/http/admission.ts";
import { registerFeedRoutes } from "#/intake/feeds/http/routes.ts";
import { registerXsdRoutes } from "#/intake/feeds/http/xsd-routes.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { RoleName } from "#/kernel/config/role-names.ts";
import { refusalOfUrl } from "#/kernel/security/address-policy.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { readXsd } from "#/kernel/shipped-files.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import type { ClientProfile, Directory } from "#/modules/clients/index.ts";
import {
  createKeyring,
  createTokenService,
  registerTokenRoutes,
  type TokenService,
} from "#/modules/clients/oauth/index.ts";
import { createPrintService, type PrintService } from "#/modules/documents/index.ts";
import { createSsccMint } from "#/modules/parcels/index.ts";
import {
  carrierRoutes,
  createReportRetry,
  registerWarehouseRoutes,
  type TaskWatch,
} from "#/modules/warehouse/index.ts";
import { openAcross } from "#/store/db/across.ts";
import { isOnCitus } from "#/store/db/citus/catalogue.ts";
import type { Database } from "#/store/db/database.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";

/** Number of writer slots: with it, concurrent writes seldom wait for each other. */
const writerSlots = 8;

interface HttpRoleContext {
  readonly config: Config;
  readonly roles: ReadonlySet<RoleName>;
  readonly database: Database;
  /** Connection for the pool of reads that span several clients. */
  readonly storeUrl: string;
  readonly directory: Directory;
  /** The compiled carrier data of the database. */
  readonly sets: CarrierSets;
  readonly receiver: Receiver | undefined;
  /** Memory budget for request bodies. */
  readonly bodies: BodyBudget;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Content of `/metrics`. */
  readonly exposition: Exposition;
  /** The SFTP port of this process. */
  sftpPort(): number | undefined;
  isReady(): boolean;
  /** Reports which parts are on hold after a restore. */
  readonly isHeld: AskHold;
  /** True once the process is about to stop. */
  isDraining(): boolean;
  /** Wakes the lists of tasks that wait. */
  readonly taskWatch: TaskWatch;
  /** Called after each commit that left events to publish. */
  readonly onCommit: (clientId: string) => void;
  /** Called after each commit that changed the tasks of these facilities. */
  readonly onTasks: (facilityCodes: Iterable<string>) => void;
  /** Adds routes that exist only in a sandbox. */
  addSandboxRoutes(app: HttpServer): void;
}

interface HttpRole {
  /** Address of the listener, without a trailing slash. */
  readonly url: string;
  /** Discards the cached keys of access tokens, because they may have changed. */
  forgetKeys(): void;
  stop(): Promise<void>;
}

/** Whether the process serves more than its health endpoints. */
export function servesPaths(roles: ReadonlySet<RoleName>): boolean {
  return (["api", "feeds", "auth", "console"] as const).some((role) => roles.has(role));
}

/**
 * Starts the HTTP server: health of every process, and the endpoints of the roles `feeds`, `auth`, `api` and `console`.
 */
export async function startHttp(context: HttpRoleContext): Promise<HttpRole> {
  const { config, roles, database, directory, receiver, clock, ids, log } = context;
  const { host, port, tls, trustedProxies } = config.http;
  const { bodies } = context;
  const requestLog = createRequestLog({
    database,
    log,
    level: config.requestLog,
    isDistributed: await isOnCitus(database),
    keepsBodies: async (clientId) => (await directory.findClient(clientId))?.settings.requestLogBodies === true,
  });
  const app = createHttpServer({
    log,
    clock,
    ids,
    trustedProxies,
    tls,
    bodies,
    isStrict: config.environment === "production",
    absenceOf: createAbsence(roles),
    isDraining: context.isDraining,
    onEnd: requestLog.note,
  });
  const limiter = createRateLimiter({ database, clock, log });
  const rateLimit = limitOf(config.rateLimit);
  let url = "";

  registerHealth(app, context);
  registerMetrics(app, context.exposition);
  registerSecurityText(app, {
    clock,
    contact: config.http.securityContact,
    baseUrl: () => config.http.baseUrl ?? url,
  });
  if (config.environment === "sandbox" && servesPaths(roles)) context.addSandboxRoutes(app);
  if (roles.has("feeds") && receiver) {
    registerXsdRoutes(app, readXsd);
    const limitOfClient = (client: FeedClient) =>
      limitOf((client as ClientProfile).settings.rateLimit ?? config.rateLimit);
    const admission: AdmissionContext = {
      environment: config.environment,
      findByFeedKey: (apiKey) => directory.findByFeedKey(apiKey),
      chargeRate(credentialId, client, units) {
        const limit = limitOfClient(client);
        if (limit !== "off") limiter.charge(`credential ${credentialId}`, limit, units);
      },
      takeRate(credentialId, client) {
        const limit = limitOfClient(client);
        if (limit === "off") return { isAllowed: true, retryAfterSeconds: 0, headers: {} };
        const take = limiter.take(`credential ${credentialId}`, limit);
        return {
          isAllowed: take.isAllowed,
          retryAfterSeconds: take.retryAfterSeconds,
          headers: rateLimitHeaders(take),
        };
      },
    };
    registerFeedRoutes(app, { ...admission, database, receiver, bodies, log, findOutbound });
    registerOutboundRoutes(app, { ...admission, database, clock, ids, isHeld: context.isHeld });
  }
  if (roles.has("feeds") || roles.has("api") || roles.has("console")) {
    const addresses = () => ({
      feed: config.http.feedUrl ?? url,
      auth: config.http.authUrl ?? url,
      base: config.http.baseUrl ?? url,
    });
    registerReference(app, addresses, log);
    registerAsyncApi(app);
  }
  let sender: Sender | undefined;
  let sourceClient: SourceClient | undefined;
  let printService: PrintService | undefined;
  let tokens: TokenService | undefined;
  let clientServices: ClientServicesContext | undefined;
  // A process that opens no secrets does not need the master key.
  const opensSecrets = roles.has("auth") || roles.has("api") || roles.has("console");
  const secretBox = opensSecrets ? createSecretBox(masterKeyOf(config), config.secretPrevious) : undefined;
  if (secretBox && receiver && (roles.has("api") || roles.has("console"))) {
    const policy = config.webhooks;
    const signingKey = createKeyring({ database, clock, secretBox }).signing;
    const created = createSender({ policy, clock, signingKey });
    sender = created;
    const printer = createPrintService();
    printService = printer;
    clientServices = {
      database,
      clock,
      ids,
      secretBox,
      receiver,
      findClient: (clientId) => directory.findClient(clientId),
      chargeRate(request, units) {
        const { caller } = exchangeOf(request);
        const limit = caller?.rateLimit ?? rateLimit;
        if (caller && limit !== "off" && units > 0) limiter.charge(`credential ${caller.credentialId}`, limit, units);
      },
      printService: printer,
      sets: context.sets,
      allowsPlainHttp: config.environment === "sandbox",
      refusalOfUrl: (target) => refusalOfUrl(policy, target),
      sendNow: (target, message) => created.send(target, message),
      environment: config.environment,
      version,
      signingKey,
      writer: createOutboxWriter(ids, { slotCount: writerSlots, onCommit: context.onCommit }),
      facilitiesOf: async (clientId) => (await directory.findClient(clientId))?.facilities ?? [],
      availablePoolsOf: async (clientId) => (await directory.findClient(clientId))?.settings.availablePools ?? "*",
    };
  }
  let across: Database | undefined;
  let openUsers: BearerHooks["onRequest"] | undefined;
  if (roles.has("console") && secretBox && receiver && clientServices) {
    const onError = (error: Error) => log.warn({ err: error }, "a connection of the console was lost");
    across = openAcross({ url: context.storeUrl, onError });
    const retryReport = createReportRetry({
      database,
      clock,
      ids,
      onCommit: context.onCommit,
      findClient: (clientId) => directory.findClient(clientId),
      ssccs: createSsccMint(database, config.gs1Prefix),
      carriers: { clock, ids, sets: clientServices.sets },
    });
    const policy = config.webhooks;
    sourceClient = createSourceClient(policy, () => clock.now());
    registerOperatorService(app, {
      retryReport,
      sourceClient,
      refusalOfSourceUrl(text) {
        const target = URL.parse(text);
        if (target === null) return "is no URL";
        if (target.protocol !== "https:" && config.environment !== "sandbox") return "must begin with https://";
        return refusalOfUrl(policy, target);
      },
      database,
      across,
      clock,
      ids,
      limiter,
      rateLimit,
      receiver,
      log,
      clientServices,
      printService: clientServices.printService,
      writer: clientServices.writer,
      onCommit: context.onCommit,
      onTasks: context.onTasks,
      environment: config.environment,
      isMailMissing: isMailMissing({ smtpUrl: config.mail.smtpUrl, environment: config.environment }),
      mail: config.mail,
      baseUrl: config.http.baseUrl,
      consoleUrl: () => config.http.baseUrl ?? url,
      signInMethods: config.signIn,
      addresses: () => ({
        base: config.http.baseUrl ?? null,
        feed: config.http.feedUrl ?? config.http.baseUrl ?? null,
        auth: config.http.authUrl ?? config.http.baseUrl ?? null,
        // Behind a public address, a proxy may forward a different port.
        sftpPort: config.http.baseUrl === undefined ? (context.sftpPort() ?? null) : null,
      }),
      outbound: createOutboundService(config, secretBox),
      isClient: async (clientId) => (await directory.findClient(clientId)) !== undefined,
    });
    openUsers = createAgentHook({ database, clock, limiter, rateLimit, signInMethods: config.signIn });
    registerConsole(app, log);
  }
  if (secretBox && (roles.has("auth") || roles.has("api"))) {
    tokens = createTokenService({
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
    if (roles.has("api") && clientServices) {
      const services = clientServices;
      const { sets, printService } = services;
      const bearer = createBearerHooks({ verify: tokens.verify, limiter, rateLimit });
      registerClientServices(app, { ...services, bearer });
      registerMcp(app, {
        database,
        clock,
        ids,
        log,
        bearer,
        openUsers,
        settingsOf: async (clientId) => (await directory.findClient(clientId))?.settings,
        docsFolder: () => prepareDocs(log),
      });
      registerWarehouseRoutes(app, {
        database,
        clock,
        ids,
        bearer: createBearerHooks({ verify: tokens.verify, limiter, rateLimit }, "warehouse", {
          carrier: carrierRoutes,
        }),
        findClient: (clientId) => directory.findClient(clientId),
        ssccs: createSsccMint(database, config.gs1Prefix),
        carriers: { clock, ids, sets },
        printService,
        isHeld: context.isHeld,
        taskWatch: context.taskWatch,
        onCommit: context.onCommit,
        trackingSecrets: config.trackingSecrets,
        addWebhooks: (service) => addFacilityWebhooks(service, services),
      });
    }
  }

  const listening = { host, port, variable: "PORT", choices: "0 chooses a free one" };
  await opening(listening, () => app.listen({ host, port }));
  url = addressOf(app, host, tls !== undefined);
  return {
    url,
    forgetKeys: () => tokens?.forget(),
    async stop() {
      await app.close();
      await requestLog.close();
      await limiter.close();
      await across?.close();
      await Promise.all([sender?.close(), sourceClient?.close()]);
      await printService?.close();
    },
  };
}

/** `/healthz`: the process is alive. `/readyz`: it can serve; if not, a load balancer sends it no requests. */
function registerHealth(app: HttpServer, { isReady, config }: HttpRoleContext): void {
  const isSilent = isMailMissing({ smtpUrl: config.mail.smtpUrl, environment: config.environment });
  const warnings = isSilent ? [mailMissing] : undefined;
  app.get("/healthz", (_request, reply) => reply.send({ status: "ok", warnings }));
  app.get("/readyz", (_request, reply) =>
    isReady()
      ? reply.send({ status: "ready", warnings })
      : reply.code(503).header("retry-after", "1").send({ status: "not ready" }),
  );
}

function addressOf(app: HttpServer, host: string, isTls: boolean): string {
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const shown = shownHost(host);
  return `${isTls ? "https" : "http"}://${shown.includes(":") ? `[${shown}]` : shown}:${port}`;
}

/**
 * Roles that serve each path prefix; the first match counts. If a prefix has several roles, a node with any of them
 * serves it.
 */
const homes: readonly { readonly begins: readonly string[]; readonly roles: readonly RoleName[] }[] = [
  { begins: ["/feeds", "/xsd"], roles: ["feeds"] },
  { begins: ["/v1/oauth", "/.well-known/jwks.json", "/.well-known/oauth-authorization-server"], roles: ["auth"] },
  { begins: ["/console", "/v1/operatorService"], roles: ["console"] },
  { begins: ["/v1"], roles: ["api"] },
  { begins: ["/docs", "/samples", "/openapi", "/asyncapi.json"], roles: ["feeds", "api", "console"] },
];

/**
 * Explains requests for paths that other nodes serve. The client has called the wrong node; a plain 404 suggests that
 * the path does not exist. Undefined for paths that no role serves.
 */
function createAbsence(activeRoles: ReadonlySet<RoleName>): (path: string) => string | undefined {
  return (path) => {
    const home = homes.find(({ begins }) => begins.some((begin) => path === begin || path.startsWith(`${begin}/`)));
    if (home === undefined || home.roles.some((role) => activeRoles.has(role))) return undefined;
    return `This node does not serve this path: it has the roles ${[...activeRoles].join(", ")}, and not ${home.roles.join(" or ")}.`;
  };
}
