// Every operation of every published document, with a request built from its examples. The walks iterate over them.
import { readdirSync, readFileSync } from "node:fs";
import type { OperatorRole } from "#/http/access/operator-role.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly Json[];
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly example?: Json;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: Json;
}

/** The client operations are mounted here a second time, for console users. */
const mount = "/v1/operatorService/client/";

interface OperationObject {
  readonly operationId: string;
  readonly "x-least-role"?: OperatorRole;
  readonly "x-facility-partition"?: string;
  readonly "x-for-developers"?: boolean;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: Json }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

export interface PublishedOperation {
  readonly document: string;
  readonly operationId: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: Json; readonly isRequired: boolean } | undefined;
  readonly statuses: readonly string[];
  /** For a console operation: the required role; undefined for sign-in and for other services. */
  readonly leastRole: OperatorRole | undefined;
  /** For a console operation: its partition by facility, or `closed` to users who are limited to facilities. */
  readonly partition: string | undefined;
  /** For a console operation: whether developers of brands may use it. */
  readonly isForDevelopers: boolean;
  /** A client operation that is mounted for console users too, with the same code. */
  readonly isMounted: boolean;
  /** The schema itself, or the one that it refers to. */
  resolve(schema: Schema): Schema;
}

const folder = new URL("../../../schemas/openapi/", import.meta.url);

export function listPublishedOperations(): PublishedOperation[] {
  const operations = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => operationsOf(file.slice(0, -5), JSON.parse(readFileSync(new URL(file, folder), "utf8"))));
  const tailOf = ({ path }: { path: string }) => path.replace(/^\/v1\/\w+Service\//, "");
  const ofClients = new Set(operations.filter(({ document }) => document !== "operator").map(tailOf));
  return operations.map((operation) => ({
    ...operation,
    isMounted: operation.path.startsWith(mount) && ofClients.has(operation.path.slice(mount.length)),
  }));
}

function operationsOf(document: string, api: OpenApi): Omit<PublishedOperation, "isMounted">[] {
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (api.components.schemas[name] as Schema);
  };
  const parameterOf = (parameter: Parameter | { readonly $ref: string }): Parameter =>
    "$ref" in parameter
      ? (api.components.parameters?.[parameter.$ref.split("/").at(-1) ?? ""] as Parameter)
      : parameter;
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const media = operation.requestBody?.content["application/json"];
      return {
        document,
        path,
        resolve,
        operationId: operation.operationId,
        method: method.toUpperCase(),
        parameters: (operation.parameters ?? []).map(parameterOf),
        body: media && {
          schema: media.schema,
          example: media.example as Json,
          isRequired: operation.requestBody?.required === true,
        },
        leastRole: operation["x-least-role"],
        partition: operation["x-facility-partition"],
        isForDevelopers: operation["x-for-developers"] === true,
        statuses: Object.keys(operation.responses),
      };
    }),
  );
}

export interface ExampleRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/** Path, query and body of the examples, without optional parameters except clientId. */
export function exampleRequest(operation: PublishedOperation, clientId: string | undefined): ExampleRequest {
  const of = (place: string) =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, schema, example = schema.example }) => [name, String(example)]),
    );
  const takesClientId = operation.parameters.some(
    (parameter) => parameter.in === "query" && parameter.name === "clientId",
  );
  return {
    path: of("path"),
    query: { ...of("query"), ...(takesClientId && clientId !== undefined ? { clientId } : {}) },
    body: operation.body && withClient(operation.body.example, clientId),
  };
}

/** The body for another client; without clientId if that is undefined. */
function withClient(body: Json, clientId: string | undefined): Json {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "clientId")) return body;
  const { clientId: _clientId, ...rest } = body as { readonly [name: string]: Json };
  return clientId === undefined ? rest : { clientId, ...rest };
}

export function urlOf(base: string, operation: PublishedOperation, { path, query }: ExampleRequest): string {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] as string));
  const search = new URLSearchParams(query).toString();
  return base + filled + (search === "" ? "" : `?${search}`);
}

/** A document in JSON: its Idempotency-Key is that of its feed (contract feeds.md §1), not of the REST services. */
export const isDocument = ({ document, path }: PublishedOperation) =>
  document !== "operator" && /\/(?:order|purchaseOrder|rma)\/create$|\/item\/upsert$/.test(path);

/** A report of the warehouse port: a repeat of it is known by its reportId, not only by an Idempotency-Key. */
export const isReport = ({ document, path }: PublishedOperation) =>
  document === "warehouse" && /\/report$|\/parcel\/void$|\/load\/remove$/.test(path);
