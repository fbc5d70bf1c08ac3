import createClient, { type ClientPathsWithMethod, type MaybeOptionalInit, type MethodResponse } from "openapi-fetch";
import type { paths } from "#operator";
import { tellAnswered } from "./silence.ts";

const prefix = "/v1/operatorService";

/** The operations by their paths below the service. */
type Below<Paths> = {
  [Path in keyof Paths as Path extends `${typeof prefix}${infer Rest}` ? Rest : never]: Paths[Path];
};

/** A rejection or a failure, from problem details (RFC 9457, contract rest.md §2). */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** 0: no response. */
  readonly status: number;
  /** Path of the page that explains it; empty without a response. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Every fault of the request, by JSON pointer. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
  /** Identifies the request in the log; empty without a response. */
  readonly correlationToken: string;
  /** Seconds from Retry-After; undefined if absent. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Partial<ApiProblem>) {
    super(problem.detail ?? problem.title ?? "no answer");
    this.status = status;
    this.type = problem.type ?? "";
    this.title = problem.title ?? "Something failed";
    this.detail = problem.detail ?? "";
    this.errors = problem.errors ?? [];
    this.correlationToken = problem.correlationToken ?? "";
    this.retryAfter = problem.retryAfter;
  }
}

let csrfToken = "";
let onSignedOut = (_isWrite: boolean) => {};

/** Sets the token that each write sends. The session calls it. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** Sets the callback for responses without a session. Its argument tells whether the request was a write. */
export function whenSignedOut(react: (isWrite: boolean) => void): void {
  onSignedOut = react;
}

let isLeaving = false;
addEventListener("pagehide", () => {
  isLeaving = true;
});
addEventListener("pageshow", () => {
  isLeaving = false;
});

async function send(request: Request): Promise<Response> {
  if (request.method !== "GET") request.headers.set("x-csrf-token", csrfToken);
  // Otherwise the end of the page would cancel the request.
  const response = await fetch(request, { keepalive: isLeaving }).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    if (request.method === "GET") tellAnswered(false);
    throw new ApiProblem(0, {
      title: "The server does not answer",
      detail:
        "No response was received. The figures on the page may be out of date. Check the connection and try again.",
    });
  });
  // A proxy returns these statuses for a server that is down.
  if (request.method === "GET") tellAnswered(response.status < 502 || response.status > 504);
  if (response.status === 401 && !request.url.includes("/session/")) onSignedOut(request.method !== "GET");
  return response;
}

const client = createClient<Below<paths>>({ baseUrl: prefix, fetch: send, credentials: "same-origin" });

type Call<Method extends "get" | "put" | "post" | "delete" | "patch"> = <
  Path extends ClientPathsWithMethod<typeof client, Method>,
  Init extends MaybeOptionalInit<Below<paths>[Path], Method>,
>(
  path: Path,
  ...init: undefined extends Init ? [init?: Init] : [init: Init]
) => Promise<MethodResponse<typeof client, Method, Path, Init>>;

/**
 * Every operation of the console, typed by its document: `api.GET("/order/list", { params: { query } })` is the data of
 * the answer. Paths are those below /v1/operatorService. It throws an `ApiProblem` if the service rejected the request
 * or did not respond.
 */
export const api = {
  GET: answeredBy("GET") as Call<"get">,
  PUT: answeredBy("PUT") as Call<"put">,
  POST: answeredBy("POST") as Call<"post">,
  PATCH: answeredBy("PATCH") as Call<"patch">,
  DELETE: answeredBy("DELETE") as Call<"delete">,
};

interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

function answeredBy(method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE") {
  const call = client[method] as unknown as (path: string, init?: object) => Promise<Answer>;
  return async (path: string, init?: object): Promise<unknown> => {
    const { data, error, response } = await call(path, init);
    if (response.ok) return data;
    throw problemOf(response, error);
  };
}

function problemOf({ status, statusText, headers }: Response, error: unknown): ApiProblem {
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  const foreign = {
    title: statusText || `Status ${status}`,
    correlationToken: headers.get("x-correlation-token") ?? "",
  };
  const problem = typeof error === "object" && error !== null ? error : {};
  return new ApiProblem(status, {
    ...foreign,
    ...problem,
    ...(Number.isNaN(retryAfter) ? {} : { retryAfter }),
  });
}

/**
 * Sends any request to the service, for what the document does not cover: files, and operations of parts still to come.
 * @param path below /v1/operatorService, with its query
 * @throws {ApiProblem} if the service rejected the request or did not respond
 */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(new Request(prefix + path, { credentials: "same-origin", ...init }));
  if (response.ok) return response;
  throw problemOf(response, await response.json().catch(() => undefined));
}
