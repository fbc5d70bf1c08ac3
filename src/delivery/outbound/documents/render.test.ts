import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Envelope } from "#/delivery/outbound/documents/envelope.ts";
import { writeInventorySnapshot } from "#/delivery/outbound/documents/inventory-snapshot.ts";
import { writeMovementStatement } from "#/delivery/outbound/documents/movement-statement.ts";
import { hasDocument, newestVersions, renderDraft } from "#/delivery/outbound/documents/render.ts";
import { createXmlEngine, element } from "#/intake/xml/index.ts";
import { type OutboundType, outboundTypes } from "#/kernel/feed-types.ts";
import type { OutboundDraft } from "#/store/outbox/append.ts";
import * as samples from "../../../../tests/support/webhooks/outbound.ts";

const engine = await createXmlEngine();
const anything = element({ children: {} });

const first = { GR: "1.0", OS: "1.0", RS: "1.0" } as const;

/** Reads a document as a client does: it must match its published schema. */
function assertValid(type: OutboundType | "1.0/GR" | "1.0/OS" | "1.0/RS", xml: Buffer): void {
  const schema = engine.compile(readFileSync(new URL(`../../../../schemas/xsd/${type}.xsd`, import.meta.url)));
  const read = engine.read(xml, { schema, shape: anything });
  assert.ok(read.ok, `${read.ok || JSON.stringify(read.fault.problems)}\n${xml}`);
}

const draft = (type: OutboundDraft["type"], content: object): OutboundDraft => ({ type, objectId: "1", content });
type Render = (envelope: Envelope) => Buffer | Promise<Buffer>;
const sampleFiles: readonly (readonly [file: string, type: OutboundType, render: Render])[] = [
  ["GR.xml", "GR", (head) => renderDraft(draft("GR", samples.goodsReceipt), head)],
  ["GR-correction.xml", "GR", (head) => renderDraft(draft("GR", samples.goodsReceiptCorrection), head)],
  ["OS.xml", "OS", (head) => renderDraft(draft("OS", samples.orderStatus), head)],
  ["RS.xml", "RS", (head) => renderDraft(draft("RS", samples.returnStatus), head)],
  ["ADJ.xml", "ADJ", (head) => renderDraft(draft("ADJ", samples.inventoryAdjustment), head)],
  ["INV.xml", "INV", (head) => writeInventorySnapshot(head, samples.inventorySnapshot)],
  ["IMS.xml", "IMS", (head) => writeMovementStatement(head, samples.movementStatement)],
  ["ACK.xml", "ACK", (head) => renderDraft(draft("ACK", samples.acknowledgement), head)],
  ["ACK-rejected.xml", "ACK", (head) => renderDraft(draft("ACK", samples.acknowledgementOfRejected), head)],
  ["RS-1.0.xml", "RS", (head) => renderDraft(draft("RS", samples.returnStatus), head, first)],
  ["RS-blind.xml", "RS", (head) => renderDraft(draft("RS", samples.returnStatusOfBlind), head)],
  ["RS-return-to-sender.xml", "RS", (head) => renderDraft(draft("RS", samples.returnStatusOfParcel), head)],
  ["OS-held.xml", "OS", (head) => renderDraft(draft("OS", samples.orderStatusOfHeld), head)],
  ["OS-1.0.xml", "OS", (head) => renderDraft(draft("OS", samples.orderStatusOfHeld), head, first)],
  ["GR-1.0.xml", "GR", (head) => renderDraft(draft("GR", samples.goodsReceipt), head, first)],
];

for (const [i, [file, type, render]] of sampleFiles.entries()) {
  test(`the sample ${file} equals the output of the platform and is valid`, async () => {
    const xml = await render(samples.envelope(i + 1));
    assertValid(type, xml);
    const path = new URL(`../../../../samples/outbound/${file}`, import.meta.url);
    assert.equal(xml.toString(), readFileSync(path, "utf8"));
    assert.deepEqual(await render(samples.envelope(i + 1)), xml, "the same bytes each time");
  });
}

test("every type has a sample", () => {
  assert.deepEqual(new Set(sampleFiles.map(([, type]) => type)), new Set(outboundTypes));
});

/**
 * Texts that a warehouse may send: markup, characters that XML cannot represent, lone surrogates, and texts that are
 * too long.
 */
const hostile = [
  "<&>\"']]><!--",
  "\u0000\u0008\u001b\ufffe\uffff",
  "\ud800 and \udc00",
  "a\r\nb\tc",
  " \u00a0 ",
  "😀".repeat(5_000),
];

