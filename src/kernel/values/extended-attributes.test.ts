import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  attributeOf,
  extendedAttributes,
  formOfAttribute,
  hasFlag,
  isFlag,
  isTrue,
} from "#/kernel/values/extended-attributes.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const table = "src/kernel/values/extended-attributes.ts";
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => file !== table && !file.endsWith(".test.ts") && !file.startsWith("src/sandbox/demo/"))
  .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));

test("every attribute of the table is read somewhere, by the readers or in SQL", () => {
  const names = Object.keys(extendedAttributes).map((name) => name.replace("*", ""));
  const unread = names.filter(
    (name) => !sources.some(({ text }) => text.includes(`"${name}"`) || text.includes(`'${name}'`)),
  );
  assert.deepEqual(unread, []);
});

test("no attribute is read past the table: neither as a field nor by a name in SQL that the table lacks", () => {
  const faults = sources.flatMap(({ file, text }) => {
    const fields = [...text.matchAll(/[aA]ttributes(?:\?\.|\.)([A-Z][a-z]\w*)/g)].map(([, name]) => `${file}: ${name}`);
    const inSql = [...text.matchAll(/extended_attributes\s*->>\s*'([^']+)'/g)].map(([, name]) => name as string);
    return [
      ...fields,
      ...inSql.filter((name) => !Object.hasOwn(extendedAttributes, name)).map((name) => `${file}: ${name}`),
    ];
  });
  assert.deepEqual(faults, []);
});

test("attributes are read by their names, flags as feeds write them", () => {
  assert.equal(attributeOf({ HsCode: "6109" }, "HsCode"), "6109");
  assert.equal(attributeOf(undefined, "HsCode"), undefined);
  assert.deepEqual([hasFlag({ ShipPartial: " 1 " }, "ShipPartial"), hasFlag({}, "ShipPartial")], [true, false]);
  assert.deepEqual(
    ["CaptureSerial", "MinShelfLifeDays", "Uom.CS", "StockUom"].map((name) => formOfAttribute(name, "item")),
    [...["flag", "wholeNumber", "packSize", "unit"]],
  );
  for (const name of ["Priority", "toString", "Colour"]) assert.equal(formOfAttribute(name, "item"), undefined);
  assert.equal(formOfAttribute("ShipPartial", "order"), "flag");
  assert.equal(formOfAttribute("ShipPartial", "orderLine"), undefined);
});

test("true and 1 are true, in any case and with blanks around them too; all else is false", () => {
  assert.deepEqual(["true", "1", " true\n", "TRUE", "True", "false", "0", "", "Y", undefined].map(isTrue), [
    ...[true, true, true, true, true],
    ...[false, false, false, false, false],
  ]);
});

test("a flag is true, false, 1 or 0, and no other word", () => {
  for (const text of ["true", "FALSE", " 1 ", "0"]) assert.ok(isFlag(text), text);
  for (const text of ["", "Y", "yes", "01", "truefalse"]) assert.equal(isFlag(text), false, text);
});
