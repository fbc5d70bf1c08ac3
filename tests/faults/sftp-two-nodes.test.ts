// sftp.md: any node serves any client. With two processes on one database, each serves the other's uploads. After a
// kill, the other node completes the work, or the same file is sent again.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import ssh2, { type SFTPWrapper } from "ssh2";
import { countSessions } from "#/intake/sftp/server/access-repository.ts";
import { leaseMs } from "#/intake/sftp/server/session-slots.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { onboardClient } from "#/modules/clients/index.ts";
import { createFacility } from "#/modules/facilities/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { type Exit, faultLine, makeDataDir, sftpIn, spawnProcess } from "../support/app/process.ts";
import { until } from "../support/app/until.ts";
import { catalogue } from "../support/builders/documents.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { withProgram } from "../support/sftp/openssh.ts";
import { localFile, localPath } from "../support/sftp/server.ts";
import { opensshAbsence, type SftpPlace, sftpUser } from "../support/sftp/user.ts";

const { url: databaseUrl, database } = await testDatabase();
const ids = createIds();
const stretch = watchMachine();
const credentials = await database.transaction(async (tx) => {
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids };
  await createFacility(tx, change, { facilityCode: "DC1", name: "DC1", country: "GB", timezone: "Europe/London" });
  const client = { clientId: "ACME", name: "Acme", facilities: ["DC1"], environment: "sandbox" };
  const onboarded = await onboardClient(tx, change, client);
  assert.ok(onboarded.ok);
  return onboarded.value.sftp;
});

/**
 * When nodes are killed: first after the response, which measures the duration, and then after these fractions of it.
 */
const killParts = ["answered", 0.4, 0.8, 1] as const;

interface Node extends SftpPlace {
  readonly fingerprint: string;
  output(): string;
  kill(): Promise<void>;
  stop(...signals: NodeJS.Signals[]): Promise<Exit>;
}

/** A process that serves only SFTP, like on another machine. */
async function startNode(dataDir = makeDataDir()): Promise<Node> {
  const node = spawnProcess(dataDir, {
    DATABASE_URL: databaseUrl,
    CROSSDOCK_SECRET: "a master key for tests, long enough",
    CROSSDOCK_ROLES: "sftp",
    CROSSDOCK_SFTP_PORT: "0",
    CROSSDOCK_SEED_DEMO: "false",
  });
  atEnd(() => node.stop("SIGTERM"));
  const place = await until("the place of SFTP", () => sftpIn(node.output()), 100_000);
  return { ...place, output: node.output, kill: node.kill, stop: node.stop };
}

const [survivor, other] = await Promise.all([startNode(), startNode()]);
/** Shared by the killed nodes, one after the other. */
const victimDir = makeDataDir();
/** Sessions of the killed nodes count until their leases expire, and a client has eight. */
async function startVictim(): Promise<Node> {
  const fewSessions = async () => (await countSessions(database.of("ACME"), Date.now(), leaseMs)) <= 4 || undefined;
  await until("the sessions of killed nodes to end", fewSessions, 60_000);
  return startNode(victimDir);
}
const user = sftpUser(survivor, credentials);
const items = localFile("cat.xml", catalogue("ACME", ["TEE-M"]));
const ackOf = (name: string): string => readFileSync(localPath(name), "utf8");
const documents = () =>
  database.query<{ token: string; state: string }>({
    text: "select token, state from feed_document where client_id = 'ACME' order by token",
    values: [],
    name: "test documents",
    isTenant: false,
  });

test("both nodes have the same host key, although both made one", () => {
  assert.equal(survivor.fingerprint, other.fingerprint);
});

