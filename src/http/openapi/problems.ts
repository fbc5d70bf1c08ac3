// The problems that operations answer: shared answers, and one example for each code; then the headers of all answers.
import { STATUS_CODES } from "node:http";
import type { Audience } from "#/http/access/caller.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { invalidRequest, problem, problemBody, problemMediaType, sessionChallenge } from "#/http/problems/problem.ts";
import { type ProblemCode, problemCodes, problemKinds } from "#/http/problems/problem-codes.ts";
import type { RequestFault } from "#/kernel/refusal.ts";

/** The facts that decide which problems an operation answers. */
export interface OperationFacts {
  readonly audience: Audience;
  /** The operation needs no sign-in. */
  readonly isOpen: boolean;
  /** It proves no user. */
  readonly isAnonymous: boolean;
  /** The user must have proved a factor recently. */
  readonly takesProof: boolean;
  readonly takesBody: boolean;
  readonly takesIdempotencyKey: boolean;
}

/** Problems that occur before a request reaches an operation, or that only feeds answer. */
const elsewhere: readonly ProblemCode[] = ["feed-key-invalid", "no-such-path"];
/** Problems of services with tokens. Only clients' services know the client of a token. */
const ofTokens: readonly ProblemCode[] = [
  "token-missing",
  "token-invalid",
  "token-expired",
  "token-other-environment",
  "token-revoked",
  "token-kind-forbidden",
];
const ofClients: readonly ProblemCode[] = ["client-forbidden", "client-suspended"];
/** Problems of the console: for every user, for signed-in users, and for users who are signing in. */
const ofConsole: readonly ProblemCode[] = ["csrf-refused", "too-broad"];
const ofSessions: readonly ProblemCode[] = ["session-missing", "session-ended", "scope-forbidden", "role-forbidden"];
const ofSignIn: readonly ProblemCode[] = ["sign-in-refused", "step-missing", "https-required"];

function isOfAudience(
  code: ProblemCode,
  { audience, isOpen, isAnonymous, takesBody, takesProof }: OperationFacts,
): boolean {
  if (isAnonymous && problemKinds[code].status === 401) return false;
  // An open operation without a body only reads, and never answers 401 or 403.
  if (audience === "operator" && isOpen && !takesBody && [401, 403].includes(problemKinds[code].status)) return false;
  if (code === "proof-required") return takesProof;
  const ofOperators = [...ofConsole, ...(isOpen ? ofSignIn : ofSessions)];
  if (audience === "operator")
    return ofOperators.includes(code) || ![...ofTokens, ...ofClients, ...ofSessions, ...ofSignIn].includes(code);
  if ([...ofConsole, ...ofSessions, ...ofSignIn].includes(code)) return false;
  return audience === "client" || !ofClients.includes(code);
}

const exampleToken = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

const details: Readonly<Record<string, string>> = {
  "malformed-request": "The body cannot be read: it is cut short, or not well-formed JSON.",
  "token-missing": "The header Authorization is missing.",
  "token-invalid": "The access token was not issued by this service, or has been changed.",
  "token-expired": "The access token has expired.",
  "token-other-environment": "The access token is of environment sandbox; this is production.",
  "token-revoked": "The credential that the access token was issued for is revoked.",
  "client-forbidden": "The token is not for the client that the request names.",
  "client-suspended": "Client DEMO is suspended.",
  "session-missing": "The request has no session of the console.",
  "session-ended": "The session has ended; sign in again.",
  "sign-in-refused": "User name and password do not belong together, or the user is suspended.",
  "step-missing": "The sign-in is not complete: prove the second factor.",
  "scope-forbidden": "There is no such client, or it is not open to the user.",
  "role-forbidden": "This requires the role admin; the user is operator.",
  "proof-required": "The last proof of identity is more than 10 minutes old.",
  "csrf-refused": "The header X-CSRF-Token does not carry the csrfToken of the session.",
  "https-required": "In production, sign-in requires https.",
  "too-broad": "The answer takes longer than 5 s: ask for one client, one facility or a shorter time.",
  "not-acceptable": "The document is kept as application/pdf (format=pdf).",
  "precondition-failed": 'If-Match names "1", but the object is at version "2".',
  "body-too-large": "The body is larger than this path takes.",
  "media-type": "The body's content type is not application/json.",
  "rate-limited": "The credential may send 100 requests a second, 200 at once.",
  "internal-error": "An internal error occurred. It is logged under the correlationToken.",
  unavailable: "The database cannot be reached at the moment.",
};

