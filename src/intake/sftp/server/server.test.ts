// The server as a whole: its limits, unsupported requests, and how sessions end.
import assert from "node:assert/strict";
import { connect as connectSocket, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import ssh2, { type Client, type ClientChannel, type SFTPWrapper } from "ssh2";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { connect, openSftp, password, startTestSftp, type TestSftp } from "../../../../tests/support/sftp/server.ts";

const { database } = await testDatabase();
const sftp = await startTestSftp(database);

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const giveUpMs = Date.now() + 30_000; !isTrue(); await sleep(5)) assert.ok(Date.now() < giveUpMs, what);
}

const heldSlots = (clientId = "%") =>
  database.query({
    text: "select from sftp_session where client_id like $1 limit 10",
    name: "",
    values: [clientId],
    isTenant: false,
  });

/** Slots are released a moment after their sessions have ended. */
async function untilSlots(heldMax: number, clientId = "%"): Promise<void> {
  for (const giveUpMs = Date.now() + 30_000; ; await sleep(10)) {
    const rows = await heldSlots(clientId);
    if (rows.length <= heldMax) return;
    assert.ok(Date.now() < giveUpMs, `${rows.length} slots are held, not ${heldMax}`);
  }
}

/** Opens a connection that sends only these bytes; resolves when it was closed, with the bytes received. */
function stranger({ server }: TestSftp, bytes: Buffer | string = ""): { socket: Socket; closed: Promise<string> } {
  const socket = connectSocket({ host: server.host, port: server.port });
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  if (bytes.length > 0) socket.write(bytes);
  return { socket, closed: new Promise((resolve) => socket.once("close", () => resolve(received))) };
}

/** The answer to a request of an open session. */
const statOf = (session: SFTPWrapper) =>
  new Promise<string>((resolve) => session.stat("/", (fault) => resolve(fault ? fault.message : "served")));

const closedOf = (client: Client) => new Promise<void>((resolve) => client.once("close", () => resolve()));

test("only SFTP is served, and no other SSH service", async () => {
  const client = await connect(sftp, { strictVendor: false });
  const refused = (ask: (done: (error: Error | undefined, channel?: ClientChannel) => void) => void) =>
    new Promise<string>((resolve) => ask((error) => resolve(error?.message ?? "served")));
  assert.match(await refused((done) => client.exec("id", done)), /Unable to exec/);
  assert.match(await refused((done) => client.exec("scpx", done)), /Unable to exec/);
  assert.match(await refused((done) => client.shell(false, done)), /Unable to open shell/);
  assert.match(await refused((done) => client.shell(done)), /pseudo-terminal|pty|Unable/i);
  assert.match(await refused((done) => client.subsys("netconf", done)), /Unable to start subsystem/);
  assert.match(
    await refused((done) => client.forwardOut("127.0.0.1", 1, "127.0.0.1", 22, done)),
    /open failure|prohibited/i,
  );
  assert.match(await refused((done) => client.forwardIn("127.0.0.1", 0, done as never)), /Unable to bind/);
  assert.match(
    await refused((done) => client.openssh_forwardOutStreamLocal("/run/x", done)),
    /open failure|prohibited/i,
  );
  const output = await new Promise<string>((resolve, reject) =>
    client.exec("scp -t /inbound/NO", (error, channel) => {
      if (error) return reject(error);
      let text = "";
      channel.stderr.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      channel.on("exit", (code) => {
        text += code;
      });
      channel.on("close", () => resolve(text)).resume();
    }),
  );
  assert.match(output, /supports SFTP only/);
  assert.match(output, /^1|1$/, "exit code 1");
  assert.ok(await openSftp(client), "the connection serves what it is for");
  client.end();
});

test("the ninth session of a client is refused with a message, on any node", async () => {
  // Waits for the slot of the previous test.
  await untilSlots(0, "ACME");
  const other = await startTestSftp(database, { folders: sftp.folders, logIns: sftp.logIns });
  assert.deepEqual(other.fingerprints, sftp.fingerprints, "both have the same host keys");
  const clients = await Promise.all(Array.from({ length: 8 }, (_, i) => connect(i % 2 ? sftp : other)));
  for (const client of clients) await openSftp(client);
  const ninth = await connect(other);
  const session = await openSftp(ninth);
  assert.match(await statOf(session), /8 sessions of client ACME are open/);
  const others = await connect(sftp, { username: "other" });
  await openSftp(others);
  clients[0]?.end();
  await until(() => other.logged.some(({ msg }) => msg === "SFTP session ended"), "the first has ended");
  await untilSlots(7, "ACME");
  const again = await openSftp(await connect(sftp));
  assert.equal(await statOf(again), "served");
  await other.server.stop();
  for (const client of [...clients, ninth, others]) client.end();
});

