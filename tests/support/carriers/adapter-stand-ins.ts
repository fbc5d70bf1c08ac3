// Stand-ins of the services that the program knows, written from their public documentation: each checks the request and
// answers as the service documents it.
import assert from "node:assert/strict";
import type { Answer, ReceivedRequest } from "../http/receiver.ts";
import { pdf } from "./label-stand-in.ts";

type Json = Readonly<Record<string, unknown>>;

export interface AdapterStandIn {
  readonly kind: "EASYPOST" | "SHIPPO" | "SHIPSTATION" | "KARRIO";
  /** Settings of the service. */
  readonly service: Json;
  readonly headers: Readonly<Record<string, string>>;
  readonly paths: Readonly<Record<"buy" | "lookUp" | "void" | "test", string>>;
  /** Checks a purchase beyond its form. */
  check(body: Json): void;
  keyOf(body: Json): unknown;
  sold(base: string, key: string): Answer;
  found(base: string, keys: readonly string[]): Answer;
  /** A documented refusal, and its text. */
  readonly refusal: readonly [Answer, string];
  /** An answer that the label follows, where the service has one. */
  readonly queued?: Answer;
  readonly voided: Answer;
  readonly kept: readonly [Answer, string];
  readonly manifest: ManifestStandIn;
  readonly rate: RateStandIn;
}

interface RateStandIn {
  readonly path: string;
  readonly body: Json;
  /** The answer with the rate of one service. */
  answered(service: string): Answer;
}

interface ManifestStandIn {
  readonly make: string;
  readonly lookUp: string;
  check(body: Json, key: string): void;
  made(base: string, key: string): Answer;
  /** The answer of the look-up; without a key there is no manifest. */
  found(base: string, key: string | undefined): Answer;
  readonly refusal: readonly [Answer, string];
  readonly pending?: Answer;
}

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const part = (value: unknown, ...path: (string | number)[]) =>
  path.reduce<unknown>((whole, name) => (whole as Record<string | number, unknown> | undefined)?.[name], value);

export const expectedSale = { externalId: "EXT-1", trackingNumber: "TRACK-1", price: "7.58", currency: "USD" } as const;

const easyPost: AdapterStandIn = {
  kind: "EASYPOST",
  service: { service: "Priority", carrier_account: "ca_1", label_format: "PDF" },
  headers: { authorization: "Basic RVpBSzo=" },
  paths: {
    buy: "POST /shipments",
    lookUp: "GET /shipments/KEY",
    void: "POST /shipments/EXT-1/refund",
    test: "GET /carrier_accounts",
  },
  check(body) {
    const shipment = body.shipment as Json;
    assert.deepEqual(
      [shipment.service, shipment.carrier_accounts, part(shipment, "parcel", "weight")],
      ["Priority", ["ca_1"], 35.274],
    );
    assert.deepEqual(shipment.to_address, {
      name: "Mary Brown",
      street1: "1 High Street",
      city: "Boston",
      state: "MA",
      zip: "02108",
      country: "US",
    });
    assert.deepEqual(shipment.customs_info, {
      contents_type: "merchandise",
      customs_items: [
        {
          description: "Mug",
          quantity: 2,
          value: 20,
          currency: "GBP",
          weight: 24.692,
          hs_tariff_number: "691200",
          origin_country: "GB",
        },
      ],
    });
  },
  keyOf: (body) => part(body, "shipment", "reference"),
  sold: (base, key) =>
    json(201, {
      id: "EXT-1",
      object: "Shipment",
      reference: key,
      tracking_code: "TRACK-1",
      selected_rate: { carrier: "USPS", rate: "7.58", currency: "USD" },
      postage_label: { label_url: `${base}/files/label.pdf`, label_file_type: "application/pdf" },
      tracker: { public_url: "https://track.easypost.com/x" },
      refund_status: null,
    }),
  found: (base, [key]) => (key === undefined ? json(404, { error: { code: "NOT_FOUND" } }) : easyPost.sold(base, key)),
  refusal: [
    json(422, { error: { code: "SHIPMENT.POSTAGE.FAILURE", message: "Unable to buy postage.", errors: [] } }),
    "Unable to buy postage.",
  ],
  voided: json(200, { id: "EXT-1", refund_status: "submitted" }),
  kept: [json(200, { id: "EXT-1", refund_status: "not_applicable" }), "not_applicable"],
  rate: {
    path: "POST /shipments",
    body: {
      shipment: {
        to_address: {
          name: "Mary Brown",
          street1: "1 High Street",
          city: "Boston",
          state: "MA",
          zip: "02108",
          country: "US",
        },
        from_address: { name: "Demo brand", street1: "Dock 1", city: "London", zip: "SS17 9DY", country: "GB" },
        parcel: { weight: 35.274 },
        carrier_accounts: ["ca_1"],
      },
    },
    answered: (service) =>
      json(201, {
        id: "shp_1",
        object: "Shipment",
        rates: [{ object: "Rate", service, rate: "7.58", currency: "USD" }],
      }),
  },
  manifest: {
    make: "POST /scan_forms",
    lookUp: "GET /shipments/EXT-1",
    check: (body) => assert.deepEqual(body, { shipments: [{ id: "EXT-1" }, { id: "EXT-2" }] }),
    made: (base) => json(201, scanForm(base)),
    found: (base, key) =>
      json(200, { id: "EXT-1", object: "Shipment", scan_form: key === undefined ? null : scanForm(base) }),
    refusal: [
      json(422, { error: { code: "SCAN_FORM.CREATE", message: "Shipments have different origin addresses." } }),
      "Shipments have different origin addresses.",
    ],
    pending: json(201, { id: "MAN-1", object: "ScanForm", status: "creating" }),
  },
};
const scanForm = (base: string) => ({
  id: "MAN-1",
  object: "ScanForm",
  status: "created",
  form_url: `${base}/files/manifest.pdf`,
  tracking_codes: ["TRACK-1", "TRACK-2"],
});

