// The types and operations of the published documents, for the generators of the clients in other languages than TypeScript.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { feedTypes } from "../../packages/client/scripts/feed-types.ts";
import { readXml, type XmlElement } from "../../packages/client/src/xml.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export type Reference =
  | { readonly kind: "string" | "integer" | "number" | "boolean" | "dateTime" | "any" }
  | { readonly kind: "list" | "map"; readonly of: Reference }
  | { readonly kind: "record"; readonly name: string };

export interface Field {
  /** In JSON; of a feed `@unit` is an attribute, and `#text` the text beside it. */
  readonly name: string;
  readonly description: string;
  readonly type: Reference;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

export interface RecordType {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

/** A list of texts. It is open: a later server may know more. */
export interface Enumeration {
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
}

export interface Operation {
  /** `getOrder` */
  readonly name: string;
  /** The first sentence of its description, without the full stop. */
  readonly summary: string;
  readonly method: string;
  readonly path: string;
  readonly pathFields: readonly Field[];
  /** Without `cursor`, where the operation is a list. */
  readonly queryFields: readonly Field[];
  readonly hasKey: boolean;
  readonly hasIfMatch: boolean;
  readonly body: Reference | undefined;
  /** Of a list the record of an item; undefined for an answer without a body. */
  readonly answer: Reference | "file" | undefined;
  readonly isList: boolean;
}

export interface Service {
  /** Of the document: `work-order`. */
  readonly name: string;
  /** In the client: `workOrders`. */
  readonly clientName: string;
  readonly description: string;
  readonly records: readonly RecordType[];
  readonly enumerations: readonly Enumeration[];
  readonly operations: readonly Operation[];
}

export interface Feeds {
  readonly records: readonly RecordType[];
  /** The root element and the record of each feed. */
  readonly documents: readonly { readonly feed: string; readonly root: string; readonly record: string }[];
}

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

interface Parameter {
  readonly $ref?: string;
  readonly in: "query" | "path" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface OpenApiOperation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly tags?: readonly { readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

/** As in the TypeScript client. */
const clientNames: Readonly<Record<string, string>> = {
  "carrier-determination": "carriers",
  facility: "facilities",
  "item-master": "items",
  order: "orders",
  webhook: "webhooks",
  "work-order": "workOrders",
};

export const pascalCase = (name: string) =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export const camelCase = (name: string) => pascalCase(name).replace(/^./, (letter) => letter.toLowerCase());

export const snakeCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_/, "")
    .toLowerCase();

/** The name of a value of an enumeration, in camel case or in capitals: `receivedAtDescending` of `-receivedAt`. */
export const valueName = (value: string) =>
  (value.startsWith("-") ? `${value.slice(1)}Descending` : value).replace(/^(?=\d)/, "N");

/** One line. */
export const textOf = (description: string) => description.replace(/\s+/g, " ").trim();

/** Every document but the operators'. */
export function readServices(): readonly Service[] {
  const folder = path.join(root, "schemas", "openapi");
  return globSync("*.json", { cwd: folder })
    .map((file) => path.basename(file, ".json"))
    .filter((name) => name !== "operator")
    .sort()
    .map((name) => serviceOf(name, JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"))));
}

function serviceOf(name: string, { tags, paths, components }: Document): Service {
  const { schemas } = components;
  const records: RecordType[] = [];
  const isEnumeration = (schema: Schema | undefined) => schema?.enum !== undefined && schema.type === "string";

  function typeOf(schema: Schema, place: string): Reference {
    const [only] = schema.allOf ?? [];
    if (only !== undefined) return typeOf(only, place);
    if (schema.$ref !== undefined) {
      const target = schema.$ref.replace(/^.*\//, "");
      const named = schemas[target];
      return named?.properties === undefined ? typeOf(named as Schema, target) : { kind: "record", name: target };
    }
    if (schema.properties !== undefined) {
      records.push(recordOf(place, schema));
      return { kind: "record", name: place };
    }
    switch (schema.type) {
      case "array":
        return { kind: "list", of: typeOf(schema.items as Schema, `${place}Item`) };
      case "object": {
        const { additionalProperties: values } = schema;
        return { kind: "map", of: typeof values === "object" ? typeOf(values, `${place}Value`) : { kind: "any" } };
      }
      case "integer":
      case "number":
      case "boolean":
        return { kind: schema.type };
      case "string":
        return { kind: schema.format === "date-time" ? "dateTime" : "string" };
      default:
        return { kind: "any" };
    }
  }

  function recordOf(type: string, { description = "", properties = {}, required = [] }: Schema): RecordType {
    const fields = Object.entries(properties).map(([field, schema]) => ({
      name: field,
      description: textOf(schema.description ?? ""),
      type: typeOf(schema, type + pascalCase(field)),
      isRequired: required.includes(field),
      isNullable: schema.nullable === true,
    }));
    return { name: type, description: textOf(description), fields };
  }

  function operationOf(method: string, route: string, operation: OpenApiOperation): Operation {
    const parameters = (operation.parameters ?? []).map((parameter) =>
      parameter.$ref === undefined
        ? parameter
        : (components.parameters?.[parameter.$ref.replace(/^.*\//, "")] as Parameter),
    );
    const fieldsIn = (place: Parameter["in"]) =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map(
          ({ name, description = "", schema, required = false }): Field => ({
            name,
            description: textOf(description),
            type: typeOf(schema, pascalCase(name)),
            isRequired: required,
            isNullable: false,
          }),
        );
    const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? [];
    const answered = Object.entries(response?.content ?? {});
    const [[, { schema = undefined } = {}] = []] = answered.filter(([type]) => type.includes("json"));
    const answer = schema && typeOf(schema, `${pascalCase(operation.operationId)}Answer`);
    const query = fieldsIn("query");
    const page = records.find((record) => answer?.kind === "record" && record.name === answer.name)?.fields ?? [];
    const items = page.find((field) => field.name === "items")?.type;
    const isList =
      method === "get" &&
      items?.kind === "list" &&
      page.some((field) => field.name === "nextCursor") &&
      query.some((field) => field.name === "cursor");
    const sent = operation.requestBody?.content["application/json"]?.schema;
    const hasHeader = (name: string) => parameters.some((parameter) => parameter.name.toLowerCase() === name);
    return {
      name: operation.operationId,
      summary: textOf(operation.description).replace(/\.(?:\s.*)?$/, ""),
      method: method.toUpperCase(),
      path: route,
      pathFields: fieldsIn("path"),
      queryFields: query.filter(({ name }) => !(isList && name === "cursor")),
      hasKey: hasHeader("idempotency-key"),
      hasIfMatch: hasHeader("if-match"),
      body: sent && typeOf(sent, `${pascalCase(operation.operationId)}Body`),
      answer: isList && items.kind === "list" ? items.of : (answer ?? (answered.length > 0 ? "file" : undefined)),
      isList,
    };
  }

  for (const [type, schema] of Object.entries(schemas)) {
    if (schema.properties !== undefined) records.push(recordOf(type, schema));
  }
  const operations = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, route, operation)),
  );
  const enumerations = Object.entries(schemas).flatMap(([type, schema]) =>
    isEnumeration(schema)
      ? [{ name: type, description: textOf(schema.description ?? ""), values: schema.enum as readonly string[] }]
      : [],
  );
  const clientName = clientNames[name] ?? camelCase(name);
  return { name, clientName, description: tags?.[0]?.description ?? "", records, enumerations, operations };
}

interface AsyncApiSchema extends Omit<Schema, "type" | "enum" | "properties" | "items"> {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, AsyncApiSchema>>;
  readonly items?: AsyncApiSchema;
}

/** The data of events, and the topics: a service without operations. */
export function readEvents(): Service {
  const { schemas, messages } = JSON.parse(readFileSync(path.join(root, "schemas", "asyncapi.json"), "utf8"))
    .components as {
    readonly schemas: Readonly<Record<string, AsyncApiSchema>>;
    readonly messages: Readonly<Record<string, { readonly name: string }>>;
  };
  const { Headers: _, ...data } = schemas;
  const topics = Object.values(messages).map(({ name }) => name);
  const named = { ...data, Topic: { type: "string", enum: topics, description: "Topic of an event." } };
  const components = { schemas: Object.fromEntries(Object.entries(named).map(([name, part]) => [name, plain(part)])) };
  return serviceOf("events", { paths: {}, components });
}

/** As OpenAPI 3.0 writes it: `nullable`, not a list of types. */
function plain({ type, enum: values, properties, items, ...schema }: AsyncApiSchema): Schema {
  const types = typeof type === "string" ? [type] : (type ?? []);
  const [first] = types.filter((name) => name !== "null");
  const parts = properties && Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, plain(part)]));
  return {
    ...schema,
    ...(first === undefined ? {} : { type: first }),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...(types.includes("null") ? { nullable: true } : {}),
    ...(parts === undefined ? {} : { properties: parts }),
    ...(items === undefined ? {} : { items: plain(items) }),
  };
}

/** The documents of the inbound feeds, from their XSDs. */
export function readFeeds(): Feeds {
  const schemas = feedTypes.map((feed) => {
    const schema = readXml(readFileSync(path.join(root, "schemas", "xsd", `${feed}.xsd`), "utf8"));
    return { feed, ...feedRecordsOf(schema, feed) };
  });
  return {
    records: schemas.flatMap(({ records }) => records),
    documents: schemas.map(({ feed, root: element }) => ({ feed, root: element, record: `${feed}Document` })),
  };
}

function feedRecordsOf(schema: XmlElement, feed: string) {
  const named = (kind: string) => new Map(childrenOf(schema, kind).map((type) => [nameOf(type), type]));
  const simple = named("xs:simpleType");
  const complex = named("xs:complexType");

  function typeOf(name: string): Reference {
    if (complex.has(name)) return { kind: "record", name: feed + name };
    const type = simple.get(name);
    if (type === undefined) return { kind: kinds[name] ?? "string" };
    const members = (childOf(type, "xs:union")?.attributes.memberTypes ?? "").split(" ");
    const [member] = members.filter((part) => part !== "" && part !== "Empty");
    if (member !== undefined) return typeOf(member);
    return { kind: kinds[childOf(type, "xs:restriction")?.attributes.base ?? ""] ?? "string" };
  }

  function fieldOf(element: XmlElement, name: string, isRequired: boolean): Field {
    const { type = "", maxOccurs = "1" } = element.attributes;
    const text = childOf(childOf(element, "xs:annotation"), "xs:documentation")?.text ?? "";
    const value = typeOf(type);
    const list = { kind: "list", of: value } as const;
    return {
      name,
      description: textOf(text),
      type: maxOccurs === "1" ? value : list,
      isRequired,
      isNullable: false,
    };
  }

  function recordOf(name: string, type: XmlElement): RecordType {
    const group = childOf(type, "xs:all") ?? childOf(type, "xs:sequence");
    const extension = childOf(childOf(type, "xs:simpleContent"), "xs:extension");
    const elements = childrenOf(group, "xs:element").map((element) =>
      fieldOf(element, nameOf(element), element.attributes.minOccurs !== "0"),
    );
    const text: Field[] = extension
      ? [
          {
            name: "#text",
            description: "",
            type: typeOf(extension.attributes.base ?? ""),
            isRequired: true,
            isNullable: false,
          },
        ]
      : [];
    const attributes = childrenOf(extension ?? type, "xs:attribute").map((attribute) =>
      fieldOf(attribute, `@${nameOf(attribute)}`, attribute.attributes.use === "required"),
    );
    const description = childOf(childOf(type, "xs:annotation"), "xs:documentation")?.text ?? "";
    return { name, description: textOf(description), fields: [...elements, ...text, ...attributes] };
  }

  const element = childOf(schema, "xs:element") as XmlElement;
  const records = [...complex].map(([name, type]) => recordOf(feed + name, type));
  return {
    root: nameOf(element),
    records: [...records, recordOf(`${feed}Document`, childOf(element, "xs:complexType") as XmlElement)],
  };
}

const kinds: Readonly<Record<string, "number" | "integer" | "boolean" | "dateTime">> = {
  "xs:decimal": "number",
  "xs:integer": "integer",
  "xs:boolean": "boolean",
  "xs:dateTime": "dateTime",
};

const nameOf = ({ attributes }: XmlElement) => attributes.name ?? "";
const childrenOf = (element: XmlElement | undefined, name: string) =>
  (element?.children ?? []).filter((child) => child.name === name);
const childOf = (element: XmlElement | undefined, name: string) => childrenOf(element, name)[0];
