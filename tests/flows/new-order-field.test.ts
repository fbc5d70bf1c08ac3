// ARCHITECTURE.md, "To add a field to NO": in a copy of the tree, its edits and a column suffice for a text field of the
// order, and for one of a line. An extended attribute needs none.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { systemClock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../support/app/at-end.ts";
import { insertClient } from "../support/builders/client.ts";
import { attributes, catalogue, order } from "../support/builders/documents.ts";
import { testDatabase } from "../support/postgres/database.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Edit {
  readonly file: string;
  readonly behind: string;
  readonly added: string;
}

/** An optional element that follows another one. */
const elementBehind = (before: string, name: string, documentation: string): Edit => ({
  file: "schemas/xsd/NO.xsd",
  behind: `<xs:documentation>${before}</xs:documentation>
          </xs:annotation>
        </xs:element>`,
  added: `<xs:element name="${name}" type="Name" minOccurs="0">
          <xs:annotation>
            <xs:documentation>${documentation}</xs:documentation>
          </xs:annotation>
        </xs:element>`,
});

/** The edits of each recipe. Each adds text after existing text. */
const recipes: Readonly<Record<string, readonly Edit[]>> = {
  "An element of the order": [
    elementBehind(
      "Identifier of the catalogue that the order was taken from.",
      "giftNote",
      "A line that is printed on a card.",
    ),
    { file: "src/modules/orders/intake/contract.ts", behind: "    catalogId: text,", added: "    giftNote: text," },
    {
      file: "src/modules/orders/intake/check-order.ts",
      behind: "  readonly catalogId: string | undefined;",
      added: "  readonly giftNote?: string | undefined;",
    },
    {
      file: "src/modules/orders/intake/check-order.ts",
      behind: "    catalogId: raw.catalogId,",
      added: "    giftNote: raw.giftNote,",
    },
    {
      file: "src/modules/orders/tables.ts",
      behind: `  catalog_id: ["text?", (content) => content.catalogId],`,
      added: `  gift_note: ["text?", (content) => content.giftNote],`,
    },
  ],
  "An element of a line": [
    {
      ...elementBehind("", "engraving", "The words that are engraved."),
      behind: `<xs:documentation>Stock pool to take the goods from.</xs:documentation>
        </xs:annotation>
      </xs:element>`,
    },
    {
      file: "src/modules/orders/intake/contract.ts",
      behind: "          stockPool: text,",
      added: "          engraving: text,",
    },
    {
      file: "src/modules/orders/intake/check-order.ts",
      behind: "  readonly lineNumber: number;\n  readonly stockPool: string;",
      added: "  readonly engraving?: string | undefined;",
    },
    {
      file: "src/modules/orders/intake/check-order.ts",
      behind: "    stockPool: line.stockPool ?? defaultStockPool,",
      added: "    engraving: line.engraving,",
    },
    {
      file: "src/modules/orders/tables.ts",
      behind: `  stock_pool: ["text", (line) => line.stockPool],`,
      added: `  engraving: ["text?", (line) => line.engraving],`,
    },
  ],
};
const ofLineInRest: readonly Edit[] = [
  {
    file: "src/modules/orders/rest/contract.ts",
    behind: `    stockPool: Type.String({ description: "Stock pool from which the goods are taken first.", examples: ["DEFAULT"] }),`,
    added: `    engraving: maybeText("The words that are engraved.", "For Ada"),`,
  },
];
const edits = [...Object.values(recipes).flat(), ...ofLineInRest];

const copy = mkdtempSync(path.join(os.tmpdir(), "crossdock-field-"));
atEnd(() => rmSync(copy, { recursive: true }));
for (const entry of ["src", "schemas/xsd", "package.json", "tsconfig.json"])
  cpSync(path.join(root, entry), path.join(copy, entry), { recursive: true });
for (const entry of ["node_modules", "packages"]) symlinkSync(path.join(root, entry), path.join(copy, entry));
for (const { file, behind, added } of edits) {
  const text = readFileSync(path.join(copy, file), "utf8");
  assert.equal(text.split(behind).length, 2, `${file} has once: ${behind}`);
  writeFileSync(
    path.join(copy, file),
    text.replace(behind, () => `${behind}\n${added}`),
  );
}

