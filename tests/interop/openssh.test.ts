// Common clients: sftp and scp of OpenSSH, and lftp.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testDatabase } from "../support/postgres/database.ts";
import { absenceOf, batch, run, sshOptions, withProgram } from "../support/sftp/openssh.ts";
import { localFile, localPath, makeKey, password, startTestSftp } from "../support/sftp/server.ts";

const { database } = await testDatabase();
const sftp = await startTestSftp(database);
const { folders, server } = sftp;
const absence = absenceOf("ssh", "apt-get install openssh-client");
const order = localFile("order.xml", "<orderRequest/>\n");

withProgram("a batch of sftp puts, lists, gets, renames and deletes", absence, async () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5);
  folders.put("ACME", "/acks", "order.xml.ack.xml", "<apiResponse/>", at);
  folders.put("ACME", "/outbound/OS", "OS_1.xml", "<one/>", at);
  folders.put("ACME", "/outbound/OS", "OS_2.xml", "<two/>", at);
  const { code, out, err } = await batch(sftp, [
    "pwd",
    "cd inbound",
    "ls",
    `put -p ${order} NO/order.xml`,
    `put ${order} NO/later.tmp`,
    "rename NO/later.tmp NO/later.xml",
    "ls -l NO",
    `get -p /acks/order.xml.ack.xml ${localPath("ack.xml")}`,
    "cd /outbound/OS",
    "ls -l",
    `get *.xml ${localPath(".")}`,
    "rename OS_1.xml /outbound/archive/OS_1.xml",
    "rm OS_2.xml",
    "ls -l /outbound",
    "ls -1 /outbound/archive",
  ]);
  assert.equal(code, 0, err);
  assert.match(out, /Remote working directory: \/$/m);
  assert.match(out, /^CAT +NO *$/m);
  assert.match(out, /^--w------- .* 16 \w{3} +\d+ \d\d:\d\d .*later\.xml$/m);
  assert.match(out, /^-r--r--r-- .* +6 Jan +2 (?:03:04| 2026) .*OS_1\.xml$/m);
  assert.match(out, /^dr-xr-xr-x .* .*archive$/m);
  assert.equal(folders.get("ACME", "/inbound/NO", "order.xml")?.toString(), "<orderRequest/>\n");
  assert.equal(folders.get("ACME", "/outbound/archive", "OS_1.xml")?.toString(), "<one/>");
  assert.equal(folders.get("ACME", "/outbound/OS", "OS_2.xml"), undefined);
  assert.equal(readFileSync(localPath("ack.xml"), "utf8"), "<apiResponse/>");
  assert.equal(statSync(localPath("ack.xml")).mtimeMs, at);
  assert.equal(readFileSync(localPath("OS_2.xml"), "utf8"), "<two/>");
});

withProgram("what may not be done fails with its status", absence, async () => {
  for (const [command, words] of [
    ["mkdir inbound/XX", /Permission denied/],
    ["rmdir acks", /Permission denied/],
    [`put ${order} /acks/order.xml`, /Permission denied/],
    [`put ${order} /order.xml`, /Permission denied/],
    [`put ${order} /../../etc/passwd`, /Permission denied/],
    [`get /inbound/NO/order.xml ${localPath("back")}`, /Permission denied/],
    ["rm /archive/x.xml", /Permission denied/],
    ["rename /inbound/NO /inbound/XX", /Permission denied/],
    ["ln -s /acks/a /acks/b", /unsupported/i],
    [`put ${order} "/inbound/NO/${"x".repeat(256)}"`, /Failure/],
    [`put ${order} "/inbound/NO/a\\\\b.xml"`, /Failure/],
    ["chown 0 /inbound/NO/order.xml", /Permission denied/],
    [`put -a ${localFile("longer.xml", "<orderRequest/>\nmore")} /inbound/NO/order.xml`, /unsupported/i],
  ] as const) {
    folders.put("ACME", "/inbound/NO", "order.xml", "<orderRequest/>\n");
    const { code, err } = await batch(sftp, [command]);
    assert.notEqual(code, 0, command);
    assert.match(err, words, command);
  }
});

