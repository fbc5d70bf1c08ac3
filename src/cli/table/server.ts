// The commands for start and fill an installation.
import { type Command, loaded } from "#/cli/command.ts";
import { roleNames } from "#/kernel/config/role-names.ts";

export const serverCommands: readonly Command[] = [
  {
    name: "serve",
    summary: "Runs the server, as `npm start` does.",
    arguments: [],
    options: [
      {
        name: "roles",
        value: "ROLE,…",
        meaning: `some of ${roleNames.join(", ")}; without it CROSSDOCK_ROLES, or all`,
      },
    ],
    isServer: true,
    run: loaded(async () => (await import("#/cli/commands/serve.ts")).serve),
  },
  {
    name: "hello",
    summary:
      "Shows the greeting of the server again: its addresses and, to the owner of the data directory, the demo's credentials and commands.",
    arguments: [],
    options: [],
    notes: [
      "It reads the file that the server wrote into the data directory at its start. The owner of the file with the demo's credentials sees them, on a terminal or not; to another user it names that file.",
    ],
    run: loaded(async () => (await import("#/cli/commands/hello.ts")).hello),
  },
  {
    name: "migrate",
    summary: "Migrates the schema to this release, once, even if several nodes start at the same time.",
    arguments: [],
    options: [
      {
        name: "finalize",
        meaning:
          "end the roll-out: no earlier release starts on the schema, and processes that start now write its forms",
      },
    ],
    notes: [
      "Finalize when no process of an earlier release runs, then restart the processes one by one. A new database is finalized from the start.",
    ],
    run: loaded(async () => (await import("#/cli/commands/migrate.ts")).migrate),
  },
  {
    name: "seed",
    summary: "Fills the database with demo data, unless it is already there.",
    arguments: [],
    options: [
      {
        name: "demo",
        meaning:
          "two facilities, client DEMO with credentials, two more brands, weeks of history, orders in every state",
      },
      { name: "size", value: "N", meaning: "also a catalogue and N orders of the last 365 days" },
    ],
    notes: [
      "`--size` adds to the client DEMO, which it creates if it is missing, one item for twenty orders (100 to 50 000, `H-SKU-…`) and orders `H-…`. Most are delivered, with parcels and with carrier decisions by the carrier data in force, dated back. Some are cancelled, returned to their sender, on their way, held, or waiting for stock. The past has no events, webhooks, outbound documents or papers, so no client is notified. Its stock is booked today, with the original time of despatch. Orders that wait or are held are processed like any other order.",
      "A second run adds only what is missing: the rest of an interrupted run, or the difference to a larger N. It can run while a server runs. It is refused in production.",
    ],
    run: loaded(async () => (await import("#/cli/commands/seed.ts")).seed),
  },
];
