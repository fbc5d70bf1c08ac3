// The samples that packed contents are compressed against (docs/decisions/0078-packed-contents.md). A sample never
// changes, because stored contents are read with it: a new shape is a new sample under a new number.

const line = (status: string, ...[open, allocated, picked, packed, despatched, delivered]: number[]) => ({
  lineNumber: 1,
  sku: "SKU-1",
  status,
  qtyOrdered: 1,
  qtyOpen: open,
  qtyBackordered: 0,
  qtyAllocated: allocated,
  qtyPicked: picked,
  qtyPacked: packed,
  qtyDespatched: despatched,
  qtyCancelled: 0,
  qtyDelivered: delivered,
  qtyReturned: 0,
});

const order = (status: string, statusCode: number) => ({
  orderId: "ORDER-1",
  externalOrderReference: "EXT-1",
  status,
  statusCode,
});

const parcel = {
  orderId: "ORDER-1",
  olpnId: "006141410000030002",
  trackingNumber: "TRACK1",
  trackingUrl: "https://track.example/TRACK1",
  carrierCode: "CARRIER",
  carrierServiceCode: "CARRIER-SERVICE",
  loadId: null,
  weight: 1.4,
  weightUomCode: "KG",
  contents: [{ lineNumber: 1, sku: "SKU-1", qty: 1, batchRef: "LOT-1", serials: ["S-1"] }],
};

/** Data of events (webhooks.md §3), the most frequent last: near matches are cheapest. */
const events = [
  {
    rmaNumber: "RMA-1",
    lines: [{ qtyExpected: 1, qtyReceived: 1, dispositions: [{ disposition: "RESELLABLE", note: "" }] }],
  },
  { poNumber: "PO-1", vendorOrderId: null, receiptId: "RCV-1", correction: false, discrepancy: "NONE" },
  { token: "01a19393-547e-7000-8ed6-f0fdbd7017cd", feedType: "NO", objectId: "ORDER-1", errors: [] },
  {
    sku: "SKU-1",
    distributionCentre: "DC1",
    quantities: {
      onHand: 0,
      allocated: 0,
      onHold: 0,
      damaged: 0,
      unsellable: 0,
      available: 0,
      expected: 0,
      inReturn: 0,
      backordered: 0,
    },
    reason: null,
    position: 1,
  },
  {
    eventCode: 52,
    eventName: "Picking Started",
    occurredAt: "2026-11-23T17:07:48.606Z",
    orderId: "ORDER-1",
    olpnId: null,
    trackingNumber: null,
    trackingUrl: null,
    carrierCode: null,
    location: null,
    text: null,
  },
  parcel,
  {
    ...order("DESPATCHED", 100),
    statusReason: null,
    distributionCentre: "DC1",
    holds: [{ type: "MANUAL", reason: "", since: "2026-11-23T17:07:48.606Z" }],
    parcels: [
      {
        olpnId: "006141410000030002",
        carrierCode: "CARRIER",
        trackingNumber: "TRACK1",
        trackingUrl: "https://track.example/TRACK1",
      },
    ],
    lines: [
      line("DELIVERED", 0, 0, 0, 0, 0, 1),
      line("DESPATCHED", 0, 0, 0, 0, 1, 0),
      line("PACKED", 0, 0, 0, 1, 0, 0),
    ],
  },
  {
    ...order("RECEIVED", 10),
    statusReason: null,
    distributionCentre: "DC1",
    holds: [],
    lines: [line("PICKING", 0, 1, 0, 0, 0, 0), line("ALLOCATED", 0, 1, 0, 0, 0, 0), line("RECEIVED", 1, 0, 0, 0, 0, 0)],
  },
];

