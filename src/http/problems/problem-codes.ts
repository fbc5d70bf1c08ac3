export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** When the service answers it. */
  readonly meaning: string;
  /** What the sender does to resolve it. */
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
    cure: "Read the detail and mend the request; sent again unchanged it will fail again.",
  },
  "invalid-request": {
    status: 400,
    title: "The request does not have the required shape",
    meaning:
      "Fields or parameters are missing, unknown or out of range, a cursor is not one that was handed out for this list, or clientId is missing where the token is for several clients. `errors` names all faults at once.",
    cure: "Mend every field that `errors` names. `#/…` points into the body, `/query/…`, `/path/…` and `/header/…` to parameters.",
  },
  "token-missing": {
    status: 401,
    title: "A bearer token is required",
    meaning: "The header `Authorization: Bearer <ACCESS_TOKEN>` is missing, stands twice, or has another scheme.",
    cure: "Fetch a token from `/v1/oauth/token` with your client_id and client_secret, and send it with every request.",
  },
  "token-invalid": {
    status: 401,
    title: "The bearer token is not valid",
    meaning:
      "The token is malformed, its signature does not fit a key of this service, or it is meant for another audience.",
    cure: "Send the access_token exactly as the token endpoint answered it; fetch a new one when in doubt.",
  },
  "token-expired": {
    status: 401,
    title: "The bearer token has expired",
    meaning: "The token was valid once; `expires_in` seconds have passed since.",
    cure: "Fetch a new token shortly before the old one expires, and repeat the request.",
  },
  "token-other-environment": {
    status: 401,
    title: "The bearer token is of another environment",
    meaning: "Sandbox, staging and production have credentials and tokens of their own.",
    cure: "Check the addresses and credentials that your system is configured with.",
  },
  "token-revoked": {
    status: 401,
    title: "The credential of the bearer token is revoked",
    meaning: "The credential that the token was issued for has been revoked; its tokens end with it.",
    cure: "Use the credential that took its place, or ask for a new one.",
  },
  "feed-key-invalid": {
    status: 401,
    title: "The X-API-KEY is not valid",
    meaning: "The header X-API-KEY is missing, unknown, revoked, or of another environment.",
    cure: "Send the key that was issued for this environment.",
  },
  "session-missing": {
    status: 401,
    title: "Somebody must have signed in",
    meaning:
      "Operations of the console take the cookie of a session, and the request has none, or one of a sign-in whose second step is missing.",
    cure: "Sign in; where the sign-in has begun, prove the second factor, or enrol one.",
  },
  "session-ended": {
    status: 401,
    title: "The session has ended",
    meaning:
      "A session ends 12 hours after the sign-in, when it was not used for 2 hours, by signing out, and when the user is suspended or given another password, role or limits.",
    cure: "Sign in again.",
  },
  "sign-in-refused": {
    status: 401,
    title: "User name and password do not belong together",
    meaning: "There is no such user, the password is another one, or the user is suspended: it is not said which.",
    cure: "Check both; an administrator can give the user a new password.",
  },
  "step-missing": {
    status: 401,
    title: "The second step of the sign-in is missing",
    meaning: "User name and password are right, and a second factor is needed besides.",
    cure: "`session/step` says whether one is to be proved or to be enrolled, and by what.",
  },
  "client-forbidden": {
    status: 403,
    title: "The token is not for this client",
    meaning: "The request names a clientId that the token is not for.",
    cure: "Send the clientId that the credential was issued for, or use the credential of that client.",
  },
  "scope-forbidden": {
    status: 403,
    title: "It is not open to the user",
    meaning:
      "The request names a client that does not exist or that the user is not for, or a facility that the user is not for; or the user is limited to facilities, and the operation concerns all of them.",
    cure: "Name a client and a distributionCentre that are open to the user, or ask an administrator for them.",
  },
  "role-forbidden": {
    status: 403,
    title: "The user's role does not allow it",
    meaning: "A viewer looks, an operator does the daily work as well, an admin does everything.",
    cure: "Ask a user of that role to do it, or an administrator for the role.",
  },
  "proof-required": {
    status: 403,
    title: "The user must prove again who it is",
    meaning: "Changes of second factors take a proof of the user that is at most 10 minutes old.",
    cure: "Send the password to `session/prove`, or the second factor where there is one, and repeat the request.",
  },
  "csrf-refused": {
    status: 403,
    title: "The request does not come from the console",
    meaning:
      "What changes something carries the csrfToken of its session in `X-CSRF-Token`, and comes from pages of this very address.",
    cure: "Send the csrfToken that `session/get` answers.",
  },
  "https-required": {
    status: 403,
    title: "Sign in over https",
    meaning: "In production a password is not taken over plain http.",
    cure: "Use the https address; behind a proxy that ends TLS, the operator names it in CROSSDOCK_TRUSTED_PROXIES.",
  },
  "client-suspended": {
    status: 403,
    title: "The client is suspended",
    meaning: "The operator has suspended the client: feeds and REST are closed to it, work under way goes on.",
    cure: "Talk to the operator.",
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
    meaning: "The client has no object of this identifier. What belongs to another client is answered the same.",
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
    meaning: "The document is not kept in the form that `format` or the header `Accept` asks for.",
    cure: "Ask for one of the forms that the detail names, or leave `format` and `Accept` out.",
  },
  "request-timeout": {
    status: 408,
    title: "The request came too slowly",
    meaning: "Header lines must be there within 10 seconds, the whole request within 30.",
    cure: "Send the request again.",
  },
  conflict: {
    status: 409,
    title: "The state of the object does not allow it",
    meaning:
      "The object exists already, is in a state that forbids the operation, or the `Idempotency-Key` was used for another request.",
    cure: "Read the detail, fetch the object to see its state, and decide anew; sent again unchanged it will fail again.",
  },
  "precondition-failed": {
    status: 412,
    title: "The object is not the version that If-Match names",
    meaning: "The header `If-Match` names another version than the object has: somebody changed it in between.",
    cure: "Fetch the object, look at what changed, and send the update again with its present ETag.",
  },
  "body-too-large": {
    status: 413,
    title: "The body is too large",
    meaning: "A JSON body may have 1 MiB.",
    cure: "Split the request.",
  },
  "media-type": {
    status: 415,
    title: "The content type is not taken here",
    meaning:
      "REST services take bodies of content type `application/json`; a PATCH takes `application/merge-patch+json` as well.",
    cure: "Send JSON, and name it in `Content-Type`.",
  },
  "expectation-failed": {
    status: 417,
    title: "The expectation cannot be met",
    meaning: "The header `Expect` asks for something other than `100-continue`.",
    cure: "Leave the header out.",
  },
  unprocessable: {
    status: 422,
    title: "The request has a value that cannot be used here",
    meaning:
      "The request is well-formed, but it names a facility, country, topic, unit, stock pool or SKU that is not known, leaves out a batch, an expiry date or serial numbers that the item captures, or counts an item in a way that its unit does not allow.",
    cure: "Correct what `errors` names; SKUs are made known by the CAT feed.",
  },
  "rate-limited": {
    status: 429,
    title: "Too many requests",
    meaning:
      "The credential has used up its rate, of which `RateLimit-Policy` and `RateLimit` say how much there is; or the bodies that the sender has under way hold as much memory as they may.",
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
    title: "Something went wrong here",
    meaning: "The service failed in a way it should not.",
    cure: "Send the request again; when it fails again, tell the operator the correlationToken.",
  },
  "too-broad": {
    status: 503,
    title: "The question takes too long",
    meaning: "What is read over several clients may take 5 seconds, and this took longer.",
    cure: "Narrow the question: one client, one facility, a shorter time.",
  },
  unavailable: {
    status: 503,
    title: "The service is not available at the moment",
    meaning:
      "The store cannot be reached or does not answer in time, or too many large bodies are under way. A read did nothing; of a write nothing was kept, or its outcome is unknown.",
    cure: "Wait for the seconds that `Retry-After` names, and send the request again.",
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problemKinds;

export const problemCodes = Object.keys(problemKinds) as readonly ProblemCode[];

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemKinds, text);
}
