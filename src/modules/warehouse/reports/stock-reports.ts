import Type from "typebox";
import { openBook, reportAdjustment, reportCount, reportHold } from "#/modules/inventory/index.ts";
import { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
import { answerOf } from "#/modules/warehouse/reports/report-answer.ts";
import {
  type AdjustmentBody,
  adjustmentReport,
  type CountBody,
  countReport,
  type HoldBody,
  holdReport,
} from "#/modules/warehouse/reports/report-contract.ts";
import type { ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import { oneClient, resultOf } from "#/modules/warehouse/reports/report-run.ts";
import { conditions } from "#/modules/warehouse/reports/report-schema.ts";

const condition = (description: string) =>
  Type.Optional(
    Type.Enum([...conditions], { type: "string", title: "StockCondition", description, examples: ["GOOD"] }),
  );

const adjustedLines = Type.Array(
  Type.Object(
    {
      sku: Type.String({ description: "Product.", examples: ["MUG-BLUE-330"] }),
      qty: Type.Number({
        description: "Signed difference, or the quantity that changed its condition.",
        examples: [-2],
      }),
      fromCondition: condition("Previous condition; left out for incoming stock."),
      toCondition: condition("New condition; left out for outgoing stock."),
      batchRef: Type.Optional(Type.String({ description: "Batch.", examples: ["B-2026-11"] })),
      stockPool: Type.String({ description: "Stock pool.", examples: ["DEFAULT"] }),
      qtyOnHandAfter: Type.Number({ description: "On hand of the SKU after the report.", examples: [98] }),
    },
    { additionalProperties: true },
  ),
  { description: "The changes." },
);

const adjustmentAnswer = answerOf("AdjustmentAnswer", "The result of the report.", {
  adjustmentId: Type.String({ description: "Name of the adjustment.", examples: ["ADJ-1"] }),
  reasonCode: Type.String({ description: "Why.", examples: ["DAMAGE"] }),
  lines: adjustedLines,
});

const adjustment: ReportKind<AdjustmentBody> = {
  name: "adjustment",
  path: "/adjustment/report",
  operationId: "reportAdjustment",
  summary: "Signed quantities with a reason",
  schema: adjustmentReport,
  answer: adjustmentAnswer,
  example: { clientId: "DEMO", adjustmentId: "ADJ-1", reasonCode: "DAMAGE", lines: [{ sku: "MUG-BLUE-330", qty: -2 }] },
  idOf: ({ adjustmentId }) => adjustmentId,
  objectOf: ({ adjustmentId }) => ({ type: "adjustment", ids: [adjustmentId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { clientId, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(tx, clientId, facilityCode, change.at);
    return [resultOf(clientId, await reportAdjustment(tx, change, book, body, freeAllocations))];
  },
};

const hold: ReportKind<HoldBody> = {
  name: "hold",
  path: "/hold/report",
  operationId: "reportHold",
  summary: "Quantities that change their condition",
  schema: holdReport,
  answer: adjustmentAnswer,
  example: {
    clientId: "DEMO",
    reasonCode: "CONDITION",
    lines: [{ sku: "MUG-BLUE-330", qty: 2, fromCondition: "GOOD", toCondition: "ON_HOLD" }],
  },
  objectOf: ({ lines }) => ({ type: "sku", ids: [...new Set(lines.map(({ sku }) => sku))] }),
  async run(tx, change, clientIds, body, reporter) {
    const { clientId, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(tx, clientId, facilityCode, change.at);
    return [resultOf(clientId, await reportHold(tx, change, book, body, freeAllocations))];
  },
};

const count: ReportKind<CountBody> = {
  name: "count",
  path: "/count/report",
  operationId: "reportCount",
  summary: "A count, whose difference to the balance at occurredAt becomes an adjustment",
  schema: countReport,
  answer: adjustmentAnswer,
  example: { clientId: "DEMO", countId: "CNT-1", lines: [{ sku: "MUG-BLUE-330", countedQty: 98 }] },
  idOf: ({ countId }) => countId,
  objectOf: ({ countId }) => ({ type: "count", ids: [countId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { clientId, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(tx, clientId, facilityCode, change.at);
    return [resultOf(clientId, await reportCount(tx, change, book, body, freeAllocations))];
  },
};

export const stockReports: readonly ReportKind[] = [adjustment, hold, count];
