import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { resendDocument } from "#/delivery/outbound/channels.ts";
import * as repository from "#/delivery/outbound/repository.ts";
import { requestStatement } from "#/delivery/outbound/snapshots.ts";
import { problem, type Refused, sendProblem } from "#/http/problems/problem.ts";
import { isAtHand } from "#/http/requests/if-none-match.ts";
import { defineCursor, pageLimitDefault, pageParameters, placeOf } from "#/http/requests/paging.ts";
import { closed, moment } from "#/http/routes/schema.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer, TimedRoute } from "#/http/server/server.ts";
import { type AdmissionContext, createAdmission, problemOfRefusal } from "#/intake/feeds/http/admission.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Clock } from "#/kernel/clock.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";
import { refused } from "#/kernel/result.ts";
import { type Ids, isUuidV7 } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";

const messageId = Type.String({
  description: "Identifier of the document, as its messageId.",
  examples: ["019a4c2e-8f00-7abc-8def-0123456789ab"],
});

const type = Type.Enum([...outboundTypes], { type: "string", description: "Feed type.", examples: ["OS"] });

const clientPath = Type.Object({ clientId: Type.String() }, closed);
const documentPath = Type.Object({ clientId: Type.String(), messageId: Type.String() }, closed);

const listQuery = Type.Object({ type: Type.Optional(type), ...pageParameters }, closed);

const outboundPage = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          messageId,
          type,
          objectId: Type.String({ description: "Its object.", examples: ["WEB-100045"] }),
          createdAt: moment("When it was created."),
          size: Type.Integer({ description: "Size of the XML in bytes.", examples: [1024] }),
        },
        closed,
      ),
    ),
    nextCursor: Type.String({
      description: "Sent as `cursor`, it answers the next page; it is never null, because later documents follow.",
    }),
  },
  { ...closed, description: "Documents that are not acknowledged, oldest first." },
);

/** The two types that are written on request. */
const requestBody = Type.Object(
  {
    type: Type.Enum(["INV", "IMS"], {
      type: "string",
      description: "INV: a snapshot of the stock. IMS: the movements since the last statement.",
      examples: ["INV"],
    }),
    distributionCentre: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "Code of the facility.",
      examples: ["DC1"],
    }),
  },
  closed,
);

const requestAnswer = Type.Object(
  {
    messageId: Type.String({
      description: "Identifier of its first part.",
      examples: ["019a4c2e-8f00-7abc-8def-0123456789ab"],
    }),
  },
  closed,
);

/**
 * Cursors of the list: the place of the last returned document. The list of one type has separate cursors, because it
 * skips the places between.
 */
function listCursor(of: string | undefined) {
  return cursors[of ?? "all"] ?? cursorOf("all");
}

const cursorOf = (kind: string) => defineCursor(`outbound:${kind}`, Type.Integer({ minimum: 0 }));
const cursors: Readonly<Record<string, ReturnType<typeof cursorOf>>> = Object.fromEntries(
  ["all", ...outboundTypes].map((kind) => [kind, cursorOf(kind)]),
);

interface OutboundRoutesContext extends AdmissionContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** After a restore the list is empty until deliveries are released. */
  readonly isHeld?: AskHold;
}

interface OutboundRequest extends FastifyRequest {
  feedClient?: FeedClient;
}

/** The relay locks the lane while it publishes a batch of events; a request can wait for that. */
const laneLockMsMax = 4_000;
/** Waiting snapshots are written within some seconds. */
const retryAfterSeconds = 10;
/** One statement writes a snapshot of a large catalogue. */
const snapshotMsMax = 25_000;

