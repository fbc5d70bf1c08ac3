import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type JWK, SignJWT } from "jose";
import type { RateLimiter, Take } from "#/http/access/rate-limit.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { createNameDelay, logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Directory, StoredCredential } from "#/modules/clients/directory.ts";
import type { CredentialKind } from "#/modules/clients/domain.ts";
import { createKeyring } from "#/modules/clients/oauth/keyring.ts";
import { algorithm } from "#/modules/clients/oauth/signing-keys.ts";
import { createVerifier, tokenAudience, type Verifier } from "#/modules/clients/oauth/verifier.ts";
import type { Database } from "#/store/db/database.ts";

/** A refusal in the terms of RFC 6749 §5.2. */
export interface TokenRefusal {
  readonly status: 400 | 401 | 429;
  readonly error: "invalid_request" | "invalid_client" | "unsupported_grant_type";
  readonly description: string;
  /** With 429. */
  readonly retryAfterSeconds?: number;
}

interface ClientProof {
  readonly clientId: string;
  readonly clientSecret: string;
}

const invalidRequest = (description: string) =>
  refused<TokenRefusal>({ status: 400, error: "invalid_request", description });

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

export interface TokenServiceContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly environment: string;
  readonly tokenTtlSeconds: number;
  /** Public address of the token endpoint without its path; it may be unknown until the listener has its port. */
  readonly authUrl: () => string;
  readonly directory: Pick<Directory, "findCredential" | "findClient">;
  /** Counts wrong secrets across all nodes. */
  readonly limiter: RateLimiter;
  /** For tests: delays an answer. */
  readonly delay?: (ms: number) => Promise<unknown>;
}

interface IssuedToken {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
}

export interface TokenService {
  /** @param address the origin of the request: wrong secrets are counted per network and client_id. */
  issue(proof: ClientProof, address: string): Promise<Result<IssuedToken, TokenRefusal>>;
  readonly verify: Verifier;
  /** Body of `/.well-known/jwks.json`. */
  keys(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Body of `/.well-known/oauth-authorization-server` (RFC 8414). */
  metadata(): Readonly<Record<string, unknown>>;
  /**
   * Await it at start: it creates the first signing key, and throws if the master key does not decrypt the stored one.
   */
  prepare(): Promise<void>;
  /** Signing keys may have changed: call it on a change notice. */
  forget(): void;
}

/**
 * Ten wrong secrets are free, then one every twenty seconds. A secret of 256 bits cannot be guessed; this limits the
 * noise.
 */
const wrongSecrets = { perSecond: 0.05, burst: 10 };

/** Wrong secrets of a network, whatever the client_ids: beyond it they write nothing, and wait for nothing. */
const wrongOfNetwork = { perSecond: 1, burst: 60 };

const noSecret = Buffer.alloc(32);

/** Credentials that tokens are issued for. */
const tokenKinds: readonly CredentialKind[] = ["oauth", "warehouse", "carrier"];

export function createTokenService(context: TokenServiceContext): TokenService {
  const { clock, ids, environment, tokenTtlSeconds, directory, limiter } = context;
  const keyring = createKeyring(context);
  const nameDelay = createNameDelay(limiter, "secret");
  const { delay = sleep } = context;

  async function findCredential({ clientId, clientSecret }: ClientProof): Promise<StoredCredential | undefined> {
    const credential = await directory.findCredential(clientId);
    const hash = createHash("sha256").update(clientSecret).digest();
    // Compared in any case, so that the response time does not reveal which client_id exists.
    const isRight = timingSafeEqual(hash, credential?.secretSha256 ?? noSecret);
    const isOfKind = credential !== undefined && tokenKinds.includes(credential.kind);
    return isRight && isOfKind && !credential.isRevoked ? credential : undefined;
  }

  /** Only for a wrong secret: the right one, of 256 bits, cannot be guessed and never waits. */
  async function holdBack(clientId: string): Promise<void> {
    const heldBackMs = nameDelay.of(clientId);
    nameDelay.noteWrong(clientId);
    if (heldBackMs > 0) await delay(heldBackMs);
  }

  async function refuseSecret({ clientId }: ClientProof, address: string): Promise<Result<never, TokenRefusal>> {
    const network = networkOf(address);
    const ofNetwork = limiter.take(logInKey("secret network", network), wrongOfNetwork);
    if (!ofNetwork.isAllowed) return tooMany("from this address", ofNetwork);
    const take = limiter.take(logInKey("secret", network, clientId), wrongSecrets);
    await holdBack(clientId);
    if (take.isAllowed) return invalidClient("client_id and client_secret do not belong together, or are revoked.");
    return tooMany("for this client_id from this address", take);
  }

  async function sign(subject: Readonly<Record<string, unknown>>): Promise<IssuedToken> {
    const { keyId, privateKey } = await keyring.signing();
    const nowMs = clock.now();
    const issuedAt = Math.floor(nowMs / 1000);
    const token = await new SignJWT({ ...subject, env: environment })
      .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: keyId })
      .setIssuer(context.authUrl())
      .setAudience(tokenAudience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + tokenTtlSeconds)
      .setJti(ids.next(nowMs))
      .sign(privateKey);
    return { access_token: token, token_type: "Bearer", expires_in: tokenTtlSeconds };
  }

  return {
    async issue(proof, address) {
      const credential = await findCredential(proof);
      if (!credential) return refuseSecret(proof, address);
      const { credentialId, clientId, facilityCode, carrierCode } = credential;
      if (credential.environment !== environment) {
        return invalidClient(`The credential is of environment ${credential.environment}; this is ${environment}.`);
      }
      if (credential.kind === "warehouse") {
        return ok(await sign({ sub: credentialId, kind: "warehouse", facility: facilityCode }));
      }
      if (credential.kind === "carrier") {
        return ok(await sign({ sub: credentialId, kind: "carrier", carrier: carrierCode }));
      }
      const client = clientId === undefined ? undefined : await directory.findClient(clientId);
      if (client?.status !== "ACTIVE") return invalidClient(`Client ${clientId} is suspended: it gets no new tokens.`);
      return ok(await sign({ sub: credentialId, kind: "client", client_ids: [clientId] }));
    },
    verify: createVerifier({ clock, environment, keyring, directory }),
    keys: async () => ({ keys: await keyring.published() }),
    metadata() {
      const issuer = context.authUrl();
      return {
        issuer,
        token_endpoint: `${issuer}/v1/oauth/token`,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        response_types_supported: [],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      };
    },
    async prepare() {
      await keyring.signing();
    },
    forget: () => keyring.forget(),
  };
}

function tooMany(whose: string, { retryAfterSeconds }: Take): Result<never, TokenRefusal> {
  const description = `Too many wrong secrets ${whose}; the right one is accepted at any time.`;
  return refused({ status: 429, error: "invalid_client", description, retryAfterSeconds });
}

function invalidClient(description: string): Result<never, TokenRefusal> {
  return refused({ status: 401, error: "invalid_client", description });
}
