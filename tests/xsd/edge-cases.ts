/** Small documents at the limits of the schemas, each with the verdict that every validator must reach. */

import type { Exhibit, SchemaName } from "./exhibits.ts";

type Case = readonly [verdict: "accepted" | "refused", what: string, xml: string];

const id = "<orderId>1</orderId><clientId>DEMO</clientId>";
const place = "<address1>4 Mill Lane</address1><city>Leeds</city><country>GB</country>";

function order(children: string): string {
  return `<orderRequest>${id}${children}</orderRequest>`;
}
function orderLine(children: string): string {
  return order(`<lines><line><lineNumber>1</lineNumber><sku>A</sku><qty>1</qty>${children}</line></lines>`);
}
function orderLineOf(lineNumber: string, sku: string, qty: string): string {
  return order(`<lines><line><lineNumber>${lineNumber}</lineNumber><sku>${sku}</sku><qty>${qty}</qty></line></lines>`);
}
function address(children: string, attributes = ""): string {
  return order(`<shipToAddress${attributes}>${children}</shipToAddress>`);
}
function attributes(...names: string[]): string {
  return `<extendedAttributes>${names.map((name) => `<attribute name="${name}">x</attribute>`).join("")}</extendedAttributes>`;
}
function items(children: string, date = "2026-11-03T08:30:00Z"): string {
  return `<itemMaster><clientId>DEMO</clientId><date>${date}</date>${children}</itemMaster>`;
}
function item(children: string): string {
  return items(`<item><sku>A</sku><name>A</name>${children}</item>`);
}
function purchase(children: string): string {
  return `<vendorOrder><poNumber>1</poNumber><distributionCentre>DC1</distributionCentre><clientId>DEMO</clientId>${children}</vendorOrder>`;
}
const returnHead = "<rmaNumber>1</rmaNumber><clientId>DEMO</clientId><distributionCentre>DC1</distributionCentre>";
const returnLine = "<line><lineNumber>1</lineNumber><sku>A</sku><quantityReturned>1</quantityReturned></line>";
function returned(children: string): string {
  return `<returnMerchandiseAuthorization>${children}</returnMerchandiseAuthorization>`;
}
function acknowledgement(children: string, success = "false"): string {
  return `<apiResponse><token>t</token><success>${success}</success><feedType>PO</feedType>${children}</apiResponse>`;
}

