import assert from "node:assert/strict";
import { test } from "node:test";
import { scan } from "./source.ts";

test("comments, strings, templates and regular expressions are not code", () => {
  const { code } = scan(
    `a; // any \`x\`
    b('any \\' any'); /* any */ c(\`any \${ d } any\`); e = /any[/]"/.test(f); g / h / any;`,
  );
  assert.deepEqual(code.match(/\w+/g), ["a", "b", "c", "d", "e", "test", "f", "g", "h", "any"]);
});

test("imports are found in every form, and not in comments and strings", () => {
  const { imports } = scan(
    `import a, { type B } from "./a.ts";\nimport {\n  c,\n} from "#/c.ts";\nexport * from "./d.ts";\nimport "./e.ts";\n` +
      `// import x from "./x.ts";\nconst y = 'import x from "./y.ts"';\nawait import("./f.ts");\nnew URL("./g.ts", import.meta.url);`,
  );
  assert.deepEqual(imports.toSorted(), ["#/c.ts", "./a.ts", "./d.ts", "./e.ts", "./f.ts", "./g.ts"]);
});

test("a template is split at its holes, and templates within holes are separate", () => {
  const { templates } = scan(`const q = sql\`select \${x ? sql\`1 \${tenant}\` : { y: 2 }.y} from \\\`t\${end}\`;`);
  assert.deepEqual(templates, [
    { tag: "sql", texts: ["select ", " from \\`t", ""], holes: [`x ? sql\`1 \${tenant}\` : { y: 2 }.y`, "end"] },
    { tag: "sql", texts: ["1 ", ""], holes: ["tenant"] },
  ]);
});
