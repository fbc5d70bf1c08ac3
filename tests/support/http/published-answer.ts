// Validates a response of a REST service against the committed OpenAPI document of the service.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Compile } from "typebox/schema";

interface AnswerObject {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, AnswerObject>>;
}

/** The parts of an OpenAPI document that validate responses. */
export interface Published {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** An answer as it came over the wire. */
export interface Answered {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The listener returns these before an operation is known. */
const statusesOfListener = [408, 417, 431];
/** Statuses of an unknown path. Without credentials the response is 401. */
const statusesOfNowhere = [400, 401, 404, 405, 408, 417, 429, 431, 503];
const problemMediaType = "application/problem+json";
const guardedHeaders = ["ETag", "Location"];

const regenerate =
  "regenerate the documents by CROSSDOCK_TEST_UPDATE=1 node --test tests/flows/rest/openapi.test.ts, or correct the answer";

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const published = new URL("../../../schemas/openapi/", import.meta.url);

/** The committed documents, with the references to shared responses and examples resolved. */
export const readPublished = (): Published[] => readdirSync(published).map(readDocument);

function readDocument(file: string): Published {
  const text = readFileSync(new URL(file, published), "utf8");
  const { components } = JSON.parse(text) as { components: Components };
  const inPlace = (_: string, value: unknown) => {
    const reference = (value as { $ref?: unknown } | null)?.$ref;
    const [, kind = "", name = ""] = /^#\/components\/(responses|examples)\/(.+)$/.exec(String(reference)) ?? [];
    return kind === "" ? value : components[kind]?.[name];
  };
  // Twice, because a response refers to its examples.
  return JSON.parse(JSON.stringify(JSON.parse(text, inPlace)), inPlace) as Published;
}

/** Reads the document of a service at its first response: those of all services take 0.3 s of processor time. */
export function createPublishedValidator(): (answer: Answered) => readonly string[] {
  const files = new Set(readdirSync(published));
  const validators = new Map<string, ReturnType<typeof createAnswerValidator>>();
  return (answer) => {
    const [, service = ""] = /^\/v1\/(\w+)Service\//.exec(answer.path) ?? [];
    const named = `${service.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;
    // The problems of an unknown service are those of any.
    const file = files.has(named) ? named : "facility.json";
    const validate = validators.get(file) ?? createAnswerValidator([readDocument(file)]);
    validators.set(file, validate);
    return validate(answer);
  };
}

/** Validates responses against these documents. Returns the faults of each response; none if it is as documented. */
export function createAnswerValidator(documents: readonly Published[]): (answer: Answered) => readonly string[] {
  const places = documents.flatMap((document) => {
    const checks = checksOf(document);
    return Object.entries(document.paths).map(([template, methods]) => ({
      methods,
      checks,
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  });
  const anyProblem = places[0]?.checks({ $ref: "#/components/schemas/Problem" });

  return (answer) => {
    const { method, path, status } = answer;
    const place = places.find(({ pattern }) => pattern.test(path));
    const operation = place?.methods[method.toLowerCase()];
    const type = mediaTypeOf(answer);
    if (!place || !operation) {
      if (!statusesOfNowhere.includes(status))
        return [`no document has the operation ${method} ${path}; ${regenerate}`];
      return type === problemMediaType && anyProblem ? anyProblem(answer.body) : [`it is not a problem but ${type}`];
    }
    const documented = operation.responses[String(status)];
    if (!documented) {
      if (statusesOfListener.includes(status)) return [];
      return [`status ${status} is not documented for ${method} ${path}; ${regenerate}`];
    }
    return [...headerFaults(answer, documented), ...bodyFaults(answer, type, documented, place.checks)];
  };
}

/** A `fetch` that records every response. For an undocumented response, it reports the faults and then throws. */
export function watched(
  plainFetch: typeof fetch,
  validate: (answer: Answered) => readonly string[],
  note: (answer: Answered) => void,
  tell: (fault: string) => void,
): typeof fetch {
  return async (input, init) => {
    const response = await plainFetch(input, init);
    const request = input instanceof Request ? input : undefined;
    const path = new URL(request?.url ?? String(input)).pathname;
    if (!/^\/v1\/\w+Service\//.test(path)) return response;
    const body = await response.clone().text();
    const method = (init?.method ?? request?.method ?? "GET").toUpperCase();
    const answer = { method, path, status: response.status, headers: response.headers, body };
    note(answer);
    const faults = validate(answer);
    if (faults.length === 0) return response;
    const fault = `${method} ${path} answered ${response.status}, which is not as documented: ${faults.join("; ")}`;
    tell(fault);
    assert.fail(`${fault}\n${body.slice(0, 2_000)}`);
  };
}

const mediaTypeOf = ({ headers }: Answered) => (headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";

function headerFaults({ headers, status, body }: Answered, { headers: documented = {} }: AnswerObject): string[] {
  const faults = headers.has("X-Correlation-Token") ? [] : ["the header X-Correlation-Token is missing"];
  for (const name of guardedHeaders) {
    const isDocumented = Object.hasOwn(documented, name);
    // An object that was not found has no version.
    const isLeftOut = name === "ETag" && body.includes('"version":null');
    if (isDocumented && !headers.has(name) && !isLeftOut)
      faults.push(`the header ${name} is documented for ${status} and missing`);
    if (!isDocumented && headers.has(name)) faults.push(`the header ${name} is not documented for ${status}`);
  }
  return faults;
}

type Check = (text: string) => readonly string[];

function bodyFaults(
  { body, status }: Answered,
  type: string,
  { content }: AnswerObject,
  checks: (schema: object) => Check,
): readonly string[] {
  if (!content) return body === "" ? [] : [`a ${status} has no body, but this one has`];
  const media = content[type];
  if (!media) return [`the content type ${type} is not documented for ${status}, but ${Object.keys(content).join()}`];
  return /[/+]json$/.test(type) ? checks(media.schema)(body) : [];
}

/** Schemas are compiled on first use, because a test file calls few of the operations. */
function checksOf(document: Published): (schema: object) => Check {
  const compiled = new WeakMap<object, Check>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known) return known;
    const validator = Compile(asJsonSchema(schema, document) as object);
    const check: Check = (text) => {
      const value = parse(text);
      if (value === undefined) return ["the body is not JSON"];
      if (validator.Check(value)) return [];
      const [, errors] = validator.Errors(value);
      return errors.map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`);
    };
    compiled.set(schema, check);
    return check;
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const dataKeys = ["example", "enum", "default"];

/** Converts OpenAPI 3.0 keywords to JSON Schema: `nullable`, exclusive bounds; references are resolved in place. */
function asJsonSchema(value: unknown, document: Published): unknown {
  if (Array.isArray(value)) return value.map((item) => asJsonSchema(item, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string") {
    return asJsonSchema(document.components.schemas[$ref.split("/").at(-1) as string], document);
  }
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, dataKeys.includes(key) ? item : asJsonSchema(item, document)]),
  ) as Record<string, unknown>;
  for (const [bound, excluded] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (copy[excluded] !== true) continue;
    copy[excluded] = copy[bound];
    delete copy[bound];
  }
  if (copy.nullable !== true) return copy;
  const { nullable: _nullable, ...rest } = copy;
  return { anyOf: [rest, { type: "null" }] };
}
