import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyBytesMax } from "#/intake/feeds/http/body.ts";
import { claimUpload, keepClaim } from "#/intake/sftp/exchange/upload-repository.ts";
import { until as becomes } from "../../../../tests/support/app/until.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import {
  type Answer,
  answerOf,
  catalogueXml,
  isAccepted,
  startExchange,
} from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);
const gone = { ...(await insertClient(database, { clientId: "GONE" })), status: "SUSPENDED" as const };
/** So long that no live node loses the claim on a file, even on a machine that stalls for seconds. */
const claimMs = 60_000;
const node = await startExchange({ database, clients: [client, gone], claimMs });
const second = await startExchange({ database, clients: [client, gone], claimMs });
const session = node.open();
const folder = "/inbound/CAT";

const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

async function documents(): Promise<number> {
  const [row] = await rows<{ n: number }>("select count(*)::integer as n from feed_document");
  return row?.n ?? 0;
}

async function counting(work: () => Promise<unknown>): Promise<number> {
  const before = await documents();
  await work();
  return (await documents()) - before;
}

/** A catalogue of this many bytes, mostly comments. */
function large(sku: string, bytes: number): string {
  const xml = catalogueXml(sku);
  const end = "</itemMaster>";
  // The parser refuses a single text of 10 MB.
  const comments = Array.from(
    { length: Math.floor((bytes - xml.length - 7) / 1_000_007) },
    () => `<!--${"x".repeat(1e6)}-->`,
  );
  const rest = bytes - xml.length - 7 - comments.length * 1_000_007;
  return `${xml.slice(0, -end.length)}${comments.join("")}<!--${"x".repeat(rest)}-->${end}`;
}

/**
 * For a file of more than 256 KiB. The parser thread is given up if it takes 15 s to start, as on a busy machine: then
 * the file is refused, no part of it is kept, and the sender must send it again.
 */
async function processed(send: () => Promise<Answer>): Promise<void> {
  const isProcessed = async () => {
    const refusal = await send();
    if (refusal) assert.match(refusal.message, /it is safe to send the file again/);
    return refusal === undefined;
  };
  await becomes("the file to be processed", isProcessed, 120_000);
}

async function storedBytes(): Promise<number> {
  const [row] = await rows<{ n: number }>(
    "select (select coalesce(sum(length(bytes)), 0) from sftp_upload_chunk)::integer as n",
  );
  return row?.n ?? 0;
}

test("a file with a temporary name is processed when it is renamed to a final name, on any node", async () => {
  for (const [i, name] of ["a.tmp", "b.PART", "c.xml.FilePart", ".d.xml"].entries()) {
    const made = await counting(async () => {
      assert.equal(await session.put("CAT", name, catalogueXml(`T-${i}`)), undefined);
      assert.deepEqual(await session.names(folder), [name]);
      assert.equal((await session.folder(folder).find(name))?.size, catalogueXml(`T-${i}`).length);
    });
    assert.equal(made, 0);
    const renaming = i % 2 ? second.open() : session;
    assert.equal(await renaming.rename("CAT", name, `final-${i}.xml`), undefined);
    assert.ok(isAccepted((await session.get("/acks", `final-${i}.xml.ack.xml`)).toString()));
    assert.equal((await renaming.folder(folder).find(`final-${i}.xml`))?.size, catalogueXml(`T-${i}`).length);
    assert.deepEqual(await session.names(folder), []);
  }
  assert.deepEqual(await rows("select 1 from sftp_upload union all select 1 from sftp_upload_chunk"), []);
});

test("names that only look temporary are final", async () => {
  for (const name of ["tmp", "a.tmp.xml", "part.xml", "a.partial"]) {
    assert.equal(await counting(() => session.put("CAT", name, catalogueXml("LOOKS"))), 1, name);
  }
});

test("a waiting file can be renamed to another temporary name that does not exist", async () => {
  await session.put("CAT", "one.tmp", catalogueXml("ONE"));
  await session.put("CAT", "two.tmp", catalogueXml("TWO"));
  assert.equal((await session.rename("CAT", "one.tmp", "two.tmp"))?.status, "FAILURE");
  assert.equal(await session.rename("CAT", "one.tmp", "three.tmp"), undefined);
  assert.equal((await session.rename("CAT", "one.tmp", "four.tmp"))?.status, "NO_SUCH_FILE");
  assert.deepEqual(await session.names(folder), ["three.tmp", "two.tmp"]);
  const elsewhere = await session.folder(folder).rename?.("two.tmp", { folder: "/inbound/NO", name: "two.xml" });
  assert.equal(answerOf(elsewhere)?.status, "PERMISSION_DENIED");
  assert.equal(await session.remove(folder, "two.tmp"), undefined);
  assert.equal((await session.remove(folder, "two.tmp"))?.status, "NO_SUCH_FILE");
  assert.equal(await session.remove(folder, "three.tmp"), undefined);
  assert.equal(await storedBytes(), 0);
});

