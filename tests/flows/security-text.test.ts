// /.well-known/security.txt (RFC 9116), and the policy page that it names.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { dayMs } from "#/kernel/values/durations.ts";
import { testServer } from "../support/app/server.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const server = await testServer({ CROSSDOCK_SECURITY_CONTACT: "security@example.com" });

test("security.txt has the contact, the expiry date and the policy", async () => {
  const answer = await fetch(`${server.url}/.well-known/security.txt`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  const text = await answer.text();
  const fields = new Map(
    text
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(": ") as [string, string]),
  );
  assert.deepEqual([...fields.keys()], ["Contact", "Expires", "Preferred-Languages", "Canonical", "Policy"]);
  assert.equal(fields.get("Contact"), "mailto:security@example.com");
  assert.equal(fields.get("Canonical"), `${server.url}/.well-known/security.txt`);
  const days = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / dayMs;
  assert.ok(days > 150 && days < 365, `expires in ${days} days`);
  const policy = await fetch(fields.get("Policy") as string);
  assert.equal(policy.status, 200);
  assert.match(await policy.text(), /<h1[^>]*>Security and threat model\b/);
});

test("every test that the threat model names is there", () => {
  const page = readFileSync(path.join(root, "docs/security.md"), "utf8");
  const named = page.match(/\b(?:tests|(?:console\/)?src)\/[\w./-]+\.test\.ts/g) ?? [];
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(root, file))),
    [],
  );
});

test("every threat and every bound names its test", () => {
  const tables = readFileSync(path.join(root, "docs/security.md"), "utf8").split("\n\n");
  const rows = tables.flatMap((table) => {
    const [head = "", ...lines] = table.split("\n");
    return /\| Proved by \|$/.test(head) ? lines.slice(1) : [];
  });
  assert.ok(rows.length > 60, `${rows.length} rows`);
  assert.deepEqual(
    rows.filter((row) => !/(?:tests|src)\/[\w./-]+\.ts\b[^|]*\|$/.test(row)),
    [],
  );
});
