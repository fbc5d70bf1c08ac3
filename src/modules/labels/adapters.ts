import type { SourceCall, SourceCalls, sourceKinds } from "#/modules/labels/source-contract.ts";

type Reading = Pick<SourceCall, "succeeds" | "isPending" | "answer">;
type Adapter = Exclude<(typeof sourceKinds)[number], "HTTP">;

/**
 * https://docs.easypost.com/docs/shipments: a shipment with one carrier account and its service is bought by its creation;
 * `reference` identifies it in the place of its id. Authentication is Basic, with the key as user.
 */
const ofEasyPost: Reading = {
  answer: {
    externalId: ["id"],
    trackingNumber: ["tracking_code"],
    trackingUrl: ["tracker.public_url"],
    labelUrl: ["postage_label.label_url"],
    price: ["selected_rate.rate"],
    currency: ["selected_rate.currency"],
    error: ["error.message", "messages.0.message", "error.code"],
  },
  succeeds: { field: "postage_label.label_url", op: "exists", value: true },
};
const streetAddress = (party: string) => ({
  name: `{${party}.name}`,
  company: `{${party}.companyName}`,
  street1: `{${party}.address1}`,
  street2: `{${party}.address2}`,
  city: `{${party}.city}`,
  state: `{${party}.state}`,
  zip: `{${party}.zip}`,
  country: `{${party}.country}`,
  phone: `{${party}.phone}`,
  email: `{${party}.email}`,
});
const easyPost: SourceCalls = {
  // A shipment without a service is not bought: it answers the rates of its services.
  rate: {
    method: "POST",
    path: "/shipments",
    body: {
      shipment: {
        to_address: streetAddress("to"),
        from_address: streetAddress("from"),
        parcel: { weight: "{parcel.weight.oz}" },
        carrier_accounts: ["{service.carrier_account}"],
      },
    },
    entry: { list: "rates", field: "service", value: "service.service" },
    answer: { price: ["rate"], currency: ["currency"], error: ["error.message", "messages.0.message"] },
  },
  buy: {
    method: "POST",
    path: "/shipments",
    body: {
      shipment: {
        reference: "{purchase.key}",
        to_address: streetAddress("to"),
        from_address: streetAddress("from"),
        parcel: {
          weight: "{parcel.weight.oz}",
          length: "{parcel.in.length}",
          width: "{parcel.in.width}",
          height: "{parcel.in.height}",
        },
        service: "{service.service}",
        carrier_accounts: ["{service.carrier_account}"],
        options: {
          label_format: "{service.label_format}",
          print_custom_1: "{order.orderId}",
          incoterm: "{customs.incoterm}",
        },
        customs_info: {
          contents_type: "{customs.contents}",
          customs_items: {
            each: "{customs.goods}",
            as: {
              description: "{item.description}",
              quantity: "{item.qty}",
              value: "{item.value}",
              currency: "{item.currency}",
              weight: "{item.weight.oz}",
              hs_tariff_number: "{item.hsCode}",
              origin_country: "{item.countryOfOrigin}",
            },
          },
        },
      },
    },
    ...ofEasyPost,
  },
  lookUp: { method: "GET", path: "/shipments/{purchase.key}", ...ofEasyPost },
  void: {
    method: "POST",
    path: "/shipments/{purchase.externalId}/refund",
    succeeds: { field: "refund_status", op: "in", value: ["submitted", "refunded"] },
    answer: { error: ["error.message", "refund_status"] },
  },
  // A shipment is in one scan form, which its record names: https://docs.easypost.com/docs/scan-form.
  manifest: {
    method: "POST",
    path: "/scan_forms",
    body: { shipments: { each: "{parcels}", as: { id: "{item.externalId}" } } },
    succeeds: { field: "status", op: "eq", value: "created" },
    isPending: { field: "status", op: "eq", value: "creating" },
    answer: { externalId: ["id"], labelUrl: ["form_url"], error: ["error.message", "message"] },
  },
  manifestLookUp: {
    method: "GET",
    path: "/shipments/{manifest.firstId}",
    succeeds: { field: "scan_form.form_url", op: "exists", value: true },
    isPending: { field: "scan_form.status", op: "eq", value: "creating" },
    answer: { externalId: ["scan_form.id"], labelUrl: ["scan_form.form_url"], error: ["error.message"] },
  },
  test: { method: "GET", path: "/carrier_accounts", answer: { error: ["error.message"] } },
};

