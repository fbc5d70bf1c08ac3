import { hash } from "node:crypto";
import type { Change } from "#/db/audit.ts";
import type { Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { documentBytesMax, identityOf, type KeptDocument, type NewDocument } from "#/modules/documents/domain.ts";
import { upsertDocuments } from "#/modules/documents/repository.ts";

/**
 * Stores papers of orders. A paper is unique for its order, parcel, type, form and language. A new version replaces the
 * old one under the same documentId, so that no operator prints an outdated label; an equal version changes nothing. If
 * the same paper is given twice, the last one counts.
 *
 * @param documents at most {@link documentBytesMax} each. None may be empty.
 * @returns the stored papers, in the given order.
 */
export async function keepDocuments(
  tx: Tx,
  change: Change,
  clientId: string,
  documents: readonly NewDocument[],
): Promise<KeptDocument[]> {
  const last = new Map(documents.map((document) => [identityOf(document), document]));
  if (last.size === 0) return [];
  const writes = [...last.values()].map((document) => {
    const { byteLength } = document.bytes;
    assert(byteLength > 0 && byteLength <= documentBytesMax, `a ${document.type} has ${byteLength} bytes`);
    const sha256 = hash("sha256", document.bytes);
    return { ...document, documentId: change.ids.next(Date.parse(change.at)), sha256 };
  });
  const kept = await upsertDocuments(tx, clientId, change.at, writes);
  const byIdentity = new Map(kept.map((document) => [identityOf(document), document]));
  return [...last.keys()].map((identity) => {
    const document = byIdentity.get(identity);
    assert(document, "a paper was kept and is not there: the client has no root row");
    return document;
  });
}
