/** Outbound documents at the limits of their schemas, each with the verdict that every validator must reach. */

import type { Exhibit, outboundNames } from "./exhibits.ts";

type OutboundName = (typeof outboundNames)[number];
type Case = readonly [verdict: "accepted" | "refused", what: string, xml: string];

const id = "019a4c2e-8f00-7abc-8def-0123456789ab";
const head = (facility = "<distributionCentre>DC1</distributionCentre>") =>
  `<messageId>${id}</messageId><clientId>DEMO</clientId>${facility}<creationTimeStamp>2026-11-20T10:00:00.000Z</creationTimeStamp>`;

const documentOf = (root: string, children: string, start = head(), version = ' schemaVersion="1.0"') =>
  `<${root}${version}>${start}${children}</${root}>`;
const attributes = "<extendedAttributes><attribute name='A'>x</attribute></extendedAttributes>";

/** Cases that all schemas share, shown with the minimum content of each schema. */
function sharedCases(root: string, content: string, isFacilityOptional = false): Case[] {
  return [
    ["accepted", "the least possible", documentOf(root, content)],
    ["accepted", "extended attributes at its end", documentOf(root, content + attributes)],
    ["refused", "extended attributes before its content", documentOf(root, attributes + content)],
    ["refused", "an attribute name twice", documentOf(root, `${content}${attributes}${attributes}`)],
    ["refused", "no schemaVersion", documentOf(root, content, head(), "")],
    ["refused", "an unknown schemaVersion", documentOf(root, content, head(), ' schemaVersion="2.0"')],
    [isFacilityOptional ? "accepted" : "refused", "no facility", documentOf(root, content, head(""))],
    ["refused", "no content", documentOf(root, "")],
    ["refused", "an unknown element", documentOf(root, `${content}<colour>red</colour>`)],
    ["refused", "an unknown XML attribute", documentOf(root, content, head(), ' schemaVersion="1.0" x="1"')],
    ["refused", "another namespace", documentOf(root, content, head(), ' xmlns="urn:example" schemaVersion="1.0"')],
    ["refused", "no messageId", documentOf(root, content, head().replace(/<messageId>.*<\/messageId>/, ""))],
    ["refused", "a messageId in capitals", documentOf(root, content, head().replace(id, id.toUpperCase()))],
    ["refused", "a time without offset", documentOf(root, content, head().replace("000Z", "000"))],
    [
      "refused",
      "its head in another order",
      documentOf(root, content, head().replace(/(<messageId>.*<\/messageId>)(<clientId>.*<\/clientId>)/, "$2$1")),
    ],
    ["refused", "text between elements", documentOf(root, `${content}and then`)],
  ];
}

const receipt = (lines: string, correction = "false") =>
  `<poNumber>1</poNumber><receiptId>R</receiptId><correction>${correction}</correction><complete>true</complete><lines>${lines}</lines>`;
const receiptLine = (qty: string, more = "") =>
  `<line><sku>A</sku><qtyExpected>1</qtyExpected><qtyReceived>${qty}</qtyReceived><qtyDamaged>0</qtyDamaged><qtyTotal>1</qtyTotal>${more}<discrepancy>NONE</discrepancy></line>`;
const goodsReceipt = (children: string) => documentOf("goodsReceipt", children);
const buckets = ["Ordered", "Open", "Backordered", "Allocated", "Picked", "Packed", "Despatched", "Cancelled"];
const orderLine = (qty: string) =>
  `<line><lineNumber>1</lineNumber><sku>A</sku><status>RECEIVED</status>${[...buckets, "Delivered", "Returned"]
    .map((bucket) => `<qty${bucket}>${qty}</qty${bucket}>`)
    .join("")}</line>`;
const order = (lines: string, more = "", status = "ALLOCATED") =>
  `<orderId>1</orderId><status>${status}</status><statusCode>50</statusCode><statusTimeStamp>2026-11-20T10:00:00Z</statusTimeStamp><lines>${lines}</lines>${more}`;
