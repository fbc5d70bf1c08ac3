// Second factors in schemas (contract operations.md §5).
import Type from "typebox";
import { passkeyOrigin, password, session } from "#/console-api/access/contract.ts";
import { factorsMax } from "#/console-api/access/factors/next-step.ts";
import { recoveryCodesPerUser } from "#/console-api/access/factors/recovery-codes.ts";
import { moment, nullable } from "#/http/routes/schema.ts";

const closed = { additionalProperties: false } as const;

const code = (description: string) => Type.String({ pattern: "^\\d{6}$", description, examples: ["492039"] });

/** WebAuthn's own structures, which grow over time: the library and browsers read them. */
const webAuthn = (title: string, description: string, example: Readonly<Record<string, unknown>>) =>
  Type.Unsafe<Record<string, unknown>>({
    ...{ type: "object", additionalProperties: true, title, description, examples: [example] },
  });

const challenged = (title: string, description: string) =>
  Type.Object(
    { challenge: Type.String({ description: "What is to be signed.", examples: ["q1dFkqX0b3mYq9o6yU0m0Q"] }) },
    { additionalProperties: true, title, description },
  );

export const passkeyRequest = challenged(
  "PasskeyRequest",
  "PublicKeyCredentialRequestOptionsJSON of WebAuthn: what the browser asks a passkey for.",
);

export const passkeyCreation = challenged(
  "PasskeyCreation",
  "PublicKeyCredentialCreationOptionsJSON of WebAuthn: what the browser makes a passkey for.",
);

const credentialExample = {
  id: "k2xw9q0a",
  rawId: "k2xw9q0a",
  type: "public-key",
  response: {},
  clientExtensionResults: {},
};

export const proof = Type.Object(
  {
    password: Type.Optional(password("Of who has no second factor.")),
    code: Type.Optional(code("Six digits of the authenticator app.")),
    recoveryCode: Type.Optional(
      Type.String({
        ...{ minLength: 1, maxLength: 64, examples: ["7k2m-x9q4-0vbn-h3ts"] },
        description: "One of the recovery codes; it is used up.",
      }),
    ),
    passkey: Type.Optional(
      webAuthn(
        "PasskeyAnswer",
        "AuthenticationResponseJSON of WebAuthn: the browser's answer to `session/challenge`.",
        credentialExample,
      ),
    ),
  },
  {
    ...{ ...closed, minProperties: 1, maxProperties: 1, title: "Proof" },
    ...{ description: "What proves the user: one of them.", examples: [{ code: "492039" }] },
  },
);

const factorName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: "\\S", description, examples: ["Key on my desk"] });

const factor = Type.Object(
  {
    factorId: Type.String({
      format: "uuid",
      description: "Names it.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
    kind: Type.Enum(["TOTP", "PASSKEY"], {
      type: "string",
      title: "FactorKind",
      description: "TOTP: six digits of an authenticator app. PASSKEY: WebAuthn.",
      examples: ["TOTP"],
    }),
    name: factorName("What the user calls it."),
    createdAt: moment("When it was enrolled."),
    lastUsedAt: nullable(moment("When it was last used; null: never since it was enrolled.")),
  },
  { ...closed, title: "Factor", description: "A second factor of a user." },
);

export const ownFactors = Type.Object(
  {
    items: Type.Array(factor, { maxItems: factorsMax, description: "In the order in which they were enrolled." }),
    recoveryCodesLeft: Type.Integer({
      ...{ minimum: 0, maximum: recoveryCodesPerUser, examples: [8] },
      description: "Recovery codes that are not used up.",
    }),
    isRequired: Type.Boolean({ description: "Whether the role takes a second factor.", examples: [true] }),
    passkeyOrigin,
    isProofRecent: Type.Boolean({
      description: "Whether the user proved within the last 10 minutes who it is, as changes take it.",
      examples: [true],
    }),
  },
  { ...closed, title: "OwnFactors", description: "The second factors of the user who has signed in." },
);

export const newTotp = Type.Object(
  {
    setup: Type.String({ description: "Sent back with the first code.", examples: ["v1.k2xw9q0a.c2VhbGVk"] }),
    secret: Type.String({
      description: "The secret in base32, to type it in; shown now and never again.",
      examples: ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
    }),
    address: Type.String({
      description: "What the QR code holds.",
      examples: ["otpauth://totp/Crossdock:anna?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Crossdock"],
    }),
    qrCode: Type.Object(
      {
        size: Type.Integer({ description: "Modules of a side.", examples: [37] }),
        path: Type.String({
          description: "Its dark modules as the path of an SVG, a module a unit.",
          examples: ["M0 0h1v1h-1z"],
        }),
      },
      { ...closed, title: "QrCode", description: "The address as a QR code, without the quiet zone." },
    ),
  },
  { ...closed, title: "NewTotp", description: "What an authenticator app is set up with." },
);

export const firstCode = Type.Object(
  {
    setup: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "As `factor/beginTotp` answered it.",
      examples: ["v1.k2xw9q0a.c2VhbGVk"],
    }),
    code: code("The code that the app shows."),
  },
  { ...closed, title: "FirstCode", description: "The proof that the app is set up." },
);

const recoveryCodes = Type.Array(Type.String({ description: "A recovery code.", examples: ["7k2m-x9q4-0vbn-h3ts"] }), {
  maxItems: recoveryCodesPerUser,
  description: "Shown now and never again; each is good once.",
});

export const newPasskey = Type.Object(
  {
    name: factorName("What the user calls it."),
    credential: webAuthn(
      "PasskeyCredential",
      "RegistrationResponseJSON of WebAuthn: the browser's answer to `factor/beginPasskey`.",
      credentialExample,
    ),
  },
  { ...closed, title: "NewPasskey", description: "A passkey that the browser has made." },
);

export const enrolled = Type.Object(
  {
    factor,
    recoveryCodes: nullable(recoveryCodes),
    session: nullable(session),
  },
  {
    ...closed,
    title: "Enrolled",
    description:
      "The second factor; recovery codes with the first one, and the session where the sign-in waited for it.",
  },
);

export const newRecoveryCodes = Type.Object(
  { recoveryCodes },
  { ...closed, title: "RecoveryCodes", description: "The recovery codes that take the place of those before." },
);

export const factorPath = Type.Object(
  {
    factorId: Type.String({
      format: "uuid",
      description: "Names the factor.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
  },
  closed,
);
export const factorRenaming = Type.Object(
  { name: factorName("What the user calls it from now on.") },
  { ...closed, title: "FactorRenaming", description: "Another name." },
);
export const factorDeleted = Type.Unsafe<null>({ type: "null", description: "The factor is gone." });
