import assert from "node:assert/strict";
import { test } from "node:test";
import { purgeExchange } from "#/intake/sftp/exchange/exchange.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { catalogueXml, isAccepted, startExchange, tokenOf } from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const clients = await Promise.all(
  ["DEMO", "MANY", "OLD"].map((clientId) => insertClient(database, { clientId, facilities: [] })),
);
let laterMs = 0;
const clock = { now: () => Date.now() + laterMs };
const node = await startExchange({ database, clients, clock });
const session = node.open();

const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

const ofName = async (path: string, start: string) =>
  (await session.names(path)).filter((name) => name.startsWith(start)).sort();

test("the ACK with only the name belongs to the newest file of that name in any folder", async () => {
  const first = await session.exchange("CAT", "new.xml", catalogueXml("N-1"));
  const next = await session.exchange("NO", "new.xml", "<x/>");
  assert.deepEqual(await ofName("/acks", "new.xml"), [
    `new.xml.${tokenOf(first)}.ack.xml`,
    `new.xml.${tokenOf(next)}.ack.xml`,
    "new.xml.ack.xml",
  ]);
  assert.equal((await session.get("/acks", "new.xml.ack.xml")).toString(), next);
  // The same file put again is the newest answered one.
  assert.equal(await session.exchange("CAT", "new.xml", catalogueXml("N-1")), first);
  assert.equal((await session.get("/acks", `new.xml.${tokenOf(next)}.ack.xml`)).toString(), next);
});

test("a deleted ACK stays deleted, until its file is put again", async () => {
  const ack = await session.exchange("CAT", "gone.xml", catalogueXml("G-1"));
  const ackName = `gone.xml.${tokenOf(ack)}.ack.xml`;
  for (const name of [ackName, "gone.xml.ack.xml"]) {
    assert.equal(await session.remove("/acks", name), undefined);
    assert.equal((await session.remove("/acks", name))?.status, "NO_SUCH_FILE");
    assert.equal(await session.folder("/acks").find(name), undefined);
    const opened = await session.folder("/acks").openRead?.(name);
    assert.ok(opened && !opened.ok && opened.fault.status === "NO_SUCH_FILE");
  }
  assert.deepEqual(await ofName("/acks", "gone"), []);
  assert.equal(await session.exchange("CAT", "gone.xml", catalogueXml("G-1")), ack);
  assert.deepEqual(await ofName("/acks", "gone"), [ackName, "gone.xml.ack.xml"]);
});

test("with the newest ACK of a name deleted no older one takes its place", async () => {
  await session.exchange("CAT", "older.xml", catalogueXml("O-1", "one"));
  await session.exchange("CAT", "older.xml", catalogueXml("O-1", "two"));
  await session.remove("/acks", "older.xml.ack.xml");
  assert.equal(await session.folder("/acks").find("older.xml.ack.xml"), undefined);
  assert.equal((await ofName("/acks", "older.xml")).length, 2);
});

test("the second file of a name and outcome has its token after the name", async () => {
  const acks: string[] = [];
  for (const version of ["one", "two", "three"])
    acks.push(await session.exchange("CAT", "same.xml", catalogueXml("SAME", version)));
  for (const version of ["four", "five"]) acks.push(await session.exchange("CAT", "same.xml", `<${version}>`));
  const tokens = acks.map(tokenOf);
  assert.deepEqual(await ofName("/archive", "same"), ["same.xml", `same.xml~${tokens[1]}`, `same.xml~${tokens[2]}`]);
  assert.deepEqual(await ofName("/rejected", "same"), ["same.xml", `same.xml~${tokens[4]}`]);
  assert.equal((await session.get("/rejected", `same.xml~${tokens[4]}`)).toString(), "<five>");
  assert.match((await session.get("/archive", `same.xml~${tokens[2]}`)).toString(), /three/);
  assert.equal(await session.folder("/rejected").find(`same.xml~${tokens[1]}`), undefined);
});

test("names that imitate another file's ACK or second file name one file each", async () => {
  const first = await session.exchange("CAT", "odd.xml", catalogueXml("ODD", "one"));
  const next = await session.exchange("CAT", "odd.xml", catalogueXml("ODD", "two"));
  const like = await session.exchange("CAT", `odd.xml~${tokenOf(next)}`, catalogueXml("ODD", "three"));
  const dotted = `odd.xml.${tokenOf(first)}`;
  assert.equal(await session.put("CAT", dotted, catalogueXml("ODD", "four")), undefined);
  await session.exchange("CAT", "odd.xml.ack.xml", catalogueXml("ODD", "five"));
  const archived = await ofName("/archive", "odd");
  assert.equal(new Set(archived).size, 5);
  assert.ok(archived.includes(`odd.xml~${tokenOf(next)}~${tokenOf(like)}`));
  const contents = await Promise.all(archived.map(async (name) => (await session.get("/archive", name)).toString()));
  for (const version of ["one", "two", "three", "four", "five"])
    assert.equal(contents.filter((content) => content.includes(`<name>${version}<`)).length, 1, version);
  const acks = await ofName("/acks", "odd");
  assert.equal(new Set(acks).size, acks.length);
  assert.equal((await session.get("/acks", `${dotted}.ack.xml`)).toString(), first);
  for (const name of acks) {
    const entry = await session.folder("/acks").find(name);
    assert.equal((await session.get("/acks", name)).length, entry?.size);
  }
});

