import { clientIdOf } from "#/http/access/bearer.ts";
import { createReadAudit } from "#/http/access/read-audit.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { type Ids, isUuidV7 } from "#/kernel/values/ids.ts";
import { readDocumentPage, sendDocument } from "#/modules/documents/document-answer.ts";
import { labelSchema, sendLabel } from "#/modules/documents/label-answer.ts";
import type { PrintContext } from "#/modules/documents/print-documents.ts";
import * as repository from "#/modules/documents/repository.ts";
import {
  documentBytes,
  documentHeaders,
  documentListQuery,
  documentOrderPath,
  documentPage,
  documentPath,
  documentQuery,
  documentUnchanged,
} from "#/modules/documents/rest-contract.ts";
import { listParcelsById } from "#/modules/parcels/index.ts";
import type { ClientTx } from "#/store/db/database.ts";

export interface DocumentRoutesContext extends PrintContext {
  readonly ids: Ids;
  /** The orders module depends on this one, so it provides this check of an order. */
  hasOrder(tx: ClientTx, orderId: string): Promise<boolean>;
}

/** Routes for papers of orders in the Order service (contract rest.md §3). */
export function addDocumentRoutes(service: HttpServer, context: DocumentRoutesContext): void {
  const { database, hasOrder } = context;
  const auditRead = createReadAudit(context);
  service.get(
    "/document/list/:orderId",
    {
      schema: {
        operationId: "listDocuments",
        summary: "The documents of an order and its parcels, by creation",
        params: documentOrderPath,
        querystring: documentListQuery,
        response: { 200: documentPage },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { orderId } = request.params;
      const view = database.of(clientId);
      const [isKnown, page] = await Promise.all([
        hasOrder(view, orderId),
        readDocumentPage(context, clientId, request.query, (page) =>
          repository.listDocuments(view, { orderId, olpnId: request.query.olpnId, ...page }),
        ),
      ]);
      return isKnown || !page.ok ? page : refused(problem("not-found", "The client has no order of this orderId."));
    },
  );

  service.get(
    "/document/get/:documentId",
    {
      schema: {
        operationId: "getDocument",
        summary: "The bytes of the document",
        description: "A recreated document keeps its documentId, and has another ETag.",
        params: documentPath,
        querystring: documentQuery,
        headers: documentHeaders,
        response: { 200: documentBytes, 304: documentUnchanged },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const documentId = request.params.documentId.toLowerCase();
      const clientId = clientIdOf(request);
      const found = isUuidV7(documentId)
        ? await repository.findDocument(database.reads.of(clientId), documentId)
        : undefined;
      if (!found) return refused(problem("not-found", "The client has no document of this documentId."));
      await auditRead(request, clientId, { objectType: "paper", objectId: documentId });
      return sendDocument(context, request, reply, clientId, found);
    },
  );

  service.get(
    "/label/get/:olpnId",
    {
      schema: {
        operationId: "getLabel",
        ...labelSchema,
        querystring: documentQuery,
      } as const,
      config: answers(404, 406, 409),
    },
    async (request, reply) => {
      const { olpnId } = request.params;
      const clientId = clientIdOf(request);
      const [parcel] = await listParcelsById(database.of(clientId), [olpnId]);
      if (!parcel) return refused(problem("not-found", "The client has no parcel of this olpnId."));
      await auditRead(request, clientId, { objectType: "paper", objectId: olpnId });
      return sendLabel(context, request, reply, { clientId, orderId: parcel.orderId, olpnId });
    },
  );
}