test("a waiting file is replaced by another put of its name", async () => {
  await session.put("CAT", "again.tmp", catalogueXml("OLD"));
  await second.open().put("CAT", "again.tmp", catalogueXml("NEWER"));
  await session.rename("CAT", "again.tmp", "again.xml");
  assert.match((await session.get("/archive", "again.xml")).toString(), /NEWER/);
});

test("a partial file is listed, and never processed under any name", async () => {
  for (const [name, parts] of [
    ["cut.xml", 1],
    ["cut.tmp", 1],
    ["large-cut.xml", 12],
    ["nothing.xml", 0],
  ] as const) {
    const made = await counting(async () => {
      const file = await session.open("CAT", name);
      // The whole document is there, but the client never closed the file.
      const part = Buffer.from(large("CUT", 40_000));
      for (let i = 0; i < parts; i++) assert.ok((await file.write(i * part.length, part)).ok);
      await file.abandon();
      assert.equal((await second.open().folder(folder).find(name))?.size, parts * part.length);
      assert.ok(!(await file.close()).ok);
      const refusal = await session.rename("CAT", name, "whole.xml");
      assert.match(refusal?.message ?? "", /send it again/);
      assert.equal(refusal?.status, "FAILURE");
    });
    assert.equal(made, 0);
  }
  assert.equal(await storedBytes(), 0);
  assert.deepEqual(await session.names(folder), ["cut.xml", "cut.tmp", "large-cut.xml", "nothing.xml"]);
  assert.equal(await session.remove(folder, "nothing.xml"), undefined);
  assert.equal(await session.remove(folder, "cut.tmp"), undefined);
  assert.equal(await counting(() => session.put("CAT", "cut.xml", catalogueXml("CUT"))), 1);
  await session.put("CAT", "whole.tmp", catalogueXml("CUT"));
  assert.equal(await session.rename("CAT", "whole.tmp", "large-cut.xml"), undefined);
  assert.deepEqual(await session.names(folder), []);
});

test("a lost connection removes no complete file", async () => {
  const [writer, cut] = [session.open("CAT", "both.tmp"), second.open().open("CAT", "both.tmp")];
  const [whole, partial] = await Promise.all([writer, cut]);
  await whole.write(0, Buffer.from(catalogueXml("BOTH")));
  await partial.write(0, Buffer.from("<half"));
  assert.ok((await whole.close()).ok);
  await partial.abandon();
  assert.equal(await session.rename("CAT", "both.tmp", "both.xml"), undefined);
  assert.ok(isAccepted((await session.get("/acks", "both.xml.ack.xml")).toString()));
});

test("a partial upload cannot be resumed, and the refusal gives the remedy", async () => {
  const file = await session.open("CAT", "resume.xml");
  await file.write(0, Buffer.from("<item"));
  await file.abandon();
  const resumed = await session.folder(folder).openWrite?.("resume.xml", { isExclusive: false, isTruncating: false });
  assert.ok(resumed && !resumed.ok);
  assert.match(resumed.fault.message, /delete the file and send it again from its beginning/);
  const exclusive = await session.folder(folder).openWrite?.("resume.xml", { isExclusive: true, isTruncating: true });
  assert.ok(exclusive && !exclusive.ok);
  assert.equal(await session.remove(folder, "resume.xml"), undefined);
  const fresh = await session.open("CAT", "resume.xml", { isExclusive: true, isTruncating: false });
  await fresh.write(0, Buffer.from(catalogueXml("RESUME")));
  assert.ok((await fresh.close()).ok);
});

test("parts of a file may arrive slightly out of order; an overlap or a gap refuses the file", async () => {
  const xml = Buffer.from(large("PARTS", 600_000));
  const parts = Array.from({ length: Math.ceil(xml.length / 32_768) }, (_, i) => i * 32_768);
  await processed(async () => {
    const shuffled = await session.open("CAT", "shuffled.xml");
    for (let i = 0; i < parts.length; i += 4) {
      for (const at of parts.slice(i, i + 4).reverse())
        assert.ok((await shuffled.write(at, xml.subarray(at, at + 32_768))).ok);
    }
    return answerOf(await shuffled.close());
  });
  assert.deepEqual(await session.get("/archive", "shuffled.xml"), xml);

  const made = await counting(async () => {
    const twice = await session.open("CAT", "twice.xml");
    await twice.write(0, xml.subarray(0, 1_000));
    assert.ok(!(await twice.write(0, xml.subarray(0, 1_000))).ok);
    assert.ok(!(await twice.write(1_000, xml.subarray(1_000))).ok);
    assert.ok(!(await twice.close()).ok);
    const hole = await session.open("CAT", "hole.xml");
    await hole.write(0, xml.subarray(0, 1_000));
    await hole.write(2_000, xml.subarray(2_000));
    const closed = await hole.close();
    assert.match(closed.ok ? "" : closed.fault.message, /gap after its first 1000 bytes/);
    const far = await session.open("CAT", "far.xml");
    assert.ok(!(await far.write(5_000_000, xml.subarray(0, 1_000))).ok);
    await far.abandon();
  });
  assert.equal(made, 0);
  assert.deepEqual(await session.names(folder), []);
});

