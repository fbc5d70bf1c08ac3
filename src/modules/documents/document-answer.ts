// Common answers of the services that return papers: pages of records, and the papers themselves.

import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Problem, problem, sendProblem } from "#/http/problems/problem.ts";
import { isAtHand } from "#/http/requests/if-none-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import { withNulls } from "#/http/routes/schema.ts";
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
  storeDigests,
  withDigests,
} from "#/modules/documents/print-documents.ts";
import * as repository from "#/modules/documents/repository.ts";
import {
  type DocumentListQuery,
  type DocumentRecord,
  document,
  documentCursors,
} from "#/modules/documents/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";

type PageQuery = Pick<DocumentListQuery, "sort" | "cursor" | "limit">;
type Listing = Pick<repository.DocumentPageRequest, "sort" | "after" | "limit">;

/** A page of documents in either order. Papers without a digest are printed for it. @param list reads a page. */
export function readDocumentPage(
  context: PrintContext,
  clientId: string,
  query: PageQuery,
  list: (page: Listing) => Promise<readonly KeptDocument[]>,
) {
  const { sort = "receivedAt" } = query;
  return readPage(query, {
    cursors: documentCursors[sort],
    read: (after, limit) => list({ sort, after: after?.id, limit }),
    placeOf: ({ documentId }) => ({ id: documentId }),
    itemsOf: async (documents) => (await withDigests(context, clientId, documents)).map(recordOf),
  });
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

/**
 * Sends the bytes of a paper, or a 304 if the caller still has them; then only a paper without a digest is printed. Most
 * papers are read once: a read stores the digest for a caller that compares.
 */
export async function sendDocument(
  context: PrintContext,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string,
  found: repository.DocumentContent,
): Promise<FastifyReply> {
  const known = found.document.sha256;
  if (known && isAtHand(request, tagOf(known))) return sendUnchanged(reply, tagOf(known));
  const print = await printDocument(context, found);
  if (!known && request.headers["if-none-match"] !== undefined) await storeDigests(context, clientId, [print]);
  return sendPrint(request, reply, print, tagOf(print.document.sha256));
}

/**
 * Sends a paper as {@link findDocumentAs} found it. The tag of a picture is that of what it shows, so that none is drawn for
 * a 304. A picture of a long paper is refused with a 406.
 */
export async function sendForm(
  context: PrintContext,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId: string,
  found: DocumentForm,
): Promise<FastifyReply> {
  if (!found.isPicture) return sendDocument(context, request, reply, clientId, found);
  const tag = `"${hash("sha256", found.content)}-png"`;
  if (isAtHand(request, tag)) return sendUnchanged(reply, tag);
  try {
    return sendPrint(request, reply, await drawDocument(context, found), tag);
  } catch (error) {
    if (!(error instanceof PictureTooLongError)) throw error;
    const detail = `The document has ${error.pages} pages. A PNG has at most ${picturePagesMax}; the document exists as ${namedForm(pictured)}.`;
    return sendProblem(reply, problem("not-acceptable", detail));
  }
}

function sendPrint(request: FastifyRequest, reply: FastifyReply, print: FoundPrint, tag: string): FastifyReply {
  if (isAtHand(request, tag)) return sendUnchanged(reply, tag);
  const { document, bytes } = print;
  return reply
    .header("ETag", tag)
    .headers({
      "Content-Disposition": `attachment; filename="${fileNameOf(document)}"`,
      "Content-Digest": `sha-256=:${document.sha256.toString("base64")}:`,
    })
    .type(document.contentType)
    .send(bytes);
}

const tagOf = (sha256: Buffer) => `"${sha256.toString("hex")}"`;

function sendUnchanged(reply: FastifyReply, tag: string): FastifyReply {
  return reply.header("ETag", tag).code(304).send(undefined);
}

const recordOf = (printed: PrintedDocument): DocumentRecord =>
  withNulls(document, { ...printed, sha256: printed.sha256.toString("hex") });