/**
 * https://docs.goshippo.com/guides/single-call: a transaction with the shipment buys at once, and answers 201 also where it fails.
 * Shippo has no key of a request: `metadata` finds a transaction again. Authentication is `ShippoToken`.
 */
const ofShippo = {
  externalId: ["object_id"],
  trackingNumber: ["tracking_number"],
  trackingUrl: ["tracking_url_provider"],
  labelUrl: ["label_url"],
  price: ["rate.amount"],
  currency: ["rate.currency"],
  error: ["messages.0.text", "detail", "message"],
};
const shippoAnswer: Reading = {
  succeeds: { field: "status", op: "eq", value: "SUCCESS" },
  isPending: { field: "status", op: "in", value: ["QUEUED", "WAITING"] },
  answer: ofShippo,
};
const shippoManifest: Reading = {
  succeeds: { field: "status", op: "eq", value: "SUCCESS" },
  isPending: { field: "status", op: "in", value: ["QUEUED", "WAITING"] },
  answer: { externalId: ["object_id"], labelUrl: ["documents.0"], error: ["errors.0", "detail", "message"] },
};
const shippo: SourceCalls = {
  // Shippo rates no parcel without sides: they are settings of the service.
  rate: {
    method: "POST",
    path: "/shipments/",
    body: {
      address_from: streetAddress("from"),
      address_to: streetAddress("to"),
      parcels: [
        {
          weight: "{parcel.weight.kg}",
          mass_unit: "kg",
          length: "{service.length}",
          width: "{service.width}",
          height: "{service.height}",
          distance_unit: "cm",
        },
      ],
      carrier_accounts: ["{service.carrier_account}"],
      async: false,
    },
    entry: { list: "rates", field: "servicelevel.token", value: "service.service" },
    answer: { price: ["amount"], currency: ["currency"], error: ["messages.0.text", "detail"] },
  },
  buy: {
    method: "POST",
    path: "/transactions/",
    body: {
      shipment: {
        address_from: streetAddress("from"),
        address_to: streetAddress("to"),
        parcels: [
          {
            weight: "{parcel.weight.kg}",
            mass_unit: "kg",
            length: "{parcel.cm.length}",
            width: "{parcel.cm.width}",
            height: "{parcel.cm.height}",
            distance_unit: "cm",
          },
        ],
        customs_declaration: "{service.customs_declaration}",
        extra: { reference_1: "{order.orderId}" },
      },
      carrier_account: "{service.carrier_account}",
      servicelevel_token: "{service.service}",
      label_file_type: "{service.label_format}",
      metadata: "{purchase.key}",
      async: false,
    },
    ...shippoAnswer,
  },
  lookUp: {
    method: "GET",
    path: "/transactions/?results=100",
    entry: { list: "results", field: "metadata" },
    ...shippoAnswer,
  },
  void: {
    method: "POST",
    path: "/refunds/",
    body: { transaction: "{purchase.externalId}", async: false },
    succeeds: { field: "status", op: "in", value: ["QUEUED", "PENDING", "SUCCESS"] },
    answer: { error: ["transaction.0", "detail", "status"] },
  },
  // https://docs.goshippo.com/docs/Manifests_and_Pickups/ManifestAndScanForms
  manifest: {
    method: "POST",
    path: "/manifests/",
    body: {
      carrier_account: "{service.carrier_account}",
      shipment_date: "{shippedAt}",
      address_from: streetAddress("from"),
      transactions: "{manifest.externalIds}",
      async: false,
    },
    ...shippoManifest,
  },
  manifestLookUp: {
    method: "GET",
    path: "/manifests/?results=100",
    entry: { list: "results", field: "transactions", value: "manifest.firstId" },
    ...shippoManifest,
  },
  test: { method: "GET", path: "/carrier_accounts/?results=1", answer: { error: ["detail"] } },
};

/**
 * https://docs.shipstation.com/create-labels: `external_shipment_id` finds the label of a shipment again. Authentication is the header
 * `api-key`.
 */
