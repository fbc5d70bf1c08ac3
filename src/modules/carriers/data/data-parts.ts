// Schema parts that several sections of carrier data share (contract carriers.md, Data).
import Type from "typebox";
import { weekdays } from "#/kernel/values/working-calendar.ts";

export const serviceLevels = ["ECONOMY", "STANDARD", "EXPRESS", "NEXT_DAY", "SAME_DAY"] as const;

export type ServiceLevel = (typeof serviceLevels)[number];

export const serviceLevel = Type.Enum([...serviceLevels], {
  type: "string",
  title: "ServiceLevel",
  description: "Speed of the service.",
  examples: ["STANDARD"],
});

export const positive = (description: string, example: number, maximum = 1_000_000) =>
  Type.Number({ exclusiveMinimum: 0, maximum, description, examples: [example] });

export const notNegative = (description: string, example: number, maximum: number) =>
  Type.Number({ minimum: 0, maximum, description, examples: [example] });

export const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [false] }));

export const day = (description: string) =>
  Type.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", description, examples: ["2026-11-01"] });

export const currency = (description = "Currency code of ISO 4217.") =>
  Type.String({ pattern: "^[A-Z]{3}$", description, examples: ["GBP"] });

const weekday = Type.Enum([...weekdays], {
  type: "string",
  title: "Weekday",
  description: "Day of the week.",
  examples: ["MON"],
});

export const weekdayList = (description: string) => Type.Array(weekday, { maxItems: weekdays.length, description });

/** Not `Type.Record`: its pattern of names excludes names with a line separator. */
export const byName = <Value>(schema: object, description: string, example: object) =>
  Type.Unsafe<Readonly<Record<string, Value>>>({
    type: "object",
    additionalProperties: schema,
    maxProperties: 5_000,
    description,
    examples: [example],
  });
