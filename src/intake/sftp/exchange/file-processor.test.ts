import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startHealing } from "#/intake/feeds/park/healing.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { catalogue, order } from "../../../../tests/support/builders/documents.ts";
import { catalogueXml, isAccepted, startExchange, tokenOf } from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);
const other = await insertClient(database, { clientId: "OTHER" });
const parking = await insertClient(database, { clientId: "PARKS", settings: { parkUnknownSkus: true } });
const replaying = await insertClient(database, { clientId: "REPLAYS", settings: { identicalResend: "REPLAY" } });
let laterMs = 0;
const clock = { now: () => Date.now() + laterMs };
const clients = [client, other, parking, replaying];
const node = await startExchange({ database, clients, clock });
const second = await startExchange({ database, clients, clock });
const session = node.open();

async function documentsOf(clientId = "DEMO") {
  return database.query<{ token: string; feed_type: string; channel: string; state: string; ack: Buffer }>({
    text: "select token, feed_type, channel, state, ack from feed_document where client_id = $1 order by token",
    values: [clientId],
    name: "documents",
    isTenant: false,
  });
}

/** The number of documents that the work creates. */
async function counting(work: () => Promise<unknown>, clientId = "DEMO"): Promise<number> {
  const before = (await documentsOf(clientId)).length;
  await work();
  return (await documentsOf(clientId)).length - before;
}

test("a file is processed when it is closed, and its ACK is then listed under both names", async () => {
  const ack = await session.exchange("CAT", "first.xml", catalogueXml("F-1"));
  assert.ok(isAccepted(ack));
  const document = (await documentsOf()).find(({ token }) => token === tokenOf(ack));
  assert.equal(document?.channel, "SFTP");
  assert.equal(document?.ack.toString(), ack);
  assert.deepEqual(await session.names("/acks"), [`first.xml.${tokenOf(ack)}.ack.xml`, "first.xml.ack.xml"]);
  assert.equal((await session.get("/acks", `first.xml.${tokenOf(ack)}.ack.xml`)).toString(), ack);
  assert.equal((await session.get("/archive", "first.xml")).toString(), catalogueXml("F-1"));
  assert.deepEqual(await session.names("/inbound/CAT"), []);
});

test("a rejected file is processed as well: its ACK states why, and it is in /rejected", async () => {
  const ack = await session.exchange("NO", "broken.xml", "<orderRequest>");
  assert.match(ack, /<success>false<\/success>.*\[XML\]/s);
  assert.equal((await session.get("/rejected", "broken.xml")).toString(), "<orderRequest>");
  assert.equal(await session.folder("/archive").find("broken.xml"), undefined);
});

test("an empty file is processed as an empty document", async () => {
  assert.match(await session.exchange("NO", "empty.xml", ""), /\[XML\]/);
  assert.deepEqual(await session.get("/rejected", "empty.xml"), Buffer.alloc(0));
});

test("a file that names another client is rejected", async () => {
  assert.match(await session.exchange("CAT", "whose.xml", catalogueXml("W-1", "W", "OTHER")), /\[CLIENT\]/);
});

test("after it was processed, a file can be read and its times set in that session, but is not listed", async () => {
  await session.exchange("CAT", "set.xml", catalogueXml("S-1"));
  const entry = await session.folder("/inbound/CAT").find("set.xml");
  assert.equal(entry?.size, catalogueXml("S-1").length);
  assert.equal(await node.open().folder("/inbound/CAT").find("set.xml"), undefined);
  assert.equal(await session.folder("/inbound/NO").find("set.xml"), undefined);
  assert.deepEqual(await session.names("/inbound/CAT"), []);
  assert.equal((await session.remove("/inbound/CAT", "set.xml"))?.status, "PERMISSION_DENIED");
  assert.equal((await session.rename("CAT", "set.xml", "moved.xml"))?.status, "PERMISSION_DENIED");
});

test("the same file again is answered by the same ACK, from any node, and makes no document", async () => {
  const ack = await session.exchange("CAT", "again.xml", catalogueXml("AG-1"));
  const made = await counting(async () => {
    assert.equal(await session.exchange("CAT", "again.xml", catalogueXml("AG-1")), ack);
    assert.equal(await second.open().exchange("CAT", "again.xml", catalogueXml("AG-1")), ack);
  });
  assert.equal(made, 0);
  assert.deepEqual(
    (await session.names("/archive")).filter((name) => name.startsWith("again")),
    ["again.xml"],
  );
});

