/** The operations of a server by its OpenAPI documents, and the request that words of the command line make of them. */
import { type Refusal, refuse } from "#/cli/command.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { nearestName } from "#/kernel/values/nearest-name.ts";

/** The part of a schema of OpenAPI 3.0 that the command reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Undefined where the operation takes no JSON. */
  readonly body: Schema | undefined;
  /** The schema itself, or the one that it refers to, without `null`. */
  resolve(schema: Schema): Schema;
}

export function operationsOf(documents: readonly ApiDocument[]): readonly Operation[] {
  return documents.flatMap(({ paths, components }) => {
    const resolve = (schema: Schema): Schema => {
      const name = schema.$ref?.split("/").at(-1);
      if (name !== undefined) return resolve(components.schemas?.[name] ?? {});
      const other = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].find(
        ({ type, $ref }) => $ref ?? type !== "null",
      );
      return other && schema.type === undefined ? resolve(other) : schema;
    };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Operation => {
        const { operationId: name, summary = "", description, parameters = [], requestBody } = operation;
        return {
          name,
          summary,
          description,
          path,
          resolve,
          method: method.toUpperCase(),
          parameters: parameters.map((parameter) =>
            parameter.$ref === undefined
              ? parameter
              : (components.parameters?.[parameter.$ref.split("/").at(-1) ?? ""] ?? parameter),
          ),
          body: requestBody?.content["application/json"]?.schema,
        };
      }),
    );
  });
}

/** An operation by its name. Those of a client's services have the prefix `client` beside the console's: it may be omitted. */
export function findOperation(operations: readonly Operation[], name: string): Result<Operation, Refusal> {
  const wanted = name.toLowerCase();
  const isNamed = (text: string) => (operation: Operation) => operation.name.toLowerCase() === text;
  const found = operations.find(isNamed(wanted)) ?? operations.find(isNamed(`client${wanted}`));
  if (found) return ok(found);
  const names = operations.flatMap((operation) => [
    operation.name,
    uncapitalised(operation.name.replace(/^client/, "")),
  ]);
  const nearest = nearestName(name, [...new Set(names)]);
  const hint = nearest === undefined ? ":" : `; did you mean ${nearest}?`;
  return refuse(`the server has no operation ${name}${hint} \`crossdock api list\` lists all`);
}

const uncapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * The request of an operation. A word `key=value` is a parameter of the path, of the query or a header, or else a field of
 * the body: `shipToAddress.city=Leeds`. A repeated key makes a list.
 *
 * @param json the body that the fields are set in.
 * @returns a refusal that names the word, and the keys that the operation has.
 */
export function requestOf(operation: Operation, words: readonly string[], json: unknown): Result<ApiRequest, Refusal> {
  const { parameters, method } = operation;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const inPath = new Map<string, string>();
  let body = json;
  for (const word of words) {
    const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (key === "") return refuse(`'${word}' is not KEY=VALUE`);
    const named = parameters.find(({ name }) => name.toLowerCase() === key.toLowerCase());
    if (named?.in === "path") inPath.set(named.name, value);
    if (named?.in === "query") query.append(named.name, value);
    if (named?.in === "header") headers[named.name] = value;
    const [field = ""] = key.split(".");
    const isField = operation.body !== undefined && fieldOf(operation, operation.body, field) !== undefined;
    if (named === undefined && !isField) return refuse(unknownKey(operation, key));
    if (named === undefined || (isField && isRequiredIn(operation, field))) {
      const set = withField(operation, operation.body as Schema, body, key.split("."), value);
      if (!set.ok) return refuse(`${key}: ${set.fault}`);
      body = set.value;
    }
  }
  const missing = parameters.find(({ in: place, name }) => place === "path" && !inPath.has(name));
  if (missing) return refuse(`${missing.name} is missing: write ${missing.name}=VALUE`);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ""));
  const search = query.size === 0 ? "" : `?${query}`;
  const hasBody = operation.body !== undefined && (body !== undefined || method !== "GET");
  if (hasBody) headers["content-type"] = "application/json";
  return ok({ method, target: path + search, headers, body: hasBody ? JSON.stringify(body ?? {}) : null });
}

const isRequiredIn = ({ body, resolve }: Operation, field: string) =>
  body !== undefined && (resolve(body).required ?? []).includes(field);

function fieldOf({ resolve }: Operation, schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = resolve(schema);
  const property = properties?.[name];
  if (property) return resolve(property);
  return typeof additionalProperties === "object" ? resolve(additionalProperties) : undefined;
}

/** The keys of the words that an operation takes, with their descriptions: parameters, then fields of the body. */
export function keysOf(operation: Operation): readonly (readonly [key: string, form: string, meaning: string])[] {
  const { parameters, body, resolve } = operation;
  const rows = parameters.map(
    ({ name, schema, description, required }) =>
      [name, formOf(operation, schema) + (required ? ", required" : ""), description ?? schema.description] as const,
  );
  const { properties = {}, required = [] } = body === undefined ? {} : resolve(body);
  const fields = Object.entries(properties)
    .filter(([name]) => !parameters.some((parameter) => parameter.name === name))
    .map(
      ([name, schema]) =>
        [name, formOf(operation, schema) + (required.includes(name) ? ", required" : ""), schema.description] as const,
    );
  return [...rows, ...fields].map(([key, form, meaning = ""]) => [key, form, meaning.split("\n")[0] ?? ""]);
}

function formOf({ resolve }: Operation, schema: Schema): string {
  const { type = "value", enum: choices, items } = resolve(schema);
  if (choices) return choices.filter((choice) => choice !== null).join("|");
  return type === "array" && items ? `list of ${resolve(items).type ?? "value"}s` : type;
}

function unknownKey(operation: Operation, key: string): string {
  const keys = keysOf(operation).map(([name]) => name);
  const nearest = nearestName(key, keys);
  const hint = nearest === undefined ? "." : `; did you mean ${nearest}?`;
  return `${operation.name} has no ${key}${hint} It takes ${keys.length === 0 ? "nothing" : keys.join(", ")}`;
}

/** The body with a field set, in objects that are made where they are missing. */
function withField(
  operation: Operation,
  schema: Schema,
  body: unknown,
  [name = "", ...rest]: readonly string[],
  text: string,
): Result<unknown, string> {
  const field = fieldOf(operation, schema, name);
  if (field === undefined) return refused(`there is no field ${name}`);
  const fields = (typeof body === "object" ? body : {}) as Readonly<Record<string, unknown>>;
  const before = fields[name];
  const value =
    rest.length > 0 ? withField(operation, field, before, rest, text) : parseValue(operation, field, before, text);
  return value.ok ? ok({ ...fields, [name]: value.value }) : value;
}

function parseValue(operation: Operation, schema: Schema, before: unknown, text: string): Result<unknown, string> {
  switch (schema.type) {
    case "boolean":
      return text === "true" || text === "false"
        ? ok(text === "true")
        : refused(`expected true or false, not '${text}'`);
    case "integer":
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text))
        ? ok(Number(text))
        : refused(`expected a number, not '${text}'`);
    case "array": {
      if (text.startsWith("[")) return parsed(text);
      const item = parseValue(operation, operation.resolve(schema.items ?? {}), undefined, text);
      return item.ok ? ok([...(Array.isArray(before) ? before : []), item.value]) : item;
    }
    case "object":
      return parsed(text);
    default:
      return ok(text === "null" ? null : text);
  }
}

function parsed(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch {
    return refused(`expected JSON, not '${text.slice(0, 100)}'`);
  }
}
