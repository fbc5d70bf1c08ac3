import { newIdentifier, positiveQuantity } from "#/http/routes/schema.ts";
import { createdOf, sentOf } from "#/intake/json/contract.ts";
import type { JsonFeed } from "#/intake/json/routes.ts";
import { returnMerchandiseAuthorizationShape } from "#/modules/returns/contract.ts";
import { rma, rmaQuery } from "#/modules/returns/rest-contract.ts";

const rmaCreate = sentOf(
  rma,
  {
    required: ["rmaNumber", "distributionCentre", "lines"],
    optional: ["orderReference", "creationTimeStamp"],
    more: { rmaNumber: newIdentifier("Number of the return, the client's own.", "RMA-5001") },
    within: {
      lines: {
        required: ["lineNumber", "sku", "quantityReturned"],
        optional: ["returnReasonCode", "qtyUom", "attributeOne", "attributeThree"],
        more: { quantityReturned: positiveQuantity("Authorised, in qtyUom. At most three decimals.", 2) },
      },
    },
  },
  "RmaCreate",
  "A return: the fields of `rma/get` without those that the platform sets.",
);

/** RMA in JSON (contract rest.md §3), but for the reading of the return. */
export const rmaCreation: Omit<JsonFeed, "read"> = {
  type: "RMA",
  root: "returnMerchandiseAuthorization",
  form: returnMerchandiseAuthorizationShape.form,
  path: "/rma/create",
  operationId: "createRma",
  summary: "Authorise a return",
  description: "The return of an RMA feed: goods of an order that come back.",
  query: rmaQuery,
  body: rmaCreate,
  status: 201,
  answer: createdOf(rma, "CreatedRma", "return"),
};
