// The commands that call a running server.
import { type Command, loaded, type OptionSpec } from "#/cli/command.ts";

const access: readonly OptionSpec[] = [
  {
    name: "token",
    value: "TOKEN",
    meaning: "an access token of a client, warehouse or carrier; without it the owner of the data directory calls",
  },
  { name: "url", value: "URL", meaning: "address of the server, with --token; without it the server of this machine" },
];

export const apiCommands: readonly Command[] = [
  {
    name: "api",
    summary: "Calls any operation of a running server, and prints the answer as a table.",
    arguments: [
      { name: "OPERATION", meaning: "its name, such as `listOrdersOverClients` or `getOrder`" },
      {
        name: "KEY=VALUE",
        meaning: "a parameter, or a field of the body such as `shipToAddress.city=Leeds`; a repeated key makes a list",
        isList: true,
      },
    ],
    options: [
      { name: "body", value: "FILE", meaning: "the body as JSON; - for standard input" },
      { name: "all", meaning: "reads all pages of a list" },
      ...access,
    ],
    notes: [
      "The operations are those of the server's OpenAPI documents: without --token those of the console, with every client's services (`getOrder clientId=DEMO orderId=…`), with --token those of the services. A refusal prints the reason with the faults, and exits 1.",
      "Without --token the command proves that it can read the master key; it has the rights of an admin, and the audit log names the user at the terminal. Papers and documents are printed as they are: `crossdock api getDocument clientId=DEMO documentId=… > slip.pdf`.",
    ],
    run: loaded(async () => (await import("#/cli/api/api.ts")).api),
  },
  {
    name: "api list",
    summary: "Lists the operations of a running server.",
    arguments: [
      { name: "WORD", meaning: "only operations with these words in name, title, description or path", isList: true },
    ],
    options: access,
    run: loaded(async () => (await import("#/cli/api/api.ts")).apiList),
  },
  {
    name: "api show",
    summary: "Shows an operation of a running server: what it does, and the keys that it takes.",
    arguments: [{ name: "OPERATION", meaning: "its name" }],
    options: access,
    run: loaded(async () => (await import("#/cli/api/api.ts")).apiShow),
  },
];

/** @param commands all of them, this one too. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: "completion",
  summary: "Prints the completion of commands, operations and their keys for bash: `source <(crossdock completion)`.",
  arguments: [{ name: "WORD", meaning: "after `--`: the words of the command line until the cursor", isList: true }],
  options: access,
  run: loaded(async () => (await import("#/cli/api/completion.ts")).completionOf(commands())),
});
