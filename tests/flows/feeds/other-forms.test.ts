// feeds.md §3, Other forms: HTTP, SFTP and `validate` read a document in a partner's form alike, and what is stored is
// that of the published form. CROSSDOCK_TEST_ROUNDS sets the number of documents, CROSSDOCK_TEST_SEED the first of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { diceOf } from "../../support/builders/dice.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { otherForm, publishedForm, sampleOf } from "../../support/builders/other-forms.ts";
import { openSession, type SftpPlace } from "../../support/sftp/session.ts";

const rounds = Number(process.env.CROSSDOCK_TEST_ROUNDS ?? 200);
/** The documents differ from day to day. */
const seed = Number(process.env.CROSSDOCK_TEST_SEED ?? Math.floor(Date.now() / dayMs) * rounds);

const server = await testServer({ CROSSDOCK_SFTP_PORT: "0" });
const demo = await server.onboard("DEMO");
const skus = ["A", "B", "C"];
await demo.accept("CAT", catalogue("DEMO", skus));
const { username, password = "" } = demo.credentials.sftp;
const session = await openSession(server.sftp as SftpPlace, { username, password });
atEnd(session.end);

/** The stored rows of the documents with ids of this prefix, without ids, tokens and times of single documents. */
async function stored(prefix: string): Promise<unknown> {
  const ids = ["sku", "order_id", "po_number", "rma_number", "alt_sku", "name", "barcodes"];
  const ofOne = [
    "feed_token",
    "feed_uom",
    "created_at",
    "updated_at",
    "received_at",
    "accepted_at",
    "despatch_by",
    "holds",
  ];
  // Allocation, and the end of an order that is not shipped, change these at a moment of their choice.
  const ofAllocation = [
    "status",
    "status_reason",
    "version",
    "qty_open",
    "qty_backordered",
    "backordered_since",
    "at_risk_at",
  ];
  const without = [...ids, ...ofOne, ...ofAllocation, "feed_position", "warnings"]
    .map((column) => `'${column}'`)
    .join(", ");
  const tables = [
    ["item", "sku"],
    ["sales_order", "order_id"],
    ["sales_order_line", "order_id"],
    ["purchase_order", "po_number"],
    ["purchase_order_line", "po_number"],
    ["return_authorisation", "rma_number"],
    ["return_authorisation_line", "rma_number"],
  ] as const;
  const parts = tables.map(
    ([table, id]) =>
      `select '${table}' as name, (to_jsonb(t) - array[${without}])::text as row from ${table} t where t.${id} like $1`,
  );
  const rows = await server.rows<{ name: string; row: string }>(
    `${parts.join(" union all ")} order by 1, 2`,
    `${prefix}%`,
  );
  // A tax is kept as the text of its amount, which REST answers as a number.
  const plain = (row: string) =>
    row
      .replace(/"(?:True|TRUE)"/g, '"true"')
      .replace(/"(?:False|FALSE)"/g, '"false"')
      .replace(/"(\d+\.\d+?)0+"/g, '"$1"');
  return rows.map(({ name, row }) => [name, plain(row)]);
}

test(`${rounds} documents in other forms have the same effect by HTTP and SFTP as in the published form`, async (t) => {
  t.diagnostic(`seed ${seed}`);
  for (let round = 0; round < rounds; round++) {
    const sample = (way: string) => sampleOf(diceOf(seed + round), "DEMO", `${way}-${round}`, skus);
    const otherOf = (way: string) => otherForm(diceOf(seed + round), sample(way));
    const { type } = sample("P");
    await demo.accept(type, publishedForm(sample("P")));
    const http = otherOf("H");
    const dry = await demo.send(type, http, {}, "/validate");
    assert.ok(dry.isAccepted, `seed ${seed + round}: ${dry.body}\n${http}`);
    await demo.accept(type, http);
    await session.put(`/inbound/${type}/${round}.xml`, otherOf("S"));
    const ack = String(await session.get(`/acks/${round}.xml.ack.xml`));
    assert.match(ack, /<success>true</, `seed ${seed + round}`);
    const expected = await stored(`P-${round}`);
    assert.notDeepEqual(expected, []);
    assert.deepEqual(await stored(`H-${round}`), expected, `seed ${seed + round}: ${http}`);
    assert.deepEqual(await stored(`S-${round}`), expected, `seed ${seed + round}: by SFTP`);
  }
});