test("connections without a log-in end, and are few per address", async () => {
  const bounded = await startTestSftp(database, { limits: { firstLogInMsMax: 4_000, strangersPerNetworkMax: 4 } });
  const startedMs = Date.now();
  const slow = [
    stranger(bounded),
    stranger(bounded, "SSH-2.0-slow"),
    stranger(bounded, "SSH-2.0-slow\r\n"),
    stranger(bounded),
  ];
  await sleep(200);
  assert.equal(await stranger(bounded).closed, "", "the fifth is not greeted");
  const received = await Promise.all(slow.map(({ closed }) => closed));
  assert.ok(received.every((text) => text.startsWith("SSH-2.0-Crossdock\r\n")));
  const tookMs = Date.now() - startedMs;
  assert.ok(tookMs > 3_900 && tookMs < 15_000, `${tookMs} ms, and 20 s where nothing else is set`);
  const client = await connect(bounded);
  assert.ok(await openSftp(client), "there is room again");
  client.end();
  await bounded.server.stop();
});

test("garbage, a packet too long and a foreign protocol end their connection and nothing else", async () => {
  const garbage = [
    Buffer.from("GET / HTTP/1.1\r\n\r\n"),
    Buffer.from("SSH-1.5-old\r\n"),
    Buffer.concat([Buffer.from("SSH-2.0-x\r\n"), Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.alloc(2_000)]),
    Buffer.concat([Buffer.from("SSH-2.0-x\r\n"), Buffer.alloc(50_000, 0x41)]),
    Buffer.alloc(100_000, 0x20),
    Buffer.alloc(70_000),
  ];
  for (const bytes of garbage) {
    const { closed, socket } = stranger(sftp, bytes);
    const tooLate = sleep(15_000, undefined, { ref: false }).then(() =>
      assert.fail(`${bytes.subarray(0, 20)} is listened to`),
    );
    await Promise.race([closed, tooLate]);
    socket.destroy();
  }
  const client = await connect(sftp);
  assert.ok(await openSftp(client));
  client.end();
});

test("weak algorithms are refused", async () => {
  for (const algorithms of [
    { kex: ["diffie-hellman-group14-sha1"] },
    { cipher: ["aes128-cbc"] },
    { cipher: ["3des-cbc"] },
    { hmac: ["hmac-sha1"], cipher: ["aes128-ctr"] },
    { serverHostKey: ["ssh-rsa"] },
  ]) {
    await assert.rejects(connect(sftp, { algorithms: algorithms as never }), /no matching/, JSON.stringify(algorithms));
  }
  for (const algorithms of [
    { serverHostKey: ["rsa-sha2-512"] },
    { serverHostKey: ["rsa-sha2-256"] },
    { cipher: ["chacha20-poly1305@openssh.com"] },
  ]) {
    (await connect(sftp, { algorithms: algorithms as never })).end();
  }
});

test("sessions of a revoked credential and of a suspended client end; others continue", async () => {
  const [acme, other] = [await connect(sftp), await connect(sftp, { username: "other" })];
  await Promise.all([openSftp(acme), openSftp(other)]);
  const logIn = sftp.logIns.get("acme");
  assert.ok(logIn);
  const closed = closedOf(acme);
  sftp.logIns.set("acme", { ...logIn, isSuspended: true });
  await sftp.server.check();
  await closed;
  await assert.rejects(connect(sftp));
  sftp.logIns.set("acme", logIn);
  const session = await openSftp(other);
  assert.equal(await statOf(session), "served");
  other.end();
});

test("idle sessions and connections without a session end at their time-out", async () => {
  const limits = { withoutRequestMsMax: 3_000, withoutSessionMsMax: 3_000 };
  const bounded = await startTestSftp(database, { limits });
  // On a busy machine the second log-in may take longer than the first connection may stay without a session.
  const serving = await connect(bounded);
  const served = closedOf(serving);
  await openSftp(serving);
  const ends = Promise.all([served, closedOf(await connect(bounded))]);
  await Promise.race([ends, sleep(20_000, undefined, { ref: false }).then(() => assert.fail("they go on"))]);
  await bounded.server.stop();
});

test("a session that lost its slot while the database was unavailable ends", async () => {
  const client = await connect(sftp);
  await openSftp(client);
  const closed = closedOf(client);
  await database.query({ text: "delete from sftp_session", name: "", values: [], isTenant: false });
  const session = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await sftp.server.check();
  await until(() => sftp.logged.filter(({ msg }) => msg === "SFTP session ended").length > 0, "it has ended");
  client.end();
  await Promise.all([closed, session]);
});

