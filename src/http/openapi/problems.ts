// The problems that an operation answers, each with an example of every code that it can have there.
import type { Audience } from "#/http/access/caller.ts";
import { headersOf } from "#/http/openapi/headers.ts";
import type { JsonObject } from "#/http/openapi/schemas.ts";
import { invalidRequest, problem, problemBody, problemMediaType, type RequestFault } from "#/http/problems/problem.ts";
import { type ProblemCode, problemCodes, problemKinds } from "#/http/problems/problem-codes.ts";

/** What the examples need to know of an operation. */
export interface OperationFacts {
  /** Of an example request. */
  readonly instance: string;
  readonly audience: Audience;
  /** Nobody need have signed in. */
  readonly isOpen: boolean;
  /** Whether the user must have proved lately who it is. */
  readonly takesProof: boolean;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  /** Fields of the body; undefined where there is none. */
  readonly bodyFields: readonly string[] | undefined;
  readonly isCreate: boolean;
  readonly takesIdempotencyKey: boolean;
}

/** Answered before a request reaches an operation, or by feeds only. */
const elsewhere: readonly ProblemCode[] = ["feed-key-invalid", "no-such-path"];
/** What services with tokens answer. Only clients' services know clients of a token. */
const ofTokens: readonly ProblemCode[] = [
  ...(["token-missing", "token-invalid", "token-expired", "token-other-environment", "token-revoked"] as const),
  "token-kind-forbidden",
];
const ofClients: readonly ProblemCode[] = ["client-forbidden", "client-suspended"];
/** What the console answers: to everybody, to those who have signed in, and to those who are about to. */
const ofConsole: readonly ProblemCode[] = ["csrf-refused", "too-broad"];
const ofSessions: readonly ProblemCode[] = [
  ...(["session-missing", "session-ended", "scope-forbidden", "role-forbidden"] as const),
];
const ofSignIn: readonly ProblemCode[] = ["sign-in-refused", "step-missing", "https-required"];

function isOfAudience(code: ProblemCode, { audience, isOpen, isCreate, takesProof }: OperationFacts): boolean {
  // What is open and creates no session has nobody to refuse.
  if (audience === "operator" && isOpen && !isCreate && [401, 403].includes(problemKinds[code].status)) return false;
  if (code === "proof-required") return takesProof;
  const ofOperators = [...ofConsole, ...(isOpen ? ofSignIn : ofSessions)];
  if (audience === "operator")
    return ofOperators.includes(code) || ![...ofTokens, ...ofClients, ...ofSessions, ...ofSignIn].includes(code);
  if ([...ofConsole, ...ofSessions, ...ofSignIn].includes(code)) return false;
  return audience === "client" || !ofClients.includes(code);
}

const exampleToken = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

interface Instance {
  readonly detail: string;
  readonly errors?: readonly RequestFault[];
}

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
  "role-forbidden": "This takes the role admin; the user is operator.",
  "proof-required": "The user proved more than 10 minutes ago who it is.",
  "csrf-refused": "The header X-CSRF-Token does not carry the csrfToken of the session.",
  "https-required": "In production signing in takes https.",
  "too-broad": "The answer takes longer than 5 s: ask for one client, one facility or a shorter time.",
  "not-acceptable": "The document is kept as application/pdf (format=pdf).",
  "precondition-failed": 'If-Match names "1", but the object is at version "2" by now.',
  "body-too-large": "The body is larger than this path takes.",
  "media-type": "The body's content type is not application/json.",
  "rate-limited": "The credential may send 100 requests a second, 200 at once.",
  "internal-error": "Something went wrong here; it has been logged under the correlationToken.",
  unavailable: "The store cannot be reached at the moment.",
};

const detailsOfConsole: Readonly<Record<string, string>> = {
  "rate-limited": "The user may send 100 requests a second, 200 at once.",
};

const reusedKey = "The Idempotency-Key was used for another request before; give this one a key of its own.";

/** Names that must be known where they are sent, and what is said of one that is not. */
const known: readonly string[] = ["facilityCode", "distributionCentre", "sku", "skus", "products", "topics", "country"];

function unknownName({ bodyFields, queryParameters }: OperationFacts): RequestFault {
  const fields = bodyFields ?? queryParameters;
  const named = known.find((name) => fields.includes(name)) ?? fields.find((name) => name !== "clientId") ?? "clientId";
  return { pointer: bodyFields ? `#/${named}` : `/query/${named}`, message: "is not known here" };
}

function shapeFaults({ bodyFields, queryParameters }: OperationFacts): readonly RequestFault[] {
  const first = bodyFields?.find((name) => name !== "clientId");
  return [
    ...(first === undefined ? [] : [{ pointer: `#/${first}`, message: "is required" }]),
    ...(queryParameters.includes("limit") ? [{ pointer: "/query/limit", message: "must be <= 500" }] : []),
    { pointer: "/query/colour", message: "is not known here" },
  ];
}

function instanceOf(code: ProblemCode, facts: OperationFacts): Instance {
  const { pathParameters, audience, isCreate } = facts;
  const fromTable = audience === "operator" ? (detailsOfConsole[code] ?? details[code]) : details[code];
  if (fromTable !== undefined) return { detail: fromTable };
  switch (code) {
    case "invalid-request": {
      const errors = shapeFaults(facts);
      return { detail: invalidRequest(errors).detail, errors };
    }
    case "token-kind-forbidden": {
      const other = audience === "client" ? "warehouse" : "client";
      return { detail: `The token is a ${other}'s; this is a ${audience}'s service.` };
    }
    case "not-found":
      return { detail: `There is no object of this ${pathParameters.join(" and ") || "identifier"}.` };
    case "conflict":
      return { detail: isCreate ? "The object exists already." : "The state of the object does not allow it." };
    case "unprocessable": {
      const fault = unknownName(facts);
      return { detail: `${fault.pointer} ${fault.message}`, errors: [fault] };
    }
    default:
      return { detail: problemKinds[code].meaning };
  }
}

/** The answer of a status, with an example for each of its codes; undefined where the operation has none of them. */
export function problemAnswer(status: number, facts: OperationFacts): JsonObject | undefined {
  const isOwn = (code: ProblemCode) =>
    problemKinds[code].status === status &&
    !elsewhere.includes(code) &&
    isOfAudience(code, facts) &&
    (facts.bodyFields !== undefined || code !== "malformed-request");
  const codes = problemCodes.filter(isOwn);
  if (codes.length === 0) return undefined;
  const examples: JsonObject = Object.fromEntries(
    codes.map((code) => [code, example(code, instanceOf(code, facts), facts.instance)]),
  );
  if (status === 409 && facts.takesIdempotencyKey) {
    examples["idempotency-key-reused"] = example("conflict", { detail: reusedKey }, facts.instance);
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join(" "),
    headers: headersOf(status),
    content: { [problemMediaType]: { schema: { $ref: "#/components/schemas/Problem" }, examples } },
  };
}

function example(code: ProblemCode, { detail, errors = [] }: Instance, instance: string): JsonObject {
  const value: unknown = JSON.parse(problemBody(problem(code, detail, { errors }), instance, exampleToken));
  return { summary: problemKinds[code].title, value };
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
    detail: text("What is wrong with this very request.", "/query/limit must be <= 500"),
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
          message: text("What is wrong there.", "must be <= 500"),
        },
      },
    },
  },
};