const holds = (type: string, reason = "") =>
  `<holds><hold><type>${type}</type>${reason}<since>2026-11-20T10:00:00Z</since></hold></holds>`;
const returned = (lines: string) => `<rmaNumber>1</rmaNumber><status>RECEIVED</status><lines>${lines}</lines>`;
const blind = "<returnId>1</returnId><returnType>BLIND</returnType><status>RECEIVED</status><lines/>";
const adjustmentLine =
  "<line><sku>A</sku><qty>-1</qty><stockPool>DEFAULT</stockPool><qtyOnHandAfter>0</qtyOnHandAfter></line>";
const adjustment = (lines: string) =>
  `<adjustmentId>1</adjustmentId><reasonCode>COUNT</reasonCode><lines>${lines}</lines>`;
const snapshot = (items: string, part = "1") =>
  `<snapshotId>${id}</snapshotId><snapshotDate>2026-11-19</snapshotDate><position>0</position><part>${part}</part><parts>1</parts>${items}`;
const statement = (items: string) =>
  `<fromPosition>0</fromPosition><toPosition>12</toPosition><part>1</part><parts>1</parts><items>${items}</items>`;
const movement = (reference: string) =>
  `<item><sku>A</sku><opening>0</opening><closing>1.5</closing><movements><movement><movementId>${id}</movementId><type>RECEIPT</type><qty>1.5</qty><condition>GOOD</condition>${reference}<timeStamp>2026-11-20T10:00:00Z</timeStamp></movement></movements></item>`;
const ack = (children: string) => `<token>${id}</token><feedType>NO</feedType>${children}`;

