import { fastifySwagger } from "@fastify/swagger";
import type { RouteOptions } from "fastify";
import type { Audience } from "#/http/access/caller.ts";
import { leastRoleOf, type OperatorRoute, sessionCookie } from "#/http/access/operator.ts";
import { finished, type JsonObject } from "#/http/openapi/finish.ts";
import { printed } from "#/http/openapi/printed.ts";
import { conventionsOf } from "#/http/openapi/words.ts";
import { type HttpServer, mergePatchMediaType, type OptionalBodyRoute } from "#/http/server/server.ts";

/** What an OpenAPI document says of its service as a whole; its operations come from the routes themselves. */
export interface ServiceDocument {
  /** The document is published at `/openapi/{name}.json`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whose service it is; clients' where it is left out. */
  readonly audience?: Audience;
}

/** For the `config` of a route: statuses that it answers as problem details besides those of every operation. */
export interface DocumentedRoute {
  readonly problems: readonly number[];
}

const byToken = {
  components: {
    securitySchemes: {
      bearer: {
        type: "http" as const,
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "The access_token that POST /v1/oauth/token answers for client_id and client_secret.",
      },
    },
  },
  security: [{ bearer: [] as string[] }],
};

const bySession = {
  components: {
    securitySchemes: {
      session: {
        type: "apiKey" as const,
        in: "cookie" as const,
        name: sessionCookie,
        description:
          "The cookie that POST /v1/operatorService/session/create sets; by https its name is __Host-crossdock_session. What is no GET carries the csrfToken of the session in the header X-CSRF-Token besides.",
      },
    },
  },
  security: [{ session: [] as string[] }],
};

/** The `config` of a route: the statuses that it answers as problem details besides those of every operation. */
export const answers = (...problems: readonly number[]): DocumentedRoute => ({ problems });

/** Of the published interface: counted up with each release of it, its first number only when it breaks. */
export const interfaceVersion = "1.0.0";

/** Of the program and of its published interface: the file LICENSE. */
export const license = { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" } as const;

interface Described {
  readonly summary?: string;
  readonly description?: string;
}

/** Which role an operation of the console takes, and how it is partitioned by facility: in words, and for programs. */
function accessWords(route: RouteOptions, { summary = "", description = `${summary}.` }: Described) {
  const config = route.config as OperatorRoute | undefined;
  const role = leastRoleOf(config, route.method as string);
  const closed = config?.partition === undefined ? " Closed to users who are limited to facilities." : "";
  return {
    description: `${description} Takes the role ${role}.${closed}`,
    "x-least-role": role,
    "x-facility-partition": config?.partition ?? "closed",
  };
}

const documentsKey = "crossdockDocuments";

export interface PublishedDocument extends ServiceDocument {
  /** The document itself; from the moment on when the server listens. */
  read(): JsonObject;
}

/** The documents that the server publishes, those of the most readers first; complete once the server listens. */
export function publishedDocuments(app: HttpServer): readonly PublishedDocument[] {
  return app.hasDecorator(documentsKey) ? app.getDecorator<PublishedDocument[]>(documentsKey) : [];
}

/** Where the OpenAPI document of this name is. */
export const documentPath = (name: string): string => `/openapi/${name}.json`;

export type { JsonObject };

const cacheControl = "public, max-age=300";

/** The brands' developers come first, and the console's internal service last. */
const audiences: readonly Audience[] = ["client", "warehouse", "carrier", "operator"];
const rankOf = ({ audience = "client" }: ServiceDocument) => audiences.indexOf(audience);

/** Adds a document to the index at `/openapi`, which comes with the first one. */
function publish(app: HttpServer, document: PublishedDocument): void {
  if (app.hasDecorator(documentsKey)) {
    const published = app.getDecorator<PublishedDocument[]>(documentsKey);
    published.push(document);
    published.sort((left, right) => rankOf(left) - rankOf(right));
    return;
  }
  const documents = [document];
  app.decorate(documentsKey, documents);
  app.get("/openapi", (_request, reply) => {
    const items = documents.map(({ name, title, description }) => ({
      ...{ name, title, description },
      url: documentPath(name),
    }));
    return reply.header("Cache-Control", cacheControl).send({ items });
  });
}

/**
 * Publishes the OpenAPI 3.0.3 document of the routes that are registered below `scope` after this: generated from the
 * schemas that validate and serialise, so that it cannot say anything else than what happens.
 */
export async function serveDocument(app: HttpServer, scope: HttpServer, document: ServiceDocument): Promise<void> {
  const { name, title, description, audience = "client" } = document;
  await scope.register(fastifySwagger, {
    openapi: {
      openapi: "3.0.3",
      info: {
        title,
        description: `${description}\n\n${conventionsOf(audience)}`,
        version: interfaceVersion,
        contact: { name: "The operator of this deployment" },
        license,
      },
      servers: [{ url: "/", description: "This deployment." }],
      tags: [{ name: title, description }],
      ...(audience === "operator" ? bySession : byToken),
    },
    stripBasePath: false,
    // What routes know and the generator does not goes through as extensions; `finished` makes answers of them.
    transform: ({ schema, url, route }) => {
      const config = route.config as (Partial<DocumentedRoute> & OptionalBodyRoute & OperatorRoute) | undefined;
      const operationId = (schema as { operationId?: string } | undefined)?.operationId ?? "";
      return {
        schema: {
          ...schema,
          // Mounted beside operations of others, it may meet one of its name.
          ...(config?.isOfClient
            ? { operationId: `client${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}` }
            : {}),
          ...(audience === "operator" && config?.isOpen !== true ? accessWords(route, schema as Described) : {}),
          tags: [title],
          ...(route.method === "PATCH" ? { consumes: ["application/json", mergePatchMediaType] } : {}),
          "x-problems": config?.problems ?? [],
          "x-body-optional": config?.isBodyOptional === true,
          "x-open": config?.isOpen === true,
          "x-takes-proof": config?.takesProof === true,
          "x-mounted": config?.isOfClient === true,
        },
        url,
      };
    },
  });
  let whole: JsonObject | undefined;
  const read = () => {
    whole ??= finished(scope.swagger() as unknown as JsonObject, audience);
    return whole;
  };
  let text: string | undefined;
  app.get(documentPath(name), (_request, reply) => {
    text ??= printed(read());
    return reply.header("Cache-Control", cacheControl).type("application/json").send(text);
  });
  publish(app, { ...document, read });
}
