import Type from "typebox";
import { notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import { clientsOfCarrierEvent, reportCarrierEvent } from "#/modules/orders/index.ts";
import { answerOf } from "#/modules/warehouse/reports/report-answer.ts";
import { type CarrierEventBody, carrierEventReport } from "#/modules/warehouse/reports/report-contract.ts";
import type { ClientResult, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import { resultOf } from "#/modules/warehouse/reports/report-run.ts";

const carrierEvent: ReportKind<CarrierEventBody> = {
  name: "carrierEvent",
  path: "/carrierEvent/report",
  operationId: "reportCarrierEvent",
  summary: "Reports a track-and-trace code of a parcel",
  schema: carrierEventReport,
  answer: answerOf("CarrierEventAnswer", "The result of the event.", {
    eventCode: Type.Integer({
      description: "Code of the platform; 399 for an unmapped code.",
      examples: [160],
    }),
    eventName: Type.String({ description: "Its name.", examples: ["Out for Delivery"] }),
    isRepeat: Type.Boolean({ description: "The event was known: no change.", examples: [false] }),
    olpns: Type.Array(
      Type.Object(
        {
          olpnId: Type.String({ description: "The parcel.", examples: ["006141410000000012"] }),
          status: Type.String({ description: "State of the parcel after the event.", examples: ["OUT_FOR_DELIVERY"] }),
          orderId: Type.String({ description: "Its order.", examples: ["WEB-100045"] }),
          orderStatus: Type.Optional(
            Type.String({ description: "State of the order after the event.", examples: ["DESPATCHED"] }),
          ),
        },
        { additionalProperties: true },
      ),
      { description: "The parcels with the number." },
    ),
  }),
  isGrouped: true,
  example: { olpnId: "006141410000000012", eventCode: 160, occurredAt: "2026-11-20T10:00:00.000Z" },
  objectOf: ({ olpnId, trackingNumber }) => ({ type: "olpn", ids: [olpnId ?? trackingNumber ?? ""] }),
  shapeFaults: ({ olpnId, trackingNumber, eventCode, carrierEventCode }) => [
    ...(olpnId === undefined && trackingNumber === undefined
      ? [{ pointer: "", message: "must name the parcel by olpnId or trackingNumber" }]
      : []),
    ...(eventCode === undefined && carrierEventCode === undefined
      ? [{ pointer: "", message: "must name the event by eventCode or carrierEventCode" }]
      : []),
  ],
  async clientsOf(tx, body) {
    const clientIds = await clientsOfCarrierEvent(tx, body);
    return clientIds.length > 0 ? ok(clientIds) : refused(refusalOfUnknown(body));
  },
  async run(tx, change, clientIds, body, { facilityCode, carrierCode }) {
    const results: ClientResult[] = [];
    let absent: ClientResult[] = [];
    for (const clientId of clientIds) {
      const source = { facilityCode, carrierCode };
      const result = await reportCarrierEvent(tx.of(clientId, change), source, body);
      // Several clients may have a parcel with this tracking number, only one of them at this facility.
      if (!result.ok && result.fault.kind === "notFound") absent = [resultOf(clientId, result)];
      else results.push(resultOf(clientId, result));
      if (!result.ok && result.fault.kind !== "notFound") break;
    }
    return results.length > 0 ? results : absent;
  },
};

function refusalOfUnknown({ olpnId, trackingNumber }: CarrierEventBody): Refusal {
  return notFound(`There is no parcel ${olpnId ?? trackingNumber} here.`);
}

export const carrierReports: readonly ReportKind[] = [carrierEvent];
