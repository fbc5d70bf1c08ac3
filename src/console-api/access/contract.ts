// Sessions and users of the console in schemas (contract operations.md §1, §5).
import Type, { type Static } from "typebox";
import { factorNames } from "#/console-api/access/domain.ts";
import { passwordLengthMax, passwordLengthMin } from "#/console-api/access/passwords.ts";
import { operatorRoles } from "#/http/access/operator-role.ts";
import { defineCursor, pageOf, pageParameters, placeDay, placeText } from "#/http/requests/paging.ts";
import { closed, maybeText, moment, nullable } from "#/http/routes/schema.ts";

const limitMax = 1_000;
const userName = (description: string) => Type.String({ minLength: 1, maxLength: 64, description, examples: ["anna"] });

const role = Type.Enum([...operatorRoles], {
  type: "string",
  title: "UserRole",
  description:
    "A viewer reads, an operator does the daily work, an admin does everything. A developer of a brand is limited to one client: reads what concerns its integration, and manages its keys and webhooks.",
  examples: ["operator"],
});

const codes = (description: string, what: string, example: string) =>
  Type.Unsafe<readonly string[]>(
    Type.Array(Type.String({ minLength: 1, maxLength: 64, description: what, examples: [example] }), {
      maxItems: limitMax,
      description,
      examples: [[example]],
    }),
  );

const clientIds = (description: string) => codes(description, "Client identifier.", "DEMO");
const facilityCodes = (description: string) => codes(description, "Code of a facility.", "DC1");

const limits = {
  clientIds: nullable(clientIds("The clients that the user is limited to; null: all.")),
  facilityCodes: nullable(facilityCodes("The facilities that the user is limited to; null: all.")),
};

const address = (of: string, example: string) =>
  nullable(Type.String({ format: "uri", description: `Address of ${of}.`, examples: [example] }));

const identityProvider = maybeText(
  "Issuer of the identity provider of the user; null: the user signs in with a password.",
  "https://login.crossdock.example/",
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
    description:
      "Public addresses of this deployment as configured; null: the address at which the console was reached.",
  },
);
/** The addresses that an operator hands over together with a client's credentials. */
export type Addresses = Static<typeof addresses>;

export const session = Type.Object(
  {
    userName: userName("The signed-in user."),
    role,
    ...limits,
    identityProvider,
    csrfToken: Type.String({
      description: "Sent in `X-CSRF-Token` with every request but a GET.",
      examples: ["Yk3qv0sP1u2tW8m4b7nX5c6z9d0f1g2h3j4k5l6a7s8"],
    }),
    environment: Type.String({ description: "Environment of this deployment.", examples: ["sandbox"] }),
    isMailMissing: Type.Boolean({
      description: "In production without a mail server: alert mails are stored, and reach no person.",
      examples: [false],
    }),
    addresses,
    expiresAt: moment("When the session ends, regardless of use."),
  },
  { ...closed, title: "Session", description: "The signed-in user, and what the user may see and do." },
);

export const signInMethods = Type.Object(
  {
    isPasswordOpen: Type.Boolean({
      description: "Whether the console accepts user name and password.",
      examples: [true],
    }),
    providerName: maybeText(
      "Name of the identity provider, at which users sign in by `/console/oidc/begin`; null: none is configured.",
      "login.crossdock.example",
    ),
  },
  { ...closed, title: "SignInMethods", description: "How users sign in to the console." },
);

export const passkeyOrigin = maybeText(
  "Address at which passkeys of this console work; null: none, because there is no public https address.",
  "https://wms.example.com",
);

export const signInStep = Type.Object(
  {
    step: Type.Enum(["FACTOR", "ENROLMENT", "DONE"], {
      type: "string",
      title: "SignInStep",
      description:
        "FACTOR: prove the second factor. ENROLMENT: the role requires one, enrol it. DONE: the sign-in is complete.",
      examples: ["FACTOR"],
    }),
    methods: Type.Array(
      Type.Enum(["PASSWORD", ...factorNames], {
        type: "string",
        title: "ProofMethod",
        description: "A possible proof of identity.",
        examples: ["TOTP"],
      }),
      { maxItems: factorNames.length + 1, description: "The proofs that `session/prove` accepts from this user." },
    ),
    passkeyOrigin,
    csrfToken: Type.String({
      description: "Sent in `X-CSRF-Token` with every request but a GET.",
      examples: ["Yk3qv0sP1u2tW8m4b7nX5c6z9d0f1g2h3j4k5l6a7s8"],
    }),
    expiresAt: moment("Deadline of the step: 5 minutes for FACTOR, 15 for ENROLMENT."),
  },
  { ...closed, title: "SignInProgress", description: "The state of a sign-in." },
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
  { userName: userName("Name of the user, in any case of letters."), password: password("Password.") },
  { ...closed, title: "SignIn", description: "User name and password." },
);