for (const text of hostile) {
  test(`documents stay valid with the text ${JSON.stringify(text.slice(0, 20))}`, async () => {
    const head = samples.envelope();
    const serials = [text, text];
    const [received, ...others] = samples.goodsReceipt.lines;
    const receipt = { ...samples.goodsReceipt, receiptId: text, correctsReceiptId: text };
    assertValid(
      "GR",
      renderDraft(draft("GR", { ...receipt, lines: [{ ...received, batchRef: text, serials }, ...others] }), head),
    );
    const shipment = { olpnId: text, carrierCode: text, trackingNumber: text, trackingUrl: text, weightUomCode: text };
    const contents = [{ lineNumber: 1, sku: "A", qty: 1, batchRef: text, serials }];
    const shipments = [{ ...shipment, carrierServiceCode: text, weight: 1e-7, contents }];
    const holds = [{ type: "OTHER", reason: text, since: samples.orderStatus.statusTimeStamp }];
    const order = { ...samples.orderStatus, externalOrderReference: text, statusReason: text, shipments, holds };
    assertValid("OS", renderDraft(draft("OS", order), head));
    assertValid("1.0/OS", renderDraft(draft("OS", order), head, first));
    const lot = { stockPool: text, batchRef: text, serials: [text] };
    const dispositions = [{ disposition: "SCRAP", qty: 1, ...lot, returnReasonCode: text, note: text }];
    const words = { attributeOne: text, attributeThree: text };
    const lines = samples.returnStatus.lines.map((line) => ({ ...line, ...words, dispositions }));
    const returned = { ...samples.returnStatus, returnId: text, olpnId: text, orderReference: text, lines };
    assertValid("RS", renderDraft(draft("RS", returned), head));
    assertValid("1.0/RS", renderDraft(draft("RS", returned), head, first));
    const changed = samples.inventoryAdjustment.lines.map((line) => ({ ...line, batchRef: text, stockPool: text }));
    const adjustment = { ...samples.inventoryAdjustment, adjustmentId: text, lines: changed };
    assertValid("ADJ", renderDraft(draft("ADJ", adjustment), head));
    assertValid("ACK", renderDraft(draft("ACK", { ...samples.acknowledgement, errors: [text] }), head));
    const items = samples.inventorySnapshot.items.map((item) => ({ ...item, stockPool: text, uom: text }));
    assertValid("INV", await writeInventorySnapshot(head, { ...samples.inventorySnapshot, items }));
    const moved = samples.movementStatement.items.map((item) => ({
      ...item,
      movements: item.movements.map((movement) => ({ ...movement, referenceId: text, referenceType: text })),
    }));
    assertValid("IMS", await writeMovementStatement(head, { ...samples.movementStatement, items: moved }));
  });
}

test("a GR of version 1.2 states what is on hold, and names the lines as the client does; one of 1.0 is valid in both", () => {
  const content = draft("GR", samples.goodsReceipt);
  const newest = renderDraft(content, samples.envelope()).toString();
  assert.match(newest, /<goodsReceipt schemaVersion="1.2">/);
  assert.match(newest, /<lineId>L-1<\/lineId>\s*<sku>TEE-BLACK-M<\/sku>\s*<altSku>4711<\/altSku>/);
  assert.match(newest, /<qtyOnHold>1<\/qtyOnHold>\s*<qtyTotal>1<\/qtyTotal>/);
  const xml = renderDraft(content, samples.envelope(), first);
  assertValid("1.0/GR", xml);
  assertValid("GR", xml);
  assert.doesNotMatch(xml.toString(), /lineId|altSku|qtyOnHold/);
});

test("an RS of version 1.0 is valid in both versions, with one disposition for each grade and remark", () => {
  const [line] = samples.returnStatus.lines;
  const dispositions = [
    { disposition: "RESELLABLE", qty: 0.1, batchRef: "LOT-7" },
    { disposition: "RESELLABLE", qty: 0.2, batchRef: "LOT-8" },
  ];
  const content = { ...samples.returnStatus, lines: [{ ...line, dispositions }] };
  const xml = renderDraft(draft("RS", content), samples.envelope(), first);
  assertValid("1.0/RS", xml);
  assertValid("RS", xml);
  assert.match(xml.toString(), /<returnStatus schemaVersion="1.0">/);
  assert.match(
    xml.toString(),
    /<dispositions>\s*<disposition>\s*<disposition>RESELLABLE<[\s\S]*?<qty>0\.3<\/qty>\s*<\/disposition>\s*<\/dispositions>/,
  );
  assert.doesNotMatch(xml.toString(), /LOT|attributeOne|returnType|orderId/);
});

test("an RS of version 1.1 names goods without an authorisation, which version 1.0 cannot", () => {
  for (const content of [samples.returnStatusOfBlind, samples.returnStatusOfParcel]) {
    assert.deepEqual(
      [hasDocument(draft("RS", content), newestVersions), hasDocument(draft("RS", content), first)],
      [true, false],
    );
  }
  assert.equal(hasDocument(draft("RS", samples.returnStatus), first), true);
});

