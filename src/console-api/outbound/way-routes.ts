import type { OperatorContext } from "#/console-api/context.ts";
import { ofClientQuery, waysChange, waysList } from "#/console-api/outbound/contract.ts";
import { documentTypes } from "#/console-api/outbound/desk.ts";
import { waysRecord } from "#/console-api/outbound/record.ts";
import { readOneState } from "#/db/store/one-state.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";

const masked = "***";

/**
 * The delivery channels of each type of outbound feed for a client (outbound.md, Delivery), as `outbound set` sets
 * them.
 */
export function addWayRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, outbound } = context;

  service.get(
    "/outboundWay/list",
    {
      schema: {
        operationId: "listOutboundWays",
        summary: "How each type of outbound feed reaches a client, and how pushing it goes",
        querystring: ofClientQuery,
        response: { 200: waysList },
      } as const,
    },
    async (request) => {
      const { clientId } = request.query;
      const ways = await database.transaction(async (tx) => {
        const [, shown] = await Promise.all([readOneState(tx), outbound.showWays(tx, clientId)]);
        return shown;
      });
      return { clientId, items: ways.map(waysRecord) };
    },
  );

  service.put(
    "/outboundWay/set",
    {
      schema: {
        operationId: "setOutboundWays",
        summary: "Set the ways by which types of outbound feeds reach a client, from now on",
        description:
          "The ways that are named take the place of those before. What waits to be fetched or taken stays there; what waits to be pushed is not sent when the push is left out. Answers the types that were set; a repeat with the same Idempotency-Key shows `***` in the place of secrets.",
        querystring: ofClientQuery,
        headers: createHeaders,
        body: waysChange,
        response: { 200: waysList },
      } as const,
      config: { ...answers(409, 422), role: "admin" },
    },
    async (request, reply) => {
      const { types, pull, sftp, push } = request.body;
      if (!pull && !sftp && push === undefined) return sendProblem(reply, noWay);
      return answerWrite(context, request, reply, async (tx, change) => {
        const clientId = clientIdOf(request);
        const set = await outbound.setWays(tx, change, clientId, {
          types: documentTypes.filter((type) => types.includes(type)),
          ...{ isHttp: pull, isSftp: sftp },
          push: push && { url: push.url, headers: push.headers ?? {}, isSecretNew: push.newSecret ?? false },
        });
        if (!set.ok) {
          const errors = set.fault.map(({ pointer, message }) => ({
            pointer: pointer.replace("#/customHeaders", "#/push/headers").replace("#/url", "#/push/url"),
            message,
          }));
          return refused(problem("unprocessable", `${errors.map(({ message }) => message).join("; ")}.`, { errors }));
        }
        const items = set.value.map(waysRecord);
        const kept = items.map((item) => ({
          ...item,
          push: item.push && { ...item.push, signingSecret: item.push.signingSecret === null ? null : masked },
        }));
        return answered({ clientId, items }, { keptBody: { clientId, items: kept } });
      });
    },
  );
}

const noWay = problem(
  "unprocessable",
  "No way is left: the feeds are fetched, put on SFTP or pushed, or several of these.",
  {
    errors: [{ pointer: "#/pull", message: "at least one way is needed" }],
  },
);
