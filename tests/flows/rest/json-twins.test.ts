// rest.md §3, documents in JSON: a document has the same effect in JSON and in XML, and what a read answers can be sent
// again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { type Dice, diceOf } from "../../support/builders/dice.ts";
import { attributes, type ContentParts, documentOf, money, type Parts } from "../../support/builders/documents.ts";
import { call } from "../../support/http/call.ts";
import { unpackedRow } from "../../support/postgres/unpacked.ts";

const rounds = 25;
const server = await testServer();
const [json, xml] = [await server.onboard("JSON"), await server.onboard("XML")];
const token = await accessTokenOf(server.url, json.credentials.oauth);
const rest = (method: string, path: string, body?: unknown) =>
  call(method, `${server.url}/v1/${path}`, { token, body });

type Body = Readonly<Record<string, unknown>>;
interface Twin {
  readonly type: string;
  readonly path: string;
  readonly body: Body;
  readonly document: string;
}

const skus = ["MUG", "TEE", "GIFT & SET"];
/** Each field or its absence: what is absent in JSON is absent in XML. */
const some = (dice: Dice, fields: Body) => Object.fromEntries(Object.entries(fields).filter(() => dice.chance(70)));
const texts = [
  "plain",
  "a < b & c > d",
  "quotes \" and '",
  "Zoë O’Neill",
  "two  blanks",
  "line\nbreak",
  "]]>",
  "ünïcödé 名前",
];
const names = texts.filter((text) => !text.includes("\n"));
const attributesOf = (dice: Dice) =>
  Object.fromEntries(dice.some(["WebOrderId", "GiftMessage", "Note <1>"]).map((name) => [name, dice.one(texts)]));
const moneyOf = (dice: Dice) => ({ amount: dice.decimal(500, 4), currency: "EUR" });
const taxesOf = (dice: Dice) => ({
  ...some(dice, { amount: dice.decimal(9, 2), currency: "EUR" }),
  tax: dice.some([1, 2, 3]).map(() => some(dice, { type: dice.one(names), amount: dice.decimal(9, 2) })),
});
const addressOf = (dice: Dice) => ({
  ...some(dice, {
    addressId: "S-3302",
    title: "Ms",
    companyName: dice.one(names),
    department: dice.one(names),
    firstName: dice.one(names),
  }),
  lastName: dice.one(names),
  address1: "12 Harbour Road",
  city: "Bristol",
  zip: "BS1 5TY",
  country: "GB",
  ...some(dice, {
    address2: dice.one(names),
    state: "Avon",
    phone: "+44 117 4960100",
    mobile: "+44 7700 900100",
    email: "zoe@example.com",
  }),
});

// The XML of a body, by the builder that the tests of feeds use.
const moneyElement = (value: unknown) =>
  value === undefined ? undefined : money((value as { amount: number }).amount, "EUR");
const taxElement = (value: unknown): ContentParts | undefined => {
  if (value === undefined) return undefined;
  const { amount, currency, tax } = value as {
    amount?: number;
    currency?: string;
    tax: { type?: string; amount?: number }[];
  };
  return {
    ...(currency === undefined ? {} : { "@unit": currency }),
    ...(amount === undefined ? {} : { "@amount": amount }),
    tax: tax.map(({ type, amount }) => ({ ...(type === undefined ? {} : { "@type": type }), "#": amount ?? "" })),
  };
};
const attributeElement = (value: unknown) =>
  value === undefined ? undefined : attributes(value as Record<string, string>);
const addressElement = (value: unknown): Parts | undefined => {
  if (value === undefined) return undefined;
  const { addressId, ...parts } = value as Record<string, string>;
  return { ...(addressId === undefined ? {} : { "@addressId": addressId }), ...parts };
};

const prioritised = (dice: Dice) => ({ ...attributesOf(dice), Priority: String(1 + dice.below(9)) });