const shipStationAnswer: Reading = {
  succeeds: { field: "status", op: "eq", value: "completed" },
  isPending: { field: "status", op: "eq", value: "processing" },
  answer: {
    externalId: ["label_id"],
    trackingNumber: ["tracking_number"],
    trackingUrl: ["tracking_url"],
    labelUrl: ["label_download.href", "label_download.pdf", "label_download.zpl", "label_download.png"],
    price: ["shipment_cost.amount"],
    currency: ["shipment_cost.currency"],
    error: ["errors.0.message"],
  },
};
const shipStationAddress = (party: string) => ({
  name: `{${party}.name}`,
  company_name: `{${party}.companyName}`,
  phone: `{${party}.phone}`,
  email: `{${party}.email}`,
  address_line1: `{${party}.address1}`,
  address_line2: `{${party}.address2}`,
  city_locality: `{${party}.city}`,
  state_province: `{${party}.state}`,
  postal_code: `{${party}.zip}`,
  country_code: `{${party}.country}`,
});
const shipStation: SourceCalls = {
  rate: {
    method: "POST",
    path: "/v2/rates",
    body: {
      rate_options: { carrier_ids: ["{service.carrier_id}"], service_codes: ["{service.service}"] },
      shipment: {
        ship_date: "{shipDate}",
        ship_to: shipStationAddress("to"),
        ship_from: shipStationAddress("from"),
        packages: [{ weight: { value: "{parcel.weight.g}", unit: "gram" } }],
      },
    },
    entry: { list: "rate_response.rates", field: "service_code", value: "service.service" },
    answer: {
      price: ["shipping_amount.amount"],
      currency: ["shipping_amount.currency"],
      error: ["rate_response.errors.0.message", "errors.0.message"],
    },
  },
  buy: {
    method: "POST",
    path: "/v2/labels",
    body: {
      shipment: {
        carrier_id: "{service.carrier_id}",
        service_code: "{service.service}",
        external_shipment_id: "{purchase.key}",
        external_order_id: "{order.orderId}",
        ship_date: "{shipDate}",
        ship_to: shipStationAddress("to"),
        ship_from: shipStationAddress("from"),
        packages: [
          {
            weight: { value: "{parcel.weight.g}", unit: "gram" },
            dimensions: {
              if: "{parcel.cm.length}",
              as: {
                length: "{parcel.cm.length}",
                width: "{parcel.cm.width}",
                height: "{parcel.cm.height}",
                unit: "centimeter",
              },
            },
          },
        ],
        customs: {
          contents: "{customs.contents}",
          customs_items: {
            each: "{customs.goods}",
            as: {
              sku: "{item.sku}",
              description: "{item.description}",
              quantity: "{item.qty}",
              value: { amount: "{item.unitValue}", currency: "{item.currency}" },
              harmonized_tariff_code: "{item.hsCode}",
              country_of_origin: "{item.countryOfOrigin}",
            },
          },
        },
      },
      label_format: "{service.label_format}",
      label_layout: "4x6",
      label_download_type: "url",
    },
    ...shipStationAnswer,
  },
  lookUp: { method: "GET", path: "/v2/labels/external_shipment_id/{purchase.key}", ...shipStationAnswer },
  void: {
    method: "PUT",
    path: "/v2/labels/{purchase.externalId}/void",
    succeeds: { field: "approved", op: "eq", value: true },
    answer: { error: ["message", "errors.0.message"] },
  },
  // https://docs.shipstation.com/creating-manifests: the labels of one day.
  manifest: {
    method: "POST",
    path: "/v2/manifests",
    body: { label_ids: "{manifest.externalIds}" },
    succeeds: { field: "manifests.0.manifest_download.href", op: "exists", value: true },
    isPending: { field: "manifest_requests.0.status", op: "eq", value: "in_progress" },
    answer: {
      externalId: ["manifests.0.manifest_id"],
      labelUrl: ["manifests.0.manifest_download.href"],
      error: ["errors.0.message"],
    },
  },
  manifestLookUp: {
    method: "GET",
    path: "/v2/manifests?label_ids={manifest.firstId}",
    entry: { list: "manifests", field: "label_ids", value: "manifest.firstId" },
    isPending: { field: "manifest_download.href", op: "exists", value: false },
    answer: { externalId: ["manifest_id"], labelUrl: ["manifest_download.href"], error: ["errors.0.message"] },
  },
  test: { method: "GET", path: "/v2/carriers", answer: { error: ["errors.0.message"] } },
};

/**
 * https://docs.karrio.io/reference/api/shipments: a shipment with a service is bought by its creation. Karrio has no key of a request:
 * `reference` finds a shipment again. Authentication is `Token`.
 */
