// docs/going-live.md: the commands of the checklist give the documented output.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { fencesOf, readPage } from "./fences.ts";
import { environmentOf, walkGuide } from "./walk.ts";

const server = await testServer();

test("the commands of the checklist work unchanged", async (context) => {
  await server.onboard("ACME");
  await walkGuide(context, "docs/going-live.md", {
    url: server.url,
    values: { CLIENT: "ACME" },
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
