import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import { defineCursor } from "#/http/requests/paging.ts";

const position = Type.Object({ us: Type.Integer({ minimum: 0 }), id: Type.String() });
const cursor = defineCursor("things:receivedAt", position);

test("a cursor gives its position back", () => {
  const at = { us: 1_795_000_000_123_456, id: "Ä/1" };
  const text = cursor.encode(at);
  assert.match(text, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(cursor.decode(text), at);
});

test("a cursor of another list, another shape or no cursor at all is refused", () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const wrong = [
    defineCursor("things:-receivedAt", position).encode({ us: 1, id: "a" }),
    encode({ v: 2, k: "things:receivedAt", p: { us: 1, id: "a" } }),
    encode({ v: 1, k: "things:receivedAt", p: { us: -1, id: "a" } }),
    encode({ v: 1, k: "things:receivedAt", p: { us: "1; drop table", id: "a" } }),
    encode({ v: 1, k: "things:receivedAt" }),
    encode(null),
    encode("x"),
    "",
    "!!!",
    "abc",
  ];
  for (const text of wrong) assert.equal(cursor.decode(text), undefined, text);
});
