export { returnFeed } from "#/modules/returns/feed.ts";
export { cancelReturn, closeQuietReturns, closeReturn, expireReturns } from "#/modules/returns/reports/end-returns.ts";
export { returnSteps } from "#/modules/returns/reports/grading-domain.ts";
export { reportReturn } from "#/modules/returns/reports/report-return.ts";
export type { ReturnAnswer, ReturnBody } from "#/modules/returns/reports/return-contract.ts";
export { listReturnWork } from "#/modules/returns/reports/return-work.ts";
export { listClientsWithQuietReturns, listClientsWithUnusedReturns } from "#/modules/returns/returns.cross-client.ts";
export { addReturnRoutes } from "#/modules/returns/routes.ts";
export { findStatuses as findReturnStatuses } from "#/modules/returns/status-repository.ts";
