// ARCHITECTURE.md, "To add a field to NO": in a copy of the tree, its three edits and a column suffice for a text
// field.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sql } from "#/db/sql.ts";
import type { FeedType } from "#/feeds/intake/definition.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../support/app/at-end.ts";
import { insertClient } from "../support/builders/client.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { testDatabase } from "../support/postgres/database.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Each edit adds text after existing text. */
const edits = [
  {
    file: "schemas/xsd/NO.xsd",
    behind: `<xs:documentation>Identifier of the catalogue that the order was taken from.</xs:documentation>
          </xs:annotation>
        </xs:element>`,
    added: `<xs:element name="giftNote" type="Name" minOccurs="0">
          <xs:annotation>
            <xs:documentation>A line that is printed on a card.</xs:documentation>
          </xs:annotation>
        </xs:element>`,
  },
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
] as const;

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

test("the recipe names the files of these edits, and no others", () => {
  const page = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const [recipe = ""] = page.match(/(?<=^## To add a field to NO\n)[\s\S]*?(?=^[^\n]*REST)/m) ?? [];
  const named = [...recipe.matchAll(/`([\w./-]+\.(?:xsd|ts))`/g)].map(([, name = ""]) => path.basename(name));
  assert.deepEqual(named, [...new Set(edits.map(({ file }) => path.basename(file)))]);
});

test("the field is stored by NEW, replaced by UPDATE, and taken away by one without it", async () => {
  const { database } = await testDatabase({ engine: "postgresql" });
  await database.query(sql`alter table sales_order add column gift_note text`);
  const client = await insertClient(database);
  const ids = createIds();
  const { createFeedStack } = (await import(
    pathToFileURL(path.join(copy, "src/roles/feed-stack.ts")).href
  )) as typeof import("#/roles/feed-stack.ts");
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
  const notes: unknown[] = [];
  await send("CAT", catalogue("DEMO", ["A"]));
  for (const [actionType, giftNote] of [["NEW", "Congratulations"], ["UPDATE", "Get well"], ["UPDATE"]]) {
    await send("NO", order("DEMO", "GIFT", ["A"], { actionType, giftNote }));
    const rows = await database.query<{ gift_note: string | null }>(sql`select gift_note from sales_order limit 2`);
    notes.push(...rows.map(({ gift_note }) => gift_note));
  }
  assert.deepEqual(notes, ["Congratulations", "Get well", null]);
});

test("the compiler asks for no further edit of the module", async () => {
  assert.deepEqual(await compiled, { stdout: "", stderr: "" });
});
