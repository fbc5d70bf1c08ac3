// The same rules for the console's sources. They are JSX, so these rules match lines and not code.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { namesThatSayNothing } from "./layers.ts";
import { listFiles, root } from "./source.ts";

const files = listFiles("console/src/**/*.{ts,tsx,css}");
const scripts = files
  .filter((file) => !file.endsWith(".css"))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));

const importOf = /^(?:import|export)\b[^"']*?\bfrom "([^"]+)";|^import "([^"]+)";|\bimport\("([^"]+)"\)/gm;

const imports = scripts.flatMap(({ file, text }) =>
  [...text.matchAll(importOf)].map((match) => ({ file, target: (match[1] ?? match[2] ?? match[3]) as string })),
);

/** Packages for screens and parts only. Server code is excluded, because the page would publish it. */
const packages = [
  ...["react", "react-dom/client", "react-router", "uplot", "uplot/dist/uPlot.min.css", "openapi-fetch"],
  ...["@mantine/core", "@mantine/core/styles.css", "@mantine/hooks", "@mantine/notifications"],
  ...["@mantine/notifications/styles.css", "@fontsource-variable/inter", "@simplewebauthn/browser", "#operator"],
  ...["@tanstack/react-query", "@tanstack/react-table", "@tanstack/react-virtual"],
];

function assertNone(faults: readonly string[]): void {
  assert.equal(faults.join("\n"), "");
}

test("the console's sources are seen", () => {
  assert.ok(scripts.length > 50, `only ${scripts.length} files`);
  assert.ok(imports.length > scripts.length);
});

test("the console imports its own files, with their endings, and the packages that it has", () => {
  assertNone(
    imports.flatMap(({ file, target }) => {
      const isTest = file.endsWith(".test.ts");
      if (!target.startsWith(".")) {
        return packages.includes(target) || (isTest && target.startsWith("node:")) ? [] : [`${file} imports ${target}`];
      }
      const place = path.posix.join(path.posix.dirname(file), target);
      if (!place.startsWith("console/src/")) return [`${file} leaves the console: ${target}`];
      return existsSync(path.join(root, place)) ? [] : [`${file}: ${target} does not exist`];
    }),
  );
});

test("parts, frame and theme import no screen: they are loaded with the first one, screens when they are opened", () => {
  assertNone(
    imports.flatMap(({ file, target }) => {
      const place = path.posix.join(path.posix.dirname(file), target);
      const isFree = /^console\/src\/(?:screens\/|screens\.tsx)/.test(file) || !target.startsWith(".");
      return !isFree && place.startsWith("console/src/screens/") ? [`${file} imports ${target}`] : [];
    }),
  );
});

test("addresses are made in links.ts, which escapes their parts", () => {
  assertNone(
    scripts
      .filter(({ file, text }) => text.includes("encodeURIComponent") && file !== "console/src/links.ts")
      .map(({ file }) => `${file} escapes a part of an address: use pathTo or pathWith`),
  );
});

test("the console's names are kebab-case and say something, and nothing is exported as default", () => {
  const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.module|\.test)?\.(?:tsx?|css)$/;
  assertNone(
    files
      .filter((file) => !kebab.test(path.basename(file)) || namesThatSayNothing.test(file))
      .map((file) => `${file} should have another name`),
  );
  assertNone(scripts.filter(({ text }) => /^export default\b/m.test(text)).map(({ file }) => file));
});

test("nothing in the console puts text into a page as HTML or runs it", () => {
  const forbidden =
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write\b|\beval\(/;
  assertNone(
    scripts.flatMap(({ file, text }) =>
      text.split("\n").flatMap((line, i) => (forbidden.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    ),
  );
});
