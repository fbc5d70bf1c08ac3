// Uploads that are cut at any byte: the connection, the client or the server is killed, or a file is closed too early.
// Nothing partial is ever accepted, nothing complete is lost, and the same file sent again gets its ACK (contract
// sftp.md). CROSSDOCK_TEST_SFTP_UPLOADS makes more of them, CROSSDOCK_TEST_SEED repeats a run's choices (not its
// timing).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { issueCredential } from "#/modules/clients/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { faultLine, makeDataDir, type StartingProcess, spawnProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { absenceOf, startBatch } from "../support/sftp/openssh.ts";
import { localFile, makeKey } from "../support/sftp/server.ts";
import {
  endSessions,
  type KeyAccount,
  openSession,
  RefusedError,
  type SftpPlace,
  type SftpSession,
} from "../support/sftp/session.ts";
import { catalogue, seededRandom, testSeed } from "./load/sender.ts";
import { clientId, makeUpload, pathOf, type Upload } from "./load/sftp-uploads.ts";
import { startWire } from "./nodes/cut-wire.ts";
import { drained } from "./oracles/oracle.ts";
import { checkUploads } from "./oracles/sftp-oracle.ts";

const uploadsMax = Number(process.env.CROSSDOCK_TEST_SFTP_UPLOADS ?? 150);
const isCutRate = 0.3;
/** A client has eight sessions, and those of a killed node are released after 25 s, so each node uses half of them. */
const senders = 4;
const killEveryMs = 30_000;
/** Approximate length of SSH's greeting and log-in, so that a program is also killed before it is logged in. */
const greetingBytes = 4_500;
const attemptMsMax = 90_000;

const { url, database } = await testDatabase();
const folders = [makeDataDir(), makeDataDir()] as const;
const environment = {
  DATABASE_URL: url,
  CROSSDOCK_SECRET: "a master key for tests, long enough",
  CROSSDOCK_ROLES: "worker,sftp",
  CROSSDOCK_SFTP_PORT: "0",
  CROSSDOCK_SEED_DEMO: "false",
};
atEnd(endSessions);

/** A node that is killed and comes back on another port. */
interface Node {
  place: SftpPlace | undefined;
  server: StartingProcess;
}

async function start(dataDir: string): Promise<{ server: StartingProcess; place: SftpPlace }> {
  const server = spawnProcess(dataDir, environment);
  const port = await until(
    "SFTP to be served",
    async () => {
      assert.doesNotMatch(server.output(), /cannot start/);
      const line = server
        .output()
        .split("\n")
        .find((text) => text.includes('"SFTP is served"'));
      return line === undefined ? undefined : (JSON.parse(line) as { port: number }).port;
    },
    100_000,
  );
  return { server, place: { host: "127.0.0.1", port } };
}

async function startNodes(): Promise<readonly [Node, Node]> {
  await insertClient(database, { clientId });
  return Promise.all([start(folders[0]), start(folders[1])]);
}

async function makeAccount(): Promise<KeyAccount> {
  const key = makeKey("sender", "ed25519");
  const issued = await database.transaction((tx) =>
    issueCredential(
      tx,
      { actor: "test", origin: "test", at: new Date(systemClock.now()).toISOString(), ids: createIds() },
      { clientId, kind: "sftp", environment: "sandbox", publicKey: key.publicKey },
    ),
  );
  assert(issued.ok && "sftp" in issued.value);
  return { username: issued.value.sftp.username, key };
}

/** The ordered items. */
const stock: Upload = {
  folder: "CAT",
  name: "stock.xml",
  bytes: Buffer.from(catalogue.xml),
  orderId: undefined,
  lines: 0,
  isRenamed: false,
};
/** On a busy machine, a file may wait until its outcome is unknown; then it is sent again. */
const isAway = (error: RefusedError): boolean => /database cannot be reached/.test(error.message);
const absence = absenceOf("sftp", "apt-get install openssh-client");