/** Contents of outbound documents as the outbox has them. */
const drafts = [
  { type: "RS", objectId: "RMA-1", content: { returnId: "RMA-1", returnType: "RMA", status: "RECEIVED", lines: [] } },
  {
    type: "ADJ",
    objectId: "01a19393-547e-7000-8ed6-f0fdbd7017cd",
    content: {
      adjustmentId: "01a19393-547e-7000-8ed6-f0fdbd7017cd",
      reasonCode: "CONDITION",
      lines: [
        {
          sku: "SKU-1",
          qty: 1,
          fromCondition: "GOOD",
          toCondition: "ON_HOLD",
          stockPool: "DEFAULT",
          qtyOnHandAfter: 1,
        },
      ],
    },
  },
  {
    type: "ACK",
    objectId: "ORDER-1",
    content: { token: "01a19393-547e-7000-8ed6-f0fdbd7017cd", feedType: "NO", result: "PROCESSED" },
  },
  {
    type: "OS",
    objectId: "ORDER-1",
    content: {
      ...order("PACKED", 60),
      statusTimeStamp: "2026-11-27T19:08:17.278Z",
      lines: [
        line("DELIVERED", 0, 0, 0, 0, 0, 1),
        line("DESPATCHED", 0, 0, 0, 0, 1, 0),
        line("PACKED", 0, 0, 0, 1, 0, 0),
      ],
      shipments: [
        {
          olpnId: "006141410000031009",
          carrierCode: "CARRIER",
          carrierServiceCode: "CARRIER-SERVICE",
          trackingNumber: "TRACK1",
          trackingUrl: "https://track.example/TRACK1",
          weight: 1.4,
          weightUomCode: "KG",
          despatchedAt: "2026-11-27T19:08:17.278Z",
          contents: [{ lineNumber: 1, sku: "SKU-1", qty: 1, batchRef: "LOT-1", serials: ["S-1"] }],
        },
      ],
      holds: [],
    },
  },
];

const head = (root: string) => `<?xml version="1.0" encoding="UTF-8"?>
<${root} schemaVersion="1.0">
  <messageId>01a21e31-2b89-7001-9815-e34118aa7425</messageId>
  <clientId>CLIENT</clientId>
`;

const xmlLine = (status: string, open: number, allocated: number, packed: number, despatched: number) => `    <line>
      <lineNumber>1</lineNumber>
      <sku>SKU-1</sku>
      <status>${status}</status>
      <qtyOrdered>1</qtyOrdered>
      <qtyOpen>${open}</qtyOpen>
      <qtyBackordered>0</qtyBackordered>
      <qtyAllocated>${allocated}</qtyAllocated>
      <qtyPicked>0</qtyPicked>
      <qtyPacked>${packed}</qtyPacked>
      <qtyDespatched>${despatched}</qtyDespatched>
      <qtyCancelled>0</qtyCancelled>
      <qtyDelivered>0</qtyDelivered>
      <qtyReturned>0</qtyReturned>
    </line>
`;

/** Outbound documents (outbound.md). */
const documents = `${head("goodsReceipt")}  <poNumber>PO-1</poNumber>
  <receiptId>RCV-1</receiptId>
  <correction>false</correction>
  <complete>true</complete>
      <qtyExpected>1</qtyExpected>
      <qtyReceived>1</qtyReceived>
      <qtyDamaged>0</qtyDamaged>
      <qtyTotal>1</qtyTotal>
      <discrepancy>NONE</discrepancy>
</goodsReceipt>
${head("feedAcknowledgement")}  <creationTimeStamp>2026-10-31T20:07:48.633Z</creationTimeStamp>
  <token>01a19393-5487-7000-aaaa-9e90042facfe</token>
  <feedType>NO</feedType>
  <result>PROCESSED</result>
</feedAcknowledgement>
${head("orderStatus")}  <distributionCentre>DC1</distributionCentre>
  <creationTimeStamp>2026-11-27T18:07:48.617Z</creationTimeStamp>
  <orderId>ORDER-1</orderId>
  <externalOrderReference>EXT-1</externalOrderReference>
  <status>DESPATCHED</status>
  <statusCode>100</statusCode>
  <statusTimeStamp>2026-11-27T18:07:48.617Z</statusTimeStamp>
  <lines>
${xmlLine("PACKED", 0, 0, 1, 0)}${xmlLine("DESPATCHED", 0, 0, 0, 1)}${xmlLine("ALLOCATED", 0, 1, 0, 0)}  </lines>
  <shipments>
    <shipment>
      <olpnId>006141410000031009</olpnId>
      <carrierCode>CARRIER</carrierCode>
      <carrierServiceCode>CARRIER-SERVICE</carrierServiceCode>
      <trackingNumber>TRACK1</trackingNumber>
      <trackingUrl>https://track.example/TRACK1</trackingUrl>
      <weight>1.4</weight>
      <weightUomCode>KG</weightUomCode>
      <despatchedAt>2026-11-27T18:07:48.617Z</despatchedAt>
      <contents>
        <content>
          <lineNumber>1</lineNumber>
          <sku>SKU-1</sku>
          <qty>1</qty>
          <batchRef>LOT-1</batchRef>
        </content>
      </contents>
    </shipment>
  </shipments>
</orderStatus>
`;

const address = (company: string) => ({
  companyName: company,
  department: "c/o",
  address1: "1 Street",
  city: "City",
  zip: "SS17 9DY",
  state: "State",
  country: "GB",
});

