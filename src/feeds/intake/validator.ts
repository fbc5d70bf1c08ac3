import type { Checked, FeedClient, FeedDefinition, FeedType } from "#/feeds/intake/definition.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { findCardNumber, maskCardNumber } from "#/kernel/values/card-number.ts";
import type { Schema, XmlEngine } from "#/xml/index.ts";

/** The findings about a document without the database. Plain data: it may come from a worker thread. */
export interface Reading {
  /** Undefined when the document is not well formed or does not fit its XSD. */
  readonly checked: Checked<unknown> | undefined;
  readonly faults: readonly Finding[];
  /** Number of faults beyond the listed ones. */
  readonly omitted: number;
  readonly objectId: string | undefined;
  /** The payload must not be stored. */
  readonly isWithheld: boolean;
}

export interface ValidatorInput {
  readonly type: FeedType;
  readonly bytes: Uint8Array;
  /** The charset parameter of the content type. */
  readonly charset: string | undefined;
  readonly client: FeedClient;
}

export type Validator = (input: ValidatorInput) => Reading;

/** Reads and checks a document: bounds, XSD, then every rule that needs no database, all faults together. */
export function createValidator(
  engine: XmlEngine,
  definitions: readonly FeedDefinition[],
  xsdOf: (name: string) => Uint8Array,
): Validator {
  const feeds = new Map<FeedType, { definition: FeedDefinition; schema: Schema }>(
    definitions.map((definition) => [definition.type, { definition, schema: engine.compile(xsdOf(definition.xsd)) }]),
  );
  return ({ type, bytes, charset, client }) => {
    const feed = feeds.get(type);
    if (!feed) throw new Error(`no definition of feed ${type}`);
    const { definition, schema } = feed;
    const read = engine.read(bytes, { charset, schema, shape: definition.shape });
    if (!read.ok) {
      const { kind, problems, omitted, partial } = read.fault;
      const isWithheld = holdsCardNumber(bytes);
      return {
        checked: undefined,
        faults: problems.map(({ text }) => finding(kind, isWithheld ? maskCardNumber(text) : text)),
        omitted,
        objectId: partial === undefined ? undefined : identifier(definition.objectIdOf(partial as Partial<unknown>)),
        isWithheld,
      };
    }
    const raw = read.value;
    const faults: Finding[] = [];
    const named = definition.clientIdOf(raw as Partial<unknown>);
    if (named !== client.clientId) {
      faults.push(finding("CLIENT", `clientId '${named}' in the payload is not the '${client.clientId}' of the path`));
    }
    const checked = definition.check(raw, client);
    faults.push(...checked.faults);
    return {
      checked,
      faults,
      omitted: 0,
      objectId: definition.objectIdOf(raw as Partial<unknown>),
      isWithheld: checked.isWithheld ?? false,
    };
  };
}

/**
 * The type Identifier of the XSDs: 1 to 64 characters (not UTF-16 units), no blanks except single or several within.
 */
const identifierPattern = /^[^ \t\n\r]+(?: +[^ \t\n\r]+)*$/;

/** An ACK must fit its own XSD: an invalid identifier cannot be its objectId. */
function identifier(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 128 || [...text].length > 64) return undefined;
  return identifierPattern.test(text) ? text : undefined;
}

/**
 * Looks for a card number in a `tender` of a document that could not be parsed properly: it withholds one too many
 * rather than one too few.
 */
function holdsCardNumber(bytes: Uint8Array): boolean {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (isWide) text = text.replaceAll("\0", "");
  if (!text.includes("tender")) return false;
  for (const [, content = ""] of text.matchAll(/tender[^>]{0,200}>\s*(?:<!\[CDATA\[)?([^<\]]{0,400})/g)) {
    const plain = content.replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, x: string, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, x ? 16 : 10)),
    );
    if (findCardNumber(plain) !== undefined) return true;
  }
  return false;
}
