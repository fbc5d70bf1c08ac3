import assert from "node:assert/strict";
import { test } from "node:test";
import Type from "typebox";
import {
  defineCursor,
  placeDay,
  placeId,
  placeIdV7,
  placeMoment,
  placeText,
  readPage,
  startCursor,
} from "#/http/requests/paging.ts";

const position = Type.Object({ us: Type.Integer({ minimum: 0 }), id: placeText() });
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

test("a forged position that the store cannot read is refused: NUL, no UUID, no day, no moment", () => {
  const parts = { text: placeText(), id: placeId, idV7: placeIdV7, day: placeDay, moment: placeMoment };
  const forged = defineCursor("forged", Type.Object(parts));
  const good = {
    text: "Ä/1",
    id: "019aa0f2-7f53-4c0a-9c3e-2a6f0c1d9b11",
    idV7: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
    day: "2026-02-28",
    moment: "2026-11-20T10:00:00.123456Z",
  };
  assert.deepEqual(forged.decode(forged.encode(good)), good);
  const wrong: Readonly<Record<keyof typeof parts, readonly string[]>> = {
    text: ["a\u0000b", "x".repeat(65)],
    idV7: ["019aa0f2-7f53-4c0a-9c3e-2a6f0c1d9b11"],
    id: ["", "-".repeat(36), "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b1"],
    day: ["2026-02-30", "2026-13-01", "0000-01-01", "999999-01-01"],
    moment: ["2026-02-30T10:00:00Z", "2026-11-20T99:00:00Z", "0000-00-00T00:00:00Z", "2026-11-20T::::::::Z"],
  };
  for (const [name, texts] of Object.entries(wrong)) {
    for (const text of texts) assert.equal(forged.decode(forged.encode({ ...good, [name]: text })), undefined, text);
  }
});

test("a list cannot have a position with a text of any form", () => {
  assert.throws(() => defineCursor("things", Type.Object({ id: Type.String() })), /none of placeText/);
});

test("a page has as many items as requested, and a cursor while more follow", async () => {
  const names = ["a", "b", "c", "d", "e"];
  const list = {
    cursors: defineCursor("names", placeText()),
    read: async (after: string | undefined, limit: number) =>
      names.filter((name) => after === undefined || name > after).slice(0, limit),
    placeOf: (name: string) => name,
    itemOf: (name: string) => ({ name }),
  };
  const pageAfter = async (cursor: string): Promise<readonly string[]> => {
    const page = await readPage({ cursor, limit: 2 }, list);
    assert.ok(page.ok);
    const { items, nextCursor } = page.value;
    const shown = items.map(({ name }) => name).join("");
    return nextCursor === null ? [shown] : [shown, ...(await pageAfter(nextCursor))];
  };
  assert.deepEqual(await pageAfter(startCursor), ["ab", "cd", "e"]);
  const whole = await readPage({ limit: 5 }, list);
  assert.equal(whole.ok && whole.value.nextCursor, null, "a full last page has no next one");
  const refused = await readPage({ cursor: "foreign" }, list);
  assert.equal(!refused.ok && refused.fault.code, "invalid-request");
});
