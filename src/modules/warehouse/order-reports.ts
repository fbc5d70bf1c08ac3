import Type, { type TSchema } from "typebox";
import { nullable } from "#/http/schema.ts";
import { answerCancel, reportPack, reportPick, voidParcel } from "#/modules/orders/index.ts";
import type { SsccMint } from "#/modules/parcels/index.ts";
import { takeOffTask } from "#/modules/warehouse/picked-task.ts";
import { answerOf } from "#/modules/warehouse/report-answer.ts";
import {
  type CancelBody,
  cancelReport,
  type PackBody,
  type ParcelVoidBody,
  type PickBody,
  packReport,
  parcelVoidReport,
  pickReport,
} from "#/modules/warehouse/report-contract.ts";
import type { ReportBody, ReportKind } from "#/modules/warehouse/report-kind.ts";
import { effectOf, type OneClient, oneClient, type ServiceResult } from "#/modules/warehouse/report-run.ts";
import { markAccepted } from "#/modules/warehouse/task-repository.ts";

const bucket = (what: string) => Type.Number({ description: `${what}.`, examples: [0] });

/** Where an order stands after a report on it. */
export const orderFields = {
  orderId: Type.String({ description: "The order.", examples: ["WEB-100045"] }),
  status: Type.String({ description: "State of the order afterwards.", examples: ["PICKING"] }),
  lines: Type.Array(
    Type.Object(
      {
        lineNumber: Type.Integer({ description: "Number of the line.", examples: [1] }),
        status: Type.String({ description: "State of the line.", examples: ["PICKING"] }),
        qtyOrdered: bucket("Ordered"),
        qtyOpen: bucket("Waiting for stock to be looked for"),
        qtyBackordered: bucket("Waiting for stock that is not there"),
        qtyAllocated: bucket("Reserved"),
        qtyPicked: bucket("Picked"),
        qtyPacked: bucket("Packed"),
        qtyDespatched: bucket("Gone out"),
        qtyCancelled: bucket("Cancelled"),
      },
      { additionalProperties: true },
    ),
    { description: "Where the lines stand." },
  ),
};

const orderAnswer = answerOf("OrderAnswer", "Where the order stands afterwards.", orderFields);

const text = (description: string, example: string) => nullable(Type.String({ description, examples: [example] }));

const packedParcels = Type.Array(
  Type.Object(
    {
      olpnId: Type.String({ description: "The parcel: an SSCC-18.", examples: ["006141410000000012"] }),
      carrierCode: text("Carrier.", "RM"),
      carrierServiceCode: text("Service of the carrier.", "RM48"),
      trackingNumber: text("Number by which the parcel is tracked.", "RM123456785GB"),
      documents: Type.Array(
        Type.Object(
          {
            documentId: Type.String({
              description: "The document.",
              examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
            }),
            type: Type.String({ description: "What it is.", examples: ["SHIPPING_LABEL"] }),
          },
          { additionalProperties: true },
        ),
        { description: "Documents that were produced." },
      ),
    },
    { additionalProperties: true },
  ),
  { description: "The parcels that were made." },
);

/** A report about one order of one client, which its service judges. */
function ofOrder<Body extends ReportBody & { readonly orderId: string }>(
  kind: Pick<ReportKind<Body>, "name" | "path" | "operationId" | "summary" | "example"> & {
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
      return effectOf(place.clientId, await report(place, body));
    },
  };
}

const pick = ofOrder<PickBody>(
  {
    name: "pick",
    path: "/pick/report",
    operationId: "reportPick",
    summary: "What was picked for an order, and what was short",
    schema: pickReport,
    example: { clientId: "DEMO", orderId: "WEB-100045", lines: [{ lineNumber: 1, qtyPicked: 2 }] },
  },
  async ({ tx, change, clientId, facilityCode }, body) => {
    const result = await reportPick(tx, change, clientId, facilityCode, body);
    // A first pick takes the order, so it takes the task.
    const task = { type: "PICK", objectId: body.orderId, facilityCode } as const;
    if (!result.ok) return result;
    markAccepted(tx, clientId, change.at, [task]);
    await takeOffTask(tx, clientId, { orderId: body.orderId, facilityCode }, body.lines);
    return result;
  },
);

const packKind = (ssccs: SsccMint) =>
  ofOrder<PackBody>(
    {
      name: "pack",
      path: "/pack/report",
      operationId: "reportPack",
      summary: "Parcels (OLPNs) made; a carrier is determined where none is fixed",
      schema: packReport,
      answer: answerOf("PackAnswer", "Where the order stands, and the parcels that were made.", {
        ...orderFields,
        olpns: packedParcels,
      }),
      example: {
        clientId: "DEMO",
        orderId: "WEB-100045",
        olpns: [{ weight: 0.8, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 2 }] }],
      },
    },
    ({ tx, change, clientId, facilityCode }, body) => reportPack(tx, change, clientId, facilityCode, body, ssccs),
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
  ({ tx, change, clientId, facilityCode }, body) => answerCancel(tx, change, clientId, facilityCode, body),
);

const parcelVoid: ReportKind<ParcelVoidBody> = {
  name: "parcelVoid",
  path: "/parcel/void",
  isNeverUnprocessable: true,
  operationId: "voidParcel",
  summary: "A parcel is taken apart before it leaves; its contents are picked again",
  schema: parcelVoidReport,
  answer: orderAnswer,
  example: { clientId: "DEMO", olpnId: "006141410000000012" },
  objectOf: ({ olpnId }) => ({ type: "olpn", ids: [olpnId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { clientId, facilityCode } = oneClient(tx, change, clientIds, reporter);
    return effectOf(clientId, await voidParcel(tx, change, clientId, facilityCode, body));
  },
};

export interface OrderReportTerms {
  /** Numbers of parcels that the warehouse gives none. */
  readonly ssccs: SsccMint;
}

export function createOrderReports({ ssccs }: OrderReportTerms): readonly ReportKind[] {
  return [pick, packKind(ssccs), cancel, parcelVoid];
}
