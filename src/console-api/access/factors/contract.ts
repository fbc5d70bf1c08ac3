// Second factors in schemas (contract operations.md §5).
import Type from "typebox";
import { passkeyOrigin, password, session } from "#/console-api/access/contract.ts";
import { factorsMax } from "#/console-api/access/domain.ts";
import { recoveryCodesPerUser } from "#/console-api/access/factors/recovery-codes.ts";
import { closed, moment, nullable } from "#/http/routes/schema.ts";

const code = (description: string) => Type.String({ pattern: "^\\d{6}$", description, examples: ["492039"] });

/** WebAuthn's own structures, which grow over time: the library and browsers read them. */
const webAuthn = (title: string, description: string, example: Readonly<Record<string, unknown>>) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    title,
    description,
    examples: [example],
  });

const challenged = (title: string, description: string) =>
  Type.Object(
    { challenge: Type.String({ description: "The challenge to sign.", examples: ["q1dFkqX0b3mYq9o6yU0m0Q"] }) },
    { additionalProperties: true, title, description },
  );

export const passkeyRequest = challenged(
  "PasskeyRequest",
  "PublicKeyCredentialRequestOptionsJSON of WebAuthn: the browser requests a passkey with it.",
);

export const passkeyCreation = challenged(
  "PasskeyCreation",
  "PublicKeyCredentialCreationOptionsJSON of WebAuthn: the browser creates a passkey with it.",
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
    password: Type.Optional(password("For a user without a second factor.")),
    code: Type.Optional(code("Six digits of the authenticator app.")),
    recoveryCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        examples: ["7k2m-x9q4-0vbn-h3ts"],
        description: "One of the recovery codes; each works once.",
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
    ...closed,
    minProperties: 1,
    maxProperties: 1,
    title: "Proof",
    description: "A proof of identity: exactly one of these fields.",
    examples: [{ code: "492039" }],
  },
);

const factorName = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: "\\S", description, examples: ["Key on my desk"] });

export const factor = Type.Object(
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
    name: factorName("The name that the user gave it."),
    createdAt: moment("When it was enrolled."),
    lastUsedAt: nullable(moment("When it was last used; null: never since it was enrolled.")),
  },
  { ...closed, title: "Factor", description: "A second factor of a user." },
);

export const ownFactors = Type.Object(
  {
    items: Type.Array(factor, { maxItems: factorsMax, description: "In the order in which they were enrolled." }),
    recoveryCodesLeft: Type.Integer({
      minimum: 0,
      maximum: recoveryCodesPerUser,
      examples: [8],
      description: "Number of unused recovery codes.",
    }),
    isRequired: Type.Boolean({ description: "Whether the role requires a second factor.", examples: [true] }),
    passkeyOrigin,
    isProofRecent: Type.Boolean({
      description: "Whether the user has proved their identity within the last 10 minutes, as changes require.",
      examples: [true],
    }),
  },
  { ...closed, title: "OwnFactors", description: "The second factors of the signed-in user." },
);

export const newTotp = Type.Object(
  {
    setup: Type.String({ description: "Sent back with the first code.", examples: ["v1.k2xw9q0a.c2VhbGVk"] }),
    secret: Type.String({
      description: "The secret in base32, to type it in; shown now and never again.",
      examples: ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
    }),
    address: Type.String({
      description: "The content of the QR code.",
      examples: ["otpauth://totp/Crossdock:anna?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Crossdock"],
    }),
    qrCode: Type.Object(
      {
        size: Type.Integer({ description: "Number of modules on a side.", examples: [37] }),
        path: Type.String({
          description: "The dark modules as the path of an SVG, one unit for each module.",
          examples: ["M0 0h1v1h-1z"],
        }),
      },
      { ...closed, title: "QrCode", description: "The address as a QR code, without the quiet zone." },
    ),
  },
  { ...closed, title: "NewTotp", description: "The data for the setup of an authenticator app." },
);

export const firstCode = Type.Object(
  {
    setup: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "As `factor/beginTotp` answered it.",
      examples: ["v1.k2xw9q0a.c2VhbGVk"],
    }),
    code: code("The code from the app."),
  },
  { ...closed, title: "FirstCode", description: "The proof that the app is set up." },
);

const recoveryCodes = Type.Array(Type.String({ description: "A recovery code.", examples: ["7k2m-x9q4-0vbn-h3ts"] }), {
  maxItems: recoveryCodesPerUser,
  description: "Shown now and never again; each works once.",
});

export const newPasskey = Type.Object(
  {
    name: factorName("The name that the user gave it."),
    credential: webAuthn(
      "PasskeyCredential",
      "RegistrationResponseJSON of WebAuthn: the browser's answer to `factor/beginPasskey`.",
      credentialExample,
    ),
  },
  { ...closed, title: "NewPasskey", description: "A passkey that the browser has created." },
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
      "The second factor; with the first one also the recovery codes, and the session if the sign-in waited for it.",
  },
);

export const newRecoveryCodes = Type.Object(
  { recoveryCodes },
  { ...closed, title: "RecoveryCodes", description: "The recovery codes that replace the previous ones." },
);

export const factorPath = Type.Object(
  {
    factorId: Type.String({
      format: "uuid",
      description: "Identifies the factor.",
      examples: ["019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11"],
    }),
  },
  closed,
);
export const factorRenaming = Type.Object(
  { name: factorName("The new name of the factor.") },
  { ...closed, title: "FactorRenaming", description: "Another name." },
);
export const factorDeleted = Type.Unsafe<null>({ type: "null", description: "The factor is removed." });