test("a file of 20 MiB is processed, and a write beyond it fails and leaves nothing", async () => {
  const xml = Buffer.from(large("MOST", bodyBytesMax));
  await processed(() => session.put("CAT", "most.xml", xml, 255 * 1024));
  assert.ok(isAccepted((await session.get("/acks", "most.xml.ack.xml")).toString()));
  assert.deepEqual(await session.get("/archive", "most.xml"), xml);
  await session.put("CAT", "most.tmp", xml, 255 * 1024);
  await processed(() => session.rename("CAT", "most.tmp", "most.xml"));
  assert.equal((await session.names("/archive")).filter((name) => name.startsWith("most")).length, 1);

  const made = await counting(async () => {
    const file = await session.open("CAT", "more.xml");
    for (let at = 0; at < bodyBytesMax; at += 128 * 1024) {
      assert.ok((await file.write(at, xml.subarray(at, at + 128 * 1024))).ok);
    }
    const beyond = await file.write(bodyBytesMax, Buffer.from("\n"));
    assert.match(beyond.ok ? "" : beyond.fault.message, /over 20971520 bytes/);
    assert.ok(!(await file.write(bodyBytesMax, Buffer.from("\n"))).ok);
    assert.ok(!(await file.close()).ok);
  });
  assert.equal(made, 0);
  assert.equal(await session.folder(folder).find("more.xml"), undefined);
  assert.deepEqual(await rows("select 1 from sftp_upload union all select 1 from sftp_upload_chunk"), []);
});

test("two sessions that write one name at once never mix, and the later close is the newer file", async () => {
  const [first, last] = [Buffer.from(large("FIRST", 700_000)), Buffer.from(large("LAST", 700_000))];
  let name = "mixed";
  await processed(async () => {
    // Another name each time: one of the two may have been processed before.
    name = `_${name}.xml`;
    const [firstFile, secondFile] = [await session.open("CAT", name), await second.open().open("CAT", name)];
    for (let at = 0; at < first.length; at += 100_000) {
      await Promise.all([
        firstFile.write(at, first.subarray(at, at + 100_000)),
        secondFile.write(at, last.subarray(at, at + 100_000)),
      ]);
    }
    const answers = [answerOf(await firstFile.close()), answerOf(await secondFile.close())];
    return answers.find((answer) => answer !== undefined);
  });
  const names = (await session.names("/archive")).filter((entry) => entry.startsWith(name));
  assert.equal(names.length, 2);
  assert.deepEqual(await session.get("/archive", name), first);
  assert.deepEqual(await session.get("/archive", names.find((entry) => entry !== name) as string), last);
});

test("a file that several sessions rename at once is processed once", async () => {
  for (let round = 0; round < 3; round++) {
    // Refused files are processed again each time they arrive, so that every processing is visible.
    await session.put("CAT", "raced.tmp", `<itemMaster>${round}`);
    const made = await counting(async () => {
      const answers = await Promise.all(
        [session, node.open(), second.open(), second.open()].map((caller) =>
          caller.rename("CAT", "raced.tmp", "raced.xml"),
        ),
      );
      assert.equal(answers.filter((answer) => answer === undefined).length, 1);
      assert.ok(answers.every((answer) => answer === undefined || answer.status === "NO_SUCH_FILE"));
    });
    assert.equal(made, 1);
  }
});

test("a file whose node died during processing is processed at the next rename", async () => {
  await session.put("CAT", "died.tmp", catalogueXml("DIED"));
  const place = { clientId: "DEMO", feedType: "CAT" as const, name: "died.tmp" };
  const until = new Date(Date.now() + claimMs).toISOString();
  const claimed = await claimUpload(database, place, new Date().toISOString(), until);
  assert.ok(claimed);
  const made = await counting(async () => {
    const renamed = session.rename("CAT", "died.tmp", "died.xml");
    await sleep(300);
    assert.deepEqual(await session.names(folder), ["died.tmp"]);
    // The claim expires after the folder was listed.
    await keepClaim(database.of("DEMO"), claimed.uploadId, new Date(Date.now() - 1).toISOString());
    assert.equal(await renamed, undefined);
  });
  assert.equal(made, 1);
});