withProgram("scp copies both ways, and says 0 when it has", absence, async () => {
  folders.put("ACME", "/acks", "a.xml.ack.xml", "<ack/>");
  const options = sshOptions(sftp, "-P");
  const there = await run("scp", [...options, "-p", order, `acme@${server.host}:/inbound/NO/by-scp.xml`]);
  assert.equal(there.code, 0, there.err);
  assert.equal(folders.get("ACME", "/inbound/NO", "by-scp.xml")?.toString(), "<orderRequest/>\n");
  const relative = await run("scp", [...options, order, `acme@${server.host}:inbound/NO/`]);
  assert.equal(relative.code, 0, relative.err);
  const again = await run("scp", [
    ...options,
    localFile("shorter.xml", "<o/>"),
    `acme@${server.host}:/inbound/NO/order.xml`,
  ]);
  assert.equal(again.code, 0, again.err);
  assert.equal(folders.get("ACME", "/inbound/NO", "order.xml")?.toString(), "<o/>", "scp replaces what is there");
  const back = await run("scp", [...options, "-p", `acme@${server.host}:/acks/a.xml.ack.xml`, localPath("scp-back")]);
  assert.equal(back.code, 0, back.err);
  assert.equal(readFileSync(localPath("scp-back"), "utf8"), "<ack/>");
  const old = await run("scp", ["-O", ...options, order, `acme@${server.host}:/inbound/NO/`]);
  assert.notEqual(old.code, 0);
  assert.match(old.err, /supports SFTP only.*-O of scp/);
});

withProgram("20 MiB come whole, whatever key exchange runs meanwhile; one byte more is refused", absence, async () => {
  const bytes = randomBytes(20 * 1024 * 1024);
  const file = localFile("large.bin", bytes);
  const put = await batch(sftp, [`put ${file} /inbound/CAT/large.bin`], "acme", ["RekeyLimit=1M"]);
  assert.equal(put.code, 0, put.err);
  assert.ok(folders.get("ACME", "/inbound/CAT", "large.bin")?.equals(bytes));
  folders.put("ACME", "/archive", "large.bin", bytes);
  const get = await batch(sftp, [`get /archive/large.bin ${localPath("back.bin")}`], "acme", ["RekeyLimit=1M"]);
  assert.equal(get.code, 0, get.err);
  assert.ok(readFileSync(localPath("back.bin")).equals(bytes));
  const more = localFile("larger.bin", Buffer.concat([bytes, Buffer.alloc(1)]));
  const refused = await batch(sftp, [`put ${more} /inbound/CAT/larger.bin`]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.err, /write remote .*: Failure/);
  assert.equal(folders.get("ACME", "/inbound/CAT", "larger.bin"), undefined);
  assert.ok(folders.log.some((line) => line.startsWith("abandon /inbound/CAT/larger.bin")));
});

withProgram("an sftp that is killed in the middle of an upload leaves no file", absence, async () => {
  const file = localFile("cut.bin", randomBytes(8 * 1024 * 1024));
  folders.behaviour.writeDelayMs = 50;
  const options = sshOptions(sftp, "-P", ["BatchMode=no"]);
  const commands = localFile("cut-batch", `put ${file} /inbound/CAT/cut.bin\n`);
  const killing = new AbortController();
  const before = folders.begun.writes;
  const running = run("sftp", [...options, "-b", commands, `acme@${server.host}`], "", undefined, killing.signal);
  for (const giveUpMs = Date.now() + 30_000; folders.begun.writes < before + 10; await sleep(10)) {
    assert.ok(Date.now() < giveUpMs, "the upload has begun");
  }
  killing.abort();
  const { code } = await running;
  folders.behaviour.writeDelayMs = 0;
  assert.notEqual(code, 0);
  const abandoned = () => folders.log.some((line) => line.startsWith("abandon /inbound/CAT/cut.bin"));
  for (const giveUpMs = Date.now() + 30_000; !abandoned() && Date.now() < giveUpMs; ) await sleep(10);
  assert.ok(abandoned());
  assert.equal(folders.get("ACME", "/inbound/CAT", "cut.bin"), undefined);
});

withProgram("a folder of 10 000 files is listed whole", absence, async () => {
  for (let i = 0; i < 10_000; i++) folders.put("OTHER", "/acks", `${"long-".repeat(20)}${i}.ack.xml`, "x");
  const { code, out, err } = await batch(sftp, ["ls -1 /acks"], "other");
  assert.equal(code, 0, err);
  assert.equal(out.match(/\.ack\.xml$/gm)?.length, 10_000);
  folders.files.get("OTHER/acks")?.clear();
});

