import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSite, type Site } from "#/http/sites/build.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const base = mkdtempSync(path.join(os.tmpdir(), "crossdock-site-"));
after(() => rmSync(base, { recursive: true }));

/** A site whose tool is this program. */
function siteOf(name: string, program: string): Site {
  const folder = path.join(base, name);
  mkdirSync(folder);
  const file = path.join(folder, "tool.mjs");
  writeFileSync(file, program);
  const relative = (place: string) => path.relative(root, place);
  return {
    name: "the site",
    folder: relative(folder),
    sources: [relative(file)],
    tool: { name: "the tool", file: relative(file), args: [], outVariable: "OUT" },
  };
}

const writing = `import { mkdirSync, writeFileSync } from "node:fs";
mkdirSync(process.env.OUT);
writeFileSync(process.env.OUT + "/index.html", "built");`;

test("a site is built once for each state of its sources", async () => {
  const site = siteOf("once", writing);
  const first = await buildSite(site);
  assert.equal(first.fault, undefined);
  assert.ok(first.builtMs !== undefined);
  assert.deepEqual(await buildSite(site), { isThere: true });
  writeFileSync(path.join(root, site.tool.file), `${writing} // changed`);
  assert.ok((await buildSite(site)).builtMs !== undefined);
});

test("a tool that fails is reported with its output", async () => {
  const { isThere, fault } = await buildSite(siteOf("fails", `console.error("no such page"); process.exit(1);`));
  assert.equal(isThere, false);
  assert.equal(fault, "the site was not built: no such page");
});

test("a build that takes too long is stopped, and the fault says so instead of what the tool printed", async () => {
  const site = siteOf("slow", `console.log("building"); setInterval(() => {}, 1_000);`);
  const { isThere, fault } = await buildSite(site, undefined, 500);
  assert.equal(isThere, false);
  assert.match(fault ?? "", /^the site was not built: the build was stopped after 0\.5 s, because the machine is busy/);
});

test("a stop ends a build, and the wait for the build of another process", { timeout: 20_000 }, async () => {
  const site = siteOf("endless", "setInterval(() => {}, 1_000);");
  const [builder, waiter] = [new AbortController(), new AbortController()];
  const building = buildSite(site, builder.signal);
  const lock = path.join(root, site.folder, ".build-lock", "pid");
  while (!existsSync(lock)) await sleep(10);
  const waiting = buildSite(site, waiter.signal);
  waiter.abort();
  assert.deepEqual(await waiting, { isThere: false });
  builder.abort();
  assert.deepEqual(await building, { isThere: false });
  assert.equal(existsSync(lock), false);
});
