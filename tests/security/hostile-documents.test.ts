// Hostile feed documents: no document causes a 5xx, a crash, a fetch or a half-stored object.
import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { testServer } from "../support/app/server.ts";
import {
  attributes,
  authorisation,
  catalogue,
  leeds,
  order,
  type Parts,
  purchaseOrder,
} from "../support/builders/documents.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A"]));

/** Counts connections to an address that only documents name. */
let fetched = 0;
const bait = net.createServer((socket) => {
  fetched++;
  socket.destroy();
});
await new Promise<void>((resolve) => bait.listen(0, "127.0.0.1", resolve));
atEnd(() => bait.close());
const baitUrl = `http://127.0.0.1:${(bait.address() as net.AddressInfo).port}/bait`;

const no = (orderId: string, lines: readonly (string | Parts)[] = ["A"], more: Parts = {}) =>
  order("DEMO", orderId, lines, more);
const body = (orderId: string) => no(orderId).replace(/^<\?xml.*\?>\n/, "");

/** The document gets an answer, is stored completely or not at all, and the server processes the next one. */
async function survives(type: string, document: string | Uint8Array): Promise<Awaited<ReturnType<typeof demo.send>>> {
  const answer = await demo.send(type, document);
  assert.equal(answer.status, 200, answer.body.slice(0, 500));
  const status = await demo.status(answer.token);
  assert.notEqual(status.state, undefined);
  return answer;
}

const entity = (name: string, i: number) => `<!ENTITY ${name}${i} "${`&${name}${i - 1};`.repeat(10)}">`;
const laughs = Array.from({ length: 20 }, (_, i) => entity("lol", i + 1)).join("\n");
const dtd = (inner: string) => `<?xml version="1.0"?>\n<!DOCTYPE orderRequest ${inner}>\n${body("DTD")}`;
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const include = `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${baitUrl}"/>`;

const isDtd = /^\[XML\] Line \d+: a document type declaration \(DTD\) is not allowed$/;
const isMalformed = /^\[XML\] /;
const isOtherVocabulary = /^\[XSD\] Line 2: /;

interface DocumentAttempt {
  readonly attempt: string;
  readonly document: string;
  /** The only error of the acknowledgement, or that the document is accepted as if it contained no attack. */
  readonly expected: RegExp | "accepted";
}

const attempts: readonly DocumentAttempt[] = [
  {
    attempt: "a billion laughs",
    document: dtd(`[<!ENTITY lol0 "lol">${laughs}]`).replace("DTD<", "&lol20;<"),
    expected: isDtd,
  },
  {
    attempt: "an external entity that is a file",
    document: dtd(`[<!ENTITY file SYSTEM "file:///etc/passwd">]`).replace("DTD<", "&file;<"),
    expected: isDtd,
  },
  { attempt: "a parameter entity", document: dtd(`[<!ENTITY % ext SYSTEM "${baitUrl}"> %ext;]`), expected: isDtd },
  { attempt: "an external subset by SYSTEM", document: dtd(`SYSTEM "${baitUrl}"`), expected: isDtd },
  { attempt: "an external subset by PUBLIC", document: dtd(`PUBLIC "-//X//EN" "${baitUrl}"`), expected: isDtd },
  { attempt: "an empty DTD", document: dtd("[]"), expected: isDtd },
  {
    attempt: "a DTD behind a long comment",
    document: `<!--${"x".repeat(5_000)}-->${dtd("[]").replace(/^.*\n/, "")}`,
    expected: isDtd,
  },
  {
    attempt: "an undeclared entity",
    document: no("ENT").replace("ENT<", "&undeclared;<"),
    expected: /^\[XML\] Line 2/,
  },
  {
    attempt: "an XInclude",
    document: no("INC").replace("</orderRequest>", `${include}</orderRequest>`),
    expected: /^\[XSD\] Line 2: .*include/,
  },
  {
    attempt: "a style sheet to be fetched",
    document: `<?xml-stylesheet href="${baitUrl}"?>${body("STYLE")}`,
    expected: "accepted",
  },
  {
    attempt: "a schema to be fetched",
    document: no("LOC").replace("<orderRequest>", `<orderRequest ${xsi} xsi:noNamespaceSchemaLocation="${baitUrl}">`),
    expected: "accepted",
  },
  ...[
    ["an attribute given twice", no("WF").replace("<orderRequest>", '<orderRequest a="1" a="2">')],
    ["a reference to U+0000", no("WF").replace("WF<", "&#0;<")],
    ["a reference to half a surrogate pair", no("WF").replace("WF<", "&#xD800;<")],
    ["a reference beyond Unicode", no("WF").replace("WF<", "&#x110000;<")],
    ["a control character", no("WF").replace("WF<", "\u0001<")],
    ["a noncharacter", no("WF").replace("WF<", "\ufffe<")],
    ["the end of a CDATA section without its start", no("WF").replace("WF<", "a ]]> b<")],
    ["a CDATA section without its end", no("WF").replace("WF<", "<![CDATA[<")],
    ["a second root element", `${no("WF")}<again/>`],
    ["text after the root element", `${no("WF")}text`],
    ["a blank before the XML declaration", ` ${no("WF")}`],
    [
      "an undeclared namespace prefix",
      no("WF").replace("<orderId>", "<x:orderId>").replace("</orderId>", "</x:orderId>"),
    ],
  ].map(([attempt, document]) => ({ attempt, document, expected: isMalformed }) as DocumentAttempt),
  {
    attempt: "a default namespace of another vocabulary",
    document: no("NS").replace("<orderRequest>", '<orderRequest xmlns="urn:other">'),
    expected: isOtherVocabulary,
  },
];

