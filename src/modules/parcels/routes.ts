import type { ClientTx } from "#/db/database.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { listMilestonesOf } from "#/modules/parcels/milestone-repository.ts";
import * as repository from "#/modules/parcels/repository.ts";
import {
  olpn,
  olpnCursors,
  olpnListQuery,
  olpnOrderPath,
  olpnPage,
  olpnPath,
  olpnQuery,
} from "#/modules/parcels/rest-contract.ts";
import { olpnRecord } from "#/modules/parcels/rest-record.ts";

export interface ParcelRoutesContext extends Pick<ServiceContext, "database"> {
  /** The orders module depends on this one, so it provides this check of an order. */
  hasOrder(tx: ClientTx, orderId: string): Promise<boolean>;
}

/** Routes for parcels in the Order service (contract rest.md §3). */
export function addParcelRoutes(service: HttpServer, { database, hasOrder }: ParcelRoutesContext): void {
  service.get(
    "/olpn/list/:orderId",
    {
      schema: {
        operationId: "listOlpns",
        summary: "The parcels of an order by time of packing, including voided ones",
        params: olpnOrderPath,
        querystring: olpnListQuery,
        response: { 200: olpnPage },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const { orderId } = request.params;
      const { sort = "receivedAt", cursor, limit = pageLimitDefault } = request.query;
      const after = placeOf(olpnCursors[sort], cursor);
      if (!after.ok) return after;
      const found = await readSnapshot(database, async (tx) => {
        const view = tx.of(clientId);
        // One parcel more than requested shows whether there is a next page.
        const page = { orderId, sort, after: after.value, limit: limit + 1 };
        const [isKnown, listed] = await Promise.all([hasOrder(view, orderId), repository.listParcelPage(view, page)]);
        const olpnIds = listed.slice(0, limit).map(({ parcel }) => parcel.olpnId);
        const milestones = await listMilestonesOf(view, orderId, olpnIds);
        return isKnown ? { listed, milestones } : undefined;
      });
      if (!found) return refused(problem("not-found", "The client has no order of this orderId."));
      const pageRows = found.listed.slice(0, limit);
      const last = pageRows.at(-1);
      return {
        items: pageRows.map(({ parcel }) => olpnRecord(parcel, found.milestones)),
        nextCursor: last && found.listed.length > limit ? olpnCursors[sort].encode(last.place) : null,
      };
    },
  );

  service.get(
    "/olpn/get/:olpnId",
    {
      schema: {
        operationId: "getOlpn",
        summary: "One parcel with its contents and its events",
        params: olpnPath,
        querystring: olpnQuery,
        response: { 200: olpn },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const found = await readSnapshot(database, async (tx) => {
        const view = tx.of(clientId);
        const parcels = await repository.listParcelsById(view, [request.params.olpnId]);
        const [parcel] = parcels;
        if (!parcel) return undefined;
        return olpnRecord(parcel, await listMilestonesOf(view, parcel.orderId, [parcel.olpnId]));
      });
      if (!found) return refused(problem("not-found", "The client has no parcel of this olpnId."));
      return found;
    },
  );
}
