import Type, { type Static } from "typebox";
import { caseStatuses } from "#/delivery/certificate/cases.ts";
import { clientIdParameter, closed, moment, nullable, text } from "#/http/routes/schema.ts";

/** The newest evidence only: older rows of the logs are dropped. */
export const evidenceDays = 14;

export const certificateQuery = Type.Object({ clientId: clientIdParameter }, closed);

export const certificateBody = Type.Object(
  { clientId: clientIdParameter },
  { ...closed, title: "CertificateRequest", description: "Optional." },
);

const certificateCase = Type.Object(
  {
    caseId: text("The case.", "RESEND"),
    title: text("What it is about.", "Resend"),
    task: text("What the brand does for it.", "Send one document twice: it counts once."),
    status: Type.Enum([...caseStatuses], {
      type: "string",
      description: "FAILED: it was seen, and was wrong. NOT_NEEDED: the client does not use this part.",
      examples: ["PASSED"],
    }),
    seenAt: nullable(moment("When it was seen; null where nothing was.")),
    evidence: text("What was seen, or is missing.", "no document came twice"),
  },
  { ...closed, title: "CertificateCase", description: "A case, and what the platform saw of it." },
);

const contentFields = {
  clientId: text("The client.", "ACME"),
  environment: text("The environment of the deployment that saw it.", "sandbox"),
  issuedAt: moment("When the cases were judged."),
  evidenceFrom: moment("Nothing older counts."),
  isComplete: Type.Boolean({ description: "No case is OPEN or FAILED.", examples: [true] }),
  platformVersion: text("Version of the platform.", "0.3.0"),
  interfaceVersion: text("Version of the REST services and events.", "1.9.0"),
  schemas: Type.Unsafe<Readonly<Record<string, string>>>({
    type: "object",
    additionalProperties: { type: "string" },
    description: "The newest version of each XSD.",
    examples: [{ NO: "1.2", CAT: "1.2" }],
  }),
  cases: Type.Array(certificateCase, { description: "The cases, in the order of docs/going-live." }),
};

export type CertificateContent = Static<ReturnType<typeof contentOf>>;
const contentOf = () => Type.Object(contentFields);

export const certificate = Type.Object(
  {
    ...contentFields,
    signature: text(
      "The content as a signed JWT (RFC 7519) of type `certificate+jwt`, by a key of `/.well-known/jwks.json`. Each answer has a new one.",
      "eyJhbGciOiJFUzI1NiIsInR5cCI6ImNlcnRpZmljYXRlK2p3dCJ9.e30.c2lnbmF0dXJl",
    ),
  },
  { ...closed, title: "Certificate", description: "What a client has shown before it goes live." },
);
