// sftp.md and operations.md against the running program: who gets access, and what no user gets.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import ssh2 from "ssh2";
import { resumeClient, revokeCredential, suspendClient } from "#/modules/clients/index.ts";
import { watchMachine } from "../support/app/machine.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue } from "../support/builders/documents.ts";
import { run, sshOptions, withProgram } from "../support/sftp/openssh.ts";
import { localFile, localPath, makeKey } from "../support/sftp/server.ts";
import { crossdock, lftpAbsence, opensshAbsence, type SftpPlace, sftpUser } from "../support/sftp/user.ts";

const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
const place = server.sftp as SftpPlace;
const { credentials: acme } = await server.onboard("ACME");
const { credentials: other } = await server.onboard("OTHER");
const user = sftpUser(place, acme.sftp);
const stranger = sftpUser(place, other.sftp);
const items = localFile("cat.xml", catalogue("ACME", ["TEE-M"]));

const stretch = watchMachine();
/** Shorter than the server's own polling interval of eight seconds, except on a slow machine. */
const endMsMax = () => 6_000 * stretch();

const sessions = async () =>
  (await server.rows<{ credential_id: string }>("select credential_id from sftp_session limit 10")).length;
/** A client program may end before the server has recorded the end of its session. */
const allGone = () => until("no session is left", async () => (await sessions()) === 0);

interface Issued {
  readonly credentialId: string;
  readonly sftp: { readonly username: string; readonly password?: string };
}

const issue = async (...more: readonly string[]): Promise<Issued> =>
  (await crossdock(server, "credentials", "issue", "ACME", "--kind", "sftp", ...more)) as unknown as Issued;

withProgram(
  "the command line issues passwords and keys beside each other, and revokes one alone",
  opensshAbsence,
  async () => {
    const second = await issue();
    assert.equal(second.sftp.username, "acme.2");
    const byPassword = sftpUser(place, second.sftp);
    await byPassword.done("ls");
    const key = makeKey("acme-key", "ed25519");
    const file = localFile("acme-key.pub", `${key.publicKey} developer@brand\n`);
    const third = await issue("--public-key", file);
    assert.deepEqual(third.sftp, { username: "acme.3" });
    const byKey = sftpUser(place, third.sftp).with(`IdentityFile=${key.file}`, "PreferredAuthentications=publickey");
    await byKey.done(`put ${items} /inbound/CAT/by-key.xml`, `get /acks/by-key.xml.ack.xml ${localPath("by-key")}`);
    assert.match(readFileSync(localPath("by-key"), "utf8"), /<success>true</);
    const strange = makeKey("strange-key", "ed25519");
    const byOther = sftpUser(place, third.sftp).with(
      `IdentityFile=${strange.file}`,
      "PreferredAuthentications=publickey",
    );
    assert.match((await byOther.batch("ls")).err, /Permission denied \(publickey,password\)/);

    await crossdock(server, "credentials", "revoke", second.credentialId);
    assert.match((await byPassword.batch("ls")).err, /Permission denied/);
    await byKey.done("ls");
    await user.done("ls");
  },
);

withProgram(
  "open sessions end at once when their credential is revoked or the client suspended",
  opensshAbsence,
  async () => {
    const { credentialId, sftp } = await issue();
    await allGone();
    const revoked = await openSession(place, { password: "", ...sftp });
    assert.equal(await sessions(), 1);
    const isRevokedOver = closeOf(revoked);
    await server.operate((tx, change) => revokeCredential(tx, change, credentialId));
    await until("the session of the credential has ended", isRevokedOver, endMsMax());
    await allGone();

    const suspended = await openSession(place, other.sftp);
    const isSuspendedOver = closeOf(suspended);
    await server.operate((tx, change) => suspendClient(tx.of("OTHER", change)));
    await until("the session of the client has ended", isSuspendedOver, endMsMax());
    const refused = await stranger.batch("ls");
    assert.notEqual(refused.code, 0);
    assert.match(refused.err, /Client OTHER is suspended/);
    await user.done("ls");
    await server.operate((tx, change) => resumeClient(tx.of("OTHER", change)));
    await stranger.done("ls");
  },
);

withProgram(
  "the host key is the one of the greeting, on another node and after a restart",
  opensshAbsence,
  async () => {
    const known = localPath("known-hosts");
    writeFileSync(known, "");
    const scan = async ({ host, port }: SftpPlace): Promise<string[]> => {
      const { out } = await run("ssh-keyscan", ["-T", "30", "-p", String(port), "-t", "ed25519,rsa", host]);
      return out.match(/(?:ssh-ed25519|ssh-rsa) \S+/g)?.sort() ?? [];
    };
    const keys = await scan(place);
    assert.equal(keys.length, 2);
    const shown = keys.map((key) => run("ssh-keygen", ["-lf", "-"], `${key}\n`));
    const fingerprints = (await Promise.all(shown)).map(({ out }) => out.split(" ")[1]);
    assert.equal(fingerprints[0], server.sftp?.fingerprint);
    const node = await server.startNode();
    assert.deepEqual(await scan(node.sftp as SftpPlace), keys);
    await sftpUser(node.sftp as SftpPlace, acme.sftp).done("ls");
    await node.stop();
    const next = await server.startNode();
    assert.deepEqual(await scan(next.sftp as SftpPlace), keys);
    await next.stop();
  },
);