test("a stopping server finishes running requests, informs its sessions, and accepts no connection", async () => {
  // Waits for the slots of the previous tests.
  await untilSlots(0);
  const stopping = await startTestSftp(database, { limits: { graceMsMax: 60_000 } });
  const { behaviour } = stopping.folders;
  const client = await connect(stopping);
  const session = await openSftp(client);
  const quiet = await connect(stopping, { username: "other" });
  const unfinished = stranger(stopping, "SSH-2.0-x\r\n");
  behaviour.closeDelayMs = 500;
  const handles = await Promise.all(
    ["a.xml", "b.xml"].map(
      (name) =>
        new Promise<Buffer>((resolve, reject) =>
          session.open(`/inbound/NO/${name}`, "w", (error, handle) => (error ? reject(error) : resolve(handle))),
        ),
    ),
  );
  const closing = new Promise<unknown>((resolve) => session.close(handles[0] as Buffer, (fault) => resolve(fault)));
  await until(() => stopping.folders.begun.closes > 0, "the close is under way");
  const closed = Promise.all([closedOf(client), closedOf(quiet), unfinished.closed]);
  const startedMs = Date.now();
  await stopping.server.stop();
  const slotsAtStop = await heldSlots();
  assert.ok(Date.now() - startedMs < 20_000, `it took ${Date.now() - startedMs} ms of the minute that it may`);
  assert.ok(!(await closing), "the close under way was answered");
  assert.deepEqual(
    stopping.folders.log.filter((line) => /NO/.test(line)),
    ["close /inbound/NO/a.xml 0", "abandon /inbound/NO/b.xml 0"],
  );
  await closed;
  await assert.rejects(connect(stopping), /ECONNREFUSED/);
  assert.deepEqual(slotsAtStop, [], "its slots were given back before it had stopped");
});

test("a running upload completes when the server stops, and is renamed", async () => {
  // The test sets the server's clock: on a busy machine a request may come later than one in transfer may.
  let nowMs = Date.now();
  const stopping = await startTestSftp(database, {
    limits: { graceMsMax: 60_000, transferMsMax: 30_000 },
    clock: { now: () => nowMs },
  });
  const client = await connect(stopping);
  const session = await openSftp(client);
  const answerOf = <T>(ask: (done: (error?: Error | null, value?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value as T))));
  const handle = await answerOf<Buffer>((done) => session.open("/inbound/NO/long.xml.tmp", "w", done));
  const closed = closedOf(client);
  const stop = stopping.server.stop();
  for (let at = 0; at < 10; at++) {
    await answerOf((done) => session.write(handle, Buffer.from("x"), 0, 1, at, done));
    nowMs += 400;
    await sleep(20);
  }
  await answerOf((done) => session.close(handle, done));
  nowMs += 100;
  await sleep(50);
  await answerOf((done) => session.rename("/inbound/NO/long.xml.tmp", "/inbound/NO/long.xml", done));
  nowMs += 1_000;
  await Promise.all([stop, closed]);
  assert.ok(stopping.folders.log.includes("close /inbound/NO/long.xml.tmp 10"), stopping.folders.log.join("\n"));
});

test("a client that disconnects during a log-in or an open leaves no state", async () => {
  const { host, port } = sftp.server;
  for (const afterMs of [5, 20, 40, 60, 80, 100, 130]) {
    const client = new ssh2.Client();
    client.on("error", () => {}).on("ready", () => client.sftp(() => {}));
    client.connect({ host, port, username: "acme", password });
    await sleep(afterMs);
    client.destroy();
  }
  for (let i = 0; i < 5; i++) {
    const client = await connect(sftp);
    client.sftp(() => {});
    await sleep(i);
    client.destroy();
  }
  const count = (text: string) => sftp.logged.filter(({ msg }) => msg === text).length;
  await sleep(200);
  await until(() => count("SFTP session began") === count("SFTP session ended"), "every session has ended");
  await untilSlots(0);
  assert.equal(sftp.logged.filter(({ level }) => level === "error").length, 0);
});

test("a connection has sixteen channels", async () => {
  const client = await connect(sftp);
  const answers = Array.from(
    { length: 20 },
    () => new Promise<string>((resolve) => client.subsys("none", (error) => resolve(error?.message ?? "served"))),
  );
  // Channels whose request was refused are still open.
  assert.ok((await Promise.all(answers)).some((message) => /open failure|Channel open/i.test(message)));
  client.end();
});

test("no log contains a password, for any result of the log-in", async () => {
  const client = new ssh2.Client();
  await new Promise((resolve) => {
    client.on("error", resolve);
    client.connect({ host: sftp.server.host, port: sftp.server.port, username: "acme", password: "s3cret-typo" });
  });
  const lines = JSON.stringify(sftp.logged);
  assert.ok(lines.includes("SFTP log-in refused"));
  assert.ok(!lines.includes("s3cret-typo") && !lines.includes(password));
});
