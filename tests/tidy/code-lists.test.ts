import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { codeListsOf } from "./code-lists.ts";
import { isTest, listFiles, root } from "./source.ts";

/** Data of others, or steps of a diagram, in which the same codes meet by chance. */
const exempt = ["src/sandbox/demo/", "src/sandbox/simulator/"];

test("a list of codes is found in an array, in arguments, in a type and in SQL", () => {
  const lists = codeListsOf(
    [
      'const states = ["OPEN", "CLOSED", "VOID"];',
      'word("OPEN", "CLOSED", "VOID");',
      'type State = "CLOSED" | "OPEN" | "VOID" | undefined;',
      "sql`select 1 where state in ('OPEN', 'VOID', 'CLOSED') and kind in ('A', 'B')`;",
      "sql`select unnest(array['VOID', 'OPEN', 'CLOSED'])`;",
      'const others = ["OPEN", "CLOSED"], names = ["Open", "Closed", "Void"];',
    ].join("\n"),
    "source.ts",
  );
  assert.deepEqual(
    lists.map(({ codes, line }) => `${line} ${codes.join(" ")}`),
    [1, 2, 3, 4, 5].map((line) => `${line} CLOSED OPEN VOID`),
  );
});

test("no list of three or more codes is written twice: the second place takes it from the first", () => {
  const places = listFiles("src/**/*.ts")
    .filter((file) => !isTest(file) && !exempt.some((beginning) => file.startsWith(beginning)))
    .flatMap((file) =>
      codeListsOf(readFileSync(path.join(root, file), "utf8"), file).map(({ codes, line }) => ({
        codes: codes.join(" "),
        place: `${file}:${line}`,
      })),
    );
  assert.ok(places.length > 50, "lists are found");
  const twice = [...Map.groupBy(places, ({ codes }) => codes)].filter(([, list]) => list.length > 1);
  assert.equal(twice.map(([codes, list]) => `${codes}: ${list.map(({ place }) => place).join(", ")}`).join("\n"), "");
});
