import type { FastifyRequest } from "fastify";
import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { feedFault, feedType } from "#/console-api/feeds/contract.ts";
import type { DocumentShelf } from "#/console-api/feeds/document/document-shelf.ts";
import type { FeedReader } from "#/console-api/feeds/feed-record.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { createHeaders } from "#/http/requests/idempotency.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { clientIdParameter, closed, text } from "#/http/routes/schema.ts";
import { documentAnswerMsMax, exchangeOf } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { readSentence } from "#/intake/feeds/fault-words.ts";
import { bodyBytesMax } from "#/intake/feeds/http/body.ts";
import type { Delivery } from "#/intake/feeds/intake/receiver.ts";
import { sentence } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { type ClientProfile, profileWithoutClient, showClient } from "#/modules/clients/index.ts";

const exampleToken = "019a4c2e-8f00-7abc-8def-000000000001";
const exampleAck = `<apiResponse><token>${exampleToken}</token><success>true</success><feedType>NO</feedType></apiResponse>`;
/** A document is text here, whatever encoding its declaration names. */
const document = Type.String({
  maxLength: 20 * 1024 * 1024,
  description: "The document, at most 20 MiB in UTF-8. The declared encoding is ignored; the text is used as sent.",
  examples: ["<orderRequest><orderId>WEB-10001</orderId><clientId>DEMO</clientId></orderRequest>"],
});

const validateBody = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{1,10}$",
        description: "The client that would send it; without it, the client that the document names.",
        examples: ["DEMO"],
      }),
    ),
    type: feedType,
    document,
  },
  { ...closed, title: "FeedDraft", description: "A document to validate." },
);

const validationFields = {
  isAccepted: Type.Boolean({ description: "Whether it is, or would be, accepted.", examples: [true] }),
  objectId: Type.Unsafe<string | null>({
    ...text("Its object, where the document names one; else null.", "WEB-10001"),
    nullable: true,
  }),
  faults: Type.Array(feedFault, { description: "Errors and warnings, each with its place." }),
  missingSkus: Type.Array(text("SKU.", "MUG-RED-330"), { description: "SKUs that no CAT has brought." }),
  ack: text("The ACK that its sender receives, or would receive.", exampleAck),
};

const validation = Type.Object(
  {
    clientId: Type.Unsafe<string | null>({
      ...text("The client for which it was validated; null where neither request nor document names one.", "DEMO"),
      nullable: true,
    }),
    ...validationFields,
  },
  { ...closed, title: "FeedValidation", description: "The result of a validation. Nothing is stored." },
);

const sendQuery = Type.Object({ clientId: clientIdParameter }, closed);

const sendBody = Type.Object(
  { type: feedType, document },
  { ...closed, title: "FeedSubmission", description: "A document to send." },
);

const sent = Type.Object(
  {
    token: text("Token of the document.", exampleToken),
    ...validationFields,
    isReplayed: Type.Boolean({
      description: "The document repeats an earlier one, whose ACK this is.",
      examples: [false],
    }),
  },
  { ...closed, title: "SentFeed", description: "The result of a document." },
);

/**
 * JSON escapes quotes and line ends: a twentieth more has room for those of an XML document. JSON is read in one step of
 * the main thread: 24 MiB of escapes took 217 and 228 ms on a busy machine.
 */
const requestBytesMax = 1.05 * bodyBytesMax;
const faultsMax = 100;
const warningsMax = 1_000;

