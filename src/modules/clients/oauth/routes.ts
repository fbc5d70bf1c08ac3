import type { FastifyError, FastifyReply } from "fastify";
import type { HttpServer } from "#/http/server/server.ts";
import { readTokenRequest, type TokenRefusal, type TokenService } from "#/modules/clients/oauth/token-service.ts";

export interface TokenRoutesContext {
  readonly tokens: TokenService;
}

const bodyBytesMax = 16 * 1024;

/** The token endpoint (contract rest.md §1) and the two discovery documents for OAuth libraries. */
export function registerTokenRoutes(app: HttpServer, { tokens }: TokenRoutesContext): void {
  app.get("/.well-known/oauth-authorization-server", (_request, reply) =>
    reply.header("Cache-Control", "public, max-age=300").send(tokens.metadata()),
  );
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    const keys = await tokens.keys();
    return reply
      .header("Cache-Control", "public, max-age=300")
      .type("application/jwk-set+json")
      .send(JSON.stringify(keys));
  });

  app.register(async (scope) => {
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
      done(null, formFields(String(body)));
    });
    // Any other content type is an invalid_request, so the request must reach the handler; its body is discarded.
    scope.addContentTypeParser("*", (_request, payload, done) => {
      payload.resume();
      payload.on("end", () => done(null, undefined));
      payload.on("error", done);
    });
    scope.post(
      "/v1/oauth/token",
      { bodyLimit: bodyBytesMax, errorHandler: answerUnreadable },
      async (request, reply) => {
        const { authorization } = request.headers;
        const proof = readTokenRequest(fieldsOf(request.body), authorization);
        const answer = proof.ok ? await tokens.issue(proof.value, request.ip) : proof;
        if (!answer.ok) return sendRefusal(reply, answer.fault, authorization !== undefined);
        return uncached(reply).send(answer.value);
      },
    );
  });
}

/** A body without a content type counts as empty. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? (body as Readonly<Record<string, unknown>>)
    : undefined;
}

/** A repeated parameter becomes a list, which is invalid for every parameter. */
function formFields(text: string): Readonly<Record<string, unknown>> {
  const params = new URLSearchParams(text);
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    fields[name] = values.length === 1 ? values[0] : values;
  }
  return fields;
}

function sendRefusal(reply: FastifyReply, refusal: TokenRefusal, isByHeader: boolean): FastifyReply {
  const { status, error, description, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) reply.header("Retry-After", String(retryAfterSeconds));
  if (status === 401 && isByHeader) reply.header("WWW-Authenticate", 'Basic realm="token", charset="UTF-8"');
  return uncached(reply).code(status).send({ error, error_description: description });
}

function uncached(reply: FastifyReply): FastifyReply {
  return reply.header("Cache-Control", "no-store").header("Pragma", "no-cache").type("application/json");
}

/** An unreadable request is answered by RFC 6749; other errors go to the server's handler. */
function answerUnreadable(error: FastifyError, _request: unknown, reply: FastifyReply): void {
  const { statusCode } = error;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) throw error;
  uncached(reply)
    .code(error.code === "FST_ERR_CTP_BODY_TOO_LARGE" ? 413 : 400)
    .send({
      error: "invalid_request",
      error_description: "The body is too large, cut short, or not what its content type says.",
    });
}
