import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, changeHeaders, createHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { type FacilityContext, pageOfFacility } from "#/modules/inventory/index.ts";
import * as repository from "#/modules/transfers/repository.ts";
import {
  transfer,
  transferCancel,
  transferCreate,
  transferCursors,
  transferListQuery,
  transferPage,
  transferPath,
  transferQuery,
} from "#/modules/transfers/rest-contract.ts";
import { cancelTransfer, createTransfer, type TransferResult } from "#/modules/transfers/service.ts";
import { transferRecord } from "#/modules/transfers/transfer.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** Transfers in the Inventory service (contract rest.md §2–§4). */
export function addTransferRoutes(service: HttpServer, context: ServiceContext & FacilityContext): void {
  const { database } = context;

  /** Answers with the record after the change. */
  function written(clientId: string, outcome: TransferResult, status: 200 | 201): WriteResult {
    if (!outcome.ok) return outcome;
    const { answer, events } = outcome.value;
    const location = `${service.prefix}/transfer/get/${encodeURIComponent(answer.transferId)}`;
    const headers = { ETag: entityTag(answer.version), ...(status === 201 ? { Location: location } : {}) };
    return answered(transferRecord(clientId, answer), { status, headers, events });
  }

  service.post(
    "/transfer/create",
    {
      schema: {
        operationId: "createTransfer",
        summary: "Move goods from one facility to another",
        description:
          "The goods are allocated at once, all of them or none, and the sending warehouse gets a task. The receiving one gets a purchase order of what ships, with the transferId as poNumber and fromFacility as vendorOrderId.",
        querystring: transferQuery,
        headers: createHeaders,
        body: transferCreate,
        response: { 201: transfer },
      } as const,
      config: answers(409, 422),
    },
    async (request, reply) =>
      answerWrite(context, request, reply, async (tx) =>
        written(tx.clientId, await createTransfer(tx, request.body), 201),
      ),
  );

  service.post(
    "/transfer/cancel/:transferId",
    {
      schema: {
        operationId: "cancelTransfer",
        summary: "Cancel a transfer until it ships",
        description: "Its goods are free at once. After the shipment it is refused with 409.",
        params: transferPath,
        querystring: transferQuery,
        headers: changeHeaders,
        body: transferCancel,
        response: { 200: transfer },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const key = { transferId: request.params.transferId, ifMatch: request.headers["if-match"] };
      return answerWrite(context, request, reply, async (tx) =>
        written(tx.clientId, await cancelTransfer(tx, key, request.body.reason), 200),
      );
    },
  );

  service.get(
    "/transfer/get/:transferId",
    {
      schema: {
        operationId: "getTransfer",
        summary: "One transfer: what was shipped, is in transit, was received and lost",
        params: transferPath,
        querystring: transferQuery,
        response: { 200: transfer },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const clientId = clientIdOf(request);
      const [found] = await readSnapshot(database, (tx) =>
        repository.readTransfers(tx.of(clientId), [request.params.transferId]),
      );
      if (!found) return refused(problem("not-found", "The client has no transfer of this transferId."));
      return reply.header("ETag", entityTag(found.version)).send(transferRecord(clientId, found));
    },
  );

  service.get(
    "/transfer/list",
    {
      schema: {
        operationId: "listTransfers",
        summary: "Transfers by receipt, oldest first unless sorted the other way",
        querystring: transferListQuery,
        response: { 200: transferPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { sort = "receivedAt", status, fromFacility, updatedSince } = request.query;
      const filter = { status, fromFacility, updatedSince: updatedSince && readDateTime(updatedSince) };
      const page = await readPage(request.query, {
        cursors: transferCursors[sort],
        read: (after, limit) =>
          readSnapshot(database, (tx) => repository.listTransfers(tx.of(clientId), { filter, sort, after, limit })),
        placeOf: ({ receivedUs, transferId }) => ({ us: receivedUs, id: transferId }),
        itemOf: (row) => transferRecord(clientId, row),
      });
      return pageOfFacility(context, clientId, request.query, "fromFacility", page);
    },
  );
}
