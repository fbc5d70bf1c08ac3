import type { Clock } from "./retry.ts";

/** The token endpoint refused the request (RFC 6749 §5.2), or its answer contains no token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly status: number;
  /** `invalid_client` or another code of RFC 6749; empty if the answer is not from the endpoint. */
  readonly error: string;

  constructor(status: number, error: string, description: string) {
    super(`no token: ${[status, error, description].filter((part) => part !== "").join(" ")}`);
    this.status = status;
    this.error = error;
  }
}

export interface Tokens {
  /** A token that remains valid for some time. @throws {TokenError} */
  current(): Promise<string>;
  /** Drops a token that a service refused: the next caller gets a new one. */
  forget(refused: string): void;
}

export interface TokensContext {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
  /** Sends a body to the token endpoint. */
  post(body: string): Promise<Response>;
}

/**
 * How long before its expiry a token is replaced, at most; a short-lived token is replaced after nine tenths of its
 * life.
 */
const earlyMsMax = 60_000;

/** Tokens by client credentials (contract rest.md §1): one is kept, and concurrent calls share one request. */
export function createTokens(context: TokensContext): Tokens {
  let held: { readonly token: string; readonly until: number } | undefined;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    // The life counts from before the request, because the token may have been issued at that moment.
    const askedMs = context.clock.now();
    const body = { grant_type: "client_credentials", client_id: context.clientId, client_secret: context.clientSecret };
    const response = await context.post(JSON.stringify(body));
    const answer = readObject(await response.text());
    const { access_token: token, expires_in: seconds } = answer;
    if (!response.ok || typeof token !== "string" || typeof seconds !== "number") {
      const { error = "", error_description: description = response.statusText } = answer;
      throw new TokenError(response.status, String(error), String(description));
    }
    const lifeMs = seconds * 1000;
    held = { token, until: askedMs + lifeMs - Math.min(earlyMsMax, lifeMs / 10) };
    return token;
  }

  async function current(): Promise<string> {
    if (held !== undefined && context.clock.now() < held.until) return held.token;
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  return {
    current,
    forget(refused) {
      if (held?.token === refused) held = undefined;
    },
  };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