/** Lists, fetches and acknowledges the documents that wait for a client (outbound.md, Delivery). */
export function registerOutboundRoutes(app: HttpServer, context: OutboundRoutesContext): void {
  const { database, clock, ids } = context;
  const admit = createAdmission(context);
  const now = () => new Date(clock.now()).toISOString();

  /** Checks key, client and rate before any other part of the request. What a hook returns is not an answer: it sends it. */
  async function admitClient(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { clientId } = request.params as { clientId: string };
    const admitted = await admit(request, clientId);
    if ("code" in admitted) return sendProblem(reply, problemOfRefusal(admitted));
    reply.headers(admitted.headers);
    (request as OutboundRequest).feedClient = admitted.client;
    return undefined;
  }

  app.register(async (service: HttpServer) => {
    service.addHook("onRequest", admitClient);

    service.get(
      "/feeds/:clientId/outbound",
      { schema: { params: clientPath, querystring: listQuery, response: { 200: outboundPage } } as const },
      async (request) => {
        const { type, limit = pageLimitDefault, cursor } = request.query;
        const places = listCursor(type);
        const place = placeOf(places, cursor);
        if (!place.ok) return place;
        const after = place.value ?? 0;
        const isHeld = context.isHeld?.("DELIVERIES") === true;
        const { clientId } = request.params;
        const rows = isHeld ? [] : await repository.listPending(database.of(clientId), after, type, limit);
        return { items: rows, nextCursor: places.encode(rows.at(-1)?.listPosition ?? after) };
      },
    );

    service.get("/feeds/:clientId/outbound/:messageId", { schema: { params: documentPath } as const }, answerDocument);

    service.register(async (bodiless: HttpServer) => {
      // These requests need no body. A body is ignored, because many programs send one with a POST.
      bodiless.removeAllContentTypeParsers();
      bodiless.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null, undefined));

      bodiless.post(
        "/feeds/:clientId/outbound/:messageId/ack",
        { schema: { params: documentPath } as const },
        async (request, reply) => {
          const { clientId, messageId } = request.params;
          const isKnown =
            isUuidV7(messageId) && (await repository.acknowledge(database.of(clientId), messageId, now()));
          return isKnown ? reply.code(204).send() : unknownDocument(messageId);
        },
      );

      bodiless.post(
        "/feeds/:clientId/outbound/:messageId/resend",
        { schema: { params: documentPath } as const },
        async (request, reply) => {
          const { clientId, messageId } = request.params;
          const isKnown = await database.transaction((tx) => resendDocument(tx.of(clientId), ids, now(), messageId), {
            lockTimeoutMs: laneLockMsMax,
          });
          return isKnown ? reply.code(204).send() : unknownDocument(messageId);
        },
      );
    });

    service.post(
      "/feeds/:clientId/outbound/request",
      {
        schema: { params: clientPath, body: requestBody, response: { 202: requestAnswer } } as const,
        // Its snapshots have a bound of their kind, and are made in the background.
        config: { answerMsMax: longAnswerMsMax, isHeavy: false } satisfies TimedRoute,
      },
      async (request, reply) => {
        const { type, distributionCentre } = request.body;
        const client = (request as OutboundRequest).feedClient as FeedClient;
        if (!client.facilities.includes(distributionCentre)) {
          const message = `is not a facility of client ${client.clientId}`;
          const detail = `distributionCentre '${distributionCentre}' ${message}`;
          const errors = [{ pointer: "#/distributionCentre", message }];
          return refused(problem("unprocessable", detail, { errors }));
        }
        const change = { actor: `client:${client.clientId}`, origin: request.ip, at: now(), ids };
        const requested = await database.transaction(
          (tx) => requestStatement(tx.of(client.clientId, change), distributionCentre, type as "INV" | "IMS"),
          { statementTimeoutMs: snapshotMsMax },
        );
        if (!requested.ok) {
          const headers = { "Retry-After": String(retryAfterSeconds) };
          return refused(problem("rate-limited", requested.fault, { headers }));
        }
        return reply.code(202).send({ messageId: requested.value });
      },
    );
  });

  async function answerDocument(
    request: FastifyRequest<{ Params: { clientId: string; messageId: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply | Refused> {
    const { clientId, messageId } = request.params;
    const xml = isUuidV7(messageId) ? await repository.findPayload(database.of(clientId), messageId) : undefined;
    if (!xml) return unknownDocument(messageId);
    // A document never changes, so its identifier determines its bytes.
    const etag = `"${messageId}"`;
    reply.header("etag", etag);
    if (isAtHand(request, etag)) return reply.code(304).send();
    return reply.header("content-type", "application/xml; charset=utf-8").send(xml);
  }
}

function unknownDocument(messageId: string): Refused {
  return refused(problem("not-found", `The client has no outbound document '${messageId}'.`));
}
