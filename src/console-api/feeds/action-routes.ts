import type { FastifyReply, FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import {
  actionBody,
  actionQuery,
  createHeaders,
  judgedAgain,
  judgedMany,
  judgeManyBody,
} from "#/console-api/feeds/action-contract.ts";
import { feedRecord, tokenPath } from "#/console-api/feeds/contract.ts";
import { feedNotFound, findAskedFeed } from "#/console-api/feeds/document/asked-feed.ts";
import type { FeedDesk } from "#/console-api/feeds/feed-record.ts";
import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { type InterventionRefusal, parkDocument, retryDocument } from "#/feeds/park/interventions.ts";
import { type AgainRefusal, type JudgedAgain, judgeAgain } from "#/feeds/park/judge-again.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem, sendProblem } from "#/http/problems/problem.ts";
import { answered, answerWrite } from "#/http/requests/idempotency.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { documentAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { type Result, refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import { showClient } from "#/modules/clients/index.ts";

type Intervention = (
  tx: Transaction,
  change: Change,
  clientId: string,
  token: string,
) => Promise<Result<void, InterventionRefusal>>;

/** The actions of an operator on documents (lifecycle.md §6). They use the code that receives documents. */
export function addFeedActionRoutes(service: HttpServer, context: OperatorContext, desk: FeedDesk): void {
  const { database, receiver, onCommit } = context;

  service.post(
    "/feed/judgeAgain/:token",
    {
      schema: {
        operationId: "judgeFeedAgain",
        summary: "Judge a rejected or parked document again, by today's rules and data",
        description:
          "It is accepted and takes effect as one that was sent now, or stays rejected with the errors of now. Asked again, because an answer was lost, it is judged once.",
        params: tokenPath,
        querystring: actionQuery,
        body: actionBody,
        response: { 200: judgedAgain },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, answerMsMax: documentAnswerMsMax },
    },
    async (request, reply) => {
      const asked = await findAskedFeed(context, request);
      if (!asked.ok) return sendProblem(reply, asked.fault);
      const { clientId, token } = asked.value;
      const client = await showClient(database, clientId);
      if (!client.ok) return sendProblem(reply, feedNotFound);
      const judged = await judgeAgain({ database, receiver }, client.value, token, changeOf(context, request));
      if (!judged.ok) return sendProblem(reply, problemOf(judged.fault));
      const document = await desk.readRecord(clientId, token);
      if (!document) return sendProblem(reply, feedNotFound);
      return { token, ...judgementOf(judged.value), document };
    },
  );

  service.post(
    "/feed/judgeAgain",
    {
      schema: {
        operationId: "judgeFeedsAgain",
        summary: "Judge up to 100 documents of a client again",
        description: "One after the other, each by itself, in the order in which they were received.",
        querystring: actionQuery,
        body: judgeManyBody,
        response: { 200: judgedMany },
      } as const,
      config: { answerMsMax: documentAnswerMsMax },
    },
    async (request, reply) => {
      const clientId = clientIdOf(request);
      const client = await showClient(database, clientId);
      if (!client.ok) return sendProblem(reply, feedNotFound);
      const items = [];
      for (const token of new Set(request.body.tokens.map((each) => each.toLowerCase()).sort())) {
        const judged = isUuidV7(token)
          ? await judgeAgain({ database, receiver }, client.value, token, changeOf(context, request))
          : refused<AgainRefusal>({ kind: "unknown" });
        items.push({
          token,
          ...(judged.ok
            ? judgementOf(judged.value)
            : { outcome: "REFUSED" as const, isRepeat: false, detail: problemOf(judged.fault).detail }),
        });
      }
      return { items };
    },
  );

  service.post(
    "/feed/park/:token",
    {
      schema: {
        operationId: "parkFeed",
        summary: "Park a document that was rejected for unknown SKUs alone",
        description:
          "When a catalogue brings the SKUs it is judged again, whatever the client's setting parkUnknownSkus. One that is parked already stays so.",
        params: tokenPath,
        querystring: actionQuery,
        headers: createHeaders,
        body: actionBody,
        response: { 200: feedRecord },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) =>
      intervene(request, reply, (tx, change, clientId, token) =>
        parkDocument(tx, change, clientId, token, findKnownSkus),
      ),
  );

  service.post(
    "/feed/retry/:token",
    {
      schema: {
        operationId: "retryFeed",
        summary: "Try the work of a failed document again",
        description:
          "It is accepted again, and what was given up of it is published. One that waits already is left alone.",
        params: tokenPath,
        querystring: actionQuery,
        headers: createHeaders,
        body: actionBody,
        response: { 200: feedRecord },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) => {
      const answer = await intervene(request, reply, retryDocument);
      onCommit();
      return answer;
    },
  );

  /** Runs without a validation, in the one transaction of a write; answers the document in its state afterwards. */
  async function intervene(
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    intervention: Intervention,
  ): Promise<FastifyReply> {
    const asked = await findAskedFeed(context, request);
    if (!asked.ok) return sendProblem(reply, asked.fault);
    const { token } = asked.value;
    return answerWrite(context, request, reply, async (tx, change, clientId) => {
      const done = await intervention(tx, change, clientId, token);
      if (!done.ok) return refused(done.fault === undefined ? feedNotFound : problem("conflict", done.fault));
      const record = await desk.readRecord(clientId, token, tx);
      return record ? answered(record) : refused(feedNotFound);
    });
  }
}

function problemOf(refusal: AgainRefusal): Problem {
  if (refusal.kind === "unknown") return feedNotFound;
  const detail =
    refusal.kind === "withheld"
      ? "The document's bytes are not kept, so it cannot be judged again: have it sent again."
      : `The document was accepted when it came, and is ${refusal.state}: there is nothing to judge again.`;
  return problem("conflict", detail);
}

const verdicts = {
  ACCEPTED: "The document is accepted, and takes effect as one that was sent now.",
  PARKED: "The document stays parked: its SKUs are still unknown.",
  REJECTED: "The document stays rejected; its errors are those of now.",
} as const;

function judgementOf({ verdict, isRepeat }: JudgedAgain) {
  const detail = isRepeat ? "The document was accepted before; nothing was done now." : verdicts[verdict];
  return { outcome: verdict, isRepeat, detail };
}