test("sizes and times of what is listed are true", async () => {
  const beganMs = Date.now();
  const xml = catalogueXml("TRUE");
  await session.exchange("CAT", "true.xml", xml);
  for (const path of ["/archive", "/acks"]) {
    for (const entry of await session.folder(path).list()) {
      assert.equal((await session.get(path, entry.name)).length, entry.size, entry.name);
      assert.deepEqual(await session.folder(path).find(entry.name), entry);
    }
  }
  const entry = await session.folder("/archive").find("true.xml");
  assert.equal(entry?.size, xml.length);
  assert.ok((entry?.modifiedAtMs ?? 0) >= beganMs && (entry?.modifiedAtMs ?? 0) <= Date.now());
});

test("a large file is read from any place of it", async () => {
  const xml = Buffer.from(catalogueXml("BIG").replace("</item>", `</item><!--${"0123456789".repeat(50_000)}-->`));
  // The thread that reads large files is given up if it takes 15 s to start: then the sender must send the file again.
  await until(
    "the file to be processed",
    async () => (await session.put("CAT", "big.xml", xml)) === undefined,
    120_000,
  );
  const opened = await session.folder("/archive").openRead?.("big.xml");
  assert.ok(opened?.ok);
  const { value: file } = opened;
  assert.deepEqual(await file.read(300_000, 1_000), xml.subarray(300_000, 301_000));
  assert.deepEqual(await file.read(xml.length - 10, 1_000), xml.subarray(-10));
  assert.equal((await file.read(xml.length, 1_000)).length, 0);
  await file.close();
});

test("nothing is put into these folders, and nothing of /archive and /rejected taken away", () => {
  for (const path of ["/acks", "/archive", "/rejected"]) {
    assert.equal(session.folder(path).openWrite, undefined);
    assert.equal(session.folder(path).rename, undefined);
  }
  for (const path of ["/archive", "/rejected"]) assert.equal(session.folder(path).remove, undefined);
  for (const type of ["CAT", "PO", "RMA", "NO"]) assert.equal(session.folder(`/inbound/${type}`).openRead, undefined);
});

test("/acks lists the oldest 10 000 and moves on as they are taken, /archive the newest", async () => {
  const many = node.open("MANY");
  await rows(
    `insert into feed_file (client_id, name, feed_type, ordinal, token, body_sha256, body_bytes, ack_bytes, is_accepted,
       processed_at, archive_name, has_token_ack, has_named_ack)
     select 'MANY', 'f' || n, 'NO', 1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '', 1, 1, true,
       '2026-01-01T00:00:00Z', 'f' || n, n > 10, true from generate_series(1, 10005) n returning 1`,
  );
  let names = await many.names("/acks");
  assert.equal(names.length, 10_000);
  assert.deepEqual(names.slice(8, 11), [
    "f9.ack.xml",
    "f10.ack.xml",
    "f11.01900000-0000-7000-8000-00000000000b.ack.xml",
  ]);
  assert.equal(names.at(-1), "f5005.ack.xml");
  for (const name of names.slice(0, 12)) assert.equal(await many.remove("/acks", name), undefined);
  names = await many.names("/acks");
  assert.equal(names.length, 10_000);
  assert.equal(names[0], "f12.01900000-0000-7000-8000-00000000000c.ack.xml");
  assert.ok(await many.folder("/acks").find("f10005.ack.xml"), "what is not listed is there");
  const archived = await many.names("/archive");
  assert.deepEqual([archived.length, archived[0], archived.at(-1)], [10_000, "f6", "f10005"]);
});

test("processed files are deleted after thirty days, partial files after one; waiting files stay", async () => {
  const old = node.open("OLD");
  const ack = await old.exchange("CAT", "old.xml", catalogueXml("OLD", "OLD", "OLD"));
  await old.exchange("CAT", "bad.xml", "<");
  await old.put("CAT", "waiting.tmp", "<");
  const cut = await old.open("CAT", "cut.xml");
  await cut.write(0, Buffer.from("<"));
  await cut.abandon();
  // A killed server has left this upload.
  const killed = await old.open("CAT", "killed.xml");
  await killed.write(0, Buffer.alloc(300_000));
  await until("its first part to be stored", async () => {
    const [row] = await rows("select 1 from sftp_upload where client_id = 'OLD' and name = 'killed.xml'");
    return row ? true : undefined;
  });
  const inbound = () => old.names("/inbound/CAT");
  const purge = async (atMs: number) => {
    laterMs = atMs;
    await Array.fromAsync(purgeExchange({ database, clock }, "OLD"));
  };
  try {
    await purge(dayMs - 60_000);
    assert.deepEqual(await inbound(), ["waiting.tmp", "cut.xml"]);
    await purge(dayMs + 60_000);
    assert.deepEqual(await inbound(), ["waiting.tmp"]);
    await killed.write(300_000, Buffer.alloc(300_000));
    assert.ok(!(await killed.close()).ok);
    assert.deepEqual(await rows("select name from sftp_upload where client_id = 'OLD'"), [{ name: "waiting.tmp" }]);
    await purge(7 * dayMs - 60_000);
    assert.deepEqual(await inbound(), ["waiting.tmp"]);
    await purge(7 * dayMs + 60_000);
    assert.deepEqual(await inbound(), []);
    await purge(30 * dayMs - 60_000);
    assert.deepEqual(await old.names("/archive"), ["old.xml"]);
    await purge(30 * dayMs + 60_000);
    for (const path of ["/archive", "/rejected", "/acks"]) assert.deepEqual(await old.names(path), []);
    // The document is kept like one received over HTTP.
    assert.equal((await rows("select 1 from feed_document where token = $1::uuid", tokenOf(ack))).length, 1);
    assert.ok(isAccepted(await old.exchange("CAT", "old.xml", catalogueXml("OLD", "OLD", "OLD"))));
    assert.deepEqual(await old.names("/archive"), ["old.xml"]);
  } finally {
    laterMs = 0;
  }
});
