import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TObject, TSchema } from "typebox";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, type Problem, problem } from "#/http/problems/problem.ts";
import { createHeaders } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { changeOf, type ServiceContext } from "#/http/routes/operation.ts";
import { documentAnswerMsMax, exchangeOf, putOffDeadline } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { ackErrorsMax } from "#/intake/feeds/ack.ts";
import { readSentence } from "#/intake/feeds/fault-words.ts";
import { workOf } from "#/intake/feeds/intake/checks.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import {
  type Delivery,
  nameOutcome,
  type Receipt,
  type Receiver,
  threadBytesMin,
} from "#/intake/feeds/intake/receiver.ts";
import { templateOf, validated } from "#/intake/json/contract.ts";
import { type Body, documentOf, listUnwritable, pointerOf } from "#/intake/json/document.ts";
import type { Form } from "#/intake/xml/index.ts";
import { assert } from "#/kernel/assert.ts";
import { type Finding, sentence } from "#/kernel/feed-codes.ts";
import type { FeedType } from "#/kernel/feed-types.ts";
import { conflict, type RequestFault } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/** The dependencies of operations that take a document in JSON. */
export interface JsonIntakeContext extends ServiceContext {
  readonly receiver: Receiver;
  findClient(clientId: string): Promise<FeedClient | undefined>;
  /** Charges the credential of the request for the size of a document and its faults. */
  chargeRate(request: FastifyRequest, units: number): void;
}

/** A feed whose documents may be sent in JSON. */
export interface JsonFeed {
  readonly type: FeedType;
  /** The root element and the declaration of its XML document. */
  readonly root: string;
  readonly form: Form;
  /** The operation's path below the service, such as `/order/create`; `/validate` is added for the dry run. */
  readonly path: string;
  /** `createOrder`; the dry run is `validateCreateOrder`. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly query: TObject;
  readonly body: TSchema;
  /** 200 where the objects may exist already. */
  readonly status: 200 | 201;
  readonly answer: TSchema;
  /** The body under the names of the document, where they differ; its pointers stay those of the body. */
  toDocument?(body: Body, at: string): Body;
  /** The stored object, after the commit. */
  read(tx: ClientTx, body: Body): Promise<Created>;
  /** The operation that answers a stored object as a body. */
  readonly template?: Template;
}

interface Template {
  /** Below the service, such as `/order/template/:orderId`. */
  readonly path: string;
  readonly operationId: string;
  /** Where its path has parameters. */
  readonly params?: TObject;
  /** Default: that of the feed. */
  readonly query?: TObject;
  /** Name of the absent object, in the answer 404. */
  readonly what: string;
  find(tx: ClientTx, params: Body, query: Body): Promise<object | undefined>;
}

interface Created {
  readonly record: object;
  /** Path of the object below the service; a list has none. */
  readonly path?: string;
  readonly version?: number;
}

/**
 * `POST …/create` and `POST …/create/validate`: the body becomes the XML document that it means, which the feed's own
 * receiver takes (docs/decisions/0057-json-documents.md). So checks, codes, token, events and everything stored are
 * those of the feed.
 */
