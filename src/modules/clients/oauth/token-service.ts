import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type JWK, SignJWT } from "jose";
import type { Database } from "#/db/database.ts";
import type { RateLimiter, Take } from "#/http/access/rate-limit.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { createNameDelay, logInKey, networkOf } from "#/kernel/security/log-in-guard.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import type { Directory, StoredCredential } from "#/modules/clients/directory.ts";
import type { CredentialKind } from "#/modules/clients/domain.ts";
import { tokenAudience } from "#/modules/clients/oauth/claims.ts";
import { createKeyring } from "#/modules/clients/oauth/keyring.ts";
import { algorithm } from "#/modules/clients/oauth/signing-keys.ts";
import type { ClientProof, TokenRefusal } from "#/modules/clients/oauth/token-request.ts";
import { createVerifier, type Verifier } from "#/modules/clients/oauth/verifier.ts";

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

export interface IssuedToken {
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
