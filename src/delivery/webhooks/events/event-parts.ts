// Parts of the schemas of event data that several topics share.
import Type from "typebox";
import { objectTypes } from "#/delivery/webhooks/events/topic.ts";
import { text } from "#/http/routes/schema.ts";

/** A moment as the product writes it. */
export const utc = (description: string) =>
  Type.String({ format: "date-time", pattern: "Z$", description, examples: ["2026-11-20T10:00:00.000Z"] });

export const amount = (description: string, example = 2) => Type.Number({ description, examples: [example] });

/** Replaces the lines of an object where they are left out (webhooks.md §2). */
export const leftOut = {
  linesTotal: Type.Optional(
    Type.Integer({ description: "Only where lines were omitted: number of all lines.", examples: [250] }),
  ),
  linesTruncated: Type.Optional(
    Type.Boolean({
      description:
        "Only where lines were omitted, and then true: lines after the 200th, and those that would make the body larger than 256 KiB.",
      examples: [true],
    }),
  ),
  href: Type.Optional(
    text(
      "Only where lines were omitted: path of the REST record with all of them, where there is one.",
      "/v1/orderService/order/get/WEB-100045",
    ),
  ),
};

/** An enumeration of words. */
export const oneOf = (words: readonly string[], description: string, example: string, about: { title?: string } = {}) =>
  Type.Enum([...words], { type: "string", ...about, description, examples: [example] });

export const objectTypeField = (description: string) =>
  oneOf(objectTypes, description, "order", { title: "EventObjectType" });
