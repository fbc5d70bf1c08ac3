// Business rules of carrier data (contract carriers.md, Data). check-rules.ts checks conditions and effects: a schema of a
// recursive union would report the faults of every branch.
import Type, { type Static } from "typebox";
import { closed, newIdentifier } from "#/http/routes/schema.ts";
import { day, type ServiceLevel } from "#/modules/carriers/data/data-parts.ts";

export const comparisonOps = [
  "eq",
  "ne",
  "lt",
  "le",
  "gt",
  "ge",
  "in",
  "notIn",
  "prefix",
  "between",
  "exists",
] as const;

export type ComparisonOp = (typeof comparisonOps)[number];

export interface Money {
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

export type Scalar = string | number | boolean | Money;

export interface Comparison {
  readonly field: string;
  readonly op: ComparisonOp;
  readonly value?: Scalar | readonly Scalar[];
}

export type Condition =
  | Comparison
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** At least one field is present. */
export interface Effect {
  readonly exclude?: boolean;
  /** The reason for `exclude`, `requireService` or `requireCarrier`, in the words of the rule's author. */
  readonly reason?: string;
  /** A service, or a list of which one is required. */
  readonly requireService?: string | readonly string[];
  readonly requireCarrier?: string | readonly string[];
  /** Added to the ranking cost; a negative amount is a discount. Without a currency the ranking currency applies. */
  readonly prefer?: { readonly amount: number; readonly currency?: string };
  readonly setServiceLevel?: ServiceLevel;
  /** Later rules are skipped. */
  readonly stop?: boolean;
}

export const rule = Type.Object(
  {
    ruleId: newIdentifier("Identifier of the rule; unique.", "no-air-hazmat"),
    priority: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description:
        "Rules run from the lowest number to the highest; rules with the same number run in the order of the list.",
      examples: [10],
    }),
    when: Type.Optional(
      Type.Unsafe<Condition>({
        type: "object",
        description: "`all`, `any`, `not` over comparisons; left out: always.",
        examples: [{ field: "shipment.isHazmat", op: "eq", value: true }],
      }),
    ),
    // biome-ignore lint/suspicious/noThenProperty: the contract calls it so.
    then: Type.Unsafe<Effect>({
      type: "object",
      description: "exclude with a reason, requireService, requireCarrier, prefer, setServiceLevel, stop.",
      examples: [{ exclude: true, reason: "hazmat not by air" }],
    }),
    validFrom: Type.Optional(day("First day on which it is in force.")),
    validTo: Type.Optional(day("Last day on which it is in force.")),
  },
  { ...closed, description: "A business rule." },
);

export type Rule = Static<typeof rule>;
