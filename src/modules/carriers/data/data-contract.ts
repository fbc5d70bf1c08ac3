/**
 * The carrier data that the operator or a client provides (contract carriers.md, Data): the sections together. Services
 * and rate cards are required; a stored set from before rate cards existed is read as one without any
 * (`decision/compile.ts`).
 */

import Type, { type Static } from "typebox";
import { closed } from "#/http/routes/schema.ts";
import { byName, currency, notNegative, serviceLevel } from "#/modules/carriers/data/data-parts.ts";
import { rule } from "#/modules/carriers/data/rule-contract.ts";
import { carrierService } from "#/modules/carriers/data/service-contract.ts";
import { exchangeRate, mapping, rateCard } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

const settings = Type.Object(
  {
    defaultServiceLevel: Type.Optional(serviceLevel),
    currency: Type.Optional(currency("Currency of the ranking; left out: that of the first rate card.")),
    balancedCostPerDay: Type.Optional(
      notNegative(
        "Cost of a day until delivery in the ranking of BALANCED, in its currency; left out: 1.",
        1.5,
        1_000_000,
      ),
    ),
  },
  { ...closed, description: "Defaults." },
);

export const carrierData = Type.Object(
  {
    services: Type.Array(carrierService, { maxItems: 5_000, description: "Services of carriers." }),
    rateCards: Type.Array(rateCard, { maxItems: 5_000, description: "Price matrices." }),
    rules: Type.Optional(Type.Array(rule, { maxItems: 5_000, description: "Business rules." })),
    mapping: Type.Optional(mapping),
    rates: Type.Optional(Type.Array(exchangeRate, { maxItems: 20_000, description: "Rates of exchange." })),
    settings: Type.Optional(settings),
    holidays: Type.Optional(
      byName<readonly string[]>(
        { type: "array", maxItems: 2_000, items: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } },
        "Days on which no carrier collects or delivers, by country.",
        { GB: ["2026-12-25"] },
      ),
    ),
  },
  { ...closed, description: "The data for the determination of carriers." },
);

export type CarrierData = Static<typeof carrierData>;