for (const { attempt, document, expected } of attempts) {
  test(`${attempt}: ${expected === "accepted" ? "the document is accepted" : "the document is refused"}, nothing is fetched`, async () => {
    const answer = await survives("NO", document);
    if (expected === "accepted") assert.ok(answer.isAccepted, answer.body);
    else {
      assert.equal(answer.errors.length, 1, answer.body);
      assert.match(answer.errors[0] as string, expected);
    }
    assert.equal(fetched, 0);
  });
}

test("twenty megabytes of anything are answered", async () => {
  const size = 20 * 1024 * 1024;
  for (const byte of [0x00, 0x20, 0x3c, 0x61, 0xff]) {
    const answer = await survives("NO", Buffer.alloc(size, byte));
    assert.match(answer.errors[0] as string, /^\[XML\] /);
  }
  for (const piece of ["<a>", "<a/>", "<!--x-->", "<?p?>", "&#65;", "&lt;", "]]>", "<![CDATA[x]]>"]) {
    const times = Math.floor((size - 100) / piece.length / 4);
    const answer = await survives("NO", `<orderRequest>${piece.repeat(times)}</orderRequest>`);
    assert.match(answer.errors[0] as string, /^\[X(ML|SD)\] /);
  }
});

/** Generated one by one: all at once, they would block the server, which is in this process, for seconds. */
function* longDocuments(): Generator<string> {
  const million = "9".repeat(1_000_000);
  const many = (count: number, make: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i)).join("");
  const line = (i: number) => `<line><lineNumber>${i + 1}</lineNumber><sku>A</sku><qty>1</qty></line>`;
  yield no("LONG", [{ sku: "A", qty: million }]);
  yield no("LONG", [{ sku: "A", lineNumber: million }]);
  yield no("LONG", [{ sku: "A".repeat(1_000_000) }]);
  yield no(million);
  yield no("LONG", ["A"], { totalPrice: { "@unit": "E".repeat(11_000_000), "#": 1 } });
  yield no("LONG", ["A"], { origin: `a${" ".repeat(1_000_000)}b` });
  yield `<${"a".repeat(1_000_000)}/>`;
  yield `<orderRequest ${many(100_000, (i) => `a${i}="" `)}/>`;
  yield `<orderRequest ${many(50_000, (i) => `xmlns:a${i}="u${i}" `)}/>`;
  yield `<orderRequest>${many(200_000, (i) => `<a${i}/>`)}</orderRequest>`;
  yield no("LONG").replace(/<line>.*<\/line>/, many(100_000, line));
  yield no("LONG", ["A"], { payments: { payment: Array(50_000).fill({ tender: "4111111111111111" }) } });
  yield `${"<a>".repeat(500_000)}`;
  yield `<orderRequest>${"<a>".repeat(63)}${"</a>".repeat(63)}</orderRequest>`;
  yield no("LONG", ["A"], { extendedAttributes: { attribute: Array(5_000).fill({ "@name": "same" }) } });
}

