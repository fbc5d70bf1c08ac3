// A console user with a second factor: password first, then a code of an authenticator app (RFC 6238).
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createUser } from "#/console-api/index.ts";
import type { OperatorRole } from "#/http/access/operator-role.ts";
import type { ConsoleAnswer } from "../app/console.ts";
import type { TestServer } from "../app/server.ts";

let addresses = 0;

/** A browser with a separate address. The server trusts this machine as a proxy. */
export class Visitor {
  readonly url: string;
  readonly address = `198.51.100.${++addresses}`;
  cookie = "";
  csrfToken = "";

  constructor(url: string) {
    this.url = url;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ConsoleAnswer> {
    const response = await fetch(`${this.url}/v1/operatorService${path}`, {
      method,
      headers: {
        "x-forwarded-for": this.address,
        ...(this.cookie === "" ? {} : { cookie: this.cookie }),
        ...(method === "GET" ? {} : { "x-csrf-token": this.csrfToken }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) this.cookie = line.split(";")[0] as string;
    const text = await response.text();
    const answer = text === "" ? undefined : JSON.parse(text);
    this.csrfToken = answer?.csrfToken ?? answer?.session?.csrfToken ?? this.csrfToken;
    return { status: response.status, headers: response.headers, body: answer };
  }

  readonly get = (path: string) => this.send("GET", path);
  readonly post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send("POST", path, body ?? {}, headers);

  /** Signs in by name and password. If a second step is missing, reads its description. */
  async signIn(userName: string, password: string): Promise<ConsoleAnswer> {
    const answer = await this.post("/session/create", { userName, password });
    if (answer.body.type === "/problems/step-missing") await this.get("/session/step");
    return answer;
  }

  /** Whether the session is fully signed in. */
  async isIn(): Promise<boolean> {
    return (await this.get("/session/get")).status === 200;
  }

  /** Another window with the same cookie. */
  copy(): Visitor {
    return Object.assign(new Visitor(this.url), { cookie: this.cookie, csrfToken: this.csrfToken });
  }
}

/** The authenticator app. */
export class Authenticator {
  readonly secret: Buffer;

  constructor(base32: string) {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const bits = [...base32].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, "0")).join("");
    this.secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }

  /** @param by offset in steps of 30 s. */
  code(by = 0): string {
    const counter = Buffer.alloc(8);
    counter.writeBigInt64BE(BigInt(Math.floor(Date.now() / 30_000) + by));
    const hash = createHmac("sha1", this.secret).update(counter).digest();
    const offset = (hash[19] as number) & 15;
    return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
  }

  /** A code that is not valid now or soon. */
  wrongCode(): string {
    const near = [-2, -1, 0, 1, 2, 3].map((by) => this.code(by));
    return ["000000", "111111", "222222", "333333", "444444", "555555", "666666"].find(
      (code) => !near.includes(code),
    ) as string;
  }
}

export interface Member {
  readonly userName: string;
  readonly password: string;
  readonly visitor: Visitor;
  readonly app: Authenticator;
  readonly recoveryCodes: readonly string[];
}

export async function makeMember(
  server: Pick<TestServer, "operate">,
  userName: string,
  role: OperatorRole = "operator",
) {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName, role }));
  assert.ok(made.ok, JSON.stringify(made));
  return { userName, password: made.value.password };
}

/** Enrols an authenticator app in the visitor's session or pending sign-in. */
export async function enrolApp(visitor: Visitor): Promise<Pick<Member, "app" | "recoveryCodes">> {
  const begun = await visitor.post("/factor/beginTotp");
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const app = new Authenticator(begun.body.secret);
  const confirmed = await visitor.post("/factor/confirmTotp", { setup: begun.body.setup, code: app.code() });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { app, recoveryCodes: confirmed.body.recoveryCodes };
}

/** A signed-in user with an enrolled app. */
export async function memberWithApp(server: TestServer, userName: string, role?: OperatorRole): Promise<Member> {
  const { password } = await makeMember(server, userName, role);
  const visitor = new Visitor(server.url);
  assert.equal((await visitor.signIn(userName, password)).status, 201);
  return { userName, password, visitor, ...(await enrolApp(visitor)) };
}

/** Resets the last used step, so that a test does not wait for the next half minute. */
export async function nextStep(server: TestServer, { userName }: Pick<Member, "userName">): Promise<void> {
  await server.rows("update console_factor set last_step = 0 where user_name = $1", userName);
}
