// Post-processing of the generator's output, so that the document is OpenAPI 3.0.3 as linters and client generators
// expect it.
import type { Audience } from "#/http/access/caller.ts";
import {
  type HeaderName,
  headerComponents,
  headersOf,
  type OperationFacts,
  problemAnswer,
  problemExamples,
  problemSchema,
} from "#/http/openapi/problems.ts";
import { describe, isObject, type JsonObject, resolved, rewritten } from "#/http/openapi/schemas.ts";

/** Statuses that every operation may answer. */
const everywhere = [400, 401, 403, 429, 500, 503];

/**
 * @param document as generated; the function builds a new one from its parts.
 * @param audience whose service it is.
 * Schemas with a title become components of that name, problems become shared answers, every schema has an example, and
 * exclusive bounds use the notation of OpenAPI 3.0.
 */
export function finished(document: JsonObject, audience: Audience): JsonObject {
  const schemas: JsonObject = { Problem: problemSchema };
  const problems: Record<string, JsonObject> = {};
  const finishedPath = (methods: unknown) =>
    Object.fromEntries(
      Object.entries(methods as JsonObject).map(([method, operation]) => [
        method,
        finishedOperation(rewritten(operation, schemas, prefixOf(operation as JsonObject)) as JsonObject, {
          schemas,
          problems,
          audience,
          isRead: method === "get",
        }),
      ]),
    );
  const { paths: documentPaths, components, ...head } = document;
  const { paths, parameters } = withSharedParameters(
    Object.fromEntries(
      Object.entries(documentPaths as JsonObject).map(([path, methods]) => [path, finishedPath(methods)]),
    ),
  );
  const inUse = JSON.stringify([paths, problems]);
  const namesOf = (kind: string) =>
    new Set([...inUse.matchAll(new RegExp(`"#/components/${kind}/([\\w-]+)"`, "g"))].map(([, name = ""]) => name));
  const [instance = ""] = Object.keys(paths).filter((path) => !path.includes("{"));
  return {
    ...head,
    paths,
    components: {
      ...(components as JsonObject),
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses: sorted(problems),
      examples: problemExamples(namesOf("examples"), audience, instance),
      headers: headerComponents(namesOf("headers"), audience),
    },
  };
}

type Operations = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/**
 * A parameter becomes a component when several operations have it in identical form, and no operation has a different
 * form.
 */
function withSharedParameters(paths: Operations): { paths: JsonObject; parameters: JsonObject } {
  const variants = new Map<string, Set<string>>();
  const uses = new Map<string, number>();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const parameter of operations.flatMap(parametersOf)) {
    const name = componentOf(parameter);
    variants.set(name, (variants.get(name) ?? new Set()).add(JSON.stringify(parameter)));
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const isShared = (name: string) => variants.get(name)?.size === 1 && (uses.get(name) ?? 0) > 1;
  const parameters: JsonObject = {};
  const shared = (parameter: JsonObject) => {
    const name = componentOf(parameter);
    if (!isShared(name)) return parameter;
    parameters[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  };
  const withReferences = (operation: JsonObject) =>
    operation.parameters ? { ...operation, parameters: parametersOf(operation).map(shared) } : operation;
  const mapped = (methods: Readonly<Record<string, JsonObject>>) =>
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, withReferences(operation)]));
  return {
    paths: Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, mapped(methods)])),
    parameters,
  };
}

const parametersOf = ({ parameters = [] }: JsonObject) => parameters as readonly JsonObject[];

/**
 * `idempotency-key` becomes IdempotencyKey. A name that occurs in the path and in the query gets two component names.
 */
const componentOf = ({ name, in: place }: JsonObject): string =>
  `${place === "path" ? "Path" : ""}${String(name).replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const sorted = (components: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Operations mounted next to those of another service get a prefix, so that their names do not collide. */
const prefixOf = (operation: JsonObject) => (operation["x-mounted"] === true ? "Client" : "");

interface Around {
  readonly schemas: JsonObject;
  /** The shared answers so far, by name. */
  readonly problems: Record<string, JsonObject>;
  readonly audience: Audience;
  readonly isRead: boolean;
}

function finishedOperation(operation: JsonObject, { schemas, problems, audience, isRead }: Around): JsonObject {
  const {
    "x-problems": routeProblems,
    "x-body-optional": isBodyOptional,
    "x-open": isOpen,
    "x-anonymous": isAnonymous,
    "x-takes-proof": takesProof,
    "x-least-role": leastRole,
    "x-facility-partition": partition,
    "x-for-developers": isForDevelopers,
    responses,
    ...rest
  } = operation;
  const { operationId, summary, description, tags, requestBody } = rest;
  const succeeds = (responses as JsonObject)["200"] as JsonObject | undefined;
  const record = succeeds && schemaOf(succeeds, schemas);
  const isConditional = isRead && audience === "client" && record !== undefined && carriesVersion(record, schemas);
  const parameters = [...((rest.parameters ?? []) as JsonObject[]), ...(isConditional ? [ifNoneMatch] : [])].map(
    (jsonObject) => withParameterExample(jsonObject, schemas),
  );
  const body = requestBody as JsonObject | undefined;
  const headerNames = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name as string);
  const takesIdempotencyKey = headerNames.includes("idempotency-key");
  const statuses = new Set([
    ...everywhere,
    ...(body ? [413, 415] : []),
    ...(takesIdempotencyKey ? [409] : []),
    ...(headerNames.includes("if-match") ? [412] : []),
    ...(routeProblems as number[]),
  ]);
  const facts: OperationFacts = {
    audience,
    isOpen: isOpen === true,
    isAnonymous: isAnonymous === true,
    takesProof: takesProof === true,
    takesBody: body !== undefined,
    takesIdempotencyKey,
  };
  return {
    operationId,
    summary,
    description,
    tags,
    ...(leastRole === undefined
      ? {}
      : { "x-least-role": leastRole, "x-for-developers": isForDevelopers, "x-facility-partition": partition }),
    ...(isOpen === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { ...body, required: isBodyOptional !== true, content: contentOf(body, schemas) } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses as JsonObject).map(([status, response]) => [
          status,
          answer(status, response as JsonObject, schemas, takesIdempotencyKey),
        ]),
      ),
      ...(isConditional ? { 304: { description: "The version is the same.", headers: headersOf(304, ["ETag"]) } } : {}),
      ...Object.fromEntries(
        [...statuses]
          .sort((a, b) => a - b)
          .flatMap((status) => {
            const shared = problemAnswer(status, facts);
            if (shared === undefined) return [];
            problems[shared.name] = shared.answer;
            return [[String(status), { $ref: `#/components/responses/${shared.name}` }]];
          }),
      ),
    },
  };
}