test("names, values and lists of any length are answered", async () => {
  for (const document of longDocuments()) {
    const answer = await survives("NO", document);
    assert.equal(answer.isAccepted, false);
  }
  assert.equal(await demo.order("LONG"), undefined);
});

const identifiers = [
  `'; drop table item; --`,
  `"quoted" \\back\\slash/ %_*?`,
  `\\u0000\\x00\\n`,
  "$1 $$ {{y}} #{z}",
  "<&>\"'",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "e\u0301\u0302\u0303 ü 中文 العربية 👩‍👩‍👧‍👦 🇬🇧",
  "\u202e\u200b\ufeff",
  "\u0085x\u00a0y",
  "x".repeat(64),
  "😀".repeat(64),
  "'\"\\".repeat(21),
];

test("identifiers of any characters are kept and answered as they are, in every feed", async () => {
  const skus = identifiers.map((id) => ({ sku: id, eanCode: id, altSku: id, gtinBarcodes: { barcode: [id] } }));
  await demo.refuse("NO", no("UNKNOWN", identifiers), /^\[UNKNOWN_SKU\] The request references unknown SKUs: /);
  await demo.accept("CAT", catalogue("DEMO", skus));
  for (const id of identifiers) {
    const more = { externalOrderReference: id, extendedAttributes: attributes({ [id]: id }) };
    const placed = await demo.accept("NO", no(id, identifiers, more));
    assert.equal(placed.objectId, id);
    const record = (await demo.order(id)) as { lines: { sku: string }[]; extendedAttributes: Record<string, string> };
    assert.deepEqual(
      record.lines.map(({ sku }) => sku),
      identifiers,
    );
    assert.deepEqual(Object.entries(record.extendedAttributes), [[id, id]]);
    assert.equal((await demo.accept("PO", purchaseOrder("DEMO", id, [id], { vendorOrderId: id }))).objectId, id);
    const back = authorisation("DEMO", id, [id], { orderReference: id });
    assert.equal((await demo.accept("RMA", back)).objectId, id);
    const twice = await demo.send("RMA", back);
    assert.ok(twice.errors[0]?.startsWith(`[DUPLICATE] Return ${id} exists already`), twice.body);
    assert.equal((await demo.outcome(placed.token)).objectId, id);
  }
});

test("an attribute whose name holds a line separator is kept, and shown by REST", async () => {
  const named = { "a\u2028b": "x", "c\u2029d": "y" };
  await demo.accept("NO", no("SEPARATOR", ["A"], { extendedAttributes: attributes(named) }));
  assert.deepEqual((await demo.order("SEPARATOR"))?.extendedAttributes, named);
});

test("names and texts of any characters are kept as they are, but for white space at their ends", async () => {
  const values = [...identifiers, "line\nbreak", "tab\there", " blanks ", "𝕏".repeat(255)];
  for (const [i, lastName] of values.entries()) {
    await demo.accept("NO", no(`NAME-${i}`, ["A"], { shipToAddress: { ...leeds, lastName } }));
    const { shipToAddress } = (await demo.order(`NAME-${i}`)) as { shipToAddress: { lastName: string } };
    assert.equal(shipToAddress.lastName, lastName.replace(/^ +| +$/g, ""));
  }
});

