import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { pageLimitDefault, placeOf } from "#/http/requests/paging.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { unprocessableFaults } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import { type FacilityContext, faultOfFacility } from "#/modules/inventory/index.ts";
import {
  lotChange,
  lotChangeQuery,
  lotHold,
  lotOrderCursor,
  lotOrderPage,
  lotOrderQuery,
  lotRelease,
  lotTrace,
  traceQuery,
} from "#/modules/lots/contract.ts";
import { changeLot } from "#/modules/lots/hold-lot.ts";
import { listOrdersOfLot, subjectOf, traceLot } from "#/modules/lots/trace.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** Routes for lots in the Inventory service (contract rest.md §3): trace, hold, release. */
export function addLotRoutes(service: HttpServer, context: ServiceContext & FacilityContext): void {
  const { database, clock } = context;

  service.get(
    "/lot/trace",
    {
      schema: {
        operationId: "traceLot",
        summary: "A lot or a unit: what is left, where it came from, what was made of it, and who got it",
        description:
          "Name a `lotNumber` or a `serialNumber`. Every section has a bound and says whether there is more; `ordersNextCursor` continues the orders in `lot/orders`. An unknown lot or unit is answered with `found` false.",
        querystring: traceQuery,
        response: { 200: lotTrace },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const subject = subjectOf(request.query);
      if (!subject.ok) return subject;
      const { limit = pageLimitDefault } = request.query;
      const asOf = new Date(clock.now()).toISOString();
      return ok(await readSnapshot(database, (tx) => traceLot(tx.of(clientIdOf(request)), subject.value, limit, asOf)));
    },
  );

  service.get(
    "/lot/orders",
    {
      schema: {
        operationId: "listLotOrders",
        summary: "The orders that goods of a lot left with, their parcels, and who got them",
        description: "The orders of the lot, then those of each lot that was made from it, as `lot/trace` names them.",
        querystring: lotOrderQuery,
        response: { 200: lotOrderPage },
      } as const,
      config: answers(422),
    },
    async (request) => {
      const place = placeOf(lotOrderCursor, request.query.cursor);
      if (!place.ok) return place;
      const subject = subjectOf(request.query);
      if (!subject.ok) return subject;
      return readSnapshot(database, (tx) => listOrdersOfLot(tx.of(clientIdOf(request)), subject.value, request.query));
    },
  );

  for (const { change, body, summary, description } of [
    {
      change: "hold",
      body: lotHold,
      summary: "Put what is left of a lot on hold",
      description:
        "Good stock of the lot in every facility becomes ON_HOLD, with an ADJ for each facility. Orders that have it allocated lose it, and look for other stock. Picked and packed goods stay with their orders: `qtyInHand`. A repeat holds what has arrived since, or nothing.",
    },
    {
      change: "release",
      body: lotRelease,
      summary: "Release what is on hold of a lot",
      description:
        "Stock of the lot that is ON_HOLD becomes good again in every facility, with an ADJ for each facility. What a pick did not find stays on hold until a count, and so does what is damaged or in quarantine.",
    },
  ] as const) {
    service.post(
      `/lot/${change}`,
      {
        schema: {
          operationId: `${change}Lot`,
          summary,
          description,
          headers: createHeaders,
          querystring: lotChangeQuery,
          body,
          response: { 200: lotChange },
        } as const,
        config: answers(409, 422),
      },
      async (request, reply) => {
        const { distributionCentre } = request.body;
        const fault =
          distributionCentre &&
          (await faultOfFacility(context, clientIdOf(request), distributionCentre, "#/distributionCentre"));
        if (fault) return refused(unprocessableFaults([fault]));
        return answerWrite(context, request, reply, async (tx) => {
          const changed = await changeLot(tx, change, request.body);
          if (!changed.ok) return changed;
          return answered(changed.value.answer, { events: changed.value.events });
        });
      },
    );
  }
}
