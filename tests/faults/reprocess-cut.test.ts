// A document is reprocessed once, although the response is lost at COMMIT and the caller repeats the request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { reprocess } from "#/intake/feeds/park/reprocess.ts";
import { systemClock } from "#/kernel/clock.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { openDatabase } from "#/store/db/database.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../support/app/at-end.ts";
import { insertClient } from "../support/builders/client.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { waitingEvents } from "../support/postgres/waiting-events.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";

const { database, url } = await testDatabase();
const client = await insertClient(database);
const proxy = await startStoreProxy(url);
const remote = openDatabase({ url: proxy.url, connectionsMax: 6, applicationName: "crossdock test" });
const ids = createIds();
// A restarted process has no memory of its earlier work. A second stack on the same store is equivalent.
const stacks = [
  await createFeedStack({ database: remote, clock: systemClock, ids }),
  await createFeedStack({ database, clock: systemClock, ids }),
] as const;
const [cut, whole] = stacks.map(({ receiver }) => receiver) as [
  (typeof stacks)[0]["receiver"],
  (typeof stacks)[0]["receiver"],
];
atEnd(async () => {
  for (const stack of stacks) await stack.close();
  await remote.close().catch(() => {});
  await proxy.close();
});

async function send(type: FeedType, xml: string): Promise<string> {
  const token = ids.next(Date.now());
  const delivery = {
    client,
    type,
    token,
    channel: "HTTP",
    contentType: "application/xml",
    charset: undefined,
  } as const;
  await whole.receive({ ...delivery, bytes: Buffer.from(xml), idempotencyKey: undefined });
  return token;
}

const change = () => ({ actor: "user:anna", origin: "test", at: new Date().toISOString(), ids });

for (const when of ["delivered", "lost"] as const) {
  test(`the connection is cut at COMMIT (${when}): asked again, the document has taken effect once`, async () => {
    const orderId = `CUT-${when}`;
    const token = await send("NO", order("DEMO", orderId, [`SKU-${when}`]));
    await send("CAT", catalogue("DEMO", [`SKU-${when}`]));
    proxy.cutAtCommit(when);
    await assert.rejects(reprocess({ database, receiver: cut }, client, token, change()), StoreUnavailableError);
    await proxy.back();
    const answers = await Promise.all(
      [cut, whole, whole].map((receiver) => reprocess({ database, receiver }, client, token, change())),
    );
    for (const answer of answers) assert.equal(answer.ok && answer.value.verdict, "ACCEPTED");
    const last = await reprocess({ database, receiver: whole }, client, token, change());
    assert.deepEqual(last, { ok: true, value: { verdict: "ACCEPTED", isRepeat: true } });
    const waiting = await waitingEvents(database, "DEMO");
    const events = waiting.filter(({ topic, objectId }) => topic === "feed:accepted" && objectId === token).length;
    const [counted] = await database.query<{ orders: number; audits: number; state: string }>(sql`
      select (select count(*)::integer from sales_order where client_id = 'DEMO' and order_id = ${orderId}) as orders,
        (select count(*)::integer from audit_log where client_id = 'DEMO' and object_id = ${token}) as audits, state
      from feed_document where client_id = 'DEMO' and token = ${token}::uuid`);
    assert.deepEqual({ ...counted, events }, { orders: 1, events: 1, audits: 1, state: "ACCEPTED" });
  });
}
