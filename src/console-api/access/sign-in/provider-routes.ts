// The redirects of a browser to the identity provider and back; not an API (decision 0038).
import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { setSessionCookie } from "#/console-api/access/sign-in/cookie.ts";
import { createIdentityProvider, type Pending } from "#/console-api/access/sign-in/identity-provider.ts";
import {
  type IdentityRefusal,
  type ProviderSignInContext,
  signInIdentity,
} from "#/console-api/access/sign-in/provider-sign-in.ts";
import { triesOfNetwork } from "#/console-api/access/sign-in/sign-in.ts";
import type { RateLimiter } from "#/http/access/rate-limit.ts";
import { findAnswer, keepAnswer } from "#/http/requests/idempotency.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { ProviderConfig } from "#/kernel/config/config.ts";
import { logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { platformClient } from "#/store/db/audit.ts";
import { sqlStateOf } from "#/store/db/errors.ts";

export interface ProviderRoutesContext extends Omit<ProviderSignInContext, "provider"> {
  readonly provider: ProviderConfig;
  readonly limiter: RateLimiter;
  readonly ids: Ids;
  readonly log: Logger;
  readonly secretBox: SecretBox;
  readonly environment: string;
  /** Public address of the console. */
  consoleUrl(): string;
}

/** The reason for a failed sign-in, as the sign-in screen shows it. */
type Refusal = IdentityRefusal | "unavailable" | "cancelled" | "refused" | "stale" | "throttled" | "https";

/** Data that the browser keeps while its user is at the provider. */
interface Kept extends Pending {
  readonly back: string;
  readonly untilMs: number;
}

const keptMsMax = 10 * minuteMs;
const context = "console sign-in";
const uniqueViolation = "23505";

const beginPath = "/console/oidc/begin";
const callbackPath = "/console/oidc/callback";

export function registerProviderRoutes(app: HttpServer, dependencies: ProviderRoutesContext): void {
  const { clock, limiter, secretBox, log, database } = dependencies;
  const provider = createIdentityProvider(dependencies.provider);
  const redirectUri = () => `${dependencies.consoleUrl()}${callbackPath}`;

  function refuse(reply: FastifyReply, refusal: Refusal, back: string): FastifyReply {
    const query = new URLSearchParams({ refusal, ...(back === "/" ? {} : { return: back }) });
    return redirect(reply, `/console/sign-in?${query}`);
  }

  /** Undefined where the request may continue. */
  function refusalOf(request: FastifyRequest, step: "begin" | "callback"): Refusal | undefined {
    if (dependencies.environment === "production" && request.protocol !== "https") return "https";
    // Each request costs the provider an answer.
    const key = logInKey(`sign-in ${step}`, networkOf(request.ip));
    return limiter.take(key, triesOfNetwork).isAllowed ? undefined : "throttled";
  }

  /** Of two callbacks with the same data, also on two nodes, one goes on: a browser may keep what it should delete. */
  async function isFirstUse({ state, untilMs }: Kept): Promise<boolean> {
    const at = new Date(clock.now()).toISOString();
    const key = logInKey("sign-in answer", state);
    const nothing = { bodySha256: Buffer.alloc(0), status: 302, answer: {} };
    const used = { key, operation: `GET ${callbackPath}`, ...nothing, at, expiresAt: new Date(untilMs).toISOString() };
    try {
      return await database.transaction(async (tx) => {
        const view = tx.of(platformClient);
        if (await findAnswer(view, key, at)) return false;
        keepAnswer(view, used);
        return true;
      });
    } catch (error) {
      if (sqlStateOf(error) === uniqueViolation) return false;
      throw error;
    }
  }

  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(beginPath, async (request, reply) => {
    const back = pathWithin(request.query.return);
    const refusal = refusalOf(request, "begin");
    if (refusal) return refuse(reply, refusal, back);
    const begun = await provider.begin(redirectUri(), request.query.prompt === "login" ? "login" : undefined);
    if (!begun.ok) {
      log.warn({ reason: begun.fault.why }, "the identity provider of the console does not answer");
      return refuse(reply, begun.fault.kind, back);
    }
    const kept: Kept = { ...begun.value.pending, back, untilMs: clock.now() + keptMsMax };
    keep(reply, secretBox.seal(JSON.stringify(kept), context));
    return redirect(reply, begun.value.url);
  });

  app.get(callbackPath, async (request, reply) => {
    const kept = keptOf(request, secretBox, clock.now());
    // The data is used only once, whatever the result.
    keep(reply, undefined);
    const { back = "/" } = kept ?? {};
    const refusal = refusalOf(request, "callback") ?? (kept ? undefined : "stale");
    if (refusal || !kept || !(await isFirstUse(kept))) return refuse(reply, refusal ?? "stale", back);
    const answer = new URL(redirectUri());
    answer.search = new URL(request.url, answer).search;
    const proved = await provider.finish(answer, kept);
    if (!proved.ok) {
      const { kind, why } = proved.fault;
      if (kind !== "cancelled") log.warn({ reason: why }, "a sign-in by the identity provider failed");
      return refuse(reply, kind, back);
    }
    const change = {
      actor: "anonymous",
      origin: request.ip,
      ids: dependencies.ids,
      at: new Date(clock.now()).toISOString(),
    };
    const signedIn = await signInIdentity(dependencies, proved.value, change);
    if (!signedIn.ok) return refuse(reply, signedIn.fault, back);
    setSessionCookie(reply, signedIn.value.sessionId);
    return redirect(reply, `/console${back}`);
  });
}

function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header("Referrer-Policy", "no-referrer").redirect(to, 302);
}

/** A requested path within the console; `/` where it is none. */
function pathWithin(requested: unknown): string {
  if (typeof requested !== "string" || !/^\/[!-~]{0,1000}$/.test(requested)) return "/";
  const base = "https://console.invalid/console";
  const url = new URL(base + requested);
  return url.href.startsWith(`${base}/`) ? url.href.slice(base.length) : "/";
}

/** `__Host-`: no other host of the domain can set it (RFC 6265bis §4.1.3.2). */
function nameOf({ protocol }: FastifyRequest): string {
  return protocol === "https" ? "__Host-crossdock_sign_in" : "crossdock_sign_in";
}

/** @param sealed undefined deletes the cookie. `Lax`, because the browser comes back from another site. */
function keep(reply: FastifyReply, sealed: string | undefined): void {
  const { request, server } = reply;
  const attributes = {
    ...({ httpOnly: true, sameSite: "lax", path: "/", secure: request.protocol === "https" } as const),
    maxAge: sealed === undefined ? 0 : keptMsMax / 1_000,
  };
  reply.header("Set-Cookie", server.serializeCookie(nameOf(request), sealed ?? "", attributes));
}

function keptOf(request: FastifyRequest, secretBox: SecretBox, nowMs: number): Kept | undefined {
  const sealed = request.server.parseCookie(request.headers.cookie ?? "")[nameOf(request)];
  const text = sealed === undefined ? undefined : secretBox.open(sealed, context);
  if (text === undefined) return undefined;
  const kept = JSON.parse(text) as Kept;
  return kept.untilMs > nowMs ? kept : undefined;
}
