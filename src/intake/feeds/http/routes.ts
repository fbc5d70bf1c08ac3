import type { FastifyReply, FastifyRequest } from "fastify";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { type BodyBudget, OverBudgetError } from "#/http/server/body-budget.ts";
import { correlationHeader, documentAnswerMsMax, exchangeOf, putOffDeadline } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { writeAck } from "#/intake/feeds/ack.ts";
import {
  type AdmissionContext,
  type Admitted,
  createAdmission,
  problemOfRefusal,
  type Refusal,
  unavailable,
} from "#/intake/feeds/http/admission.ts";
import { BodyError, bodyBytesMax, charsetOf, readBody, readPast } from "#/intake/feeds/http/body.ts";
import { workOf } from "#/intake/feeds/intake/checks.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { nameOutcome, type Receipt, type Receiver, threadBytesMin } from "#/intake/feeds/intake/receiver.ts";
import { findDocument } from "#/intake/feeds/repository.ts";
import { type FeedStatus, statusOf, writeStatusXml } from "#/intake/feeds/status.ts";
import { within } from "#/kernel/concurrency/deadline.ts";
import { feedCodes, finding, sentence } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { isUuidV7 } from "#/kernel/values/ids.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { DeadlineError, StoreUnavailableError } from "#/store/db/errors.ts";

export interface FeedRoutesContext extends AdmissionContext {
  readonly database: Database;
  readonly receiver: Receiver;
  readonly bodies: BodyBudget;
  readonly log: Logger;
  /** The outbound documents that report a document's outcome; a later layer provides them. */
  findOutbound(tx: ClientTx, token: string): Promise<FeedStatus["outbound"]>;
}

/** A body that takes longer than this is too slow (operations.md §5). */
const bodyMsMax = 30_000;
const ackMediaType = "application/xml; charset=utf-8";

interface FeedRequest extends FastifyRequest {
  admitted?: Admitted;
}

interface FeedParams {
  readonly clientId: string;
  readonly type: FeedType;
}