const detailsOfConsole: Readonly<Record<string, string>> = {
  "rate-limited": "The user may send 100 requests a second, 200 at once.",
};

const reusedKey = "The Idempotency-Key was used for another request; use a new key.";

const faults: Readonly<Partial<Record<ProblemCode, readonly RequestFault[]>>> = {
  "invalid-request": [
    { pointer: "/query/limit", message: "must be <= 500" },
    { pointer: "/query/colour", message: "is not known here" },
  ],
  unprocessable: [{ pointer: "#/facilityCode", message: "is not known here" }],
};

function detailOf(code: ProblemCode, audience: Audience): string {
  const fromTable = audience === "operator" ? (detailsOfConsole[code] ?? details[code]) : details[code];
  if (fromTable !== undefined) return fromTable;
  switch (code) {
    case "invalid-request":
      return invalidRequest(faults[code] ?? []).detail;
    case "unprocessable":
      return "#/facilityCode is not known here";
    case "token-kind-forbidden":
      return `The token is a ${audience === "client" ? "warehouse" : "client"}'s; this is a ${audience}'s service.`;
    case "not-found":
      return "There is no object of this identifier.";
    case "conflict":
      return "The state of the object does not allow it.";
    default:
      return problemKinds[code].meaning;
  }
}

/** An answer that operations share, and its name in `components.responses`. */
interface SharedAnswer {
  readonly name: string;
  readonly answer: JsonObject;
}

/**
 * The answer of a status with the codes that the operation has for it; undefined where it has none. Answers with the
 * same codes have the same name in every document of an audience: `BadRequest`, and `BadRequestBody` where the
 * operation takes a body.
 */
