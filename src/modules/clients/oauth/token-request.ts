import { ok, type Result, refused } from "#/kernel/result.ts";

/** A refusal in the terms of RFC 6749 §5.2. */
export interface TokenRefusal {
  readonly status: 400 | 401 | 429;
  readonly error: "invalid_request" | "invalid_client" | "unsupported_grant_type";
  readonly description: string;
  /** With 429. */
  readonly retryAfterSeconds?: number;
}

export interface ClientProof {
  readonly clientId: string;
  readonly clientSecret: string;
}

const invalidRequest = (description: string) =>
  refused<TokenRefusal>({ status: 400, error: "invalid_request", description });
const invalidClient = (description: string) =>
  refused<TokenRefusal>({ status: 401, error: "invalid_client", description });

/**
 * Reads a token request (specification §2.1, RFC 6749 §4.4.2): client_id and client_secret in the body or by HTTP
 * Basic. Other fields, including `scope`, are ignored.
 *
 * @param fields of the JSON or form body; undefined if it is neither.
 * @param authorization the header as sent.
 */
export function readTokenRequest(
  fields: Readonly<Record<string, unknown>> | undefined,
  authorization: string | undefined,
): Result<ClientProof, TokenRefusal> {
  if (!fields) return invalidRequest("The body must be a JSON object or a form, and Content-Type must say which.");
  const texts = new Map<string, string>();
  for (const name of ["grant_type", "client_id", "client_secret"]) {
    const value = fields[name];
    // RFC 6749 §3.2: parameters without a value count as omitted, and none may be repeated.
    if (value === undefined || value === null || value === "") continue;
    if (typeof value !== "string") return invalidRequest(`${name} must be one text.`);
    texts.set(name, value);
  }
  const basic = authorization === undefined ? undefined : readBasic(authorization);
  if (basic?.ok === false) return basic;
  const grantType = texts.get("grant_type");
  const required = basic ? ["grant_type"] : ["grant_type", "client_id", "client_secret"];
  const missing = required.filter((name) => !texts.has(name));
  if (missing.length > 0) return invalidRequest(`${missing.join(", ")} must be given.`);
  if (grantType !== "client_credentials") {
    return refused({
      status: 400,
      error: "unsupported_grant_type",
      description: "grant_type must be client_credentials.",
    });
  }
  if (!basic) {
    return ok({ clientId: texts.get("client_id") as string, clientSecret: texts.get("client_secret") as string });
  }
  const inBody = texts.get("client_id");
  if (texts.has("client_secret") || (inBody !== undefined && inBody !== basic.value.clientId)) {
    return invalidRequest("The client must authenticate in one way: by HTTP Basic or in the body.");
  }
  return basic;
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function readBasic(authorization: string): Result<ClientProof, TokenRefusal> {
  const encoded = /^basic +([A-Za-z0-9+/_=-]+)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return invalidClient("The header Authorization, where it is sent, must be HTTP Basic.");
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 1) return invalidClient("HTTP Basic must hold client_id and client_secret.");
  return ok({ clientId: formDecoded(text.slice(0, colon)), clientSecret: formDecoded(text.slice(colon + 1)) });
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
