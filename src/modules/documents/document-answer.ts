// Common answers of the services that return papers: pages of records, and the papers themselves.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Tx } from "#/db/database.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { pageLimitDefault, placeOf, type ReceiptSort } from "#/http/requests/paging.ts";
import { chooseMediaType } from "#/http/server/accept.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type DocumentFormat, fileNameOf, formatOf, type KeptDocument } from "#/modules/documents/domain.ts";
import * as repository from "#/modules/documents/repository.ts";
import { type DocumentRecord, documentCursors } from "#/modules/documents/rest-contract.ts";

interface FoundDocument {
  readonly document: KeptDocument;
  readonly bytes: Buffer;
}

interface PageQuery {
  readonly sort?: ReceiptSort;
  readonly cursor?: string;
  readonly limit?: number;
}

/** The requested page in either order; a cursor of another list is refused. */
export function readDocumentPage({
  sort = "receivedAt",
  cursor,
  limit = pageLimitDefault,
}: PageQuery): Result<Pick<repository.DocumentPageRequest, "sort" | "after" | "limit">, Problem> {
  const after = placeOf(documentCursors[sort], cursor);
  return after.ok ? ok({ sort, after: after.value?.id, limit }) : after;
}

export async function listDocumentPage(
  tx: Tx,
  clientId: string,
  page: repository.DocumentPageRequest,
): Promise<{ items: DocumentRecord[]; nextCursor: string | null }> {
  // One document more than requested shows whether there is a next page.
  const listed = await repository.listDocuments(tx, clientId, { ...page, limit: page.limit + 1 });
  const asked = listed.slice(0, page.limit);
  const last = asked.at(-1);
  const hasNext = last && listed.length > page.limit;
  return {
    items: asked.map(recordOf),
    nextCursor: hasNext ? documentCursors[page.sort].encode({ id: last.documentId }) : null,
  };
}

interface AskedForm {
  readonly format: DocumentFormat | undefined;
  /** The header; `format` takes precedence. */
  readonly accept: string | undefined;
}

/**
 * The paper in the requested form, whichever of its forms the documentId names; without a preference, in the named
 * form.
 *
 * @returns undefined if the client has no such document; refused with a 406 if it is not stored in a requested form
 */
export async function findDocumentAs(
  tx: Tx,
  clientId: string,
  documentId: string,
  { format, accept }: AskedForm,
): Promise<Result<FoundDocument, Problem> | undefined> {
  const named = await repository.findDocument(tx, clientId, documentId);
  if (!named) return undefined;
  const others = await repository.listForms(tx, clientId, named.document);
  const forms = [named.document, ...others.filter((form) => form.documentId !== documentId)];
  const contentTypes = forms.map(({ contentType }) => contentType);
  const chosen =
    format === undefined
      ? chooseMediaType(accept, contentTypes)
      : contentTypes.find((contentType) => formatOf(contentType) === format);
  if (chosen === undefined) {
    const kept = contentTypes.map((contentType) => `${contentType} (format=${formatOf(contentType)})`).join(", ");
    return refused(problem("not-acceptable", `The document is kept as ${kept}.`));
  }
  const form = forms.find(({ contentType }) => contentType === chosen);
  if (form === undefined || form === named.document) return ok(named);
  const found = await repository.findDocument(tx, clientId, form.documentId);
  return found && ok(found);
}

/** Sends the bytes of a paper, or a 304 if the caller still has them. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { document, bytes }: FoundDocument,
): FastifyReply {
  const tag = `"${document.sha256.toString("hex")}"`;
  reply.header("ETag", tag);
  if (isAtHand(request.headers["if-none-match"], tag)) return reply.code(304).send(undefined);
  return reply
    .headers({
      "Content-Disposition": `attachment; filename="${fileNameOf(document)}"`,
      "Content-Digest": `sha-256=:${document.sha256.toString("base64")}:`,
    })
    .type(document.contentType)
    .send(bytes);
}

function recordOf(document: KeptDocument): DocumentRecord {
  return {
    documentId: document.documentId,
    orderId: document.orderId,
    olpnId: document.olpnId ?? null,
    type: document.type,
    contentType: document.contentType,
    language: document.language ?? null,
    createdAt: document.createdAt,
    size: document.size,
    sha256: document.sha256.toString("hex"),
  };
}

/** Tags are compared weakly (RFC 9110 §13.1.2). */
function isAtHand(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((part) => ["*", tag, `W/${tag}`].includes(part.trim()));
}
