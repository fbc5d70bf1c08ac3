// The store does not answer: a log-in and a request end in the time of a request, and say that the client should try
// again.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SFTPWrapper } from "ssh2";
import type { Folder } from "#/intake/sftp/file-system.ts";
import { openDatabase } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { startStoreProxy } from "../../../../tests/faults/nodes/store-proxy.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { watchMachine } from "../../../../tests/support/app/machine.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { memoryFolders } from "../../../../tests/support/sftp/memory-folders.ts";
import { connect, openSftp, startTestSftp } from "../../../../tests/support/sftp/server.ts";

const stretch = watchMachine();
const { url } = await testDatabase();
const proxy = await startStoreProxy(url);
const database = openDatabase({ url: proxy.url, connectionsMax: 8, applicationName: "crossdock sftp test" });
atEnd(async () => {
  await database.close();
  await proxy.close();
});
const folders = memoryFolders();
/** Folders whose look-ups ask the store twice, as those of the product do. */
const open: typeof folders.open = (login) =>
  new Map(
    [...folders.open(login)].map(([path, folder]): [string, Folder] => [
      path,
      {
        ...folder,
        async find(name) {
          for (let statements = 0; statements < 2; statements++) await database.query(sql`select 1 as found limit 1`);
          return folder.find(name);
        },
      },
    ]),
  );
const sftp = await startTestSftp(database, { folders: { ...folders, open } });
/** RFC 4253 §11.1. */
const serviceNotAvailable = 7;
/** draft-ietf-secsh-filexfer-02 §7. */
const [noSuchFile, failure] = [2, 4];
const answerMsMax = 5_000;

const realpath = (session: SFTPWrapper) =>
  new Promise<string>((resolve, reject) =>
    session.realpath(".", (error, path) => (error ? reject(error) : resolve(path))),
  );

test("a request that needs the store fails in the time of one, and succeeds when the store is back", async () => {
  const session = await openSftp(await connect(sftp));
  const stat = () =>
    new Promise<(Error & { code?: number }) | undefined>((resolve) => session.stat("/acks/none.xml", resolve));
  assert.equal((await stat())?.code, noSuchFile);
  // Each statement of a slow store has time enough, both together have not.
  for (const spoil of [() => proxy.delay(1_600), proxy.hang]) {
    spoil();
    const beganMs = performance.now();
    const refusal = await stat();
    assert.equal(refusal?.code, failure);
    assert.match(refusal?.message ?? "", /database cannot be reached; try again/);
    assert(performance.now() - beganMs < 2 * answerMsMax * stretch());
    proxy.delay(0);
  }
  await proxy.back();
  assert.equal((await stat())?.code, noSuchFile);
});

test("log-ins end with 'service not available' in the time of one, and succeed when the store is back", async () => {
  const before = await openSftp(await connect(sftp));
  proxy.hang();
  const beganMs = performance.now();
  // They are of one address, whose log-ins run one after the other.
  const refusals = await Promise.all(
    Array.from({ length: 3 }, () =>
      connect(sftp).then(
        () => assert.fail("logged in"),
        (error: Error & { code?: number; level?: string }) => [error.code, error.level],
      ),
    ),
  );
  assert.deepEqual(refusals, Array(3).fill([serviceNotAvailable, undefined]));
  assert(performance.now() - beganMs < 2 * answerMsMax * stretch());
  assert.equal(await realpath(before), "/", "a session without need of the store goes on");
  await proxy.back();
  assert.equal(await realpath(await openSftp(await connect(sftp))), "/");
});
