import { fastifySwagger } from "@fastify/swagger";
import type { RouteOptions } from "fastify";
import type { Audience } from "#/http/access/caller.ts";
import { leastRoleOf, type OperatorRoute, sessionCookie } from "#/http/access/operator.ts";
import { finished } from "#/http/openapi/finish.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { titleOf } from "#/http/openapi/titles.ts";
import { version31 } from "#/http/openapi/version-31.ts";
import { type HttpServer, mergePatchMediaType, type OptionalBodyRoute } from "#/http/server/server.ts";
import { asideOfSteps } from "#/kernel/telemetry/loop-watch.ts";

/** The description of a service in its OpenAPI document; its operations come from the routes themselves. */
export interface ServiceDocument {
  /** The document is published at `/openapi/{name}.json`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The audience of the service; clients by default. */
  readonly audience?: Audience;
}

/** For the `config` of a route: statuses that it answers as problem details in addition to those of every operation. */
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
          "The cookie that POST /v1/operatorService/session/create sets; by https its name is __Host-crossdock_session. Every request but a GET also carries the csrfToken of the session in the header X-CSRF-Token.",
      },
    },
  },
  security: [{ session: [] as string[] }],
};

/** The `config` of a route: the statuses that it answers as problem details in addition to those of every operation. */
export const answers = (...problems: readonly number[]): DocumentedRoute => ({ problems });

/**
 * Version of the published interface: each release of the interface increments it. The first number changes only for a
 * breaking change.
 */
export const interfaceVersion = "1.0.0";

/** License of the program and of its published interface: the file LICENSE. */
export const license = { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" } as const;

/** Name and words of an operation in the schema of its route. */
interface Described {
  readonly operationId?: string;
  /** The first sentence of the published description, without its full stop. */
  readonly summary?: string;
  readonly description?: string;
}

/** The role that an operation of the console requires, and its partition by facility: as text, and for programs. */
function accessWords(route: RouteOptions, description: string) {
  const config = route.config as OperatorRoute | undefined;
  const role = leastRoleOf(config, route.method as string);
  const closed = config?.partition === undefined ? " Not available to users who are limited to facilities." : "";
  return {
    description: `${description} Requires the role ${role}${config?.isForDevelopers ? ", or developer" : ""}.${closed}`,
    "x-least-role": role,
    "x-for-developers": config?.isForDevelopers === true,
    "x-facility-partition": config?.partition ?? "closed",
  };
}

const documentsKey = "crossdockDocuments";

export interface PublishedDocument extends ServiceDocument {
  /** The document itself; available once the server listens. */
  read(): JsonObject;
}

/** The documents that the server publishes, those with the most readers first; complete once the server listens. */
export function publishedDocuments(app: HttpServer): readonly PublishedDocument[] {
  return app.hasDecorator(documentsKey) ? app.getDecorator<PublishedDocument[]>(documentsKey) : [];
}

export const documentPath = (name: string): string => `/openapi/${name}.json`;
const documentPath31 = (name: string): string => `/openapi/3.1/${name}.json`;

const cacheControl = "public, max-age=300";

/** The developers of clients come first, and the console's internal service last. */
const audiences: readonly Audience[] = ["client", "warehouse", "carrier", "operator"];
const rankOf = ({ audience = "client" }: ServiceDocument) => audiences.indexOf(audience);

/** Adds a document to the index at `/openapi`; the first document creates the index. */
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
      name,
      title,
      description,
      url: documentPath(name),
      url31: documentPath31(name),
    }));
    return reply.header("Cache-Control", cacheControl).send({ items });
  });
  app.get("/openapi/", (_request, reply) => reply.redirect("/openapi", 301));
}

/**
 * Publishes the OpenAPI 3.0.3 document of the routes that are registered below `scope` afterwards, and its 3.1 twin. It is generated from
 * the schemas that validate and serialise, so that it cannot differ from the behaviour.
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
    // Facts that routes know and the generator does not are passed on as extensions; `finished` converts them to
    // answers.
    transform: ({ schema, url, route }) => {
      const config = route.config as (Partial<DocumentedRoute> & OptionalBodyRoute & OperatorRoute) | undefined;
      const { operationId = "", summary = "", description } = (schema ?? {}) as Described;
      const words = `${summary}.${description === undefined ? "" : ` ${description}`}`;
      return {
        schema: {
          ...schema,
          summary: titleOf(operationId, config?.isOfClient === true),
          description: words,
          // Mounted next to the operations of another service, it needs a name that does not collide.
          ...(config?.isOfClient
            ? { operationId: `client${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}` }
            : {}),
          ...(audience === "operator" && config?.isOpen !== true ? accessWords(route, words) : {}),
          tags: [title],
          ...(route.method === "PATCH" ? { consumes: ["application/json", mergePatchMediaType] } : {}),
          "x-problems": config?.problems ?? [],
          "x-body-optional": config?.isBodyOptional === true,
          "x-open": config?.isOpen === true,
          "x-anonymous": config?.isAnonymous === true,
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
  const forms = [
    { path: documentPath(name), form: read },
    { path: documentPath31(name), form: () => version31(read()) },
  ];
  for (const { path, form } of forms) {
    let text: string | undefined;
    app.get(path, (_request, reply) => {
      text ??= asideOfSteps(() => printed(form()));
      return reply.header("Cache-Control", cacheControl).type("application/json").send(text);
    });
  }
  publish(app, { ...document, read });
}

const columnsMax = 120;

/**
 * The document as text: JSON with an indent of 2, where an object or list that fits into 120 columns is on one line.
 * Without that, the nine documents have 66,900 lines.
 */
