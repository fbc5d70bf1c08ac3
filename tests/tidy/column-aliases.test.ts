import assert from "node:assert/strict";
import { test } from "node:test";
import { shortAliasesIn } from "./column-aliases.ts";
import { isTest, listFiles, readSource } from "./source.ts";

test("no statement names a column by one to three letters", () => {
  const faults = listFiles("src/**/*.ts")
    .filter((file) => !isTest(file))
    .flatMap((file) => {
      const templates = readSource(file).templates.filter(({ tag }) => tag === "sql");
      const found = new Set(templates.flatMap(({ texts }) => shortAliasesIn(texts.join("$1"))));
      return found.size === 0 ? [] : [`${file}: ${[...found].join(", ")}`];
    });
  assert.equal(faults.join("\n"), "");
});

test("short aliases are recognised, and names of tables and real columns are not aliases", () => {
  assert.deepEqual(
    shortAliasesIn("select x.o from json_to_recordset($2::json) as x(o text, n numeric(12, 3), sku text)"),
    ["o", "n"],
  );
  assert.deepEqual(shortAliasesIn("select count(*) as n, max(qty) as top, sum(o.qty) as qty from sales_order as o"), [
    "n",
    "top",
  ]);
  assert.deepEqual(
    shortAliasesIn("insert into item as i (client_id, sku) select t.client_id, 'as n' from tenant t"),
    [],
  );
});
