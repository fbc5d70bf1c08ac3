// Client of the operator console's service: session, cookie, and token against cross-site requests.
import assert from "node:assert/strict";
import { createUser } from "#/console-api/index.ts";
import type { OperatorRole } from "#/http/access/operator-role.ts";
import type { TestServer } from "./server.ts";

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Headers;
  /**
   * Parsed JSON, or bytes. It is `any`: tests assert its contents, and the response is validated against the document.
   */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A user who has signed in. Paths are those below `/v1/operatorService`. */
export interface ConsoleUser {
  readonly userName: string;
  readonly password: string;
  readonly csrfToken: string;
  /** `name=value`, as the browser sends it. */
  readonly cookie: string;
  get(path: string): Promise<ConsoleAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  /** Any request with the cookie, and with the token if it writes. */
  request(path: string, init?: RequestInit): Promise<Response>;
}

export interface Limits {
  readonly clientIds?: readonly string[];
  readonly facilityCodes?: readonly string[];
}

type Served = Pick<TestServer, "url" | "operate">;

let users = 0;

/** Creates a user with this role and signs in. */
export async function signIn(
  server: Served,
  role: OperatorRole = "operator",
  limits: Limits = {},
): Promise<ConsoleUser> {
  users++;
  const made = await server.operate((tx, change) =>
    createUser(tx, change, { userName: `${role}${users}`, role, ...limits }),
  );
  assert.ok(made.ok, JSON.stringify(made));
  return signInAs(server, made.value.user.userName, made.value.password);
}

/** Signs in by user name and password, as the form of the console does. */
export async function signInAs(server: Pick<Served, "url">, userName: string, password: string): Promise<ConsoleUser> {
  const response = await fetch(`${server.url}/v1/operatorService/session/create`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ userName, password }),
  });
  const session = (await response.json()) as { csrfToken: string };
  assert.equal(response.status, 201, JSON.stringify(session));
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return userOf(server.url, { userName, password, cookie, csrfToken: session.csrfToken });
}

function userOf(
  url: string,
  account: Pick<ConsoleUser, "userName" | "password" | "csrfToken" | "cookie">,
): ConsoleUser {
  const request = (path: string, init: RequestInit = {}) => {
    const isRead = (init.method ?? "GET") === "GET";
    return fetch(`${url}/v1/operatorService${path}`, {
      ...init,
      headers: {
        cookie: account.cookie,
        ...(isRead ? {} : { "x-csrf-token": account.csrfToken }),
        ...(init.headers as Record<string, string>),
      },
    });
  };
  const send =
    (method: string) =>
    async (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ConsoleAnswer> => {
      const init: RequestInit = { method, headers };
      if (body !== undefined) {
        init.body = JSON.stringify(body);
        init.headers = { "content-type": "application/json", ...headers };
      }
      return answerOf(await request(path, init));
    };
  return {
    ...account,
    request,
    get: send("GET"),
    post: send("POST"),
    patch: send("PATCH"),
    put: send("PUT"),
    delete: (path, headers) => send("DELETE")(path, undefined, headers),
  };
}

async function answerOf(response: Response): Promise<ConsoleAnswer> {
  const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
  const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}
