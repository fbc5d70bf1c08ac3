// The identity provider of the console: OpenID Connect, authorization code with PKCE (decision 0038).

import * as openid from "openid-client";
import type { ProviderConfig } from "#/kernel/config/config.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { hourMs } from "#/kernel/values/durations.ts";

/** The values that a browser must bring back from the provider. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier. */
  readonly verifier: string;
}

/** The user who has signed in at the provider. The provider may reassign a user name, but never a subject. */
export interface Identity {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface ProviderFault {
  /**
   * `unavailable`: no answer in time; `cancelled`: the user gave up at the provider; `refused`: the answer is not
   * trustworthy.
   */
  readonly kind: "unavailable" | "cancelled" | "refused";
  /** For the log: contains neither a code nor a token. */
  readonly why: string;
}

export interface IdentityProvider {
  /** Why its metadata cannot be read; undefined where they can. */
  faultOf(): Promise<string | undefined>;
  /**
   * The address for the browser. @param prompt `login`: a user who is already signed in at the provider must sign in
   * again.
   */
  begin(redirectUri: string, prompt: "login" | undefined): Promise<Result<Begun, ProviderFault>>;
  /** @param answer the redirect URI with the query with which the browser came back. */
  finish(answer: URL, pending: Pending): Promise<Result<Identity, ProviderFault>>;
}

export interface Begun {
  readonly url: string;
  readonly pending: Pending;
}

/** Time limit of each request to the provider, including its body. */
const answerSecondsMax = 5;
/** An ID token with thousands of groups has some hundred KiB. */
const answerBytesMax = 1024 * 1024;
const subjectCharsMax = 255;
/** Metadata are read again after this time, because endpoints may move. */
const knownMsMax = hourMs;
/** Clocks of two machines differ. */
const skewSeconds = 30;

type Settings = Pick<ProviderConfig, "issuer" | "clientId" | "clientSecret" | "scope" | "groupsClaim">;

/** No request is sent before the first sign-in: an unavailable provider does not delay the start. */
export function createIdentityProvider(settings: Settings): IdentityProvider {
  const { issuer, clientId, clientSecret, scope, groupsClaim } = settings;
  let known: { readonly discovery: Promise<openid.Configuration>; readonly untilMs: number } | undefined;

  async function discover(): Promise<openid.Configuration> {
    const isHttp = issuer.startsWith("http:");
    const found = await openid.discovery(
      new URL(issuer),
      clientId,
      { [openid.clockTolerance]: skewSeconds },
      authenticate,
      {
        timeout: answerSecondsMax,
        [openid.customFetch]: boundedFetch,
        // The signature of an ID token is checked with the provider's keys, although it comes over TLS.
        execute: [openid.enableNonRepudiationChecks, ...(isHttp ? [openid.allowInsecureRequests] : [])],
      },
    );
    return found;
  }

  /**
   * RFC 6749 §2.3.1 requires Basic of every provider that accepts a secret; a provider that lists only other methods
   * gets the other one.
   */
  const authenticate: openid.ClientAuth = (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const redirect =
      clientSecret === undefined
        ? openid.None()
        : methods.includes("client_secret_basic")
          ? openid.ClientSecretBasic(clientSecret)
          : openid.ClientSecretPost(clientSecret);
    redirect(server, ...request);
  };

  /** Concurrent callers wait for one answer; a failure is not cached. */
  function configuration(): Promise<openid.Configuration> {
    if (known && known.untilMs > performance.now()) return known.discovery;
    const discovery = discover();
    const mine = { discovery, untilMs: performance.now() + knownMsMax };
    known = mine;
    discovery.catch(() => {
      if (known === mine) known = undefined;
    });
    return discovery;
  }

  return {
    faultOf: () => configuration().then(() => undefined, reasonOf),
    async begin(redirectUri, prompt) {
      try {
        const config = await configuration();
        const pending = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          verifier: openid.randomPKCECodeVerifier(),
        };
        const url = openid.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope,
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: "S256",
          ...(prompt === undefined ? {} : { prompt }),
        });
        return ok({ url: url.href, pending });
      } catch (error) {
        return refused({ kind: "unavailable", why: reasonOf(error) });
      }
    },
    async finish(answer, { state, nonce, verifier }) {
      try {
        const config = await configuration();
        const tokens = await openid.authorizationCodeGrant(config, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return refused({ kind: "refused", why: "there is no ID token" });
        const { sub: subject } = claims;
        if (!isSubject(subject))
          return refused({ kind: "refused", why: "the subject is not 1 to 255 characters of text" });
        const isWhole = claims[groupsClaim] !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
        if (isWhole) return ok({ subject, claims });
        const more = await openid.fetchUserInfo(config, tokens.access_token, subject);
        return ok({ subject, claims: { ...more, ...claims } });
      } catch (error) {
        return refused({ kind: kindOf(error), why: reasonOf(error) });
      }
    },
  };
}

/**
 * OpenID Connect Core §2 allows 255 characters. PostgreSQL cannot store NUL, and halves of surrogate pairs would make two
 * subjects one user.
 */
function isSubject(subject: string): boolean {
  return subject !== "" && subject.length <= subjectCharsMax && subject.isWellFormed() && !subject.includes("\0");
}

/** `fetch` whose answers have a bound: the library reads a whole answer before it looks at it. */
const boundedFetch: openid.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > answerBytesMax) throw new Error(`the answer has more than ${answerBytesMax / 1024} KiB`);
    chunks.push(chunk);
  }
  // They are those of the compressed answer.
  const plain = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) plain.delete(name);
  return new Response(Buffer.concat(chunks), { status, statusText, headers: plain });
};

/** The library's codes for an incomplete answer, or for one of a proxy in front of the provider. */
const noAnswer = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_PARSE_ERROR", "OAUTH_RESPONSE_IS_NOT_JSON"]);

function kindOf(error: unknown): ProviderFault["kind"] {
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === "access_denied" || error.error === "login_required") return "cancelled";
    return error.error === "temporarily_unavailable" || error.error === "server_error" ? "unavailable" : "refused";
  }
  if (error instanceof openid.ResponseBodyError) return error.status >= 500 ? "unavailable" : "refused";
  // `fetch` throws it where no connection is possible.
  if (error instanceof TypeError) return error.message === "fetch failed" ? "unavailable" : "refused";
  if (!(error instanceof openid.ClientError)) return "refused";
  if (error.cause instanceof Response) return error.cause.status >= 500 ? "unavailable" : "refused";
  return noAnswer.has(error.code ?? "") ? "unavailable" : "refused";
}

function reasonOf(error: unknown): string {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError) {
    return `the provider answers ${error.error.slice(0, 100)}`;
  }
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  const below = cause instanceof Error ? `: ${(cause as NodeJS.ErrnoException).code ?? cause.message}` : "";
  return `${error.message}${below}`.slice(0, 200);
}
