import type { OperatorContext } from "#/console-api/context.ts";
import { channelsChange, channelsList, ofClientQuery } from "#/console-api/outbound/contract.ts";
import { channelsRecord } from "#/console-api/outbound/record.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";
import { refused } from "#/kernel/result.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const masked = "***";

/**
 * The delivery channels of each type of outbound feed for a client (outbound.md, Delivery), as `outbound set` sets
 * them.
 */
export function addChannelRoutes(service: HttpServer, context: OperatorContext): void {
  const { database, outbound } = context;

  service.get(
    "/outboundChannel/list",
    {
      schema: {
        operationId: "listOutboundChannels",
        summary: "Delivery methods of each type of outbound feed of a client, and the state of its pushes",
        querystring: ofClientQuery,
        response: { 200: channelsList },
      } as const,
    },
    async (request) => {
      const { clientId } = request.query;
      const channels = await readSnapshot(database, (tx) => outbound.showChannels(tx.of(clientId)));
      return { clientId, items: channels.map(channelsRecord) };
    },
  );

  service.put(
    "/outboundChannel/set",
    {
      schema: {
        operationId: "setOutboundChannels",
        summary: "Set the delivery methods of types of outbound feeds of a client",
        description:
          "The named methods replace the present ones, for new documents. Documents that wait to be fetched or collected stay available. Without a push, documents that wait to be pushed are not sent. Answers the types that were set; a repeat with the same Idempotency-Key shows `***` instead of secrets.",
        querystring: ofClientQuery,
        headers: createHeaders,
        body: channelsChange,
        response: { 200: channelsList },
      } as const,
      config: { ...answers(409, 422), role: "admin" },
    },
    async (request, reply) => {
      const { types, pull, sftp, push } = request.body;
      if (!pull && !sftp && push === undefined) return refused(noWay);
      return answerWrite(context, request, reply, async (tx) => {
        const clientId = clientIdOf(request);
        const set = await outbound.setChannels(tx, {
          types: outboundTypes.filter((type) => types.includes(type)),
          isHttp: pull,
          isSftp: sftp,
          push: push && { url: push.url, headers: push.headers ?? {}, isSecretNew: push.newSecret ?? false },
        });
        if (!set.ok) {
          const errors = set.fault.map(({ pointer, message }) => ({
            pointer: pointer.replace("#/customHeaders", "#/push/headers").replace("#/url", "#/push/url"),
            message,
          }));
          return refused(problem("unprocessable", `${errors.map(({ message }) => message).join("; ")}.`, { errors }));
        }
        const items = set.value.map(channelsRecord);
        const kept = items.map((item) => ({
          ...item,
          push: item.push && { ...item.push, signingSecret: item.push.signingSecret === null ? null : masked },
        }));
        return answered({ clientId, items }, { keptBody: { clientId, items: kept } });
      });
    },
  );
}

const noWay = problem("unprocessable", "A type needs at least one delivery method: pull, SFTP or push.", {
  errors: [{ pointer: "#/pull", message: "name at least one delivery method" }],
});
