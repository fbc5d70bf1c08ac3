// feeds.md §2 [LIMIT]; a catalogue of the maximum size does not stall other clients' orders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";

const server = await testServer();
const large = await server.onboard("LARGE");
const small = await server.onboard("SMALL");
await small.accept("CAT", catalogue("SMALL", ["A"]));

const itemsMax = 50_000;
const items = (count: number, name: string) =>
  Array.from({ length: count }, (_, i) => ({
    sku: `SKU-${i}`,
    name: `${name} ${i}`,
    eanCode: `E-${i}`,
    weight: "0.25",
    weightUomCode: "KG",
    extendedAttributes: attributes({ "Uom.CS": 12, Colour: "blue" }),
  }));

const stored = async () =>
  (
    await server.rows<{ n: number; named: number }>(
      "select count(*) as n, count(*) filter (where name like 'First %') as named from item where client_id = 'LARGE'",
    )
  )[0];

test("50 000 items are accepted in one document while small orders of another client are answered", async () => {
  const document = catalogue("LARGE", items(itemsMax, "First"));
  let isDone = false;
  const sentMs = performance.now();
  const sending = large.accept("CAT", document).finally(() => {
    isDone = true;
  });
  const durations: number[] = [];
  for (let i = 0; !isDone; i++) {
    const startedMs = performance.now();
    await small.accept("NO", order("SMALL", `DURING-${i}`, ["A"]));
    durations.push(performance.now() - startedMs);
  }
  const { objectId } = await sending;
  assert.equal(objectId, undefined);
  assert.ok(durations.length > 10, `only ${durations.length} orders were answered meanwhile`);
  // Other load on the machine slows down both: an order that waited for the catalogue would take most of its time.
  const allowedMs = Math.max(1_000, (performance.now() - sentMs) / 4);
  assert.ok(Math.max(...durations) < allowedMs, `an order waited ${Math.max(...durations)} ms of ${allowedMs}`);
  assert.deepEqual(await stored(), { n: 50_000, named: 50_000 });
});

test("one item more is refused with both numbers, and leaves nothing", async () => {
  const document = catalogue("LARGE", items(itemsMax + 1, "Second"));
  await large.refuse("CAT", document, "[LIMIT] The document holds 50001 items; at most 50000 are allowed");
  assert.deepEqual(await stored(), { n: 50_000, named: 50_000 });
});

test("a catalogue in which the last item is wrong leaves nothing", async () => {
  const entries = items(5_000, "Third");
  const wrong = [...entries, { sku: "LAST", name: "Last", countryOfOrigin: "ZZ" }];
  await large.refuse("CAT", catalogue("LARGE", wrong), /^\[COUNTRY\] item\[5001\]\/countryOfOrigin: 'ZZ'/);
  const taken = [...entries, { sku: "LAST", name: "Last", eanCode: "E-49999" }];
  await large.refuse(
    "CAT",
    catalogue("LARGE", taken),
    "[EAN] EAN E-49999 of SKU LAST is already mapped to SKU SKU-49999",
  );
  const broken = catalogue("LARGE", entries).replace("</itemMaster>", "<item><sku>LAST</sku></item></itemMaster>");
  await large.refuse("CAT", broken, /^\[XSD\] Line \d+: item\[5001\]: element 'name' is missing/);
  assert.deepEqual(await stored(), { n: 50_000, named: 50_000 });
  const mended = [...entries, { sku: "LAST", name: "Last" }];
  const gzip = gzipSync(catalogue("LARGE", mended));
  await large.accept("CAT", gzip, { "content-encoding": "gzip" });
  assert.deepEqual(await stored(), { n: 50_001, named: 45_000 });
});

test("EANs that move between far-apart items of a large document are judged on where they end", async () => {
  const entries = items(5_000, "Fourth");
  const turned = entries.map((item, i) => ({ ...item, eanCode: `E-${entries.length - 1 - i}` }));
  await large.accept("CAT", catalogue("LARGE", turned));
});

test("large documents of every encoding and any fault get their ACK", async () => {
  const document = catalogue("OTHER", items(3_000, "Größe"));
  const other = await server.onboard("OTHER");
  const latin = Buffer.from(document.replace("UTF-8", "ISO-8859-1"), "latin1");
  await other.accept("CAT", latin);
  const [row] = await server.rows<{ name: string }>(
    "select name from item where client_id = 'OTHER' and sku = 'SKU-2999'",
  );
  assert.equal(row?.name, "Größe 2999");
  await other.refuse("CAT", document.slice(0, -20), /^\[XML\]/);
  const several = await other.send("CAT", document.replaceAll("<weight>0.25", "<weight>light"));
  assert.deepEqual([several.errors.length, several.errors.at(-1)], [101, "2900 further errors were left out"]);
});
