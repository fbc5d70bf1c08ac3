// Validates parsed YAML against the schemas that the Compose Specification and Kubernetes publish (schemas/README.md).
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

/** The faults of a Compose file, one per line. */
export function faultsOfCompose(value: unknown): string[] {
  return faultsBy(compose, value);
}

/** The faults of a Kubernetes object, one per line. */
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
