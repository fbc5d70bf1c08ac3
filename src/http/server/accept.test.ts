import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseMediaType, isFirstChoice } from "#/http/server/accept.ts";

const offered = ["application/pdf", "application/zpl", "image/png"] as const;

test("without a preference, or of equally good types, the first is chosen", () => {
  for (const accept of [
    undefined,
    "*/*",
    "application/*",
    "application/zpl, application/pdf",
    "text/html, */*;q=0.1",
  ]) {
    assert.equal(chooseMediaType(accept, offered), "application/pdf", String(accept));
  }
});

test("the quality decides, and the most specific range says it", () => {
  const chosen = {
    "application/zpl": "application/zpl",
    "APPLICATION/ZPL;charset=utf-8": "application/zpl",
    "application/pdf;q=0.5, application/zpl": "application/zpl",
    "application/*;q=0.2, image/*": "image/png",
    "*/*, application/pdf;q=0": "application/zpl",
    "application/pdf;q=x, image/png;q=0.001": "image/png",
  };
  for (const [accept, mediaType] of Object.entries(chosen)) {
    assert.equal(chooseMediaType(accept, offered), mediaType, accept);
  }
});

test("no type is chosen when none is accepted", () => {
  for (const accept of ["application/json", "text/*", "*/*;q=0", ""]) {
    assert.equal(chooseMediaType(accept, offered), undefined, accept);
  }
});

test("a type is the first choice if no other can be preferred to it", () => {
  for (const accept of [undefined, "*/*", "application/pdf", "application/*, application/zpl"])
    assert.equal(isFirstChoice(accept, "application/pdf"), true, String(accept));
  for (const accept of ["application/zpl", "application/pdf;q=0.9, */*", "*/*;q=0.5", ""])
    assert.equal(isFirstChoice(accept, "application/pdf"), false, accept);
});