const shippo: AdapterStandIn = {
  kind: "SHIPPO",
  service: {
    service: "usps_priority",
    carrier_account: "acc_1",
    label_format: "PDF_4x6",
    length: "30",
    width: "20",
    height: "10",
  },
  headers: { authorization: "ShippoToken shippo_test_1" },
  paths: {
    buy: "POST /transactions/",
    lookUp: "GET /transactions/?results=100",
    void: "POST /refunds/",
    test: "GET /carrier_accounts/?results=1",
  },
  check(body) {
    assert.deepEqual(
      [body.carrier_account, body.servicelevel_token, body.label_file_type, body.async],
      ["acc_1", "usps_priority", "PDF_4x6", false],
    );
    assert.deepEqual(part(body, "shipment", "parcels", 0), {
      weight: 1,
      mass_unit: "kg",
      length: 30,
      width: 20,
      height: 10,
      distance_unit: "cm",
    });
    assert.equal(part(body, "shipment", "address_to", "zip"), "02108");
  },
  keyOf: (body) => body.metadata,
  sold: (base, key) =>
    json(201, {
      object_id: "EXT-1",
      status: "SUCCESS",
      metadata: key,
      tracking_number: "TRACK-1",
      tracking_url_provider: "https://track.example/x",
      label_url: `${base}/files/label.pdf`,
      rate: { amount: "7.58", currency: "USD" },
      messages: [],
    }),
  found: (base, keys) => {
    const results = keys.map((key) => JSON.parse(String((shippo.sold(base, key) as { body: string }).body)) as unknown);
    return json(200, { next: null, previous: null, results: [{ object_id: "X", metadata: "other" }, ...results] });
  },
  refusal: [
    json(201, {
      object_id: "EXT-0",
      status: "ERROR",
      messages: [{ source: "USPS", code: "", text: "Recipient address invalid." }],
    }),
    "Recipient address invalid.",
  ],
  queued: json(201, { object_id: "EXT-1", status: "QUEUED", messages: [] }),
  voided: json(201, { object_id: "R-1", status: "QUEUED", transaction: "EXT-1" }),
  kept: [json(201, { object_id: "R-1", status: "ERROR", transaction: "EXT-1" }), "ERROR"],
  rate: {
    path: "POST /shipments/",
    body: {
      address_from: { name: "Demo brand", street1: "Dock 1", city: "London", zip: "SS17 9DY", country: "GB" },
      address_to: {
        name: "Mary Brown",
        street1: "1 High Street",
        city: "Boston",
        state: "MA",
        zip: "02108",
        country: "US",
      },
      parcels: [{ weight: 1, mass_unit: "kg", length: "30", width: "20", height: "10", distance_unit: "cm" }],
      carrier_accounts: ["acc_1"],
      async: false,
    },
    answered: (token) =>
      json(201, { status: "SUCCESS", rates: [{ amount: "7.58", currency: "USD", servicelevel: { token } }] }),
  },
  manifest: {
    make: "POST /manifests/",
    lookUp: "GET /manifests/?results=100",
    check(body) {
      assert.deepEqual(
        [body.carrier_account, body.shipment_date, body.transactions, body.async],
        ["acc_1", "2026-11-26T17:00:00.000Z", ["EXT-1", "EXT-2"], false],
      );
      assert.equal(part(body, "address_from", "street1"), "Dock 1");
    },
    made: (base) => json(201, shippoManifest(base)),
    found: (base, key) =>
      json(200, {
        next: null,
        results: [{ object_id: "MAN-0", transactions: ["X"] }, ...(key === undefined ? [] : [shippoManifest(base)])],
      }),
    refusal: [
      json(201, { object_id: "MAN-0", status: "ERROR", errors: ["A transaction has been manifested."] }),
      "A transaction has been manifested.",
    ],
    pending: json(201, { object_id: "MAN-1", status: "QUEUED", documents: [], errors: [] }),
  },
};
const shippoManifest = (base: string) => ({
  object_id: "MAN-1",
  status: "SUCCESS",
  documents: [`${base}/files/manifest.pdf`],
  transactions: ["EXT-2", "EXT-1"],
  errors: [],
});

