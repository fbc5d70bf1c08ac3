import type { HttpServer, PolledRoute } from "#/http/server/server.ts";
import type { Exposition } from "#/telemetry/exposition.ts";

/**
 * `/metrics`, of every process. Open like `/healthz`: it says how much goes on, nothing of whom or of what. Whoever keeps
 * that to himself lets his proxy serve no such path.
 */
export function registerMetrics(app: HttpServer, exposition: Exposition): void {
  const config: PolledRoute = { isPolled: true };
  app.get("/metrics", { config }, async (_request, reply) =>
    reply.header("content-type", exposition.contentType).send(await exposition.text()),
  );
}
