import type { SourceCall } from "#/modules/labels/source-contract.ts";
import { type Values, valueAt } from "#/modules/labels/template.ts";

/** The answer of a source as it came; a status of 0 stands for no answer. */
export interface SourceAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** The content of an answer about a purchase. */
export interface ReadAnswer {
  readonly kind: "SUCCEEDED" | "PENDING" | "REFUSED";
  readonly externalId: string | undefined;
  readonly trackingNumber: string | undefined;
  readonly trackingUrl: string | undefined;
  readonly label: string | undefined;
  readonly labelUrl: string | undefined;
  readonly price: string | undefined;
  readonly currency: string | undefined;
  readonly error: string | undefined;
}

type Comparison = NonNullable<SourceCall["succeeds"]>;

/** @param body JSON; undefined where the answer has none. */
export function answerHolds({ field, op, value }: Comparison, body: unknown): boolean {
  const found = valueAt(body, field);
  switch (op) {
    case "exists":
      return (found !== undefined) === (value !== false);
    case "eq":
      return found === value;
    case "ne":
      return found !== value;
    case "in":
      return Array.isArray(value) && value.includes(found);
    case "notIn":
      return Array.isArray(value) && !value.includes(found);
  }
}

const errorLengthMax = 500;
const textLengthMax = 500;
const price = /^\d{1,9}(?:\.\d{1,4})?$/;

/**
 * Reads an answer of 200 to 299 as its call says; any other is REFUSED, with the error text of the source.
 *
 * @param values of the placeholders
 */
export function readAnswer(
  { entry, succeeds, isPending, answer = {} }: SourceCall,
  { status, body }: SourceAnswer,
  values: Values,
): ReadAnswer {
  const whole = jsonOf(body);
  const list = entry && valueAt(whole, entry.list);
  const key = entry && valueAt(values, entry.value ?? "purchase.key");
  const found = entry && Array.isArray(list) ? list.find((part) => isAt(part, entry.field, key)) : undefined;
  const json = found ?? whole;
  const read = (paths: readonly string[] | undefined, most = textLengthMax): string | undefined => {
    for (const path of paths ?? []) {
      const value = valueAt(json, path);
      if ((typeof value === "string" && value !== "") || typeof value === "number") return String(value).slice(0, most);
    }
    return undefined;
  };
  const isGood = status >= 200 && status <= 299 && (entry === undefined || found !== undefined);
  const kind = !isGood
    ? "REFUSED"
    : isPending !== undefined && answerHolds(isPending, json)
      ? "PENDING"
      : succeeds === undefined || answerHolds(succeeds, json)
        ? "SUCCEEDED"
        : "REFUSED";
  const amount = read(answer.price);
  return {
    kind,
    externalId: read(answer.externalId),
    trackingNumber: read(answer.trackingNumber, 64),
    trackingUrl: read(answer.trackingUrl),
    label: read(answer.label, Number.POSITIVE_INFINITY),
    labelUrl: read(answer.labelUrl, 4_000),
    price: amount !== undefined && price.test(amount) ? amount : undefined,
    currency: read(answer.currency, 3)?.toUpperCase(),
    error: read(answer.error, errorLengthMax),
  };
}

function isAt(part: unknown, field: string, key: unknown): boolean {
  const value = valueAt(part, field);
  return key !== undefined && (value === key || (Array.isArray(value) && value.includes(key)));
}

export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const labelBytesMax = 2 * 1_024 * 1_024;

/** A label as its carrier made it. */
export interface BoughtLabel {
  readonly contentType: "application/pdf" | "application/zpl" | "image/png";
  readonly bytes: Buffer;
}

/** The label in a text: ZPL as it is, PDF and PNG in base64. Undefined: it is of no form that printers know. */
export function labelOfText(text: string): BoughtLabel | undefined {
  const plain = text.trimStart();
  if (plain.startsWith("^XA")) return labelOfBytes(Buffer.from(plain));
  return labelOfBytes(Buffer.from(plain.replace(/^data:[^,]*,/, ""), "base64"));
}

/** The form of a label by its first bytes: the names that sources give differ. */
export function labelOfBytes(bytes: Buffer): BoughtLabel | undefined {
  if (bytes.length > labelBytesMax) return undefined;
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return { contentType: "application/pdf", bytes };
  if (bytes.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n") return { contentType: "image/png", bytes };
  const head = bytes.subarray(0, 200).toString("latin1");
  return /^\s*(?:\^XA|~|CT~)/.test(head) ? { contentType: "application/zpl", bytes } : undefined;
}