const orderCases: readonly Case[] = [
  [
    "accepted",
    "children of the root in any order",
    "<orderRequest><lines/><clientId>DEMO</clientId><orderId>1</orderId></orderRequest>",
  ],
  [
    "accepted",
    "children of a line in any order",
    order("<lines><line><qty>1</qty><sku>A</sku><lineNumber>1</lineNumber></line></lines>"),
  ],
  [
    "accepted",
    "children of an address in any order",
    address("<country>GB</country><city>Leeds</city><address1>4 Mill Lane</address1>"),
  ],
  ["refused", "the same child twice", order("<origin>A</origin><origin>A</origin>")],
  ["refused", "an unknown element", order("<colour>red</colour>")],
  ["refused", "an unknown XML attribute", `<orderRequest version="1">${id}</orderRequest>`],
  ["refused", "text between elements", order("and then")],
  ["refused", "another namespace", `<orderRequest xmlns="urn:example">${id}</orderRequest>`],
  [
    "accepted",
    "a schema location",
    `<orderRequest xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://127.0.0.1:9/NO.xsd">${id}</orderRequest>`,
  ],
  ["refused", "xsi:nil", order('<origin xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>')],
  ["refused", "a part of the schema as root", "<line><lineNumber>1</lineNumber><sku>A</sku><qty>1</qty></line>"],
  [
    "accepted",
    "empty parts",
    order("<taxes/><billToAddress/><shipToAddress addressId='1'/><payments/><lines/><extendedAttributes/>"),
  ],
  [
    "accepted",
    "an empty payment and an empty tax",
    order("<taxes unit='' amount=''><tax/></taxes><payments><payment/></payments>"),
  ],
  ["accepted", "an empty action, date and flag", order("<actionType/><orderDate/><doNotShip></doNotShip>")],
  ["accepted", "an amount that is empty but for its unit", order('<totalPrice unit="EUR"/>')],
  ["accepted", "an amount without unit", order("<totalPrice>1.5</totalPrice>")],
  ["refused", "a currency in lower case", order('<totalPrice unit="eur">1</totalPrice>')],
  ["refused", "a negative amount", order("<totalPrice>-0.01</totalPrice>")],
  ["accepted", "an amount of 4 fraction digits", order("<totalPrice>0.0001</totalPrice>")],
  ["refused", "an amount of 5 fraction digits", order("<totalPrice>0.00001</totalPrice>")],
  ["accepted", "the largest amount", order("<totalPrice>999999999999999</totalPrice>")],
  ["refused", "an amount above the largest", order("<totalPrice>1000000000000000</totalPrice>")],
  ["refused", "a sum of taxes that is not a number", order("<taxes amount='much'/>")],
  ["refused", "an address with a name alone", address("<lastName>Khan</lastName>")],
  ["refused", "a city of blanks", address(place.replace("Leeds", " \n "))],
  ["accepted", "a city with a line break", address(place.replace("Leeds", "\nLeeds"))],
  ["accepted", "a country in three lower-case letters", address(place.replace("GB", "gbr"))],
  ["refused", "a country of one letter", address(place.replace("GB", "G"))],
  ["refused", "a country in digits", address(place.replace("GB", "826"))],
  ["accepted", "a name of 255 characters", address(`${place}<lastName>${"ü".repeat(255)}</lastName>`)],
  ["refused", "a name of 256 characters", address(`${place}<lastName>${"ü".repeat(256)}</lastName>`)],
  [
    "refused",
    "a tender of 65 characters",
    order(`<payments><payment><tender>${"x".repeat(65)}</tender></payment></payments>`),
  ],
  ["accepted", "a language with a country", order("<language>en_GB</language>")],
  ["refused", "a language in words", order("<language>English please</language>")],
  ["refused", "an action in lower case", order("<actionType>new</actionType>")],
  ["refused", "a flag in upper case", order("<doNotShip>TRUE</doNotShip>")],
  ["accepted", "a flag between blanks", order("<doNotShip> 1 </doNotShip>")],
  [
    "accepted",
    "the same attribute name in order and line",
    orderLine(attributes("A")).replace("</lines>", `</lines>${attributes("A")}`),
  ],
  ["refused", "an attribute name twice in a line", orderLine(attributes("A", "B", "A"))],
  ["refused", "an attribute name twice in an order", order(attributes("A", "A"))],
  ["accepted", "attribute names that differ in case", order(attributes("A", "a"))],
  ["accepted", "an attribute name of 64 characters", order(attributes("x".repeat(64)))],
  ["refused", "an attribute name of 65 characters", order(attributes("x".repeat(65)))],
  ["refused", "an empty attribute name", order(attributes(""))],
  ["refused", "an attribute name before a blank", order(attributes("A "))],
  ["accepted", "an attribute text of 4000 characters", order(attributes("A").replace(">x<", `>${"x".repeat(4000)}<`))],
  ["refused", "an attribute text of 4001 characters", order(attributes("A").replace(">x<", `>${"x".repeat(4001)}<`))],
  ["accepted", "an attribute text in CDATA", order(attributes("A").replace(">x<", "><![CDATA[<b>&</b>]]><"))],
  ["refused", "an attribute with elements inside", order(attributes("A").replace(">x<", "><b>x</b><"))],
];