withProgram("keys of every usual kind log in, one among others that are not known", absence, async () => {
  const stranger = makeKey("stranger", "ed25519");
  for (const type of ["ed25519", "ecdsa", "rsa"] as const) {
    const key = makeKey(`key-${type}`, type);
    const credential = { clientId: "ACME", credentialId: type, passwordHash: null, isSuspended: false };
    sftp.logIns.set("acme.2", { ...credential, publicKey: key.publicKey });
    const files = [stranger.file, key.file].map((file) => `IdentityFile=${file}`);
    const { code, err } = await batch(sftp, ["ls"], "acme.2", [...files, "BatchMode=yes"]);
    assert.equal(code, 0, `${type}: ${err}`);
    const unknown = await batch(sftp, ["ls"], "acme.2", [`IdentityFile=${stranger.file}`, "BatchMode=yes"]);
    assert.match(unknown.err, /Permission denied/);
  }
});

withProgram("the words for who is suspended, and the banner of it, reach the person", absence, async () => {
  const logIn = sftp.logIns.get("other");
  assert.ok(logIn);
  sftp.logIns.set("other", { ...logIn, isSuspended: true });
  const { code, err } = await batch(sftp, ["ls"], "other");
  sftp.logIns.set("other", logIn);
  assert.notEqual(code, 0);
  assert.match(err, /Client OTHER is suspended/);
});

withProgram(
  "lftp puts, lists, gets by pattern and mirrors",
  absence ?? absenceOf("lftp", "apt-get install lftp"),
  async () => {
    folders.put("ACME", "/outbound/OS", "OS_3.xml", "<three/>", Date.UTC(2026, 0, 2, 3, 4, 5));
    const ssh = `ssh -a -x -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o PreferredAuthentications=password`;
    const commands = [
      `set sftp:connect-program "${ssh}"`,
      "set net:max-retries 1; set net:timeout 10",
      `open -u acme,${password} -p ${server.port} sftp://${server.host}`,
      "cd /inbound/NO",
      `put ${order} -o by-lftp.xml`,
      "cls -l --time-style=%Y",
      "cd /outbound/OS",
      `mget -O ${localPath(".")} *_3.xml`,
      `mirror /outbound/OS ${localPath("mirrored")}`,
      "mv OS_3.xml /outbound/archive/OS_3.xml",
      "bye",
    ];
    const yearOf = () => new Date().getUTCFullYear();
    const before = yearOf();
    const { code, out, err } = await run("lftp", ["-c", commands.join("\n")]);
    assert.equal(code, 0, out + err);
    assert.match(out, new RegExp(`16 (?:${before}|${yearOf()}) by-lftp\\.xml`));
    assert.equal(folders.get("ACME", "/inbound/NO", "by-lftp.xml")?.toString(), "<orderRequest/>\n");
    assert.equal(readFileSync(localPath("OS_3.xml"), "utf8"), "<three/>");
    assert.equal(readFileSync(localPath("mirrored/OS_3.xml"), "utf8"), "<three/>");
    assert.equal(folders.get("ACME", "/outbound/archive", "OS_3.xml")?.toString(), "<three/>");
  },
);

test("each session leaves one line at its beginning and one at its end, and no secret", async () => {
  const ended = () => sftp.logged.filter(({ msg }) => msg === "SFTP session ended").length;
  const all = sftp.logged.filter(({ msg }) => msg === "SFTP session began").length;
  for (const giveUpMs = Date.now() + 30_000; ended() < all && Date.now() < giveUpMs; ) await sleep(10);
  const lines = sftp.logged.filter(({ msg }) => typeof msg === "string" && msg.startsWith("SFTP session"));
  const began = lines.filter(({ msg }) => msg === "SFTP session began");
  assert.equal(lines.filter(({ msg }) => msg === "SFTP session ended").length, began.length);
  assert.ok(
    began.every(({ clientId, remoteAddress }) => typeof clientId === "string" && remoteAddress === "127.0.0.1"),
  );
  assert.ok(!JSON.stringify(sftp.logged).includes(password));
});
