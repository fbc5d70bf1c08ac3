import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import { sendForm } from "#/modules/documents/document-answer.ts";
import type { PrintContext } from "#/modules/documents/print-documents.ts";

type Found = Parameters<typeof sendForm>[4];

/** A paper that is read as a picture. */
const found = {
  document: { documentId: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11", type: "LABEL", contentType: "application/pdf" },
  content: Buffer.from("a paper"),
  isPicture: true,
} as unknown as Found;

test("a picture that the sender has is not drawn", async () => {
  const printService = { draw: () => assert.fail("it is drawn") };
  const app = fastify();
  app.get("/", (request, reply) =>
    sendForm({ printService } as unknown as PrintContext, request, reply, "DEMO", found),
  );
  const held = await app.inject({ url: "/", headers: { "if-none-match": "*" } });
  assert.equal(held.statusCode, 304);
  const tag = String(held.headers.etag);
  const again = await app.inject({ url: "/", headers: { "if-none-match": `"other", W/${tag}` } });
  assert.deepEqual([again.statusCode, again.headers.etag, again.body], [304, tag, ""]);
  assert.equal((await app.inject({ url: "/", headers: { "if-none-match": '"other"' } })).statusCode, 500);
  await app.close();
});