const cases: Readonly<Record<OutboundName, readonly Case[]>> = {
  GR: [
    ...sharedCases("goodsReceipt", receipt("")),
    ["accepted", "a quantity below 0", goodsReceipt(receipt(receiptLine("-0.001"), "true"))],
    ["refused", "a quantity of 4 fraction digits", goodsReceipt(receipt(receiptLine("1.0001")))],
    ["refused", "a quantity with an exponent", goodsReceipt(receipt(receiptLine("1E3")))],
    ["refused", "a quantity with a plus", goodsReceipt(receipt(receiptLine("+1")))],
    ["refused", "a truth value as a number", goodsReceipt(receipt("", "0"))],
    ["accepted", "a serial", goodsReceipt(receipt(receiptLine("1", "<serials><serial> x </serial></serials>")))],
    ["refused", "an empty list of serials", goodsReceipt(receipt(receiptLine("1", "<serials/>")))],
    [
      "refused",
      "a day that does not exist",
      goodsReceipt(receipt(receiptLine("1", "<expiryDate>2027-02-29</expiryDate>"))),
    ],
    ["accepted", "more lines than Java counts", goodsReceipt(receipt(receiptLine("1").repeat(5001)))],
  ],
  OS: [
    ...sharedCases("orderStatus", order("")),
    ["accepted", "a quantity of 0", documentOf("orderStatus", order(orderLine("0")))],
    ["refused", "a quantity below 0", documentOf("orderStatus", order(orderLine("-1")))],
    ["refused", "a status in lower case", documentOf("orderStatus", order("", "", "allocated"))],
    ["refused", "an empty list of shipments", documentOf("orderStatus", order("", "<shipments/>"))],
    [
      "accepted",
      "a parcel without carrier",
      documentOf("orderStatus", order("", "<shipments><shipment><olpnId>1</olpnId><contents/></shipment></shipments>")),
    ],
    ["accepted", "version 1.1", documentOf("orderStatus", order(""), head(), ' schemaVersion="1.1"')],
    ["accepted", "version 1.2", documentOf("orderStatus", order(""), head(), ' schemaVersion="1.2"')],
    ["refused", "an unknown minor version", documentOf("orderStatus", order(""), head(), ' schemaVersion="1.3"')],
    ["accepted", "a hold", documentOf("orderStatus", order("", holds("OTHER", "<reason> </reason>")))],
    ["accepted", "a hold with an erased reason", documentOf("orderStatus", order("", holds("OTHER")))],
    ["refused", "an empty list of holds", documentOf("orderStatus", order("", "<holds/>"))],
    ["refused", "a kind of hold in lower case", documentOf("orderStatus", order("", holds("other")))],
  ],
  RS: [
    ...sharedCases("returnStatus", returned("")),
    [
      "accepted",
      "a disposition",
      documentOf(
        "returnStatus",
        returned(
          "<line><sku>A</sku><quantityReturned>0</quantityReturned><quantityReceived>1</quantityReceived><discrepancy>UNPLANNED</discrepancy><dispositions><disposition><disposition>SCRAP</disposition><qty>1</qty></disposition></dispositions></line>",
        ),
      ),
    ],
    ["refused", "a line without quantities", documentOf("returnStatus", returned("<line><sku>A</sku></line>"))],
    ["accepted", "version 1.1", documentOf("returnStatus", returned(""), head(), ' schemaVersion="1.1"')],
    ["refused", "an unknown minor version", documentOf("returnStatus", returned(""), head(), ' schemaVersion="1.2"')],
    ["accepted", "no authorisation", documentOf("returnStatus", blind)],
    ["refused", "a type in lower case", documentOf("returnStatus", blind.replace("BLIND", "blind"))],
  ],
  ADJ: [
    ...sharedCases("inventoryAdjustment", adjustment(adjustmentLine)),
    ["refused", "no line", documentOf("inventoryAdjustment", adjustment(""))],
    [
      "refused",
      "stock below 0",
      documentOf("inventoryAdjustment", adjustment(adjustmentLine.replace("After>0<", "After>-1<"))),
    ],
  ],
  INV: [
    ...sharedCases("inventorySnapshot", snapshot("<items/>")),
    ["refused", "a part of a half", documentOf("inventorySnapshot", snapshot("<items/>", "1.5"))],
    ["refused", "a part below 0", documentOf("inventorySnapshot", snapshot("<items/>", "-1"))],
    ["refused", "no items", documentOf("inventorySnapshot", snapshot(""))],
    [
      "refused",
      "an item without quantities",
      documentOf("inventorySnapshot", snapshot("<items><item><sku>A</sku></item></items>")),
    ],
  ],
  IMS: [
    ...sharedCases("inventoryMovementStatement", statement("")),
    [
      "accepted",
      "a movement",
      documentOf("inventoryMovementStatement", statement(movement('<reference type="receipt">R</reference>'))),
    ],
    [
      "refused",
      "a reference to nothing known",
      documentOf("inventoryMovementStatement", statement(movement("<reference>R</reference>"))),
    ],
  ],
  ACK: [
    ...sharedCases("feedAcknowledgement", ack("<result>PROCESSED</result>"), true),
    [
      "accepted",
      "errors and a status",
      documentOf(
        "feedAcknowledgement",
        ack("<objectId>1</objectId><result>FAILED</result><errors><error>x</error></errors><status>RECEIVED</status>"),
      ),
    ],
    ["refused", "an unknown result", documentOf("feedAcknowledgement", ack("<result>ACCEPTED</result>"))],
    ["refused", "an empty list of errors", documentOf("feedAcknowledgement", ack("<result>FAILED</result><errors/>"))],
    [
      "refused",
      "an empty error",
      documentOf("feedAcknowledgement", ack("<result>FAILED</result><errors><error/></errors>")),
    ],
  ],
};

export function outboundEdgeCases(): Exhibit[] {
  return Object.entries(cases).flatMap(([name, ofSchema]) =>
    ofSchema.map(([verdict, what, xml]) => ({
      name: `${name} with ${what}`,
      schema: name as OutboundName,
      bytes: Buffer.from(xml),
      isValid: verdict === "accepted",
    })),
  );
}
