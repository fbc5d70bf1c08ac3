import assert from "node:assert/strict";
import { test } from "node:test";
import * as repository from "#/delivery/outbound/repository.ts";
import { createOutboundFolders } from "#/delivery/outbound/sftp-folders.ts";
import type { Folder } from "#/intake/sftp/file-system.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const ids = createIds();
const clock = { ms: Date.now(), now: () => clock.ms };
const open = createOutboundFolders({ database, clock });

function foldersOf(clientId: string): (path: string) => Folder & Required<Pick<Folder, "openRead">> {
  const folders = open({ clientId, credentialId: "1", actor: `sftp:${clientId}`, origin: "127.0.0.1" });
  return (path) => {
    const folder = folders.get(path);
    assert.ok(folder?.openRead, path);
    return folder as Folder & Required<Pick<Folder, "openRead">>;
  };
}

interface Stored {
  readonly messageId: string;
  readonly name: string;
  readonly payload: Buffer;
}

async function store(
  clientId: string,
  documents: readonly { readonly type?: "OS" | "GR"; readonly payload?: Buffer; readonly isSftp?: boolean }[],
): Promise<Stored[]> {
  const at = new Date(clock.now()).toISOString();
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    const position = await repository.takePositions(view, documents.length);
    const made = documents.map(({ type = "OS", payload = Buffer.from("<x/>"), isSftp = true }) => {
      const messageId = ids.next(clock.now());
      const rest = { objectId: "O-1", facilityCode: "DC1", feedToken: null, part: 1, parts: 1 };
      return { messageId, type, payload, ...rest, channels: { isHttp: false, isSftp } };
    });
    repository.insertDocuments(view, at, position, made);
    const stamp = `${at.slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
    return made.map(({ messageId, type, payload }) => ({
      messageId,
      payload,
      name: `${type}_${stamp}_${messageId}.xml`,
    }));
  });
}

const namesOf = async (folder: Folder) => (await folder.list()).map(({ name }) => name);

async function bytesOf(folder: ReturnType<ReturnType<typeof foldersOf>>, name: string, step = 32_768): Promise<Buffer> {
  const opened = await folder.openRead(name);
  assert.ok(opened.ok);
  const parts: Buffer[] = [];
  for (let offset = 0; ; ) {
    const part = await opened.value.read(offset, step);
    if (part.length === 0) break;
    parts.push(part);
    offset += part.length;
  }
  await opened.value.close();
  return Buffer.concat(parts);
}

const marksOf = async (messageId: string) =>
  (
    await database.query<{ read_at: string | null; collected_at: string | null; acknowledged_at: string | null }>(
      sql`select read_at, collected_at, acknowledged_at from outbound_document where message_id = ${messageId}::uuid limit 1`,
    )
  )[0];

test("each type has its folder: the oldest first, with true sizes and times, those of SFTP only", async () => {
  const { clientId } = await insertClient(database, { clientId: "LISTED" });
  await insertClient(database, { clientId: "NOBODY" });
  const [first, receipt, , last] = (await store(clientId, [
    { payload: Buffer.from("<first/>") },
    { type: "GR" },
    { isSftp: false },
    {},
  ])) as [Stored, Stored, Stored, Stored];
  const folder = foldersOf(clientId);
  assert.deepEqual(await folder("/outbound/OS").list(), [
    { name: first.name, size: 8, modifiedAtMs: clock.now() },
    { name: last.name, size: 4, modifiedAtMs: clock.now() },
  ]);
  assert.match(first.name, /^OS_\d{8}T\d{6}Z_[0-9a-f-]{36}\.xml$/);
  assert.deepEqual(await namesOf(folder("/outbound/GR")), [receipt.name]);
  for (const type of ["RS", "ADJ", "INV", "IMS", "ACK", "archive"]) {
    assert.deepEqual(await folder(`/outbound/${type}`).list(), []);
  }
  assert.deepEqual(await foldersOf("NOBODY")("/outbound/OS").list(), []);
  assert.equal(await foldersOf("NOBODY")("/outbound/OS").find(first.name), undefined);
});

test("a file is found only by its full name in its own folder", async () => {
  const { clientId } = await insertClient(database, { clientId: "FOUND" });
  const [{ name, messageId }] = (await store(clientId, [{}])) as [Stored];
  const folder = foldersOf(clientId);
  assert.equal((await folder("/outbound/OS").find(name))?.name, name);
  const others = [
    `GR${name.slice(2)}`,
    `OS_20200101T000000Z_${messageId}.xml`,
    `${messageId}.xml`,
    `_${messageId}.xml`,
  ];
  for (const other of [
    ...others,
    name.toUpperCase(),
    "",
    "x.xml",
    "OS_\u0000_x.xml",
    `OS_x_${"f".repeat(5_000)}.xml`,
  ]) {
    assert.equal(await folder("/outbound/OS").find(other), undefined, other);
    const opened = await folder("/outbound/OS").openRead(other);
    assert.deepEqual(opened.ok ? undefined : opened.fault.status, "NO_SUCH_FILE");
  }
  for (const path of ["/outbound/GR", "/outbound/archive"]) {
    assert.equal(await folder(path).find(name), undefined);
    assert.equal((await folder(path).openRead(name)).ok, false);
  }
});

test("a read gives the bytes of any range, and marks the file as read but not as taken", async () => {
  const { clientId } = await insertClient(database, { clientId: "READ" });
  const payload = Buffer.from(Array.from({ length: 1_300_000 }, (_, i) => (i * 7919) % 251));
  const [{ name, messageId }] = (await store(clientId, [{ payload }])) as [Stored];
  const folder = foldersOf(clientId)("/outbound/OS");
  for (const step of [32_768, 262_144, 2_000_000]) assert.ok((await bytesOf(folder, name, step)).equals(payload));
  const opened = await folder.openRead(name);
  assert.ok(opened.ok);
  const file = opened.value;
  assert.deepEqual([file.size, file.modifiedAtMs], [payload.length, clock.now()]);
  const places = [1_299_990, 0, 524_280, 1_048_570, 700_000];
  const read = await Promise.all(places.map((place) => file.read(place, 20)));
  for (const [i, place] of places.entries())
    assert.ok(read[i]?.equals(payload.subarray(place, place + 20)), `${place}`);
  assert.equal((await file.read(payload.length, 10)).length, 0);
  assert.equal((await file.read(payload.length + 5_000_000, 10)).length, 0);
  const marks = await marksOf(messageId);
  assert.equal(marks?.read_at, new Date(clock.now()).toISOString());
  assert.equal(marks.collected_at, null);
  clock.ms += 60_000;
  await folder.openRead(name);
  assert.deepEqual(await marksOf(messageId), marks, "the first time counts");
  assert.deepEqual(await namesOf(folder), [name]);
});

test("a file that is deleted or renamed into the archive is taken, and is in the archive once", async () => {
  const { clientId } = await insertClient(database, { clientId: "TAKEN" });
  const [deleted, renamed, moved] = (await store(clientId, [
    {},
    { payload: Buffer.from("<two/>") },
    {},
  ])) as Stored[] as [Stored, Stored, Stored];
  const folder = foldersOf(clientId)("/outbound/OS");
  const archive = foldersOf(clientId)("/outbound/archive");
  assert.deepEqual(await folder.remove?.(deleted.name), { ok: true, value: undefined });
  clock.ms += 1_000;
  const target = { folder: "/outbound/archive", name: renamed.name };
  assert.deepEqual(await folder.rename?.(renamed.name, target), { ok: true, value: undefined });
  clock.ms += 1_000;
  assert.equal((await folder.rename?.(moved.name, { folder: "/outbound", name: "archive" }))?.ok, true);
  assert.deepEqual(await folder.list(), []);
  assert.deepEqual(await namesOf(archive), [deleted.name, renamed.name, moved.name]);
  assert.equal((await archive.find(renamed.name))?.size, 6);
  assert.equal(String(await bytesOf(archive, renamed.name)), "<two/>");
  assert.deepEqual([archive.remove, archive.rename, archive.openWrite, folder.openWrite], Array(4).fill(undefined));
  for (const again of [folder.remove?.(renamed.name), folder.rename?.(renamed.name, target)]) {
    const answer = await again;
    assert.ok(answer && !answer.ok);
    assert.equal(answer.fault.status, "NO_SUCH_FILE");
    assert.match(answer.fault.message, /\/outbound\/archive/);
  }
  assert.equal((await folder.openRead(renamed.name)).ok, false);
  assert.equal((await marksOf(renamed.messageId))?.acknowledged_at, null, "the list over HTTP is another way");

  // A resent document is in its folder again; a document taken 90 days ago is no longer in the archive.
  await database.transaction(async (tx) => {
    const view = tx.of(clientId);
    const position = await repository.takePositions(view, 1);
    repository.putBack(view, renamed.messageId, position + 1, { isHttp: false, isSftp: true });
  });
  assert.deepEqual(await namesOf(folder), [renamed.name]);
  assert.deepEqual(await namesOf(archive), [deleted.name, moved.name]);
  clock.ms += 90 * dayMs - 1_500;
  assert.deepEqual(await namesOf(archive), [moved.name]);
  assert.equal(await archive.find(deleted.name), undefined);
  clock.ms -= 90 * dayMs;
});

test("a file can be renamed only into the archive, and keeps its name", async () => {
  const { clientId } = await insertClient(database, { clientId: "RENAMED" });
  const [{ name }] = (await store(clientId, [{}])) as [Stored];
  const folder = foldersOf(clientId)("/outbound/OS");
  const targets = [
    { folder: "/outbound/OS", name: "done.xml" },
    { folder: "/outbound/GR", name },
    { folder: "/inbound/NO", name },
    { folder: "/outbound/archive", name: `${name}.done` },
    { folder: "/outbound/archive/x", name },
  ];
  for (const target of targets) {
    const answer = await folder.rename?.(name, target);
    assert.ok(answer && !answer.ok);
    assert.equal(answer.fault.status, "PERMISSION_DENIED");
    assert.match(answer.fault.message, new RegExp(`/outbound/archive/${name}$`));
  }
  assert.deepEqual(await namesOf(folder), [name]);
});

test("of two sessions that take one file at once, one succeeds", async () => {
  const { clientId } = await insertClient(database, { clientId: "ATONCE" });
  const [{ name }] = (await store(clientId, [{}])) as [Stored];
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => foldersOf(clientId)("/outbound/OS").remove?.(name)),
  );
  assert.equal(answers.filter((answer) => answer?.ok).length, 1);
});

test("a large folder lists the oldest files, and the archive those taken last", async () => {
  const { clientId } = await insertClient(database, { clientId: "MANY" });
  const stored: Stored[] = [];
  for (let i = 0; i < 4; i++)
    stored.push(
      ...(await store(
        clientId,
        Array.from({ length: 2_501 }, () => ({})),
      )),
    );
  const folder = foldersOf(clientId)("/outbound/OS");
  const archive = foldersOf(clientId)("/outbound/archive");
  const names = stored.map(({ name }) => name);
  assert.deepEqual(await namesOf(folder), names.slice(0, 10_000));
  await folder.remove?.(names[0] as string);
  assert.deepEqual(await namesOf(folder), names.slice(1, 10_001));
  // A document beyond the listing exists all the same.
  assert.equal((await folder.find(names[10_002] as string))?.name, names[10_002]);
  await database.query(
    sql`update outbound_document set collected_at = ${new Date(clock.now() + 1).toISOString()}::timestamptz
      where client_id = ${clientId} and collected_at is null`,
  );
  assert.deepEqual(await namesOf(archive), names.slice(4), "of the four that are left out one was taken first");
});
