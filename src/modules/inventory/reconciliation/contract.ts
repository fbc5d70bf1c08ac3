import Type, { type Static } from "typebox";
import { startCursor } from "#/http/requests/paging.ts";
import { clientIdParameter, identifier, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { hasThreeDecimals, quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import { movement } from "#/modules/inventory/rest/history-contract.ts";

/** Compares the client's books with the warehouse's (rest.md §3, §4). */
const closed = { additionalProperties: false } as const;

export const countsMax = 1_000;

/** JSON Schema's `multipleOf: 0.001` refuses most exact decimals, because 0.001 has no exact binary form. */
const countedQty = Type.Refine(
  Type.Number({
    minimum: 0,
    maximum: quantityMaxThousandths / 1000,
    description: "What the client's books have, in stock units, with at most three decimals.",
    examples: [120],
  }),
  hasThreeDecimals,
  () => "must have at most three decimals",
);

export const reconcileQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const reconcileRequest = Type.Object(
  {
    clientId: clientIdParameter,
    distributionCentre: identifier("Facility.", "DC1"),
    counts: Type.Array(
      Type.Object(
        { sku: identifier("Product.", "MUG-BLUE-330"), qty: countedQty },
        { ...closed, title: "ReconcileCount", description: "On hand of a product by the client's books." },
      ),
      { minItems: 1, maxItems: countsMax, description: "The client's counts; no SKU twice." },
    ),
  },
  { ...closed, title: "ReconcileRequest", description: "What the client's books have in a facility." },
);

export type ReconcileRequest = Static<typeof reconcileRequest>;

const agreement = nullable(
  Type.Object(
    {
      position: Type.Integer({ description: "Position at which both were the same.", examples: [4_200] }),
      qty: quantity("On hand at that position."),
      at: moment("When it was agreed."),
    },
    {
      ...closed,
      title: "ReconcileAgreement",
      description: "The last agreement about the product, this one included; null where there never was one.",
    },
  ),
);

const reconciledItem = Type.Object(
  {
    sku: identifier("Product.", "MUG-BLUE-330"),
    theirs: quantity("As the client counted."),
    ours: quantity("On hand in the ledger at the position."),
    difference: quantity("theirs less ours; 0 is an agreement."),
    agreement,
    movements: Type.Array(movement, {
      description:
        "Where there is a difference: the entries that changed onHand since the last agreement, oldest first, with 20000 serial numbers in one answer at the most. The sum of all is ours less the quantity agreed on.",
    }),
    nextCursor: nullable(
      Type.String({
        description:
          "Null where `movements` has all of them; else the `cursor` with which movement/list, for this facility and sku, goes on behind the last one.",
        examples: [startCursor],
      }),
    ),
  },
  { ...closed, title: "ReconciledItem", description: "One product, as both sides have it." },
);

export const reconciliation = Type.Object(
  {
    position: Type.Integer({
      minimum: 0,
      description: "Position of the ledger at which the counts were compared.",
      examples: [4_711],
    }),
    items: Type.Array(reconciledItem, { description: "One for each count, in the order of the request." }),
  },
  { ...closed, title: "Reconciliation", description: "The client's counts beside the ledger's." },
);

export type Reconciliation = Static<typeof reconciliation>;
