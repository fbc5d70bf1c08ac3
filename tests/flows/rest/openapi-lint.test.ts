// The published documents are clean under Redocly's recommended rules and Spectral's rules of OpenAPI.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createConfig, lintFromString, logger } from "@redocly/openapi-core";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { version31 } from "#/http/openapi/version-31.ts";

const folder = new URL("../../../schemas/openapi/", import.meta.url);
const documents = readdirSync(folder).map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") }));

const redocly = await createConfig({
  extends: ["recommended"],
  // The repository names no licence, so the documents cannot name one.
  rules: { "info-license": "off" },
});
const spectral = new Spectral();
// The package's own type declarations conflict under exact optional property types.
spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, "recommended"]] });

async function redoclyFindings(text: string): Promise<string[]> {
  const problems = await lintFromString({ source: text, absoluteRef: "document.json", config: redocly });
  return problems.map(({ severity, ruleId, message, location }) => {
    const [place] = location;
    return `redocly ${severity} ${ruleId}: ${message} at ${place?.pointer ?? ""}`;
  });
}

async function spectralFindings(text: string): Promise<string[]> {
  const findings = await spectral.run(text);
  return findings.map(
    ({ severity, code, message, path }) => `spectral ${severity} ${code}: ${message} at ${path.join("/")}`,
  );
}

logger.info = () => {};

const twins = documents.map(({ file, text }) => ({
  file: `3.1/${file}`,
  text: JSON.stringify(version31(JSON.parse(text) as JsonObject)),
}));

for (const { file, text } of twins) {
  // Spectral takes as long again, and its rules do not depend on the version.
  test(`${file} is clean under Redocly`, async () => assert.deepEqual(await redoclyFindings(text), []));
}

for (const { file, text } of documents) {
  test(`${file} is clean under both linters, warnings included`, async () => {
    const findings = [...(await redoclyFindings(text)), ...(await spectralFindings(text))];
    assert.equal(findings.slice(0, 50).join("\n"), "", `${findings.length} findings`);
  });
}

interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
}
interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The operations whose caller must name a client. */
function demandingClientId(text: string): string[] {
  const { paths, components } = JSON.parse(text) as Document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const demands = ({ $ref, required = [] }: Schema): boolean =>
    $ref === undefined
      ? required.includes("clientId")
      : demands(components.schemas[$ref.replace("#/components/schemas/", "")] as Schema);
  return operations.flatMap(({ operationId = "", parameters = [], requestBody }) => {
    const isParameter = parameters.some(({ name, required }) => name === "clientId" && required);
    const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
    return isParameter || schemas.some(demands) ? [operationId] : [];
  });
}

test("no operation of a client demands the clientId, which the token says", () => {
  // An operator and a warehouse have several clients.
  const isOfClient = (file: string) => !["operator.json", "warehouse.json"].includes(file);
  const demanding = (of: typeof documents) => of.flatMap(({ text }) => demandingClientId(text));
  assert.deepEqual(demanding(documents.filter(({ file }) => isOfClient(file))), []);
  assert.ok(demanding(documents.filter(({ file }) => !isOfClient(file))).length > 10);
});

test("both linters see faults: of structure, of an example, of what is recommended", async () => {
  const { text } = documents.find(({ file }) => file === "work-order.json") as { text: string };
  const spoilt = text
    .replace('"operationId": "getWorkOrder",', "")
    .replace('"example": "WO-100"', '"example": 100')
    .replace('"description": "Its components."', '"descriptoin": "Its components."');
  const found = [...(await redoclyFindings(spoilt)), ...(await spectralFindings(spoilt))].join("\n");
  for (const rule of [
    /redocly \w+ struct/,
    /redocly \w+ operation-operationId/,
    /spectral \d oas3-valid-(media|schema)-example/,
  ]) {
    assert.match(found, rule);
  }
});