export const passwordChange = Type.Object(
  {
    currentPassword: password("The present password."),
    newPassword: password(
      `The new password: at least ${passwordLengthMin} characters, five of them different; no common password, and without the names of user, product and clients.`,
    ),
  },
  { ...closed, title: "PasswordChange", description: "A new password of the signed-in user." },
);

export const user = Type.Object(
  {
    userName: userName("Name of the user."),
    role,
    ...limits,
    isSuspended: Type.Boolean({ description: "Whether the user is suspended.", examples: [false] }),
    createdAt: moment("When the user was created."),
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
  { ...closed, title: "UserCreate", description: "A user to create; the server generates the password." },
);

export const userPatch = Type.Object(
  {
    role: Type.Optional(role),
    clientIds: Type.Optional(clientIds("The clients that the user is limited to from now on; empty: all.")),
    facilityCodes: Type.Optional(facilityCodes("The facilities that the user is limited to from now on; empty: all.")),
    isSuspended: Type.Optional(Type.Boolean({ description: "Whether the user is suspended.", examples: [true] })),
  },
  { ...closed, title: "UserPatch", description: "Changes of a user. Fields that are left out do not change." },
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

export const userSession = Type.Object(
  {
    sessionId: sessionId("Identifies the session. It gives no access."),
    origin: maybeText("Address from which the session was opened; null: not stored.", "192.0.2.17"),
    startedAt: moment("When the user signed in."),
    lastUsedAt: moment("When it was last used, to the minute."),
    expiresAt: moment("When the session ends, regardless of use."),
    isOwn: Type.Boolean({ description: "Whether it is the session of this request.", examples: [false] }),
    agentName: maybeText("Of a token for an agent: its name; null: the session of a browser.", "Order desk"),
  },
  { ...closed, title: "UserSession", description: "An open session of a user." },
);

export const userSessions = Type.Object(
  {
    items: Type.Array(userSession, {
      maxItems: sessionsMax,
      description: `The last used first, at most ${sessionsMax}.`,
    }),
  },
  { ...closed, title: "UserSessions", description: "The open sessions of a user." },
);

export const sessionsToRevoke = Type.Object(
  { sessionId: Type.Optional(sessionId("The session to end; left out: all of the user's.")) },
  { ...closed, title: "SessionsToRevoke", description: "Which sessions of a user end." },
);

export const refusals = Type.Object(
  {
    day: Type.String({ description: "The day (UTC).", examples: ["2026-11-20"] }),
    userName: maybeText("The user name; null: all names without a user, which are not stored.", "anna"),
    reason: Type.Enum(["NAME_OR_PASSWORD", "SUSPENDED", "NO_GROUP", "SECOND_FACTOR"], {
      type: "string",
      title: "SignInRefusalReason",
      description:
        "SUSPENDED: the proof was right, but the user is suspended. NO_GROUP: no group at the identity provider has a role here. SECOND_FACTOR: the password was right, the second factor was not.",
      examples: ["NAME_OR_PASSWORD"],
    }),
    refusals: Type.Integer({ description: "Number of refused sign-ins.", examples: [12] }),
    firstAt: moment("Time of the first one."),
    lastAt: moment("Time of the last one."),
    lastOrigin: Type.String({ description: "Address of the last one.", examples: ["192.0.2.17"] }),
  },
  { ...closed, title: "SignInRefusals", description: "Refused sign-ins of a name on a day." },
);

export const refusalPage = pageOf(refusals, "Refused sign-ins, the latest days first.");
export const refusalQuery = Type.Object(
  { userName: Type.Optional(userName("Only sign-ins of this user.")), ...pageParameters },
  closed,
);
/** A page starts after this row. */
export const refusalCursor = defineCursor(
  "console refusals",
  Type.Object(
    {
      day: placeDay,
      userName: placeText(),
      reason: placeText(20),
    },
    closed,
  ),
);

export const userPath = Type.Object({ userName: userName("Name of the user.") }, closed);
export const userListQuery = Type.Object({ ...pageParameters }, closed);
export const userCursors = defineCursor("console users", Type.Object({ name: placeText() }, closed));
