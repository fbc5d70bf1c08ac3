import Type, { type Static } from "typebox";
import { startCursor } from "#/http/requests/paging.ts";
import { clientIdParameter, closed, identifier, maybeText, moment, nullable, quantity } from "#/http/routes/schema.ts";
import { hasThreeDecimals, quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import { movement } from "#/modules/inventory/rest/history-contract.ts";

/** Compares the client's books with the warehouse's (rest.md §3, §4). */
export const countsMax = 1_000;

/** JSON Schema's `multipleOf: 0.001` refuses most exact decimals, because 0.001 has no exact binary form. */
const countedQty = Type.Refine(
  Type.Number({
    minimum: 0,
    maximum: quantityMaxThousandths / 1000,
    description: "Quantity in the client's books, in stock units, with at most three decimals.",
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
        { ...closed, title: "ReconcileCount", description: "On hand of a product in the client's books." },
      ),
      { minItems: 1, maxItems: countsMax, description: "The client's counts; each SKU once." },
    ),
  },
  { ...closed, title: "ReconcileRequest", description: "The client's stock figures of a facility." },
);

export type ReconcileRequest = Static<typeof reconcileRequest>;

const agreement = nullable(
  Type.Object(
    {
      position: Type.Integer({ description: "Position at which both figures were equal.", examples: [4_200] }),
      qty: quantity("On hand at that position."),
      at: moment("When it was agreed."),
    },
    {
      ...closed,
      title: "ReconcileAgreement",
      description: "The last agreement about the product, including this one; null where there is none.",
    },
  ),
);

const reconciledItem = Type.Object(
  {
    sku: identifier("Product.", "MUG-BLUE-330"),
    theirs: quantity("As counted by the client."),
    ours: quantity("On hand in the ledger at the position."),
    difference: quantity("theirs minus ours; 0 is an agreement."),
    agreement,
    movements: Type.Array(movement, {
      description:
        "For a difference: the entries that changed onHand since the last agreement, oldest first, with at most 20000 serial numbers in one answer. Their total is ours minus the agreed quantity.",
    }),
    nextCursor: maybeText(
      "Null where `movements` has all of them; else the `cursor` with which movement/list, for this facility and sku, continues after the last one.",
      startCursor,
    ),
  },
  { ...closed, title: "ReconciledItem", description: "One product, in both books." },
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
  { ...closed, title: "Reconciliation", description: "The client's counts compared with the ledger." },
);

export type Reconciliation = Static<typeof reconciliation>;
