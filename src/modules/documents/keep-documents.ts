import { assert } from "#/kernel/assert.ts";
import { identityOf, type KeptDocument } from "#/modules/documents/domain.ts";
import { encodePaper, type PaperOrder, paperOf } from "#/modules/documents/printing.ts";
import { upsertDocuments } from "#/modules/documents/repository.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/**
 * Stores the content of papers; their bytes are made when they are read (print-documents.ts). A paper is unique for its
 * order, parcel, type, form and language. A new version replaces the old one under the same documentId, so that no
 * operator prints an outdated label; an equal version changes nothing. If the same paper is given twice, the last one
 * counts.
 *
 * @returns the stored papers, in the given order.
 */
export async function keepDocuments(tx: UnitOfWork, papers: readonly PaperOrder[]): Promise<KeptDocument[]> {
  const last = new Map(papers.map((paper) => [identityOf(paperOf(paper)), paper]));
  if (last.size === 0) return [];
  const writes = [...last.values()].map((paper) => ({
    ...paperOf(paper),
    documentId: tx.change.ids.next(Date.parse(tx.change.at)),
    content: encodePaper(tx, paper),
  }));
  const kept = await upsertDocuments(tx, tx.change.at, writes);
  const byIdentity = new Map(kept.map((document) => [identityOf(document), document]));
  return [...last.keys()].map((identity) => {
    const document = byIdentity.get(identity);
    assert(document, "a paper was kept and is not there: the client has no root row");
    return document;
  });
}
