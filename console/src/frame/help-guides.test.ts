import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type Guide, guidesOfConsole, guidesOfScreen } from "./help-guides.ts";

const docs = new URL("../../../docs/", import.meta.url);
const screensSource = readFileSync(new URL("../screens.tsx", import.meta.url), "utf8");
const areas = [...screensSource.matchAll(/\{ path: "([a-z-]+)"/g)].map(([, area = ""]) => area);

/** The anchor of a heading, as VitePress makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

function assertServed({ text, page }: Guide): void {
  const [name = "", anchor] = page.split("#");
  const file = new URL(`${name}.md`, docs);
  assert.ok(existsSync(file), `${text}: docs/${name}.md`);
  if (anchor === undefined) return;
  const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  assert.ok(headings.includes(anchor), `${text}: docs/${name}.md has no heading #${anchor}`);
}

test("each screen has a guide, and each guide is a page of the documentation with that heading", () => {
  assert.ok(areas.length > 15);
  for (const area of areas) assert.ok(guidesOfScreen(area).length > 0, area);
  [...areas, "account"].flatMap(guidesOfScreen).forEach(assertServed);
  guidesOfConsole.forEach(assertServed);
});
