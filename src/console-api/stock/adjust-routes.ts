import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { closed, identifier, maybeText, positiveQuantity, quantity, text } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { notFound, type Refusal, unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type ClientRecord, showClient } from "#/modules/clients/index.ts";
import { adjustStock, conditions, openBook, operatorReasons, reportHold } from "#/modules/inventory/index.ts";
import { freeAllocations } from "#/modules/warehouse/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

const condition = (description: string, example = "GOOD") =>
  Type.Enum([...conditions], { type: "string", title: "StockCondition", description, examples: [example] });

const lotFields = {
  clientId: identifier("Client.", "DEMO"),
  distributionCentre: identifier("Facility.", "DC1"),
  sku: identifier("Product.", "MUG-BLUE-330"),
  stockPool: Type.Optional(identifier("Stock pool; default DEFAULT.", "DEFAULT")),
  batchRef: Type.Optional(identifier("Batch of the lot; left out: none.", "B-2026-11")),
  expiryDate: Type.Optional(
    Type.String({ format: "date", description: "Expiry date of the lot; left out: none.", examples: ["2027-03-31"] }),
  ),
  serials: Type.Optional(
    Type.Array(identifier("Serial number.", "SN-1"), {
      maxItems: 1_000,
      description: "Of each unit, for a product that is kept by serial number.",
    }),
  ),
  reasonCode: Type.Enum([...operatorReasons], {
    type: "string",
    title: "OperatorReason",
    description: "Reason, as in reports of warehouses.",
    examples: ["DAMAGE"],
  }),
  note: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Stored in the audit log, and with an adjustment that waits.",
      examples: ["Fell from the rack"],
    }),
  ),
  freesAllocations: Type.Optional(
    Type.Boolean({
      description: "Take missing units from orders that have them allocated, those of the lowest priority first.",
      default: false,
      examples: [true],
    }),
  ),
};

const adjustBody = Type.Object(
  {
    ...lotFields,
    condition: Type.Optional(condition("Condition of the goods; default GOOD.")),
    qty: Type.Optional(Type.Number({ description: "Signed difference in stock units.", examples: [-2] })),
    countedQty: Type.Optional(
      Type.Number({
        minimum: 0,
        description: "In the place of qty: what is on the shelf, without picked and packed units.",
        examples: [98],
      }),
    ),
  },
  { ...closed, title: "StockAdjust", description: "An adjustment of a lot: qty or countedQty, with its reason." },
);

const adjustAnswer = Type.Object(
  {
    status: Type.Enum(["BOOKED", "WAITING"], {
      type: "string",
      title: "StockAdjustStatus",
      description: "WAITING: the difference is above the client's tolerance of counts, and another user approves it.",
      examples: ["BOOKED"],
    }),
    adjustmentId: maybeText(
      "Name of the adjustment in the ledger and in the ADJ; null: it waits.",
      "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
    ),
    countId: maybeText(
      "The count that has the waiting difference; null: it is booked.",
      "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
    ),
    qty: quantity("Signed difference."),
  },
  { ...closed, title: "StockAdjustAnswer", description: "What became of the adjustment." },
);

const holdBody = Type.Object(
  {
    ...lotFields,
    qty: positiveQuantity("Quantity that changes its condition, in stock units.", 3),
    fromCondition: condition("Present condition."),
    toCondition: condition("New condition.", "ON_HOLD"),
  },
  { ...closed, title: "StockHold", description: "A quantity of a lot that changes its condition." },
);

const holdAnswer = Type.Object(
  { adjustmentId: text("Name of the change in the ledger and in the ADJ.", "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11") },
  { ...closed, title: "StockHoldAnswer", description: "The booked change." },
);

/** Adjustments and holds by operators (contract warehouse.md, Adjustments by operators). */
export function addAdjustRoutes(service: HttpServer, context: OperatorContext): void {
  service.post(
    "/stock/adjust",
    {
      schema: {
        operationId: "adjustStock",
        summary: "Adjust a lot by a difference or to a counted quantity",
        description:
          "Within the client's settings countTolerance and countToleranceUnits it is booked at once, with an ADJ to the client; what users adjusted of the lot in the last 24 hours counts too. A larger difference waits for another user: count/approve books it. 409 where it takes units that orders have allocated, unless freesAllocations is true. Picked and packed units stay.",
        headers: createHeaders,
        body: adjustBody,
        response: { 200: adjustAnswer },
      } as const,
      config: { ...answers(409, 422), partition: "named" },
    },
    async (request, reply) => {
      const { body } = request;
      const { distributionCentre: facilityCode, condition: sent, freesAllocations = false } = body;
      return answerWrite(context, request, reply, async (tx) => {
        const client = await clientOf(tx, facilityCode);
        if (!client.ok) return client;
        const adjustment = { ...body, facilityCode, condition: sent ?? ("GOOD" as const), freesAllocations };
        const terms = { tolerance: client.value.settings, free: freeAllocations };
        const result = await adjustStock(tx, adjustment, terms);
        if (!result.ok) return refused(ofOneLot(result.fault));
        const { status, adjustmentId = null, countId = null, qty } = result.value.answer;
        return answered({ status, adjustmentId, countId, qty }, { events: result.value.events });
      });
    },
  );

  service.post(
    "/stock/hold",
    {
      schema: {
        operationId: "holdStock",
        summary: "Put a quantity of a lot on hold, release it, or change its condition",
        description:
          "On hand stays as it is; the client gets an ADJ. 409 where it takes units that orders have allocated, unless freesAllocations is true. Picked and packed units stay.",
        headers: createHeaders,
        body: holdBody,
        response: { 200: holdAnswer },
      } as const,
      config: { ...answers(409, 422), partition: "named" },
    },
    async (request, reply) => {
      const { distributionCentre: facilityCode, reasonCode, note, freesAllocations = false, ...sent } = request.body;
      const { clientId: _, ...line } = sent;
      return answerWrite(context, request, reply, async (tx) => {
        const client = await clientOf(tx, facilityCode);
        if (!client.ok) return client;
        const book = await openBook(tx, facilityCode, tx.change.at);
        const report = { reasonCode, note, freesAllocations, lines: [line] };
        const result = await reportHold(tx, book, report, freeAllocations);
        if (!result.ok) return refused(ofOneLot(result.fault));
        return answered({ adjustmentId: result.value.answer.adjustmentId }, { events: result.value.events });
      });
    },
  );
}

async function clientOf(tx: ClientTx, facilityCode: string): Promise<Result<ClientRecord, Refusal>> {
  const client = await showClient(tx);
  if (!client.ok) return refused(notFound(client.fault));
  const { facilities } = client.value;
  if (facilities.includes(facilityCode)) return ok(client.value);
  const message = `'${facilityCode}' is not a facility of ${tx.clientId}; it has ${facilities.join(", ")}`;
  return refused(unprocessableFaults([{ pointer: "#/distributionCentre", message }]));
}

/** A report has lines; the body of these requests is its only line. */
function ofOneLot(fault: Refusal): Refusal {
  const errors = fault.errors?.map(({ pointer, message }) => ({ pointer: pointer.replace("#/lines/0", "#"), message }));
  return { ...fault, detail: fault.detail.replace(/^lines\[0\]: /, ""), ...(errors === undefined ? {} : { errors }) };
}
