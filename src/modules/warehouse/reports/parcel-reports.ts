import Type from "typebox";
import { assert } from "#/kernel/assert.ts";
import { notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { openBook } from "#/modules/inventory/index.ts";
import {
  clientsOfCarrierEvent,
  removeFromLoad,
  reportCarrierEvent,
  reportDespatch,
  reportLoad,
} from "#/modules/orders/index.ts";
import { clientsOfLoad, clientsOfParcels } from "#/modules/parcels/index.ts";
import {
  type CarrierEventBody,
  carrierEventReport,
  type DespatchBody,
  despatchReport,
  type LoadBody,
  type LoadRemoveBody,
  loadRemoveReport,
  loadReport,
} from "#/modules/warehouse/reports/report-contract.ts";
import {
  answerOf,
  type ClientResult,
  type Reporter,
  type ReportKind,
  resultOf,
  type ServiceResult,
} from "#/modules/warehouse/reports/report-kind.ts";
import type { Change } from "#/store/db/audit.ts";
import type { Transaction, Tx, UnitOfWork } from "#/store/db/database.ts";

const parcels = Type.Array(
  Type.Object(
    {
      olpnId: Type.String({ description: "The parcel.", examples: ["006141410000000012"] }),
      status: Type.String({ description: "State of the parcel after the report.", examples: ["LOADED"] }),
    },
    { additionalProperties: true },
  ),
  { description: "The parcels of the report." },
);

const parcelsAnswer = answerOf("ParcelsAnswer", "The parcels after the report.", { olpns: parcels });

/** The body names parcels or a load; a scanner at the gate does not know their clients. */
interface ParcelsBody {
  readonly clientId?: string | undefined;
  readonly loadId?: string | undefined;
  readonly olpnIds?: readonly string[] | undefined;
}

async function clientsOf(tx: Tx, body: ParcelsBody, { facilityCode }: Reporter): Promise<Result<string[], Refusal>> {
  assert(facilityCode !== undefined, "loads are a facility's");
  if (body.olpnIds === undefined) {
    const clients = await clientsOfLoad(tx, facilityCode, body.loadId ?? "");
    return clients.length > 0 ? ok(clients) : refused(notFound(`Facility ${facilityCode} has no load ${body.loadId}.`));
  }
  const owned = await clientsOfParcels(tx, body.olpnIds);
  const known = new Set([...owned.values()].flat());
  const unknown = body.olpnIds.filter((olpnId) => !known.has(olpnId));
  if (unknown.length === 0) return ok([...owned.keys()]);
  return refused(notFound(`Facility ${facilityCode} has no parcel ${unknown.slice(0, 20).join(", ")}.`));
}

/**
 * Runs the report for each client's parcels and orders, all in one transaction, so that a load leaves whole or not at
 * all.
 */
async function runForAll<Body extends ParcelsBody>(
  tx: Transaction,
  change: Change,
  clientIds: readonly string[],
  body: Body,
  reporter: Reporter,
  report: (tx: UnitOfWork, facilityCode: string, body: Body) => Promise<ServiceResult>,
): Promise<readonly ClientResult[]> {
  const { facilityCode } = reporter;
  assert(facilityCode !== undefined, "loads are a facility's");
  // All books are opened before the first order row is locked, in the common lock order.
  const views = clientIds.map((clientId) => tx.of(clientId, change));
  for (const view of views) await openBook(view, facilityCode, change.at);
  const isShared = clientIds.length > 1 && body.olpnIds !== undefined;
  const owned = isShared ? await clientsOfParcels(tx, body.olpnIds ?? []) : undefined;
  const results: ClientResult[] = [];
  for (const view of views) {
    const clientBody = owned ? { ...body, olpnIds: owned.get(view.clientId) ?? [] } : body;
    const result = await report(view, facilityCode, clientBody);
    results.push(resultOf(view.clientId, result));
    if (!result.ok) break;
  }
  return results;
}

const objectOfParcels = ({ olpnIds, loadId }: ParcelsBody) =>
  olpnIds === undefined ? { type: "load", ids: [loadId ?? ""] } : { type: "olpn", ids: olpnIds };

const load: ReportKind<LoadBody> = {
  name: "load",
  path: "/load/report",
  isNeverUnprocessable: true,
  operationId: "reportLoad",
  summary: "Parcels loaded to a vehicle",
  schema: loadReport,
  answer: parcelsAnswer,
  example: { loadId: "LOAD-7", olpnIds: ["006141410000000012"] },
  objectOf: objectOfParcels,
  clientsOf,
  run: (tx, change, clientIds, body, reporter) => runForAll(tx, change, clientIds, body, reporter, reportLoad),
};

const despatch: ReportKind<DespatchBody> = {
  name: "despatch",
  path: "/despatch/report",
  isNeverUnprocessable: true,
  operationId: "reportDespatch",
  summary: "Parcels have left; their stock is despatched",
  isGrouped: true,
  schema: despatchReport,
  answer: parcelsAnswer,
  example: { loadId: "LOAD-7" },
  objectOf: objectOfParcels,
  shapeFaults: ({ loadId, olpnIds }) =>
    (loadId === undefined) === (olpnIds === undefined)
      ? [{ pointer: "", message: "must name either loadId or olpnIds" }]
      : [],
  clientsOf,
  run: (tx, change, clientIds, body, reporter) => runForAll(tx, change, clientIds, body, reporter, reportDespatch),
};

const loadRemove: ReportKind<LoadRemoveBody> = {
  name: "loadRemove",
  path: "/load/remove",
  isNeverUnprocessable: true,
  operationId: "removeFromLoad",
  summary: "Parcels are removed from a load before it leaves",
  schema: loadRemoveReport,
  answer: parcelsAnswer,
  example: { loadId: "LOAD-7", olpnIds: ["006141410000000012"] },
  objectOf: objectOfParcels,
  clientsOf,
  run: (tx, change, clientIds, body, reporter) => runForAll(tx, change, clientIds, body, reporter, removeFromLoad),
};

export const parcelReports: readonly ReportKind[] = [load, despatch, loadRemove];

export const carrierEvent: ReportKind<CarrierEventBody> = {
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