withProgram("what is put on one node is answered on the other", opensshAbsence, async () => {
  await user.done(`put ${items} /inbound/CAT/there.xml`);
  await user.at(other).done(`get /acks/there.xml.ack.xml ${localPath("there")}`);
  assert.match(ackOf("there"), /<success>true</);
  await user.at(other).done(`put ${items} /inbound/CAT/there.xml`, `get /acks/there.xml.ack.xml ${localPath("again")}`);
  assert.equal(ackOf("again"), ackOf("there"), "the other node knows the file again");
});

withProgram("a file under a temporary name is renamed on another node, from any session", opensshAbsence, async () => {
  await user.done(`put ${items} /inbound/CAT/moved.xml.tmp`);
  const rename = "rename /inbound/CAT/moved.xml.tmp /inbound/CAT/moved.xml";
  await user.at(other).done("ls -l /inbound/CAT", rename, `get /acks/moved.xml.ack.xml ${localPath("moved")}`);
  assert.match(ackOf("moved"), /<success>true</);
  assert.deepEqual(await user.names("/inbound/CAT"), []);
});

function openSession(at: SftpPlace): Promise<SFTPWrapper> {
  const client = new ssh2.Client();
  atEnd(() => client.destroy());
  return new Promise((resolve, reject) => {
    client.on("error", () => {});
    client.once("error", reject);
    client.on("ready", () => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))));
    const { username, password } = credentials;
    client.connect({ host: at.host, port: at.port, username, password, readyTimeout: 60_000 });
  });
}

const opened = (sftp: SFTPWrapper, path: string) =>
  new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, "w", (error, handle) => (error ? reject(error) : resolve(handle))),
  );
const written = (sftp: SFTPWrapper, handle: Buffer, bytes: Buffer, at: number) =>
  new Promise<void>((resolve, reject) =>
    sftp.write(handle, bytes, 0, bytes.length, at, (error) => (error ? reject(error) : resolve())),
  );
/** Resolves in any case, because the node may be killed before it answers. */
const closed = (sftp: SFTPWrapper, handle: Buffer) =>
  new Promise<"answered" | "lost">((resolve) => {
    sftp.close(handle, (error) => resolve(error ? "lost" : "answered"));
    sftp.once("close", () => resolve("lost"));
  });

withProgram(
  "a node killed in the middle of an upload leaves no document; the file is put again on the other",
  opensshAbsence,
  async () => {
    const node = await startVictim();
    const before = (await documents()).length;
    const large = catalogue(
      "ACME",
      Array.from({ length: 20_000 }, (_, i) => `LARGE-${i}`),
    );
    const bytes = Buffer.from(large);
    const sftp = await openSession(node);
    const handle = await opened(sftp, "/inbound/CAT/large.xml");
    for (let at = 0; at < bytes.length / 2; at += 100_000)
      await written(sftp, handle, bytes.subarray(at, at + 100_000), at);
    await node.kill();
    assert.equal((await documents()).length, before);
    assert.deepEqual(
      (await user.at(other).names("/acks")).filter((name) => name.startsWith("large")),
      [],
    );
    const file = localFile("large.xml", bytes);
    await user
      .at(other)
      .done(`put ${file} /inbound/CAT/large.xml`, `get /acks/large.xml.ack.xml ${localPath("large")}`);
    assert.match(ackOf("large"), /<success>true</);
    assert.equal((await documents()).length, before + 1);
  },
);

