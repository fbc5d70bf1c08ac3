// feeds.md §3: the published XSDs, and their rules for documents.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import {
  attributes,
  authorisation,
  catalogue,
  order,
  type Parts,
  purchaseOrder,
} from "../../support/builders/documents.ts";
import { newestVersionOf, schemaNames } from "../../xsd/exhibits.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
await demo.accept("CAT", catalogue("DEMO", ["A"]));

for (const name of schemaNames) {
  test(`${name}.xsd is published without authentication, under a path that grows and those of its versions`, async () => {
    const read = (file: string) => readFileSync(new URL(`../../../schemas/xsd/${file}`, import.meta.url));
    const forEver = "public, max-age=31536000, immutable";
    const newest = newestVersionOf[name];
    const first = newest ? `1.0/${name}.xsd` : `${name}.xsd`;
    for (const [path, cacheControl, bytes] of [
      [`/xsd/${name}.xsd`, "public, max-age=3600", read(`${name}.xsd`)],
      [`/xsd/1.0/${name}.xsd`, forEver, read(first)],
      ...(newest ? [[`/xsd/${newest}/${name}.xsd`, forEver, read(`${name}.xsd`)] as const] : []),
    ] as const) {
      const response = await fetch(server.url + path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "application/xml");
      assert.equal(response.headers.get("cache-control"), cacheControl);
      assert.ok(Buffer.from(await response.bytes()).equals(bytes));
      const etag = response.headers.get("etag") as string;
      assert.match(etag, /^"[\w-]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await fetch(server.url + path, { headers: { "if-none-match": known } });
        assert.equal(again.status, 304);
        assert.equal(again.headers.get("etag"), etag);
        assert.equal(again.headers.get("cache-control"), cacheControl);
        assert.equal(await again.text(), "");
      }
      const changed = await fetch(server.url + path, { headers: { "if-none-match": '"other"' } });
      assert.equal(changed.status, 200);
      const head = await fetch(server.url + path, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("etag"), etag);
    }
  });
}

test("no other name is published", async () => {
  for (const path of [
    "/xsd/GUESS.xsd",
    "/xsd/cat.xsd",
    "/xsd/9.9/CAT.xsd",
    "/xsd/1.1/CAT.xsd",
    "/xsd/..%2fpackage.json",
    "/xsd/CAT",
  ]) {
    assert.equal((await fetch(server.url + path)).status, 404, path);
  }
});

let documents = 0;
const nextId = () => `X-${++documents}`;
const orderWith = (more: Parts) => order("DEMO", nextId(), ["A"], more);
const item = (more: Parts) => catalogue("DEMO", [{ sku: "A", ...more }]);
const orderLine = (more: Parts) => order("DEMO", nextId(), [{ sku: "A", ...more }]);
const long = (length: number) => "x".repeat(length);