/** `POST /feeds/{clientId}/{type}`, its dry run, and the status call (feeds.md §1). */
export function registerFeedRoutes(app: HttpServer, context: FeedRoutesContext): void {
  const admit = createAdmission(context);
  app.register(async (feeds) => {
    // The body is read only after the request was admitted by its headers.
    feeds.removeAllContentTypeParsers();
    feeds.addContentTypeParser(["text/xml", "application/xml"], (request, payload, done) => {
      const exchange = exchangeOf(request);
      const account = context.bodies.open(`client ${exchange.clientId}`);
      exchange.body = account;
      readBody(payload, { isGzip: encodingOf(request) === "gzip", timeoutMs: bodyMsMax, account }).then(
        (body) => done(null, body),
        done,
      );
    });
    feeds.setErrorHandler((error, request, reply) => answerError(error as Error, request, reply));

    const type = ":type(^(?:CAT|PO|RMA|NO)$)";
    feeds.post<{ Params: FeedParams }>(`/feeds/:clientId/${type}`, { onRequest: admitFeed }, (request, reply) =>
      answerDocument(request, reply, false),
    );
    feeds.post<{ Params: FeedParams }>(
      `/feeds/:clientId/${type}/validate`,
      { onRequest: admitFeed },
      (request, reply) => answerDocument(request, reply, true),
    );
    feeds.get<{ Params: { clientId: string; token: string } }>("/feeds/:clientId/status/:token", answerStatus);
  });

  /** Checks key, client, rate, content type and declared size before the body is read. */
  async function admitFeed(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { clientId } = request.params as FeedParams;
    const { deadline } = exchangeOf(request);
    const admitted = await within(
      admit(request, clientId),
      deadline.atMs - performance.now(),
      () => new DeadlineError(),
    );
    if ("code" in admitted) return refuseUnread(request, reply, admitted);
    reply.headers(admitted.headers);
    const refusal = refuseHeaders(request);
    if (refusal) return refuseUnread(request, reply, refusal);
    const slow = { code: "TIMEOUT", text: `The body was not complete after ${bodyMsMax / 1000} s` } as const;
    exchangeOf(request).timeoutAnswer = () => ({ contentType: ackMediaType, body: refusalAck(request, slow) });
    (request as FeedRequest).admitted = admitted;
    return undefined;
  }

  async function answerDocument(
    request: FastifyRequest,
    reply: FastifyReply,
    isDryRun: boolean,
  ): Promise<FastifyReply> {
    const { type } = request.params as FeedParams;
    const { client, credentialId } = (request as FeedRequest).admitted as Admitted;
    const contentType = request.headers["content-type"] as string;
    const delivery = {
      client,
      type,
      channel: "HTTP" as const,
      bytes: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      contentType,
      charset: charsetOf(contentType),
      idempotencyKey: request.headers["idempotency-key"] as string | undefined,
      token: request.id,
    };
    const bytes = delivery.bytes.byteLength;
    if (bytes >= threadBytesMin) putOffDeadline(request, documentAnswerMsMax);
    // The work goes on after the deadline, and may commit: a retry is answered as for any request whose answer was lost.
    const receipt = await (isDryRun ? context.receiver.validate(delivery) : context.receiver.receive(delivery));
    const work = receipt.kind === "inProgress" ? 0 : workOf(bytes, receipt.faultCount ?? 0);
    if (work > 0) context.chargeRate(credentialId, client, work);
    if (isDryRun) reply.header("x-dry-run", "true");
    return answerReceipt(request, reply, receipt, client);
  }

  function answerReceipt(
    request: FastifyRequest,
    reply: FastifyReply,
    receipt: Receipt,
    client: FeedClient,
  ): FastifyReply {
    noteReceipt(request, receipt);
    if (receipt.kind === "inProgress") {
      return refuse(request, reply, {
        code: "IN_PROGRESS",
        text: "A document with this Idempotency-Key is being processed; try again in a second",
      });
    }
    if (receipt.kind === "keyConflict") {
      return refuse(request, reply, {
        code: "IDEMPOTENCY",
        text: "This Idempotency-Key was used for an accepted document with other bytes",
      });
    }
    if (receipt.kind === "replayed") reply.header("idempotent-replayed", "true");
    const isRejected = receipt.kind === "validated" && !receipt.isAccepted;
    return reply
      .code(isRejected ? client.settings.rejectedFeedStatus : 200)
      .header("content-type", ackMediaType)
      .header(correlationHeader, receipt.token)
      .send(receipt.ack);
  }

  async function answerStatus(
    request: FastifyRequest<{ Params: { clientId: string; token: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { clientId, token } = request.params;
    const admitted = await admit(request, clientId);
    if ("code" in admitted) return sendProblem(reply, problemOfRefusal(admitted));
    reply.headers(admitted.headers);
    const document = isUuidV7(token) ? await findDocument(context.database.of(clientId), token) : undefined;
    if (!document)
      return sendProblem(reply, problem("not-found", `No document of client ${clientId} has the token '${token}'`));
    const status = statusOf(document, await context.findOutbound(context.database.of(clientId), token));
    const accept = request.headers.accept ?? "";
    if (/\b(?:application|text)\/xml\b/.test(accept) && !/\bapplication\/json\b/.test(accept)) {
      return reply.header("content-type", ackMediaType).send(writeStatusXml(status));
    }
    return reply.send(status);
  }

  async function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { type } = request.params as Partial<FeedParams>;
    if (type === undefined) throw error;
    if (error instanceof BodyError) {
      return refuseUnread(request, reply, { code: error.code, text: capital(error.message) });
    }
    if (error instanceof OverBudgetError) {
      const headers = { "retry-after": String(error.retryAfterSeconds) };
      const code = error.share === "holder" ? "RATE" : "UNAVAILABLE";
      return refuseUnread(request, reply, { code, text: error.message, headers });
    }
    if (error instanceof StoreUnavailableError) return refuse(request, reply, unavailable());
    // After any other failure the sender can safely retry, and the cause is in the log. A sender that disconnected in
    // the middle of its body is the exception: no client is left to answer, and the server did not fail.
    if (!request.raw.errored) {
      const { token, clientId } = exchangeOf(request);
      context.log.error({ token, clientId, feedType: type, err: error }, "a feed document could not be processed");
    }
    return refuse(request, reply, unavailable());
  }
}

/** Adds the document's fields to the log line of the request. */
function noteReceipt(request: FastifyRequest, receipt: Receipt): void {
  const { about } = exchangeOf(request);
  about.feedType = (request.params as FeedParams).type;
  about.bytes = (request.body as Buffer | undefined)?.byteLength ?? 0;
  about.outcome = nameOutcome(receipt);
  if (receipt.kind !== "inProgress") about.objectId = receipt.objectId;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const acceptedTypes = /^(?:text|application)\/xml\s*(?:;|$)/i;

/** Content codings are case-insensitive, and x-gzip is gzip (RFC 9110 §8.4.1). */
function encodingOf({ headers }: FastifyRequest): "gzip" | "none" | "other" {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding === "gzip" || encoding === "x-gzip") return "gzip";
  return encoding === "" || encoding === "identity" ? "none" : "other";
}

function refuseHeaders(request: FastifyRequest): Refusal | undefined {
  const { headers } = request;
  const contentType = headers["content-type"];
  if (contentType === undefined || !acceptedTypes.test(contentType)) {
    return {
      code: "CONTENT_TYPE",
      text: `Content-Type '${contentType ?? ""}' is neither text/xml nor application/xml`,
    };
  }
  if (encodingOf(request) === "other") {
    const text = `Content-Encoding '${headers["content-encoding"]}' is not accepted; send gzip or none`;
    return { code: "CONTENT_TYPE", text };
  }
  if (Number(headers["content-length"] ?? 0) > bodyBytesMax) {
    return { code: "TOO_LARGE", text: `The body of ${headers["content-length"]} bytes is over ${bodyBytesMax} bytes` };
  }
  const key = headers["idempotency-key"];
  if (key !== undefined && (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key))) {
    return { code: "REQUEST", text: "Idempotency-Key must be 1 to 255 visible characters" };
  }
  return undefined;
}

/** Transport errors are ACKs too: the sender's code parses one kind of answer. */
function refusalAck(request: FastifyRequest, { code, text }: Refusal): Buffer {
  return writeAck({
    token: request.id,
    success: false,
    feedType: (request.params as FeedParams).type,
    errors: [sentence(finding(code, text))],
    errorsOmitted: 0,
    missingSkus: [],
    objectId: undefined,
  });
}

async function refuseUnread(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): Promise<FastifyReply> {
  await readPast(request.raw);
  return refuse(request, reply, refusal);
}

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  // An unread body must not be taken for the next request on this connection.
  if (request.body === undefined) reply.header("connection", "close");
  exchangeOf(request).problem = { code: refusal.code, detail: refusal.text };
  return reply
    .code(feedCodes[refusal.code].status)
    .headers(refusal.headers ?? {})
    .header("content-type", ackMediaType)
    .send(refusalAck(request, refusal));
}