/** Documents that an operator pastes: validated without being stored, or sent for a client. */
export function addValidatorRoutes(
  service: HttpServer,
  context: OperatorContext,
  feedReader: FeedReader,
  shelf: DocumentShelf,
): void {
  const { database, receiver, clock, ids } = context;

  service.post(
    "/feed/validate",
    {
      bodyLimit: requestBytesMax,
      schema: {
        operationId: "validateFeed",
        summary: "Validate a document with current rules and data, without storing it",
        body: validateBody,
        response: { 200: validation },
      } as const,
      config: { ...answers(413, 422), isPlatform: true, answerMsMax: documentAnswerMsMax },
    },
    async (request) => {
      const { clientId, type, document } = request.body;
      const bytes = Buffer.from(document);
      if (bytes.byteLength > bodyBytesMax) return refused(tooLarge);
      const client = await clientOf(request, clientId ?? clientIdIn(document));
      if (!client.ok) return client;
      const examined = await receiver.examine(deliveryOf(request, client.value, type, bytes));
      const { outcome, objectId = null, faults, omitted, warnings, missingSkus } = examined;
      const left = omitted + Math.max(0, faults.length - faultsMax);
      const texts = [
        ...faults.slice(0, faultsMax).map((fault) => readSentence(sentence(fault), "error", type)),
        ...(left === 0 ? [] : [readSentence(`${left} further errors were left out`, "error", type)]),
        ...warnings.slice(0, warningsMax).map((warning) => readSentence(sentence(warning), "warning", type)),
      ];
      return {
        clientId: client.value.clientId === "" ? null : client.value.clientId,
        isAccepted: outcome.kind === "validated" ? outcome.isAccepted : outcome.kind === "replayed",
        objectId,
        faults: await shelf.askOf(client.value.clientId, document, {
          kind: "faults",
          faults: texts,
          missingSkus: [...missingSkus],
        }),
        missingSkus: [...missingSkus],
        ack: outcome.kind === "keyConflict" ? "" : outcome.ack.toString(),
      };
    },
  );

  service.post(
    "/feed/send",
    {
      bodyLimit: requestBytesMax,
      schema: {
        operationId: "sendFeed",
        summary: "Send a document for a client",
        description:
          "As if the client sent it over HTTP, Idempotency-Key included. The document's channel is CONSOLE, and the audit log names the user.",
        querystring: sendQuery,
        headers: createHeaders,
        body: sendBody,
        response: { 200: sent },
      } as const,
      config: { ...answers(409, 413), answerMsMax: documentAnswerMsMax },
    },
    async (request) => {
      const { type, document } = request.body;
      const bytes = Buffer.from(document);
      if (bytes.byteLength > bodyBytesMax) return refused(tooLarge);
      const client = await clientOf(request, clientIdOf(request));
      if (!client.ok) return client;
      if (client.value.status === "SUSPENDED") return refused(suspended);
      const key = request.headers["idempotency-key"];
      if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) return refused(badKey);
      const receipt = await receiver.receive({
        ...deliveryOf(request, client.value, type, bytes),
        idempotencyKey: key,
        change: changeOf(context, request),
      });
      if (receipt.kind === "inProgress" || receipt.kind === "keyConflict") return refused(keyTaken);
      const { token } = receipt;
      const record = await feedReader.readRecord(token, database.of(client.value.clientId));
      return {
        token,
        isAccepted: receipt.kind === "replayed" || receipt.isAccepted,
        isReplayed: receipt.kind === "replayed",
        objectId: record?.objectId ?? null,
        faults: record?.faults ?? [],
        missingSkus: record?.missingSkus ?? [],
        ack: receipt.ack.toString(),
      };
    },
  );

  function deliveryOf(request: FastifyRequest, client: ClientProfile, type: FeedType, bytes: Buffer): Delivery {
    return {
      client,
      type,
      bytes,
      channel: "CONSOLE",
      contentType: "application/xml; charset=utf-8",
      charset: "utf-8",
      idempotencyKey: undefined,
      token: exchangeOf(request).token ?? ids.next(clock.now()),
    };
  }

  async function clientOf(
    request: FastifyRequest,
    clientId: string | undefined,
  ): Promise<Result<ClientProfile, Problem>> {
    if (clientId === undefined) return ok(profileWithoutClient());
    const { clientIds } = operatorOf(request);
    const found = await showClient(database.of(clientId));
    if (found.ok && (clientIds === null || clientIds.includes(clientId))) return found;
    return refused(problem("unprocessable", `There is no client '${clientId}', or it is not open to the user.`));
  }
}

/** A guess at the client of the document: the receiver parses it properly. */
function clientIdIn(document: string): string | undefined {
  return /<clientId>\s*([A-Za-z0-9_-]{1,10})\s*<\/clientId>/.exec(document.slice(0, 65_536))?.[1];
}

const tooLarge = problem("body-too-large", "The document is over 20 MiB in UTF-8: split it.");
const suspended = problem("conflict", "The client is suspended: resume it first.");
const badKey = problem("invalid-request", "Idempotency-Key must be 1 to 255 visible characters.", {
  errors: [{ pointer: "/header/idempotency-key", message: "must be 1 to 255 visible characters" }],
});
const keyTaken = problem("conflict", "The Idempotency-Key was used for another document, or is in use at this moment.");
