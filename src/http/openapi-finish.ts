// What the generator leaves to be done before a document is OpenAPI 3.0.3 as linters and client generators want it.

import { problemMediaType } from "#/http/problem.ts";
import { problemKinds } from "#/http/problem-codes.ts";
import { chosenBy } from "#/http/validation.ts";
import { assert } from "#/kernel/assert.ts";

export type JsonObject = { [name: string]: unknown };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every operation may answer these, whatever it does. */
const everywhere = [401, 403, 429, 500, 503];

/**
 * @param document as generated; taken apart and put together anew.
 * Schemas with a title become components of that name, the problems of each operation become answers, and bounds that
 * exclude are written as OpenAPI 3.0 has them.
 */
export function finished(document: JsonObject): JsonObject {
  const schemas: JsonObject = { Problem: problemSchema };
  const answers = new Set<number>();
  const paths = Object.fromEntries(
    Object.entries(document.paths as JsonObject).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods as JsonObject).map(([method, operation]) => [
          method,
          withProblems(rewritten(operation, schemas) as JsonObject, answers),
        ]),
      ),
    ]),
  );
  const responses = Object.fromEntries(
    [...answers].sort((a, b) => a - b).map((status) => [nameOf(status), answerOf(status)]),
  );
  const components = document.components as JsonObject;
  const { paths: _paths, components: _components, ...head } = document;
  return { ...head, paths, components: { ...components, schemas: sorted(schemas), responses } };
}

function withProblems(operation: JsonObject, answers: Set<number>): JsonObject {
  const { "x-problems": own = [], ...rest } = operation;
  const hasInput = rest.requestBody !== undefined || rest.parameters !== undefined;
  const statuses = [
    ...(hasInput ? [400] : []),
    ...everywhere,
    ...(rest.requestBody ? [413, 415] : []),
    ...(own as number[]),
  ];
  const problems = statuses
    .sort((a, b) => a - b)
    .map((status) => {
      answers.add(status);
      return [String(status), { $ref: `#/components/responses/${nameOf(status)}` }] as const;
    });
  return { ...rest, responses: { ...(rest.responses as JsonObject), ...Object.fromEntries(problems) } };
}

/** A copy with named schemas taken out into `schemas`, and the rest in the words of OpenAPI 3.0. */
function rewritten(value: unknown, schemas: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, schemas));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    // Of use to the validator only.
    if (key === chosenBy) continue;
    // Examples are data: a field of theirs that is called `title` names no schema.
    copy[key] = key === "example" || key === "examples" || key === "enum" ? item : rewritten(item, schemas);
  }
  // The generator does not look into unions.
  if (Array.isArray(copy.examples)) {
    copy.example ??= copy.examples[0];
    delete copy.examples;
  }
  for (const bound of ["Minimum", "Maximum"]) {
    const excluded = copy[`exclusive${bound}`];
    if (typeof excluded !== "number") continue;
    copy[bound.toLowerCase()] = excluded;
    copy[`exclusive${bound}`] = true;
  }
  const { title } = copy;
  if (typeof title !== "string" || copy.type === undefined) return copy;
  schemas[title] ??= copy;
  const known = schemas[title];
  assert(JSON.stringify(known) === JSON.stringify(copy), `two schemas have the title ${title}`);
  return { $ref: `#/components/schemas/${title}` };
}

const sorted = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

const kindsOf = (status: number) => Object.entries(problemKinds).filter(([, kind]) => kind.status === status);

/** `Unauthorised`, `NotFound`: the answer of a status, as a component. */
function nameOf(status: number): string {
  return responseNames[status] ?? `Status${status}`;
}

const responseNames: Readonly<Record<number, string>> = {
  400: "InvalidRequest",
  401: "Unauthorised",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "PreconditionFailed",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "RateLimited",
  500: "InternalError",
  503: "Unavailable",
};

function answerOf(status: number): JsonObject {
  const kinds = kindsOf(status);
  const [code, first] = kinds[0] ?? ["", { title: "The request is refused" }];
  const headers: JsonObject =
    status === 401
      ? { "WWW-Authenticate": header("Bearer, with the error.") }
      : status === 429 || status === 503
        ? { "Retry-After": header("Seconds to wait.") }
        : {};
  return {
    description: kinds.map(([name, { title }]) => `\`${name}\`: ${title}.`).join(" ") || "The request is refused.",
    headers: { "X-Correlation-Token": header("Names the request in the operator's log."), ...headers },
    content: {
      [problemMediaType]: {
        schema: { $ref: "#/components/schemas/Problem" },
        example: {
          type: `/problems/${code}`,
          title: first.title,
          status,
          detail: "What is wrong with this very request.",
          instance: "/v1/…",
          correlationToken: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
          errors: [],
        },
      },
    },
  };
}

const header = (description: string) => ({ description, schema: { type: "string" } });

const text = (description: string) => ({ type: "string", description });

/** RFC 9457, contract rest.md §2. */
const problemSchema: JsonObject = {
  type: "object",
  description: "Problem details (RFC 9457).",
  required: ["type", "title", "status", "detail", "instance", "correlationToken", "errors"],
  properties: {
    type: text("Path of the page that explains the problem."),
    title: text("The kind of problem, in words."),
    status: { type: "integer", description: "Status of the answer." },
    detail: text("What is wrong with this very request."),
    instance: text("Path of the request."),
    correlationToken: text("Names the request in the operator's log."),
    errors: {
      type: "array",
      description: "Every fault of the request.",
      items: {
        type: "object",
        required: ["pointer", "message"],
        properties: {
          pointer: text("`#/…` points into the body; `/query/…`, `/path/…` and `/header/…` to parameters."),
          message: text("What is wrong there."),
        },
      },
    },
  },
};
