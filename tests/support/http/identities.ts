// Identities at a service: valid, unauthorised, and with tokens that are invalid in every way.
import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, type JWTPayload, SignJWT } from "jose";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { issueCredential, revokeCredential, suspendClient } from "#/modules/clients/index.ts";
import { accessTokenOf, type TestClient, type TestServer } from "../app/server.ts";

export interface Identity {
  readonly name: string;
  /** Undefined: no Authorization header. */
  readonly token: string | undefined;
  /** The problem that every operation returns, whatever the rest of the request is; undefined: access is granted. */
  readonly problem: { readonly status: number; readonly code: string } | undefined;
}

/**
 * The nine identities of a client's service: the client's own, another client's, none, garbage, expired, signed with a
 * wrong key, for another audience, revoked, and of a suspended client.
 */
export async function clientIdentities(server: TestServer, client: TestClient, other: TestClient): Promise<Identity[]> {
  const token = await accessTokenOf(server.url, client.credentials.oauth);
  const paused = await server.onboard("PAUSED");
  const suspended = await accessTokenOf(server.url, paused.credentials.oauth);
  const suspension = await server.operate((tx, change) => suspendClient(tx.of("PAUSED", change)));
  if (!suspension.ok) throw new Error(suspension.fault);
  return [
    { name: "own", token, problem: undefined },
    { name: "other client", token: await accessTokenOf(server.url, other.credentials.oauth), problem: undefined },
    ...(await brokenTokens(server, token)),
    { name: "revoked", token: await revokedToken(server, client), problem: { status: 401, code: "token-revoked" } },
    { name: "suspended", token: suspended, problem: { status: 403, code: "client-suspended" } },
  ];
}

/** Invalid variants of a valid token. */
export async function brokenTokens(server: TestServer, token: string): Promise<Identity[]> {
  const { kid } = decodeProtectedHeader(token);
  const claims = decodeJwt(token);
  const [row] = await server.rows<{ private_jwk_encrypted: string }>(
    "select private_jwk_encrypted from signing_key where key_id = $1",
    kid,
  );
  const box = createSecretBox(server.config.secret as string);
  const jwk = JSON.parse(box.open(row?.private_jwk_encrypted as string, `signing_key ${kid}`) as string);
  const rightKey = await importJWK(jwk, "ES256");
  const { privateKey: wrongKey } = await generateKeyPair("ES256");
  const sign = (key: typeof rightKey, more: JWTPayload) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: "ES256", kid: kid as string }).sign(key);
  const ago = Math.floor(Date.now() / 1000) - 60;
  return [
    { name: "none", token: undefined, problem: { status: 401, code: "token-missing" } },
    { name: "garbage", token: "not.a.token", problem: { status: 401, code: "token-invalid" } },
    { name: "expired", token: await sign(rightKey, { exp: ago }), problem: { status: 401, code: "token-expired" } },
    { name: "wrong key", token: await sign(wrongKey, {}), problem: { status: 401, code: "token-invalid" } },
    {
      name: "wrong audience",
      token: await sign(rightKey, { aud: "console" }),
      problem: { status: 401, code: "token-invalid" },
    },
  ];
}

async function revokedToken(server: TestServer, client: TestClient): Promise<string> {
  const { clientId } = client.credentials;
  const issued = await server.operate((tx, change) =>
    issueCredential(tx, change, { clientId, kind: "oauth", environment: "sandbox" }),
  );
  if (!issued.ok || !("oauth" in issued.value)) throw new Error("no credential was issued");
  const { oauth } = issued.value;
  const token = await accessTokenOf(server.url, oauth);
  const revoked = await server.operate((tx, change) => revokeCredential(tx, change, oauth.client_id));
  if (!revoked.ok) throw new Error(revoked.fault);
  return token;
}