const person = {
  zip: "1012 JS",
  city: "City",
  address1: "Street 1",
  lastName: "Name",
  firstName: "Name",
  country: "GB",
};

/** Contents of papers (`modules/documents`). */
const papers = [
  {
    type: "COMMERCIAL_INVOICE",
    invoice: {
      invoiceNumber: "006141410000030002",
      exporter: { ...address("Seller"), phone: "+44 1632 960100", email: "dc1@example" },
      importer: person,
      lines: [
        {
          description: "Goods",
          hsCode: "3406.00",
          countryOfOrigin: "GB",
          identifiers: { merchant: "SKU-1", manufacturer: null, gtin: "2910000000086", hasNoStandardId: false },
          uom: "EA",
          unitNetWeight: { value: 180, uom: "G" },
          unitValue: "12.9",
        },
      ],
      currency: "EUR",
      reasonForExport: "SALE",
      olpnIds: ["006141410000030002"],
      grossWeight: { value: 1.4, uom: "KG" },
    },
  },
  {
    template: 1,
    paper: {
      orderId: "ORDER-1",
      olpnId: "006141410000030002",
      type: "PACKING_SLIP",
      slip: {
        language: "en",
        madeAt: "2026-11-23T18:07:48.606Z",
        date: "2026-11-23",
        orderId: "ORDER-1",
        externalOrderReference: "EXT-1",
        orderDate: "2026-11-22",
        seller: "Seller",
        shipFrom: address("Seller"),
        shipTo: person,
        parcel: {
          olpnId: "006141410000030002",
          piece: 1,
          pieces: 1,
          carrier: "CARRIER, Service",
          trackingNumber: "TRACK1",
        },
        lines: [
          {
            lineNumber: 1,
            sku: "SKU-1",
            name: "Name",
            uom: "EA",
            ordered: 1000,
            packed: 1000,
            backordered: 0,
            batchRefs: [],
            serials: [],
          },
        ],
      },
    },
  },
  {
    template: 1,
    paper: {
      orderId: "ORDER-1",
      olpnId: "006141410000030002",
      type: "SHIPPING_LABEL",
      form: "pdf",
      label: {
        madeAt: "2026-11-23T18:07:48.606Z",
        date: "2026-11-23",
        olpnId: "006141410000030002",
        orderId: "ORDER-1",
        externalOrderReference: "EXT-1",
        shipFrom: address("Seller"),
        shipTo: person,
        carrier: "CARRIER",
        service: "Service",
        trackingNumber: "TRACK1",
        isGeneratedTrackingNumber: false,
        weight: { value: 1.4, uom: "KG" },
        piece: 1,
        pieces: 1,
      },
    },
  },
];

/** Answers of reports of a warehouse (warehouse.md). */
const reportAnswers = [
  { loadId: "LOAD-1", olpns: [{ olpnId: "006141410000030064", status: "LOADED" }] },
  {
    orderId: "ORDER-1",
    status: "PACKED",
    lines: [
      {
        lineNumber: 1,
        status: "PICKING",
        qtyOrdered: 1,
        qtyOpen: 0,
        qtyBackordered: 0,
        qtyAllocated: 0,
        qtyPicked: 1,
        qtyPacked: 0,
        qtyDespatched: 0,
        qtyCancelled: 0,
      },
      {
        lineNumber: 2,
        status: "PACKED",
        qtyOrdered: 1,
        qtyOpen: 0,
        qtyBackordered: 0,
        qtyAllocated: 0,
        qtyPicked: 0,
        qtyPacked: 1,
        qtyDespatched: 0,
        qtyCancelled: 0,
      },
    ],
    olpns: [
      {
        olpnId: "006141410000030033",
        carrierCode: "CARRIER",
        carrierServiceCode: "CARRIER-SERVICE",
        trackingNumber: "TRACK1",
        decisionId: "01a20997-bb91-7000-afef-9da3e9ec07d2",
        documents: [
          {
            documentId: "01a20997-bb91-7001-b8c3-48afc8af7dcc",
            type: "PACKING_SLIP",
            contentType: "application/pdf",
            warnings: [],
          },
          {
            documentId: "01a20997-bb91-7002-a295-6ee349d8f03e",
            type: "SHIPPING_LABEL",
            contentType: "application/pdf",
            warnings: [],
          },
          {
            documentId: "01a20997-bb91-7003-b626-573db53f1627",
            type: "SHIPPING_LABEL",
            contentType: "application/zpl",
            warnings: [],
          },
        ],
      },
    ],
    warnings: [],
  },
];

