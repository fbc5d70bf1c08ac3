export { listClientsWithUnusedReturns } from "#/modules/returns/cross-client-queries.ts";
export { cancelReturn, expireReturns } from "#/modules/returns/end-returns.ts";
export { returnFeed } from "#/modules/returns/feed.ts";
export { returnSteps } from "#/modules/returns/grading-domain.ts";
export { reportReturn } from "#/modules/returns/report-return.ts";
export type { ReturnAnswer, ReturnBody } from "#/modules/returns/return-contract.ts";
export { listReturnWork } from "#/modules/returns/return-work.ts";
export { addReturnRoutes } from "#/modules/returns/routes.ts";
export { findStatuses as findReturnStatuses } from "#/modules/returns/status-repository.ts";
