import type { Clock } from "./retry.ts";

/** The token endpoint refused (RFC 6749 §5.2), or answered something that is no token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  readonly status: number;
  /** `invalid_client` and the others of RFC 6749; empty where the answer was not the endpoint's. */
  readonly error: string;

  constructor(status: number, error: string, description: string) {
    super(`no token: ${[status, error, description].filter((part) => part !== "").join(" ")}`);
    this.status = status;
    this.error = error;
  }
}

export interface Tokens {
  /** A token that is good for some time yet. @throws {TokenError} */
  current(): Promise<string>;
  /** A service did not take this one: the next to ask is given another. */
  forget(refused: string): void;
}

export interface TokensContext {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
  /** Sends a body to the token endpoint. */
  post(body: string): Promise<Response>;
}

/** Before it expires a token is replaced: by so much at the most, and by a tenth of the life of short ones. */
const earlyMsMax = 60_000;

/** Tokens by client credentials (contract rest.md §1): one is kept, and calls at the same time share one request. */
export function createTokens(context: TokensContext): Tokens {
  let held: { readonly token: string; readonly until: number } | undefined;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    // From before the request, because the token may have been made that early.
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
