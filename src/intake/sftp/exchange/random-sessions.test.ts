// Sessions on two nodes put, interrupt, rename and delete the same few names in every order; the answers are the
// oracle. CROSSDOCK_TEST_SEED repeats a run's choices (not its timing), CROSSDOCK_TEST_ROUNDS adds rounds.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { isContention } from "#/store/db/errors.ts";
import { seededRandom, testSeed } from "../../../../tests/faults/load/sender.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import {
  type Answer,
  catalogueXml,
  isAccepted,
  type Session,
  startExchange,
  tokenOf,
} from "../../../../tests/support/http/exchange.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const client = await insertClient(database);
const nodes = [
  await startExchange({ database, clients: [client] }),
  await startExchange({ database, clients: [client] }),
];
const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 2);
const actionsOfSession = 40;
const names = ["a.xml", "b.xml", "c.xml"] as const;

/**
 * A document that names its writer, so that a mixture of two is visible; some are so large that chunks are stored on
 * the way.
 */
function documentOf(writer: string, isLarge: boolean): string {
  const xml = catalogueXml(`SKU-${writer.length % 3}`, writer);
  return isLarge ? xml.replace("</item>", `</item><!--${`${writer} `.repeat(300_000 / (writer.length + 1))}-->`) : xml;
}

interface Sent {
  readonly name: string;
  readonly xml: string;
}

/** Files whose close or rename succeeded: each has been processed, or repeats a processed file. */
const processed: Sent[] = [];
/** All bytes that a session ever put as a complete file, and that are a document. */
const whole = new Set<string>();

const attemptsMax = 10;

/**
 * Repeats the work where its outcome is unknown, or where it has waited too long for others, as a client does: a busy
 * machine may be slow. Returns any other answer.
 */
async function insisting(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempts = 1; ; attempts++) {
    try {
      const answer = await work();
      if (attempts === attemptsMax || !answer?.message.includes("the outcome is unknown")) return answer;
    } catch (error) {
      if (attempts === attemptsMax || !isContention(error)) throw error;
    }
  }
}

