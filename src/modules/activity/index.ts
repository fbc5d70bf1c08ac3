export { billedFigures, monthOf } from "#/modules/activity/billed.ts";
export { billedMeasure } from "#/modules/activity/contract.ts";
export { createActivityRounds, keptDays } from "#/modules/activity/keep-activity.ts";
export * from "#/modules/activity/measures.ts";
export { noteDays, purgeActivity, restateAll } from "#/modules/activity/repository.ts";
export { addActivityRoutes } from "#/modules/activity/routes.ts";
