import type { Tx } from "#/db/database.ts";
import { readOneState } from "#/db/one-state.ts";
import { clientIdOf } from "#/http/bearer.ts";
import { answers } from "#/http/openapi.ts";
import type { ServiceContext } from "#/http/operation.ts";
import { pageLimitDefault, placeOf } from "#/http/paging.ts";
import { problem, sendProblem } from "#/http/problem.ts";
import type { HttpServer } from "#/http/server.ts";
import { isUuidV7 } from "#/kernel/ids.ts";
import { fileNameOf, type KeptDocument } from "#/modules/documents/domain.ts";
import * as repository from "#/modules/documents/repository.ts";
import {
  type DocumentRecord,
  documentBytes,
  documentCursors,
  documentHeaders,
  documentListQuery,
  documentOrderPath,
  documentPage,
  documentPath,
  documentQuery,
  documentUnchanged,
} from "#/modules/documents/rest-contract.ts";

export interface DocumentRoutesContext extends Pick<ServiceContext, "database"> {
  /** Orders come after documents: whether the client has the order is asked of those. */
  hasOrder(tx: Tx, clientId: string, orderId: string): Promise<boolean>;
}

/** Papers of orders in the Order service (contract rest.md §3). */
export function addDocumentRoutes(service: HttpServer, { database, hasOrder }: DocumentRoutesContext): void {
  service.get(
    "/document/list/:orderId",
    {
      schema: {
        operationId: "listDocuments",
        summary: "The documents of an order and its parcels, as they were made",
        params: documentOrderPath,
        querystring: documentListQuery,
        response: { 200: documentPage },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const clientId = clientIdOf(request);
      const { orderId } = request.params;
      const { sort = "receivedAt", cursor, limit = pageLimitDefault } = request.query;
      const after = placeOf(documentCursors[sort], cursor);
      if (!after.ok) return sendProblem(reply, after.fault);
      // One more than asked for tells whether there is a next page.
      const page = { orderId, sort, after: after.value?.id, limit: limit + 1 };
      const [isKnown, listed] = await database.transaction(async (tx) => {
        const [, ...read] = await Promise.all([
          readOneState(tx),
          hasOrder(tx, clientId, orderId),
          repository.listDocuments(tx, clientId, page),
        ]);
        return read;
      });
      if (!isKnown) return sendProblem(reply, problem("not-found", "The client has no order of this orderId."));
      const asked = listed.slice(0, limit);
      const last = asked.at(-1);
      return {
        items: asked.map(recordOf),
        nextCursor: last && listed.length > limit ? documentCursors[sort].encode({ id: last.documentId }) : null,
      };
    },
  );

  service.get(
    "/document/get/:documentId",
    {
      schema: {
        operationId: "getDocument",
        summary: "The document itself: its bytes",
        description: "A document that was made again keeps its documentId, and has another ETag.",
        params: documentPath,
        querystring: documentQuery,
        headers: documentHeaders,
        response: { 200: documentBytes, 304: documentUnchanged },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const documentId = request.params.documentId.toLowerCase();
      const found = isUuidV7(documentId)
        ? await repository.findDocument(database, clientIdOf(request), documentId)
        : undefined;
      if (!found) return sendProblem(reply, problem("not-found", "The client has no document of this documentId."));
      const { document, bytes } = found;
      const tag = `"${document.sha256.toString("hex")}"`;
      // It names a person: nobody on the way keeps it, and a copy at hand is asked about before it is used.
      reply.headers({ ETag: tag, "Cache-Control": "private, no-cache" });
      if (isAtHand(request.headers["if-none-match"], tag)) return reply.code(304).send(undefined);
      return reply
        .headers({
          "Content-Disposition": `attachment; filename="${fileNameOf(document)}"`,
          "Content-Digest": `sha-256=:${document.sha256.toString("base64")}:`,
          "X-Content-Type-Options": "nosniff",
        })
        .type(document.contentType)
        .send(bytes);
    },
  );
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
