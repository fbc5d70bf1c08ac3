// Nodes that issue and verify tokens, over real HTTP on one database, shared by the OAuth tests. Import it once per
// file.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import Type from "typebox";
import { type BearerContext, callerOf, clientIdOf, createBearerHooks } from "#/http/access/bearer.ts";
import { createRateLimiter } from "#/http/access/rate-limit.ts";
import { registerService } from "#/http/routes/service.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createDirectory } from "#/modules/clients/directory.ts";
import { createTokenService, registerTokenRoutes } from "#/modules/clients/oauth/index.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../builders/client.ts";
import { type CallOptions, call as send } from "../http/call.ts";
import { testDatabase } from "../postgres/database.ts";
import { atEnd } from "./at-end.ts";

export const { database } = await testDatabase();
export const ids = createIds();
export const log = createLogger({ level: "error", format: "json", destination: { write() {} } });
export const secretBox = createSecretBox("a master key of more than 32 characters");

let aheadMs = 0;

/** Sets the clock of all nodes this far ahead of the machine's. */
export function setAhead(ms: number): void {
  aheadMs = ms;
}

export const clock = { now: () => systemClock.now() + aheadMs };

interface NodeOptions {
  readonly environment?: string;
  readonly box?: typeof secretBox;
  readonly rateLimit?: BearerContext["rateLimit"];
}

/** An API node on the shared database. */
export async function startNode({ environment = "sandbox", box = secretBox, rateLimit = "off" }: NodeOptions = {}) {
  const directory = createDirectory({ database, clock, environment });
  const limiter = createRateLimiter({ database, clock, log });
  const tokens = createTokenService({
    database,
    clock,
    ids,
    secretBox: box,
    environment,
    tokenTtlSeconds: 600,
    authUrl: () => "https://auth.example.com",
    directory,
    limiter,
  });
  const app = createHttpServer({ log, clock, ids, trustedProxies: ["127.0.0.1"] });
  registerTokenRoutes(app, { tokens });
  const context: BearerContext = { verify: tokens.verify, limiter, rateLimit };
  registerService(app, "/v1/thingService", createBearerHooks(context), (service) => {
    const clientId = Type.Optional(Type.String());
    const shape = Type.Object({ clientId }, { additionalProperties: false });
    service.get("/thing", { schema: { querystring: shape } }, (request) => ({ clientId: clientIdOf(request) }));
    service.post("/thing", { schema: { querystring: shape, body: shape } }, (request) => ({
      clientId: clientIdOf(request),
    }));
  });
  registerService(app, "/v1/portService", createBearerHooks(context, "warehouse"), (service) => {
    service.get("/task", (request) => ({ facilityCode: callerOf(request).facilityCode }));
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  atEnd(async () => {
    await app.close();
    await limiter.close();
  });
  return { url, tokens, directory, limiter };
}

interface CredentialOptions {
  readonly kind?: "oauth" | "feed" | "warehouse";
  readonly clientId?: string;
  readonly facilityCode?: string;
  readonly environment?: string;
}

export async function insertCredential({ kind = "oauth", environment = "sandbox", ...of }: CredentialOptions) {
  const client_id = ids.next(clock.now());
  const client_secret = `cds_${randomBytes(32).toString("base64url")}`;
  await database.query(
    sql`insert into credential (credential_id, kind, client_id, facility_code, environment, secret_sha256, created_at)
      values (${client_id}, ${kind}, ${of.clientId}, ${of.facilityCode}, ${environment},
        ${createHash("sha256").update(client_secret).digest()}, ${"2026-01-01T00:00:00Z"})`,
  );
  return { client_id, client_secret };
}

for (const clientId of ["DEMO", "OTHER", "PAUSED"]) await insertClient(database, { clientId });
export const node = await startNode();
export const demo = await insertCredential({ clientId: "DEMO" });

export type Fields = Record<string, unknown>;

export const json = { "content-type": "application/json" };

export function askToken(body: unknown, headers: Record<string, string> = json, url = node.url) {
  return send("POST", `${url}/v1/oauth/token`, { body, headers });
}

export async function tokenOf(proof: { client_id: string; client_secret: string }, url = node.url): Promise<string> {
  const { status, body } = await askToken({ grant_type: "client_credentials", ...proof }, json, url);
  assert.equal(status, 200, JSON.stringify(body));
  return body.access_token as string;
}

export function call(
  path: string,
  token: string | undefined,
  { method = "GET", ...init }: { readonly method?: string } & Pick<CallOptions, "body" | "headers"> = {},
  url = node.url,
) {
  return send(method, url + path, { token, ...init });
}

export function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}

export const form = { "content-type": "application/x-www-form-urlencoded" };

export function assertUnauthorised(answer: Awaited<ReturnType<typeof call>>, code: string): void {
  assert.equal(answer.status, 401);
  assert.equal(answer.body.type, `/problems/${code}`);
  const error = code === "token-missing" ? "" : ', error="invalid_token", error_description="[^"]+"';
  assert.match(answer.headers.get("www-authenticate") ?? "", new RegExp(`^Bearer realm="crossdock"${error}$`));
}
