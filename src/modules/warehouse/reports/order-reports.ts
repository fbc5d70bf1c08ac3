import Type, { type TSchema } from "typebox";
import { maybeText } from "#/http/routes/schema.ts";
import { assert } from "#/kernel/assert.ts";
import { resolveSettings } from "#/modules/clients/index.ts";
import {
  answerCancel,
  countUnnumbered,
  type PackOrder,
  type PackTerms,
  reportPack,
  reportPick,
  voidParcel,
} from "#/modules/orders/index.ts";
import type { IntakeTerms } from "#/modules/warehouse/reports/intake-reports.ts";
import {
  type CancelBody,
  cancelReport,
  type PackBody,
  type ParcelVoidBody,
  type PickBody,
  packReport,
  parcelVoidReport,
  pickReport,
} from "#/modules/warehouse/reports/report-contract.ts";
import {
  answerOf,
  type OneClient,
  oneClient,
  type ReportBody,
  type ReportKind,
  resultOf,
  type ServiceResult,
} from "#/modules/warehouse/reports/report-kind.ts";
import { takeOffTask } from "#/modules/warehouse/tasks/picked-task.ts";

const bucket = (what: string) => Type.Number({ description: `${what}.`, examples: [0] });

/** The state of an order after a report on it. */
const orderFields = {
  orderId: Type.String({ description: "The order.", examples: ["WEB-100045"] }),
  status: Type.String({ description: "State of the order after the report.", examples: ["PICKING"] }),
  lines: Type.Array(
    Type.Object(
      {
        lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
        status: Type.String({ description: "State of the line.", examples: ["PICKING"] }),
        qtyOrdered: bucket("Ordered"),
        qtyOpen: bucket("Not yet allocated or back-ordered"),
        qtyBackordered: bucket("Waiting for stock"),
        qtyAllocated: bucket("Reserved"),
        qtyPicked: bucket("Picked"),
        qtyPacked: bucket("Packed"),
        qtyDespatched: bucket("Gone out"),
        qtyCancelled: bucket("Cancelled"),
      },
      { additionalProperties: true },
    ),
    { description: "The lines after the report." },
  ),
};

const orderAnswer = answerOf("OrderAnswer", "The order after the report.", orderFields);

/** A report about one order of one client; the order service checks it. */
function ofOrder<Body extends ReportBody & { readonly orderId: string }>(
  kind: Pick<
    ReportKind<Body>,
    "name" | "path" | "operationId" | "summary" | "example" | "isOfStockOnly" | "isGrouped"
  > & {
    readonly schema: TSchema;
    readonly answer?: TSchema;
  },
  report: (place: OneClient, body: Body) => Promise<ServiceResult>,
): ReportKind<Body> {
  return {
    answer: orderAnswer,
    ...kind,
    objectOf: ({ orderId }) => ({ type: "order", ids: [orderId] }),
    async run(tx, change, clientIds, body, reporter) {
      const place = oneClient(tx, change, clientIds, reporter);
      return [resultOf(place.view.clientId, await report(place, body))];
    },
  };
}

const pick = ofOrder<PickBody>(
  {
    name: "pick",
    path: "/pick/report",
    operationId: "reportPick",
    summary: "Picked and short quantities of an order",
    schema: pickReport,
    isOfStockOnly: true,
    isGrouped: true,
    example: { clientId: "DEMO", orderId: "WEB-100045", lines: [{ lineNumber: 1, qtyPicked: 2 }] },
  },
  async ({ view, facilityCode, isForced }, body) => {
    const result = await reportPick(view, facilityCode, { ...body, isForced: isForced === true });
    if (!result.ok) return result;
    await takeOffTask(view, view.change.at, { orderId: body.orderId, facilityCode }, body.lines);
    return result;
  },
);

const cancel = ofOrder<CancelBody>(
  {
    name: "cancel",
    path: "/cancel/report",
    operationId: "reportCancel",
    summary: "Answer to a cancel request, line by line",
    schema: cancelReport,
    example: { clientId: "DEMO", orderId: "WEB-100045", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] },
  },
  ({ view, facilityCode }, body) => answerCancel(view, facilityCode, body),
);

