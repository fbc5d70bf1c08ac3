import { defineFeed } from "#/intake/feeds/intake/definition.ts";
import { returnMerchandiseAuthorizationShape } from "#/modules/returns/contract.ts";
import { checkReturn } from "#/modules/returns/domain.ts";
import { validateReturns, writeReturns } from "#/modules/returns/service.ts";

/** The definition of the RMA feed for the receiver. */
export const returnFeed = defineFeed({
  type: "RMA",
  xsd: "RMA.xsd",
  shape: returnMerchandiseAuthorizationShape,
  clientIdOf: (raw) => raw.clientId,
  objectIdOf: (raw) => raw.rmaNumber,
  check: checkReturn,
  keyOf: (rma) => rma.rmaNumber,
  validate: validateReturns,
  write: writeReturns,
});
