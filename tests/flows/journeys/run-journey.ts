// Runs a workflow of an Arazzo document against a server: the parts of the specification that our documents use, and no others.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../../support/http/call.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly value: string;
}

interface Step {
  readonly stepId: string;
  /** `$sourceDescriptions.order.getOrder` */
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly payload: unknown };
  readonly successCriteria: readonly { readonly condition: string }[];
  readonly onFailure?: readonly { readonly retryAfter: number; readonly retryLimit: number }[];
  readonly outputs?: Readonly<Record<string, string>>;
}

export interface Journey {
  readonly sourceDescriptions: readonly { readonly name: string; readonly url: string }[];
  readonly workflows: readonly [
    {
      readonly inputs: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
      readonly steps: readonly Step[];
      readonly outputs: Readonly<Record<string, string>>;
    },
  ];
}

interface Values {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly steps: Record<string, { readonly outputs: Readonly<Record<string, unknown>> }>;
  readonly statusCode?: number;
  readonly response?: { readonly body: unknown };
}

/** A runtime expression: `$inputs.sku`, `$steps.parcels.outputs.id`, `$statusCode`, `$response.body#/items/0`. */
function resolve(expression: string, values: Values): unknown {
  const [path = "", pointer = ""] = expression.slice(1).split("#");
  const parts = [...path.split("."), ...pointer.split("/").slice(1)];
  return parts.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], values);
}

/** The value with its expressions filled in: a text that is one, and `{…}` within a text. */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === "string") {
    if (value.startsWith("$")) return resolve(value, values);
    return value.replace(/\{(\$[^}]+)\}/g, (_, expression: string) => String(resolve(expression, values)));
  }
  if (Array.isArray(value)) return value.map((part) => filled(part, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, values)]));
}

/** `$statusCode == 200`, several of them with `||`. */
function holds(condition: string, values: Values): boolean {
  return condition.split(" || ").some((comparison) => {
    const [, expression, literal] = /^(\S+) == (?:'([^']*)'|\d+)$/.exec(comparison) ?? assert.fail(condition);
    const expected = literal ?? comparison.slice(comparison.lastIndexOf(" ") + 1);
    return String(resolve(expression as string, values)) === expected;
  });
}

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;

/** Sends the steps in order. @returns the outputs of the workflow */
export async function runJourney(
  url: string,
  token: string,
  { sourceDescriptions, workflows: [workflow] }: Journey,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const defaults = Object.entries(workflow.inputs.properties).map(([name, input]) => [name, input.default]);
  const values: Values = { inputs: { ...Object.fromEntries(defaults), ...given }, steps: {} };
  const documents = new Map<string, Paths>();
  for (const source of sourceDescriptions) {
    documents.set(source.name, ((await (await fetch(url + source.url)).json()) as { paths: Paths }).paths);
  }
  for (const step of workflow.steps) {
    const [, source = "", operationId = ""] = /^\$sourceDescriptions\.(\w+)\.(\w+)$/.exec(step.operationId) ?? [];
    const found = Object.entries(documents.get(source) ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.operationId === operationId)
        .map(([method]) => ({ method, path })),
    );
    const [{ method, path }] = found as [{ method: string; path: string }];
    assert.equal(found.length, 1, step.operationId);
    values.steps[step.stepId] = { outputs: await runStep(url + path, method.toUpperCase(), token, step, values) };
  }
  return filled(workflow.outputs, values) as Record<string, unknown>;
}

async function runStep(address: string, method: string, token: string, step: Step, values: Values) {
  const parameters = (step.parameters ?? []).map((part) => ({ ...part, value: String(filled(part.value, values)) }));
  const path = address.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters.find((part) => part.in === "path" && part.name === name)?.value ?? assert.fail(name)),
  );
  const ofPlace = (place: Parameter["in"]) =>
    parameters.filter((part) => part.in === place).map(({ name, value }) => [name, value] as [string, string]);
  const query = new URLSearchParams(ofPlace("query")).toString();
  const [retry] = step.onFailure ?? [];
  for (let attempt = 0; ; attempt++) {
    const { status, body } = await call(method, query === "" ? path : `${path}?${query}`, {
      token,
      headers: Object.fromEntries(ofPlace("header")),
      body: filled(step.requestBody?.payload, values) as object | undefined,
    });
    const answered: Values = { ...values, statusCode: status, response: { body } };
    const unmet = step.successCriteria.find(({ condition }) => !holds(condition, answered));
    if (unmet === undefined) return filled(step.outputs ?? {}, answered) as Record<string, unknown>;
    const answer = `${step.stepId}: ${unmet.condition} does not hold for ${status} ${JSON.stringify(body)}`;
    assert.ok(retry !== undefined && attempt < retry.retryLimit, answer);
    // The server of the tests is faster than a warehouse.
    await sleep(Math.min(retry.retryAfter * 1_000, 200));
  }
}
