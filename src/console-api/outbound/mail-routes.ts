import type { OperatorContext } from "#/console-api/context.ts";
import { readPageById } from "#/console-api/id-order.ts";
import {
  type Mail,
  mailCursors,
  mailListQuery,
  mailPage,
  mailPath,
  mailWithText,
  ofClientQuery,
} from "#/console-api/outbound/contract.ts";
import { findMail } from "#/console-api/outbound/document-repository.ts";
import { findReachOfMails, listMailsOfAll } from "#/console-api/outbound/outbound.cross-client.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { partsOf } from "#/http/requests/looked-through.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";

/**
 * Mails that report failing webhooks and pushes, stored whether or not there is a mail server (webhooks.md §2, Alert
 * mail).
 */
export function addMailRoutes(service: HttpServer, { database, across }: OperatorContext): void {
  service.get(
    "/mail/list",
    {
      schema: {
        operationId: "listMails",
        summary: "Alert mails of all clients, the newest first unless sorted another way",
        querystring: mailListQuery,
        response: { 200: mailPage },
      } as const,
    },
    (request) => {
      const { status } = request.query;
      return readPageById(request.query, mailCursors, {
        parts: partsOf(scopeOf(request).clientIds),
        searchOf(clientIds) {
          const isFiltered = (clientIds?.length ?? 1) !== 1 || status !== undefined;
          return {
            idOf: ({ mailId }: Mail) => mailId,
            list: (range, most) => listMailsOfAll(across, { clientIds, status, ...range, limit: most }),
            findReach: isFiltered
              ? (range, looked) => findReachOfMails(across, { clientIds, ...range }, looked)
              : undefined,
          };
        },
      });
    },
  );

  service.get(
    "/mail/get/:mailId",
    {
      schema: {
        operationId: "getMail",
        summary: "One mail with its text",
        params: mailPath,
        querystring: ofClientQuery,
        response: { 200: mailWithText },
      } as const,
      config: answers(404),
    },
    async (request) => {
      const { clientId } = request.query;
      const mailId = request.params.mailId.toLowerCase();
      const mail = isUuidV7(mailId) ? await findMail(database.of(clientId), mailId) : undefined;
      return mail ?? refused(problem("not-found", "There is no such mail, or it is no longer stored."));
    },
  );
}