export function problemAnswer(status: number, facts: OperationFacts): SharedAnswer | undefined {
  const isOwn = (code: ProblemCode) =>
    problemKinds[code].status === status &&
    !elsewhere.includes(code) &&
    isOfAudience(code, facts) &&
    (facts.takesBody || code !== "malformed-request");
  const codes = problemCodes.filter(isOwn);
  if (codes.length === 0) return undefined;
  const takesKey = status === 409 && facts.takesIdempotencyKey;
  const examples = [...codes, ...(takesKey ? [keyReused] : [])];
  const variant = [
    status === 400 && facts.takesBody ? "Body" : "",
    facts.audience === "operator" && facts.isOpen && [401, 403].includes(status) ? "SignIn" : "",
    status === 403 && facts.takesProof ? "Proof" : "",
    takesKey ? "IdempotencyKey" : "",
  ].join("");
  return {
    name: `${(STATUS_CODES[status] ?? "").replaceAll(/\W/g, "")}${variant}`,
    answer: {
      description: codes.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join(" "),
      headers: headersOf(status),
      content: {
        [problemMediaType]: {
          schema: { $ref: "#/components/schemas/Problem" },
          examples: Object.fromEntries(examples.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
        },
      },
    },
  };
}

const keyReused = "idempotency-key-reused";

/**
 * One example for each of these names.
 *
 * @param instance path of a request to the service.
 */
export function problemExamples(names: ReadonlySet<string>, audience: Audience, instance: string): JsonObject {
  const example = (code: ProblemCode, detail: string) => {
    const body = problemBody(problem(code, detail, { errors: faults[code] ?? [] }), instance, exampleToken);
    return { summary: problemKinds[code].title, value: JSON.parse(body) as unknown };
  };
  return Object.fromEntries([
    ...problemCodes.filter((code) => names.has(code)).map((code) => [code, example(code, detailOf(code, audience))]),
    ...(names.has(keyReused) ? [[keyReused, example("conflict", reusedKey)]] : []),
  ]);
}

const text = (description: string, example: string, more: object = {}) => ({
  type: "string",
  description,
  example,
  ...more,
});

/** RFC 9457, contract rest.md §2. */
export const problemSchema: JsonObject = {
  type: "object",
  description: "Problem details (RFC 9457).",
  additionalProperties: false,
  required: ["type", "title", "status", "detail", "instance", "correlationToken", "errors"],
  properties: {
    type: text("Path of the page that explains the problem.", "/problems/invalid-request"),
    title: text("The kind of problem, in words.", problemKinds["invalid-request"].title),
    status: { type: "integer", description: "Status of the answer.", example: 400 },
    detail: text("What is wrong with this request.", "/query/limit must be <= 500"),
    instance: text("Path of the request.", "/v1/orderService/order/list"),
    correlationToken: text("Names the request in the operator's log.", exampleToken, { format: "uuid" }),
    errors: {
      type: "array",
      description: "Every fault of the request.",
      items: {
        type: "object",
        description: "One fault of the request.",
        additionalProperties: false,
        required: ["pointer", "message"],
        properties: {
          pointer: text(
            "`#/…` points into the body; `/query/…`, `/path/…` and `/header/…` to parameters.",
            "/query/limit",
          ),
          message: text("What is wrong at this place.", "must be <= 500"),
          code: text("Of a document in JSON: the code of the feed.", "UNKNOWN_SKU"),
          remedy: text("What to do about it.", "Send a CAT feed for the missingSkus, then resend the document."),
        },
      },
    },
    missingSkus: {
      type: "array",
      description: "SKUs of a refused document that no catalogue has brought.",
      items: { type: "string", description: "A SKU.", example: "MUG-BLUE-330" },
    },
  },
};

// The response headers that clients may rely on.

const header = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

const headers = {
  "X-Correlation-Token": header(
    "Names the request in the operator's log, and the problem in its body.",
    "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
  ),
  "RateLimit-Policy": header(
    "The rate of the credential: `q` requests in `w` seconds, and the burst after a pause.",
    '"default";q=100;w=1, "burst";q=200;w=2',
  ),
  RateLimit: header(
    "`r` requests are left, at first more than `q`: a burst of twice the rate is allowed. All of them are available again in `t` seconds.",
    '"default";r=199;t=1',
  ),
  "Retry-After": header("Seconds to wait before the request is sent again.", "2"),
  "WWW-Authenticate": header(
    "What is wrong with the token (RFC 6750).",
    'Bearer realm="crossdock", error="invalid_token", error_description="The access token has expired."',
  ),
  ETag: header("The version of the record, for `If-Match`.", '"1"'),
  "Idempotent-Replayed": header("The request was done earlier, under the same `Idempotency-Key`.", "true"),
  Location: header("Path of the created object.", "/v1/workOrderService/workOrder/get/WO-100"),
} as const;

export type HeaderName = keyof typeof headers;

/** A header that only some answers have is inlined: generators take a reference for a header that is always there. */
const reference = (name: HeaderName) =>
  name === "Idempotent-Replayed" ? headers[name] : { $ref: `#/components/headers/${name}` };

/**
 * The headers of an answer.
 *
 * @param more headers that not every answer of the status has.
 */
export function headersOf(status: number, more: readonly HeaderName[] = []): JsonObject {
  // The rate is counted per credential, so the headers require a known token and an available store.
  const isCounted = status !== 401 && status !== 500 && status !== 503;
  const names: readonly HeaderName[] = [
    "X-Correlation-Token",
    ...(isCounted ? (["RateLimit-Policy", "RateLimit"] as const) : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
    ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
    ...(status === 201 ? (["Location"] as const) : []),
    ...more,
  ];
  return Object.fromEntries(names.map((name) => [name, reference(name)]));
}

const headersOfConsole = {
  ...headers,
  "RateLimit-Policy": header(
    "The rate of the user: `q` requests in `w` seconds, and the burst after a pause.",
    '"default";q=100;w=1, "burst";q=200;w=2',
  ),
  "WWW-Authenticate": header("A session is required. Browsers do not react to it.", sessionChallenge),
};

/** The header components that the answers of a document mention. */
export function headerComponents(used: ReadonlySet<string>, audience: Audience): JsonObject {
  const known = audience === "operator" ? headersOfConsole : headers;
  return Object.fromEntries(Object.entries(known).filter(([name]) => used.has(name)));
}
