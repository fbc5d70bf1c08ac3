import type { PublishedDocument } from "#/http/openapi/openapi.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { version31 } from "#/http/openapi/version-31.ts";
import { type AgentToolName, type AgentToolObject, agentToolNames, agentToolObjects } from "#/modules/clients/index.ts";

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

/** An operation that changes something: an agent proposes it. */
interface WritingTool {
  readonly service: string;
  readonly operationId: string;
  /** The argument that names the object. */
  readonly idArgument: string;
  /** The operation that reads the object before its change; a lot has none. */
  readonly before?: { readonly service: string; readonly operationId: string };
}

const order = { service: "order", idArgument: "orderId", before: { service: "order", operationId: "getOrder" } };
const lot = { service: "inventory", idArgument: "lotNumber" };

const writing: Readonly<Record<AgentToolName, WritingTool>> = {
  hold_order: { ...order, operationId: "holdOrder" },
  release_order: { ...order, operationId: "releaseOrder" },
  cancel_order: { ...order, operationId: "cancelOrder" },
  update_order: { ...order, operationId: "updateOrder" },
  cancel_order_line: { ...order, operationId: "cancelOrderLine" },
  hold_lot: { ...lot, operationId: "holdLot" },
  release_lot: { ...lot, operationId: "releaseLot" },
  cancel_return: {
    service: "order",
    operationId: "cancelRma",
    idArgument: "rmaNumber",
    before: { service: "order", operationId: "getRma" },
  },
  cancel_work_order: {
    service: "work-order",
    operationId: "cancelWorkOrder",
    idArgument: "workOrderId",
    before: { service: "work-order", operationId: "getWorkOrder" },
  },
  redeliver_webhook: {
    service: "webhook",
    operationId: "redeliver",
    idArgument: "deliveryId",
    before: { service: "webhook", operationId: "getDelivery" },
  },
};

const proposalFields = {
  proposalReason: {
    type: "string",
    minLength: 1,
    maxLength: 500,
    description: "Why you propose it: the person who decides reads this. State the facts that you found.",
  },
  proposalHours: {
    type: "integer",
    minimum: 1,
    maximum: 72,
    description: "Hours until the proposal expires; 24 if left out.",
  },
};

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12: path, query and body of the operation as one object. */
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  /** @throws {TypeError} where an argument of the path is missing. */
  requestOf(args: Readonly<Record<string, unknown>>): ToolRequest;
  /** Of a tool that changes something. */
  readonly proposes?: ProposingTool;
}

export interface ProposingTool {
  readonly name: AgentToolName;
  readonly objectType: AgentToolObject;
  readonly idArgument: string;
  /** The request that reads the object. */
  beforeOf(args: Readonly<Record<string, unknown>>): ToolRequest | undefined;
}

export interface ToolRequest {
  readonly method: "GET" | "POST" | "PATCH";
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
  readonly description: string;
  readonly parameters?: readonly JsonObject[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: JsonObject } } };
}

/** The tools whose documents this process publishes. */
export function listTools(documents: readonly PublishedDocument[]): readonly AgentTool[] {
  const services = new Set([...reading, ...Object.values(writing)].map(({ service }) => service));
  // Each is converted once: a conversion for each tool took 86 ms of the main thread in the place of 20.
  const converted = new Map(
    documents.filter(({ name }) => services.has(name)).map(({ name, read }) => [name, version31(read()) as JsonObject]),
  );
  const find = (name: string, service: string, operationId: string) => {
    const document = converted.get(service);
    return document === undefined ? [] : [toolOf(name, operationId, document)];
  };
  return [
    ...reading.flatMap(({ name, service, operationId }) => find(name, service, operationId)),
    ...agentToolNames.flatMap((name) => {
      const { service, operationId, idArgument, before } = writing[name];
      const [reader] = before === undefined ? [] : find(name, before.service, before.operationId);
      return find(name, service, operationId).map((tool) => proposingTool(tool, name, idArgument, reader));
    }),
  ];
}

function proposingTool(
  tool: AgentTool,
  name: AgentToolName,
  idArgument: string,
  reader: AgentTool | undefined,
): AgentTool {
  const { properties, required } = tool.inputSchema as unknown as {
    readonly properties: JsonObject;
    readonly required: readonly string[];
  };
  return {
    ...tool,
    description: `${tool.description} This proposes it: a person approves or rejects the proposal. get_proposal answers what became of it.`,
    inputSchema: {
      ...tool.inputSchema,
      properties: { ...properties, ...proposalFields },
      required: [...required, "proposalReason"],
    },
    proposes: {
      name,
      objectType: agentToolObjects[name],
      idArgument,
      beforeOf: (args) => reader?.requestOf({ [idArgument]: args[idArgument], clientId: args.clientId }),
    },
  };
}

function toolOf(name: string, operationId: string, document: JsonObject): AgentTool {
  for (const [path, methods] of Object.entries(document.paths as Readonly<Record<string, JsonObject>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      if ((operation as Operation).operationId === operationId) {
        return toolOfOperation(
          name,
          method.toUpperCase() as ToolRequest["method"],
          path,
          operation as Operation,
          document,
        );
      }
    }
  }
  throw new Error(`no published operation ${operationId}`);
}

function toolOfOperation(
  name: string,
  method: ToolRequest["method"],
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
    description,
    inputSchema: withDefinitions(schema, document),
    requestOf(args) {
      const inBody: Record<string, unknown> = {};
      const query = new URLSearchParams();
      const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => {
        const value = typeof args[part] === "number" ? String(args[part]) : args[part];
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
