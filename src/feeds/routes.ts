import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "#/db/database.ts";
import { StoreUnavailableError } from "#/db/errors.ts";
import { writeAck } from "#/feeds/ack.ts";
import { BodyError, bodyBytesMax, readBody, readPast } from "#/feeds/body.ts";
import type { FeedClient, FeedType } from "#/feeds/definition.ts";
import type { Receipt, Receiver } from "#/feeds/receiver.ts";
import { findDocument } from "#/feeds/repository.ts";
import { statusOf, writeStatusXml } from "#/feeds/status.ts";
import { correlationHeader, exchangeOf } from "#/http/exchange.ts";
import { problem, sendProblem } from "#/http/problem.ts";
import type { ProblemCode } from "#/http/problem-codes.ts";
import type { HttpServer } from "#/http/server.ts";
import { type FeedCode, feedCodes, finding, sentence } from "#/kernel/feed-codes.ts";
import { isUuidV7 } from "#/kernel/ids.ts";
import type { Logger } from "#/kernel/log.ts";

/** Who an `X-API-KEY` belongs to. */
export type KeyVerdict =
  | { readonly kind: "known"; readonly credentialId: string; readonly client: FeedClient }
  | { readonly kind: "unknown" | "revoked" }
  | { readonly kind: "otherEnvironment"; readonly environment: string };