withProgram("no one gets out of the client's own folders, whatever the path says", opensshAbsence, async () => {
  await user.done(`put ${items} /inbound/CAT/secret.tmp`, `put ${items} /inbound/CAT/mine.xml`);
  for (const [command, words] of [
    ["get /../../../../etc/passwd", /not found/],
    ["get /acks/../../../etc/passwd", /not found/],
    ["get //etc//passwd", /not found/],
    ["get /ACME/acks/mine.xml.ack.xml", /not found/],
    ["get ../OTHER/acks/mine.xml.ack.xml", /not found/],
    ["cd /../OTHER", /No such file|not found|Can't find/i],
    [`put ${items} /../../srv/escaped`, /Permission denied/],
    [`put ${items} /etc/escaped`, /Permission denied/],
    [`put ${items} /inbound/escaped.xml`, /Permission denied/],
    [`put ${items} /inbound/GR/escaped.xml`, /Permission denied/],
    [`put ${items} /outbound/OS/escaped.xml`, /Permission denied/],
    [`put ${items} /acks/escaped.xml`, /Permission denied/],
    ["ln -s /etc/passwd /inbound/CAT/link.xml", /unsupported/i],
    ["ln /archive/mine.xml /inbound/CAT/link.xml", /unsupported|not support/i],
    ["symlink / /inbound/CAT/link", /unsupported/i],
    ["mkdir /inbound/CAT/deeper", /Permission denied/],
    ["rmdir /inbound/CAT", /Permission denied/],
    ["rename /inbound/CAT /inbound/OTHER", /Permission denied/],
    ["rename /inbound/CAT/secret.tmp /inbound/NO/secret.xml", /Permission denied/],
    ["rename /inbound/CAT/secret.tmp /archive/secret.xml", /Permission denied/],
    ["rename /archive/mine.xml /inbound/CAT/mine.xml", /Permission denied/],
    ["get /inbound/CAT/secret.tmp", /Permission denied/],
    ["rm /archive/mine.xml", /Permission denied/],
    ["chown 0 /archive/mine.xml", /Permission denied/],
    [`put ${items} "/inbound/CAT/${"n".repeat(240)}"`, /Permission denied/],
    [`put ${items} "/inbound/CAT/${"n".repeat(256)}"`, /Failure/],
    [`put ${items} "/inbound/CAT/a\\\\..\\\\b.xml"`, /Failure/],
  ] as const) {
    await user.refused(command, words);
  }
  assert.deepEqual(await user.names("/"), ["acks", "archive", "inbound", "outbound", "rejected"]);
  assert.deepEqual(await user.names("/inbound/CAT"), ["secret.tmp"]);
  for (const folder of ["/inbound/CAT", "/acks", "/archive", "/rejected"])
    assert.deepEqual(await stranger.names(folder), []);
  await stranger.refused("get /archive/mine.xml", /not found/);
  await stranger.refused("rename /inbound/CAT/secret.tmp /inbound/CAT/theirs.xml", /No such file/);
  await stranger.refused("rm /inbound/CAT/secret.tmp", /No such file|not found/);
  await user.done("rm /inbound/CAT/secret.tmp");
});

withProgram("names are taken as they are, and one file each", opensshAbsence, async () => {
  const names = ["two words.xml", "Größe 世界.xml", "-dash.xml", "*.xml", "$(id).xml", "a'b.xml", "name", "a&b<c>.xml"];
  await user.done(...names.map((name) => `put ${items} "/inbound/CAT/${name}"`));
  const archived = await user.names("/archive");
  for (const name of names) assert.ok(archived.includes(name), `${name} in ${archived.join()}`);
});

withProgram("there is no shell, no command and no forwarding", opensshAbsence, async () => {
  const { username, password } = acme.sftp;
  const options = sshOptions({ server: place }, "-p", ["ExitOnForwardFailure=yes", "LogLevel=ERROR"]);
  const ssh = (...args: readonly string[]) => run("timeout", ["50", "ssh", ...options, ...args], "", password);
  const to = `${username}@${place.host}`;
  for (const [args, words] of [
    [[to], /shell request failed/],
    [["-tt", to], /PTY allocation request failed|shell request failed/],
    [[to, "id"], /exec request failed/],
    [[to, "internal-sftp"], /exec request failed/],
    [["-N", "-R", "0:127.0.0.1:22", to], /forwarding failed/],
    [["-W", "127.0.0.1:22", to], /forwarding failed|prohibited|denied/],
    [["-s", to, "netconf"], /subsystem request failed/],
  ] as const) {
    const { code, out, err } = await ssh(...args);
    assert.notEqual(code, 0, args.join(" "));
    assert.match(err, words, args.join(" "));
    assert.equal(out, "");
  }
  const old = await user.scp("-O", items, `${to}:/inbound/CAT/old.xml`);
  assert.notEqual(old.code, 0);
  assert.match(old.err, /supports SFTP only.*-O of scp/);
});

withProgram("20 MiB and a byte, and the 10 001st file, are refused and leave nothing", lftpAbsence, async () => {
  const large = localFile("large.xml", Buffer.alloc(20 * 1024 * 1024 + 1, " "));
  await user.refused(`put ${large} /inbound/CAT/large.xml`, /write remote "\/inbound\/CAT\/large.xml": Failure/);
  const result = await user.lftp(`put ${large} -o /inbound/CAT/large.xml`);
  assert.match(result.err, /The file is over 20971520 bytes, the maximum; nothing of it was stored/);
  for (const folder of ["/inbound/CAT", "/rejected"]) assert.deepEqual(await user.names(folder), []);

  await server.rows(
    `insert into sftp_upload (client_id, upload_id, feed_type, name, state, size_bytes, last_written_at)
      select 'ACME', gen_random_uuid(), 'RMA', n || '.tmp', 'WAITING', 0, now() from generate_series(1, 10000) n`,
  );
  await user.refused(`put ${items} /inbound/RMA/more.xml`, /dest open "\/inbound\/RMA\/more.xml": Failure/);
  const full = await user.lftp(`put ${items} -o /inbound/RMA/more.xml`);
  assert.match(full.err, /There are 10000 unprocessed files in \/inbound\/RMA: rename or delete some/);
  assert.equal((await user.names("/inbound/RMA")).length, 10_000);
  await user.done("rm /inbound/RMA/1.tmp", `put ${items} /inbound/RMA/more.xml`);
  await server.rows("delete from sftp_upload where client_id = 'ACME'");
});

withProgram("a client has eight sessions over all nodes; the ninth is informed", lftpAbsence, async () => {
  const node = await server.startNode();
  await allGone();
  const open = await Promise.all(
    Array.from({ length: 8 }, (_, i) => openSession(i % 2 === 0 ? place : (node.sftp as SftpPlace), acme.sftp)),
  );
  const ninth = await user.batch("ls");
  assert.notEqual(ninth.code, 0);
  assert.match(ninth.err, /eight|8 sessions/);
  await stranger.done("ls");
  open[0]?.end();
  await until("a place is free", async () => (await user.batch("ls")).code === 0);
  for (const session of open) session.end();
  await node.stop();
});

function openSession(
  at: SftpPlace,
  { username, password }: { username: string; password: string },
): Promise<ssh2.Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on("error", reject).on("ready", () => client.sftp((error) => (error ? reject(error) : resolve(client))));
    client.connect({ host: at.host, port: at.port, username, password, readyTimeout: 60_000 });
  });
}

