import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A document and the verdict that every validator must reach. */
export interface Exhibit {
  readonly name: string;
  readonly schema: SchemaName | EarlierName;
  readonly bytes: Buffer;
  readonly isValid: boolean;
}

export const inboundNames = ["CAT", "PO", "RMA", "NO"] as const;
export const outboundNames = ["GR", "OS", "RS", "ADJ", "INV", "IMS", "ACK"] as const;
export const schemaNames = [...inboundNames, "ApiResponse", ...outboundNames] as const;
export type SchemaName = (typeof schemaNames)[number];
/** The newest version of the schemas that have several. */
export const newestVersionOf: Readonly<Partial<Record<SchemaName, string>>> = {
  CAT: "1.2",
  GR: "1.2",
  NO: "1.2",
  OS: "1.2",
  PO: "1.2",
  RS: "1.1",
};
/** Versions that are served beside a later one. */
const earlierNames = ["1.0/CAT", "1.0/GR", "1.0/NO", "1.0/OS", "1.0/PO", "1.0/RS", "1.1/OS"] as const;
export type EarlierName = (typeof earlierNames)[number];

const samples = new URL("../../samples/", import.meta.url);
const acknowledgementSuffix = ".ack.xml";

export function schemaPath(name: SchemaName | EarlierName): string {
  return fileURLToPath(new URL(`../../schemas/xsd/${name}.xsd`, import.meta.url));
}

export function readSample(path: string): Buffer {
  return readFileSync(new URL(path, samples));
}

/** The accepted samples with the text of every optional element removed: they are valid too. */
export function emptiedExhibits(): Exhibit[] {
  return inboundNames.map((name) => {
    const declarations = [...readFileSync(schemaPath(name), "utf8").matchAll(/<xs:element name="(\w+)"([^>]*)>/g)];
    const required = new Set(
      declarations.flatMap(([, element, rest]) => (/minOccurs/.test(rest ?? "") ? [] : [element])),
    );
    const optional = declarations.flatMap(([, element = "", rest = ""]) =>
      rest.includes('minOccurs="0"') && !required.has(element) ? [element] : [],
    );
    const leaf = new RegExp(`<(${optional.join("|")})((?: [^>]*)?)>[^<]*</\\1>`, "g");
    const text = readSample(`accepted/${name}.xml`).toString();
    const emptied = text.replaceAll(leaf, "<$1$2></$1>");
    assert.notEqual(emptied, text);
    return { name: `${name} emptied`, schema: name, bytes: Buffer.from(emptied), isValid: true };
  });
}

/** Accepted samples are valid against their schema; a refused one is invalid exactly if its ACK contains `[XSD]`. */
export function sampleExhibits(): Exhibit[] {
  const accepted = listSamples("accepted").map((file) => sampleExhibit(`accepted/${file}`, true));
  const refused = refusedSamples().map(({ path, codes }) => ({ path, codes: new Set(codes) }));
  return [
    ...accepted,
    // The server's own limits, not the schema, refuse an [XML] document (a DTD, an encoding, its depth).
    ...refused
      .filter(({ codes }) => !codes.has("XML"))
      .map(({ path, codes }) => sampleExhibit(path, !codes.has("XSD"))),
  ];
}

/** The expected ACKs with their placeholders filled. */
export function acknowledgementExhibits(): Exhibit[] {
  return refusedSamples().map(({ path, acknowledgement }) => ({
    name: path.replace(/\.xml$/, acknowledgementSuffix),
    schema: "ApiResponse",
    bytes: Buffer.from(fillPlaceholders(acknowledgement)),
    isValid: true,
  }));
}

export interface RefusedSample {
  /** Path relative to `samples/`. */
  readonly path: string;
  readonly acknowledgement: string;
  /** Codes of its errors, in their order, without brackets. */
  readonly codes: readonly string[];
}

export function refusedSamples(): RefusedSample[] {
  return listSamples("refused")
    .filter((file) => !file.endsWith(acknowledgementSuffix))
    .map((file) => {
      const acknowledgement = readSample(`refused/${file.replace(/\.xml$/, acknowledgementSuffix)}`).toString();
      const codes = [...acknowledgement.matchAll(/<error>\[([A-Z_]+)\] /g)].map((match) => match[1] as string);
      return { path: `refused/${file}`, acknowledgement, codes };
    });
}

/** Samples of the documents that the platform sends. Those of a later version are invalid in an earlier one. */
export function outboundExhibits(): Exhibit[] {
  const exhibits = listSamples("outbound").map((file) => sampleExhibit(`outbound/${file}`, true));
  const earlier = exhibits.flatMap((exhibit) => {
    const schema = earlierNames.find((name) => name === `1.0/${exhibit.schema}`);
    return schema === undefined ? [] : { ...exhibit, schema, isValid: exhibit.name.endsWith("-1.0.xml") };
  });
  return [...exhibits, ...earlier];
}

function sampleExhibit(path: string, isValid: boolean): Exhibit {
  const feedType = /\/([A-Z]+)[-.]/.exec(path)?.[1];
  const schema = schemaNames.find((name) => name === feedType);
  if (schema === undefined) throw new Error(`the name of samples/${path} does not start with a feed type`);
  return { name: path, schema, bytes: readSample(path), isValid };
}

function listSamples(folder: "accepted" | "refused" | "outbound"): string[] {
  return readdirSync(new URL(`${folder}/`, samples))
    .filter((file) => file.endsWith(".xml"))
    .sort();
}

function fillPlaceholders(text: string): string {
  return text
    .replaceAll(/\{token(?: of [^}]+)?\}/g, "019a4c2e-8f00-7abc-8def-0123456789ab")
    .replaceAll(/\{time of [^}]+\}/g, "2026-11-03T08:30:00.000Z");
}