export interface RateVerdict {
  readonly isAllowed: boolean;
  readonly retryAfterSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FeedRoutesContext {
  readonly database: Database;
  readonly receiver: Receiver;
  readonly environment: string;
  readonly log: Logger;
  findByFeedKey(apiKey: string): KeyVerdict | Promise<KeyVerdict>;
  takeRate(credentialId: string, client: FeedClient): RateVerdict;
}

/** A body that takes longer than this came too slowly (operations.md §5). */
const bodyMsMax = 30_000;
const retryAfterSeconds = 2;
const ackMediaType = "application/xml; charset=utf-8";

/** The status call names no feed type, so its refusals are problem details. */
const problemOf: Partial<Record<FeedCode, ProblemCode>> = {
  AUTH: "feed-key-invalid",
  FORBIDDEN: "client-forbidden",
  RATE: "rate-limited",
  UNAVAILABLE: "unavailable",
};

interface Refusal {
  readonly code: FeedCode;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface FeedRequest extends FastifyRequest {
  feedClient?: FeedClient;
}

interface FeedParams {
  readonly clientId: string;
  readonly type: FeedType;
}

/** `POST /feeds/{clientId}/{type}`, its dry run, and the status call (feeds.md §1). */
export function registerFeedRoutes(app: HttpServer, context: FeedRoutesContext): void {
  app.register(async (feeds) => {
    // The body is read only after the request was let in by its headers.
    feeds.removeAllContentTypeParsers();
    feeds.addContentTypeParser(["text/xml", "application/xml"], (request, payload, done) => {
      readBody(payload, { isGzip: encodingOf(request) === "gzip", timeoutMs: bodyMsMax }).then(
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

  /** Key, client, rate, content type and declared size: all decided before the body is read. */
  async function admitFeed(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { clientId } = request.params as FeedParams;
    const admitted = await admit(request, clientId);
    if ("code" in admitted) return refuseUnread(request, reply, admitted);
    reply.headers(admitted.headers);
    const refusal = refuseHeaders(request);
    if (refusal) return refuseUnread(request, reply, refusal);
    const slow = { code: "TIMEOUT", text: `The body was not complete after ${bodyMsMax / 1000} s` } as const;
    exchangeOf(request).timeoutAnswer = () => ({ contentType: ackMediaType, body: refusalAck(request, slow) });
    (request as FeedRequest).feedClient = admitted.client;
    return undefined;
  }

  async function admit(
    request: FastifyRequest,
    clientId: string,
  ): Promise<Refusal | { readonly client: FeedClient; readonly headers: Readonly<Record<string, string>> }> {
    const apiKey = request.headers["x-api-key"];
    const challenge = { "www-authenticate": "ApiKey" };
    if (typeof apiKey !== "string" || apiKey === "") {
      return { code: "AUTH", text: "The header X-API-KEY is missing", headers: challenge };
    }
    let found: KeyVerdict;
    try {
      const finding = context.findByFeedKey(apiKey);
      found = finding instanceof Promise ? await finding : finding;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return unavailable();
      throw error;
    }
    if (found.kind === "otherEnvironment") {
      const text = `The X-API-KEY belongs to environment ${found.environment}; this is ${context.environment}`;
      return { code: "AUTH", text, headers: challenge };
    }
    if (found.kind !== "known") {
      const text = found.kind === "revoked" ? "The X-API-KEY was revoked" : "The X-API-KEY is unknown";
      return { code: "AUTH", text, headers: challenge };
    }
    const { client, credentialId } = found;
    if (client.clientId !== clientId)
      return { code: "FORBIDDEN", text: `The X-API-KEY does not belong to client '${clientId}'` };
    if (client.status === "SUSPENDED") return { code: "FORBIDDEN", text: `Client ${clientId} is suspended` };
    exchangeOf(request).clientId = clientId;
    const rate = context.takeRate(credentialId, client);
    if (!rate.isAllowed) {
      const headers = { ...rate.headers, "retry-after": String(rate.retryAfterSeconds) };
      return { code: "RATE", text: `Too many requests; try again in ${rate.retryAfterSeconds} s`, headers };
    }
    return { client, headers: rate.headers };
  }

  async function answerDocument(
    request: FastifyRequest,
    reply: FastifyReply,
    isDryRun: boolean,
  ): Promise<FastifyReply> {
    const { type } = request.params as FeedParams;
    const client = (request as FeedRequest).feedClient as FeedClient;
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
    const receipt = await (isDryRun ? context.receiver.validate(delivery) : context.receiver.receive(delivery));
    if (isDryRun) reply.header("x-dry-run", "true");
    return answerReceipt(request, reply, receipt, client);
  }

  function answerReceipt(
    request: FastifyRequest,
    reply: FastifyReply,
    receipt: Receipt,
    client: FeedClient,
  ): FastifyReply {
    if (receipt.kind === "inProgress") {
      return refuse(request, reply, {
        code: "IN_PROGRESS",
        text: "A document with this Idempotency-Key is being judged; try again in a second",
      });
    }
    if (receipt.kind === "keyConflict") {
      return refuse(request, reply, {
        code: "IDEMPOTENCY",
        text: "This Idempotency-Key was used for an accepted document with other bytes",
      });
    }
    if (receipt.kind === "replayed") reply.header("idempotent-replayed", "true");
    const isRejected = receipt.kind === "judged" && !receipt.isAccepted;
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
    if ("code" in admitted) {
      reply.headers(admitted.headers ?? {});
      return sendProblem(reply, problem(problemOf[admitted.code] ?? "unavailable", admitted.text));
    }
    reply.headers(admitted.headers);
    const document = isUuidV7(token) ? await findDocument(context.database, clientId, token) : undefined;
    if (!document)
      return sendProblem(reply, problem("not-found", `No document of client ${clientId} has the token '${token}'`));
    const status = statusOf(document);
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
    if (error instanceof StoreUnavailableError) return refuse(request, reply, unavailable());
    // Whatever else went wrong, the sender loses nothing by trying again, and the cause is in the log. Not so of a sender
    // that went away in the middle of its body: nobody is left to be answered, and nothing failed here.
    if (!request.raw.errored) {
      const { token, clientId } = exchangeOf(request);
      context.log.error({ token, clientId, feedType: type, err: error }, "a feed document could not be judged");
    }
    return refuse(request, reply, unavailable());
  }
}

function unavailable(): Refusal {
  const text = "The document could not be stored now, or its outcome is unknown; send it again";
  return { code: "UNAVAILABLE", text, headers: { "retry-after": String(retryAfterSeconds) } };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const acceptedTypes = /^(?:text|application)\/xml\s*(?:;|$)/i;

/** Content codings are named in any case, and x-gzip is gzip (RFC 9110 §8.4.1). */
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

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
}

/** Transport errors are ACKs too: the sender's code reads one kind of answer. */
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
  // A body that nobody will read must not be taken for the next request on this connection.
  if (request.body === undefined) reply.header("connection", "close");
  return reply
    .code(feedCodes[refusal.code].status)
    .headers(refusal.headers ?? {})
    .header("content-type", ackMediaType)
    .send(refusalAck(request, refusal));
}
