// Common answers of the services that return papers: pages of records, and the papers themselves.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ClientTx } from "#/db/database.ts";
import { type Problem, problem, sendProblem } from "#/http/problems/problem.ts";
import { pageLimitDefault, placeOf, type ReceiptSort } from "#/http/requests/paging.ts";
import { chooseMediaType, isFirstChoice } from "#/http/server/accept.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  type DocumentContentType,
  type DocumentFormat,
  fileNameOf,
  formatOf,
  type KeptDocument,
  type PrintedDocument,
} from "#/modules/documents/domain.ts";
import { PictureTooLongError, picturePagesMax } from "#/modules/documents/papers/picture.ts";
import {
  drawDocument,
  type FoundPrint,
  type PrintContext,
  printDocument,
  withDigests,
} from "#/modules/documents/print-documents.ts";
import * as repository from "#/modules/documents/repository.ts";
import { type DocumentRecord, documentCursors } from "#/modules/documents/rest-contract.ts";

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

/** Reads a page, and one document more, which shows whether there is a next page. */
export function readDocuments(tx: ClientTx, page: repository.DocumentPageRequest): Promise<readonly KeptDocument[]> {
  return repository.listDocuments(tx, { ...page, limit: page.limit + 1 });
}

/** The page of documents that {@link readDocuments} read. Papers without a digest are printed for it. */
export async function answerDocumentPage(
  context: PrintContext,
  clientId: string,
  page: repository.DocumentPageRequest,
  listed: readonly KeptDocument[],
): Promise<{ items: DocumentRecord[]; nextCursor: string | null }> {
  const pageRows = listed.slice(0, page.limit);
  const last = pageRows.at(-1);
  const hasNext = last && listed.length > page.limit;
  return {
    items: (await withDigests(context, clientId, pageRows)).map(recordOf),
    nextCursor: hasNext ? documentCursors[page.sort].encode({ id: last.documentId }) : null,
  };
}

interface AskedForm {
  readonly format: DocumentFormat | undefined;
  /** The header; `format` takes precedence. */
  readonly accept: string | undefined;
}

/** A paper in a stored form, and whether its picture is sent in the place of it. */
interface DocumentForm extends repository.DocumentContent {
  readonly isPicture: boolean;
}

/**
 * The paper in the requested form, whichever of its forms the documentId names; without a preference, in the named
 * form.
 *
 * @returns undefined if the client has no such document; refused with a 406 if it does not exist in a requested form
 */
export async function findDocumentAs(
  database: ClientTx,
  documentId: string,
  { format, accept }: AskedForm,
): Promise<Result<DocumentForm, Problem> | undefined> {
  const named = await repository.findDocument(database, documentId);
  if (!named) return undefined;
  const { contentType } = named.document;
  // No other form can be better: its list is not read.
  if (format === undefined ? isFirstChoice(accept, contentType) : format === formatOf(contentType))
    return ok({ ...named, isPicture: false });
  const others = await repository.listForms(database, named.document);
  const forms = [named.document, ...others.filter((form) => form.documentId !== documentId)];
  const stored = forms.map(({ contentType }) => contentType);
  const contentTypes: readonly DocumentContentType[] = stored.includes(pictured) ? [...stored, picture] : stored;
  const chosen =
    format === undefined
      ? chooseMediaType(accept, contentTypes)
      : contentTypes.find((contentType) => formatOf(contentType) === format);
  if (chosen === undefined) {
    return refused(problem("not-acceptable", `The document exists as ${contentTypes.map(namedForm).join(", ")}.`));
  }
  const isPicture = chosen === picture;
  const form = forms.find(({ contentType }) => contentType === (isPicture ? pictured : chosen));
  const isNamed = form === undefined || form === named.document;
  const found = isNamed ? named : await repository.findDocument(database, form.documentId);
  return found && ok({ ...found, isPicture });
}

/** Drawn from the PDF when it is read. */
const picture = "image/png" satisfies DocumentContentType;
const pictured = "application/pdf" satisfies DocumentContentType;

const namedForm = (contentType: DocumentContentType) => `${contentType} (format=${formatOf(contentType)})`;

/** Sends the bytes of a paper, or a 304 if the caller still has them; then only a paper without a digest is printed. */
export async function sendDocument(
  context: PrintContext,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string,
  found: repository.DocumentContent,
): Promise<FastifyReply> {
  const known = found.document.sha256;
  if (known && isAtHand(request.headers["if-none-match"], tagOf(known))) return sendUnchanged(reply, known);
  return sendPrint(request, reply, await printDocument(context, clientId, found));
}

/** Sends a paper as {@link findDocumentAs} found it. A picture of a long paper is refused with a 406. */
export async function sendForm(
  context: PrintContext,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string,
  found: DocumentForm,
): Promise<FastifyReply> {
  if (!found.isPicture) return sendDocument(context, request, reply, clientId, found);
  try {
    return sendPrint(request, reply, await drawDocument(context, found));
  } catch (error) {
    if (!(error instanceof PictureTooLongError)) throw error;
    const detail = `The document has ${error.pages} pages. A PNG has at most ${picturePagesMax}; the document exists as ${namedForm(pictured)}.`;
    return sendProblem(reply, problem("not-acceptable", detail));
  }
}

function sendPrint(request: FastifyRequest, reply: FastifyReply, { document, bytes }: FoundPrint): FastifyReply {
  if (isAtHand(request.headers["if-none-match"], tagOf(document.sha256))) return sendUnchanged(reply, document.sha256);
  return reply
    .header("ETag", tagOf(document.sha256))
    .headers({
      "Content-Disposition": `attachment; filename="${fileNameOf(document)}"`,
      "Content-Digest": `sha-256=:${document.sha256.toString("base64")}:`,
    })
    .type(document.contentType)
    .send(bytes);
}

const tagOf = (sha256: Buffer) => `"${sha256.toString("hex")}"`;

function sendUnchanged(reply: FastifyReply, sha256: Buffer): FastifyReply {
  return reply.header("ETag", tagOf(sha256)).code(304).send(undefined);
}

function recordOf(document: PrintedDocument): DocumentRecord {
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
