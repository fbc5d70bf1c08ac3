// Judges parsed YAML by the schemas that the Compose Specification and Kubernetes publish (schemas/README.md).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Compile } from "typebox/schema";

interface SchemaFile {
  readonly definitions: Readonly<Record<string, object>>;
}

function readSchema(name: string): SchemaFile {
  return JSON.parse(readFileSync(new URL(`schemas/${name}.json`, import.meta.url), "utf8")) as SchemaFile;
}

const compose = Compile(readSchema("compose"));
const kubernetes = readSchema("kubernetes").definitions;

/** What is wrong with a Compose file, a line each. */
export function faultsOfCompose(value: unknown): string[] {
  return faultsBy(compose, value);
}

/** What is wrong with an object of Kubernetes, a line each. */
export function faultsOfObject(value: { readonly apiVersion: string; readonly kind: string }): string[] {
  const { apiVersion, kind } = value;
  const group = apiVersion.includes("/") ? apiVersion.replace(/\..*\//, "/") : `core/${apiVersion}`;
  const name = `io.k8s.api.${group.replace("/", ".")}.${kind}`;
  assert.ok(name in kubernetes, `tests/deploy/schemas/kubernetes.json has no ${name}: add it`);
  return faultsBy(Compile({ definitions: kubernetes, $ref: `#/definitions/${name}` }), value);
}

function faultsBy(schema: ReturnType<typeof Compile>, value: unknown): string[] {
  const [isValid, errors] = schema.Errors(value);
  return isValid ? [] : errors.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}