test(`of ${uploadsMax} uploads, ${isCutRate * 100} % of them cut, none that is partial is accepted and none that is whole is lost`, {
  timeout: 120_000 + uploadsMax * 3_000,
}, async (t) => {
  const seed = testSeed();
  t.diagnostic(`seed ${seed}`);
  const random = seededRandom(seed);
  const nodes = await startNodes();
  const account = await makeAccount();
  const uploads: Upload[] = [];
  /** Cut uploads that are not sent again yet. */
  const open: Upload[] = [];
  const counts = { connection: 0, client: 0, early: 0, server: 0, cut: 0, refused: 0 };
  let killing: Promise<void> = Promise.resolve();
  let killedMs = -killEveryMs;

  const doorOf = () =>
    until(
      "a node that runs",
      async () => {
        const places = nodes.flatMap(({ place }) => place ?? []);
        return places[Math.floor(random() * places.length)];
      },
      60_000,
    );

  async function kill(): Promise<void> {
    const i = Math.floor(random() * nodes.length);
    const node = nodes[i] as Node;
    counts.server++;
    node.place = undefined;
    await node.server.kill();
    Object.assign(node, await start(folders[i] as string));
  }

  /** The client's sessions may still be those of a killed node. */
  async function sessionAt(place: SftpPlace): Promise<SftpSession> {
    const session = await openSession(place, account);
    try {
      await session.sizes("/outbound");
      return session;
    } catch (error) {
      session.end();
      throw error;
    }
  }

  async function put(session: SftpSession, upload: Upload): Promise<void> {
    const target = pathOf(upload);
    if (!upload.isRenamed) return session.put(target, upload.bytes);
    await session.put(`${target}.part`, upload.bytes);
    await session.rename(`${target}.part`, target);
  }

  /** Retries over broken connections until the upload is answered, then fetches the ACK. */
  async function settle(session: SftpSession | undefined, upload: Upload): Promise<SftpSession> {
    let current = session;
    for (const giveUpMs = performance.now() + attemptMsMax; ; await sleep(50)) {
      assert(performance.now() < giveUpMs, `${upload.name} is answered within ${attemptMsMax / 1_000} s`);
      try {
        if (current === undefined || current.isOver) current = await sessionAt(await doorOf());
        await put(current, upload);
        const ack = (await current.get(`/acks/${upload.name}.ack.xml`)).toString();
        assert.match(ack, /<success>true<\/success>/, `${upload.name} is whole, and is accepted`);
        if (upload.ack !== undefined) assert.equal(ack, upload.ack, `${upload.name} is answered as it was before`);
        upload.ack = ack;
        return current;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        const isFull = /sessions of client/.test((error as Error).message);
        if (error instanceof RefusedError && !isFull && !isAway(error))
          throw new Error(`${upload.name}: ${error.message}`);
        if (isFull) counts.refused++;
        current?.end();
        current = undefined;
      }
    }
  }

  /** Uses a separate connection, which breaks where the seed decides. */
  async function cutConnection(upload: Upload): Promise<void> {
    const wire = await startWire(await doorOf());
    const isAnswer = random() < 0.2;
    const bytes = isAnswer ? random() * 300 : random() * (upload.bytes.length * 1.01 + 400);
    try {
      const session = await sessionAt({ host: "127.0.0.1", port: wire.port });
      wire.arm(isAnswer ? "down" : "up", bytes, wire.cut);
      await put(session, upload);
      session.end();
    } catch (error) {
      if (error instanceof RefusedError && !/sessions of client/.test(error.message) && !isAway(error)) throw error;
    }
    if (wire.isReached) counts.cut++;
    await wire.close();
  }

  async function killClient(upload: Upload): Promise<void> {
    const wire = await startWire(await doorOf());
    const local = localFile(upload.name, upload.bytes);
    const target = pathOf(upload);
    const commands = upload.isRenamed
      ? [`put ${local} ${target}.part`, `rename ${target}.part ${target}`]
      : [`put ${local} ${target}`];
    const batch = startBatch({ host: "127.0.0.1", port: wire.port }, account, commands);
    wire.arm("up", random() * (greetingBytes + upload.bytes.length * 1.01), () => void batch.kill());
    const timer = setTimeout(() => void batch.kill(), attemptMsMax);
    await batch.ended;
    clearTimeout(timer);
    if (wire.isReached) counts.cut++;
    await wire.close();
  }

  /** For the protocol this is a complete file, so it is validated, and rejected as malformed. */
  async function closeEarly(upload: Upload): Promise<void> {
    const broken = { bytes: upload.bytes.subarray(0, Math.floor(random() * upload.bytes.length)), isAnswered: false };
    upload.broken = broken;
    counts.cut++;
    let session: SftpSession;
    try {
      session = await sessionAt(await doorOf());
    } catch {
      return;
    }
    try {
      await put(session, { ...upload, bytes: broken.bytes });
      broken.isAnswered = true;
      const ack = (await session.get(`/acks/${upload.name}.ack.xml`)).toString();
      assert.match(ack, /<success>false<\/success>.*\[XML\]/s, `${upload.name} was closed too early, and is rejected`);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      if (error instanceof RefusedError && !isAway(error)) throw error;
    }
    session.end();
  }

  const faults = [
    { name: "connection", below: 0.5, run: cutConnection },
    { name: "client", below: absence === undefined ? 0.75 : 0.5, run: killClient },
    { name: "early", below: 1, run: closeEarly },
  ] as const;

  async function send(): Promise<void> {
    let session: SftpSession | undefined;
    while (uploads.length < uploadsMax) {
      const upload = makeUpload(uploads.length, random);
      uploads.push(upload);
      if (uploads.length >= uploadsMax / 4 && performance.now() - killedMs > killEveryMs) {
        killedMs = performance.now();
        killing = killing.then(kill);
      }
      if (random() >= isCutRate) {
        session = await settle(session, upload);
        continue;
      }
      const choice = random();
      const fault = faults.find(({ below }) => choice < below) ?? faults[2];
      counts[fault.name]++;
      session?.end();
      session = undefined;
      await fault.run(upload);
      // Some senders retry at once, others much later.
      if (random() < 0.5) session = await settle(session, upload);
      else open.push(upload);
    }
    session?.end();
  }

  const beganMs = performance.now();
  const session = await settle(undefined, stock);
  session.end();
  await Promise.all(Array.from({ length: senders }, send));
  await killing;
  let last = await settle(undefined, stock);
  const listed = await last.sizes("/inbound/NO");
  t.diagnostic(`${listed.size} orders lie in /inbound/NO, cut off`);
  for (const upload of open) last = await settle(last, upload);
  const all = [stock, ...uploads];
  await drained(url);
  const first = await checkUploads(url, all, last);
  // A file that is uploaded again, to any node, gets the same response and leaves nothing new.
  const again = [...all];
  async function sendAgain(): Promise<void> {
    let session: SftpSession | undefined;
    for (let upload = again.pop(); upload; upload = again.pop()) {
      if (random() < 0.1) {
        session?.end();
        session = undefined;
      }
      session = await settle(session, upload);
    }
    session?.end();
  }
  await Promise.all(Array.from({ length: senders }, sendAgain));
  await drained(url);
  assert.deepEqual(await checkUploads(url, all, last), first);
  last.end();
  t.diagnostic(
    `${JSON.stringify(counts)}; ${JSON.stringify(first)}; ${Math.round((performance.now() - beganMs) / 100) / 10} s`,
  );
  // Compared with the number that the seed chose to cut, which may be small.
  const chosen = counts.connection + counts.client + counts.early;
  assert(chosen > 0 && counts.cut > chosen * 0.5, `uploads were cut indeed, and not only ${counts.cut} of ${chosen}`);
  for (const { server } of nodes) assert.doesNotMatch(server.output(), faultLine);
});