const numberCases: readonly Case[] = [
  ...["0.001", "1", "+5", ".5", "5.", "1.5000", "007", " 5\n", "999999999"].map(
    (qty): Case => ["accepted", `the quantity ${JSON.stringify(qty)}`, orderLineOf("1", "A", qty)],
  ),
  ...[
    "",
    "0",
    "-1",
    "0.0001",
    "1,5",
    "1e3",
    "1 000",
    "INF",
    "0x10",
    "٣",
    "999999999.001",
    "1000000000",
    "1234567890123",
    `1${"0".repeat(5000)}`,
    `${"0".repeat(5000)}1`,
  ].map((qty): Case => ["refused", `the quantity ${JSON.stringify(qty.slice(0, 20))}`, orderLineOf("1", "A", qty)]),
  ...["1", "01", " 1 ", "999999"].map(
    (number): Case => ["accepted", `the line number '${number}'`, orderLineOf(number, "A", "1")],
  ),
  ...["", "0", "-1", "+1", "1.0", "1000000", "0000001", "1".repeat(5000)].map(
    (number): Case => ["refused", `the line number '${number.slice(0, 20)}'`, orderLineOf(number, "A", "1")],
  ),
];

const textCases: readonly Case[] = [
  ...["A", "a b  c", "Ünï/cödé#1", "x".repeat(64)].map(
    (sku): Case => ["accepted", `the sku '${sku}'`, orderLineOf("1", sku, "1")],
  ),
  ...["", " A", "A ", "\nA", "A\t", "A\tB", "   ", "x".repeat(65), `a${" ".repeat(5000)}b`].map(
    (sku): Case => ["refused", `the sku ${JSON.stringify(sku.slice(0, 70))}`, orderLineOf("1", sku, "1")],
  ),
  ["refused", "a blank before an optional identifier", order("<catalogId> A</catalogId>")],
  ["refused", "an optional identifier of blanks", order("<catalogId>  </catalogId>")],
  ...["A", "Demo_1-2", "x".repeat(10)].map(
    (client): Case => ["accepted", `the clientId '${client}'`, order("").replace("DEMO", client)],
  ),
  ...["", "x".repeat(11), "DEMO ", "D.MO", "DÉMO"].map(
    (client): Case => ["refused", `the clientId '${client}'`, order("").replace("DEMO", client)],
  ),
];

const anItem = "<item><sku>A</sku><name>A</name></item>";
const catalogueCases: readonly Case[] = [
  [
    "accepted",
    "children of an item in any order",
    items("<item><gtinBarcodes/><name>A</name><weight/><sku>A</sku></item>"),
  ],
  ["accepted", "many items", items(anItem.repeat(6000))],
  ["refused", "no item", items("")],
  [
    "refused",
    "an item before the date",
    `<itemMaster><clientId>DEMO</clientId>${anItem}<date>2026-11-03T08:30:00Z</date></itemMaster>`,
  ],
  [
    "refused",
    "the date before the client",
    items(anItem).replace(/(<clientId>.*<\/clientId>)(<date>.*<\/date>)/, "$2$1"),
  ],
  [
    "accepted",
    "the same attribute name in two items",
    items(`<item><sku>A</sku><name>A</name>${attributes("A")}</item>`.repeat(2)),
  ],
  ["refused", "an attribute name twice in an item", item(attributes("A", "A"))],
  ["accepted", "an empty barcode", item("<gtinBarcodes><barcode/></gtinBarcodes>")],
  ["accepted", "a weight of nothing", item("<weight>0</weight>")],
  ["accepted", "a weight as binary fractions come out", item("<weight>0.30000000000000004</weight>")],
  ["refused", "a negative weight", item("<weight>-1</weight>")],
  ["refused", "a weight with an exponent", item("<weight>1E3</weight>")],
  ["accepted", "an address of a picture in upper case", item("<imageUrl>HTTPS://EXAMPLE.COM/A</imageUrl>")],
  ["refused", "a script as a picture", item("<imageUrl>javascript:alert(1)</imageUrl>")],
  ["refused", "a blank in the address of a picture", item("<imageUrl>https://example.com/a b</imageUrl>")],
  ...[
    "2026-11-03T08:30:00Z",
    "2026-11-03T08:30:00+14:00",
    "2026-11-03T08:30:00.123456789-03:30",
    " 2026-11-03T08:30:00Z ",
    "2028-02-29T00:00:00Z",
  ].map((date): Case => ["accepted", `the date '${date}'`, items(anItem, date)]),
  ...[
    "",
    "2026-11-03T08:30:00",
    "2026-11-03 08:30:00Z",
    "2026-11-03T08:30:00z",
    "2026-11-03T08:30:00+0100",
    "2026-11-03T08:30:00+15:00",
    "2026-02-29T08:30:00Z",
    "2026-11-03T25:00:00Z",
    "2026-11-03T08:30:60Z",
    "2026-11-03T08:30:00.1234567890Z",
    "12026-11-03T08:30:00Z",
  ].map((date): Case => ["refused", `the date '${date}'`, items(anItem, date)]),
];

