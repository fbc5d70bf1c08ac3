import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { feedRecord, tokenPath } from "#/console-api/feeds/contract.ts";
import { feedNotFound, findRequestedFeed } from "#/console-api/feeds/document/requested-feed.ts";
import type { FeedReader } from "#/console-api/feeds/feed-record.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem, type Refused } from "#/http/problems/problem.ts";
import { answered, answerWrite, createHeaders } from "#/http/requests/idempotency.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { clientIdParameter, closed, text } from "#/http/routes/schema.ts";
import { documentAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import {
  type InterventionRefusal,
  parkDocument,
  type Reprocessed,
  type ReprocessRefusal,
  reprocess,
  retryDocument,
} from "#/intake/feeds/park/reprocess.ts";
import { type Result, refused } from "#/kernel/result.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import { showClient } from "#/modules/clients/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";

const actionQuery = Type.Object({ clientId: clientIdParameter }, closed);

/** The body needs no field: the path identifies the document and the action. */
const actionBody = Type.Object({}, { ...closed, title: "FeedAction", description: "Nothing." });

const reprocessFields = {
  token: text("Token of the document.", exampleToken),
  outcome: Type.Enum(["ACCEPTED", "REJECTED", "PARKED", "REFUSED"], {
    type: "string",
    title: "FeedReprocessingOutcome",
    description: "The result; REFUSED: the document was not validated, `detail` has the reason.",
    examples: ["ACCEPTED"],
  }),
  isRepeat: Type.Boolean({
    description: "It was reprocessed and accepted before; this request changed nothing.",
    examples: [false],
  }),
  detail: text("In words.", "The document is accepted and takes effect like one that is sent now."),
};

const reprocessResult = Type.Object(
  { ...reprocessFields, document: feedRecord },
  {
    ...closed,
    title: "FeedReprocessing",
    description: "The result of reprocessing, and the present state of the document.",
  },
);

const reprocessManyBody = Type.Object(
  {
    tokens: Type.Array(text("Token.", exampleToken), {
      minItems: 1,
      maxItems: 100,
      description: "Documents of the client; they are processed in order of receipt.",
    }),
  },
  { ...closed, title: "FeedTokens", description: "Which documents." },
);

const reprocessManyResult = Type.Object(
  {
    items: Type.Array(
      Type.Object(reprocessFields, {
        ...closed,
        title: "FeedReprocessingLine",
        description: "The result for one document.",
      }),
      { description: "In the order of processing." },
    ),
  },
  { ...closed, title: "FeedReprocessingResults", description: "The results." },
);

type Intervention = (tx: UnitOfWork, token: string) => Promise<Result<void, InterventionRefusal>>;

/** The actions of an operator on documents (lifecycle.md §6). They use the code that receives documents. */
export function addFeedActionRoutes(service: HttpServer, context: OperatorContext, feedReader: FeedReader): void {
  const { database, receiver } = context;

  service.post(
    "/feed/reprocess/:token",
    {
      schema: {
        operationId: "reprocessFeed",
        summary: "Reprocess a rejected or parked document with current rules and data",
        description:
          "The document is accepted and takes effect like one that is sent now, or stays rejected with its new errors. A repeat of the request processes it once.",
        params: tokenPath,
        querystring: actionQuery,
        body: actionBody,
        response: { 200: reprocessResult },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true, answerMsMax: documentAnswerMsMax },
    },
    async (request) => {
      const target = await findRequestedFeed(context, request);
      if (!target.ok) return target;
      const { clientId, token } = target.value;
      const view = database.of(clientId);
      const client = await showClient(view);
      if (!client.ok) return refused(feedNotFound);
      const reprocessed = await reprocess({ database, receiver }, client.value, token, changeOf(context, request));
      if (!reprocessed.ok) return refused(problemOf(reprocessed.fault));
      const document = await feedReader.readRecord(token, view);
      if (!document) return refused(feedNotFound);
      return { token, ...resultOf(reprocessed.value), document };
    },
  );

  service.post(
    "/feed/reprocess",
    {
      schema: {
        operationId: "reprocessFeeds",
        summary: "Reprocess up to 100 documents of a client",
        description: "One after the other, each in a separate transaction, in order of receipt.",
        querystring: actionQuery,
        body: reprocessManyBody,
        response: { 200: reprocessManyResult },
      } as const,
      config: { answerMsMax: documentAnswerMsMax },
    },
    async (request) => {
      const clientId = clientIdOf(request);
      const client = await showClient(database.of(clientId));
      if (!client.ok) return refused(feedNotFound);
      const items = [];
      for (const token of new Set(request.body.tokens.map((tokenText) => tokenText.toLowerCase()).sort())) {
        const reprocessed = isUuidV7(token)
          ? await reprocess({ database, receiver }, client.value, token, changeOf(context, request))
          : refused<ReprocessRefusal>({ kind: "unknown" });
        items.push({
          token,
          ...(reprocessed.ok
            ? resultOf(reprocessed.value)
            : { outcome: "REFUSED" as const, isRepeat: false, detail: problemOf(reprocessed.fault).detail }),
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
          "It is processed when a catalogue contains the SKUs, whatever the client's setting parkUnknownSkus. A parked document does not change.",
        params: tokenPath,
        querystring: actionQuery,
        headers: createHeaders,
        body: actionBody,
        response: { 200: feedRecord },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) => intervene(request, reply, (tx, token) => parkDocument(tx, token, findKnownSkus)),
  );

  service.post(
    "/feed/retry/:token",
    {
      schema: {
        operationId: "retryFeed",
        summary: "Retry the processing of a failed document",
        description:
          "It is accepted again, and its unpublished events are published. A document that already waits does not change.",
        params: tokenPath,
        querystring: actionQuery,
        headers: createHeaders,
        body: actionBody,
        response: { 200: feedRecord },
      } as const,
      config: { ...answers(404, 409), isBodyOptional: true },
    },
    async (request, reply) =>
      intervene(request, reply, (tx, token) => {
        tx.afterCommit(() => context.onCommit(tx.clientId));
        return retryDocument(tx, token);
      }),
  );

  /** Runs without a validation, in the one transaction of a write; answers the document in its state afterwards. */
  async function intervene(
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
    intervention: Intervention,
  ): Promise<FastifyReply | Refused> {
    const target = await findRequestedFeed(context, request);
    if (!target.ok) return target;
    const { token } = target.value;
    return answerWrite(context, request, reply, async (tx) => {
      const done = await intervention(tx, token);
      if (!done.ok) return refused(done.fault === undefined ? feedNotFound : problem("conflict", done.fault));
      const record = await feedReader.readRecord(token, tx);
      return record ? answered(record) : refused(feedNotFound);
    });
  }
}

function problemOf(refusal: ReprocessRefusal): Problem {
  if (refusal.kind === "unknown") return feedNotFound;
  const detail =
    refusal.kind === "withheld"
      ? "The content of the document is not stored, so it cannot be reprocessed: ask the client to send it again."
      : `The document was accepted on receipt, and is ${refusal.state}: it cannot be reprocessed.`;
  return problem("conflict", detail);
}

const verdicts = {
  ACCEPTED: "The document is accepted and takes effect like one that is sent now.",
  PARKED: "Still parked: its SKUs are unknown.",
  REJECTED: "Still rejected. The document has its new errors.",
} as const;

function resultOf({ verdict, isRepeat }: Reprocessed) {
  const detail = isRepeat ? "The document was accepted before; this request changed nothing." : verdicts[verdict];
  return { outcome: verdict, isRepeat, detail };
}
