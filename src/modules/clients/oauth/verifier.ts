import { createHash } from "node:crypto";
import { decodeJwt, errors, jwtVerify } from "jose";
import Type, { type Static } from "typebox";
import type { Caller, TokenFault } from "#/http/access/caller.ts";
import { limitOf } from "#/http/access/rate-limit.ts";
import type { Clock } from "#/kernel/clock.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { checkOf } from "#/kernel/values/schema-check.ts";
import type { Directory } from "#/modules/clients/directory.ts";
import type { Keyring } from "#/modules/clients/oauth/keyring.ts";
import { algorithm } from "#/modules/clients/oauth/signing-keys.ts";

interface VerifierContext {
  readonly clock: Clock;
  readonly environment: string;
  readonly keyring: Keyring;
  /** From memory, at most 60 s old. */
  readonly directory: Pick<Directory, "findCredential" | "findClient">;
}

export type Verifier = (token: string) => Promise<Result<Caller, TokenFault>>;

const knownMax = 10_000;

interface Verified {
  readonly claims: TokenClaims;
  readonly keyId: string;
}

const fault = (code: TokenFault["code"], detail: string) => refused<TokenFault>({ code, detail });

/**
 * Verifies access tokens without another service. Checking a signature costs 0.12 ms, so a valid one is cached by its
 * hash. Expiry, revocation and the validity of its key are checked every time.
 *
 * The issuer is not compared: our keys come from our own store, and the address of the token endpoint may change, or
 * differ between nodes, while tokens live.
 */
export function createVerifier(context: VerifierContext): Verifier {
  const { clock } = context;
  const known = new Map<string, Verified>();

  async function claimsOf(token: string): Promise<Result<TokenClaims, TokenFault>> {
    const hash = createHash("sha256").update(token).digest("base64");
    const remembered = known.get(hash);
    if (remembered) {
      known.delete(hash);
      if (remembered.claims.exp * 1000 <= clock.now()) return fault("token-expired", "The access token has expired.");
      if ((await context.keyring.verifying(remembered.keyId)) === undefined) {
        return fault("token-invalid", "The key that signed the access token was withdrawn; request a new token.");
      }
      // The Map keeps insertion order: a used entry moves to the end, and the least recently used one is evicted first.
      known.set(hash, remembered);
      return ok(remembered.claims);
    }
    const verified = await verifySignature(token, context);
    if (!verified.ok) return verified;
    if (known.size >= knownMax) known.delete(known.keys().next().value as string);
    known.set(hash, verified.value);
    return ok(verified.value.claims);
  }

  return async (token) => {
    const claims = await claimsOf(token);
    return claims.ok ? callerOf(claims.value, context) : claims;
  };
}

async function verifySignature(token: string, context: VerifierContext): Promise<Result<Verified, TokenFault>> {
  const { clock, environment, keyring } = context;
  let isKeyUnknown = false;
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keyring.verifying(kid);
        if (key) return key;
        isKeyUnknown = true;
        throw new errors.JWKSNoMatchingKey();
      },
      { algorithms: [algorithm], audience: tokenAudience, currentDate: new Date(clock.now()) },
    );
    if (!isTokenClaims(payload)) return fault("token-invalid", "The access token does not have the required claims.");
    if (payload.env === environment) return ok({ claims: payload, keyId: String(protectedHeader.kid) });
    return otherEnvironment(payload.env, environment);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    if (error instanceof errors.JWTExpired) return fault("token-expired", "The access token has expired.");
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud") {
      return fault("token-invalid", "The access token is for another audience.");
    }
    // A token with an unknown key is not trusted; its claims only select the message of the refusal.
    const named = isKeyUnknown ? environmentOf(token) : undefined;
    if (named !== undefined && named !== environment) return otherEnvironment(named, environment);
    return fault("token-invalid", "The access token was not issued by this service, or has been changed.");
  }
}

function otherEnvironment(named: string, environment: string) {
  return fault("token-other-environment", `The access token is of environment ${named}; this is ${environment}.`);
}

function environmentOf(token: string): string | undefined {
  try {
    const { env } = decodeJwt<{ env?: unknown }>(token);
    return typeof env === "string" && /^[a-z]{1,20}$/.test(env) ? env : undefined;
  } catch {
    return undefined;
  }
}

async function callerOf(claims: TokenClaims, { directory }: VerifierContext): Promise<Result<Caller, TokenFault>> {
  const credential = await directory.findCredential(claims.sub);
  if (!credential || credential.isRevoked) {
    return fault("token-revoked", "The credential that the access token was issued for is revoked.");
  }
  if (claims.kind !== "client") {
    return ok({
      credentialId: claims.sub,
      kind: claims.kind,
      clientIds: [],
      suspendedClientIds: [],
      facilityCode: claims.kind === "warehouse" ? claims.facility : undefined,
      carrierCode: claims.kind === "carrier" ? claims.carrier : undefined,
      rateLimit: undefined,
    });
  }
  const clients = await Promise.all(claims.client_ids.map((clientId) => directory.findClient(clientId)));
  const setting = clients[0]?.settings.rateLimit;
  return ok({
    credentialId: claims.sub,
    kind: "client",
    clientIds: claims.client_ids,
    suspendedClientIds: claims.client_ids.filter((_, i) => clients[i]?.status !== "ACTIVE"),
    facilityCode: undefined,
    carrierCode: undefined,
    rateLimit: setting === undefined ? undefined : limitOf(setting),
  });
}

/** The audience of access tokens: the REST services of a deployment, and no other reader of a JWT. */
export const tokenAudience = "crossdock";

const standard = {
  iss: Type.String(),
  aud: Type.Literal(tokenAudience),
  /** Credential that the token was issued for. */
  sub: Type.String(),
  env: Type.String(),
  iat: Type.Number(),
  exp: Type.Number(),
  jti: Type.String(),
};

const claims = Type.Union([
  Type.Object({ ...standard, kind: Type.Literal("client"), client_ids: Type.Array(Type.String()) }),
  Type.Object({ ...standard, kind: Type.Literal("warehouse"), facility: Type.String() }),
  Type.Object({ ...standard, kind: Type.Literal("carrier"), carrier: Type.String() }),
]);

/** The claims of an access token (contract operations.md §5: claims name the client identifiers). */
type TokenClaims = Static<typeof claims>;

const check = checkOf(claims);

function isTokenClaims(payload: unknown): payload is TokenClaims {
  return check().Check(payload);
}