/** Each rule with valid and invalid documents; the refusal names the faulty element. */
const rules: [rule: string, type: string, fits: string[], breaks: [string, RegExp][]][] = [
  [
    "identifiers have 1 to 64 characters",
    "NO",
    [order("DEMO", long(64), ["A"]), order("DEMO", "with inner blank", ["A"]), order("DEMO", "é/'\"\\&<>", ["A"])],
    [
      [order("DEMO", long(65), ["A"]), /orderId: 'x+…?' is not a valid identifier/],
      [order("DEMO", "", ["A"]), /orderId: '' is not a valid identifier/],
      [order("DEMO", " ", ["A"]), /orderId: '' is not a valid identifier/],
      [order("DEMO", "A\tB", ["A"]), /orderId: 'A␉B' is not a valid identifier/],
    ],
  ],
  [
    "clientId has 1 to 10 letters, digits, hyphens, underscores",
    "CAT",
    [catalogue("DEMO", ["A"])],
    [
      [catalogue(long(11), ["A"]), /clientId: 'x{11}' is not a valid client identifier/],
      [catalogue("DE MO", ["A"]), /clientId: 'DE MO' is not a valid client identifier/],
      [catalogue("", ["A"]), /clientId: '' is not a valid client identifier/],
    ],
  ],
  [
    "names have at most 255 characters, whatever their bytes",
    "CAT",
    [item({ name: "é".repeat(255) }), item({ name: "👩‍🚀 e\u0301" }), item({ name: "😀".repeat(255) })],
    [
      [item({ name: long(256) }), /item\/name: 'x+…' is not a valid name/],
      [item({ name: "" }), /item\/name: '' is not a valid name/],
    ],
  ],
  [
    "free text has at most 4000 characters",
    "RMA",
    [authorisation("DEMO", nextId(), [{ sku: "A", attributeOne: long(4_000) }])],
    [[authorisation("DEMO", nextId(), [{ sku: "A", attributeOne: long(4_001) }]), /line\/attributeOne: /]],
  ],
  [
    "date-times carry an offset, and Z is one",
    "CAT",
    [
      "2026-11-02T08:00:00Z",
      "2026-11-02T08:00:00.123456789+14:00",
      "2026-11-02T08:00:00-14:00",
      "2026-11-02T24:00:00Z",
    ].map((date) => catalogue("DEMO", ["A"], date)),
    ["2026-11-02T08:00:00", "2026-11-02", "2026-02-30T08:00:00Z", "2026-11-02T25:00:00Z", "02.11.2026", "now", ""].map(
      (date): [string, RegExp] => [catalogue("DEMO", ["A"], date), /date: '.*' is not a valid date-time/],
    ),
  ],
  [
    "flags are true, false, 0 or 1",
    "NO",
    ["true", "false", "0", "1", "", "TRUE"].map((doNotShip) => orderWith({ doNotShip })),
    ["yes", "2"].map((doNotShip): [string, RegExp] => [orderWith({ doNotShip }), /doNotShip: '.*' is not a valid/]),
  ],
  [
    "quantities are decimals above 0 with at most 3 fraction digits, at most 999999999",
    "NO",
    ["1", "+5", "999999999", "1.000", " 7 ", "007", "5."].map((qty) => orderLine({ qty })),
    ["0", "-1", "-0", "1e3", "1000000000", "1.0001", "1,5", "", "NaN", "INF", "0x10", "1 0"].map(
      (qty): [string, RegExp] => [orderLine({ qty }), /lines\/line\/qty: '.*' is not a valid decimal/],
    ),
  ],
  [
    "weights and dimensions are decimals, 0 or more",
    "CAT",
    ["0", "0.25", "-0", ""].map((weight) => item({ weight, weightUomCode: "KG", height: weight })),
    ["-1", "1e3", "heavy"].map((weight): [string, RegExp] => [
      item({ weight }),
      /item\/weight: '.*' is not a valid decimal/,
    ]),
  ],
  [
    "amounts are decimals, 0 or more, with at most 4 fraction digits",
    "NO",
    ["0", "4.9999", "+.5", "-0", "1.00001"].map((amount) => orderWith({ totalPrice: { "@unit": "EUR", "#": amount } })),
    ["-1", "-1.00001", "1e3", "4,99"].map((amount): [string, RegExp] => [
      orderWith({ totalPrice: { "@unit": "EUR", "#": amount } }),
      /totalPrice: '.*' is not a valid amount: 0 or more/,
    ]),
  ],
  [
    "line numbers are whole numbers from 1 to 999999",
    "NO",
    ["1", "999999", "0001"].map((lineNumber) => orderLine({ lineNumber })),
    ["0", "1000000", "-1", "1.0", "x", ""].map((lineNumber): [string, RegExp] => [
      orderLine({ lineNumber }),
      /lines\/line\/lineNumber: '.*' is not a valid line number/,
    ]),
  ],
  [
    "actionType is NEW, UPDATE, CANCEL or empty",
    "NO",
    [orderWith({ actionType: "NEW" }), orderWith({ actionType: "" }), orderWith({ actionType: "New" })],
    ["DELETE", "create", "Updated"].map((actionType): [string, RegExp] => [
      orderWith({ actionType }),
      /actionType: '.*' is not a valid action: NEW, UPDATE or CANCEL/,
    ]),
  ],
  [
    "taxes repeat with their type; payments repeat with a tender of at most 64 characters",
    "NO",
    [
      orderWith({
        taxes: {
          "@unit": "EUR",
          "@amount": "3",
          tax: [
            { "@type": "VAT", "#": "2" },
            { "@type": "GST", "#": "1" },
          ],
        },
        payments: { payment: [{ "@type": "CARD", tender: "VISA" }, { tender: long(64) }, {}] },
      }),
    ],
    [[orderWith({ payments: { payment: { tender: long(65) } } }), /payments\/payment\/tender: /]],
  ],
  [
    "unknown elements and attributes are rejected; extendedAttributes take any name, once in its block",
    "NO",
    [
      orderWith({ extendedAttributes: attributes({ Anything: "at all", __proto__x: 1, constructor: 2 }) }),
      orderWith({ extendedAttributes: { attribute: [{ "@name": "__proto__", "#": "x" }, { "@name": "a" }] } }),
      orderWith({ extendedAttributes: "" }),
    ],
    [
      [orderWith({ colour: "red" }), /colour: element 'colour' is not allowed here/],
      [orderWith({ origin: { "@x": 1 } }), /attribute 'x' is not allowed here/],
      [orderWith({ extendedAttributes: { attribute: [{ "@name": "a" }, { "@name": "a" }] } }), /'a'/],
      [orderWith({ extendedAttributes: { attribute: "x" } }), /attribute 'name' is missing/],
    ],
  ],
];

