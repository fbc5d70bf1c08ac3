import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedMemory, openFileWriter, type WrittenFile } from "#/intake/sftp/exchange/file-writer.ts";
import type { NextChunk, Uploads } from "#/intake/sftp/exchange/uploads.ts";
import { ok } from "#/kernel/result.ts";

const kibibyte = 1024;
const upload = { clientId: "DEMO", feedType: "CAT", name: "items.xml", uploadId: "u" } as const;

/** An upload store that keeps chunks in memory. */
function fakeUploads() {
  const chunks: NextChunk[] = [];
  let dropped = 0;
  const uploads = {
    append: async (_: unknown, chunk: NextChunk) => chunks.push(chunk) > 0,
    drop: async () => void dropped++,
    keepPartial: async () => {},
  } as unknown as Uploads;
  return { uploads, chunks, dropped: () => dropped };
}

function open(memory = createSharedMemory(1024 * kibibyte)) {
  const store = fakeUploads();
  const finished: WrittenFile[] = [];
  const finish = async (file: WrittenFile) => {
    finished.push({ ...file, held: Buffer.from(file.held) });
    return ok(undefined);
  };
  const file = openFileWriter({ uploads: store.uploads, memory, finish, onEnd: () => {} }, upload);
  let at = 0;
  /** Parts of 32 KiB, each filled with its number. */
  const write = async (parts: number) => {
    for (let n = 0; n < parts; n++, at += 32 * kibibyte) {
      const part = Buffer.alloc(32 * kibibyte, at / (32 * kibibyte));
      assert.deepEqual(await file.write(at, part), ok(undefined));
      // The network layer reuses its buffer at once.
      part.fill(0xff);
    }
  };
  return { file, write, finished, ...store };
}

function wholeOf({ chunks, finished }: ReturnType<typeof open>): Buffer {
  return Buffer.concat([...chunks.map(({ bytes }) => bytes), finished[0]?.held ?? Buffer.alloc(0)]);
}

const expected = (parts: number) =>
  Buffer.concat(Array.from({ length: parts }, (_, n) => Buffer.alloc(32 * kibibyte, n)));

const isAllThere = (memory: ReturnType<typeof createSharedMemory>, bytes: number): boolean => {
  const isTaken = memory.take(bytes);
  if (isTaken) memory.giveBack(bytes);
  return isTaken && !memory.take(bytes + 1);
};

test("a large file is held in memory that can be handed to another thread, as long as there is room for it", async () => {
  const memory = createSharedMemory(1024 * kibibyte);
  const upload = open(memory);
  await upload.write(32);
  assert.equal(isAllThere(memory, 1024 * kibibyte), false);
  assert.deepEqual(await upload.file.close(), ok(undefined));
  assert.deepEqual(upload.chunks, []);
  assert.equal(upload.finished[0]?.stored, 0);
  assert.ok(wholeOf(upload).equals(expected(32)));
  assert.ok(isAllThere(memory, 1024 * kibibyte), "what it took is there for the next one");
});

test("where the memory is used by others the file goes through the store, what was held of it first", async () => {
  const memory = createSharedMemory(300 * kibibyte);
  const other = open(memory);
  await other.write(12);
  const upload = open(memory);
  await upload.write(40);
  assert.deepEqual(await upload.file.close(), ok(undefined));
  assert.ok(upload.chunks.length >= 2);
  assert.deepEqual(
    upload.chunks.map(({ ordinal }) => ordinal),
    upload.chunks.map((_, i) => i),
  );
  assert.equal(upload.finished[0]?.stored, upload.chunks.length);
  assert.ok(wholeOf(upload).equals(expected(40)));
  assert.deepEqual(await other.file.close(), ok(undefined));
  assert.deepEqual(other.chunks, []);
  assert.ok(isAllThere(memory, 300 * kibibyte));
});

test("a small file uses no shared memory", async () => {
  const upload = open(createSharedMemory(0));
  await upload.write(8);
  assert.deepEqual(await upload.file.close(), ok(undefined));
  assert.deepEqual(upload.chunks, []);
  assert.ok(wholeOf(upload).equals(expected(8)));
});

test("a file that is refused or cut off gives its memory back at once", async () => {
  const memory = createSharedMemory(1024 * kibibyte);
  const cut = open(memory);
  await cut.write(20);
  await cut.file.abandon();
  assert.ok(isAllThere(memory, 1024 * kibibyte));
  const again = createSharedMemory(1024 * kibibyte);
  const refused = open(again);
  await refused.write(20);
  assert.equal((await refused.file.write(0, Buffer.alloc(1))).ok, false);
  assert.ok(isAllThere(again, 1024 * kibibyte));
});
