import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const ids = createIds();
const client = await insertClient(database);
const { receiver, close } = await createFeedStack({ database, clock: systemClock, ids });
atEnd(close);

const samples = new URL("../../../samples/", import.meta.url);

async function send(name: string) {
  const bytes = readFileSync(new URL(name, samples));
  const type = name.replace(/^.*\//, "").split(/[-.]/)[0] as FeedType;
  const token = ids.next(Date.now());
  const receipt = await receiver.receive({
    client,
    type,
    channel: "HTTP",
    bytes,
    contentType: "application/xml",
    charset: undefined,
    idempotencyKey: undefined,
    token,
  });
  assert.ok(receipt.kind === "validated", receipt.kind);
  return receipt;
}

const received: Record<string, { token: string; at: string }> = {};

test("the accepted samples are accepted, in the order of their README", async () => {
  for (const name of ["CAT.xml", "PO.xml", "NO.xml", "RMA.xml"]) {
    const receipt = await send(`accepted/${name}`);
    assert.ok(receipt.isAccepted, receipt.ack.toString());
    const [row] = await database.query<{ received_at: string }>({
      text: "select received_at from feed_document where token = $1",
      values: [receipt.token],
      name: "x",
      isTenant: false,
    });
    received[name] = { token: receipt.token, at: row?.received_at as string };
  }
});

const refused = readdirSync(new URL("refused/", samples)).filter((name) => /^[A-Z]+-.*(?<!\.ack)\.xml$/.test(name));
for (const name of refused) {
  test(`the refused sample ${name} gets the ACK of its file`, async () => {
    const receipt = await send(`refused/${name}`);
    let expected = readFileSync(new URL(`refused/${name.replace(".xml", ".ack.xml")}`, samples), "utf8").replace(
      "{token}",
      receipt.token,
    );
    for (const [file, { token, at }] of Object.entries(received)) {
      expected = expected.replace(`{token of ${file}}`, token).replace(`{time of ${file}}`, at);
    }
    assert.equal(receipt.ack.toString(), expected);
  });
}