function printed(document: unknown): string {
  return `${lines(document, "", 0)}\n`;
}

/** @param before the columns that a key already occupies on the line. */
function lines(value: unknown, indent: string, before: number): string {
  const short = flat(value, columnsMax - indent.length - before);
  if (short !== undefined) return short;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + lines(item, inner, 0));
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  const fields = present(value).map(([key, item]) => {
    const name = `${JSON.stringify(key)}: `;
    return inner + name + lines(item, inner, name.length);
  });
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

/** On one line; undefined where that takes more columns than `room`, which is found before the whole value is read. */
function flat(value: unknown, room: number): string | undefined {
  const within = (text: string) => (text.length <= room ? text : undefined);
  if (typeof value !== "object" || value === null) return within(JSON.stringify(value));
  const isList = Array.isArray(value);
  const members: (readonly [string, unknown])[] = isList
    ? value.map((item) => ["", item])
    : present(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item]);
  if (members.length === 0) return within(isList ? "[]" : "{}");
  let text = isList ? "[" : "{ ";
  const end = isList ? "]" : " }";
  for (const [i, [name, item]] of members.entries()) {
    text += (i > 0 ? ", " : "") + name;
    const part = flat(item, room - text.length - end.length);
    if (part === undefined) return undefined;
    text += part;
  }
  return text + end;
}

const present = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined);

// The description of the conventions of rest.md §2 in every document, so that a reader needs no other page.

const token =
  "**Token.** Every operation takes `Authorization: Bearer <ACCESS_TOKEN>`. `POST /v1/oauth/token` answers a token for the client_id and client_secret of a credential. The token is valid for `expires_in` seconds.";

const client =
  "**Client.** `clientId` may be left out where the token is for one client. An object of another client is answered like an object that does not exist: 404.";

const session =
  "**Session.** `POST /v1/operatorService/session/create` takes user name and password and sets a cookie. The session ends after 12 hours, after 2 hours without use, and when the rights of the user change. Every request but a GET also carries the `csrfToken` of the session in `X-CSRF-Token`, and comes from a page of this address.";

const roles =
  "**Roles.** Unless an operation says otherwise, a viewer may read, an operator may change, and an admin may do both. Users may be limited to clients and to facilities: what is outside these limits is answered 403 where the request names it, and 404 where the request looks it up. Operations that concern all facilities of a client are not available to users who are limited to facilities: `x-facility-partition` of each operation says how it is partitioned.";

const mounted =
  "**Clients' operations.** `/v1/operatorService/client` has the operations of the clients' services, for the client that `clientId` names in query or body; a user of a single client may leave it out.";

const pages =
  "**Pages.** Lists answer `{items, nextCursor}`. Send `nextCursor` as `cursor` for the next page; it is null at the end. `limit` is 50 unless said otherwise, and at most 500. New objects do not shift the pages.";

const feeds =
  "**Change feeds.** Lists page by position and always answer a `nextCursor`: send it as `cursor`, now or later, for the changes since. No object appears before a position that was read.";

const writes =
  "**Writes.** A write takes an `Idempotency-Key`: a repeat gets the first answer and does nothing. Records carry `version`; their `ETag` in `If-Match` keeps an update from overwriting another one.";

const reports =
  "**Reports.** A report carries a `reportId`, or an `Idempotency-Key`: a repeat gets the first answer and does nothing. One request has up to 500 reports of a kind.";

const problems =
  "**Problems.** A refusal is answered as `application/problem+json` (RFC 9457). `type` leads to a page that explains it, and `errors` lists all faults of the request. Unknown fields and parameters are refused. Every answer carries `X-Correlation-Token`, which identifies the request for the operator.";

const rate =
  "**Rate.** Each credential has a rate. `RateLimit-Policy` and `RateLimit` state it, and a 429 says in `Retry-After` when to send the request again.";

const rateOfUsers = rate.replace("credential", "user");

/** @param audience whose service it is. */
function conventionsOf(audience: Audience): string {
  if (audience === "operator") return [session, roles, mounted, pages, writes, problems, rateOfUsers].join("\n\n");
  const chapters = audience === "client" ? [client, pages, writes] : [feeds, reports];
  return [token, ...chapters, problems, rate].join("\n\n");
}
