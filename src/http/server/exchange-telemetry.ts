// Metrics and traces of a request, labelled by the template of its route: a path with ids would create a label for each
// id.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Exchange } from "#/http/server/exchange.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { readTraceParent, rootSpanIdOf, traces } from "#/kernel/telemetry/trace.ts";

interface RouteLabels {
  readonly service: string;
  readonly route: string;
}

const noRoute: RouteLabels = { service: "none", route: "none" };
export const requestMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const methods: ReadonlySet<string> = new Set(requestMethods);
/** Methods that change nothing. */
export const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Bounded by the number of routes. */
const labelsOfRoute = new Map<string, RouteLabels>();

/** `/v1/orderService/order/list` belongs to `orderService`; for other paths, the first segment names the service. */
export function labelsOf(route: string | undefined): RouteLabels {
  if (route === undefined) return noRoute;
  let labels = labelsOfRoute.get(route);
  if (labels === undefined) {
    // The pattern of a parameter does not belong in a label: `:type(^(?:CAT|PO)$)` becomes `:type`.
    const template = route.replaceAll(/\(\^.*?\$\)/g, "");
    const [, first = "", second] = template.split("/");
    const service = first === "v1" && second ? second : first.replace(/^\.|\.json$/g, "");
    labels = { service: /^[\w-]+$/.test(service) ? service : "root", route: template };
    labelsOfRoute.set(route, labels);
  }
  return labels;
}

export function noteBegin(): void {
  metrics.httpRequestsInProgress.inc();
}

/** @param status undefined where the sender disconnected before an answer began. */
export function noteEnd(exchange: Exchange, raw: IncomingMessage, res: ServerResponse): void {
  const endedMs = performance.now();
  const isAnswered = exchange.rawStatus !== undefined || res.headersSent;
  const status = isAnswered ? (exchange.rawStatus ?? res.statusCode) : undefined;
  const method = methods.has(raw.method ?? "") ? (raw.method as string) : "other";
  const { service, route } = labelsOf(exchange.route);
  metrics.httpRequestsInProgress.dec();
  metrics.httpRequests.inc({ service, method, route, status: status === undefined ? "aborted" : String(status) });
  const durationMs = endedMs - exchange.startedMs - exchange.waitedMs;
  metrics.httpRequestDuration.observe({ service, method, route }, durationMs / 1_000);
  if (status === 429) metrics.rateLimited.inc({ service });
  if (traces.isOn && exchange.route !== undefined && !readingMethods.has(method)) {
    addRoot(exchange, raw, { method, route, status, endedMs });
  }
}

/** Counts a request that is answered without an exchange, or outside it: it never had a route. */
export function noteRefused(method: string | undefined, status: number): void {
  const known = methods.has(method ?? "") ? (method as string) : "other";
  metrics.httpRequests.inc({ ...noRoute, method: known, status: String(status) });
}

interface Ended {
  readonly method: string;
  readonly route: string;
  readonly status: number | undefined;
  readonly endedMs: number;
}

/**
 * The root of the trace of a write. For a feed it is the root of its document's trace, because the request's token is
 * the token of the ACK.
 */
function addRoot(exchange: Exchange, raw: IncomingMessage, { method, route, status, endedMs }: Ended): void {
  const { feedType, objectId, outcome } = exchange.about;
  traces.add({
    token: exchange.token,
    name: `${method} ${route}`,
    kind: "SERVER",
    spanId: rootSpanIdOf(exchange.token),
    startedMs: exchange.startedMs,
    endedMs,
    attributes: {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "crossdock.client_id": exchange.clientId,
      "crossdock.feed_type": feedType,
      "crossdock.object_id": objectId,
      "crossdock.outcome": outcome,
    },
    failure: status === undefined ? "aborted" : status >= 500 ? String(status) : undefined,
    link: readTraceParent(raw.headers.traceparent as string | undefined),
  });
}
