/** The problem details of a refused request (RFC 9457, contract rest.md §2). */
export interface Problem {
  /** Path of the page that explains the problem: `/problems/{code}`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Identifies the request in the operator's log. */
  readonly correlationToken: string;
  /** Every fault of the request, by JSON pointer; those of a refused document with their code and its remedy. */
  readonly errors: readonly {
    readonly pointer: string;
    readonly message: string;
    readonly code?: string;
    readonly remedy?: string;
  }[];
}

/**
 * A refusal as an error, for callers who prefer exceptions to return values: thrown by `unwrap`, `pages` and `items`.
 */
export class ProblemError extends Error implements Problem {
  override readonly name = "ProblemError";
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly correlationToken: string;
  readonly errors: Problem["errors"];

  constructor(problem: Problem) {
    super(`${problem.status} ${problem.title}: ${problem.detail} (correlation token ${problem.correlationToken})`);
    this.type = problem.type;
    this.title = problem.title;
    this.status = problem.status;
    this.detail = problem.detail;
    this.correlationToken = problem.correlationToken;
    this.errors = problem.errors;
  }

  /** The last part of `type`: `conflict` in `/problems/conflict`. */
  get code(): string {
    return this.type.slice(this.type.lastIndexOf("/") + 1);
  }
}

/** The result of the methods of a service. */
export type Answer =
  | { readonly data: unknown; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: unknown; readonly response: Response };

/** The record or page of an answer. */
export type DataOf<It extends Answer> = Exclude<It, { readonly data?: never }>["data"];

/**
 * The data of an answer, or of a promised answer.
 * @throws {ProblemError} when the service refuses the request.
 */
export async function unwrap<It extends Answer>(answer: It | Promise<It>): Promise<DataOf<It>> {
  const { data, error, response } = await answer;
  if (response.ok) return data as DataOf<It>;
  throw new ProblemError(isProblem(error) ? error : foreignProblem(error, response));
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "type" in value && "detail" in value && "errors" in value;
}

const quotedMax = 500;

/** An intermediary, such as a proxy, refuses without the problem details of the services. */
function foreignProblem(error: unknown, { status, statusText, headers }: Response): Problem {
  return {
    type: "about:blank",
    title: statusText,
    status,
    detail: (typeof error === "string" ? error : (JSON.stringify(error) ?? "")).slice(0, quotedMax),
    correlationToken: headers.get("x-correlation-token") ?? "",
    errors: [],
  };
}
