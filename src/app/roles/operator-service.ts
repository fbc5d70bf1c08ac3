import { fastifyCookie } from "@fastify/cookie";
import { type ClientServicesContext, listClientServices } from "#/app/roles/client-services.ts";
import { isForDevelopers } from "#/app/roles/developer-operations.ts";
import {
  addOperatorRoutes,
  createSecondFactor,
  createSessionHooks,
  createSignIn,
  type OperatorContext,
  registerProviderRoutes,
  relyingPartyOf,
} from "#/console-api/index.ts";
import { resendDocument, setChannels, showChannels } from "#/delivery/outbound/index.ts";
import { type FacilityPartition, type OperatorRoute, operatorPrefix } from "#/http/access/operator.ts";
import type { RateLimit } from "#/http/access/rate-limit.ts";
import { registerService } from "#/http/routes/service.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { Config } from "#/kernel/config/config.ts";
import { refusalOfUrl } from "#/kernel/security/address-policy.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Database } from "#/store/db/database.ts";

interface OperatorServiceContext
  extends Omit<OperatorContext, "signIn" | "secondFactor" | "secretBox" | "relyingParty"> {
  readonly database: Database;
  readonly rateLimit: RateLimit | "off";
  readonly baseUrl: string | undefined;
  isClient(clientId: string): Promise<boolean>;
  /** Context of the client services, which are mounted a second time. */
  readonly clientServices: ClientServicesContext;
}

/** Client operations that read although they are POSTs, because their arguments do not fit into a URL. */
const reading: readonly string[] = [
  "/findInventoryBySkuList",
  "/findInventoryDetailsBySkuList",
  "/findItemBySkuList",
  "/item/template",
  "/carrier/determine",
  "/carrier/simulate",
  "/order/promise",
  "/order/create/validate",
];

/**
 * Partitions the client operations by facility. An unlisted operation is closed to users who are limited to facilities:
 * events, webhooks, the list of facilities and the back-test concern all facilities of a client.
 */
const partitions: Readonly<Partial<Record<FacilityPartition, readonly string[]>>> = {
  none: [
    "/findItemBySku",
    "/findItemBySkuList",
    "/item/list",
    "/item/template",
    "/carrierServiceCode/list",
    "/webhook/topics",
  ],
  named: [
    ...[
      "/order/list",
      "/order/promise",
      "/rma/list",
      "/unidentifiedReceipt/list",
      "/workOrder/list",
      "/workOrder/create",
      "/facility/get/:facilityCode",
    ],
    ...["/findInventoryBySku", "/findInventoryBySkuList", "/findInventoryDetailsBySkuList", "/inventory/list"],
    ...["/activity/get", "/movement/list", "/snapshot/list", "/snapshot/get/:date", "/reconcile", "/carrier/determine"],
  ],
  order: [
    ...["get", "status", "cancel", "update", "hold", "release"].map((name) => `/order/${name}/:orderId`),
    ...["cancel", "update"].map((name) => `/orderLine/${name}/:orderId/:lineNumber`),
    ...["/document/list/:orderId", "/olpn/list/:orderId", "/carrier/determineForOrder/:orderId"],
  ],
  return: ["get", "cancel", "close"].map((name) => `/rma/${name}/:rmaNumber`),
  purchaseOrder: ["get", "close"].map((name) => `/purchaseOrder/${name}/:poNumber`),
  workOrder: ["get", "update", "cancel"].map((name) => `/workOrder/${name}/:workOrderId`),
  unidentifiedReceipt: ["get", "bind", "close"].map((name) => `/unidentifiedReceipt/${name}/:unidentifiedId`),
  transfer: ["get", "cancel"].map((name) => `/transfer/${name}/:transferId`),
  parcel: ["/olpn/get/:olpnId"],
  orderDocument: ["/document/get/:documentId"],
  carrierDecision: ["/carrier/decision/:decisionId"],
};

/** Operations on webhooks and their deliveries, which also a facility may own. */
const facilityPaths =
  /^\/webhook\/(?:topics|create|get|list|patch|delete|rotateSecret|test|deliveries|delivery|redeliver|recover)(?:$|\/)/;

const partitionOf = new Map(
  Object.entries(partitions).flatMap(([partition, paths]) =>
    paths.map((path) => [path, partition as FacilityPartition] as const),
  ),
);

/**
 * The console's service (contract rest.md §3, operations.md §5). It has its own operations and, below `/client`, the
 * operations of the client services, run by the same code for the client that the request names.
 */
export function registerOperatorService(app: HttpServer, context: OperatorServiceContext): void {
  // Registered here only: no other route uses cookies.
  app.register(fastifyCookie, { hook: false });
  const { provider } = context.signInMethods;
  const { secretBox } = context.clientServices;
  const hooks = createSessionHooks({ ...context, secretBox });
  if (provider) registerProviderRoutes(app, { ...context, provider, secretBox });
  const routes = (service: HttpServer) => {
    service.addHook("onRoute", (route) => {
      if (!isForDevelopers(route.url.slice(operatorPrefix.length))) return;
      route.config = Object.assign(route.config ?? {}, { isForDevelopers: true } satisfies OperatorRoute);
    });
    const relyingParty = () => relyingPartyOf(context.consoleUrl());
    const secondFactor = createSecondFactor({ ...context, secretBox, relyingParty });
    const signIn = createSignIn(context);
    addOperatorRoutes(service, { ...context, secretBox, relyingParty, signIn, secondFactor });
    service.register(
      async (scope) => {
        scope.addHook("onRoute", (route) => {
          const path = route.url.slice(`${operatorPrefix}/client`.length);
          const partition = partitionOf.get(path);
          const takesFacility = facilityPaths.test(path);
          const declared: OperatorRoute = {
            isOfClient: true,
            takesFacility,
            ...(reading.includes(path) ? { role: "viewer" } : {}),
            ...(partition === undefined ? {} : { partition }),
          };
          route.config = Object.assign(route.config ?? {}, declared);
        });
        const mounted = scope as unknown as HttpServer;
        for (const { add } of listClientServices(context.clientServices, "any")) add(mounted);
      },
      { prefix: "/client" },
    );
  };
  registerService(app, operatorPrefix, hooks, routes, {
    name: "operator",
    title: "Operator",
    description:
      "The API of the operator console: history and problems of all clients, every fix, users and settings. It requires a session, and has roles.",
    audience: "operator",
  });
}

/** The console's operations on outbound feeds. The client API and the command line use the same functions. */
export function createOutboundService(
  { environment, webhooks }: Pick<Config, "environment" | "webhooks">,
  secretBox: SecretBox,
): OperatorContext["outbound"] {
  const pushContext = {
    secretBox,
    world: {
      allowsPlainHttp: environment === "sandbox",
      refusalOfUrl: (url: URL) => refusalOfUrl(webhooks, url),
    },
  };
  return {
    resend: (tx, messageId) => resendDocument(tx, tx.change.ids, tx.change.at, messageId),
    showChannels,
    setChannels: (tx, wanted) => setChannels(tx, wanted, pushContext),
  };
}