test("only the latest file of a name is the same file again", async () => {
  const names = new Set<string>();
  const made = await counting(async () => {
    for (const version of ["one", "two", "one", "one", "two"])
      names.add(await session.exchange("CAT", "latest.xml", catalogueXml("L-1", version)));
  });
  assert.equal(made, 4);
  assert.equal(names.size, 4);
});

test("the same bytes under another name or in another folder are another document", async () => {
  const made = await counting(async () => {
    await session.exchange("CAT", "named.xml", catalogueXml("N-1"));
    await session.exchange("CAT", "Named.xml", catalogueXml("N-1"));
    await session.exchange("PO", "named.xml", catalogueXml("N-1"));
  });
  assert.equal(made, 3);
});

test("a rejected file that is sent again is processed again", async () => {
  const made = await counting(async () => {
    assert.ok(!isAccepted(await session.exchange("NO", "remedy.xml", order("DEMO", "R-1", ["REMEDY"]))));
    await session.exchange("CAT", "remedy-cat.xml", catalogueXml("REMEDY"));
    assert.ok(isAccepted(await session.exchange("NO", "remedy.xml", order("DEMO", "R-1", ["REMEDY"]))));
  });
  assert.equal(made, 3);
  assert.ok(await session.folder("/rejected").find("remedy.xml"));
  assert.ok(await session.folder("/archive").find("remedy.xml"));
});

test("after seven days the same file is a new document", async () => {
  const ack = await session.exchange("CAT", "week.xml", catalogueXml("W-7"));
  try {
    laterMs = 7 * dayMs - 60_000;
    assert.equal(await session.exchange("CAT", "week.xml", catalogueXml("W-7")), ack);
    laterMs = 7 * dayMs + 60_000;
    assert.notEqual(await session.exchange("CAT", "week.xml", catalogueXml("W-7")), ack);
  } finally {
    laterMs = 0;
  }
});

test("another client's file of the same name and bytes is its own", async () => {
  const theirs = node.open("OTHER");
  const ack = await session.exchange("CAT", "shared.xml", catalogueXml("SH-1"));
  const made = await counting(async () => {
    assert.notEqual(await theirs.exchange("CAT", "shared.xml", catalogueXml("SH-1")), ack);
  }, "OTHER");
  assert.equal(made, 1);
  assert.equal(await theirs.folder("/acks").find(`shared.xml.${tokenOf(ack)}.ack.xml`), undefined);
  assert.equal((await theirs.names("/acks")).length, 2);
  assert.equal(await theirs.folder("/archive").find("first.xml"), undefined);
});

test("one file from many sessions of two nodes at once is one document", async () => {
  for (let round = 0; round < 4; round++) {
    const sessions = Array.from({ length: 12 }, (_, i) => (i % 2 ? node : second).open());
    const acks = new Set<string>();
    const made = await counting(async () => {
      await Promise.all(
        sessions.map(async (session) => {
          acks.add(await session.exchange("CAT", `race-${round}.xml`, catalogueXml(`RACE-${round}`)));
        }),
      );
    });
    assert.equal(made, 1);
    assert.equal(acks.size, 1);
  }
});

test("one order from many sessions at once is accepted once, and no session gets a duplicate error", async () => {
  await session.exchange("CAT", "race-cat.xml", catalogueXml("RACING"));
  for (let round = 0; round < 4; round++) {
    const sessions = Array.from({ length: 8 }, (_, i) => (i % 2 ? node : second).open());
    const acks = await Promise.all(
      sessions.map((session) => session.exchange("NO", `order-${round}.xml`, order("DEMO", `RO-${round}`, ["RACING"]))),
    );
    assert.equal(new Set(acks).size, 1);
    assert.ok(isAccepted(acks[0] as string));
  }
});

test("different files of one name at once are processed one after the other, each with its own ACK", async () => {
  const made = await counting(async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? node : second).open().put("CAT", "each.xml", catalogueXml(`EACH-${i}`)),
      ),
    );
    assert.deepEqual(new Set(answers), new Set([undefined]));
  });
  assert.equal(made, 8);
  const acks = (await session.names("/acks")).filter((name) => name.startsWith("each.xml"));
  assert.equal(acks.length, 9);
  const archived = (await session.names("/archive")).filter((name) => name.startsWith("each.xml"));
  assert.equal(new Set(archived).size, 8);
  for (const name of archived) {
    const bytes = (await session.get("/archive", name)).toString();
    assert.match(bytes, /EACH-\d/);
    const token = /~(.*)$/.exec(name)?.[1];
    if (token !== undefined)
      assert.ok(isAccepted((await session.get("/acks", `each.xml.${token}.ack.xml`)).toString()));
  }
});

