// The steps of the journeys as requests of a collection, which programs such as Postman and Bruno send.
import type { PublishedDocument } from "#/http/openapi/openapi.ts";

/** The parts of an Arazzo document that our journeys use. */
export interface JourneyDocument {
  readonly info: { readonly title: string; readonly summary: string; readonly description?: string };
  readonly workflows: readonly {
    readonly inputs: { readonly properties: Readonly<Record<string, Input>> };
    readonly steps: readonly Step[];
  }[];
}

interface Input {
  readonly description?: string;
  readonly format?: string;
  readonly default?: string;
  readonly examples?: readonly string[];
}

interface Step {
  readonly stepId: string;
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly value: string }[];
  readonly requestBody?: { readonly payload: unknown };
  readonly successCriteria: readonly { readonly condition: string }[];
  readonly onFailure?: readonly { readonly retryAfter: number; readonly retryLimit: number }[];
  readonly outputs?: Readonly<Record<string, string>>;
}

export interface Pair {
  readonly name: string;
  readonly value: string;
}

export interface Variable extends Pair {
  readonly description: string;
}

/** A request. Its texts name variables as `{{order_sku}}`. */
export interface CollectedRequest {
  /** The only one of this name in the collection. */
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** Below `{{baseUrl}}`. */
  readonly path: string;
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  /** JSON. */
  readonly body: string | undefined;
  /** Conditions of the answer, in the words of the journey and in JavaScript over `status` and `at`. */
  readonly criteria: readonly { readonly condition: string; readonly code: string }[];
  /** When to send it again where that does not hold. */
  readonly retry: { readonly seconds: number; readonly limit: number } | undefined;
  /** Variables that the answer gives a value, in JavaScript over `at`. */
  readonly outputs: readonly Pair[];
}

export interface CollectedJourney {
  readonly title: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly requests: readonly CollectedRequest[];
}

/** Variables of all journeys. @param base address of the services. @param auth address of the tokens. */
export const sharedVariables = (base: string, auth: string): readonly Variable[] => [
  { name: "baseUrl", value: base, description: "Address of the services." },
  { name: "authUrl", value: auth, description: "Address of the tokens." },
  { name: "clientId", value: "", description: "The client_id of your OAuth credentials." },
  { name: "clientSecret", value: "", description: "The client_secret of your OAuth credentials." },
];

/** @returns undefined where this process does not publish an operation of the journey. */
export function collectJourney(
  name: string,
  { info, workflows }: JourneyDocument,
  documents: readonly PublishedDocument[],
): CollectedJourney | undefined {
  const inputs = workflows.flatMap((workflow) => Object.entries(workflow.inputs.properties));
  const moments = new Set(inputs.flatMap(([input, { format }]) => (format === "date-time" ? [input] : [])));
  const placed = (text: string) => inVariables(text, name, moments);
  const steps = workflows.flatMap((workflow) => workflow.steps);
  const requests = steps.flatMap((step, i) => {
    const operation = findOperation(documents, step.operationId);
    return operation === undefined
      ? []
      : [requestOf(`${name} ${i + 1}: ${step.stepId}`, step, operation, placed, name)];
  });
  if (requests.length < steps.length) return undefined;
  return {
    title: info.title,
    description: [info.summary, info.description].filter(Boolean).join(" "),
    variables: inputs
      .filter(([input]) => !moments.has(input))
      .map(([input, { default: value, examples = [], description = "" }]) => ({
        name: `${name}_${input}`,
        value: value ?? examples[0] ?? "",
        description,
      })),
    requests,
  };
}

