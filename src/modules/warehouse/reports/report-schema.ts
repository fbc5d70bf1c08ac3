// The parts of report bodies (warehouse.md). Quantities are JSON numbers in the stock unit.
import Type, { type TProperties } from "typebox";
import { readDateTime } from "#/http/requests/date-time.ts";
import { closed, identifier, moment, newIdentifier } from "#/http/routes/schema.ts";
import { hasThreeDecimals, quantityMaxThousandths } from "#/kernel/values/quantity.ts";
import { conditions, reasonCodes } from "#/modules/inventory/index.ts";

const quantityMax = quantityMaxThousandths / 1000;

const withThreeDecimals = (minimum: object, description: string) =>
  Type.Refine(
    Type.Number({ ...minimum, maximum: quantityMax, description, examples: [2] }),
    hasThreeDecimals,
    () => "must have at most three decimals",
  );

export const positive = (description: string) => withThreeDecimals({ exclusiveMinimum: 0 }, description);
export const zeroOrMore = (description: string) => withThreeDecimals({ minimum: 0 }, description);
export const signed = (description: string) => withThreeDecimals({ minimum: -quantityMax }, description);

export const clientIdField = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,10}$",
  description: "Client that the goods belong to.",
  examples: ["DEMO"],
});

export const lineNumberField = Type.Integer({
  minimum: 1,
  maximum: 999_999_999,
  description: "Number of the line.",
  examples: [1],
});

export const skuField = identifier("Product.", "MUG-BLUE-330");
export const olpnIdField = identifier("Parcel (OLPN): an SSCC-18.", "006141410000000012");

export const text = (description: string, example: string, maxLength = 255) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] });

/** `YYYY-MM-DD`, limited to the years that times may have. */
export const dateField = (description: string) =>
  Type.Refine(
    Type.String({ format: "date", description, examples: ["2027-03-31"] }),
    (value) => readDateTime(`${value}T00:00:00Z`) !== undefined,
    () => "must be a date such as 2027-03-31",
  );

export const conditionField = (description: string) =>
  Type.Enum([...conditions], { type: "string", title: "StockCondition", description, examples: ["GOOD"] });

export const serialsField = Type.Array(newIdentifier("A serial number.", "SN-000123"), {
  maxItems: 10_000,
  description: "Serial numbers, one for each unit; required where the item captures them.",
});

/** Common to every line that names goods. */
export const lotFields = {
  stockPool: Type.Optional(newIdentifier("Stock pool; DEFAULT where it is left out.", "DEFAULT")),
  batchRef: Type.Optional(newIdentifier("Batch; required where the item captures it.", "B-2026-11")),
  expiryDate: Type.Optional(dateField("Expiry date; required where the item captures it.")),
  serials: Type.Optional(serialsField),
};

export const linesMax = 10_000;

export const reasonCodeField = Type.Enum([...reasonCodes], {
  type: "string",
  title: "AdjustmentReason",
  description: "Why.",
  examples: ["DAMAGE"],
});

export const lines = <Fields extends TProperties>(fields: Fields, description = "Lines.", minItems = 1) =>
  Type.Array(Type.Object(fields, closed), { minItems, maxItems: linesMax, description });

/** Common to every report: when it happened on the floor, and an id that identifies a repeat. */
export const reportFields = {
  occurredAt: Type.Optional(moment("When it happened; left out: now.")),
  reportId: Type.Optional(
    newIdentifier("The warehouse's identifier of the report: a repeat gets the first answer.", "R-000815"),
  ),
};
