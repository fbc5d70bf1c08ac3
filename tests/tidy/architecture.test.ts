import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { root } from "./source.ts";

const page = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
const sectionOf = (title: string) => page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? "";

test("each answer to “where is” names a file and a name that the file declares", () => {
  const rows = [...sectionOf("Where is").matchAll(/^\| ([^|]+) \| `([^`]+)` \| `(\w+)` \|$/gm)];
  for (const [, , file = "", name = ""] of rows) {
    const text = readFileSync(path.join(root, "src", file), "utf8");
    const declaration = new RegExp(`\\b(?:const|function) ${name}\\b|^  (?:readonly )?${name}: `, "m");
    assert.match(text, declaration, `${file} declares ${name}`);
  }
  const questions = [
    ...["The retry delays of webhooks", "The rate limit of a client", "The idle time of a session"],
    ...["When an order is at risk", "The wording of `[POSTCODE]` in an ACK", "The length of a password"],
  ];
  assert.deepEqual(
    questions.filter((what) => !rows.some(([, given]) => given === what)),
    [],
  );
});

test("every folder of src is described, and every described folder exists", () => {
  const described = [...sectionOf("Folders").matchAll(/^\| `([\w./-]+?)\/?`/gm)].map(([, name = ""]) => name);
  const ofSource = readdirSync(path.join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  assert.deepEqual(
    ofSource.filter((folder) => !described.includes(folder)),
    [],
  );
  const ofModule = /^(?:index|feed|contract|states|domain|service|tables|repository)\.ts$/;
  assert.deepEqual(
    described.filter((name) => !ofModule.test(name) && !existsSync(path.join(root, name))),
    [],
  );
});

test("every path on the ways through the program exists", () => {
  const ways = page.slice(0, page.indexOf("## Folders"));
  const homes = ["", "src", "src/modules/orders/fulfilment", "src/delivery/webhooks"];
  const paths = [...ways.matchAll(/`((?:[a-z-]+\/)+[\w.-]*)`/g)].map(([, name = ""]) => name);
  assert.ok(paths.length > 40, "the paths are found");
  assert.deepEqual(
    [...new Set(paths)].filter((name) => !homes.some((home) => existsSync(path.join(root, home, name)))),
    [],
  );
});
