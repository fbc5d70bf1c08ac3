// Sessions and users of the console in schemas (contract operations.md §1, §5).
import Type, { type Static } from "typebox";
import { passwordLengthMax, passwordLengthMin } from "#/console-api/access/domain.ts";
import { factorNames } from "#/console-api/access/sign-in/open-session.ts";
import { operatorRoles } from "#/http/access/operator-role.ts";
import { defineCursor, pageOf, pageParameters } from "#/http/requests/paging.ts";
import { moment, nullable } from "#/http/routes/schema.ts";

const limitMax = 1_000;
const closed = { additionalProperties: false } as const;

const userName = (description: string) => Type.String({ minLength: 1, maxLength: 64, description, examples: ["anna"] });

const role = Type.Enum([...operatorRoles], {
  type: "string",
  title: "UserRole",
  description: "A viewer looks, an operator does the daily work as well, an admin does everything.",
  examples: ["operator"],
});

const codes = (description: string, what: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64, description: what, examples: [example] }), {
    maxItems: limitMax,
    description,
    examples: [[example]],
  });

const clientIds = (description: string) => codes(description, "Client identifier.", "DEMO");
const facilityCodes = (description: string) => codes(description, "Code of a facility.", "DC1");

const limits = {
  clientIds: nullable(clientIds("The clients that the user is limited to; null: all.")),
  facilityCodes: nullable(facilityCodes("The facilities that the user is limited to; null: all.")),
};

const address = (of: string, example: string) =>
  nullable(Type.String({ format: "uri", description: `Address of ${of}.`, examples: [example] }));

const identityProvider = nullable(
  Type.String({
    description: "Issuer of the identity provider that the user signs in by; null: by a password.",
    examples: ["https://login.crossdock.example/"],
  }),
);

/** The public addresses of the deployment. */
const addresses = Type.Object(
  {
    base: address("the REST services", "https://api.crossdock.example"),
    feed: address("the feeds", "https://feeds.crossdock.example"),
    auth: address("the tokens", "https://auth.crossdock.example"),
    sftpPort: nullable(
      Type.Integer({
        description: "Port of SFTP at the console's host, where this process serves both.",
        examples: [2222],
      }),
    ),
  },
  {
    ...closed,
    description: "Where clients reach this deployment, as it was configured; null: where the console was reached.",
  },
);
/** The addresses that an operator hands over together with a client's credentials. */
export type Addresses = Static<typeof addresses>;

export const session = Type.Object(
  {
    userName: userName("Who has signed in."),
    role,
    ...limits,
    identityProvider,
    csrfToken: Type.String({
      description: "Sent in `X-CSRF-Token` with everything that is no GET.",
      examples: ["Yk3qv0sP1u2tW8m4b7nX5c6z9d0f1g2h3j4k5l6a7s8"],
    }),
    environment: Type.String({ description: "Environment of this deployment.", examples: ["sandbox"] }),
    addresses,
    expiresAt: moment("When the session ends, however much it is used."),
  },
  { ...closed, title: "Session", description: "Who has signed in, and what the user may see and do." },
);

export const signInWays = Type.Object(
  {
    isPasswordOpen: Type.Boolean({
      description: "Whether user name and password are taken.",
      examples: [true],
    }),
    providerName: nullable(
      Type.String({
        description:
          "What the identity provider is called, by which users sign in at `/console/oidc/begin`; null: there is none.",
        examples: ["login.crossdock.example"],
      }),
    ),
  },
  { ...closed, title: "SignInWays", description: "How users sign in to the console." },
);

export const passkeyOrigin = nullable(
  Type.String({
    description: "Address that passkeys of this console work at; null: nowhere, for want of a public https address.",
    examples: ["https://wms.example.com"],
  }),
);

export const signInStep = Type.Object(
  {
    step: Type.Enum(["FACTOR", "ENROLMENT", "DONE"], {
      type: "string",
      title: "SignInStep",
      description:
        "FACTOR: the second factor is to be proved. ENROLMENT: the role takes one, and one is to be enrolled. DONE: nothing is missing.",
      examples: ["FACTOR"],
    }),
    ways: Type.Array(
      Type.Enum(["PASSWORD", ...factorNames], {
        type: "string",
        title: "ProofWay",
        description: "What the user is proved by.",
        examples: ["TOTP"],
      }),
      { maxItems: factorNames.length + 1, description: "What `session/prove` takes of this user." },
    ),
    passkeyOrigin,
    csrfToken: Type.String({
      description: "Sent in `X-CSRF-Token` with everything that is no GET.",
      examples: ["Yk3qv0sP1u2tW8m4b7nX5c6z9d0f1g2h3j4k5l6a7s8"],
    }),
    expiresAt: moment("Until then it is waited for: 5 minutes for FACTOR, 15 for ENROLMENT."),
  },
  { ...closed, title: "SignInProgress", description: "How far a sign-in has come." },
);

export const sessionDeleted = Type.Unsafe<null>({ type: "null", description: "The session has ended." });

export const password = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: passwordLengthMax,
    description,
    examples: ["kq7vt-m2x9c-hw4bz-r8dnf-y3gpe"],
  });

export const newSession = Type.Object(
  { userName: userName("Name of the user; small and capital letters are the same."), password: password("Password.") },
  { ...closed, title: "SignIn", description: "User name and password." },
);

