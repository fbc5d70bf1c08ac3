// The store does not answer: a log-in and a request end in the time of a request, and say that the client should try
// again.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SFTPWrapper } from "ssh2";
import { openDatabase } from "#/db/database.ts";
import { startStoreProxy } from "../../../tests/faults/nodes/store-proxy.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { watchMachine } from "../../../tests/support/app/machine.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";
import { connect, openSftp, startTestSftp } from "../../../tests/support/sftp/server.ts";

const stretch = watchMachine();
const { url } = await testDatabase();
const proxy = await startStoreProxy(url);
const database = openDatabase({ url: proxy.url, connectionsMax: 8, applicationName: "crossdock sftp test" });
atEnd(async () => {
  await database.close();
  await proxy.close();
});
const sftp = await startTestSftp(database);
/** RFC 4253 §11.1. */
const serviceNotAvailable = 7;
const answerMsMax = 5_000;

const realpath = (session: SFTPWrapper) =>
  new Promise<string>((resolve, reject) =>
    session.realpath(".", (error, path) => (error ? reject(error) : resolve(path))),
  );

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
