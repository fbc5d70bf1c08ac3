// A real OpenID Connect provider (oidc-provider, certified by the OpenID Foundation) on loopback, and a browser for the
// redirects. Accounts sign in by name only.
import assert from "node:assert/strict";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
// @ts-expect-error: it has no types, and those that others keep bring the types of two server libraries.
import { Provider as UntypedProvider } from "oidc-provider";
import { atEnd } from "./at-end.ts";

interface Context {
  readonly path: string;
  readonly oidc: { readonly client: { readonly clientId: string }; readonly session: { readonly accountId: string } };
  body: unknown;
}

interface OidcProvider {
  readonly Grant: new (of: {
    readonly clientId: string;
    readonly accountId: string;
  }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
  callback(): RequestListener;
}

const Provider = UntypedProvider as new (issuer: string, configuration: object) => OidcProvider;

export interface TestProvider {
  readonly issuer: string;
  /** Server environment for sign-in through this provider. */
  readonly environment: Record<string, string>;
  /** Sets the claims of an account from its next sign-in on. */
  setAccount(sub: string, claims: Record<string, unknown>): void;
  /** `hangs`: accepts requests and never answers; `fails`: 502, like a failing proxy. */
  state: "answers" | "hangs" | "fails";
  /** Replaces the ID token of the next response; undefined keeps it. */
  forge: ((claims: JWTPayload, sign: Sign) => Promise<string>) | undefined;
  /** Request paths, in order. */
  readonly asked: string[];
}

/** Signs with the provider's key, or with a different key of the same name. */
export type Sign = (claims: JWTPayload, by?: "stranger") => Promise<string>;

export const clientSecret = "s3cret of crossdock at the provider, +&% encoded";

/**
 * @param origins registered origins of Crossdock; a redirect URI must match completely.
 * @param method the only authentication method that the provider accepts from the client
 */
export async function testProvider(
  origins: readonly string[],
  method: "client_secret_basic" | "client_secret_post" | "none" = "client_secret_basic",
): Promise<TestProvider> {
  const accounts = new Map<string, Record<string, unknown>>();
  const kid = "key-1";
  const [key, strange] = await Promise.all([1, 2].map(() => generateKeyPair("RS256", { extractable: true })));
  assert.ok(key && strange);
  const waiting = new Set<ServerResponse>();
  const listener = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    identityProvider.asked.push(pathname);
    if (identityProvider.state === "answers") handle(request, response);
    else if (identityProvider.state === "fails")
      response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
    else waiting.add(response);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "crossdock",
        ...(method === "none" ? {} : { client_secret: clientSecret }),
        redirect_uris: origins.map((origin) => `${origin}/console/oidc/callback`),
        token_endpoint_auth_method: method,
      },
    ],
    clientAuthMethods: [method],
    cookies: { keys: ["of this test"] },
    claims: { openid: ["sub"], profile: ["preferred_username", "groups"], email: ["email"] },
    jwks: { keys: [{ ...(await exportJWK(key.privateKey)), kid, use: "sig", alg: "RS256" }] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...accounts.get(sub) }),
    }),
    // Skips the consent page.
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    // Its forms load a font from the Internet.
    if (typeof context.body === "string") context.body = context.body.replace(/@import url\([^)]*\);?/g, "");
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== "/token" || !body?.id_token || !identityProvider.forge) return;
    const claims = JSON.parse(Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString()) as JWTPayload;
    const sign: Sign = (wanted, by) =>
      new SignJWT(wanted)
        .setProtectedHeader({ alg: "RS256", kid })
        .sign(by === "stranger" ? strange.privateKey : key.privateKey);
    context.body = { ...body, id_token: await identityProvider.forge(claims, sign) };
  });
  const handle = provider.callback();
  atEnd(async () => {
    for (const response of waiting) response.destroy();
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });
  const identityProvider: TestProvider = {
    issuer,
    environment: {
      CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1",
      CROSSDOCK_OIDC_ISSUER: issuer,
      CROSSDOCK_OIDC_CLIENT_ID: "crossdock",
      CROSSDOCK_OIDC_CLIENT_SECRET: method === "none" ? "" : clientSecret,
      CROSSDOCK_OIDC_ACCESS: JSON.stringify([
        { group: "wms-admins", role: "admin" },
        { group: "lumen-dc1", role: "operator", clients: ["ALPHA"], facilities: ["DC1"] },
        { group: "lumen-dc2", role: "operator", clients: ["ALPHA"], facilities: ["DC2"] },
        { group: "staff", role: "viewer" },
      ]),
    },
    setAccount: (sub, claims) => void accounts.set(sub, claims),
    state: "answers",
    forge: undefined,
    asked: [],
  };
  return identityProvider;
}

let browsers = 0;

/** A browser with cookies by origin, and its own address behind a trusted proxy. It follows redirects. */
export class Browser {
  readonly address = `192.0.2.${++browsers}`;
  readonly cookies = new Map<string, Map<string, string>>();

  async get(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: {
        "x-forwarded-for": this.address,
        ...(cookie === "" ? {} : { cookie }),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Continues at a URL of the provider, signs in as this account, and returns the URL of the redirect back. */
  async signInAt(provider: TestProvider, url: string, sub: string): Promise<string> {
    let at = url;
    for (let step = 0; step < 20; step++) {
      if (new URL(at).origin !== provider.issuer) return at;
      let response = await this.get(at);
      if (response.status === 200) {
        const [, action = ""] = /<form[^>]*action="([^"]+)"/.exec(await response.text()) ?? [];
        const form = new URLSearchParams({ prompt: "login", login: sub, password: "any" });
        response = await this.get(new URL(action, at).href, { method: "POST", body: form });
      }
      const location = response.headers.get("location");
      assert.ok(location, `${at} answers ${response.status}: ${(await response.text()).slice(0, 2_000)}`);
      at = new URL(location, at).href;
    }
    throw new Error(`the provider leads in a circle: ${at}`);
  }
}
