// The Order service as used by a program without our client: tokens and JSON over HTTP.
import assert from "node:assert/strict";
import { accessTokenOf, type TestClient, type TestServer } from "../app/server.ts";

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Empty if the response is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

/** A client's calls of the Order service. @param path below `/v1/orderService`. */
export async function orderOperationsOf(server: Pick<TestServer, "url">, client: TestClient) {
  const authorization = `Bearer ${await accessTokenOf(server.url, client.credentials.oauth)}`;

  async function send(path: string, init: RequestInit = {}): Promise<Called> {
    const response = await fetch(`${server.url}/v1/orderService${path}`, {
      ...init,
      headers: { authorization, ...(init.headers as Record<string, string>) },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, bytes, body: isJson ? JSON.parse(`${bytes}`) : {} };
  }

  const get = (path: string, headers: Record<string, string> = {}) => send(path, { headers });

  /** @param body if absent, the request has no body. */
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: "POST",
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });

  /** A page that must succeed. */
  async function list(path: string, query: Readonly<Record<string, string>> = {}): Promise<Listed> {
    const { status, body } = await get(`${path}?${new URLSearchParams(query)}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as Listed;
  }

  /** All pages of a given size, with `between` run before each page except the first: one field of each record. */
  async function walk(
    path: string,
    field: string,
    query: Readonly<Record<string, string>>,
    between: () => Promise<unknown> = async () => {},
  ): Promise<unknown[]> {
    const seen: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      if (cursor !== "") await between();
      const page: Listed = await list(path, cursor === "" ? query : { ...query, cursor });
      assert.ok(page.items.length <= Number(query.limit ?? 50));
      seen.push(...page.items.map((item) => item[field]));
      cursor = page.nextCursor;
    }
    return seen;
  }

  return { get, post, list, walk };
}

/** Asserts that the response is a problem with this status: its code, and its detail. */
export function problemOf({ status, headers, body }: Called, expected: number): { code: string; detail: string } {
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  return { code: String(body.type).replace("/problems/", ""), detail: String(body.detail) };
}

/** Pointers of the faults in a 400. */
export function faultsOf(called: Called): string[] {
  assert.equal(called.status, 400, JSON.stringify(called.body));
  return (called.body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
}
