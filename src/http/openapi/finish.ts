// What the generator leaves to be done before a document is OpenAPI 3.0.3 as linters and client generators want it.
import type { Audience } from "#/http/access/caller.ts";
import { withMediaExamples, withParameterExample } from "#/http/openapi/examples.ts";
import { type HeaderName, headerComponents, headersOf } from "#/http/openapi/headers.ts";
import { type OperationFacts, problemAnswer, problemSchema } from "#/http/openapi/problems.ts";
import { isObject, type JsonObject, resolved, rewritten } from "#/http/openapi/schemas.ts";

export type { JsonObject } from "#/http/openapi/schemas.ts";

/** Every operation may answer these, whatever it does. */
const everywhere = [400, 401, 403, 429, 500, 503];

/**
 * @param document as generated; taken apart and put together anew.
 * @param audience whose service it is.
 * Schemas with a title become components of that name, the problems of each operation become answers, everything has an
 * example, and bounds that exclude are written as OpenAPI 3.0 has them.
 */
export function finished(document: JsonObject, audience: Audience): JsonObject {
  const schemas: JsonObject = { Problem: problemSchema };
  const each = (methods: unknown, path: string) =>
    Object.fromEntries(
      Object.entries(methods as JsonObject).map(([method, operation]) => [
        method,
        finishedOperation(path, rewritten(operation, schemas, prefixOf(operation as JsonObject)) as JsonObject, {
          schemas,
          audience,
        }),
      ]),
    );
  const { paths: given, components, ...head } = document;
  const paths = Object.fromEntries(
    Object.entries(given as JsonObject).map(([path, methods]) => [path, each(methods, path)]),
  );
  const used = new Set(
    [...JSON.stringify(paths).matchAll(/"#\/components\/headers\/([\w-]+)"/g)].map(([, name]) => name),
  );
  return {
    ...head,
    paths,
    components: {
      ...(components as JsonObject),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: headerComponents(used as Set<string>, audience),
    },
  };
}

/** What is mounted beside operations of others has names that meet none of theirs. */
const prefixOf = (operation: JsonObject) => (operation["x-mounted"] === true ? "Client" : "");

interface Around {
  readonly schemas: JsonObject;
  readonly audience: Audience;
}

function finishedOperation(path: string, operation: JsonObject, { schemas, audience }: Around): JsonObject {
  const {
    "x-problems": own,
    "x-body-optional": isBodyOptional,
    "x-open": isOpen,
    "x-takes-proof": takesProof,
    "x-least-role": leastRole,
    "x-facility-partition": partition,
    responses,
    ...rest
  } = operation;
  const { operationId, summary, description = `${summary as string}.`, tags, requestBody } = rest;
  const parameters = ((rest.parameters ?? []) as JsonObject[]).map((it) => withParameterExample(it, schemas));
  const body = requestBody as JsonObject | undefined;
  const namesIn = (place: string) => parameters.filter((it) => it.in === place).map(({ name }) => name as string);
  const headerNames = namesIn("header");
  const takesIdempotencyKey = headerNames.includes("idempotency-key");
  const statuses = new Set([
    ...everywhere,
    ...(body ? [413, 415] : []),
    ...(takesIdempotencyKey ? [409] : []),
    ...(headerNames.includes("if-match") ? [412] : []),
    ...(own as number[]),
  ]);
  const facts: OperationFacts = {
    instance: filled(path, parameters),
    audience,
    ...{ isOpen: isOpen === true, takesProof: takesProof === true },
    pathParameters: namesIn("path"),
    queryParameters: namesIn("query"),
    bodyFields: body && fieldsOf(body, schemas),
    isCreate: isObject(responses) && Object.hasOwn(responses, "201"),
    takesIdempotencyKey,
  };
  return {
    ...{ operationId, summary, description, tags },
    ...(leastRole === undefined ? {} : { "x-least-role": leastRole, "x-facility-partition": partition }),
    ...(isOpen === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { ...body, required: isBodyOptional !== true, content: contentOf(body, schemas) } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses as JsonObject).map(([status, it]) => [
          status,
          answer(status, it as JsonObject, schemas, takesIdempotencyKey),
        ]),
      ),
      ...Object.fromEntries(
        [...statuses]
          .sort((a, b) => a - b)
          .flatMap((status) => {
            const problem = problemAnswer(status, facts);
            return problem ? [[String(status), problem]] : [];
          }),
      ),
    },
  };
}

/** Path of an example request. */
function filled(path: string, parameters: readonly JsonObject[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const it = parameters.find((parameter) => parameter.in === "path" && parameter.name === name);
    return encodeURIComponent(String(it?.example));
  });
}

const contentOf = ({ content }: JsonObject, schemas: JsonObject) => withMediaExamples(content as JsonObject, schemas);

/** The schema of what is sent or answered; undefined where there is nothing. */
function schemaOf({ content }: JsonObject, schemas: JsonObject): JsonObject | undefined {
  const [media] = Object.values((content ?? {}) as JsonObject);
  return media === undefined ? undefined : resolved((media as JsonObject).schema as JsonObject, schemas);
}

function fieldsOf(body: JsonObject, schemas: JsonObject): readonly string[] {
  const schema = schemaOf(body, schemas) ?? {};
  const [branch = schema] = (schema.anyOf ?? []) as JsonObject[];
  const { required = [], properties = {} } = resolved(branch, schemas);
  return [...new Set([...(required as string[]), ...Object.keys(properties as JsonObject)])];
}

/** What an operation answers when it succeeds. */
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

/** A record with a version is answered with its ETag, also where it stands inside an answer that says more. */
function carriesVersion(schema: JsonObject, schemas: JsonObject): boolean {
  const fields = Object.values((schema.properties ?? {}) as Record<string, JsonObject>);
  return hasVersion(schema) || fields.some((field) => hasVersion(resolved(field, schemas)));
}

const hasVersion = ({ properties }: JsonObject) => isObject(properties) && properties.version !== undefined;
