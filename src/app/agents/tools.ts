import type { PublishedDocument } from "#/http/openapi/openapi.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { version31 } from "#/http/openapi/version-31.ts";

/** A tool of an agent: an operation of a published document (docs/agents.md). */
interface ToolName {
  readonly name: string;
  readonly service: string;
  readonly operationId: string;
}

/** Operations that change nothing. The first are those that most questions need. */
const reading: readonly ToolName[] = [
  { name: "explain_order", service: "order", operationId: "explainOrder" },
  { name: "get_order", service: "order", operationId: "getOrder" },
  { name: "list_orders", service: "order", operationId: "listOrders" },
  { name: "list_parcels", service: "order", operationId: "listOlpns" },
  { name: "list_documents", service: "order", operationId: "listDocuments" },
  { name: "promise_order", service: "order", operationId: "promiseOrder" },
  { name: "validate_order", service: "order", operationId: "validateCreateOrder" },
  { name: "get_purchase_order", service: "order", operationId: "getClientPurchaseOrder" },
  { name: "list_purchase_orders", service: "order", operationId: "listClientPurchaseOrders" },
  { name: "get_return", service: "order", operationId: "getRma" },
  { name: "list_returns", service: "order", operationId: "listRmas" },
  { name: "find_stock", service: "inventory", operationId: "findInventoryBySkuList" },
  { name: "find_stock_details", service: "inventory", operationId: "findInventoryDetailsBySkuList" },
  { name: "list_movements", service: "inventory", operationId: "listMovements" },
  { name: "reconcile_stock", service: "inventory", operationId: "reconcile" },
  { name: "trace_lot", service: "inventory", operationId: "traceLot" },
  { name: "find_items", service: "item-master", operationId: "findItemBySkuList" },
  { name: "list_facilities", service: "facility", operationId: "listFacilities" },
  { name: "list_work_orders", service: "work-order", operationId: "listWorkOrders" },
  { name: "list_events", service: "webhook", operationId: "listEvents" },
  { name: "list_webhooks", service: "webhook", operationId: "listWebhooks" },
  { name: "list_deliveries", service: "webhook", operationId: "listDeliveries" },
  { name: "get_delivery", service: "webhook", operationId: "getDelivery" },
  { name: "list_requests", service: "webhook", operationId: "listRequests" },
  { name: "get_request", service: "webhook", operationId: "getRequest" },
];

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12: path, query and body of the operation as one object. */
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  /** @throws {TypeError} where an argument of the path is missing. */
  requestOf(args: Readonly<Record<string, unknown>>): ToolRequest;
}

export interface ToolRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonObject;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonObject } } };
}

/** The tools whose documents this process publishes. */
export function listTools(documents: readonly PublishedDocument[]): readonly AgentTool[] {
  const services = new Set(reading.map(({ service }) => service));
  // Each is converted once: a conversion for each tool took 86 ms of the main thread in the place of 20.
  const converted = new Map(
    documents.filter(({ name }) => services.has(name)).map(({ name, read }) => [name, version31(read()) as JsonObject]),
  );
  return reading.flatMap(({ name, service, operationId }) => {
    const document = converted.get(service);
    return document === undefined ? [] : [toolOf(name, operationId, document)];
  });
}

function toolOf(name: string, operationId: string, document: JsonObject): AgentTool {
  for (const [path, methods] of Object.entries(document.paths as Readonly<Record<string, JsonObject>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      if ((operation as Operation).operationId === operationId) {
        return toolOfOperation(name, method === "get" ? "GET" : "POST", path, operation as Operation, document);
      }
    }
  }
  throw new Error(`no published operation ${operationId}`);
}

function toolOfOperation(
  name: string,
  method: "GET" | "POST",
  path: string,
  { summary, description, parameters = [], requestBody }: Operation,
  document: JsonObject,
): AgentTool {
  const fields = parameters
    .map((parameter) => resolved(parameter, document) as unknown as Parameter)
    .filter((parameter) => parameter.in !== "header");
  const body = requestBody && resolved(requestBody.content["application/json"].schema, document);
  const ofQuery = new Set(fields.filter((field) => field.in === "query").map((field) => field.name));
  const properties = {
    ...(body?.properties as JsonObject | undefined),
    ...Object.fromEntries(fields.map((field) => [field.name, { description: field.description, ...field.schema }])),
  };
  const needed = fields.filter((field) => field.required === true).map((field) => field.name);
  const schema = {
    type: "object" as const,
    properties,
    required: [...needed, ...((body?.required as readonly string[] | undefined) ?? [])],
    additionalProperties: false,
  };
  return {
    name,
    title: summary,
    description: [summary, description].filter(Boolean).join(". "),
    inputSchema: withDefinitions(schema, document),
    requestOf(args) {
      const inBody: Record<string, unknown> = {};
      const query = new URLSearchParams();
      const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => {
        const value = args[part];
        if (typeof value !== "string" || value === "") throw new TypeError(`the argument ${part} is missing`);
        return encodeURIComponent(value);
      });
      for (const [key, value] of Object.entries(args)) {
        if (path.includes(`{${key}}`) || value === undefined || value === null) continue;
        if (body !== undefined && !ofQuery.has(key)) inBody[key] = value;
        else for (const part of Array.isArray(value) ? value : [value]) query.append(key, textOf(part));
      }
      const search = query.toString();
      const url = search === "" ? filled : `${filled}?${search}`;
      return body === undefined ? { method, url } : { method, url, body: inBody };
    },
  };
}

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

const prefix = "#/components/";

/** The part of the document that a reference names; the value itself if it is none. */
function resolved(value: JsonObject, document: JsonObject): JsonObject {
  const { $ref: reference } = value;
  if (typeof reference !== "string") return value;
  const found = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((part, key) => (part as JsonObject | undefined)?.[key], document);
  return found as JsonObject;
}

/** The schema with the schemas that it names, at any depth, as its `$defs`. */
function withDefinitions<Schema extends object>(schema: Schema, document: JsonObject): Schema {
  const definitions: Record<string, unknown> = {};
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    const { $ref: reference } = value as JsonObject;
    if (typeof reference === "string" && reference.startsWith(prefix)) {
      const name = reference.slice(reference.lastIndexOf("/") + 1);
      if (!Object.hasOwn(definitions, name)) {
        definitions[name] = undefined;
        definitions[name] = moved(resolved(value as JsonObject, document));
      }
      return { $ref: `#/$defs/${name}` };
    }
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, moved(part)]));
  };
  const whole = moved(schema) as Schema;
  return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions };
}
