// sftp.md against the running program, as a brand's integration developer uses it: with sftp and scp of OpenSSH, and
// lftp.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { createXmlEngine, element } from "#/intake/xml/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { run, withProgram } from "../support/sftp/openssh.ts";
import { localFile, localPath } from "../support/sftp/server.ts";
import { lftpAbsence, opensshAbsence, type SftpPlace, sftpUser } from "../support/sftp/user.ts";
import { setWaysOf } from "../support/webhooks/outbound-channels.ts";
import { fetchXml, list } from "../support/webhooks/outbound-list.ts";

const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
const place = server.sftp as SftpPlace;

let clients = 0;
async function newcomer() {
  const client = await server.onboard(`SHOP${++clients}`);
  const { clientId, sftp } = client.credentials;
  const user = sftpUser(place, sftp);
  const items = localFile(`${clientId}-cat.xml`, catalogue(clientId, ["TEE-M", "MUG"]));
  const orderFile = (orderId: string, sku = "TEE-M") => localFile(`${orderId}.xml`, order(clientId, orderId, [sku]));
  return { client, clientId, user, items, orderFile };
}

const read = (name: string): string => readFileSync(localPath(name), "utf8");
const tokenOf = (ack: string): string => /<token>([^<]+)</.exec(ack)?.[1] ?? assert.fail(ack);

withProgram("a catalogue and an order are put and their ACKs got in one batch", opensshAbsence, async () => {
  const { client, clientId, user, items, orderFile } = await newcomer();
  await user.done(
    `put ${items} /inbound/CAT/cat.xml`,
    `get /acks/cat.xml.ack.xml ${localPath("one-cat")}`,
    `put ${orderFile("SFTP-1")} /inbound/NO/SFTP-1.xml`,
    `get /acks/SFTP-1.xml.ack.xml ${localPath("one-no")}`,
    `put ${orderFile("SFTP-2", "NOBODY")} /inbound/NO/SFTP-2.xml`,
    `get /acks/SFTP-2.xml.ack.xml ${localPath("one-bad")}`,
  );
  assert.match(read("one-cat"), /<success>true<\/success><feedType>CAT</);
  assert.match(read("one-no"), /<success>true<\/success><feedType>NO<\/feedType><objectId>SFTP-1</);
  assert.match(read("one-bad"), /<success>false<.*\[UNKNOWN_SKU\].*<missingSkus><sku>NOBODY</);
  const token = tokenOf(read("one-no"));
  const status = await client.outcome(token);
  assert.equal(status.state, "PROCESSED");
  const [logged] = await server.rows("select channel, feed_type from feed_document where token = $1", token);
  assert.deepEqual(logged, { channel: "SFTP", feed_type: "NO" });
  assert.equal((await client.order("SFTP-1"))?.orderId, "SFTP-1");
  const topics = await server.rows<{ topic: string }>(
    "select topic from event where client_id = $1 and object_id = $2 order by position",
    clientId,
    token,
  );
  assert.deepEqual(
    topics.map(({ topic }) => topic),
    ["feed:accepted", "feed:processed"],
  );
});

withProgram("the same file again replays its ACK, another under its name is judged", opensshAbsence, async () => {
  const { user, items, orderFile } = await newcomer();
  const put = `put ${orderFile("AGAIN-1")} /inbound/NO/order.xml`;
  await user.done(`put ${items} /inbound/CAT/cat.xml`, put, `get /acks/order.xml.ack.xml ${localPath("again-1")}`);
  await user.done(put, `get /acks/order.xml.ack.xml ${localPath("again-2")}`);
  assert.equal(read("again-2"), read("again-1"));
  const other = `put ${orderFile("AGAIN-2")} /inbound/NO/order.xml`;
  await user.done(other, `get /acks/order.xml.ack.xml ${localPath("again-3")}`);
  assert.match(read("again-3"), /AGAIN-2/);
  const [first, last] = [tokenOf(read("again-1")), tokenOf(read("again-3"))];
  assert.deepEqual(
    (await user.names("/acks")).filter((name) => name.startsWith("order")),
    [`order.xml.${first}.ack.xml`, `order.xml.${last}.ack.xml`, "order.xml.ack.xml"].sort(),
  );
  assert.deepEqual(await user.names("/archive"), ["cat.xml", "order.xml", `order.xml~${last}`]);
  await user.done(put, `get /acks/order.xml.ack.xml ${localPath("again-4")}`);
  assert.match(read("again-4"), /\[DUPLICATE\]/, "a file that is not the latest of its name is a separate document");
});

withProgram("a file under a temporary name is judged when it is renamed", opensshAbsence, async () => {
  const { user, items } = await newcomer();
  for (const temporary of ["cat.xml.tmp", "cat.xml.PART", "cat.xml.filepart", ".cat.xml"]) {
    await user.done(`put ${items} /inbound/CAT/${temporary}`);
    assert.deepEqual(await user.names("/inbound/CAT"), [temporary]);
    assert.deepEqual(await user.names("/acks"), [], "nothing was judged");
    const name = `from-${temporary.replaceAll(".", "-")}.xml`;
    await user.done(
      `rename /inbound/CAT/${temporary} /inbound/CAT/${name}`,
      `get /acks/${name}.ack.xml ${localPath("t")}`,
    );
    assert.match(read("t"), /<success>true</);
    assert.deepEqual(await user.names("/inbound/CAT"), []);
    await user.done(`rm /acks/${name}*`);
  }
});

