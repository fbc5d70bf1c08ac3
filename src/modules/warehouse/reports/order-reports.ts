import type { TSchema } from "typebox";
import { answerCancel, reportPick, voidParcel } from "#/modules/orders/index.ts";
import { createPackKind, type PackKindTerms } from "#/modules/warehouse/reports/pack-kind.ts";
import { answerOf } from "#/modules/warehouse/reports/report-answer.ts";
import {
  type CancelBody,
  cancelReport,
  type ParcelVoidBody,
  type PickBody,
  parcelVoidReport,
  pickReport,
} from "#/modules/warehouse/reports/report-contract.ts";
import type { ReportBody, ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import { type OneClient, oneClient, resultOf, type ServiceResult } from "#/modules/warehouse/reports/report-run.ts";
import { orderFields } from "#/modules/warehouse/tasks/order-fields.ts";
import { takeOffTask } from "#/modules/warehouse/tasks/picked-task.ts";

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
