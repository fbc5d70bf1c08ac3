import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "#/store/db/database.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { startStoreProxy } from "../../../../tests/faults/nodes/store-proxy.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { catalogueXml, isAccepted, startExchange } from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { url, database: direct } = await testDatabase();
const client = await insertClient(direct);
const proxy = await startStoreProxy(url);
const database = openDatabase({ url: proxy.url, connectionsMax: 8, applicationName: "crossdock exchange test" });
atEnd(async () => {
  await database.close();
  await proxy.close();
});
const node = await startExchange({ database, clients: [client], claimMs: 300 });
const session = node.open();
/** A session on a node with direct database access. */
const looker = (await startExchange({ database: direct, clients: [client] })).open();

async function documents(): Promise<number> {
  const [row] = await direct.query<{ n: number }>({
    text: "select count(*)::integer as n from feed_document",
    values: [],
    name: "",
    isTenant: false,
  });
  return row?.n ?? 0;
}

test("while the database is unavailable every request fails with a message, and later requests succeed", async () => {
  await session.put("CAT", "waits.tmp", catalogueXml("A"));
  const open = await session.open("CAT", "open.xml");
  const large = await session.open("CAT", "large.xml");
  const cut = await session.open("CAT", "cut.xml");
  await proxy.refuse();
  await open.write(0, Buffer.from(catalogueXml("A")));
  for (let at = 0; at < 600_000; at += 100_000) await large.write(at, Buffer.alloc(100_000));
  for (const refused of [
    await open.close(),
    await large.close(),
    await session.folder("/inbound/CAT").openWrite?.("new.xml", { isExclusive: false, isTruncating: true }),
    await session.folder("/inbound/CAT").rename?.("waits.tmp", { folder: "/inbound/CAT", name: "waits.xml" }),
    await session.folder("/inbound/CAT").remove?.("waits.tmp"),
    await session.folder("/acks").openRead?.("a.ack.xml"),
    await session.folder("/acks").remove?.("a.ack.xml"),
  ]) {
    assert.ok(refused && !refused.ok);
    assert.equal(refused.fault.status, "FAILURE");
    assert.match(refused.fault.message, /database cannot be reached/);
  }
  for (const path of ["/inbound/CAT", "/acks", "/archive", "/rejected"]) {
    await assert.rejects(session.folder(path).list(), StoreUnavailableError);
    await assert.rejects(async () => session.folder(path).find("x.ack.xml"), StoreUnavailableError);
  }
  await cut.abandon();
  await proxy.back();
  assert.equal(await documents(), 0);
  assert.ok(isAccepted(await session.exchange("CAT", "open.xml", catalogueXml("A"))));
  assert.equal(await session.rename("CAT", "waits.tmp", "waits.xml"), undefined);
  assert.equal(await documents(), 2);
});

/** Repeats the work, like a client's script, until it is not refused. */
async function insisting(work: () => Promise<unknown>): Promise<number> {
  for (let attempts = 1; ; attempts++) {
    assert.ok(attempts < 20);
    if ((await work()) === undefined) return attempts;
    await proxy.back();
  }
}

test("a file whose COMMIT lost its reply is one document with its ACK, looked up or put again", async () => {
  for (const when of ["delivered", "lost"] as const) {
    const before = await documents();
    const name = `${when}.xml`;
    proxy.cutAtCommit(when);
    const puts = await insisting(() => session.put("CAT", name, catalogueXml(when)));
    // A commit that was carried out is found, unless that takes longer than the look-up waits.
    if (when === "lost") assert.equal(puts, 2);
    else assert.ok(puts <= 2);
    assert.equal((await documents()) - before, 1);
    assert.ok(isAccepted((await looker.get("/acks", `${name}.ack.xml`)).toString()));
  }
});

test("a waiting file is neither lost nor processed twice, wherever the database fails", async () => {
  for (const when of ["delivered", "lost"] as const) {
    const before = await documents();
    await session.put("CAT", `${when}.tmp`, catalogueXml(`${when}-2`));
    proxy.cutAtCommit(when);
    await insisting(() => session.rename("CAT", `${when}.tmp`, `${when}-2.xml`));
    proxy.cut();
    await proxy.back();
    assert.equal((await documents()) - before, 1);
    assert.ok(isAccepted((await looker.get("/acks", `${when}-2.xml.ack.xml`)).toString()));
  }
});

test("connections cut at any point of an upload lose and duplicate nothing", async () => {
  const before = await documents();
  const files = 30;
  for (let i = 0; i < files; i++) {
    const cutting = setTimeout(() => proxy.cut(), i);
    const isWaiting = i % 2 === 0;
    const [name, xml] = [`cut-${i}.xml`, catalogueXml(`CUT-${i}`)];
    await insisting(async () => {
      const refusal = await session.put("CAT", isWaiting ? `${name}.tmp` : name, xml);
      if (refusal || !isWaiting) return refusal;
      return session.rename("CAT", `${name}.tmp`, name);
    });
    clearTimeout(cutting);
    assert.ok(isAccepted((await looker.get("/acks", `${name}.ack.xml`)).toString()));
  }
  assert.equal((await documents()) - before, files);
});