/** Stored decisions of carrier determination (`StoredDecision`). */
const decisions = [
  {
    choices: [
      ["CARRIER", "CARRIER-ROAD", ["EUR", 6.2, 6.9, ["FUEL", 0.7]], 2.5, "EU", "2026-11-30", "2026-12-02"],
      ["CARRIER", "CARRIER-48", ["GBP", 4.2, 4.47, ["FUEL", 0.27]], 2.5, "DOMESTIC", "2026-11-30", "2026-12-02"],
    ],
    reasons: [
      { code: "CARRIER_MAPPING", text: "" },
      { code: "OVER_SIZE", text: "the longest side is 70 cm, the maximum is 60 cm" },
      { code: "OPERATORS_RULE", text: "", ruleId: "rule-1" },
      { code: "UNKNOWN_ZONE", text: "no zone has FR" },
      { code: "OVER_WEIGHT", text: "the heaviest parcel weighs 2.1 kg, the maximum is 0.75 kg" },
      {
        code: "NO_RATE",
        text: "a parcel's chargeable weight is 2.1 kg, the prices of zone DOMESTIC go up to 0.75 kg",
      },
      { code: "RULE", text: "what is worth more than 30 GBP is sent tracked", ruleId: "letters-without-value" },
      { code: "SERVICE_LEVEL", text: "its service level is ECONOMY, requested is STANDARD" },
      { code: "SERVICE_LEVEL", text: "its service level is EXPRESS, requested is STANDARD" },
      { code: "SERVICE_LEVEL", text: "its service level is NEXT_DAY, requested is STANDARD" },
    ],
    rejected: [
      ["CARRIER-24", "CARRIER", [0]],
      ["CARRIER-LETTER", "CARRIER", [1, 2, 3, 4]],
      ["CARRIER-AIR", "CARRIER", [5]],
      ["CARRIER-BULK", "CARRIER", [2]],
    ],
    rulesApplied: ["letters-without-value"],
    warnings: [],
  },
];

const at = "2026-11-27T19:08:17.278Z";
const token = "01a19393-547e-7000-8ed6-f0fdbd7017cd";

/** The events of a transaction as the outbox has them (`store/outbox/bundle.ts`), the most frequent topics last. */
const bundle = [
  ...["return:received", "return:closed", "purchaseOrder:closed", "workOrder:completion", "parcel:load"].map(
    (topic) => [topic, "return", "RMA-1", "DC1", null, at, {}, null],
  ),
  ["goodsReceipt:received", "purchaseOrder", "PO-1", "DC1", null, at, events[1], drafts[0]],
  ["inventory:adjusted", "inventory", token, "DC1", null, at, {}, drafts[1]],
  ["inventory:changed", "inventory", "SKU-1", "DC1", null, at, events[3], null],
  ["feed:accepted", "feed", token, null, token, at, events[2], drafts[2]],
  ["parcel:packed", "order", "ORDER-1", "DC1", null, at, parcel, null],
  ["order:picking", "order", "ORDER-1", "DC1", null, at, {}, null],
  ["order:delivered", "order", "ORDER-1", "DC1", null, at, {}, null],
  ["order:despatched", "order", "ORDER-1", "DC1", null, at, {}, null],
  ["order:received", "order", "ORDER-1", "DC1", token, at, events[7], null],
  ["carrier:trackAndTrace", "order", "ORDER-1", "DC1", null, at, events[4], null],
  ["order:packed", "order", "ORDER-1", "DC1", null, at, events[6], drafts[3]],
];

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Elements with the same value at one depth. */
const elements = (depth: number, names: string, value: string) =>
  names.split(" ").reduce((text, name) => `${text}${"  ".repeat(depth)}<${name}>${value}</${name}>\n`, "");

const xmlAddress = (kind: string) => `  <${kind} addressId="A-1">
${elements(2, "title companyName department firstName lastName address1 address2 city zip state country phone mobile email", "")}  </${kind}>
`;

const orderLine = `    <line>
      <lineNumber>1</lineNumber>
      <sku>SKU-1</sku>
      <qty>1</qty>
      <lineTotal unit="EUR">19.50</lineTotal>
      <taxes unit="EUR" amount="3.90">
        <tax type="VAT">3.90</tax>
      </taxes>
      <unitNetPrice unit="EUR">15.60</unitNetPrice>
      <extendedUnitNetPrice unit="EUR">15.60</extendedUnitNetPrice>
      <unitGrossPrice unit="EUR">19.50</unitGrossPrice>
      <qtyUom>EA</qtyUom>
      <stockPool>DEFAULT</stockPool>
    </line>
`;

