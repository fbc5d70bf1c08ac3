import type { HttpServer, PolledRoute } from "#/http/server/server.ts";
import type { Exposition } from "#/telemetry/exposition.ts";

/**
 * `/metrics`, of every process. It is open like `/healthz`: it shows load, but no clients and no contents. An operator
 * who wants it private blocks the path in a proxy.
 */
export function registerMetrics(app: HttpServer, exposition: Exposition): void {
  const config: PolledRoute = { isPolled: true };
  app.get("/metrics", { config }, async (_request, reply) =>
    reply.header("content-type", exposition.contentType).send(await exposition.text()),
  );
}
