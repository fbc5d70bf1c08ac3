export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** When the service answers it. */
  readonly meaning: string;
  /** The remedy for the sender. */
  readonly cure: string;
}

/**
 * Every problem that the REST services answer (RFC 9457): the one table that the answers, their pages at
 * `/problems/{code}`, the documentation and the tests read.
 */
export const problemKinds = {
  "malformed-request": {
    status: 400,
    title: "The request cannot be read",
    meaning: "The request is not well-formed HTTP, its path is not decodable, or its body is not well-formed JSON.",
    cure: "Read the detail and correct the request; the same request fails again.",
  },
  "invalid-request": {
    status: 400,
    title: "The request does not have the required shape",
    meaning:
      "Fields or parameters are missing, unknown or out of range, a cursor does not belong to this list, or clientId is missing where the token is for several clients. `errors` lists all faults at once.",
    cure: "Correct every field that `errors` names. `#/…` points into the body, `/query/…`, `/path/…` and `/header/…` to parameters.",
  },
  "token-missing": {
    status: 401,
    title: "A bearer token is required",
    meaning: "The header `Authorization: Bearer <ACCESS_TOKEN>` is missing, is present twice, or has another scheme.",
    cure: "Request a token from `/v1/oauth/token` with your client_id and client_secret, and send it with every request.",
  },
  "token-invalid": {
    status: 401,
    title: "The bearer token is not valid",
    meaning:
      "The token is malformed, its signature does not match a key of this service, or it is for another audience.",
    cure: "Send the access_token exactly as the token endpoint answered it, or request a new one.",
  },
  "token-expired": {
    status: 401,
    title: "The bearer token has expired",
    meaning: "The token was valid; its `expires_in` seconds have passed.",
    cure: "Request a new token shortly before the old one expires, and repeat the request.",
  },
  "token-other-environment": {
    status: 401,
    title: "The bearer token is of another environment",
    meaning: "Sandbox, staging and production have separate credentials and tokens.",
    cure: "Check the addresses and credentials that your system is configured with.",
  },
  "token-revoked": {
    status: 401,
    title: "The credential of the bearer token is revoked",
    meaning: "The credential for which the token was issued has been revoked, and its tokens with it.",
    cure: "Use the credential that replaced it, or ask the operator for a new one.",
  },
  "feed-key-invalid": {
    status: 401,
    title: "The X-API-KEY is not valid",
    meaning: "The header X-API-KEY is missing, unknown, revoked, or of another environment.",
    cure: "Send the key that was issued for this environment.",
  },
  "signature-invalid": {
    status: 401,
    title: "The signature of the webhook is not valid",
    meaning:
      "A tracking webhook has no signature, one of another secret or body, or one whose time is more than five minutes away.",
    cure: "Compare the secret of the source with that of the sender, and the clocks of both.",
  },
  "session-missing": {
    status: 401,
    title: "A session is required",
    meaning:
      "Operations of the console take the cookie of a session. The request has none, or one of a sign-in without its second step.",
    cure: "Sign in. If the sign-in has started, prove the second factor, or enrol one.",
  },
  "session-ended": {
    status: 401,
    title: "The session has ended",
    meaning:
      "A session ends 12 hours after the sign-in, after 2 hours without use, at the sign-out, and when the user is suspended or gets another password, role or limits.",
    cure: "Sign in again.",
  },
  "sign-in-refused": {
    status: 401,
    title: "User name and password do not belong together",
    meaning: "The user does not exist, the password is wrong, or the user is suspended; the answer does not say which.",
    cure: "Check both. An administrator can set a new password.",
  },
  "step-missing": {
    status: 401,
    title: "The second step of the sign-in is missing",
    meaning: "User name and password are right, and a second factor is needed.",
    cure: "`session/step` says whether to prove or to enrol a factor, and which factors are possible.",
  },
  "client-forbidden": {
    status: 403,
    title: "The token is not for this client",
    meaning: "The request names a clientId that the token is not for.",
    cure: "Send the clientId for which the credential was issued, or use the credential of that client.",
  },
  "scope-forbidden": {
    status: 403,
    title: "The user has no access to it",
    meaning:
      "The request names a client that does not exist or a client or facility outside the limits of the user; or the user is limited to facilities, and the operation concerns all of them.",
    cure: "Name a client and a distributionCentre within the limits of the user, or ask an administrator for access.",
  },
  "role-forbidden": {
    status: 403,
    title: "The user's role does not allow it",
    meaning:
      "A viewer reads, an operator does the daily work, an admin does everything. A developer of a brand has the operations for one client's integration.",
    cure: "Ask a user with the role to do it, or an administrator for the role.",
  },
  "proof-required": {
    status: 403,
    title: "The identity must be proved again",
    meaning: "Changes of second factors require a proof of identity that is at most 10 minutes old.",
    cure: "Send the password to `session/prove`, or the second factor where there is one, and repeat the request.",
  },
  "csrf-refused": {
    status: 403,
    title: "The request does not come from the console",
    meaning:
      "A request that changes something carries the csrfToken of its session in `X-CSRF-Token`, and comes from a page of this address.",
    cure: "Send the csrfToken that `session/get` answers.",
  },
  "https-required": {
    status: 403,
    title: "Sign in over https",
    meaning: "In production, a password is not accepted over plain http.",
    cure: "Use the https address. Behind a proxy that terminates TLS, the operator names it in CROSSDOCK_TRUSTED_PROXIES.",
  },
  "client-suspended": {
    status: 403,
    title: "The client is suspended",
    meaning:
      "The operator has suspended the client: its feeds and REST calls are refused, and accepted work continues.",
    cure: "Contact the operator.",
  },
  "token-kind-forbidden": {
    status: 403,
    title: "The token is for another kind of service",
    meaning:
      "A warehouse's token was used on a client's service, a client's token on the warehouse port, or a carrier's token on anything but its events.",
    cure: "Use a credential of the right kind.",
  },
  "no-such-path": {
    status: 404,
    title: "There is nothing at this path",
    meaning: "No operation has this path.",
    cure: "Compare the path with the API reference at `/docs`; paths are case-sensitive.",
  },
  "not-found": {
    status: 404,
    title: "The object does not exist",
    meaning: "The client has no object with this identifier. An object of another client is answered in the same way.",
    cure: "Check identifier and clientId; identifiers are case-sensitive.",
  },
  "method-not-allowed": {
    status: 405,
    title: "The path does not take this method",
    meaning: "The path exists, with other methods.",
    cure: "Use one of the methods that the header `Allow` names.",
  },
  "not-acceptable": {
    status: 406,
    title: "The object does not exist in this form",
    meaning: "The document does not exist in the form that `format` or the header `Accept` requests.",
    cure: "Request one of the forms that the detail names, or leave out `format` and `Accept`.",
  },
  "request-timeout": {
    status: 408,
    title: "The request came too slowly",
    meaning: "Header lines must arrive within 10 seconds, the whole request within 30.",
    cure: "Send the request again.",
  },
  conflict: {
    status: 409,
    title: "The state of the object does not allow it",
    meaning:
      "The object already exists, is in a state that does not allow the operation, or the `Idempotency-Key` was used for another request.",
    cure: "Read the detail, read the object to see its state, and decide again; the same request fails again.",
  },
  "precondition-failed": {
    status: 412,
    title: "The object is not the version that If-Match names",
    meaning: "The header `If-Match` names another version than the object has: another request has changed it.",
    cure: "Read the object, look at the change, and send the update again with the present ETag.",
  },
  "body-too-large": {
    status: 413,
    title: "The body is too large",
    meaning: "A JSON body may have 1 MiB.",
    cure: "Split the request.",
  },
  "media-type": {
    status: 415,
    title: "The content type is not accepted here",
    meaning:
      "REST services take bodies of content type `application/json`; a PATCH takes `application/merge-patch+json` as well.",
    cure: "Send JSON, and state it in `Content-Type`.",
  },
  "expectation-failed": {
    status: 417,
    title: "The expectation cannot be met",
    meaning: "The header `Expect` requests something other than `100-continue`.",
    cure: "Leave out the header.",
  },
  unprocessable: {
    status: 422,
    title: "The request has a value that cannot be used here",
    meaning:
      "The request is well-formed, but it names a facility, country, topic, unit, stock pool or SKU that is unknown, omits a batch, an expiry date or serial numbers that the item captures, or has a quantity that its unit does not allow.",
    cure: "Correct the fields that `errors` names. A CAT feed makes SKUs known.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests",
    meaning:
      "The credential has used up its rate, which `RateLimit-Policy` and `RateLimit` state; or the request bodies of the sender that are in progress use all the memory that they may; or the sender has used up its share of work that others wait for, such as printing.",
    cure: "Wait for the seconds that `Retry-After` names, and send the request again.",
  },
  "headers-too-large": {
    status: 431,
    title: "The header lines are too large",
    meaning: "All header lines together may have 16 KiB.",
    cure: "Send fewer or shorter header lines.",
  },
  "internal-error": {
    status: 500,
    title: "An internal error occurred",
    meaning: "The service failed unexpectedly.",
    cure: "Send the request again. If it fails again, report the correlationToken to the operator.",
  },
  "too-broad": {
    status: 503,
    title: "The query takes too long",
    meaning: "A query over several clients may take 5 seconds, and this one took longer.",
    cure: "Narrow the query: one client, one facility, a shorter time.",
  },
  unavailable: {
    status: 503,
    title: "The service is not available at the moment",
    meaning:
      "The database cannot be reached or does not answer in time, or too many large bodies are in progress. A read changed nothing; a write changed nothing, or its outcome is unknown.",
    cure: "Wait for the seconds that `Retry-After` names, and send the request again.",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problemKinds;

export const problemCodes = Object.keys(problemKinds) as readonly ProblemCode[];

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemKinds, text);
}
