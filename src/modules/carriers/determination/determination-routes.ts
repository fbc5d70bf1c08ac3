import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { createGroupCommit, type GroupCommit, limitsOf } from "#/intake/feeds/intake/group-commit.ts";
import { type Refusal, type RequestFault, unprocessable } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { operatorsDefault } from "#/modules/carriers/data/carrier-data.ts";
import type { CarrierSets } from "#/modules/carriers/data/carrier-sets.ts";
import { type CarrierRequest, decisionOf } from "#/modules/carriers/determination/decision-record.ts";
import { findDecision } from "#/modules/carriers/determination/decision-repository.ts";
import {
  type Determined,
  type DeterminedFor,
  determine,
  determineAll,
  type RequestedCarrier,
} from "#/modules/carriers/determination/determination.ts";
import {
  type CarrierDecisionRecord,
  carrierDecision,
  decisionPath,
  determinationForOrder,
  determinationQuery,
  determinationRequest,
  orderPath,
} from "#/modules/carriers/determination/determination-contract.ts";
import { addSimulationRoutes, type SimulationRoutesContext } from "#/modules/carriers/simulation/simulation-routes.ts";
import { isOnCitus } from "#/store/db/citus/catalogue.ts";
import type { ClientTransaction } from "#/store/db/database.ts";

export interface DeterminationRoutesContext extends ServiceContext, SimulationRoutesContext {
  readonly sets: CarrierSets;
  /** The shipment of an order. It is passed as a function, because the orders module depends on this one. */
  shipmentOfOrder(tx: ClientTransaction, orderId: string): Promise<Result<CarrierRequest, Refusal>>;
}

/** The Carrier Determination service (contract carriers.md, rest.md §3). */
export function addDeterminationRoutes(service: HttpServer, context: DeterminationRoutesContext): void {
  // Concurrent requests are decided in one transaction (docs/decisions/0020-carrier-determination.md).
  let lane: GroupCommit<RequestedCarrier, Result<Determined, readonly RequestFault[]>> | undefined;
  const determineShared = async (requested: RequestedCarrier) => {
    const isDistributed = lane !== undefined || (await isOnCitus(context.database));
    lane ??= createGroupCommit({
      run: (requested, lane) =>
        context.database.transaction((tx) => determineAll(tx, context, requested), limitsOf(lane)),
      isLarge: () => false,
      ownerOf: ({ clientId }) => clientId,
      isStoreDown: () => false,
      isDistributed,
    });
    return lane.submit(requested);
  };
  service.addHook("onClose", () => lane?.close());

  const decideFor = async (
    tx: ClientTransaction,
    request: CarrierRequest,
    of: DeterminedFor,
  ): Promise<Result<CarrierDecisionRecord, Refusal>> => {
    const determined = await determine(tx.plain, context, { clientId: tx.clientId, request, of });
    return determined.ok ? ok(recordOf(determined.value, of)) : refused(undecidable(determined.fault));
  };

  service.post(
    "/carrier/determine",
    {
      schema: {
        operationId: "determineCarrier",
        summary: "The most suitable carrier service for a shipment",
        description:
          "By the client's carrier data if it has any, else by the operator's. The decision is stored. If no service fits, `chosen` is null, and each service has its reasons.",
        querystring: determinationQuery,
        headers: createHeaders,
        body: determinationRequest,
        response: { 200: carrierDecision },
      } as const,
      config: answers(409, 422),
    },
    async (request, reply) => {
      const { body } = request;
      if (request.headers["idempotency-key"] === undefined) {
        const determined = await determineShared({ clientId: clientIdOf(request), request: body });
        return determined.ok ? reply.send(recordOf(determined.value, {})) : refused(undecidable(determined.fault));
      }
      return answerWrite(context, request, reply, async (tx) => {
        const record = await decideFor(tx, body, {});
        return record.ok ? answered(record.value) : record;
      });
    },
  );

  service.post(
    "/carrier/determineForOrder/:orderId",
    {
      schema: {
        operationId: "determineCarrierForOrder",
        summary: "The most suitable carrier service for an order",
        description:
          "For the packed parcels. Without any, for one parcel with all that is not cancelled: its weight is that of its items, its length and width are the greatest of theirs, and its height holds their volume. The order's carrierCode and shippingMethod are mapped by the carrier data.",
        params: orderPath,
        querystring: determinationQuery,
        headers: createHeaders,
        body: determinationForOrder,
        response: { 200: carrierDecision },
      } as const,
      config: { ...answers(404, 409, 422), isBodyOptional: true },
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const { strategy } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const shipment = await context.shipmentOfOrder(tx, orderId);
        if (!shipment.ok) return shipment;
        const record = await decideFor(tx, { ...shipment.value, strategy }, { orderId });
        return record.ok ? answered(record.value) : record;
      });
    },
  );

  service.get(
    "/carrier/decision/:decisionId",
    {
      schema: {
        operationId: "getCarrierDecision",
        summary: "A stored decision",
        description: "Decisions are kept for 400 days.",
        params: decisionPath,
        querystring: determinationQuery,
        response: { 200: carrierDecision },
      } as const,
      config: answers(404),
    },
    async (request, reply) => {
      const { decisionId } = request.params;
      const row = isUuidV7(decisionId)
        ? await findDecision(context.database.of(clientIdOf(request)), decisionId)
        : undefined;
      if (!row) return refused(problem("not-found", "The client has no decision of this decisionId."));
      const { decision: stored, owner } = row;
      const decision = decisionOf(stored, row.decidedAt, row.dataVersion);
      const { warnings } = stored;
      const of = { orderId: row.orderId ?? undefined, olpnId: row.olpnId ?? undefined };
      return reply.send(recordOf({ decisionId, decision, warnings, owner }, of));
    },
  );

  addSimulationRoutes(service, context);
}

function recordOf(
  { decisionId, decision, warnings, owner }: Determined,
  { orderId, olpnId }: DeterminedFor,
): CarrierDecisionRecord {
  return {
    decisionId,
    orderId: orderId ?? null,
    olpnId: olpnId ?? null,
    ...(decision as Omit<CarrierDecisionRecord, "decisionId" | "orderId" | "olpnId" | "warnings" | "dataOwner">),
    warnings: [...warnings],
    dataOwner: owner === operatorsDefault ? "OPERATOR" : "CLIENT",
  };
}

function undecidable(errors: readonly RequestFault[]): Refusal {
  const [first] = errors;
  const more = errors.length > 1 ? `; and ${errors.length - 1} more` : "";
  return unprocessable(first ? `${first.pointer} ${first.message}${more}` : "No decision is possible.", errors);
}