async function act(session: Session, who: string, random: () => number): Promise<void> {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  // The last bytes of each name, to be put again: by then they may or may not be the latest.
  const last = new Map<string, string>();
  for (let i = 0; i < actionsOfSession; i++) {
    const name = pick(names);
    const temporary = `${name}.${who}.tmp`;
    const xml =
      random() < 0.3 && last.has(name) ? (last.get(name) as string) : documentOf(`${who}-${i}`, random() < 0.1);
    const cutAt = Math.floor(random() * xml.length);
    switch (pick(["put", "put", "rename", "cut", "truncate", "shared", "remove"])) {
      case "put":
        whole.add(xml);
        assert.equal(await insisting(() => session.put("CAT", name, xml, 40_000)), undefined);
        processed.push({ name, xml });
        last.set(name, xml);
        break;
      case "rename":
        whole.add(xml);
        assert.equal(await insisting(() => session.put("CAT", temporary, xml, 40_000)), undefined);
        assert.equal(await insisting(() => session.rename("CAT", temporary, name)), undefined);
        processed.push({ name, xml });
        last.set(name, xml);
        break;
      case "cut": {
        const file = await session.open("CAT", pick([name, temporary]));
        await file.write(0, Buffer.from(xml.slice(0, cutAt)));
        await file.abandon();
        break;
      }
      case "truncate":
        // The sender closes the file as complete: it is processed, and is not a valid document.
        assert.equal(await insisting(() => session.put("CAT", name, xml.slice(0, cutAt))), undefined);
        break;
      case "shared":
        // A temporary name that all sessions use: a session that renames it processes the complete file there, or receives
        // the answer that there is none.
        whole.add(xml);
        await insisting(() => session.put("CAT", "shared.tmp", xml, 40_000));
        await insisting(() => session.rename("CAT", "shared.tmp", name));
        break;
      case "remove": {
        const gone = pick([name, temporary, "shared.tmp"]);
        await insisting(() => session.remove("/inbound/CAT", gone));
        break;
      }
    }
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("for any actions of sessions on the same names, no partial file is processed and no complete one is lost", async (t) => {
  const seed = testSeed();
  t.diagnostic(`seed ${seed}`);
  for (let round = 0; round < rounds; round++) {
    const sessions = Array.from({ length: 4 }, (_, i) => nodes[i % 2]?.open() as Session);
    await Promise.all(
      sessions.map((session, i) => act(session, `r${round}s${i}`, seededRandom(seed + round * 10 + i))),
    );
    // A request that timed out may be carried out all the same.
    await until("the last documents", () => nodes.every(({ receiver }) => receiver.depth() === 0));
    await checkRound();
  }
});

async function checkRound(): Promise<void> {
  const rows = await database.query<{ token: string; name: string; is_accepted: boolean; body: string; state: string }>(
    {
      text: `select f.token, f.name, f.is_accepted, encode(d.body_sha256, 'hex') as body, d.state
      from feed_file f join feed_document d on d.client_id = f.client_id and d.token = f.token order by f.name, f.ordinal`,
      values: [],
      name: "",
      isTenant: false,
    },
  );
  assert.equal(new Set(rows.map(({ token }) => token)).size, rows.length, "each file has a separate document");
  const wholeBytes = new Set([...whole].map(sha256));
  for (const { token, body, is_accepted, state } of rows) {
    assert.equal(is_accepted, state !== "REJECTED");
    if (is_accepted) assert.ok(wholeBytes.has(body), `document ${token} is a whole file's`);
  }
  for (const { name, xml } of processed) {
    const body = sha256(xml);
    assert.ok(
      rows.some((row) => row.name === name && row.is_accepted && row.body === body),
      `a whole file ${name} that was answered is there`,
    );
  }
  for (const name of names) {
    const ofName = rows.filter((row) => row.name === name);
    for (const [i, row] of ofName.entries()) {
      const before = ofName[i - 1];
      assert.ok(
        !before || !(before.is_accepted && before.body === row.body),
        `${name}: the latest again is no new one`,
      );
    }
  }
  await checkFolders(rows);
}

async function checkFolders(rows: readonly { token: string; name: string; is_accepted: boolean; body: string }[]) {
  const session = nodes[0]?.open() as Session;
  const filed = new Map<string, string[]>();
  for (const path of ["/archive", "/rejected"]) {
    for (const name of await session.names(path)) {
      const original = name.replace(/~.*/, "");
      const body = sha256((await session.get(path, name)).toString());
      filed.set(path, [...(filed.get(path) ?? []), `${original} ${body}`]);
    }
    const expected = rows.filter((row) => row.is_accepted === (path === "/archive"));
    assert.deepEqual((filed.get(path) ?? []).sort(), expected.map((row) => `${row.name} ${row.body}`).sort());
  }
  const acks = await session.names("/acks");
  assert.deepEqual(
    acks.filter((name) => /\.[0-9a-f-]{36}\.ack\.xml$/.test(name)).sort(),
    rows.map((row) => `${row.name}.${row.token}.ack.xml`).sort(),
  );
  for (const name of new Set(rows.map((row) => row.name))) {
    const ack = (await session.get("/acks", `${name}.ack.xml`)).toString();
    const newest = rows.filter((row) => row.name === name).at(-1);
    assert.deepEqual([tokenOf(ack), isAccepted(ack)], [newest?.token, newest?.is_accepted]);
  }
  // No upload is half written after all sessions have ended.
  const [left] = await database.query<{ n: number }>({
    text: "select count(*)::integer as n from sftp_upload where state = 'WRITING'",
    values: [],
    name: "",
    isTenant: false,
  });
  assert.equal(left?.n, 0);
}
