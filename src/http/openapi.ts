import { fastifySwagger } from "@fastify/swagger";
import { finished, type JsonObject } from "#/http/openapi-finish.ts";
import type { HttpServer } from "#/http/server.ts";

/** What an OpenAPI document says of its service as a whole; its operations come from the routes themselves. */
export interface ServiceDocument {
  /** The document is published at `/openapi/{name}.json`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** For the `config` of a route: statuses that it answers as problem details besides those of every operation. */
export interface DocumentedRoute {
  readonly problems: readonly number[];
}

/** The `config` of a route: the statuses that it answers as problem details besides those of every operation. */
export const answers = (...problems: readonly number[]): DocumentedRoute => ({ problems });

/** Of the published interface: counted up with each release of it, its first number only when it breaks. */
const interfaceVersion = "1.0.0";

/**
 * Publishes the OpenAPI 3.0.3 document of the routes that are registered below `scope` after this: generated from the
 * schemas that validate and serialise, so that it cannot say anything else than what happens.
 */
export async function serveDocument(app: HttpServer, scope: HttpServer, document: ServiceDocument): Promise<void> {
  await scope.register(fastifySwagger, {
    openapi: {
      openapi: "3.0.3",
      info: {
        title: document.title,
        description: document.description,
        version: interfaceVersion,
        contact: { name: "The operator of this deployment" },
      },
      servers: [{ url: "/", description: "This deployment." }],
      tags: [{ name: document.title, description: document.description }],
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "The access_token that POST /v1/oauth/token answers for client_id and client_secret.",
          },
        },
      },
      security: [{ bearer: [] }],
    },
    stripBasePath: false,
    // What routes know and the generator does not goes through as extensions; `finished` makes answers of them.
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        tags: [document.title],
        "x-problems": (route.config as Partial<DocumentedRoute> | undefined)?.problems ?? [],
      },
      url,
    }),
  });
  let text: string | undefined;
  app.get(`/openapi/${document.name}.json`, (_request, reply) => {
    text ??= `${JSON.stringify(finished(scope.swagger() as unknown as JsonObject), null, 2)}\n`;
    return reply.header("Cache-Control", "public, max-age=300").type("application/json").send(text);
  });
}