test("a document that is answered by an earlier one's ACK has that ACK under its file's name", async () => {
  const session = node.open("REPLAYS");
  await session.exchange("CAT", "items.xml", catalogue("REPLAYS", ["A"]));
  const ack = await session.exchange("NO", "one.xml", order("REPLAYS", "1", ["A"]));
  const made = await counting(async () => {
    assert.equal(await session.exchange("NO", "two.xml", order("REPLAYS", "1", ["A"])), ack);
    // After another file of the same name, it is the latest again.
    assert.notEqual(await session.exchange("NO", "two.xml", order("REPLAYS", "2", ["A"])), ack);
    assert.equal(await session.exchange("NO", "two.xml", order("REPLAYS", "1", ["A"])), ack);
    assert.equal(await session.exchange("NO", "two.xml", order("REPLAYS", "1", ["A"])), ack);
  }, "REPLAYS");
  assert.equal(made, 1);
  const archived = await session.names("/archive");
  assert.deepEqual(archived.map((name) => name.replace(/~.*/, "~")).sort(), [
    "items.xml",
    "one.xml",
    "two.xml",
    "two.xml~",
  ]);
  assert.equal((await session.get("/archive", "two.xml")).toString(), order("REPLAYS", "1", ["A"]));
});

test("a parked file is in /rejected until a catalogue brings the missing SKUs, and then in /archive", async () => {
  const session = node.open("PARKS");
  const xml = order("PARKS", "P-1", ["LATER"]);
  const parked = await session.exchange("NO", "parked.xml", xml);
  assert.match(parked, /\[UNKNOWN_SKU\]/);
  assert.deepEqual(await session.names("/rejected"), ["parked.xml"]);
  await session.exchange("CAT", "later.xml", catalogue("PARKS", ["LATER"]));
  const healing = startHealing({
    database,
    findKnownSkus,
    receiver: node.receiver,
    findClient: async () => parking,
    log: createLogger({ level: "silent", format: "json", destination: { write: () => {} } }),
  });
  healing.wake(["PARKS"]);
  await until("the file is healed", async () => (await session.names("/rejected")).length === 0);
  await healing.stop();
  assert.equal((await session.get("/archive", "parked.xml")).toString(), xml);
  const healed = (await session.get("/acks", "parked.xml.ack.xml")).toString();
  assert.ok(isAccepted(healed));
  assert.equal(tokenOf(healed), tokenOf(parked));
  // The resend that its first ACK requested.
  const made = await counting(
    async () => assert.equal(await session.exchange("NO", "parked.xml", xml), healed),
    "PARKS",
  );
  assert.equal(made, 0);
  assert.deepEqual(await session.names("/archive"), ["parked.xml", "later.xml"]);
});

test("a file with a card number is processed and has its ACK, and is stored nowhere", async () => {
  const xml = readFileSync(new URL("../../../../samples/refused/NO-card-number.xml", import.meta.url));
  const ack = await session.exchange("NO", "card.xml", xml);
  assert.match(ack, /ending in 1111/);
  assert.equal(await session.folder("/rejected").find("card.xml"), undefined);
  assert.ok(!(await session.names("/rejected")).some((name) => name.startsWith("card")));
});

test("documents from other channels have no file names", async () => {
  const statements: string[] = [];
  const { database: watched } = await testDatabase({ onStatement: ({ text }) => void statements.push(text) });
  const client = await insertClient(watched);
  const { receiver } = await startExchange({ database: watched, clients: [client] });
  statements.length = 0;
  const token = createIds().next(Date.now());
  const receipt = await receiver.receive({
    client,
    type: "CAT",
    channel: "HTTP",
    bytes: Buffer.from(catalogueXml("H-1")),
    token,
    contentType: "application/xml",
    charset: undefined,
    idempotencyKey: undefined,
  });
  assert.ok(receipt.kind === "validated" && receipt.isAccepted);
  assert.ok(statements.length > 3);
  assert.ok(!statements.some((text) => text.includes("feed_file")));
});

test("each processed file writes one line to the log, without its name and bytes", async () => {
  node.logged.length = 0;
  const ack = await session.exchange("CAT", "logged-Ada-Lovelace.xml", catalogueXml("LOG-1"));
  assert.equal(node.logged.length, 1);
  const line = JSON.parse(node.logged[0] as string) as Record<string, unknown>;
  assert.deepEqual(
    [line.msg, line.token, line.clientId, line.outcome],
    ["file processed", tokenOf(ack), "DEMO", "accepted"],
  );
  assert.ok(!node.logged[0]?.includes("Lovelace"));
});
