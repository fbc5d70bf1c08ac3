import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, type Problem, problem } from "#/http/problems/problem.ts";
import { pageParameters, placeOf, receiptSortParameter } from "#/http/requests/paging.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import {
  documentBytes,
  documentCursors,
  documentFormats,
  documentHeaders,
  documentPage,
  documentPath,
  documentUnchanged,
  findDocumentAs,
  labelSchema,
  listDocuments,
  type PrintContext,
  readDocumentPage,
  sendForm,
  sendLabel,
} from "#/modules/documents/index.ts";
import { chooseClient, findParcel, unknownObject } from "#/modules/warehouse/objects/owners.ts";
import { findClientOfDocument, listClientsWithOrder } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { Tx } from "#/store/db/database.ts";

export interface WarehouseDocumentContext extends PrintContext {
  facilityOf(request: FastifyRequest): string;
}

const documentListQuery = Type.Object(
  {
    orderId: Type.Optional(identifier("The order: its documents and those of its parcels.", "WEB-100045")),
    olpnId: Type.Optional(identifier("The parcel.", "006141410000000012")),
    clientId: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{1,10}$",
        description:
          "Client of the order; required where several clients of the facility have an order of this orderId.",
        examples: ["DEMO"],
      }),
    ),
    sort: receiptSortParameter,
    ...pageParameters,
  },
  closed,
);

const documentQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Enum([...documentFormats], {
        type: "string",
        description: "Form of the document, where it exists in several; takes precedence over the header Accept.",
        examples: ["zpl"],
      }),
    ),
  },
  closed,
);

/** The papers of the facility's orders and parcels. An object of another facility is answered as not found. */
export function addWarehouseDocumentRoutes(service: HttpServer, context: WarehouseDocumentContext): void {
  const { database, facilityOf } = context;
  service.get(
    "/document/list",
    {
      schema: {
        operationId: "listWarehouseDocuments",
        summary: "The documents of an order or a parcel, by creation",
        description: "Requires an orderId, an olpnId, or both.",
        querystring: documentListQuery,
        response: { 200: documentPage },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const { sort = "receivedAt", cursor } = request.query;
      const place = placeOf(documentCursors[sort], cursor);
      if (!place.ok) return place;
      const owner = await findOwner(database, facilityOf(request), request.query);
      if (!owner.ok) return owner;
      const { clientId, orderId } = owner.value;
      return readDocumentPage(context, clientId, request.query, (page) =>
        listDocuments(database.of(clientId), { orderId, olpnId: request.query.olpnId, ...page }),
      );
    },
  );

  service.get(
    "/document/get/:documentId",
    {
      schema: {
        operationId: "getWarehouseDocument",
        summary: "The bytes of the document",
        description:
          "A recreated document keeps its documentId, and has another ETag. A shipping label exists as PDF and as ZPL, and each PDF of at most 10 pages also as PNG of 203.2 dpi: `format` or the header Accept chooses, for any of the documentIds.",
        params: documentPath,
        querystring: documentQuery,
        headers: documentHeaders,
        response: { 200: documentBytes, 304: documentUnchanged },
      } as const,
      config: answers(404, 406),
    },
    async (request, reply) => {
      const { format } = request.query;
      const documentId = request.params.documentId.toLowerCase();
      const clientId = isUuidV7(documentId)
        ? await findClientOfDocument(database.reads, facilityOf(request), documentId)
        : undefined;
      const found =
        clientId &&
        (await findDocumentAs(database.reads.of(clientId), documentId, { format, accept: request.headers.accept }));
      if (!clientId || !found) return refused(problem("not-found", "The facility has no document of this documentId."));
      reply.header("Vary", "Accept");
      return found.ok ? sendForm(context, request, reply, clientId, found.value) : refused(found.fault);
    },
  );

  service.get(
    "/label/get/:olpnId",
    {
      schema: { operationId: "getWarehouseLabel", ...labelSchema } as const,
      config: answers(404, 406, 409),
    },
    async (request, reply) => {
      const { olpnId } = request.params;
      const found = await findParcel(database, facilityOf(request), olpnId);
      if (!found) return refused(unknownObject({ kind: "a parcel", idName: "olpnId", id: olpnId }));
      const { clientId, parcel } = found;
      return sendLabel(context, request, reply, { clientId, orderId: parcel.orderId, olpnId });
    },
  );
}

interface Asked {
  readonly orderId?: string;
  readonly olpnId?: string;
  readonly clientId?: string;
}

/** Finds the client and the order of an order or a parcel. */
async function findOwner(
  tx: Tx,
  facilityCode: string,
  filter: Asked,
): Promise<Result<{ readonly clientId: string; readonly orderId: string }, Problem>> {
  const { orderId, olpnId } = filter;
  if (olpnId !== undefined) return findParcelOwner(tx, facilityCode, olpnId, filter);
  if (orderId === undefined) {
    const message = "is required, or olpnId";
    return refused(invalidRequest([{ pointer: "/query/orderId", message }]));
  }
  const named = { kind: "an order", idName: "orderId", id: orderId };
  const clientId = chooseClient(await listClientsWithOrder(tx, facilityCode, orderId), filter.clientId, named);
  return clientId.ok ? ok({ clientId: clientId.value, orderId }) : clientId;
}

async function findParcelOwner(
  tx: Tx,
  facilityCode: string,
  olpnId: string,
  filter: Asked,
): Promise<Result<{ readonly clientId: string; readonly orderId: string }, Problem>> {
  const found = await findParcel(tx, facilityCode, olpnId);
  const { clientId = found?.clientId, orderId = found?.parcel.orderId } = filter;
  if (!found || clientId !== found.clientId || orderId !== found.parcel.orderId) {
    return refused(unknownObject({ kind: "a parcel", idName: "olpnId", id: olpnId }));
  }
  return ok({ clientId, orderId });
}
