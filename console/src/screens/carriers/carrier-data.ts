import type { components } from "#operator";

/** The schema of the API's own back-test: what a set consists of. */
export type CarrierData = components["schemas"]["ClientCarrierData"];
export type Rule = NonNullable<CarrierData["rules"]>[number];
export type RateCard = CarrierData["rateCards"][number];
export type CarrierService = CarrierData["services"][number];
