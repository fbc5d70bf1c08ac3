import assert from "node:assert/strict";
import { test } from "node:test";
import type { Folder } from "#/intake/sftp/file-system.ts";
import { attributesOfDirectory, attributesOfFile, longNameOf } from "#/intake/sftp/server/attributes.ts";

const now = Date.UTC(2026, 10, 20, 17, 5, 9, 700);
const reading: Folder = {
  list: async () => [],
  find: async () => undefined,
  openRead: async () => ({ ok: false, fault: { status: "FAILURE", message: "no" } }),
};
const writing: Folder = {
  list: async () => [],
  find: async () => undefined,
  openWrite: async () => ({ ok: false, fault: { status: "FAILURE", message: "no" } }),
};

test("the mode says what may be done with a file, and its time is in whole seconds", () => {
  const file = attributesOfFile(reading, { size: 1_234, modifiedAtMs: now });
  assert.deepEqual([file.size, file.mode, file.times?.modified], [1_234, 0o100444, Math.floor(now / 1000)]);
  assert.equal(attributesOfFile(writing, { size: 0, modifiedAtMs: now }).mode, 0o100200);
  assert.equal(attributesOfDirectory(undefined, now).mode, 0o040555);
  assert.equal(attributesOfDirectory(writing, now).mode, 0o040755);
});

test("the long name is a line in the format of ls", () => {
  assert.equal(
    longNameOf("a b.xml", attributesOfFile(reading, { size: 1_234, modifiedAtMs: now }), now),
    "-r--r--r--    1 client   client       1234 Nov 20 17:05 a b.xml",
  );
  const longAgo = attributesOfFile(writing, { size: 20_971_520, modifiedAtMs: Date.UTC(2025, 0, 3) });
  assert.equal(longNameOf("old", longAgo, now), "--w-------    1 client   client   20971520 Jan  3  2025 old");
  assert.match(longNameOf("NO", attributesOfDirectory(writing, now), now), /^drwxr-xr-x .* Nov 20 17:05 NO$/);
});
