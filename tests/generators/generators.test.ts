// Every published document is taken by the client generators that developers use, with warnings as errors where the generator
// can, and what they make compiles: Java by javac, Go by go build, Python by importing every module. No call is sent.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

const ownFolder = fileURLToPath(new URL(".", import.meta.url));
const documents = fileURLToPath(new URL("../../schemas/openapi", import.meta.url));
const tools = process.env.CROSSDOCK_GENERATORS ?? path.join(os.homedir(), ".cache", "crossdock-tools");
const jar = path.join(tools, "openapi-generator-cli.jar");
const oapiCodegen = path.join(tools, "bin", "oapi-codegen");
const python = path.join(tools, "python", "bin", "python");
/** Half the CPU time: each program lives for seconds only. */
const shortLife = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Names of Go and Python packages; with the prefix none is a module of the language, as `operator` is. */
const services = readdirSync(documents).map((file) => ({
  document: path.join(documents, file),
  name: `crossdock_${path.basename(file, ".json").replaceAll("-", "_")}`,
}));

const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-generators-"));
after(() => rmSync(folder, { recursive: true }));

function folderOf(name: string): string {
  const place = path.join(folder, name);
  mkdirSync(place);
  return place;
}

interface Run {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

function outcomeOf(program: string, args: readonly string[], { cwd, env }: Run) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return { status, output: `${stdout}${stderr}`.slice(-4_000) };
}

function run(program: string, args: readonly string[], options: Run): void {
  const { status, output } = outcomeOf(program, args, options);
  assert.equal(status, 0, `${program} ${args.slice(0, 3).join(" ")}: ${output}`);
}

/** Whether the machine lacks one of these files or programs. */
function isLeftOut(context: TestContext, files: readonly string[], programs: readonly string[] = []): boolean {
  const isThere = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  const missing = [...files.filter((file) => !existsSync(file)), ...programs.filter((program) => !isThere(program))];
  if (missing.length === 0) return false;
  const why = `there is no ${missing.join(", no ")} (.ci/install-generators)`;
  context.diagnostic(`LEFT OUT: '${context.name}' was not tried, because ${why}`);
  assert.equal(process.env.CI, undefined, `under CI nothing is left out, but ${why}`);
  return true;
}

interface Generator {
  readonly generatorName: string;
  readonly library?: string;
  propertiesOf(name: string): Readonly<Record<string, string | boolean>>;
}

/** Generates a client of each document in a separate folder; OpenAPI Generator validates the document first. */
function generateAll({ propertiesOf, ...generator }: Generator, into: string): void {
  const configurations = folderOf(`${generator.generatorName}-configurations`);
  for (const { name, document } of services) {
    const configuration = {
      ...generator,
      inputSpec: document,
      outputDir: path.join(into, name),
      additionalProperties: propertiesOf(name),
      globalProperties: { modelDocs: "false", apiDocs: "false", modelTests: "false", apiTests: "false" },
    };
    writeFileSync(path.join(configurations, `${name}.json`), JSON.stringify(configuration));
  }
  const files = readdirSync(configurations).map((file) => path.join(configurations, file));
  run("java", [...shortLife, "-jar", jar, "batch", "--threads", "2", "--fail-fast", ...files], { cwd: into });
}

function buildGo(into: string): void {
  for (const file of ["go.mod", "go.sum"]) copyFileSync(path.join(ownFolder, file), path.join(into, file));
  run("go", ["build", "./..."], { cwd: into });
}

const importAll = `
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    for module in pkgutil.walk_packages(importlib.import_module(name).__path__, name + "."):
        importlib.import_module(module.name)
`;

function importPython(places: readonly string[]): void {
  const env = { PYTHONPATH: places.join(path.delimiter) };
  run(python, ["-c", importAll, ...services.map(({ name }) => name)], { cwd: folder, env });
}