export const passwordChange = Type.Object(
  {
    currentPassword: password("The password as it is."),
    newPassword: password(
      `The password as it shall be: at least ${passwordLengthMin} characters, five of them different; no common password, and without the names of user, product and clients.`,
    ),
  },
  { ...closed, title: "PasswordChange", description: "A new password for the user who has signed in." },
);

export const user = Type.Object(
  {
    userName: userName("Name of the user."),
    role,
    ...limits,
    isSuspended: Type.Boolean({ description: "Whether the user may not sign in.", examples: [false] }),
    createdAt: moment("When the user was made."),
    lastSignInAt: nullable(moment("When the user last signed in; null: never.")),
    identityProvider,
  },
  { ...closed, title: "User", description: "A user of the console." },
);

export const userPage = pageOf(user, "Users, by their names.");

export const userCreate = Type.Object(
  {
    userName: Type.String({
      pattern: "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$",
      description: "Name to sign in with: letters, digits and . _ @ + -, and a letter or digit first.",
      examples: ["anna"],
    }),
    role,
    clientIds: Type.Optional(clientIds("The clients that the user is limited to; left out or empty: all.")),
    facilityCodes: Type.Optional(facilityCodes("The facilities that the user is limited to; left out or empty: all.")),
  },
  { ...closed, title: "UserCreate", description: "A user that is to be made; the password is made here." },
);

export const userPatch = Type.Object(
  {
    role: Type.Optional(role),
    clientIds: Type.Optional(clientIds("The clients that the user is limited to from now on; empty: all.")),
    facilityCodes: Type.Optional(facilityCodes("The facilities that the user is limited to from now on; empty: all.")),
    isSuspended: Type.Optional(Type.Boolean({ description: "Whether the user may not sign in.", examples: [true] })),
  },
  { ...closed, title: "UserPatch", description: "What is to be changed of a user; what is left out stays." },
);
export type UserPatch = Static<typeof userPatch>;

export const userWithPassword = Type.Object(
  {
    user,
    password: Type.String({
      description: "The password, shown now and never again; `***` in the answer to a repeated request.",
      examples: ["kq7vt-m2x9c-hw4bz-r8dnf-y3gpe"],
    }),
  },
  { ...closed, title: "UserWithPassword", description: "The user and the new password." },
);

const sessionId = (description: string) =>
  Type.String({
    pattern: "^[A-Za-z0-9_-]{43}$",
    description,
    examples: ["n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"],
  });

/** More concurrent sessions of one user belong to a program. The most recently used ones identify it. */
export const sessionsMax = 200;

export const userSessions = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          sessionId: sessionId("Names the session; it opens nothing."),
          origin: nullable(
            Type.String({ description: "Address that it was opened from; null: not kept.", examples: ["192.0.2.17"] }),
          ),
          startedAt: moment("When the user signed in."),
          lastUsedAt: moment("When it was last used, to the minute."),
          expiresAt: moment("When it ends, however much it is used."),
          isOwn: Type.Boolean({ description: "Whether it is the session of this request.", examples: [false] }),
        },
        { ...closed, title: "UserSession", description: "A session of a user that is open." },
      ),
      { maxItems: sessionsMax, description: `The last used first, ${sessionsMax} at the most.` },
    ),
  },
  { ...closed, title: "UserSessions", description: "The sessions of a user that are open." },
);

export const sessionsToRevoke = Type.Object(
  { sessionId: Type.Optional(sessionId("The session to end; left out: all of the user's.")) },
  { ...closed, title: "SessionsToRevoke", description: "Which sessions of a user end." },
);

const refusals = Type.Object(
  {
    day: Type.String({ description: "The day (UTC).", examples: ["2026-11-20"] }),
    userName: nullable(
      Type.String({
        description: "The name; null: all names that nobody has, which are not kept.",
        examples: ["anna"],
      }),
    ),
    reason: Type.Enum(["NAME_OR_PASSWORD", "SUSPENDED", "NO_GROUP", "SECOND_FACTOR"], {
      type: "string",
      title: "SignInRefusalReason",
      description:
        "SUSPENDED: who it is was proved, and the user may not sign in. NO_GROUP: no group at the identity provider has a role here. SECOND_FACTOR: the password was right, the second factor was not.",
      examples: ["NAME_OR_PASSWORD"],
    }),
    refusals: Type.Integer({ description: "How many there were.", examples: [12] }),
    firstAt: moment("When the first was."),
    lastAt: moment("When the last was."),
    lastOrigin: Type.String({ description: "Address that the last came from.", examples: ["192.0.2.17"] }),
  },
  { ...closed, title: "SignInRefusals", description: "Refused sign-ins of a name on a day." },
);

export const refusalPage = pageOf(refusals, "Refused sign-ins, the latest days first.");
export const refusalQuery = Type.Object(
  { userName: Type.Optional(userName("Only those of this user.")), ...pageParameters },
  closed,
);
/** A page starts after this row. */
export const refusalCursor = defineCursor(
  "console refusals",
  Type.Object(
    {
      day: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
      userName: Type.String({ maxLength: 64 }),
      reason: Type.String({ maxLength: 20 }),
    },
    closed,
  ),
);

export const userPath = Type.Object({ userName: userName("Name of the user.") }, closed);
export const userListQuery = Type.Object({ ...pageParameters }, closed);
export const userCursors = defineCursor("console users", Type.Object({ name: Type.String({ maxLength: 64 }) }, closed));