test("dates at the edges of the calendar are kept or refused, never half understood", async () => {
  for (const [orderDate, instant] of [
    ["2026-11-02T24:00:00Z", "2026-11-03T00:00:00.000Z"],
    ["2026-11-02T00:00:00+14:00", "2026-11-01T10:00:00.000Z"],
    ["2026-11-02T00:00:00-14:00", "2026-11-02T14:00:00.000Z"],
    ["2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"],
    ["2999-12-31T23:59:59Z", "2999-12-31T23:59:59.000Z"],
    ["1000-01-01T00:00:00Z", "1000-01-01T00:00:00.000Z"],
    [" 2026-11-02T08:00:00Z ", "2026-11-02T08:00:00.000Z"],
  ] as const) {
    const { objectId } = await demo.accept("NO", no(`DATE-${orderDate.trim()}`, ["A"], { orderDate }));
    assert.equal(new Date((await demo.order(objectId as string))?.orderDate as string).toISOString(), instant);
    await demo.accept("CAT", catalogue("DEMO", ["A"], orderDate));
    await demo.accept(
      "RMA",
      authorisation("DEMO", `DATE-${orderDate.trim()}`, ["A"], { creationTimeStamp: orderDate }),
    );
  }
  for (const orderDate of [
    ...["9999-12-31T24:00:00Z", "99999-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "-2026-11-02T08:00:00Z"],
    ...["2026-11-02T24:00:01Z", "2026-11-02T23:59:60Z", "2026-02-29T00:00:00Z", "2026-11-02T08:00:00+14:01"],
    ...["2026-11-02T08:00:00+15:00", "2026-13-01T00:00:00Z", "infinity", "now", "1970-01-01", "1730534400"],
  ])
    await demo.refuse("NO", no("DATE-WRONG", ["A"], { orderDate }), /^\[XSD\] Line 2: orderDate: /);
});

test("numbers at the edges are kept exactly or refused", async () => {
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "KILO", extendedAttributes: attributes({ StockUom: "KG" }) }]));
  for (const [i, [qty, kept]] of (
    [
      ["999999999", 999_999_999],
      [".5", 0.5],
      ["+5", 5],
      ["5.", 5],
      ["0.001", 0.001],
      [`${"0".repeat(20)}7`, 7],
      ["123456789.123", 123_456_789.123],
    ] as const
  ).entries()) {
    await demo.accept("NO", no(`QTY-${i}`, [{ sku: "KILO", qty }]));
    const { lines } = (await demo.order(`QTY-${i}`)) as { lines: { qtyOrdered: number }[] };
    assert.equal(lines[0]?.qtyOrdered, kept);
  }
  await demo.refuse(
    "NO",
    no("QTY", [{ sku: "A", qty: ".5" }]),
    "[VALUE] lines/line/qty: '0.5' is not a whole number of EA",
  );
  const amounts = ["999999999999999", "99999999999999.9999", "+1", ".1", "-0", " 2.5 ", "000.10"];
  for (const [i, amount] of amounts.entries())
    await demo.accept("NO", no(`AMOUNT-${i}`, ["A"], { totalPrice: { "@unit": "EUR", "#": amount } }));
  const measure = {
    weight: "999999999",
    weightUomCode: "KG",
    height: "0.000000000000000001",
    length: `0.${"9".repeat(18)}`,
    width: "-0",
  };
  await demo.accept("CAT", catalogue("DEMO", [{ sku: "EDGE", ...measure }]));
  for (const revision of ["999999999999999", "0"])
    await demo.accept("NO", no(`REV-${revision}`, ["A"], { extendedAttributes: attributes({ Revision: revision }) }));
});

test("paths and headers of any kind are answered", async () => {
  const key = { "x-api-key": demo.credentials.feed.apiKey, "content-type": "text/xml" };
  for (const path of [
    "/feeds/%00/CAT",
    "/feeds/%ff/CAT",
    "/feeds//CAT",
    "/feeds/DEMO%2fCAT/CAT",
    `/feeds/${"x".repeat(5_000)}/CAT`,
    "/feeds/DEMO/CAT/",
    "/feeds/DEMO/CAT?x=%",
  ]) {
    const response = await fetch(server.url + path, { method: "POST", headers: key, body: catalogue("DEMO", ["A"]) });
    assert.ok(response.status < 500, `${path}: ${response.status}`);
    await response.arrayBuffer();
  }
  for (const charset of ["x".repeat(2_000), "../../x", "utf-8;utf-16", "'", '"', "%00"]) {
    const answer = await demo.send("NO", no("CHARSET"), { "content-type": `text/xml; charset=${charset}` });
    assert.ok(answer.status < 500);
  }
});

test("after all this the server has logged no failure, no document is half there, and an order is taken", async () => {
  assert.deepEqual(
    server.logged.filter((line) => /"level":"(error|fatal)"/.test(line)),
    [],
  );
  const halves = [
    "select from sales_order o where not exists (select from sales_order_line l where l.order_id = o.order_id)",
    "select from sales_order o where not exists (select from feed_document d where d.token = o.feed_token)",
    "select from feed_document d where state <> 'REJECTED' and not exists (select from feed_payload p where p.token = d.token)",
    "select from purchase_order o where not exists (select from feed_document d where d.token = o.feed_token and d.state <> 'REJECTED')",
  ];
  for (const half of halves) assert.deepEqual(await server.rows(half), [], half);
  const { token } = await demo.accept("NO", no("LAST"));
  assert.equal((await demo.outcome(token)).state, "PROCESSED");
});
