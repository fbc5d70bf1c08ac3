// The conformance tests of the Model Context Protocol against /mcp: `npm run test:judges`.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { startProgram } from "../support/app/program.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { mcpConformance } from "./judges.ts";
import { isLeftOut } from "./left-out.ts";

const noResources = "the server has tools alone: no resources";
const noPrompts = "the server has tools alone: no prompts";
const noTool = "it calls a tool of the reference server";
/** Scenarios that fail, each with its reason. One that passes is reported too. */
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
  "elicitation-sep1034-defaults": noTool,
  "elicitation-sep1330-enums": noTool,
  "server-sse-multiple-streams": "the server keeps no session, and pushes nothing by GET",
  "resources-list": noResources,
  "resources-read-text": noResources,
  "resources-read-binary": noResources,
  "resources-templates-read": noResources,
  "resources-subscribe": noResources,
  "resources-unsubscribe": noResources,
  "prompts-list": noPrompts,
  "prompts-get-simple": noPrompts,
  "prompts-get-with-args": noPrompts,
  "prompts-get-embedded-resource": noPrompts,
  "prompts-get-with-image": noPrompts,
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

test("/mcp conforms to the protocol", async (context) => {
  if (isLeftOut(context, mcpConformance())) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-judge-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const list = path.join(folder, "exceptions.yml");
  writeFileSync(
    list,
    `server:\n${Object.keys(exceptions)
      .map((name) => `  - ${name}\n`)
      .join("")}`,
  );
  const { port } = relay.address() as AddressInfo;
  const { code, stdout, stderr } = await startProgram([
    process.execPath,
    ...[mcpConformance(), "server", "--url", `http://127.0.0.1:${port}/mcp`],
    ...["--expected-failures", list, "--output-dir", path.join(folder, "results")],
  ]).ended;
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  context.diagnostic(/Total: .*/.exec(stdout)?.[0] ?? "");
});
