import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type ServiceDocument, serveDocument } from "#/http/openapi/openapi.ts";
import { type Problem, problem, sendProblem } from "#/http/problems/problem.ts";
import { answerUnchanged } from "#/http/requests/if-none-match.ts";
import { compressReads } from "#/http/server/compression.ts";
import { answerNotFound, type HttpServer } from "#/http/server/server.ts";

/** A hook sends its refusal, because Fastify ignores what a hook returns: a `Result` would let the request pass. */
type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/**
 * Access to a service, in the order of checks of contract rest.md §2: by a bearer token, or by a session of the
 * console.
 */
export interface ServiceHooks {
  /** 401 and 429, before any other check. */
  readonly onRequest: Hook;
  /** 403, and 400 where it is unclear which client the request concerns: as soon as the body is parsed. */
  readonly preValidation: Hook;
  /** Checks that read the store, for a request whose form is valid. */
  readonly preHandler?: Hook;
  /** The 403 of a request whose body cannot be read: based on token and query only, before the 400 of the body. */
  refusalWithoutBody(request: FastifyRequest): Problem | undefined;
}

/**
 * Registers a REST service below its prefix. Its paths are closed to a caller without a token or session. Such a caller
 * learns nothing about which paths exist, so the 401 comes before the 404.
 *
 * @param document where given, the service's OpenAPI document is published at `/openapi/{name}.json`.
 */
export function registerService(
  app: HttpServer,
  prefix: string,
  hooks: ServiceHooks,
  routes: (service: HttpServer) => void,
  document?: ServiceDocument,
): void {
  app.register(
    async (scope) => {
      scope.addHook("onRequest", hooks.onRequest);
      scope.addHook("preParsing", (request, reply, payload, done) => {
        const coding = request.headers["content-encoding"] ?? "identity";
        if (isRead(request) || coding.toLowerCase() === "identity") done(null, payload);
        else sendProblem(reply, codedBody(coding));
      });
      scope.addHook("preValidation", hooks.preValidation);
      if (hooks.preHandler) scope.addHook("preHandler", hooks.preHandler);
      scope.setNotFoundHandler(answerNotFound);
      scope.setErrorHandler((error: FastifyError, request, reply) => {
        const refusal = error.statusCode === 400 ? hooks.refusalWithoutBody(request) : undefined;
        // An error thrown here goes on to the error handler of the server.
        if (refusal === undefined) throw error;
        sendProblem(reply, refusal);
      });
      if (document && (document.audience ?? "client") === "client") answerUnchanged(scope as unknown as HttpServer);
      compressReads(scope as unknown as HttpServer);
      if (document) await serveDocument(app, scope as unknown as HttpServer, document);
      routes(scope as unknown as HttpServer);
    },
    { prefix },
  );
}

const isRead = ({ method }: FastifyRequest) => method === "GET" || method === "HEAD";

/** RFC 9110 §15.5.16. The problem names the content coding, and does not report unreadable JSON. */
function codedBody(coding: string): Problem {
  const headers = { "Accept-Encoding": "identity" };
  return problem(
    "media-type",
    `The body has Content-Encoding ${coding}; only bodies without an encoding are accepted.`,
    { headers },
  );
}
