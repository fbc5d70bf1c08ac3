import Type from "typebox";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { conditions, openBook, reportAdjustment, reportCount, reportHold } from "#/modules/inventory/index.ts";
import { freeAllocations } from "#/modules/warehouse/free-allocations.ts";
import {
  type AdjustmentBody,
  adjustmentReport,
  type CountBody,
  countReport,
  type HoldBody,
  holdReport,
} from "#/modules/warehouse/reports/report-contract.ts";
import { answerOf, oneClient, type ReportKind, resultOf } from "#/modules/warehouse/reports/report-kind.ts";
import { conditionField, dateField } from "#/modules/warehouse/reports/report-schema.ts";
import { withdrawCountTask } from "#/modules/warehouse/tasks/count-tasks.ts";

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
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(view, facilityCode, change.at);
    return [resultOf(view.clientId, await reportAdjustment(tx.of(book.clientId, change), book, body, freeAllocations))];
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
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const book = await openBook(view, facilityCode, change.at);
    return [resultOf(view.clientId, await reportHold(tx.of(book.clientId, change), book, body, freeAllocations))];
  },
};

/** The client's settings decide which differences of a requested count wait. */
export interface CountTerms {
  findClient(clientId: string): Promise<ClientProfile | undefined>;
}

const waitingLines = Type.Array(
  Type.Object(
    {
      sku: Type.String({ description: "Product.", examples: ["MUG-BLUE-330"] }),
      condition: conditionField("Condition."),
      stockPool: Type.String({ description: "Stock pool.", examples: ["DEFAULT"] }),
      batchRef: Type.Optional(Type.String({ description: "Batch.", examples: ["B-2026-11"] })),
      expiryDate: Type.Optional(dateField("Expiry date.")),
      countedQty: Type.Number({ description: "Counted.", examples: [98] }),
      expectedQty: Type.Number({ description: "What the books have.", examples: [120] }),
    },
    { additionalProperties: true },
  ),
  { description: "For a COUNT task: the differences that wait for an operator's approval." },
);

const countAnswer = answerOf("CountAnswer", "The result of the count.", {
  countId: Type.String({ description: "Name of the count.", examples: ["CNT-1"] }),
  adjustmentId: Type.String({ description: "Name of the adjustment: the countId.", examples: ["CNT-1"] }),
  reasonCode: Type.String({ description: "COUNT.", examples: ["COUNT"] }),
  lines: adjustedLines,
  status: Type.Optional(
    Type.Enum(["COUNTED", "WAITING"], {
      type: "string",
      description: "For a COUNT task: WAITING where a difference is above the client's tolerance.",
      examples: ["COUNTED"],
    }),
  ),
  waiting: Type.Optional(waitingLines),
});

const createCount = ({ findClient }: CountTerms): ReportKind<CountBody> => ({
  name: "count",
  path: "/count/report",
  operationId: "reportCount",
  summary: "A count, whose difference to the balance at occurredAt becomes an adjustment",
  description:
    "With the objectId of a COUNT task as its countId it answers the task: it must name each line of the task, and a difference above the client's tolerance waits for an operator's approval.",
  schema: countReport,
  answer: countAnswer,
  example: { clientId: "DEMO", countId: "CNT-1", lines: [{ sku: "MUG-BLUE-330", countedQty: 98 }] },
  idOf: ({ countId }) => countId,
  objectOf: ({ countId }) => ({ type: "count", ids: [countId] }),
  async run(tx, change, clientIds, body, reporter) {
    const { view, facilityCode } = oneClient(tx, change, clientIds, reporter);
    const { settings } = (await findClient(view.clientId)) ?? {};
    const { countTolerance = 0, countToleranceUnits = 0 } = settings ?? {};
    const book = await openBook(view, facilityCode, change.at);
    const terms = { free: freeAllocations, tolerance: { countTolerance, countToleranceUnits } };
    const result = await reportCount(tx.of(book.clientId, change), book, body, terms);
    if (result.ok && result.value.answer.status !== undefined) {
      await withdrawCountTask(view, body.countId);
    }
    return [resultOf(view.clientId, result)];
  },
});

export const createStockReports = (terms: CountTerms): readonly ReportKind[] => [adjustment, hold, createCount(terms)];