const shipStation: AdapterStandIn = {
  kind: "SHIPSTATION",
  service: { service: "usps_priority_mail", carrier_id: "se-28529731", label_format: "pdf" },
  headers: { "api-key": "TEST_1" },
  paths: {
    buy: "POST /v2/labels",
    lookUp: "GET /v2/labels/external_shipment_id/KEY",
    void: "PUT /v2/labels/EXT-1/void",
    test: "GET /v2/carriers",
  },
  check(body) {
    assert.deepEqual(
      [body.label_format, body.label_layout, body.label_download_type, part(body, "shipment", "service_code")],
      ["pdf", "4x6", "url", "usps_priority_mail"],
    );
    assert.deepEqual(part(body, "shipment", "ship_to"), {
      name: "Mary Brown",
      address_line1: "1 High Street",
      city_locality: "Boston",
      state_province: "MA",
      postal_code: "02108",
      country_code: "US",
    });
    assert.deepEqual(part(body, "shipment", "packages", 0), {
      weight: { value: 1000, unit: "gram" },
      dimensions: { length: 30, width: 20, height: 10, unit: "centimeter" },
    });
    assert.deepEqual(part(body, "shipment", "customs", "customs_items", 0, "value"), { amount: "10", currency: "GBP" });
  },
  keyOf: (body) => part(body, "shipment", "external_shipment_id"),
  sold: (base) =>
    json(200, {
      label_id: "EXT-1",
      status: "completed",
      tracking_number: "TRACK-1",
      shipment_cost: { currency: "usd", amount: 7.58 },
      label_download: { pdf: `${base}/files/label.pdf`, href: `${base}/files/label.pdf` },
      voided: false,
    }),
  found: (base, [key]) =>
    key === undefined ? json(404, { errors: [{ message: "not found" }] }) : shipStation.sold(base, key),
  refusal: [
    json(400, {
      request_id: "r",
      errors: [
        {
          error_source: "carrier",
          error_type: "business_rules",
          error_code: "invalid_address",
          message: "Invalid zip.",
        },
      ],
    }),
    "Invalid zip.",
  ],
  queued: json(200, { label_id: "EXT-1", status: "processing" }),
  voided: json(200, { approved: true, message: "Request for refund submitted." }),
  kept: [json(200, { approved: false, message: "The label has been used." }), "The label has been used."],
  rate: {
    path: "POST /v2/rates",
    body: {
      rate_options: { carrier_ids: ["se-28529731"], service_codes: ["usps_priority_mail"] },
      shipment: {
        ship_date: "2026-11-26",
        ship_to: {
          name: "Mary Brown",
          address_line1: "1 High Street",
          city_locality: "Boston",
          state_province: "MA",
          postal_code: "02108",
          country_code: "US",
        },
        ship_from: {
          name: "Demo brand",
          address_line1: "Dock 1",
          city_locality: "London",
          postal_code: "SS17 9DY",
          country_code: "GB",
        },
        packages: [{ weight: { value: 1000, unit: "gram" } }],
      },
    },
    answered: (service_code) =>
      json(200, {
        rate_response: {
          rates: [{ service_code, shipping_amount: { currency: "usd", amount: 7.58 } }],
          status: "completed",
          errors: [],
        },
      }),
  },
  manifest: {
    make: "POST /v2/manifests",
    lookUp: "GET /v2/manifests?label_ids=EXT-1",
    check: (body) => assert.deepEqual(body, { label_ids: ["EXT-1", "EXT-2"] }),
    made: (base) => json(200, { manifests: [shipStationManifest(base)], manifest_requests: [{ status: "completed" }] }),
    found: (base, key) => json(200, { manifests: key === undefined ? [] : [shipStationManifest(base)], total: 1 }),
    refusal: [
      json(400, { request_id: "r", errors: [{ error_code: "manifest_already_exists", message: "No label is left." }] }),
      "No label is left.",
    ],
    pending: json(200, { manifests: [], manifest_requests: [{ status: "in_progress" }] }),
  },
};
const shipStationManifest = (base: string) => ({
  manifest_id: "MAN-1",
  shipments: 2,
  label_ids: ["EXT-1", "EXT-2"],
  manifest_download: { href: `${base}/files/manifest.pdf` },
});