/** Inbound documents (feeds.md), orders last. */
const feeds = `${xmlHead}<itemMaster>
  <item>
${elements(2, "sku altSku eanCode name weight weightUomCode height length width dimensionsUomCode productType", "1")}  </item>
</itemMaster>
${xmlHead}<vendorOrder>
${elements(1, "vendorOrderId poNumber distributionCentre clientId", "PO-1")}  <lines>
    <line>
${elements(3, "lineId lineNumber sku altSku productName qty", "1")}      <qtyUom>EA</qtyUom>
    </line>
  </lines>
  <expectedDate>2026-11-20</expectedDate>
</vendorOrder>
${xmlHead}<returnMerchandiseAuthorization>
${elements(1, "rmaNumber clientId distributionCentre orderReference", "RMA-1")}  <line>
${elements(2, "lineNumber sku returnReasonCode qtyUom quantityReturned attributeOne attributeThree", "1")}  </line>
</returnMerchandiseAuthorization>
${xmlHead}<orderRequest>
  <orderId>WEB-100045</orderId>
  <actionType>NEW</actionType>
  <clientId>CLIENT</clientId>
  <externalOrderReference>EXT-1</externalOrderReference>
  <catalogId>CATALOG-2026</catalogId>
  <doNotShip>false</doNotShip>
  <origin>WEB</origin>
  <language>en</language>
  <orderDate>2026-11-20T09:30:00+00:00</orderDate>
  <shippingMethod>STANDARD</shippingMethod>
  <shippingCost unit="EUR">4.95</shippingCost>
  <subtotal unit="EUR">117.00</subtotal>
  <totalPrice unit="EUR">121.95</totalPrice>
  <taxes unit="EUR" amount="23.40"><tax type="VAT">23.40</tax></taxes>
${xmlAddress("billToAddress")}${xmlAddress("shipToAddress")}  <payments><payment type="CARD"><tender></tender></payment></payments>
  <lines>
${orderLine}${orderLine.replaceAll("\n        ", "").replace("\n      </taxes>", "</taxes>")}  </lines>
  <distributionCentre>DC1</distributionCentre>
  <carrierCode></carrierCode>
  <extendedAttributes>
    <attribute name="GiftMessage"></attribute>
    <attribute name="WebOrderId"></attribute>
    <attribute name="PackingSlipLanguage">en</attribute>
    <attribute name="Priority">5</attribute>
  </extendedAttributes>
</orderRequest>
`;

/** Contents of tasks (`TaskContent`): of a purchase order and of a pick, whose address has its keys by length as JSONB gives them. */
const taskLine = { lineNumber: 1, sku: "SKU-1", qty: 1, uom: "EA", stockPool: "DEFAULT" };
const tasks = [
  {
    lines: [{ ...taskLine, batchRef: "LOT-1", expiryDate: "2027-11-30", condition: "GOOD", returnReasonCode: "" }],
    carrierCode: "CARRIER",
    orderReference: "EXT-1",
    orderId: "ORDER-1",
    purchaseOrder: { poNumber: "PO-1", vendorOrderId: "VENDOR-1", trackingNumber: "TRACK1" },
    notes: "",
    toFacility: "DC1",
  },
  {
    lines: [taskLine, { ...taskLine, lineNumber: 2, qty: 2 }, { ...taskLine, lineNumber: 3, qty: 3 }],
    shipTo: {
      zip: "",
      city: "London",
      email: "@example.org",
      phone: "+44 20 ",
      state: "",
      title: "Ms",
      mobile: "+44 7",
      country: "GB",
      address1: "",
      address2: "",
      lastName: "",
      addressId: "",
      firstName: "",
      department: "",
      companyName: "Company Ltd",
    },
    order: {
      externalOrderReference: "EXT-1",
      shippingMethod: "STANDARD",
      language: "en",
      extendedAttributes: { Priority: "5", WebOrderId: "", GiftMessage: "", PackingSlipLanguage: "en" },
    },
  },
];

const jsonOf = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join("");

/** By the number that a packed content begins with. */
export const samples: Readonly<Record<number, string>> = {
  1: jsonOf(events),
  2: jsonOf(drafts),
  3: documents,
  4: jsonOf(papers),
  5: jsonOf(reportAnswers),
  6: jsonOf(decisions),
  7: JSON.stringify(bundle),
  8: feeds,
  9: jsonOf(tasks),
};
