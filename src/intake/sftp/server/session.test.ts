// A session, driven by ssh2's client: order, limits, back-pressure, and the state of files after failures.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { SFTPWrapper } from "ssh2";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { connect, openSftp, startTestSftp } from "../../../../tests/support/sftp/server.ts";

const { database } = await testDatabase();
const sftp = await startTestSftp(database);
const { folders } = sftp;
const { behaviour } = folders;

type Asked<T> = (done: (error?: Error | null, value?: T) => void) => void;

/** The result of an ssh2 call. */
function answerOf<T>(ask: Asked<T>): Promise<T> {
  return new Promise((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
}

const openOf = (client: SFTPWrapper, path: string, flags: "r" | "w" | "wx" | "a" | "r+") =>
  answerOf<Buffer>((done) => client.open(path, flags, done));
const closeOf = (client: SFTPWrapper, handle: Buffer) => answerOf<unknown>((done) => client.close(handle, done));
const writeOf = (client: SFTPWrapper, handle: Buffer, bytes: Buffer, at: number) =>
  answerOf<unknown>((done) => client.write(handle, bytes, 0, bytes.length, at, done));

async function until(isTrue: () => boolean): Promise<void> {
  for (const giveUpMs = Date.now() + 30_000; !isTrue(); await sleep(5))
    assert.ok(Date.now() < giveUpMs, "in half a minute");
}

async function session() {
  const connection = await connect(sftp);
  return { connection, client: await openSftp(connection) };
}

/** Statuses by their numbers: 2 no such file, 3 permission denied, 4 failure, 8 unsupported. */
async function refusal<T>(ask: Asked<T>, code: number, message: RegExp): Promise<void> {
  await assert.rejects(answerOf(ask), (error: Error & { code?: number }) => {
    assert.match(error.message, message);
    assert.equal(error.code, code, error.message);
    return true;
  });
}

test("a refusal has a status and a message", async () => {
  const { connection, client } = await session();
  folders.put("ACME", "/inbound/NO", "there.xml", "12345");
  await refusal((done) => client.stat("/inbound/NO/none.xml", done), 2, /no such file/);
  await refusal((done) => client.open("/acks/none.xml", "r", done), 2, /no such file/);
  await refusal((done) => client.open("/inbound/XX/a.xml", "w", done), 3, /no such folder; upload files to/);
  await refusal((done) => client.open("/inbound/NO", "w", done), 4, /is a folder/);
  await refusal((done) => client.open("/inbound/NO/there.xml", "wx", done), 4, /such a file already/);
  await refusal((done) => client.open("/inbound/NO/none.xml", "r+", done), 2, /no such file/);
  await refusal((done) => client.open("/inbound/NO/there.xml", "a", done), 8, /cannot be resumed/);
  await refusal((done) => client.open(`/inbound/NO/${"é".repeat(128)}`, "w", done), 4, /255 bytes/);
  await refusal((done) => client.open("/inbound/NO/a\nb", "w", done), 4, /control characters/);
  await refusal((done) => client.mkdir("/inbound/ZZ", done), 3, /folders are fixed/);
  await refusal((done) => client.mkdir("/inbound/NO", done), 4, /folder of that name already/);
  await refusal((done) => client.rmdir("/inbound/NO", done), 3, /folders are fixed/);
  await refusal((done) => client.readlink("/acks/a", done), 8, /no links/);
  await refusal((done) => client.symlink("/acks/a", "/acks/b", done), 8, /no links/);
  await refusal((done) => client.unlink("/archive/a", done), 3, /cannot be deleted/);
  await refusal((done) => client.unlink("/acks", done), 4, /is a folder/);
  await refusal((done) => client.rename("/archive/a", "/archive/b", done), 3, /cannot be renamed/);
  await refusal((done) => client.rename("/inbound/NO/there.xml", "/inbound/XX/b", done), 2, /no such folder/);
  await refusal((done) => client.rename("/inbound/NO/there.xml", "/acks", done), 4, /folder of that name/);
  await refusal((done) => client.readdir("/inbound/NO/there.xml", done), 2, /no such folder/);
  await refusal(
    (done) => client.setstat("/inbound/NO/there.xml", { size: 3 } as never, done),
    4,
    /cannot be truncated/,
  );
  await refusal((done) => client.setstat("/acks", { mode: 0o777 } as never, done), 3, /This folder is read-only/);
  await refusal((done) => client.ext_openssh_statvfs("/", done), 8, /./).catch((error: Error) =>
    // ssh2 does not send requests that the server has not advertised.
    assert.match(String(error), /Server does not support/),
  );
  connection.end();
});

test("attributes set after an upload are accepted without effect, and sizes and times are correct", async () => {
  const { connection, client } = await session();
  const handle = await openOf(client, "/inbound/NO/times.xml", "w");
  await answerOf<unknown>((done) => client.fchmod(handle, 0o644, done));
  await writeOf(client, handle, Buffer.from("12345"), 0);
  await answerOf<unknown>((done) => client.futimes(handle, 1_000, 1_000, done));
  await closeOf(client, handle);
  await answerOf<unknown>((done) => client.utimes("/inbound/NO/times.xml", 1_000, 1_000, done));
  await answerOf<unknown>((done) => client.chmod("/inbound/NO/times.xml", 0o600, done));
  const stats = await answerOf<{ size: number; mtime: number }>((done) => client.stat("/inbound/NO/times.xml", done));
  assert.equal(stats.size, 5);
  assert.ok(Math.abs(stats.mtime * 1000 - Date.now()) < 60_000);
  assert.equal(await answerOf<string>((done) => client.realpath("../x/./..//inbound", done)), "/inbound");
  const names = await answerOf<{ filename: string }[]>((done) => client.readdir("/inbound", done));
  assert.deepEqual(names.map(({ filename }) => filename).toSorted(), ["CAT", "NO"]);
  connection.end();
});

test("requests sent without waiting are handled in their order, and reads ahead come whole", async () => {
  const { connection, client } = await session();
  const bytes = randomBytes(3 * 1024 * 1024 + 7);
  const handle = await openOf(client, "/inbound/CAT/order.bin", "w");
  const part = 32_000;
  const written: Promise<unknown>[] = [];
  for (let at = 0; at < bytes.length; at += part)
    written.push(writeOf(client, handle, bytes.subarray(at, at + part), at));
  written.push(closeOf(client, handle));
  written.push(answerOf((done) => client.rename("/inbound/CAT/order.bin", "/archive/order.bin", done)));
  const stats = answerOf<{ size: number }>((done) => client.stat("/archive/order.bin", done));
  await Promise.all(written);
  assert.equal((await stats).size, bytes.length);
  const back = await answerOf<Buffer>((done) => client.readFile("/archive/order.bin", done));
  assert.ok(back.equals(bytes));
  // Requests all parts at once, as paramiko does.
  const reading = await openOf(client, "/archive/order.bin", "r");
  const parts = await Promise.all(
    Array.from({ length: Math.ceil(bytes.length / 4_096) }, (_, i) =>
      answerOf<Buffer>((done) => {
        const into = Buffer.alloc(4_096);
        client.read(reading, into, 0, 4_096, i * 4_096, (error, length) => done(error, into.subarray(0, length)));
      }),
    ),
  );
  assert.ok(Buffer.concat(parts).equals(bytes));
  await refusal((done) => client.read(reading, Buffer.alloc(1), 0, 1, bytes.length, done), 1, /ends here/).catch(
    () => {},
  );
  connection.end();
});

test("a client that writes faster than the store takes is answered at the store's pace", async () => {
  const { connection, client } = await session();
  behaviour.writeDelayMs = 20;
  const handle = await openOf(client, "/inbound/CAT/fast.bin", "w");
  const part = Buffer.alloc(32_000, 1);
  let answered = 0;
  const startedMs = performance.now();
  const all = Array.from({ length: 300 }, (_, i) =>
    writeOf(client, handle, part, i * part.length).then(() => {
      answered++;
    }),
  );
  await sleep(500);
  await until(() => answered > 5);
  const tookMs = performance.now() - startedMs;
  assert.ok(answered <= tookMs / 19 + 1, `${answered} were answered in ${tookMs} ms`);
  behaviour.writeDelayMs = 0;
  await Promise.all(all);
  await closeOf(client, handle);
  assert.equal(folders.get("ACME", "/inbound/CAT", "fast.bin")?.length, 300 * part.length);
  connection.end();
});

test("a file whose connection breaks is dropped; a closed file is complete", async () => {
  const { connection, client } = await session();
  const whole = await openOf(client, "/inbound/NO/whole.xml", "w");
  const cut = await openOf(client, "/inbound/NO/cut.xml", "w");
  await writeOf(client, whole, Buffer.from("<whole/>"), 0);
  await writeOf(client, cut, Buffer.from("<cut"), 0);
  behaviour.closeDelayMs = 100;
  const { closes } = folders.begun;
  client.close(whole, () => {});
  await until(() => folders.begun.closes > closes);
  connection.destroy();
  await until(() => folders.log.includes("abandon /inbound/NO/cut.xml 4"));
  behaviour.closeDelayMs = 0;
  assert.ok(folders.log.includes("close /inbound/NO/whole.xml 8"), "what was asked is finished");
  assert.equal(folders.get("ACME", "/inbound/NO", "cut.xml"), undefined);
});

test("a partly written file is never processed", async () => {
  const { connection, client } = await session();
  const handle = await openOf(client, "/inbound/NO/hole.xml", "w");
  await writeOf(client, handle, Buffer.from("1234"), 0);
  await refusal((done) => client.write(handle, Buffer.from("9"), 0, 1, 8, done), 4, /from its beginning/);
  await refusal((done) => client.write(handle, Buffer.from("5"), 0, 1, 4, done), 4, /from its beginning/);
  await refusal((done) => client.close(handle, done), 4, /from its beginning/);
  assert.equal(folders.get("ACME", "/inbound/NO", "hole.xml"), undefined);
  assert.equal(folders.log.at(-1), "abandon /inbound/NO/hole.xml 4");
  connection.end();
});

test("while the store is unavailable every request fails with a message, and the session continues afterwards", async () => {
  const { connection, client } = await session();
  const handle = await openOf(client, "/inbound/NO/away.xml", "w");
  behaviour.isAway = true;
  const away = /database cannot be reached; nothing was stored: send the file again/;
  await refusal((done) => client.write(handle, Buffer.from("1"), 0, 1, 0, done), 4, away);
  await refusal((done) => client.open("/inbound/NO/b.xml", "w", done), 4, away);
  await refusal((done) => client.stat("/inbound/NO/b.xml", done), 4, /database cannot be reached; try again/);
  await refusal((done) => client.readdir("/acks", done), 4, /database cannot be reached/);
  behaviour.isAway = false;
  await refusal((done) => client.close(handle, done), 4, /gap/);
  behaviour.isBroken = true;
  await refusal((done) => client.stat("/inbound/NO/b.xml", done), 4, /internal error/);
  behaviour.isBroken = false;
  assert.ok(sftp.logged.some(({ level, msg }) => level === "error" && msg === "an SFTP request failed"));
  assert.ok(Array.isArray(await answerOf((done) => client.readdir("/acks", done))));
  connection.end();
});

test("a session has 64 files open and 8 folders", async () => {
  const { connection, client } = await session();
  folders.put("ACME", "/acks", "a.xml", "<a/>");
  const listings = await Promise.all(
    Array.from({ length: 8 }, () => answerOf<Buffer>((done) => client.opendir("/acks", done))),
  );
  await refusal((done) => client.opendir("/acks", done), 4, /too many folders/);
  const handles = await Promise.all(Array.from({ length: 56 }, () => openOf(client, "/acks/a.xml", "r")));
  await refusal((done) => client.open("/acks/a.xml", "r", done), 4, /at most 64/);
  await closeOf(client, handles[0] as Buffer);
  await closeOf(client, await openOf(client, "/acks/a.xml", "r"));
  await refusal((done) => client.close(handles[0] as Buffer, done), 4, /handle does not allow/);
  await refusal((done) => client.write(handles[1] as Buffer, Buffer.from("1"), 0, 1, 0, done), 4, /does not allow/);
  await refusal((done) => client.fstat(listings[0] as Buffer, done), 4, /does not allow/);
  const read = promisify(client.fstat.bind(client)) as (handle: Buffer) => Promise<{ size: number }>;
  assert.equal((await read(handles[1] as Buffer)).size, 4);
  connection.end();
});