const ifNoneMatch: JsonObject = {
  name: "if-none-match",
  in: "header",
  required: false,
  description: "ETag of the record that the sender has: the answer is 304 while its version is the same.",
  schema: { type: "string" },
  example: '"1"',
};

const contentOf = ({ content }: JsonObject, schemas: JsonObject) => withMediaExamples(content as JsonObject, schemas);

/** The schema of a request or an answer; undefined where there is no body. */
function schemaOf({ content }: JsonObject, schemas: JsonObject): JsonObject | undefined {
  const [media] = Object.values((content ?? {}) as JsonObject);
  return media === undefined ? undefined : resolved((media as JsonObject).schema as JsonObject, schemas);
}

/** The answer of an operation that succeeds. */
function answer(
  status: string,
  { description, content, ...rest }: JsonObject,
  schemas: JsonObject,
  isRepeatable: boolean,
): JsonObject {
  const schema = schemaOf({ content }, schemas);
  const more: HeaderName[] = [
    ...(schema && carriesVersion(schema, schemas) ? (["ETag"] as const) : []),
    ...(isRepeatable ? (["Idempotent-Replayed"] as const) : []),
  ];
  return {
    description: schema?.description ?? description,
    headers: { ...headersOf(Number(status), more), ...(rest.headers as JsonObject | undefined) },
    ...(content === undefined ? {} : { content: withMediaExamples(content as JsonObject, schemas) }),
  };
}

/** A record with a version is answered with its ETag, also where the record is nested in a larger answer. */
function carriesVersion(schema: JsonObject, schemas: JsonObject): boolean {
  const fields = Object.values((schema.properties ?? {}) as Record<string, JsonObject>);
  return hasVersion(schema) || fields.some((field) => hasVersion(resolved(field, schemas)));
}

const hasVersion = ({ properties }: JsonObject) => isObject(properties) && properties.version !== undefined;

// Examples of requests and answers, composed from the examples of the leaves of their schemas.

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-11-20T10:00:00.000Z",
  date: "2026-11-20",
  uuid: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
  uri: "https://shop.example/hooks",
};

/**
 * A value that fits the schema: its own example where it has one, otherwise composed of its parts, with every field.
 *
 * @param schemas the components that references point to.
 */
function exampleOf(jsonObject: JsonObject, schemas: JsonObject): unknown {
  const schema = resolved(jsonObject, schemas);
  if (schema.example !== undefined) return schema.example;
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[key];
    // Of a choice, the first branch counts. `allOf` wraps a single reference.
    if (Array.isArray(branches) && isObject(branches[0])) return exampleOf(branches[0], schemas);
  }
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([name, property]) => [
          name,
          exampleOf(property, schemas),
        ]),
      );
    case "array":
      return isObject(schema.items) ? [exampleOf(schema.items, schemas)] : [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    default:
      return schema.nullable ? null : (byFormat[String(schema.format)] ?? "text");
  }
}

/** The parameter with an example, in the position that OpenAPI defines for parameters. */
function withParameterExample(parameter: JsonObject, schemas: JsonObject): JsonObject {
  const { schema, example = exampleOf(schema as JsonObject, schemas), ...rest } = parameter;
  if (isObject(schema) && schema.$ref !== undefined) describe(resolved(schema, schemas), parameter);
  const { example: _example, ...bare } = schema as JsonObject;
  return { ...rest, schema: bare, example };
}

/** The media types of a body, each with an example; none for bytes. */
function withMediaExamples(content: JsonObject, schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const { schema, ...rest } = media as JsonObject;
      const isBytes = (schema as JsonObject).format === "binary";
      const example = rest.example ?? exampleOf(schema as JsonObject, schemas);
      return [type, { schema, ...rest, ...(isBytes ? {} : { example }) }];
    }),
  );
}
