// docs/contract: the operations, topics, reasons, commands, settings and variables that its pages list equal those of
// the program.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { commands } from "#/cli/commands.ts";
import { allTopics } from "#/delivery/webhooks/index.ts";
import { configVariableNames } from "#/kernel/config/variables.ts";
import { reasonCodes } from "#/modules/carriers/decision/reasons.ts";
import { clientSettings, settingNames } from "#/modules/clients/index.ts";
import { readPage } from "./fences.ts";

const page = (name: string) => readPage(`docs/contract/${name}.md`);

/** The text in backticks in a part of a page, with the escapes of table cells removed. */
const codesIn = (text: string) =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code.replaceAll("\\|", "|"));

function part(text: string, heading: string): string {
  const [, found] = text.split(`\n${heading}\n`);
  assert.ok(found !== undefined, heading);
  return found.split(/\n#{2,3} /)[0] as string;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const documents = new URL("../../schemas/openapi/", import.meta.url);

function operationsOf(file: string): string[] {
  const { paths } = JSON.parse(readFileSync(new URL(file, documents), "utf8")) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
      .map((method) => `${method.toUpperCase()} ${path.replace(/^\/v1\/\w+Service/, "")}`),
  );
}

/** Text such as `POST /order/hold/{orderId}`, with or without the service before it or a query after it. */
function listedOperations(text: string): string[] {
  const operations = codesIn(text)
    .map((code) => /^(GET|POST|PUT|PATCH|DELETE) (?:\/v1\/\w+Service)?(\/[^?]+)/.exec(code))
    .flatMap((match) => (match ? `${match[1]} ${match[2]}` : []));
  return [...new Set(operations)];
}

test("every operation of the services is listed, and no other", () => {
  const files = readdirSync(documents).filter((file) => file !== "operator.json" && file !== "warehouse.json");
  const listed = listedOperations(["rest", "webhooks", "carriers"].map(page).join("\n"));
  assert.deepEqual(listed.sort(), files.flatMap(operationsOf).sort());
  assert.deepEqual(listedOperations(page("warehouse")).sort(), operationsOf("warehouse.json").sort());
});

test("every topic is listed, and no other", () => {
  const [, section = ""] = page("webhooks").split("\n## 3. Topics\n");
  const listed = codesIn(section).filter((code) => /^[a-z]\w+:[a-z]\w+$/i.test(code));
  assert.deepEqual(listed.sort(), allTopics.map(({ topicName }) => topicName).sort());
});

test("every reason against a carrier service is listed, and no other", () => {
  const rows = part(page("carriers"), "## Answer")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const listed = codesIn(rows.join("\n"));
  assert.deepEqual(listed.sort(), [...reasonCodes].sort());
});

test("every command is listed, and no other", () => {
  const section = part(page("operations"), "## 2. Command line");
  const names = commands.map(({ name }) => name);
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const listed = rows
    .map((row) => row.split(/(?<!\\)\|/)[1] ?? "")
    .flatMap(codesIn)
    .map((code) => names.findLast((name) => code === name || code.startsWith(`${name} `)) ?? code);
  assert.deepEqual(listed.sort(), names.sort());
});

test("every setting of a client is listed with its default", () => {
  const rows = part(page("operations"), "### Client settings")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const cells = rows.flatMap((row) => row.split("|").map((cell) => cell.trim()));
  const listed = cells.flatMap((cell, i) => (/^`\w+`$/.test(cell) ? [[cell.slice(1, -1), cells[i + 1]] as const] : []));
  const standards = settingNames.map((name) => [name, clientSettings[name].standardText] as const);
  assert.deepEqual(
    Object.fromEntries(listed.map(([name, value]) => [name, value?.replace(" (%)", "")])),
    Object.fromEntries(standards),
  );
});

test("every variable that is listed is one of the program", () => {
  const listed = codesIn(part(page("operations"), "## 3. Environment")).filter((code) =>
    /^[A-Z][A-Z_]+[A-Z]$/.test(code),
  );
  const known = new Set<string>([...configVariableNames, "NAME", "NAME_FILE"]);
  assert.deepEqual(
    listed.filter((name) => !known.has(name)),
    [],
  );
  assert.ok(listed.length > 30);
});
