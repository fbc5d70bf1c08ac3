// HTTP as a program without our client speaks it, well-formed or not. The typed client sends only what is well-formed.

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Empty if the response is not JSON. */
  readonly body: Record<string, unknown>;
}

export interface CallOptions {
  /** An access token. */
  readonly token?: string | undefined;
  /** A string is sent unchanged, anything else as JSON; undefined: the request has no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export async function call(
  method: string,
  url: string,
  { token, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "") && bytes.length > 0;
  return { status: response.status, headers: response.headers, bytes, body: isJson ? JSON.parse(`${bytes}`) : {} };
}