withProgram(
  "a node killed while it judges has done it or has not; the same file again on the other has one ACK",
  opensshAbsence,
  async (t) => {
    let done = 0;
    let tookMs = 0;
    for (const [round, part] of killParts.entries()) {
      const node = await startVictim();
      const before = (await documents()).length;
      const name = `judged-${round}.xml`;
      const bytes = Buffer.from(
        catalogue(
          "ACME",
          Array.from({ length: 3_000 }, (_, i) => `R${round}-${i}`),
        ),
      );
      const file = localFile(name, bytes);
      const sftp = await openSession(node);
      const handle = await opened(sftp, `/inbound/CAT/${name}`);
      for (let at = 0; at < bytes.length; at += 200_000)
        await written(sftp, handle, bytes.subarray(at, at + 200_000), at);
      const beganMs = performance.now();
      const answer = closed(sftp, handle);
      if (part === "answered") await answer;
      else await sleep(part * tookMs);
      if (part === "answered") tookMs = performance.now() - beganMs;
      await node.kill();
      const isDone = (await answer) === "answered";
      // Data from the killed node may still be on its way into the store.
      await sleep(300);
      const committed = (await documents()).length - before;
      assert.ok(committed <= 1 && (committed === 1 || !isDone), "what was answered is there");
      done += committed;
      await user.at(other).done(`put ${file} /inbound/CAT/${name}`, `get /acks/${name}.ack.xml ${localPath("judged")}`);
      assert.match(ackOf("judged"), /<success>true</);
      assert.equal((await documents()).length, before + 1, "once, by either node");
      rmSync(file);
    }
    t.diagnostic(`${done} of ${killParts.length} were committed before the kill`);
  },
);

withProgram(
  "a node killed while it renames leaves the file to the next session that renames it",
  opensshAbsence,
  async (t) => {
    let done = 0;
    let tookMs = 0;
    for (const [round, part] of killParts.entries()) {
      const node = await startVictim();
      const before = (await documents()).length;
      const xml = catalogue(
        "ACME",
        Array.from({ length: 3_000 }, (_, i) => `W${round}-${i}`),
      );
      const [from, to] = [`/inbound/CAT/waits-${round}.tmp`, `/inbound/CAT/waits-${round}.xml`];
      await user.at(other).done(`put ${localFile("waits.xml", xml)} ${from}`);
      const sftp = await openSession(node);
      const beganMs = performance.now();
      const answer = new Promise<void>((resolve) => sftp.rename(from, to, () => resolve()));
      if (part === "answered") await answer;
      else await sleep(part * tookMs);
      if (part === "answered") tookMs = performance.now() - beganMs;
      await node.kill();
      await sleep(300);
      done += (await documents()).length - before;
      const again = await user.at(other).batch(`rename ${from} ${to}`);
      // If the killed node had finished, the temporary file no longer exists.
      if (again.code !== 0) assert.match(again.err, /No such file/);
      await user.at(other).done(`get /acks/waits-${round}.xml.ack.xml ${localPath("waits")}`);
      assert.match(ackOf("waits"), /<success>true</);
      assert.equal((await documents()).length, before + 1, "once, by either node");
      assert.deepEqual(
        (await user.names("/inbound/CAT")).filter((name) => name.startsWith("waits")),
        [],
      );
    }
    t.diagnostic(`${done} of ${killParts.length} were committed before the kill`);
  },
);

test("Ctrl-C ends a node within 5 s while sessions are open, and an unfinished upload is not a document", async () => {
  const node = await startVictim();
  const before = (await documents()).length;
  const [idle, busy] = await Promise.all([openSession(node), openSession(node)]);
  const handle = await opened(busy, "/inbound/CAT/stopped.xml");
  await written(busy, handle, Buffer.from("<itemMaster>"), 0);
  const ended = Promise.all([idle, busy].map((sftp) => new Promise((resolve) => sftp.once("close", resolve))));
  const { code, ms } = await node.stop("SIGINT", "SIGINT");
  assert.equal(code, 0, node.output());
  assert.ok(ms < 5_000 * stretch(), `the stop took ${Math.round(ms)} ms`);
  await ended;
  assert.match(node.output(), /"msg":"stopped"/);
  assert.doesNotMatch(node.output(), faultLine);
  assert.equal((await documents()).length, before);
  assert.deepEqual(await user.names("/inbound/CAT"), ["stopped.xml"], "the part is listed");
  await user.done("rm /inbound/CAT/stopped.xml");
});

test("no node logged an error", () => {
  for (const node of [survivor, other]) assert.doesNotMatch(node.output(), faultLine);
});
