// The commands for clients, their credentials and their outbound feeds.
import { type Command, loaded } from "#/cli/command.ts";
import { settingReference } from "#/kernel/config/setting-words.ts";
import { outboundTypes } from "#/kernel/feed-types.ts";
import { clientCredentialKinds } from "#/modules/clients/domain.ts";
import { settingWords } from "#/modules/clients/setting-words.ts";
import { clientSettings, settingNames } from "#/modules/clients/settings.ts";

export const clientCommands: readonly Command[] = [
  {
    name: "client create",
    summary: "Creates a client and prints its credentials once.",
    arguments: [{ name: "ID", meaning: "1 to 10 letters, digits, '_' or '-'; unique ignoring case" }],
    options: [
      { name: "name", value: "NAME", meaning: "display name; the identifier without it" },
      {
        name: "facility",
        value: "CODE",
        meaning:
          "a facility that the client may use; repeat the option for several, in routing order; without it all facilities",
        isList: true,
      },
    ],
    run: loaded(async () => (await import("#/cli/commands/clients.ts")).clientCreate),
  },
  {
    name: "client list",
    summary: "Lists the clients.",
    arguments: [],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/clients.ts")).clientList),
  },
  {
    name: "client show",
    summary: "Shows a client: status, facilities in routing order, every setting.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/clients.ts")).clientShow),
  },
  {
    name: "client set",
    summary: "Changes settings of a client, its name, or its facilities.",
    arguments: [
      { name: "ID", meaning: "the client" },
      { name: "KEY=VALUE", meaning: "a setting and its new value; KEY= resets it to its default", isList: true },
    ],
    options: [
      { name: "name", value: "NAME", meaning: "display name" },
      {
        name: "facility",
        value: "CODE",
        meaning: "repeat the option for several facilities, in routing order; replaces the present list",
        isList: true,
      },
    ],
    notes: settingNames.map((name) => {
      const { standardText, meaning } = clientSettings[name];
      return `${name} (${standardText}): ${settingReference(meaning, settingWords[name])}`;
    }),
    run: loaded(async () => (await import("#/cli/commands/clients.ts")).clientSet),
  },
  {
    name: "client suspend",
    summary:
      "Suspends a client: its feeds, REST calls and logins are refused at once; accepted work and outbound feeds continue.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/clients.ts")).clientSuspend),
  },
  {
    name: "client resume",
    summary: "Resumes a suspended client.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/clients.ts")).clientResume),
  },
  {
    name: "credentials issue",
    summary: "Issues an additional credential and prints it once. Existing credentials stay valid.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [
      {
        name: "kind",
        value: clientCredentialKinds.join("|"),
        meaning: "what the credential gives access to",
        isRequired: true,
      },
      {
        name: "public-key",
        value: "FILE",
        meaning: "with --kind sftp: an OpenSSH public key (.pub) in the place of a password",
      },
    ],
    notes: ["To rotate: issue a new one, have the client use it, then revoke the old one."],
    run: loaded(async () => (await import("#/cli/commands/credentials.ts")).credentialsIssue),
  },
  {
    name: "credentials list",
    summary: "Lists a client's credentials, active and revoked, without their secrets.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/credentials.ts")).credentialsList),
  },
  {
    name: "credentials revoke",
    summary: "Revokes a credential: running servers refuse it at once, and tokens issued with it within 60 s.",
    arguments: [{ name: "CREDENTIAL_ID", meaning: "as `credentials list` shows it; for OAuth, the client_id" }],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/credentials.ts")).credentialsRevoke),
  },
  {
    name: "outbound set",
    summary: "Sets the delivery methods of a client's outbound feeds: fetch, push, SFTP, or several of these.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [
      {
        name: "type",
        value: "TYPE",
        meaning: `${outboundTypes.join(", ")}; may be given several times`,
        isList: true,
        isRequired: true,
      },
      { name: "pull", meaning: "fetched over HTTP, and acknowledged; the default of every type" },
      { name: "sftp", meaning: "put into `/outbound/TYPE` of the SFTP server" },
      { name: "push", value: "URL", meaning: "posted to this address; signed, retried and alerted like a webhook" },
      {
        name: "header",
        value: "'NAME: VALUE'",
        meaning: "a header of the push; repeat the option for several; `NAME:` removes one",
        isList: true,
      },
      {
        name: "new-secret",
        meaning: "creates a new signing secret of the push; the previous one also signs for 24 hours",
      },
    ],
    notes: [
      "The named methods replace the present ones, for new documents. Documents that wait to be fetched stay in the list and in the folder. Without --push, documents that wait to be pushed are not sent.",
      "The same URL keeps its secret and the headers that are not named, and activates a disabled push. Another URL keeps the secret and has only the named headers.",
    ],
    run: loaded(async () => (await import("#/cli/commands/outbound.ts")).outboundSet),
  },
  {
    name: "outbound show",
    summary:
      "Shows the delivery methods of a client's outbound feeds, the state of its pushes, and the undelivered documents.",
    arguments: [{ name: "ID", meaning: "the client" }],
    options: [],
    notes: [
      "Undelivered are the newest documents of each push that failed, are being retried, or were created while the push was disabled: 20 of them, with `--json` 1 000. `webhook replay` sends one again.",
    ],
    run: loaded(async () => (await import("#/cli/commands/outbound.ts")).outboundShow),
  },
];
