import { asyncApiDocument } from "#/delivery/webhooks/events/asyncapi.ts";
import type { HttpServer } from "#/http/server/server.ts";

/**
 * Publishes the event catalogue for machines. It is open to all, because it contains only what is in the public source.
 */
export function registerAsyncApi(app: HttpServer): void {
  let text: string | undefined;
  app.get("/asyncapi.json", (_request, reply) => {
    text ??= `${JSON.stringify(asyncApiDocument(), null, 2)}\n`;
    return reply.header("Cache-Control", "public, max-age=300").type("application/json").send(text);
  });
}