withProgram("times are set behind an upload, and listings have the true sizes and times", opensshAbsence, async () => {
  const { user, items } = await newcomer();
  const beganMs = Date.now() - 1_000;
  const out = await user.done(
    `put -p ${items} /inbound/CAT/cat.xml`,
    `put -p ${items} /inbound/CAT/later.tmp`,
    `get -p /acks/cat.xml.ack.xml ${localPath("times-ack")}`,
    `get -p /archive/cat.xml ${localPath("times-cat")}`,
    ...["ls -l /acks", "ls -l /archive", "ls -l /inbound/CAT"],
  );
  assert.deepEqual(readFileSync(localPath("times-cat")), readFileSync(items));
  for (const name of ["times-ack", "times-cat"]) {
    const { mtimeMs } = statSync(localPath(name));
    assert.ok(mtimeMs >= beganMs - 1_000 && mtimeMs <= Date.now(), `${name}: ${new Date(mtimeMs).toISOString()}`);
  }
  const sizes = [...out.matchAll(/^-\S+ +\d+ +\S+ +\S+ +(\d+) .* (\S+)$/gm)].map(([, size, name]) => `${name} ${size}`);
  const [ack, file] = [statSync(localPath("times-ack")).size, statSync(items).size];
  assert.ok(sizes.includes(`cat.xml.ack.xml ${ack}`), out);
  assert.ok(sizes.includes(`cat.xml ${file}`), out);
  assert.ok(sizes.includes(`later.tmp ${file}`), out);
});

withProgram("scp puts a file and gets its ACK", opensshAbsence, async () => {
  const { client, user, items } = await newcomer();
  const remote = `${client.credentials.sftp.username}@${place.host}`;
  const put = await user.scp("-p", items, `${remote}:/inbound/CAT/scp.xml`);
  assert.equal(put.code, 0, put.err);
  const got = await user.scp(`${remote}:/acks/scp.xml.ack.xml`, localPath("scp-ack"));
  assert.equal(got.code, 0, got.err);
  assert.match(read("scp-ack"), /<success>true</);
});

/** A proxy of the server that counts the received bytes. */
async function countingDoor() {
  let bytes = 0;
  const listener = createServer((inward) => {
    const outward = connect(place.port, place.host);
    inward.on("data", (part) => {
      bytes += part.length;
    });
    inward.on("error", () => {}).on("close", () => outward.destroy());
    outward.on("error", () => {}).on("close", () => inward.destroy());
    inward.pipe(outward).pipe(inward);
  });
  listener.listen(0, place.host);
  await once(listener, "listening");
  atEnd(() => listener.close());
  return { port: (listener.address() as AddressInfo).port, bytes: () => bytes };
}

withProgram(
  "what a lost connection leaves is listed, not judged, not gone on with, and put again whole",
  opensshAbsence,
  async () => {
    const { client, clientId, user } = await newcomer();
    const cells = Array.from({ length: 60_000 }, (_, i) => ({ sku: `CUT-${i}`, name: "x".repeat(20) }));
    const large = localFile("large.xml", catalogue(clientId, cells.slice(0, 40_000)));
    const commands = localFile("cut", `put ${large} /inbound/CAT/large.xml\n`);
    const { username, password } = client.credentials.sftp;
    const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "BatchMode=no"];
    const door = await countingDoor();
    const args = [
      "-P",
      String(door.port),
      "-l",
      "1000",
      ...options.flatMap((option) => ["-o", option]),
      "-b",
      commands,
    ];
    // When a file requests it, the program and its connection are killed together, as in a power failure of their
    // machine.
    const over = localPath("cut-off");
    const script = [
      "over=$1; shift",
      'sftp "$@" &',
      'for _ in $(seq 500); do [ -e "$over" ] && break; sleep 0.1; done',
      "kill -KILL 0",
    ].join("\n");
    const cutOff = run("setsid", ["sh", "-c", script, "sh", over, ...args, `${username}@${place.host}`], "", password);
    try {
      // The complete file takes more than half a minute, and the bytes before it are some thousand.
      await until("a part of the file has come", () => door.bytes() > 100_000);
    } finally {
      writeFileSync(over, "");
    }
    await cutOff;
    await until("the partial file is listed", async () => /\blarge\.xml$/m.test(await user.done("ls -l /inbound/CAT")));
    const size = Number(/ (\d+) \w{3} .*large\.xml$/m.exec(await user.done("ls -l /inbound/CAT"))?.[1]);
    assert.ok(size > 0 && size < statSync(large).size, `${size} bytes came`);
    await user.refused("rename /inbound/CAT/large.xml /inbound/CAT/whole.xml", /Failure/);
    await user.refused(`reput ${large} /inbound/CAT/large.xml`, /Failure/);
    for (const folder of ["/acks", "/archive", "/rejected"]) assert.deepEqual(await user.names(folder), []);
    assert.equal((await server.rows("select from feed_document where client_id = $1", clientId)).length, 0);
    await user.done(`put ${large} /inbound/CAT/large.xml`, `get /acks/large.xml.ack.xml ${localPath("large-ack")}`);
    assert.match(read("large-ack"), /<success>true</);
    assert.deepEqual(await user.names("/inbound/CAT"), []);
  },
);