export function addJsonFeed(service: HttpServer, context: JsonIntakeContext, feed: JsonFeed): void {
  const { database, receiver } = context;
  const description = `${feed.description} The same checks as for the feed ${feed.type}; a refused request is a 422 whose \`errors\` have the codes of the feed, and its document is kept under the \`correlationToken\`.`;

  service.post(
    feed.path,
    {
      schema: {
        operationId: feed.operationId,
        summary: feed.summary,
        description,
        querystring: feed.query,
        headers: createHeaders,
        body: feed.body,
        response: { [feed.status]: feed.answer },
      },
      config: answers(409, 422),
    },
    async (request, reply) => {
      const sent = await deliveryOf(request);
      if (!sent.ok) return sent;
      const { body, bytes, delivery } = sent.value;
      const receipt = await receiver.receive(delivery);
      if (receipt.kind !== "inProgress") context.chargeRate(request, workOf(bytes, receipt.faultCount ?? 0));
      noteOutcome(request, receipt);
      if (receipt.kind === "keyConflict" || receipt.kind === "inProgress")
        return refused(conflict("The Idempotency-Key was used for another request; use a new key."));
      if (receipt.kind === "replayed") reply.header("Idempotent-Replayed", "true");
      else if (!receipt.isAccepted) return refused(refusalOf(feed, body, receipt.findings));
      const warnings = receipt.kind === "replayed" ? [] : receipt.findings.warnings.map(sentence);
      return answerCreated(reply, clientIdOf(request), body, { token: receipt.token, warnings });
    },
  );

  service.post(
    `${feed.path}/validate`,
    {
      schema: {
        operationId: `validate${feed.operationId.charAt(0).toUpperCase()}${feed.operationId.slice(1)}`,
        summary: `Dry run of ${feed.operationId}: nothing is stored`,
        description: "Answers the warnings, or refuses the body as the operation itself does.",
        querystring: feed.query,
        body: feed.body,
        response: { 200: validated },
      },
      config: answers(422),
    },
    async (request, reply) => {
      const sent = await deliveryOf(request);
      if (!sent.ok) return sent;
      const { faults, omitted, missingSkus, warnings } = await receiver.examine(sent.value.delivery);
      context.chargeRate(request, workOf(sent.value.bytes, faults.length + omitted));
      if (faults.length > 0) return refused(refusalOf(feed, sent.value.body, { faults, omitted, missingSkus }));
      return reply.send({ warnings: warnings.map(sentence) } as never);
    },
  );

  if (feed.template !== undefined) addTemplate(feed.template);

  function addTemplate({ path, operationId, params, query = feed.query, what, find }: Template): void {
    service.get(
      path,
      {
        schema: {
          operationId,
          summary: `A stored object as a body of ${feed.operationId}`,
          description:
            "The fields that a sender sets, without those that are null: change the identifier, and create it again.",
          ...(params === undefined ? {} : { params }),
          querystring: query,
          response: { 200: feed.body },
        },
        config: answers(404),
      },
      async (request) => {
        const clientId = clientIdOf(request);
        const record = await readSnapshot(database, (tx) =>
          find(tx.of(clientId), request.params as Body, request.query as Body),
        );
        if (!record) return refused(problem("not-found", `The client has no such ${what}.`));
        return templateOf(feed.body, record) as never;
      },
    );
  }

  async function deliveryOf(
    request: FastifyRequest,
  ): Promise<Result<{ readonly body: Body; readonly bytes: number; readonly delivery: Delivery }, Problem>> {
    const clientId = clientIdOf(request);
    const client = await context.findClient(clientId);
    assert(client, `client ${clientId} has a token and does not exist`);
    const change = changeOf(context, request);
    const isOperator = exchangeOf(request).operator !== undefined;
    if (client.status === "SUSPENDED") return refused(problem("conflict", `Client ${clientId} is suspended.`));
    const body = request.body as Body;
    const unwritable = listUnwritable(body);
    if (unwritable.length > 0) return refused(invalidRequest(unwritable));
    const named = feed.toDocument?.(body, change.at) ?? body;
    const bytes = documentOf(feed.root, feed.form, { ...named, clientId });
    if (bytes.byteLength >= threadBytesMin) putOffDeadline(request, documentAnswerMsMax);
    return ok({
      body,
      bytes: bytes.byteLength,
      delivery: {
        client,
        type: feed.type,
        channel: isOperator ? "CONSOLE" : "HTTP",
        bytes,
        contentType: "application/xml; charset=utf-8",
        charset: "utf-8",
        idempotencyKey: request.headers["idempotency-key"] as string | undefined,
        // The document may have a time that the body leaves out.
        repeatSha256: createHash("sha256").update(JSON.stringify(body)).digest(),
        waits: true,
        token: exchangeOf(request).token,
        change: isOperator ? change : undefined,
      },
    });
  }

  async function answerCreated(
    reply: FastifyReply,
    clientId: string,
    body: Body,
    more: { readonly token: string; readonly warnings: readonly string[] },
  ): Promise<FastifyReply> {
    const { record, path, version } = await feed.read(database.of(clientId), body);
    if (path !== undefined && feed.status === 201) reply.header("Location", `${service.prefix}${path}`);
    if (version !== undefined) reply.header("ETag", entityTag(version));
    return reply.code(feed.status).send({ ...record, ...more } as never);
  }
}

type Findings = Extract<Receipt, { kind: "validated" }>["findings"];

const namedMax = 3;

/** The places of faults whose sentence names a value and no path. */
const placesOf: Readonly<Record<string, (text: string) => string>> = {
  FACILITY: () => "distributionCentre",
  UNKNOWN_ORDER: () => "orderReference",
  UNKNOWN_SKU: () => "lines",
  POSTCODE: (text) => `${/: bill-to postcode/.test(text) ? "billToAddress" : "shipToAddress"}/zip`,
};

/** The problem of a document with faults: each with its code, its remedy and the pointer to its place in the body. */
export function refusalOf(
  feed: Pick<JsonFeed, "type" | "form">,
  body: Body,
  { faults, omitted, missingSkus }: Pick<Findings, "faults" | "omitted" | "missingSkus">,
): Problem {
  const errors = faults.slice(0, ackErrorsMax).map((fault) => faultOf(feed, body, fault));
  const left = omitted + faults.length - errors.length;
  const more = left === 0 ? "" : `; and ${left} more`;
  const named = errors.slice(0, namedMax).map(({ code, message }) => `[${code}] ${message}`);
  const rest = errors.length - named.length;
  const detail = `${named.join("; ")}${rest > 0 ? `; and ${rest + left} more` : more}`;
  return problem("unprocessable", detail, { errors, missingSkus });
}

function faultOf(
  { type, form }: Pick<JsonFeed, "type" | "form">,
  body: Body,
  fault: Finding,
): RequestFault & { readonly code: string } {
  const { code, text, path, remedy } = readSentence(sentence(fault), "error", type);
  const at = path ?? placesOf[code]?.(text);
  const pointer = at === undefined ? "#" : pointerOf(form, body, at);
  // The pointer is in the place of line and path.
  const start = path === null ? -1 : text.indexOf(`${path}: `);
  const message = start === -1 ? text : text.slice(start + `${path}: `.length);
  return { pointer, message, code, ...(remedy === null ? {} : { remedy }) };
}

function noteOutcome(request: FastifyRequest, receipt: Receipt): void {
  const { about } = exchangeOf(request);
  about.outcome = nameOutcome(receipt);
  if (receipt.kind !== "inProgress" && receipt.objectId !== undefined) about.objectId = receipt.objectId;
}
