// Typed calls of a service, by the paths of its OpenAPI document as openapi-typescript writes them.

type Verb = "get" | "post" | "put" | "patch" | "delete";

/** No member: an object that extends it needs none. */
export type Nothing = Record<never, never>;

/** How the body of an answer is read; files need `arrayBuffer`, `blob` or `stream`. */
export type ParseAs = "json" | "text" | "arrayBuffer" | "blob" | "stream";

type PathWith<Paths, V extends Verb> = {
  [Path in keyof Paths]: Paths[Path] extends Readonly<Record<V, object>> ? Path : never;
}[keyof Paths] &
  string;

export type OperationOf<Paths, Path extends keyof Paths, V extends Verb> =
  Paths[Path] extends Readonly<Record<V, infer Operation>> ? Operation : never;

type ParamsOf<Operation> = Operation extends { readonly parameters: infer Parameters }
  ? { [Place in keyof Parameters as [Parameters[Place]] extends [undefined] ? never : Place]: Parameters[Place] }
  : Nothing;

type ContentOf<It> = It extends { readonly content: infer Content } ? Content[keyof Content] : never;

type WithParams<Operation> =
  Nothing extends ParamsOf<Operation>
    ? { readonly params?: ParamsOf<Operation> }
    : { readonly params: ParamsOf<Operation> };

type WithBody<Operation> = Operation extends { readonly requestBody: infer Body }
  ? { readonly body: ContentOf<Body> }
  : Operation extends { readonly requestBody?: infer Body }
    ? [Body] extends [undefined]
      ? Nothing
      : { readonly body?: ContentOf<Body> }
    : Nothing;

/** The arguments of a call beside its path. */
export type InitOf<Operation> = WithParams<Operation> &
  WithBody<Operation> & {
    /** Beside those of `params.header`. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Cancels the call with all its waits. */
    readonly signal?: AbortSignal;
  };

type Ok = 200 | 201 | 202 | 204 | 206 | 207;

type ResponsesOf<Operation> = Operation extends { readonly responses: infer Responses } ? Responses : never;

type DataAs<Content, As extends ParseAs> = {
  json: Content;
  text: string;
  arrayBuffer: ArrayBuffer;
  blob: Blob;
  stream: ReadableStream<Uint8Array> | null;
}[As];

type OkContentOf<Responses> = {
  [Status in keyof Responses]: Status extends Ok
    ? Responses[Status] extends { readonly content: object }
      ? ContentOf<Responses[Status]>
      : undefined
    : never;
}[keyof Responses];

type ErrorOf<Responses> = {
  [Status in keyof Responses]: Status extends Ok ? never : ContentOf<Responses[Status]>;
}[keyof Responses];

/** The data of an answer, or the problem of a refusal; with the response, whose body is read. */
export type Result<Operation, As extends ParseAs = "json"> =
  | {
      readonly data: DataAs<OkContentOf<ResponsesOf<Operation>>, As>;
      readonly error?: never;
      readonly response: Response;
    }
  | { readonly data?: never; readonly error: ErrorOf<ResponsesOf<Operation>>; readonly response: Response };

type Call<Paths, V extends Verb> = <Path extends PathWith<Paths, V>, As extends ParseAs = "json">(
  path: Path,
  ...init: Nothing extends InitOf<OperationOf<Paths, Path, V>>
    ? [init?: InitOf<OperationOf<Paths, Path, V>> & { readonly parseAs?: As }]
    : [init: InitOf<OperationOf<Paths, Path, V>> & { readonly parseAs?: As }]
) => Promise<Result<OperationOf<Paths, Path, V>, As>>;

export interface RestClient<Paths> {
  readonly GET: Call<Paths, "get">;
  readonly POST: Call<Paths, "post">;
  readonly PUT: Call<Paths, "put">;
  readonly PATCH: Call<Paths, "patch">;
  readonly DELETE: Call<Paths, "delete">;
}

type Value = string | number | boolean;
type Values = Readonly<Record<string, Value | readonly Value[] | null | undefined>>;

interface AnyInit {
  readonly params?: { readonly path?: Values; readonly query?: Values; readonly header?: Values };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly parseAs?: ParseAs;
}

/** @param send adds the token to a request and sends it. */
export function createRestClient<Paths>(
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
): RestClient<Paths> {
  const call =
    (method: string) =>
    async (path: string, init: AnyInit = {}) => {
      const response = await send(requestOf(baseUrl, method, path, init));
      return response.ok
        ? { data: await dataOf(response, init.parseAs ?? "json"), response }
        : { error: await errorOf(response), response };
    };
  // The generated types say what each path takes and answers; the request itself is the same for all.
  return Object.fromEntries(
    ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => [method, call(method)]),
  ) as unknown as RestClient<Paths>;
}

function requestOf(baseUrl: string, method: string, path: string, { params = {}, body, ...init }: AnyInit): Request {
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  for (const [name, value] of pairsOf(params.header)) headers.set(name, value);
  const content = body === undefined || isRaw(body) ? body : JSON.stringify(body);
  if (content !== undefined && content !== body) headers.set("content-type", "application/json");
  for (const [name, value] of Object.entries(init.headers ?? {})) headers.set(name, value);
  const query = pairsOf(params.query)
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&");
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params.path?.[name];
    if (value === undefined || value === null || value === "") throw new TypeError(`params.path.${name} is empty`);
    return encodeURIComponent(String(value));
  });
  return new Request(`${baseUrl}${filled}${query === "" ? "" : `?${query}`}`, {
    method,
    headers,
    ...(content === undefined ? {} : { body: content }),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

/** A list is its name several times. */
function pairsOf(values: Values = {}): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    return (Array.isArray(value) ? value : [value]).map((part): [string, string] => [name, String(part)]);
  });
}

/** Bodies that are sent as they are, with the `content-type` of the call; all others are JSON. */
const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> | Blob =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof Blob;

async function dataOf(response: Response, parseAs: ParseAs): Promise<unknown> {
  if (parseAs === "stream") return response.body;
  if (parseAs !== "json") return response[parseAs]();
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

async function errorOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