const karrio: AdapterStandIn = {
  kind: "KARRIO",
  service: { service: "usps_priority_mail", carrier_id: "usps", carrier_name: "usps", label_format: "PDF" },
  headers: { authorization: "Token key_1" },
  paths: {
    buy: "POST /v1/shipments",
    lookUp: "GET /v1/shipments?reference=KEY",
    void: "POST /v1/shipments/EXT-1/cancel",
    test: "GET /v1/carriers",
  },
  check(body) {
    assert.deepEqual([body.service, body.carrier_ids, body.label_type], ["usps_priority_mail", ["usps"], "PDF"]);
    assert.deepEqual(part(body, "recipient"), {
      person_name: "Mary Brown",
      address_line1: "1 High Street",
      city: "Boston",
      state_code: "MA",
      postal_code: "02108",
      country_code: "US",
    });
    assert.equal(part(body, "customs", "commodities", 0, "hs_code"), "691200");
  },
  keyOf: (body) => body.reference,
  sold: (_, key) =>
    json(201, {
      id: "EXT-1",
      status: "purchased",
      reference: key,
      tracking_number: "TRACK-1",
      tracking_url: "/v1/trackers/usps/TRACK-1",
      selected_rate: { total_charge: 7.58, currency: "USD" },
      docs: { label: pdf.toString("base64") },
    }),
  found: (base, keys) => {
    const results = keys.map((key) => JSON.parse(String((karrio.sold(base, key) as { body: string }).body)) as unknown);
    return json(200, { count: results.length, next: null, previous: null, results });
  },
  refusal: [
    json(424, { errors: [{ code: "carrier_error", message: "The postal code is invalid." }] }),
    "The postal code is invalid.",
  ],
  voided: json(200, { id: "EXT-1", status: "cancelled" }),
  kept: [json(424, { errors: [{ message: "It is on its way." }] }), "It is on its way."],
  rate: {
    path: "POST /v1/proxy/rates",
    body: {
      shipper: {
        person_name: "Demo brand",
        address_line1: "Dock 1",
        city: "London",
        postal_code: "SS17 9DY",
        country_code: "GB",
      },
      recipient: {
        person_name: "Mary Brown",
        address_line1: "1 High Street",
        city: "Boston",
        state_code: "MA",
        postal_code: "02108",
        country_code: "US",
      },
      parcels: [{ weight: 1, weight_unit: "KG" }],
      services: ["usps_priority_mail"],
      carrier_ids: ["usps"],
    },
    answered: (service) =>
      json(207, { messages: [], rates: [{ service, total_charge: 7.58, currency: "USD", carrier_id: "usps" }] }),
  },
  manifest: {
    make: "POST /v1/manifests",
    lookUp: "GET /v1/manifests",
    check(body, key) {
      assert.deepEqual([body.carrier_name, body.reference, body.shipment_ids], ["usps", key, ["EXT-1", "EXT-2"]]);
      assert.equal(part(body, "address", "postal_code"), "SS17 9DY");
    },
    made: (_, key) => json(201, karrioManifest(key)),
    found: (_, key) =>
      json(200, {
        results: [{ id: "MAN-0", reference: "other" }, ...(key === undefined ? [] : [karrioManifest(key)])],
      }),
    refusal: [json(424, { errors: [{ message: "The carrier makes no manifest." }] }), "The carrier makes no manifest."],
  },
};
/** Its address is a path below the instance. */
const karrioManifest = (key: string) => ({
  id: "MAN-1",
  reference: key,
  manifest_url: "/files/manifest.pdf",
  doc: null,
});

export const adapterStandIns: readonly AdapterStandIn[] = [easyPost, shippo, shipStation, karrio];

export const pathOf = ({ method, path }: ReceivedRequest, key: string) => `${method} ${path.replace(key, "KEY")}`;
