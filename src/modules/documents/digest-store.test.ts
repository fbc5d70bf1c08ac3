import assert from "node:assert/strict";
import { test } from "node:test";
import { createDigestStore } from "#/modules/documents/print-documents.ts";
import { views } from "#/store/db/client-view.ts";
import type { Database } from "#/store/db/database.ts";

const digestOf = (documentId: string) => ({
  documentId,
  contentSha256: Buffer.alloc(32),
  size: 1,
  sha256: Buffer.alloc(32),
});

/** A database that records the documents of each statement, and answers on request. */
function slowDatabase() {
  const statements: { readonly documentIds: string[]; answer(error?: Error): void }[] = [];
  const query = ({ values }: { readonly values: readonly unknown[] }) =>
    new Promise((resolve, reject) => {
      const rows = JSON.parse(values.find((value) => typeof value === "string" && value.startsWith("[")) as string);
      const documentIds = (rows as { document_id: string }[]).map((row) => row.document_id);
      statements.push({ documentIds, answer: (error) => (error ? reject(error) : resolve([])) });
    });
  return { statements, database: { ...views, query } as unknown as Database };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("digests that arrive while others of the client are written share the next statement", async () => {
  const { statements, database } = slowDatabase();
  const { store } = createDigestStore(database);
  const stored = [store("A", [digestOf("1")])];
  await turn();
  stored.push(store("A", [digestOf("2")]), store("A", [digestOf("3")]), store("B", [digestOf("4")]));
  await turn();
  assert.deepEqual(
    statements.map(({ documentIds }) => documentIds),
    [["1"], ["4"]],
  );
  statements[0]?.answer();
  statements[1]?.answer();
  await turn();
  assert.deepEqual(statements[2]?.documentIds, ["2", "3"]);
  statements[2].answer();
  await Promise.all(stored);
  assert.equal(statements.length, 3);
});

test("a failed statement fails its own digests only", async () => {
  const { statements, database } = slowDatabase();
  const { store } = createDigestStore(database);
  const first = assert.rejects(store("A", [digestOf("1")]), /no disk/);
  await turn();
  const second = store("A", [digestOf("2")]);
  statements[0]?.answer(new Error("no disk"));
  await first;
  await turn();
  statements[1]?.answer();
  await second;
});