for (const [rule, type, fits, breaks] of rules) {
  test(`XSD: ${rule}`, async () => {
    for (const document of fits) await demo.accept(type, document);
    for (const [document, says] of breaks) {
      const answer = await demo.refuse(type, document, /^\[XSD\] Line \d+: /);
      assert.match(answer.errors[0] as string, says);
    }
  });
}

test("XSD: what the table requires is missed by name", async () => {
  const missing = async (type: string, document: string, element: string) => {
    assert.notEqual(document.replace(new RegExp(`<${element}>.*?</${element}>`), ""), document, element);
    const without = document.replace(new RegExp(`<${element}>.*?</${element}>`), "");
    const answer = await demo.send(type, without);
    assert.deepEqual(
      answer.errors.map((error) => error.replace(/Line \d+: [^ ]+: /, "")),
      [`[XSD] element '${element}' is missing`],
    );
  };
  for (const name of ["clientId", "date", "item"]) await missing("CAT", item({}), name);
  for (const name of ["sku", "name"]) await missing("CAT", item({}), name);
  for (const name of ["poNumber", "distributionCentre", "clientId", "lineNumber", "sku", "qty"])
    await missing("PO", purchaseOrder("DEMO", nextId(), ["A"]), name);
  for (const name of ["rmaNumber", "clientId", "distributionCentre", "line", "lineNumber", "sku", "quantityReturned"])
    await missing("RMA", authorisation("DEMO", nextId(), ["A"]), name);
  for (const name of ["orderId", "clientId", "lineNumber", "sku", "qty", "address1", "city", "country"])
    await missing("NO", orderWith({}), name);
});

test("what NEW and UPDATE require besides is missed with [VALUE]", async () => {
  const required = (path: string) => `[VALUE] ${path}: required for NEW and UPDATE`;
  await demo.refuse("PO", purchaseOrder("DEMO", nextId(), []), required("lines/line"));
  await demo.refuse("PO", purchaseOrder("DEMO", nextId(), [], { lines: "" }), required("lines/line"));
  for (const [part, path] of [
    ["orderDate", "orderDate"],
    ["shipToAddress", "shipToAddress"],
    ["lines", "lines/line"],
  ] as const) {
    await demo.refuse("NO", orderWith({ [part]: undefined }), required(path));
    await demo.refuse("NO", orderWith({ [part]: "" }), required(path));
  }
  const { objectId } = await demo.accept("NO", orderWith({}));
  const update = order("DEMO", objectId as string, [], { actionType: "UPDATE", orderDate: undefined });
  await demo.refuse("NO", update, required("orderDate"), required("lines/line"));
});

test("the order of elements is free, also where an element repeats below the root", async () => {
  const parts = [
    "<clientId>DEMO</clientId>",
    "<poNumber>FREE</poNumber>",
    "<distributionCentre>DC1</distributionCentre>",
  ];
  const line = "<qty>1</qty><sku>A</sku><lineNumber>1</lineNumber>";
  await demo.accept("PO", `<vendorOrder><lines><line>${line}</line></lines>${parts.join("")}</vendorOrder>`);
  const turned = catalogue("DEMO", ["A"]).replace(/(<clientId>.*<\/clientId>)(<date>.*<\/date>)/, "$2$1");
  await demo.accept("CAT", turned);
  const last = authorisation("DEMO", "LAST", ["A", "B"]).replace(
    /(<rmaNumber>.*<\/rmaNumber>)(.*)(<\/return)/,
    "$2$1$3",
  );
  assert.match(last, /<\/line><rmaNumber>/);
  await demo.refuse("RMA", last, /^\[UNKNOWN_SKU\] .*: B$/);
  const free =
    "<itemMaster><clientId>DEMO</clientId><date>2026-11-02T08:00:00Z</date><item><name>A</name><sku>A</sku></item></itemMaster>";
  await demo.accept("CAT", free);
});

test("an empty optional element counts as absent", async () => {
  const empty = [
    "externalOrderReference",
    "catalogId",
    "shippingMethod",
    "origin",
    "language",
    "shippingCost",
    "taxes",
  ];
  const more = ["billToAddress", "payments", "distributionCentre", "carrierCode", "extendedAttributes", "doNotShip"];
  const parts = Object.fromEntries([...empty, ...more].map((name) => [name, ""]));
  const { objectId } = await demo.accept("NO", orderWith(parts));
  const record = await demo.order(objectId as string);
  for (const name of empty) assert.equal(record?.[name], null, name);
  assert.equal(record?.billToAddress, null);
  assert.equal(record?.distributionCentre, "DC1");
});
