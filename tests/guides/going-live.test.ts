// docs/going-live.md: the commands of the checklist give the documented output.
import assert from "node:assert/strict";
import { test } from "node:test";
import { certificateCases } from "#/delivery/certificate/cases.ts";
import { testServer } from "../support/app/server.ts";
import { fencesOf, readPage } from "./fences.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the commands of the checklist work unchanged", async (context) => {
  const { credentials } = await server.onboard("ACME");
  const { client_id: clientId, client_secret: clientSecret } = credentials.oauth;
  await walkGuide(context, "docs/going-live.md", {
    url: server.url,
    values: { BASE: server.url, CLIENT: "ACME", CLIENT_ID: clientId, CLIENT_SECRET: clientSecret },
    environment: environmentOf(server),
  });
});

test("every line of the checklist says how it is shown", () => {
  const rows = readPage("docs/going-live.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Point"));
  assert.ok(rows.length > 25);
  for (const row of rows) assert.match(row, /^\| .{12,} \| .{3,} \|$/, row);
  assert.ok(fencesOf("docs/going-live.md").length > 2);
});

test("the checklist begins with the cases of the certificate", () => {
  const rows = readPage("docs/going-live.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const cases = certificateCases.map(({ caseId, title, task }) => `| \`${caseId}\` | ${title} | ${task} |`);
  assert.deepEqual(rows.slice(0, cases.length), cases);
});