test("an OS of version 1.0 is valid in both versions and has no holds, and a change of holds alone has none", () => {
  const order = {
    ...samples.orderStatus,
    holds: [{ type: "OTHER", reason: "why", since: "2026-11-20T09:00:00.000Z" }],
  };
  const xml = renderDraft(draft("OS", order), samples.envelope(), first);
  assertValid("1.0/OS", xml);
  assertValid("OS", xml);
  assert.match(xml.toString(), /<orderStatus schemaVersion="1.0">/);
  assert.doesNotMatch(xml.toString(), /hold/i);
  const ofHolds = draft("OS", { ...order, isOfHolds: true });
  assert.deepEqual(
    [hasDocument(ofHolds, newestVersions), hasDocument(ofHolds, first), hasDocument(draft("OS", order), first)],
    [true, false, true],
  );
});

test("an OS of version 1.1 lists the holds; an erased reason is left out, and without holds there is no list", () => {
  const since = "2026-11-20T09:00:00.000Z";
  const holds = [
    { type: "CLIENT_RULE", reason: "rule large: value > 500 EUR", since },
    { type: "OTHER", reason: "", since },
  ];
  const xml = renderDraft(draft("OS", { ...samples.orderStatus, holds }), samples.envelope());
  assertValid("OS", xml);
  assert.deepEqual(xml.toString().match(/<(type|reason|since)>.*?<\/\1>/g), [
    "<type>CLIENT_RULE</type>",
    "<reason>rule large: value &gt; 500 EUR</reason>",
    `<since>${since}</since>`,
    "<type>OTHER</type>",
    `<since>${since}</since>`,
  ]);
  for (const none of [undefined, []]) {
    const empty = renderDraft(draft("OS", { ...samples.orderStatus, holds: none }), samples.envelope());
    assertValid("OS", empty);
    assert.doesNotMatch(empty.toString(), /hold/i);
  }
});

test("identifiers are written unchanged", () => {
  const sku = "é/'\"\\&<> 😀";
  const xml = renderDraft(draft("OS", { ...samples.orderStatus, orderId: sku }), samples.envelope());
  assertValid("OS", xml);
  assert.match(xml.toString(), /<orderId>é\/'"\\&amp;&lt;&gt; 😀<\/orderId>/);
});

test("the ACK of a catalogue has no facility, and no status", () => {
  const content = { ...samples.acknowledgement, feedType: "CAT", objectId: undefined, status: undefined };
  const xml = renderDraft(draft("ACK", content), samples.envelope(1, { distributionCentre: undefined }));
  assertValid("ACK", xml);
  assert.doesNotMatch(xml.toString(), /distributionCentre|status>|objectId/);
});

test("quantities of any size are decimals without exponent", async () => {
  const [item] = samples.inventorySnapshot.items;
  const items = [
    { ...item, onHand: 999_999_999_999.999, damaged: 0.001, available: -0.5 },
  ] as typeof samples.inventorySnapshot.items;
  const xml = await writeInventorySnapshot(samples.envelope(), { ...samples.inventorySnapshot, items });
  assertValid("INV", xml);
  for (const text of ["999999999999.999", "0.001", "-0.5"]) assert.ok(xml.includes(`>${text}<`), text);
});

test("a part without rows is valid", async () => {
  assertValid("INV", await writeInventorySnapshot(samples.envelope(), { ...samples.inventorySnapshot, items: [] }));
  assertValid("IMS", await writeMovementStatement(samples.envelope(), { ...samples.movementStatement, items: [] }));
});

test("a part of many rows gives other work turns, and lists each row once", async () => {
  const [item] = samples.inventorySnapshot.items;
  const items = Array.from({ length: 2_500 }, (_, i) => ({
    ...item,
    sku: `S-${i}`,
  })) as typeof samples.inventorySnapshot.items;
  const { xml, turns } = await turnsDuring(() =>
    writeInventorySnapshot(samples.envelope(), { ...samples.inventorySnapshot, items }),
  );
  assert.ok(turns >= 2, `${turns} turns`);
  assert.deepEqual(
    [...xml.matchAll(/<sku>(.*?)<\/sku>/g)].map(([, sku]) => sku),
    items.map(({ sku }) => sku),
  );
});

test("many movements of one SKU give other work turns, and are listed once each", async () => {
  const [item] = samples.movementStatement.items;
  const [movement] = item?.movements ?? [];
  const movements = Array.from({ length: 2_500 }, (_, i) => ({ ...movement, movementId: `M-${i}` }));
  const items = [{ ...item, movements }] as typeof samples.movementStatement.items;
  const { xml, turns } = await turnsDuring(() =>
    writeMovementStatement(samples.envelope(), { ...samples.movementStatement, items }),
  );
  assert.ok(turns >= 2, `${turns} turns`);
  assert.deepEqual(
    [...xml.matchAll(/<movementId>(.*?)<\/movementId>/g)].map(([, movementId]) => movementId),
    movements.map(({ movementId }) => movementId),
  );
});

/** The document, and the number of turns that other work has while it is written. */
async function turnsDuring(write: () => Promise<Buffer>) {
  let isWritten = false;
  let turns = 0;
  const countTurns = () => {
    turns++;
    if (!isWritten) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const xml = (await write()).toString();
  isWritten = true;
  return { xml, turns };
}
