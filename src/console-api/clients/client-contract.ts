import Type, { type Static } from "typebox";
import { clientSettingChanges, setting } from "#/console-api/clients/setting-record.ts";
import { defineCursor, pageOf, pageParameters, placeText } from "#/http/requests/paging.ts";
import { closed, identifier, maybeText, moment, nullable, text } from "#/http/routes/schema.ts";

/** Clients as the operator maintains them (operations.md §2). */
const credentialIdExample = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";

export const clientIdField = identifier("The client.", "ACME");

const facilities = Type.Array(text("Code of a facility.", "DC1"), {
  description: "Facilities that the client may use, in routing order.",
});

const statuses = ["ACTIVE", "SUSPENDED"] as const;
const status = Type.Enum([...statuses], {
  type: "string",
  title: "ClientStatus",
  description: "SUSPENDED: feeds, REST and log-ins are refused; accepted work and outbound feeds continue.",
  examples: ["ACTIVE"],
});

const summaryFields = {
  clientId: text("Client identifier.", "ACME"),
  name: text("Display name of the client.", "Acme Outdoor"),
  status,
  facilities,
  createdAt: moment("When it was created."),
  updatedAt: moment("When it was last changed."),
};

const clientSummary = Type.Object(summaryFields, {
  ...closed,
  title: "ClientSummary",
  description: "A client.",
});

export const clientSummaryPage = pageOf(clientSummary, "Clients, by their identifiers.");

export const clientListQuery = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Part of the identifier or of the name.",
        examples: ["acme"],
      }),
    ),
    status: Type.Optional(status),
    ...pageParameters,
  },
  closed,
);

/** A page starts after this client. */
export const clientCursor = defineCursor("clientDirectory", Type.Object({ id: placeText() }, closed));

export const credential = Type.Object(
  {
    credentialId: text("Identifier of the credential; of an OAuth credential its client_id.", credentialIdExample),
    kind: Type.Enum(["feed", "oauth", "sftp", "warehouse", "carrier"], {
      type: "string",
      title: "CredentialKind",
      description:
        "feed: the X-API-KEY of feeds. oauth: REST. sftp: the exchange of files. warehouse, carrier: the warehouse port.",
      examples: ["feed"],
    }),
    environment: text("Environment of the credential.", "sandbox"),
    username: maybeText("User name of an SFTP credential.", "acme"),
    hasPublicKey: Type.Boolean({ description: "The credential has a key instead of a password.", examples: [false] }),
    createdAt: moment("When it was issued."),
    lastUsedAt: nullable(moment("When it was last used, to within some minutes; null: never.")),
    revokedAt: nullable(moment("When it was revoked; null while it is active.")),
  },
  { ...closed, title: "Credential", description: "A credential, without its secret." },
);

export const clientDetail = Type.Object(
  {
    ...summaryFields,
    settings: Type.Array(setting, { description: "Every setting." }),
    credentials: Type.Array(credential, { description: "Active and revoked ones, the newest first." }),
    certificate: Type.Optional(
      nullable(
        Type.Object(
          {
            issuedAt: moment("When its cases were judged."),
            isComplete: Type.Boolean({ description: "No case is open or failed.", examples: [true] }),
          },
          { ...closed, title: "IssuedCertificate", description: "The certificate of going live." },
        ),
      ),
    ),
  },
  { ...closed, title: "ClientDetail", description: "A client with its settings and credentials." },
);

export type ClientDetail = Static<typeof clientDetail>;

export const clientPath = Type.Object({ clientId: clientIdField }, closed);

const name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "Display name of the client.",
  examples: ["Acme Outdoor"],
});

export const newFacilities = Type.Array(identifier("Code of a facility.", "DC1"), {
  maxItems: 1_000,
  description: "Facilities that the client may use, in routing order.",
});

export const clientCreate = Type.Object(
  {
    clientId: identifier("1 to 10 letters, digits, `_` or `-`; unique ignoring case. It cannot be changed.", "ACME"),
    name: Type.Optional(name),
    facilities: newFacilities,
    settings: Type.Optional(clientSettingChanges),
  },
  { ...closed, title: "ClientCreate", description: "A client to create." },
);

export const clientPatch = Type.Object(
  {
    name: Type.Optional(name),
    facilities: Type.Optional(newFacilities),
    settings: Type.Optional(clientSettingChanges),
  },
  { ...closed, title: "ClientPatch", description: "Changes. Fields that are left out do not change." },
);

const feedPart = Type.Object(
  { apiKey: text("The X-API-KEY of the client's feeds.", "cd_sandbox_…") },
  { ...closed, description: "Feeds over HTTP." },
);

export const oauthPart = Type.Object(
  { client_id: text("The client_id.", credentialIdExample), client_secret: text("The client_secret.", "cds_…") },
  { ...closed, title: "OauthSecret", description: "OAuth 2.0 client credentials." },
);

const sftpPart = Type.Object(
  {
    username: text("User name.", "acme"),
    password: Type.Optional(text("Password; none with a public key.", "…")),
  },
  { ...closed, description: "The exchange of files." },
);

export const onboarding = Type.Object(
  { clientId: text("Client identifier.", "ACME"), feed: feedPart, oauth: oauthPart, sftp: sftpPart },
  { ...closed, title: "Onboarding", description: "All credentials of a new client; they are shown only now." },
);

export const issueRequest = Type.Object(
  {
    clientId: clientIdField,
    kind: Type.Enum(["feed", "oauth", "sftp"], {
      type: "string",
      description: "What it gives access to: feeds, REST, or the exchange of files.",
      examples: ["feed"],
    }),
    publicKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        description: "With kind sftp: an OpenSSH public key instead of a password.",
        examples: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI… ops@example.com"],
      }),
    ),
  },
  { ...closed, title: "CredentialRequest", description: "A credential to issue; existing ones stay valid." },
);

export const issuedCredential = Type.Object(
  {
    credentialId: text("Identifier of the credential.", credentialIdExample),
    feed: Type.Optional(feedPart),
    oauth: Type.Optional(oauthPart),
    sftp: Type.Optional(sftpPart),
  },
  { ...closed, title: "IssuedCredential", description: "The secret, by kind; it is shown only now." },
);

export const credentialPath = Type.Object({ credentialId: identifier("The credential.", credentialIdExample) }, closed);

export const revokedCredential = Type.Object(
  {
    credentialId: text("Identifier of the credential.", credentialIdExample),
    kind: text("Its kind.", "feed"),
    revokedAt: moment("When it was revoked."),
  },
  { ...closed, title: "RevokedCredential", description: "The credential is revoked." },
);
