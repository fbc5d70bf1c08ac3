import type { Report } from "#/cli/command.ts";

/** An ACK as JSON, with the names of its elements as keys. */
export interface AckRecord {
  readonly token: string;
  readonly success: boolean;
  readonly feedType: string;
  readonly errors: readonly string[];
  readonly missingSkus: readonly string[];
  readonly objectId: string | null;
}

/** Reads an ACK that `writeAck` has written: it never reads other XML. */
export function readAck(bytes: Buffer): AckRecord {
  const xml = bytes.toString();
  const all = (name: string) =>
    [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => unescaped(text));
  return {
    token: all("token")[0] ?? "",
    success: all("success")[0] === "true",
    feedType: all("feedType")[0] ?? "",
    errors: all("error"),
    missingSkus: all("sku"),
    objectId: all("objectId")[0] ?? null,
  };
}

const characters: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#13;": "\r" };

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|amp|#13);/g, (entity) => characters[entity] as string);
}

export interface Verbs {
  readonly accepted: string;
  readonly rejected: string;
}

/** An ACK for a person: the result of the document, and one line for each error. */
export function ackReport(ack: AckRecord, verbs: Verbs): Report {
  const object = ack.objectId === null ? "" : ` ${ack.objectId}`;
  const lines = [`${ack.feedType}${object} ${ack.success ? verbs.accepted : verbs.rejected}.`];
  lines.push(...ack.errors.map((error) => `  ${printable(error)}`));
  if (ack.missingSkus.length > 0) lines.push(`Unknown SKUs: ${ack.missingSkus.map(printable).join(", ")}`);
  return { json: ack, lines };
}

/** Replaces control characters, so that a sender's text cannot control the terminal that shows it. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "\ufffd");
}