const parcelVoid: ReportKind<ParcelVoidBody> = {
  name: "parcelVoid",
  path: "/parcel/void",
  isNeverUnprocessable: true,
  operationId: "voidParcel",
  summary: "A parcel is voided before it leaves; its contents are picked again",
  schema: parcelVoidReport,
  answer: orderAnswer,
  example: { clientId: "DEMO", olpnId: "006141410000000012" },
  objectOf: ({ olpnId }) => ({ type: "olpn", ids: [olpnId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    return [resultOf(view.clientId, await voidParcel(view, facilityCode, body))];
  },
};

export function createOrderReports(terms: PackKindTerms): readonly ReportKind[] {
  return [pick, createPackKind(terms), cancel, parcelVoid];
}

const warnings = (description: string, example: string) =>
  Type.Array(Type.String({ description: "A sentence.", examples: [example] }), { description });

const packedParcels = Type.Array(
  Type.Object(
    {
      olpnId: Type.String({ description: "The parcel: an SSCC-18.", examples: ["006141410000000012"] }),
      carrierCode: maybeText("Carrier.", "RM"),
      carrierServiceCode: maybeText("Service of the carrier; null where none is known.", "RM48"),
      trackingNumber: maybeText("Number by which the parcel is tracked.", "RM123456785GB"),
      decisionId: maybeText(
        "The decision for its service; null where the report named it.",
        "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
      ),
      documents: Type.Array(
        Type.Object(
          {
            documentId: Type.String({
              description: "The document; document/get of the Order service answers it.",
              examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
            }),
            type: Type.String({ description: "Kind of document.", examples: ["SHIPPING_LABEL"] }),
            contentType: Type.String({ description: "Its media type.", examples: ["application/zpl"] }),
            warnings: warnings(
              "Missing data, such as customs numbers.",
              "Line 1, SKU TEE-BLACK-M: the item has no HsCode.",
            ),
          },
          { additionalProperties: true },
        ),
        {
          description:
            "Documents that were produced: packing slip, shipping label as PDF and ZPL, and a commercial invoice where a customs border is crossed.",
        },
      ),
    },
    { additionalProperties: true },
  ),
  { description: "The created parcels." },
);

export type PackKindTerms = PackTerms & IntakeTerms;

function createPackKind(terms: PackKindTerms): ReportKind<PackBody, Pick<PackOrder, "at" | "seller">> {
  return {
    name: "pack",
    path: "/pack/report",
    operationId: "reportPack",
    summary: "Creates parcels (OLPNs); determines their carrier if none is fixed, and produces their papers",
    description:
      "A carrierServiceCode of the report is used as sent. So is a carrierCode; one of its services is chosen if one fits. The other parcels are one shipment, for which the carrier is determined by the carrier data. If no service fits, the answer is 409 with the reasons of each, and the order has the hold CARRIER_UNAVAILABLE: pack it again when that hold is released.",
    isGrouped: true,
    writesParcelKeys: true,
    schema: packReport,
    answer: answerOf("PackAnswer", "The order after the report, and the created parcels.", {
      ...orderFields,
      olpns: packedParcels,
      warnings: warnings("Replaced values.", 'shippingMethod "SLOW" is not mapped: STANDARD is used instead'),
    }),
    example: {
      clientId: "DEMO",
      orderId: "WEB-100045",
      olpns: [{ weight: 0.8, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 2 }] }],
    },
    objectOf: ({ orderId }) => ({ type: "order", ids: [orderId] }),
    async prepare(_database, at, [clientId], body) {
      assert(clientId !== undefined, "the report names a client");
      const client = await terms.findClient(clientId);
      const seller = { name: client?.name ?? clientId, customs: client?.settings ?? resolveSettings({}) };
      await terms.ssccs.stockUp(countUnnumbered(body));
      return { seller, at };
    },
    async run(tx, change, [clientId], body, { facilityCode }, prepared) {
      assert(clientId !== undefined && facilityCode !== undefined, "the report names a client of the facility");
      return [{ clientId, ...(await reportPack(tx, change, terms, { clientId, facilityCode, body, ...prepared })) }];
    },
  };
}