function requestOf(
  name: string,
  step: Step,
  { method, path }: Operation,
  placed: (text: string) => string,
  prefix: string,
): CollectedRequest {
  const parameters = (step.parameters ?? []).map((parameter) => ({ ...parameter, value: placed(parameter.value) }));
  const of = (place: string): Pair[] =>
    parameters.filter((parameter) => parameter.in === place).map((parameter) => ({ ...parameter }));
  const pathValues = new Map(of("path").map((pair) => [pair.name, pair.value]));
  const [retry] = step.onFailure ?? [];
  return {
    name,
    description: step.description,
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, parameter: string) => pathValues.get(parameter) ?? ""),
    query: of("query"),
    headers: of("header"),
    body: step.requestBody && placed(JSON.stringify(step.requestBody.payload, null, 2)),
    criteria: step.successCriteria.map(({ condition }) => ({ condition, code: codeOfCondition(condition) })),
    retry: retry && { seconds: retry.retryAfter, limit: retry.retryLimit },
    outputs: Object.entries(step.outputs ?? {}).map(([output, expression]) => ({
      name: `${prefix}_${step.stepId}_${output}`,
      value: codeOf(expression),
    })),
  };
}

/** The text with its expressions as variables; a moment is that of the request. */
function inVariables(text: string, prefix: string, moments: ReadonlySet<string>): string {
  return text.replace(
    /\{?\$(inputs|steps)\.(\w+)(?:\.outputs\.(\w+))?\}?/g,
    (_, kind: string, name: string, output) => {
      if (kind === "inputs" && moments.has(name)) return "{{$isoTimestamp}}";
      return `{{${[prefix, name, output].filter(Boolean).join("_")}}}`;
    },
  );
}

/** `$response.body#/items/0/id` as `at("items", "0", "id")`. */
function codeOf(expression: string): string {
  if (expression === "$statusCode") return "status";
  const [, pointer = ""] = expression.split("#/");
  return `at(${pointer
    .split("/")
    .map((part) => JSON.stringify(part))
    .join(", ")})`;
}

/** `$response.body#/status == 'CLOSED'`, several of them with `||`. */
function codeOfCondition(condition: string): string {
  return condition
    .split(" || ")
    .map((comparison) => {
      const [expression = "", literal = ""] = comparison.split(" == ");
      return `${codeOf(expression)} === ${literal.replaceAll("'", '"')}`;
    })
    .join(" || ");
}

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** @param expression such as `$sourceDescriptions.order.getOrder`: the names of operations of clients differ. */
function findOperation(documents: readonly PublishedDocument[], expression: string): Operation | undefined {
  const operationId = expression.slice(expression.lastIndexOf(".") + 1);
  for (const { audience = "client", read } of documents) {
    if (audience !== "client") continue;
    const paths = read().paths as Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
    for (const [path, methods] of Object.entries(paths)) {
      const found = Object.entries(methods).find(([, operation]) => operation.operationId === operationId);
      if (found) return { method: found[0], path };
    }
  }
  return undefined;
}

/** How a program of collections writes its scripts. */
export interface Dialect {
  readonly status: string;
  readonly body: string;
  get(name: string): string;
  /** @param code JavaScript of the value. */
  set(name: string, code: string): string;
  /** Sends the request again after this time. */
  again(seconds: number, name: string): string;
  test(title: string, code: string): string;
}

/** The script that runs after the answer: it checks it, or sends the request again, and keeps its outputs. */
export function scriptOf({ name, criteria, retry, outputs }: CollectedRequest, dialect: Dialect): string[] {
  const checks = [
    ...criteria.map(({ condition, code }) => dialect.test(condition, code)),
    ...outputs.map((output) => dialect.set(output.name, output.value)),
  ];
  const head = [
    `const status = ${dialect.status};`,
    `const body = ${dialect.body};`,
    "const at = (...path) => path.reduce((value, part) => value?.[part], body);",
  ];
  if (retry === undefined) return [...head, ...checks];
  return [
    ...head,
    `const isMet = ${criteria.map(({ code }) => `(${code})`).join(" && ")};`,
    `const tries = Number(${dialect.get("tries")} ?? 0);`,
    `if (!isMet && status < 400 && tries < ${retry.limit}) {`,
    `  ${dialect.set("tries", "tries + 1")}`,
    `  ${dialect.again(retry.seconds, name)}`,
    "} else {",
    ...[dialect.set("tries", "0"), ...checks].map((line) => `  ${line}`),
    "}",
  ];
}