function orderTwin(dice: Dice, i: number): Twin {
  const lines = dice
    .some(skus)
    .concat("MUG")
    .map((sku, at) => ({
      lineNumber: at + 1,
      sku,
      qty: 1 + dice.below(5),
      ...some(dice, {
        lineTotal: moneyOf(dice),
        unitNetPrice: moneyOf(dice),
        extendedUnitNetPrice: moneyOf(dice),
        unitGrossPrice: moneyOf(dice),
        taxes: taxesOf(dice),
        qtyUom: "EA",
        stockPool: "DEFAULT",
        extendedAttributes: attributesOf(dice),
      }),
    }));
  const body: Record<string, unknown> = {
    orderId: `O-${i}`,
    orderDate: "2026-11-20T10:00:00Z",
    shipToAddress: addressOf(dice),
    lines,
    ...some(dice, {
      externalOrderReference: `X-${i}`,
      catalogId: "AUTUMN",
      doNotShip: dice.chance(50),
      origin: "WEB",
      language: "en-GB",
      shippingMethod: "STANDARD",
      shippingCost: moneyOf(dice),
      subtotal: moneyOf(dice),
      totalPrice: moneyOf(dice),
      taxes: taxesOf(dice),
      billToAddress: addressOf(dice),
      payments: [some(dice, { type: "CARD", tender: "VISA" })],
      distributionCentre: "DC1",
      carrierCode: "RM",
      shipAfter: dice.chance(50) ? "2036-11-20T10:00:00Z" : "2026-11-20T10:00:00+01:00",
      shipBy: "2036-11-22T10:00:00.5Z",
      deliverBy: "2036-11-24T10:00:00Z",
      extendedAttributes: prioritised(dice),
    }),
  };
  const line = lines.map((line: Body) => ({
    ...line,
    ...Object.fromEntries(
      ["lineTotal", "unitNetPrice", "extendedUnitNetPrice", "unitGrossPrice"].map((name) => [
        name,
        moneyElement(line[name]),
      ]),
    ),
    taxes: taxElement(line.taxes),
    extendedAttributes: attributeElement(line.extendedAttributes),
  }));
  const payments = body.payments as Record<string, string>[] | undefined;
  const parts = {
    ...body,
    clientId: "XML",
    ...Object.fromEntries(["shippingCost", "subtotal", "totalPrice"].map((name) => [name, moneyElement(body[name])])),
    taxes: taxElement(body.taxes),
    billToAddress: addressElement(body.billToAddress),
    shipToAddress: addressElement(body.shipToAddress),
    payments: payments && {
      payment: payments.map(({ type, ...rest }) => ({ ...(type === undefined ? {} : { "@type": type }), ...rest })),
    },
    lines: { line },
    extendedAttributes: attributeElement(body.extendedAttributes),
  };
  return { type: "NO", path: "orderService/order/create", body, document: documentOf("orderRequest", parts as Parts) };
}

interface Line {
  readonly lineNumber: number;
  readonly sku: string;
  readonly qty: number;
  readonly qtyUom?: string;
}

function purchaseOrderTwin(dice: Dice, i: number): Twin {
  const lines = dice
    .some(skus)
    .concat("MUG")
    .map((sku, at) => ({
      lineNumber: at + 1,
      sku,
      qty: 1 + dice.below(9),
      ...some(dice, {
        lineId: `L-${at}`,
        altSku: dice.one(names),
        productName: dice.one(names),
        qtyUom: sku === "MUG" ? "CS" : "EA",
      }),
    }));
  const body = {
    poNumber: `P-${i}`,
    distributionCentre: "DC1",
    lines,
    ...some(dice, {
      vendorOrderId: `V-${i}`,
      messageId: "MSG",
      extendedAttributes: attributesOf(dice),
      // A day that is over promises nothing.
      expectedDate: "2026-11-20",
      carrierCode: "HAULIER",
      trackingNumber: dice.one(names),
    }),
    cartons: (lines as Line[]).slice(dice.below(3)).map(({ lineNumber, sku, qty, qtyUom }, at) => ({
      sscc: ssccOf("4012345", i * 10 + at),
      ...some(dice, {
        trackingNumber: `T-${at}`,
        lines: [
          {
            ...dice.one([{ lineNumber }, { sku }, { lineNumber, sku }]),
            qty,
            ...some(dice, { batchRef: `B-${at}`, expiryDate: "2036-12-31" }),
            ...(qtyUom === undefined ? {} : dice.one([{}, { qtyUom }])),
          },
        ],
      }),
    })),
  } as Record<string, unknown>;
  const parts = {
    ...body,
    clientId: "XML",
    lines: { line: lines },
    cartons: {
      carton: (body.cartons as { lines?: Parts[] }[]).map(({ lines, ...carton }) =>
        lines === undefined ? carton : { ...carton, lines: { line: lines } },
      ),
    },
    extendedAttributes: attributeElement(body.extendedAttributes),
  };
  return {
    type: "PO",
    path: "orderService/purchaseOrder/create",
    body,
    document: documentOf("vendorOrder", parts as Parts),
  };
}

