import type { components } from "#operator";

/** A data set in the schema of the API's back-test. */
export type CarrierData = components["schemas"]["ClientCarrierData"];
export type Rule = NonNullable<CarrierData["rules"]>[number];
export type RateCard = CarrierData["rateCards"][number];
export type CarrierService = CarrierData["services"][number];
