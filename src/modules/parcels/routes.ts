import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { readPage } from "#/http/requests/paging.ts";
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
import type { ClientTx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

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
      const { sort = "receivedAt" } = request.query;
      const [isKnown, page] = await readSnapshot(database, (tx) => {
        const view = tx.of(clientId);
        const listed = readPage(request.query, {
          cursors: olpnCursors[sort],
          read: (after, limit) => repository.listParcelPage(view, { orderId, sort, after, limit }),
          placeOf: ({ place }) => place,
          async itemsOf(rows) {
            const olpnIds = rows.map(({ parcel }) => parcel.olpnId);
            const milestones = await listMilestonesOf(view, orderId, olpnIds);
            return rows.map(({ parcel }) => olpnRecord(parcel, milestones));
          },
        });
        return Promise.all([hasOrder(view, orderId), listed]);
      });
      return isKnown || !page.ok ? page : refused(problem("not-found", "The client has no order of this orderId."));
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