const karrioAnswer: Reading = {
  succeeds: { field: "status", op: "in", value: ["purchased", "created"] },
  answer: {
    externalId: ["id"],
    trackingNumber: ["tracking_number"],
    trackingUrl: ["tracking_url"],
    label: ["docs.label"],
    labelUrl: ["label_url"],
    price: ["selected_rate.total_charge"],
    currency: ["selected_rate.currency"],
    error: ["errors.0.message", "messages.0.message"],
  },
};
const karrioAddress = (party: string) => ({
  person_name: `{${party}.name}`,
  company_name: `{${party}.companyName}`,
  address_line1: `{${party}.address1}`,
  address_line2: `{${party}.address2}`,
  city: `{${party}.city}`,
  state_code: `{${party}.state}`,
  postal_code: `{${party}.zip}`,
  country_code: `{${party}.country}`,
  phone_number: `{${party}.phone}`,
  email: `{${party}.email}`,
});
const karrioManifest: Reading["answer"] = {
  externalId: ["id"],
  label: ["doc.manifest"],
  labelUrl: ["manifest_url"],
  error: ["errors.0.message", "messages.0.message"],
};
const karrio: SourceCalls = {
  rate: {
    method: "POST",
    path: "/v1/proxy/rates",
    body: {
      shipper: karrioAddress("from"),
      recipient: karrioAddress("to"),
      parcels: [{ weight: "{parcel.weight.kg}", weight_unit: "KG" }],
      services: ["{service.service}"],
      carrier_ids: ["{service.carrier_id}"],
    },
    entry: { list: "rates", field: "service", value: "service.service" },
    answer: { price: ["total_charge"], currency: ["currency"], error: ["messages.0.message", "errors.0.message"] },
  },
  buy: {
    method: "POST",
    path: "/v1/shipments",
    body: {
      reference: "{purchase.key}",
      service: "{service.service}",
      carrier_ids: ["{service.carrier_id}"],
      label_type: "{service.label_format}",
      shipper: karrioAddress("from"),
      recipient: karrioAddress("to"),
      parcels: [
        {
          weight: "{parcel.weight.kg}",
          weight_unit: "KG",
          length: "{parcel.cm.length}",
          width: "{parcel.cm.width}",
          height: "{parcel.cm.height}",
          dimension_unit: "CM",
          reference_number: "{parcel.olpnId}",
        },
      ],
      customs: {
        incoterm: "{customs.incoterm}",
        content_type: "{customs.contents}",
        commodities: {
          each: "{customs.goods}",
          as: {
            sku: "{item.sku}",
            description: "{item.description}",
            quantity: "{item.qty}",
            weight: "{item.unitWeight.kg}",
            weight_unit: "KG",
            value_amount: "{item.unitValue}",
            value_currency: "{item.currency}",
            hs_code: "{item.hsCode}",
            origin_country: "{item.countryOfOrigin}",
          },
        },
      },
    },
    ...karrioAnswer,
  },
  lookUp: {
    method: "GET",
    path: "/v1/shipments?reference={purchase.key}",
    entry: { list: "results", field: "reference" },
    ...karrioAnswer,
  },
  void: {
    method: "POST",
    path: "/v1/shipments/{purchase.externalId}/cancel",
    succeeds: { field: "status", op: "eq", value: "cancelled" },
    answer: { error: ["errors.0.message", "messages.0.message", "status"] },
  },
  // https://docs.karrio.io/reference/api/manifests
  manifest: {
    method: "POST",
    path: "/v1/manifests",
    body: {
      carrier_name: "{service.carrier_name}",
      address: karrioAddress("from"),
      reference: "{manifest.key}",
      shipment_ids: "{manifest.externalIds}",
    },
    succeeds: { field: "id", op: "exists", value: true },
    answer: karrioManifest,
  },
  manifestLookUp: {
    method: "GET",
    path: "/v1/manifests",
    entry: { list: "results", field: "reference", value: "manifest.key" },
    answer: karrioManifest,
  },
  test: { method: "GET", path: "/v1/carriers", answer: { error: ["errors.0.message"] } },
};

/** The calls of the services that the program knows, written from their public documentation: data, and no code. */
export const adapters: Readonly<Record<Adapter, SourceCalls>> = {
  EASYPOST: easyPost,
  SHIPPO: shippo,
  SHIPSTATION: shipStation,
  KARRIO: karrio,
};