function returnTwin(dice: Dice, i: number): Twin {
  const lines = dice
    .some(skus)
    .concat("MUG")
    .map((sku, at) => ({
      lineNumber: at + 1,
      sku,
      quantityReturned: 1 + dice.below(3),
      ...some(dice, {
        returnReasonCode: "DAMAGED",
        qtyUom: "EA",
        attributeOne: dice.one(texts),
        attributeThree: dice.one(texts),
      }),
    }));
  const body = {
    rmaNumber: `R-${i}`,
    distributionCentre: "DC1",
    lines,
    ...some(dice, { orderReference: `O-${i}`, creationTimeStamp: "2026-11-08T09:00:00Z" }),
  };
  const { lines: line, ...head } = body;
  return {
    type: "RMA",
    path: "orderService/rma/create",
    body,
    document: documentOf("returnMerchandiseAuthorization", { ...head, clientId: "XML", line }),
  };
}

function itemsTwin(dice: Dice, i: number): Twin {
  const items = dice
    .some(skus)
    .concat(`SKU-${i}`)
    .map((sku) => ({
      sku,
      name: dice.one(names),
      ...some(dice, {
        altSku: dice.one(names),
        height: dice.decimal(99, 2),
        length: dice.decimal(99, 2),
        width: dice.decimal(99, 2),
        dimensionsUomCode: "CM",
      }),
      ...some(dice, {
        productType: "STANDARD",
        countryOfOrigin: "DE",
        imageUrl: "https://images.example.com/a?b=1&c=2",
        captureBatchRef: dice.chance(50),
      }),
      ...(dice.chance(50) ? { weight: dice.decimal(9, 3), weightUomCode: "KG" } : {}),
      ...(dice.chance(50) ? { gtinBarcodes: [`BAR-${i}-${sku}`, `BOX-${i}-${sku}`].slice(dice.below(2)) } : {}),
      extendedAttributes: sku === "MUG" ? { ...attributesOf(dice), "Uom.CS": "12" } : attributesOf(dice),
    }));
  const body = { date: `2026-11-02T08:00:${String(i % 60).padStart(2, "0")}Z`, items };
  const item = items.map(({ extendedAttributes, ...fields }) => {
    const { gtinBarcodes, ...rest } = fields as typeof fields & { gtinBarcodes?: string[] };
    return {
      ...rest,
      ...(gtinBarcodes === undefined ? {} : { gtinBarcodes: { barcode: gtinBarcodes } }),
      extendedAttributes: attributes(extendedAttributes),
    };
  });
  return {
    type: "CAT",
    path: "itemMasterService/item/upsert",
    body,
    document: documentOf("itemMaster", { clientId: "XML", date: body.date, item } as Parts),
  };
}

/** Every row of the client, without what no two documents share: ids, times, the bytes of the documents. */
async function rowsOf(clientId: string): Promise<Record<string, string[]>> {
  const tables = await server.rows<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (
      [
        "feed_payload",
        "credential",
        "tenant",
        "client",
        "activity_cursor",
        "outbox_due",
        "outbox_lane",
        "rest_idempotency",
        "request_log",
      ].includes(name)
    )
      continue;
    const rows = await server.rows<{ row: object }>(
      `select to_jsonb(t) - '{client_id,payload,ack,body_sha256,body_bytes,channel,size}'::text[] as row from ${name} t where client_id = $1`,
      clientId,
    );
    found[name] = rows
      .map(({ row }) =>
        JSON.stringify(unpackedRow(row))
          .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
          .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d)/g, "TIME")
          .replaceAll(/client:(?:JSON|XML)|"(?:JSON|XML|json|xml)"/g, "CLIENT"),
      )
      .sort();
  }
  return found;
}

async function isSettled(clientId: string): Promise<boolean> {
  const [row] = await server.rows<{ open: number }>(
    `select ((select count(*) from outbox where client_id = $1)
       + (select count(*) from feed_document where client_id = $1 and state = 'ACCEPTED'))::int as open`,
    clientId,
  );
  return row?.open === 0;
}