const module = { extends: "./tsconfig.json", include: ["src/modules/orders"], exclude: ["**/*.test.ts"] };
writeFileSync(path.join(copy, "module.json"), JSON.stringify(module));
const compiler = path.join(root, "node_modules/typescript/bin/tsc");
const compiled = promisify(execFile)(process.execPath, [compiler, "-p", "module.json"], { cwd: copy }).catch(
  ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ stdout, stderr }),
);

const page = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
/** The part of a recipe before, or the one from, its sentence about REST. */
const partOf = (heading: string, part: "before" | "from") => {
  const [recipe = ""] = page.match(new RegExp(`(?<=^### ${heading}\\n)[^]*?(?=^##)`, "m")) ?? [];
  const at = recipe.indexOf("\nREST answers");
  return part === "before" ? recipe.slice(0, at) : recipe.slice(at);
};
const filesIn = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.(?:xsd|ts))`/g)].map(([, name = ""]) => path.basename(name));
const filesOf = (made: readonly Edit[]) => [...new Set(made.map(({ file }) => path.basename(file)))];

test("the recipes name the files of these edits, and no others", () => {
  for (const [heading, made] of Object.entries(recipes))
    assert.deepEqual(filesIn(partOf(heading, "before")), filesOf(made));
  const [ofRest = ""] = partOf("An element of a line", "from").trim().split("\n\n");
  assert.deepEqual(filesIn(ofRest), filesOf(ofLineInRest));
});

test("the other places that a recipe names are there", () => {
  const named = [...partOf("An element of a line", "from").matchAll(/`((?:src|schemas)\/[\w./-]+\.(?:xsd|ts))`/g)];
  assert.ok(named.length > 10);
  for (const [, file = ""] of named) assert.ok(existsSync(path.join(root, file)), file);
});

test("each field is stored by NEW, replaced by UPDATE, and taken away by one without it, as an attribute is without any edit", async () => {
  const { database } = await testDatabase({ engine: "postgresql" });
  await database.query(sql`alter table sales_order add column gift_note text`);
  await database.query(sql`alter table sales_order_line add column engraving text`);
  const client = await insertClient(database);
  const ids = createIds();
  const importCopy = (file: string) => import(pathToFileURL(path.join(copy, file)).href);
  const { createFeedStack } = (await importCopy(
    "src/app/roles/feed-stack.ts",
  )) as typeof import("#/app/roles/feed-stack.ts");
  const { readOrder } = (await importCopy(
    "src/modules/orders/rest/reading.ts",
  )) as typeof import("#/modules/orders/rest/reading.ts");
  const { receiver, close } = await createFeedStack({ database, clock: systemClock, ids });
  atEnd(close);
  const send = async (type: FeedType, document: string) => {
    const receipt = await receiver.receive({
      client,
      type,
      channel: "HTTP",
      bytes: Buffer.from(document),
      contentType: "application/xml",
      charset: undefined,
      idempotencyKey: undefined,
      token: ids.next(Date.now()),
    });
    assert.ok(receipt.kind === "validated" && receipt.isAccepted, JSON.stringify(receipt));
  };
  const stored: unknown[] = [];
  await send("CAT", catalogue("DEMO", ["A"]));
  for (const [actionType, words] of [["NEW", "Congratulations"], ["UPDATE", "Get well"], ["UPDATE"]]) {
    const line =
      words === undefined
        ? {}
        : { engraving: words, extendedAttributes: attributes({ Font: `${words.length} letters` }) };
    await send("NO", order("DEMO", "GIFT", [{ sku: "A", ...line }], { actionType, giftNote: words }));
    const [row] = await database.query<{ gift_note: string | null }>(sql`select gift_note from sales_order limit 2`);
    const record = await database.transaction((tx) => readOrder(tx.of("DEMO"), "GIFT"));
    const [read] = (record?.lines ?? []) as unknown as Readonly<Record<string, unknown>>[];
    stored.push([row?.gift_note, read?.engraving, read?.extendedAttributes]);
  }
  assert.deepEqual(stored, [
    ["Congratulations", "Congratulations", { Font: "15 letters" }],
    ["Get well", "Get well", { Font: "8 letters" }],
    [null, null, {}],
  ]);
});

test("the compiler asks for no further edit of the module", async () => {
  assert.deepEqual(await compiled, { stdout: "", stderr: "" });
});
