// The Order service as used by a program without our client: tokens and JSON over HTTP.
import assert from "node:assert/strict";
import { accessTokenOf, type TestClient, type TestServer } from "../app/server.ts";
import { type Answer, call } from "../http/call.ts";

export interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor: string | null;
}

/** A client's calls of the Order service. @param path below `/v1/orderService`. */
export async function orderOperationsOf(server: Pick<TestServer, "url">, client: TestClient) {
  const token = await accessTokenOf(server.url, client.credentials.oauth);
  const url = `${server.url}/v1/orderService`;

  const get = (path: string, headers?: Record<string, string>) => call("GET", url + path, { token, headers });

  /** @param body if absent, the request has no body. */
  const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    call("POST", url + path, { token, body, headers });

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
export function problemOf({ status, headers, body }: Answer, expected: number): { code: string; detail: string } {
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  return { code: String(body.type).replace("/problems/", ""), detail: String(body.detail) };
}

/** Pointers of the faults in a 400. */
export function faultsOf(called: Answer): string[] {
  assert.equal(called.status, 400, JSON.stringify(called.body));
  return (called.body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
}
