import type { Checked, FeedClient, FeedDefinition, Piece } from "#/intake/feeds/intake/definition.ts";
import type { Readings, Schema, XmlEngine } from "#/intake/xml/index.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { roundAmount } from "#/kernel/values/amount.ts";
import { findCardNumber, maskCardNumber } from "#/kernel/values/card-number.ts";
import { isFlag } from "#/kernel/values/extended-attributes.ts";
import { canonicalMoment } from "#/kernel/values/moment.ts";

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
  /** The pieces that were posted are the first ones of the message. */
  readonly isPosted?: boolean;
}

export interface ValidatorInput {
  readonly type: FeedType;
  readonly bytes: Uint8Array;
  /** The charset parameter of the content type. */
  readonly charset: string | undefined;
  readonly client: FeedClient;
}

/**
 * Forms of values that partners write, and whose meaning is in no doubt, by the type of the published XSDs
 * (feeds.md §3, Other forms). The XSDs say what to send; this table says what is read besides.
 */
const readings: Readings = new Map([
  ["DateTime", (text: string) => formOf(canonicalMoment(text))],
  ["ActionType", (text: string) => formOf(/^(?:new|update|cancel)$/i.exec(text)?.[0].toUpperCase())],
  ["Flag", (text: string) => formOf(isFlag(text) ? text.toLowerCase() : undefined)],
  ["CurrencyCode", (text: string) => formOf(/^[a-z]{3}$/i.exec(text)?.[0].toUpperCase())],
  ["Amount", readAmount],
]);

const formOf = (text: string | undefined) => (text === undefined ? undefined : { text });

function readAmount(text: string) {
  const rounded = roundAmount(text);
  return rounded === undefined
    ? undefined
    : { text: rounded, note: `has more than 4 fraction digits; ${rounded} is taken` };
}

/** @param post receives the pieces of a list that has no fault so far. They may turn out to be of no use. */
export type Validator = (input: ValidatorInput, post?: (piece: Piece) => void) => Reading;

/** Reads and checks a document: bounds, XSD, then every rule that needs no database, all faults together. */
export function createValidator(
  engine: XmlEngine,
  definitions: readonly FeedDefinition[],
  xsdOf: (name: string) => Uint8Array,
): Validator {
  const feeds = new Map<FeedType, Feed>(
    definitions.map((definition) => [
      definition.type,
      { definition, schema: engine.compile(xsdOf(definition.xsd), readings) },
    ]),
  );
  return (input, post) => {
    const feed = feeds.get(input.type);
    if (!feed) throw new Error(`no definition of feed ${input.type}`);
    const list = input.bytes.byteLength < listBytesMin ? undefined : readList(engine, feed, input, post);
    return list ?? readWhole(engine, feed, input);
  };
}

interface Feed {
  readonly definition: FeedDefinition;
  readonly schema: Schema;
}

/** From this size on, a list is read piece by piece. */
const listBytesMin = 1024 * 1024;

/** @returns nothing where the document is not a list, or has a fault that only a look at the whole document can name */
function readList(
  engine: XmlEngine,
  { definition, schema }: Feed,
  input: ValidatorInput,
  post: ((piece: Piece) => void) | undefined,
): Reading | undefined {
  const { list, shape } = definition;
  if (!list) return undefined;
  const { bytes, charset, client } = input;
  const check = list.begin(client);
  const kept: Piece[] = [];
  let ofClient: readonly Finding[] | undefined;
  const notes: Finding[] = [];
  const onNote = (note: string) => void notes.push(finding("VALUE", note));
  const isRead = engine.readPieces(bytes, { charset, schema, shape, onNote, item: list.item }, (raw) => {
    ofClient ??= checkClient(definition, raw, client);
    const pieces = check.take(raw, false);
    if (!post || ofClient.length > 0 || check.hasFaults()) kept.push(...pieces);
    else pieces.forEach(post);
  });
  if (!isRead) return undefined;
  const checked = check.end();
  return {
    checked: { ...checked, warnings: [...notes, ...checked.warnings], pieces: kept },
    isPosted: post !== undefined,
    faults: [...(ofClient ?? []), ...checked.faults],
    omitted: 0,
    // An id is that of the one object of a document.
    objectId: undefined,
    isWithheld: checked.isWithheld ?? false,
  };
}

function readWhole(engine: XmlEngine, { definition, schema }: Feed, input: ValidatorInput): Reading {
  const { bytes, charset, client } = input;
  const notes: Finding[] = [];
  const onNote = (note: string) => void notes.push(finding("VALUE", note));
  const read = engine.read(bytes, { charset, schema, shape: definition.shape, onNote });
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
  const checked = definition.check(raw, client);
  return {
    checked: notes.length === 0 ? checked : { ...checked, warnings: [...notes, ...checked.warnings] },
    faults: [...checkClient(definition, raw, client), ...checked.faults],
    omitted: 0,
    objectId: definition.objectIdOf(raw as Partial<unknown>),
    isWithheld: checked.isWithheld ?? false,
  };
}

function checkClient(definition: FeedDefinition, raw: unknown, { clientId }: FeedClient): Finding[] {
  const named = definition.clientIdOf(raw as Partial<unknown>);
  if (named === clientId) return [];
  return [finding("CLIENT", `clientId '${named}' in the payload is not the '${clientId}' of the path`)];
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
