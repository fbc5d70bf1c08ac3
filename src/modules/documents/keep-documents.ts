import { hash } from "node:crypto";
import type { Change } from "#/db/audit.ts";
import type { Tx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import { documentBytesMax, identityOf, type KeptDocument, type NewDocument } from "#/modules/documents/domain.ts";
import { upsertDocuments } from "#/modules/documents/repository.ts";

/**
 * Keeps papers of orders. A paper is there once for its order, parcel, type, form and language: made again, it takes the
 * place of the one before under the same documentId, so that nobody prints a label that is not valid any more; made again as it
 * was, nothing changes. Of the same paper given twice the last counts.
 *
 * @param documents at most {@link documentBytesMax} each. None may be empty.
 * @returns them as they are kept now, in the order given.
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