/** Whether its connection is closed, with a disconnect message or, if that was too slow, without one. */
function closeOf(session: ssh2.Client): () => boolean {
  let isClosed = false;
  session.once("close", () => {
    isClosed = true;
  });
  return () => isClosed;
}

withProgram(
  "wrong passwords slow down and lock out the address, on every node, and never the client",
  opensshAbsence,
  async () => {
    const from = (address: string) => [`BindAddress=${address}`, "NumberOfPasswordPrompts=1"];
    const guesser = sftpUser(place, { username: "acme", password: "a wrong guess" }).with(...from("127.0.0.77"));
    const tookMs: number[] = [];
    for (let i = 0; i < 10; i++) {
      const beganMs = Date.now();
      assert.match(
        (await guesser.batch("ls")).err,
        i < 9 ? /Permission denied/ : /Permission denied|Too many wrong log-ins/,
      );
      tookMs.push(Date.now() - beganMs);
    }
    assert.ok((tookMs[8] as number) > 2_000, `the ninth took ${tookMs[8]} ms`);
    const owner = user.with(...from("127.0.0.77"));
    const locked = await owner.batch("ls");
    assert.notEqual(locked.code, 0, "the right password does not help from there");
    assert.match(locked.err, /Too many wrong log-ins from this address: try again in 15 minutes/);
    const node = await server.startNode();
    assert.match((await owner.at(node.sftp as SftpPlace).batch("ls")).err, /Too many wrong log-ins/);
    await node.stop();
    await user.done("ls");
    await user.with(...from("127.0.0.78")).done("ls");
  },
);

test("no password is in the log", () => {
  const logged = server.logged.join("\n");
  for (const secret of [acme.sftp.password, other.sftp.password, "a wrong guess"]) assert.ok(!logged.includes(secret));
});