test("OpenAPI Generator makes Java clients that compile", (context) => {
  if (isLeftOut(context, [jar, path.join(tools, "java")], ["java", "javac"])) return;
  const into = folderOf("java");
  const propertiesOf = (name: string) => ({
    invokerPackage: name,
    apiPackage: `${name}.api`,
    modelPackage: `${name}.model`,
  });
  generateAll({ generatorName: "java", library: "native", propertiesOf }, into);
  const sources = globSync("*/src/main/java/**/*.java", { cwd: into });
  assert.ok(sources.length > services.length);
  writeFileSync(path.join(into, "sources"), sources.join("\n"));
  const classes = path.join(into, "classes");
  // Before JDK 18 the encoding is that of the locale.
  const options = ["-nowarn", "-encoding", "UTF-8", "-proc:none", "-d", classes, "-cp", path.join(tools, "java", "*")];
  run("javac", [...shortLife.map((option) => `-J${option}`), ...options, "@sources"], { cwd: into });
});

test("OpenAPI Generator makes Go clients that compile", (context) => {
  if (isLeftOut(context, [jar], ["java", "go"])) return;
  const into = folderOf("go");
  // Without the prefix the constants of two lists with a word in common have one name.
  const propertiesOf = (packageName: string) => ({ packageName, enumClassPrefix: true });
  generateAll({ generatorName: "go", propertiesOf }, into);
  // Each is a module with tests; here all are packages of one module.
  for (const place of globSync("*/{go.mod,go.sum,test}", { cwd: into })) {
    rmSync(path.join(into, place), { recursive: true });
  }
  buildGo(into);
});

test("OpenAPI Generator makes Python clients whose every module is imported", (context) => {
  if (isLeftOut(context, [jar, python], ["java"])) return;
  const into = folderOf("python");
  generateAll({ generatorName: "python", propertiesOf: (packageName) => ({ packageName }) }, into);
  importPython(services.map(({ name }) => path.join(into, name)));
});

test("oapi-codegen makes Go clients that compile, and refuses a document with two types of a name", (context) => {
  if (isLeftOut(context, [oapiCodegen], ["go"])) return;
  const into = folderOf("oapi-codegen");
  const argumentsOf = (name: string, document: string) => {
    mkdirSync(path.join(into, name));
    return ["-generate", "types,client", "-package", name, "-o", path.join(into, name, "client.go"), document];
  };
  for (const { name, document } of services) run(oapiCodegen, argumentsOf(name, document), { cwd: into });
  buildGo(into);
  const order = readFileSync(path.join(documents, "order.json"), "utf8");
  const spoilt = path.join(folder, "spoilt.json");
  writeFileSync(
    spoilt,
    order
      .replaceAll('"OrderStatusRecord"', '"OrderLineStatus"')
      .replaceAll("/OrderStatusRecord", "/OrderLineStatus")
      .replaceAll('"$ref": "#/components/schemas/OrderStatus"', '"type": "string", "enum": ["A", "B"]'),
  );
  const { status, output } = outcomeOf(oapiCodegen, argumentsOf("spoilt", spoilt), { cwd: into });
  assert.notEqual(status, 0);
  assert.match(output, /duplicate typename 'OrderLineStatus'/);
});

test("openapi-python-client drops nothing of any document, and every module is imported", (context) => {
  if (isLeftOut(context, [python])) return;
  const into = folderOf("openapi-python-client");
  const configuration = path.join(folder, "openapi-python-client.json");
  // It knows bytes by this type only.
  const overrides = { "application/pdf": "application/octet-stream", "application/xml": "application/octet-stream" };
  writeFileSync(configuration, JSON.stringify({ content_type_overrides: overrides, post_hooks: [] }));
  for (const { name, document } of services) {
    const where = ["--path", document, "--output-path", path.join(into, name), "--config", configuration];
    run(python, ["-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning", ...where], {
      cwd: into,
    });
  }
  importPython([into]);
});