test("random documents have the same effect in JSON and in XML: everything stored is the same", async () => {
  const dice = diceOf(42);
  const first = itemsTwin({ ...dice, some: (items) => [...items] }, 0);
  const twins = [first];
  for (let i = 1; i <= rounds; i++)
    twins.push(itemsTwin(dice, i), orderTwin(dice, i), purchaseOrderTwin(dice, i), returnTwin(dice, i));
  for (const { type, path, body, document } of twins) {
    const answer = await rest("POST", path, body);
    assert.ok(answer.status < 300, `${JSON.stringify(body)}: ${answer.bytes.toString()}`);
    await xml.accept(type, document);
    await until("both to be settled", async () => (await isSettled("JSON")) && (await isSettled("XML")));
  }
  const [ofJson, ofXml] = [await rowsOf("JSON"), await rowsOf("XML")];
  assert.ok((ofJson.sales_order as string[]).length === rounds && (ofJson.event as string[]).length > 4 * rounds);
  for (const [table, rows] of Object.entries(ofJson)) assert.deepEqual(rows, ofXml[table], table);
});

/** A value without the fields that are null, at any depth. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (part === null ? [] : [[name, withoutNulls(part)]])),
  );
}

const platformFields = [
  "token",
  "feedToken",
  "receivedAt",
  "updatedAt",
  "createdAt",
  "milestones",
  "version",
  "warnings",
  "despatchBy",
  "holds",
];

test("what a read answers, less what the platform sets, is a valid body that makes the same object again", async () => {
  const dice = diceOf(7);
  const kinds = [
    { make: orderTwin, id: "orderId", get: (id: string) => `orderService/order/get/${id}` },
    {
      make: purchaseOrderTwin,
      id: "poNumber",
      get: (id: string, body: Body) => `orderService/purchaseOrder/get/${id}?vendorOrderId=${body.vendorOrderId ?? ""}`,
    },
    { make: returnTwin, id: "rmaNumber", get: (id: string) => `orderService/rma/get/${id}` },
  ];
  for (const { make, id, get } of kinds)
    for (let i = 0; i < 10; i++) {
      const { path, body } = make(dice, 1_000 + i);
      assert.equal((await rest("POST", path, body)).status, 201);
      const settled = () => until("the object to be settled", () => isSettled("JSON"));
      await settled();
      const stored = (await rest("GET", get(body[id] as string, body))).body;
      const template = await rest("GET", get(body[id] as string, body).replace("/get/", "/template/"));
      assert.equal(template.status, 200, template.bytes.toString());
      for (const [name, value] of Object.entries(template.body)) {
        if (name !== "lines") assert.deepEqual(value, withoutNulls(stored[name]), name);
      }
      const again = `${body[id]}-AGAIN`;
      // A carton is expected once.
      if (id === "poNumber")
        await json.accept(
          "PO",
          documentOf("vendorOrder", {
            clientId: "JSON",
            distributionCentre: "DC1",
            poNumber: body.poNumber as string,
            actionType: "CANCEL",
          }),
        );
      const created = await rest("POST", path, { ...template.body, [id]: again });
      assert.equal(created.status, 201, `${JSON.stringify(template.body)}: ${created.bytes.toString()}`);
      await settled();
      const twin = (await rest("GET", get(again, body))).body;
      const comparable = (record: Body) =>
        Object.fromEntries(Object.entries(record).filter(([name]) => name !== id && !platformFields.includes(name)));
      assert.deepEqual(comparable(twin), comparable(stored));
    }
});

test("the template of stored items is a valid body that makes the same items again", async () => {
  const dice = diceOf(11);
  for (let i = 0; i < 20; i++) {
    const { path, body } = itemsTwin(dice, 2_000 + i);
    assert.equal((await rest("POST", path, body)).status, 200);
    const named = (body.items as { sku: string }[]).map(({ sku }) => sku);
    const stored = async () =>
      ((await rest("POST", "itemMasterService/findItemBySkuList", { skus: named })).body.items as Body[]).map(
        (record) => Object.fromEntries(Object.entries(record).filter(([name]) => !platformFields.includes(name))),
      );
    const before = await stored();
    const template = await rest("POST", "itemMasterService/item/template", { skus: named });
    assert.equal(template.status, 200, template.bytes.toString());
    const written = await rest("POST", path, template.body);
    assert.equal(written.status, 200, `${JSON.stringify(template.body)}: ${written.bytes.toString()}`);
    assert.deepEqual(await stored(), before);
    const [first = ""] = named;
    const alone = await rest("GET", `itemMasterService/item/template?sku=${encodeURIComponent(first)}`);
    assert.deepEqual(alone.body, { items: [(template.body.items as Body[])[0]] });
  }
});
