import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { answered, answerWrite, changeHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { readPage } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import { refused } from "#/kernel/result.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { type FacilityContext, pageOfFacility } from "#/modules/inventory/index.ts";
import {
  unidentifiedBind,
  unidentifiedClose,
  unidentifiedCursors,
  unidentifiedListQuery,
  unidentifiedPage,
  unidentifiedPath,
  unidentifiedQuery,
  unidentifiedReceipt,
} from "#/modules/warehouse/unidentified/contract.ts";
import { findUnidentified, listUnidentified } from "#/modules/warehouse/unidentified/repository.ts";
import { bindUnidentified, closeUnidentified } from "#/modules/warehouse/unidentified/service.ts";

const answer = (outcome: Awaited<ReturnType<typeof closeUnidentified>>): WriteResult => {
  if (!outcome.ok) return outcome;
  const { answer: record, events } = outcome.value;
  return answered(record, { headers: { ETag: entityTag(record.version) }, events });
};

/** Goods without a purchase order in the Order service (contract rest.md §3). */
export function addUnidentifiedRoutes(
  service: HttpServer,
  context: ServiceContext & FacilityContext & { findClient(clientId: string): Promise<ClientProfile | undefined> },
): void {
  const { database } = context;

  service.post(
    "/unidentifiedReceipt/bind/:unidentifiedId",
    {
      schema: {
        operationId: "bindUnidentifiedReceipt",
        summary: "Bind goods to a purchase order",
        description:
          "Its receipt is booked at once, under the receiptId of the goods, as if the warehouse had reported it: stock, differences, GR and events. Possible once, while the goods are WAITING.",
        params: unidentifiedPath,
        querystring: unidentifiedQuery,
        headers: changeHeaders,
        body: unidentifiedBind,
        response: { 200: unidentifiedReceipt },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const client = await context.findClient(clientIdOf(request));
      assert(client, "the request is of a client");
      const { settings } = client;
      const { overReceiptTolerance } = settings;
      const key = { unidentifiedId: request.params.unidentifiedId, ifMatch: request.headers["if-match"] };
      return answerWrite(context, request, reply, async (tx) =>
        answer(await bindUnidentified(tx, key, request.body, { overReceiptTolerance, pools: settings })),
      );
    },
  );

  service.post(
    "/unidentifiedReceipt/close/:unidentifiedId",
    {
      schema: {
        operationId: "closeUnidentifiedReceipt",
        summary: "Close goods that belong to no purchase order",
        description: "Possible while they are WAITING. Nothing is booked.",
        params: unidentifiedPath,
        querystring: unidentifiedQuery,
        headers: changeHeaders,
        body: unidentifiedClose,
        response: { 200: unidentifiedReceipt },
      } as const,
      config: answers(404, 409, 412),
    },
    async (request, reply) => {
      const key = { unidentifiedId: request.params.unidentifiedId, ifMatch: request.headers["if-match"] };
      return answerWrite(context, request, reply, async (tx) => answer(await closeUnidentified(tx, key, request.body)));
    },
  );

  service.get(
    "/unidentifiedReceipt/get/:unidentifiedId",
    {
      schema: {
        operationId: "getUnidentifiedReceipt",
        summary: "Goods that came without a purchase order, and what became of them",
        params: unidentifiedPath,
        querystring: unidentifiedQuery,
        response: { 200: unidentifiedReceipt },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const found = await findUnidentified(database.of(clientIdOf(request)), request.params.unidentifiedId);
      if (!found) return refused(problem("not-found", "The client has no goods of this unidentifiedId."));
      return reply.header("ETag", entityTag(found.version)).send(found);
    },
  );

  service.get(
    "/unidentifiedReceipt/list",
    {
      schema: {
        operationId: "listUnidentifiedReceipts",
        summary: "Goods without a purchase order by receipt, oldest first unless sorted the other way",
        querystring: unidentifiedListQuery,
        response: { 200: unidentifiedPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { sort = "receivedAt", status, distributionCentre, updatedSince } = request.query;
      const filter = { status, distributionCentre, updatedSince: updatedSince && readDateTime(updatedSince) };
      const page = await readPage(request.query, {
        cursors: unidentifiedCursors[sort],
        read: (after, limit) => listUnidentified(database.of(clientId), { filter, sort, after, limit }),
        placeOf: ({ receivedUs, unidentifiedId }) => ({ us: receivedUs, id: unidentifiedId }),
        itemOf: ({ receivedUs: _, ...row }) => row,
      });
      return pageOfFacility(context, clientId, request.query, "distributionCentre", page);
    },
  );
}
