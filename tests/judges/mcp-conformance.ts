// The conformance tests of the Model Context Protocol against /mcp: `npm run test:judges`.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { startProgram } from "../support/app/program.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { mcpConformance } from "./judges.ts";
import { isLeftOut } from "./left-out.ts";

const noResources = "the server has tools alone: no resources";
const noPrompts = "the server has tools alone: no prompts";
const noTool = "it calls a tool of the reference server";
const noSubscriptions = "the server refuses subscriptions: nothing that they announce changes";
const noTasks = "an extension: the server has no tasks";
/**
 * Scenarios of which a check fails, or single checks, each with its reason; `*` stands for the rest of the name. One
 * that fails nothing is reported too.
 */
const exceptions: Readonly<Record<string, string>> = {
  "logging-set-level": "the server sends no log",
  "completion-complete": "no argument is completed",
  "tools-call-image": noTool,
  "tools-call-audio": noTool,
  "tools-call-embedded-resource": noTool,
  "tools-call-mixed-content": noTool,
  "tools-call-with-logging": noTool,
  "tools-call-with-progress": noTool,
  "tools-call-sampling": noTool,
  "tools-call-elicitation": noTool,
  "elicitation-*": noTool,
  "input-required-result-*": noTool,
  "json-schema-2020-12": noTool,
  "http-custom-header-server-validation": noTool,
  "server-stateless/sep-2575-server-rejects-undeclared-capability": noTool,
  "server-stateless/sep-2575-missing-capability-http-400": noTool,
  "server-stateless/sep-2575-server-sends-subscription-ack": noSubscriptions,
  "server-stateless/sep-2575-server-tags-subscription-id": noSubscriptions,
  "caching/sep-2549-resources-*": noResources,
  "caching/sep-2549-prompts-list-caching-hints": noPrompts,
  "resources-*": noResources,
  "prompts-*": noPrompts,
  "tasks-*": noTasks,
  "dns-rebinding-protection": "it is for servers without authentication: a page of another origin has no token",
};

const server = await testServer();
const demo = await server.onboard("DEMO");
const token = await accessTokenOf(server.url, demo.credentials.oauth);

/** The tests send no token: it is added on the way. */
const relay = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const onwards = request(
    `${server.url}${url}`,
    { method, headers: { ...headers, authorization: `Bearer ${token}` } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onwards.on("error", () => outgoing.destroy());
  incoming.pipe(onwards);
});
await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
atEnd(() => relay.close());

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** The checks of all scenarios of a revision of the protocol, as `scenario/check`. */
async function checksOf(revision: readonly string[], context: TestContext) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-judge-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const { port } = relay.address() as AddressInfo;
  const { stdout, stderr } = await startProgram([
    process.execPath,
    ...[mcpConformance(), "server", "--url", `http://127.0.0.1:${port}/mcp`, ...revision],
    ...["--output-dir", folder],
  ]).ended;
  const checks = readdirSync(folder).flatMap((name) => {
    const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
    const listed = JSON.parse(readFileSync(path.join(folder, name, "checks.json"), "utf8")) as Check[];
    return listed.map(({ id, status, errorMessage }) => ({ name: `${scenario}/${id}`, status, errorMessage }));
  });
  assert.ok(checks.length > 50, `${checks.length} checks\n${stdout}\n${stderr}`);
  return checks;
}

const patterns = Object.keys(exceptions).map((name) => ({
  name,
  pattern: new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}(?:/|$)`),
}));

test("/mcp conforms to both forms of the protocol", async (context) => {
  if (isLeftOut(context, mcpConformance())) return;
  const checks = [
    ...(await checksOf(["--suite", "active", "--spec-version", "2025-11-25"], context)),
    ...(await checksOf(["--requirements", "2026-07-28"], context)),
  ];
  const failed = checks.filter(({ status }) => status === "FAILURE");
  const unlisted = failed.filter(({ name }) => !patterns.some(({ pattern }) => pattern.test(name)));
  assert.equal(unlisted.map(({ name, errorMessage }) => `${name}: ${errorMessage}`).join("\n"), "");
  const stale = patterns.filter(({ pattern }) => !failed.some(({ name }) => pattern.test(name)));
  assert.deepEqual(
    stale.map(({ name }) => name),
    [],
  );
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  context.diagnostic(`${passed} checks passed, ${failed.length} failed by the list of exceptions`);
});
