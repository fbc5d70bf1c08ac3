// The limits on the requests and the files of one SFTP login.
import assert from "node:assert/strict";
import { test } from "node:test";
import { purgeUploads } from "#/intake/sftp/exchange/uploads.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../support/builders/client.ts";
import { catalogueXml, startExchange } from "../support/http/exchange.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { connect, openSftp, startTestSftp } from "../support/sftp/server.ts";

const { database } = await testDatabase();
const client = await insertClient(database);
const other = await insertClient(database, { clientId: "OTHER" });

const padded = (bytes: number) => catalogueXml("A").padEnd(bytes);

test("files that wait under temporary names hold so much and no more, in all folders of a client", async () => {
  const node = await startExchange({ database, clients: [client, other], waitingBytesMax: 1_000_000 });
  const session = node.open();
  assert.equal(await session.put("CAT", "one.tmp", padded(400_000)), undefined);
  assert.equal(await session.put("NO", "two.part", padded(400_000)), undefined);
  const refusal = await session.put("PO", "three.tmp", padded(400_000));
  assert.equal(refusal?.status, "FAILURE");
  assert.match(refusal?.message ?? "", /^The files under temporary names use 1 GiB/);
  assert.deepEqual(await session.names("/inbound/PO"), []);
  assert.equal(await session.put("CAT", "one.tmp", padded(500_000)), undefined, "what is replaced does not count");
  assert.equal(await session.put("CAT", "final.xml", padded(400_000)), undefined, "what is judged does not wait");
  assert.equal(await node.open("OTHER").put("CAT", "one.tmp", padded(400_000)), undefined, "others have their own");
  assert.equal(await session.put("PO", "full.tmp", padded(100_000)), undefined);
  const opened = await session
    .folder("/inbound/PO")
    .openWrite?.("four.tmp", { isExclusive: false, isTruncating: true });
  assert.ok(opened && !opened.ok, "refused before anything is sent");
  assert.equal(await session.remove("/inbound/NO", "two.part"), undefined);
  assert.equal(await session.put("PO", "three.tmp", padded(400_000)), undefined);
  const [chunks] = await database.query<{ bytes: number }>(
    sql`select sum(octet_length(bytes))::integer as bytes from sftp_upload_chunk where client_id = ${client.clientId}`,
  );
  assert.equal(chunks?.bytes, 1_000_000, "nothing is left of what was refused");
  await node.close();
});

test("a file that has waited for a week is removed, with its bytes", async () => {
  const node = await startExchange({ database, clients: [client] });
  const session = node.open();
  for (const name of ["one.tmp", "week.tmp"]) await session.put("RMA", name, padded(300_000));
  const purgeAfter = (ms: number) => purgeUploads({ database, clock: { now: () => Date.now() + ms } }, client.clientId);
  assert.equal(await purgeAfter(7 * dayMs - 60_000), 0);
  assert.deepEqual(await session.names("/inbound/RMA"), ["one.tmp", "week.tmp"]);
  assert.ok((await purgeAfter(7 * dayMs + 60_000)) >= 2);
  assert.deepEqual(await session.names("/inbound/RMA"), []);
  const [left] = await database.query<{ n: number }>(
    sql`select count(*)::integer as n from sftp_upload_chunk where client_id = ${client.clientId}`,
  );
  assert.equal(left?.n, 0);
  await node.close();
});

test("a session that has used up its rate waits for it, is not refused, and can be ended meanwhile", async () => {
  const credentialIds: string[] = [];
  let left = 3;
  const { server, logged } = await startTestSftp(database, {
    takeRate: async ({ credentialId }) => {
      credentialIds.push(credentialId);
      return left-- > 0 ? 0 : 5;
    },
  });
  const connection = await connect({ server } as never);
  const session = await openSftp(connection);
  let answers = 0;
  const stat = () =>
    new Promise<void>((resolve, reject) =>
      session.stat("/inbound", (error) => {
        answers++;
        if (error) reject(error);
        else resolve();
      }),
    );
  for (let i = 0; i < 3; i++) await stat();
  const waiting = stat();
  const before = credentialIds.length;
  while (credentialIds.length < before + 5) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(answers, 3, "it waits");
  left = 1;
  await waiting;
  assert.equal(answers, 4);
  assert.ok(credentialIds.every((credentialId) => credentialId === "credential-acme"));
  assert.equal(logged.filter(({ level }) => level === "error").length, 0);
  stat().catch(() => {});
  await server.stop();
  const end = logged.find(({ msg }) => msg === "SFTP session ended");
  assert.ok((end?.rateWaitMs as number) > 0, "the log says that it waited");
});