const aLine = "<line><lineNumber>1</lineNumber><sku>A</sku><qty>1</qty></line>";
const purchaseCases: readonly Case[] = [
  [
    "accepted",
    "children in any order",
    "<vendorOrder><clientId>DEMO</clientId><actionType>CANCEL</actionType><distributionCentre>DC1</distributionCentre><poNumber>1</poNumber></vendorOrder>",
  ],
  ["accepted", "no lines", purchase("")],
  ["accepted", "empty lines and an empty vendorOrderId", purchase("<lines/><vendorOrderId/>")],
  ["accepted", "more lines than Java counts", purchase(`<lines>${aLine.repeat(5001)}</lines>`)],
  ["refused", "a line without quantity", purchase(`<lines>${aLine.replace("<qty>1</qty>", "")}</lines>`)],
  ["refused", "an attribute name twice", purchase(attributes("A", "A"))],
  ["refused", "no distributionCentre", purchase("").replace("<distributionCentre>DC1</distributionCentre>", "")],
];

const returnCases: readonly Case[] = [
  [
    "accepted",
    "children in table order",
    returned(`${returnHead}<orderReference>1</orderReference><creationTimeStamp/>${returnLine.repeat(2)}`),
  ],
  [
    "accepted",
    "children of a line in any order",
    returned(
      `${returnHead}<line><attributeThree/><quantityReturned>0.5</quantityReturned><sku>A</sku><lineNumber>1</lineNumber></line>`,
    ),
  ],
  ["refused", "a line before the facility", returned(`${returnLine}${returnHead}`)],
  ["refused", "no line", returned(returnHead)],
  [
    "refused",
    "extended attributes, which the feed does not have",
    returned(`${returnHead}${returnLine}${attributes("A")}`),
  ],
];

const sentence = "<errors><error>[FACILITY] x</error></errors>";
const acknowledgementCases: readonly Case[] = [
  ["accepted", "an acceptance", acknowledgement("<objectId>1</objectId>", "true")],
  [
    "accepted",
    "a refusal",
    acknowledgement(`${sentence}<missingSkus><sku>A</sku><sku>B</sku></missingSkus><objectId>1</objectId>`),
  ],
  ["refused", "an empty list of errors", acknowledgement("<errors/>")],
  ["refused", "an empty list of SKUs", acknowledgement(`${sentence}<missingSkus/>`)],
  ["refused", "an empty objectId", acknowledgement(`${sentence}<objectId/>`)],
  ["refused", "the objectId before the errors", acknowledgement(`<objectId>1</objectId>${sentence}`)],
  ["refused", "success as a number", acknowledgement("", "1")],
  ["refused", "an unknown feed type", acknowledgement("").replace("PO", "GR")],
];

export function edgeCases(): Exhibit[] {
  return [
    ...exhibits("NO", [...orderCases, ...numberCases, ...textCases]),
    ...exhibits("CAT", catalogueCases),
    ...exhibits("PO", purchaseCases),
    ...exhibits("RMA", returnCases),
    ...exhibits("ApiResponse", acknowledgementCases),
  ];
}

function exhibits(schema: SchemaName, cases: readonly Case[]): Exhibit[] {
  return cases.map(([verdict, what, xml]) => ({
    name: `${schema} with ${what}`,
    schema,
    bytes: Buffer.from(xml),
    isValid: verdict === "accepted",
  }));
}