withProgram(
  "outbound documents of a real order are listed, got by pattern, archived and deleted",
  opensshAbsence,
  async () => {
    const { client, clientId, user, items, orderFile } = await newcomer();
    await setWaysOf(server, clientId, "OS", { pull: true, sftp: true });
    await user.done(
      `put ${items} /inbound/CAT/cat.xml`,
      ...[1, 2, 3].map((n) => `put ${orderFile(`${clientId}-${n}`)} /inbound/NO/${n}.xml`),
    );
    await until("three OS are written", async () => (await list(client, "?type=OS")).items.length === 3);
    const into = localPath(`${clientId}-os`);
    mkdirSync(into);
    const out = await user.done("ls -l /outbound/OS", `get -p /outbound/OS/OS_*.xml ${into}`);
    const { items: listed } = await list(client, "?type=OS");
    const names = readdirSync(into).sort();
    assert.equal(names.length, 3);
    const engine = await createXmlEngine();
    const schema = engine.compile(readFileSync(new URL("../../schemas/xsd/OS.xsd", import.meta.url)));
    for (const name of names) {
      const messageId = /^OS_\d{8}T\d{6}Z_([0-9a-f-]{36})\.xml$/.exec(name)?.[1];
      const item = listed.find((item) => item.messageId === messageId);
      assert.ok(item, name);
      const bytes = readFileSync(path.join(into, name));
      assert.equal(bytes.toString(), await fetchXml(client, item.messageId), "the bytes are those of HTTP");
      assert.ok(engine.read(bytes, { schema, shape: element({ children: {} }) }).ok, bytes.toString());
      assert.match(out, new RegExp(` ${bytes.length} .*${name}$`, "m"));
      assert.equal(
        Math.floor(statSync(path.join(into, name)).mtimeMs / 1000),
        Math.floor(Date.parse(item.createdAt) / 1000),
      );
    }
    const [first = "", second = "", third = ""] = names;
    await user.done(
      `rename /outbound/OS/${first} /outbound/archive/${first}`,
      `rm /outbound/OS/${second}`,
      `get /outbound/archive/${second} ${localPath("archived")}`,
    );
    assert.deepEqual(await user.names("/outbound/OS"), [third]);
    assert.deepEqual((await user.names("/outbound/archive")).sort(), [first, second]);
    assert.deepEqual(readFileSync(localPath("archived")), readFileSync(path.join(into, second)));
    assert.equal((await list(client, "?type=OS")).items.length, 3, "each way is settled apart");
  },
);

withProgram(
  "lftp puts under its own temporary names, mirrors ACKs away, and shows why it is refused",
  lftpAbsence,
  async () => {
    const { clientId, user, items } = await newcomer();
    const into = localPath(`${clientId}-acks`);
    const { code, out, err } = await user.lftp(
      "set xfer:use-temp-file yes; set xfer:temp-file-name *.part",
      `put ${items} -o /inbound/CAT/by-lftp.xml`,
      "cat /acks/by-lftp.xml.ack.xml",
      `mirror --Remove-source-files /acks ${into}`,
      "cls -1 /acks",
    );
    assert.equal(code, 0, out + err);
    assert.match(out, /<success>true</);
    assert.equal(readdirSync(into).length, 2);
    assert.doesNotMatch(out, /\/acks\//, "they are gone from the server");
    for (const [command, words] of [
      [`put ${items} -o /inbound/XX/a.xml`, /There is no such folder; upload files to folders such as \/inbound\/NO/],
      [`put ${items} -o /outbound/OS/a.xml`, /Files cannot be put into \/outbound\/OS/],
      ["rm /archive/by-lftp.xml", /Files of \/archive cannot be deleted/],
      ["mv /inbound/CAT/by-lftp.xml /inbound/CAT/b.xml", /There is no file 'by-lftp.xml'/],
    ] as const) {
      const refused = await user.lftp(command);
      assert.notEqual(refused.code, 0, command);
      assert.match(refused.err, words);
    }
    await server.rows(
      `insert into sftp_upload (client_id, upload_id, feed_type, name, state, size_bytes, last_written_at)
        values ($1, gen_random_uuid(), 'CAT', 'cut.xml', 'PARTIAL', 100, now())`,
      clientId,
    );
    const resumed = await user.lftp(`put -c ${items} -o /inbound/CAT/cut.xml`);
    assert.notEqual(resumed.code, 0);
    assert.match(resumed.err, /An upload cannot be continued: send the file again from its beginning/);
  },
);

test("no internal error was logged", () => {
  assert.deepEqual(
    server.logged.filter((line) => /"level":"(?:error|fatal)"/.test(line)),
    [],
  );
});
