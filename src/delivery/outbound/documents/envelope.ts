import { block, leaf, type XmlLines } from "#/delivery/outbound/documents/xml-lines.ts";

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
