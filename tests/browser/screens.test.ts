// Every screen of the navigation: it opens, logs no error, sends no request to other hosts, and passes axe in both
// schemes. Separate tests check their functions.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { browserWorld, type ConsolePage } from "../support/browser/chromium.ts";

const world = await browserWorld();
const dist = fileURLToPath(new URL("../../console/dist/", import.meta.url));
const kibibyte = 1_024;

interface Chunk {
  readonly file: string;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

/** Parts of the navigation, each in a separate window, so that a fault in one does not hide others. */
const parts: Readonly<Record<string, readonly string[]>> = {
  watch: ["overview", "exceptions", "proposals", "reports"],
  documents: ["feeds", "orders", "inventory"],
  floor: ["inbound", "returns", "work-orders"],
  out: ["carriers", "webhooks", "outbound", "mails"],
  "set-up": ["clients", "facilities", "users", "notifications", "sandbox", "audit"],
};

/** Screens that open with charts or, in the demo, with nothing to list. */
const withoutList = ["overview", "proposals", "reports", "sandbox"];

/** The top of the list's header. */
const listTop = ({ page }: ConsolePage) =>
  page.evaluate<number | undefined>(
    "document.querySelector('main table[aria-rowcount] thead')?.getBoundingClientRect().top",
  );

/** Words of headings, buttons and tabs that are cut off. */
const cutWords = ({ page }: ConsolePage) =>
  page.evaluate<string[]>(`(() => {
    const parts = [...document.querySelectorAll("main :is(h1, h2, h3, th, th *, button, button *, [role=tab] *, dt)")];
    const isCut = (part) => {
      const style = getComputedStyle(part);
      return style.display !== "inline" && style.overflowX !== "visible" && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1;
    };
    return parts.filter(isCut).map(({ textContent }) => textContent);
  })()`);

for (const [part, paths] of Object.entries(parts)) {
  world.test(`${part}: ${paths.join(", ")} open without an error, clean in both schemes`, async (open) => {
    const admin = await open("admin");
    for (const path of paths) {
      await admin.open(`/${path}`);
      assert.ok(await admin.page.getByRole("heading", { level: 1 }).innerText());
      await admin.checkBoth();
      const top = withoutList.includes(path) ? 0 : await listTop(admin);
      assert.ok(top !== undefined && top <= 240, `the list of ${path} begins at ${top}`);
      for (const width of [1440, 1280]) {
        await admin.page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await cutWords(admin), [], `${path} in ${width} pixels`);
      }
      await admin.page.setViewportSize({ width: 1440, height: 900 });
      await admin.shoot(path);
      await admin.shoot(path, { scheme: "dark" });
      await admin.shoot(path, { width: 1024, height: 768 });
    }
  });
}

const manifest = () => JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Record<string, Chunk>;

/** The scripts that a page needs, with their imports. */
function scriptsOf(chunks: Record<string, Chunk>, ...keys: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = chunks[key];
    assert.ok(chunk, key);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const needed of chunk.imports ?? []) visit(needed);
  };
  for (const key of keys) visit(key);
  return files;
}

test("each screen is its own script, and the overview's first load is small", (context) => {
  const chunks = manifest();
  const areas = Object.values(parts).flat();
  const keyOf = (area: string) => `src/screens/${area}/${area}-area.tsx`;
  for (const area of areas) assert.equal(chunks[keyOf(area)]?.isDynamicEntry, true, area);
  const files = [...scriptsOf(chunks, "index.html", keyOf("overview"))];
  const sizeOf = (file: string) => {
    const compressed = statSync(`${dist}${file}.br`, { throwIfNoEntry: false });
    return (compressed ?? statSync(dist + file)).size;
  };
  const kib = files.reduce((sum, file) => sum + sizeOf(file), 0) / kibibyte;
  context.diagnostic(`the overview takes ${Math.round(kib)} KiB of compressed script in ${files.length} files`);
  assert.ok(kib <= 300, `${kib} KiB`);
});