test("a file can be replaced or removed during processing: one complete file is processed", async () => {
  const claim = (name: string) => {
    const until = new Date(Date.now() + claimMs).toISOString();
    return claimUpload(database, { clientId: "DEMO", feedType: "CAT", name }, new Date().toISOString(), until);
  };
  for (const name of ["over.tmp", "removed.tmp"]) {
    await session.put("CAT", name, catalogueXml("OVER"));
    assert.ok(await claim(name));
  }
  assert.equal(await session.put("CAT", "over.tmp", catalogueXml("OVER", "two")), undefined);
  assert.equal(await session.rename("CAT", "over.tmp", "over.xml"), undefined);
  assert.match((await session.get("/archive", "over.xml")).toString(), /two/);
  assert.equal(await session.remove(folder, "removed.tmp"), undefined);
  assert.equal((await session.rename("CAT", "removed.tmp", "removed.xml"))?.status, "NO_SUCH_FILE");
});

test("a file that is being written cannot be renamed or removed", async () => {
  const file = await session.open("CAT", "open.tmp");
  await file.write(0, Buffer.alloc(300_000, "x"));
  assert.equal((await session.folder(folder).find("open.tmp"))?.size, 300_000);
  assert.match((await session.rename("CAT", "open.tmp", "open.xml"))?.message ?? "", /close it first/);
  assert.match((await session.remove(folder, "open.tmp"))?.message ?? "", /close it first/);
  assert.equal(await second.open().folder(folder).find("open.tmp"), undefined);
  await file.abandon();
  assert.equal(await session.remove(folder, "open.tmp"), undefined);
});

test("names that cannot be the name of an ACK are refused", async () => {
  const longest = `${"x".repeat(206)}.xml`;
  assert.equal(await session.put("CAT", longest, catalogueXml("LONG")), undefined);
  for (const name of await session.names("/acks")) assert.ok(Buffer.byteLength(name) <= 255, name);
  for (const name of ["", ".", "..", "a/b", "a\nb", "a\0b", "a\ud800b", "a\ufffdb", `x${longest}`, "é".repeat(106)]) {
    const opened = await session.folder(folder).openWrite?.(name, { isExclusive: false, isTruncating: true });
    assert.ok(opened && !opened.ok, name);
    assert.equal(opened.fault.status, "PERMISSION_DENIED");
    assert.equal(await session.folder(folder).find(name), undefined);
    assert.equal(await session.folder("/acks").find(`${name}.ack.xml`), undefined);
    assert.equal(await session.folder("/archive").find(name), undefined);
    assert.equal((await session.remove(folder, name))?.status, "NO_SUCH_FILE");
  }
  const temporary = `${"x".repeat(251)}.tmp`;
  assert.equal(await session.put("CAT", temporary, catalogueXml("LONG")), undefined);
  assert.equal((await session.rename("CAT", temporary, "x".repeat(211)))?.status, "PERMISSION_DENIED");
  assert.equal(await session.remove(folder, temporary), undefined);
});

test("files of a suspended client are refused, also running uploads", async () => {
  const theirs = node.open("GONE");
  assert.match((await theirs.put("CAT", "x.xml", catalogueXml("X", "X", "GONE")))?.message ?? "", /GONE is suspended/);
});

test("a folder with 10 000 unprocessed files refuses another, and lists the oldest", async () => {
  await rows(
    `insert into sftp_upload (client_id, upload_id, feed_type, name, state, size_bytes, last_written_at)
     select 'DEMO', ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'RMA', 'w' || n || '.tmp', 'WAITING', 1,
       '2026-01-01T00:00:00Z' from generate_series(1, 10000) n returning 1`,
  );
  const refusal = await session.put("RMA", "one-more.xml", "<x/>");
  assert.equal(refusal?.status, "FAILURE");
  assert.match(refusal.message, /10000 unprocessed files/);
  assert.equal(await session.put("CAT", "elsewhere.xml", catalogueXml("ELSE")), undefined);
  assert.equal(await session.put("RMA", "w1.tmp", "replaced"), undefined);
  assert.equal(await session.remove("/inbound/RMA", "w2.tmp"), undefined);
  assert.equal(await session.put("RMA", "one-more.tmp", "<x/>"), undefined);
  const names = await session.names("/inbound/RMA");
  assert.equal(names.length, 10_000);
  assert.deepEqual([names[0], names.at(-1)], ["w3.tmp", "one-more.tmp"]);
});
