// The types of the client, from every committed OpenAPI document (docs/decisions/0016-typed-client.md).
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";

const documents = fileURLToPath(new URL("../../../schemas/openapi/", import.meta.url));
const generated = fileURLToPath(new URL("../src/generated/", import.meta.url));

/** What a service is called in the client, where its document's name is not what one would write. */
const clientNames: Readonly<Record<string, string>> = {
  "carrier-determination": "carriers",
  facility: "facilities",
  "item-master": "items",
  order: "orders",
  webhook: "webhooks",
  "work-order": "workOrders",
};

interface Service {
  /** Of the document's file. */
  readonly name: string;
  readonly document: OpenAPI3;
}

/** The files below `src/generated` as the documents want them, by their names. */
export async function generateTypes(): Promise<ReadonlyMap<string, string>> {
  const services = globSync("*.json", { cwd: documents })
    .sort()
    .map(
      (file): Service => ({
        name: path.basename(file, ".json"),
        document: JSON.parse(readFileSync(path.join(documents, file), "utf8")) as OpenAPI3,
      }),
    );
  const files = new Map<string, string>();
  for (const { name, document } of services) {
    const types = await openapiTypes(document, {
      // A field with a default is one that a request may leave out.
      defaultNonNullable: false,
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
    });
    files.set(`${name}.ts`, `${notice(`schemas/openapi/${name}.json`)}\n${astToString(types)}`);
  }
  files.set("services.ts", listOf(services));
  return files;
}

/** Writes what `generateTypes` answers, and removes what has no document any more. */
export async function writeTypes(): Promise<void> {
  const files = await generateTypes();
  for (const file of listTypes()) if (!files.has(file)) rmSync(path.join(generated, file));
  for (const [file, text] of files) writeFileSync(path.join(generated, file), text);
}

export function listTypes(): string[] {
  return globSync("*.ts", { cwd: generated }).sort();
}

export function readTypes(file: string): string {
  return readFileSync(path.join(generated, file), "utf8");
}

const notice = (source: string) =>
  `// Generated from ${source} by packages/client/scripts/generate.ts; not to be edited.`;

/** All services by the names that the client has for them. */
function listOf(services: readonly Service[]): string {
  const names = services.map(({ name }) => clientNames[name] ?? camelCase(name));
  const imports = services.map(({ name }, i) => `import type { paths as ${names[i]} } from "./${name}.ts";`);
  const members = services.map(
    ({ document }, i) => `  /** ${document.tags?.[0]?.description ?? ""} */\n  readonly ${names[i]}: ${names[i]};`,
  );
  return [
    notice("schemas/openapi/"),
    ...imports,
    "",
    `/** The services that have a document, each with its paths. */\nexport interface Services {\n${members.join("\n")}\n}`,
    "",
    `export const serviceNames = [${names.map((name) => `"${name}"`).join(", ")}] as const satisfies readonly (keyof Services)[];`,
    "",
  ].join("\n");
}

const camelCase = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

if (import.meta.main) await writeTypes();
