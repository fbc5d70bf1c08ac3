import { setImmediate as nextTurn } from "node:timers/promises";
import { escapeAttribute, escapeText } from "#/intake/xml/index.ts";

/** The lines of an XML document, one element each, so that two documents can be compared line by line. */
export type XmlLines = readonly string[];

const indent = "  ";
/** The longest text that the XSDs accept, in characters. */
const textLengthMax = 4_000;

/** An element with text; no lines without a value. Characters that XML cannot represent become U+FFFD. */
export function leaf(
  name: string,
  value: string | number | boolean | undefined | null,
  attributes: Readonly<Record<string, string>> = {},
): XmlLines {
  if (value === undefined || value === null) return [];
  const opening = `${name}${attributesOf(attributes)}`;
  return [`<${opening}>${escapeText(textOf(value))}</${name}>`];
}

/** An element with child elements. */
export function block(
  name: string,
  children: readonly XmlLines[],
  attributes: Readonly<Record<string, string>> = {},
): XmlLines {
  const opening = `${name}${attributesOf(attributes)}`;
  const inner = children.flat();
  if (inner.length === 0) return [`<${opening}/>`];
  return [`<${opening}>`, ...inner.map((line) => indent + line), `</${name}>`];
}

/** Rows of a turn of the event loop: 10,000 movements at once take 150 to 290 ms. */
const rowsOfTurn = 1_000;

/** For a document of many rows. Awaited before each row, it gives other requests turns. */
export function turnsOfRows(): () => Promise<void> | undefined {
  let rows = 0;
  return () => (++rows % rowsOfTurn === 0 ? nextTurn() : undefined);
}

/** A list element; absent for an empty list. */
export function listOf<Item>(
  list: string,
  items: readonly Item[] | undefined,
  itemOf: (item: Item) => XmlLines,
): XmlLines {
  return items === undefined || items.length === 0 ? [] : block(list, items.map(itemOf));
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(cut(value))}"`)
    .join("");
}

function textOf(value: string | number | boolean): string {
  if (typeof value === "string") return cut(value);
  return typeof value === "number" ? decimalOf(value) : String(value);
}

/** A decimal in XSD syntax: without the exponent that a number below a millionth is printed with. */
function decimalOf(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(6).replace(/\.?0+$/, "") : text;
}

/** XSD counts characters, JavaScript code units: a text that is short in code units stays unchanged. */
function cut(text: string): string {
  return text.length <= textLengthMax ? text : Array.from(text).slice(0, textLengthMax).join("");
}

/** A version of a published XSD that documents are written for (operations.md §7). */
export type SchemaVersion = "1.0" | "1.1" | "1.2";
/** The versions of the types that have several. */
export type DocumentVersions = Readonly<Record<"GR" | "OS" | "RS", SchemaVersion>>;

/** The header of every outbound document (outbound.md). */
export interface Envelope {
  /** UUIDv7, the same whenever the document is resent. */
  readonly messageId: string;
  readonly clientId: string;
  /** Absent in the ACK of a document without a facility. */
  readonly distributionCentre?: string | undefined;
  /** ISO 8601 UTC. */
  readonly creationTimeStamp: string;
}

/** A whole document, UTF-8: the same bytes for the same content. */
export function writeDocument(
  root: string,
  envelope: Envelope,
  content: readonly XmlLines[],
  schemaVersion: SchemaVersion = "1.0",
): Buffer {
  const lines = block(
    root,
    [
      leaf("messageId", envelope.messageId),
      leaf("clientId", envelope.clientId),
      leaf("distributionCentre", envelope.distributionCentre),
      leaf("creationTimeStamp", envelope.creationTimeStamp),
      ...content,
    ],
    { schemaVersion },
  );
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${lines.join("\n")}\n`);
}
