// Access tokens that an attacker makes or changes (RFC 8725, contract: rest.md §2). Each is a 401, and gives no access.
import assert from "node:assert/strict";
import { createHmac, createPublicKey, randomBytes } from "node:crypto";
import { test } from "node:test";
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
} from "jose";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";

const server = await testServer();
const client = await server.onboard("OWN");
await server.onboard("OTHER");
const path = "/v1/orderService/order/list?clientId=OWN";
const token = await accessTokenOf(server.url, client.credentials.oauth);
const [head = "", payload = "", signature = ""] = token.split(".");
const header = decodeProtectedHeader(token);
const claims = decodeJwt(token);
const now = Math.floor(Date.now() / 1000);

const [row] = await server.rows<{ private_jwk_encrypted: string }>(
  "select private_jwk_encrypted from signing_key where key_id = $1",
  header.kid,
);
const box = createSecretBox(server.config.secret as string);
const { d, ...publicJwk } = JSON.parse(
  box.open(row?.private_jwk_encrypted as string, `signing_key ${header.kid}`) as string,
);
const rightKey = await importJWK({ ...publicJwk, d }, "ES256");
const publicPem = createPublicKey({ key: publicJwk, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();
const attacker = await generateKeyPair("ES256", { extractable: true });
const attackerRsa = await generateKeyPair("RS256");
const attackerJwk = await exportJWK(attacker.publicKey);

const part = (value: unknown) => base64url.encode(JSON.stringify(value));
const hmac = (key: string, changed: object) => {
  const signed = `${part({ ...header, alg: "HS256", ...changed })}.${payload}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
};
/** Signed with the server's own key: only the claims are wrong. */
const withClaims = (changed: object) =>
  new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg: "ES256", kid: header.kid as string }).sign(rightKey);
/** Signed with the attacker's key, with headers that invite the server to accept it. */
const byAttacker = (changed: object) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: header.kid as string, ...changed })
    .sign(attacker.privateKey);

interface TokenAttempt {
  readonly attempt: string;
  readonly token: string;
  /** The end of the problem's type. */
  readonly type?: string;
}

const attempts: readonly TokenAttempt[] = [
  { attempt: "alg none", token: `${part({ alg: "none" })}.${payload}.` },
  { attempt: "alg None with the signature kept", token: `${part({ ...header, alg: "None" })}.${payload}.${signature}` },
  { attempt: "alg none with the key's id", token: `${part({ ...header, alg: "none" })}.${payload}.` },
  { attempt: "no signature", token: `${head}.${payload}.` },
  { attempt: "no third part", token: `${head}.${payload}` },
  { attempt: "a fourth part", token: `${token}.${signature}` },
  {
    attempt: "a signature of zeros (CVE-2022-21449)",
    token: `${head}.${payload}.${base64url.encode(new Uint8Array(64))}`,
  },
  { attempt: "a random signature", token: `${head}.${payload}.${randomBytes(64).toString("base64url")}` },
  { attempt: "a signature cut short", token: token.slice(0, -8) },
  {
    attempt: "another client's id in the payload",
    token: `${head}.${part({ ...claims, client_ids: ["OTHER"] })}.${signature}`,
  },
  {
    attempt: "both clients' ids in the payload",
    token: `${head}.${part({ ...claims, client_ids: ["OWN", "OTHER"] })}.${signature}`,
  },
  { attempt: "a later end in the payload", token: `${head}.${part({ ...claims, exp: now + 9_999_999 })}.${signature}` },
  { attempt: "HS256 with the public key's PEM as secret", token: hmac(publicPem, {}) },
  { attempt: "HS256 with the public key's JWK as secret", token: hmac(JSON.stringify(publicJwk), {}) },
  { attempt: "HS256 with an empty secret", token: hmac("", {}) },
  { attempt: "HS256 with the key's id as secret", token: hmac(String(header.kid), {}) },
  { attempt: "an attacker's key under the server's key id", token: await byAttacker({}) },
  { attempt: "an attacker's key in the header (jwk)", token: await byAttacker({ jwk: attackerJwk }) },
  { attempt: "an attacker's key behind an address (jku)", token: await byAttacker({ jku: `${server.url}/jwks` }) },
  {
    attempt: "an attacker's certificate behind an address (x5u)",
    token: await byAttacker({ x5u: `${server.url}/x5u` }),
  },
  {
    attempt: "an attacker's certificate (x5c)",
    token: await byAttacker({ x5c: [base64url.encode(await exportSPKI(attacker.publicKey))] }),
  },
  { attempt: "a key id that is a path", token: await byAttacker({ kid: "../../../../dev/null" }) },
  {
    attempt: "a key id that is SQL",
    token: await byAttacker({ kid: "' union select private_jwk_encrypted from signing_key --" }),
  },
  { attempt: "an unknown key id", token: await byAttacker({ kid: "unknown" }) },
  {
    attempt: "RS256 under the server's key id",
    token: await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: header.kid as string })
      .sign(attackerRsa.privateKey),
  },
  {
    attempt: "an unknown critical header (crit)",
    token: await new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: header.kid as string, crit: ["exp2"], exp2: 1 })
      .sign(rightKey, { crit: { exp2: true } }),
  },
  { attempt: "another audience", token: await withClaims({ aud: "console" }) },
  { attempt: "no audience", token: await withClaims({ aud: undefined }) },
  { attempt: "another environment", token: await withClaims({ env: "production" }) },
  { attempt: "no end", token: await withClaims({ exp: undefined }) },
  { attempt: "an end in the past", token: await withClaims({ exp: now - 60 }), type: "token-expired" },
  { attempt: "a start in the future", token: await withClaims({ nbf: now + 3_600 }) },
  { attempt: "a text where the end is a number", token: `${head}.${part({ ...claims, exp: "never" })}.${signature}` },
  { attempt: "a payload that is not JSON", token: `${head}.${base64url.encode("{")}.${signature}` },
  { attempt: "a payload that is a list", token: `${head}.${part([claims])}.${signature}` },
  {
    attempt: "parts in standard base64",
    token: `${Buffer.from(JSON.stringify({ ...header, x: "??>" })).toString("base64")}.${payload}.${signature}`,
  },
  { attempt: "8 kB of dots", token: ".".repeat(8_000) },
];

const ask = (authorization: string) => fetch(server.url + path, { headers: { authorization } });

test("the token that the attempts begin from is taken", async () => {
  assert.equal((await ask(`Bearer ${token}`)).status, 200);
});

for (const { attempt, token: forged, type } of attempts) {
  test(`a token with ${attempt} is a 401`, async () => {
    const answer = await ask(`Bearer ${forged}`);
    const text = await answer.text();
    assert.equal(answer.status, 401, text);
    const problem = JSON.parse(text) as { type: string };
    if (type === undefined) assert.match(problem.type, /^\/problems\/token-/, text);
    else assert.equal(problem.type, `/problems/${type}`, text);
    assert.match(
      answer.headers.get("www-authenticate") ?? "",
      /^Bearer realm="crossdock"(?:$|, error="invalid_token", )/,
    );
  });
}

test("a token that the service's own key signed under an earlier address of the token endpoint stays valid", async () => {
  assert.equal((await ask(`Bearer ${await withClaims({ iss: "https://earlier.example/oauth2/token" })}`)).status, 200);
});

const schemes = [
  `bearer${token}`,
  `Bearer  `,
  `Basic ${token}`,
  `Token ${token}`,
  `Bearer ${token}, Bearer ${token}`,
  token,
];

for (const scheme of schemes) {
  test(`the header "Authorization: ${scheme.replaceAll(token, "TOKEN")}" is a 401`, async () => {
    const answer = await ask(scheme);
    assert.equal(answer.status, 401, await answer.text());
  });
}
