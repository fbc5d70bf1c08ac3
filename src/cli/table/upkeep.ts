// The commands for checks, secrets, erasure and restores.
import { type Command, loaded } from "#/cli/command.ts";
import { type RestorePart, restoreParts } from "#/store/db/store/restore-hold.ts";

const meaningOfPart: Readonly<Record<RestorePart, string>> = {
  DELIVERIES: "webhooks, outbound feeds and mails are sent",
  ALLOCATION: "accepted documents are processed, and orders are allocated",
  TASKS: "warehouses receive their tasks",
};

export const upkeepCommands: readonly Command[] = [
  {
    name: "stock import",
    summary: "Books the opening stock of a client from a CSV file, as adjustments with the reason OPENING.",
    arguments: [{ name: "FILE", meaning: "the CSV file; - for standard input" }],
    options: [
      { name: "client", value: "ID", meaning: "the client", isRequired: true },
      { name: "id", value: "ID", meaning: "name of the import; without it, its content names it" },
      { name: "dry-run", meaning: "checks the file and books nothing" },
    ],
    notes: [
      "The first line names the columns: `sku` and `qty`, and optionally `distributionCentre`, `condition`, `stockPool`, `batchRef`, `expiryDate` and `serials` (separated by `|`). Each further line is one lot, at most 5,000. `distributionCentre` may be empty if the client has one facility.",
      "A file with a fault books nothing; every fault is printed with its line, its value and what to do. A repeat of the same file or id books nothing and exits 0.",
    ],
    run: loaded(async () => (await import("#/cli/commands/stock-import.ts")).stockImport),
  },
  {
    name: "stock check",
    summary: "Checks that stock, its movements, orders and work orders agree; exits 1 if they do not.",
    arguments: [],
    options: [{ name: "client", value: "ID", meaning: "this client only; without it all clients" }],
    notes: [
      "Every balance is the sum of its movements, none is below zero, no more is allocated than exists, the allocated quantity is what open orders and work orders hold, and there are as many serial numbers as units. The command only reads, and can run while servers run.",
    ],
    run: loaded(async () => (await import("#/cli/commands/consistency.ts")).stockCheck),
  },
  {
    name: "events check",
    summary:
      "Proves that no event was lost or numbered twice, and that each has its webhook deliveries and its outbound document; exits 1 where not.",
    arguments: [],
    options: [
      { name: "client", value: "ID", meaning: "this client only; without it all clients" },
      { name: "days", value: "N", meaning: `events of the last N days (default 7)` },
    ],
    notes: [
      "Positions of a client's events have no gaps and are unique, each object's sequence has no holes, the next position is free, and every active subscription has a delivery of each event that it wants. Each event that causes an outbound document has one, and no document is without its event. It reads the days asked for page by page, in statements of at most ten seconds, and may run beside everything else; after an interruption run it client by client with --client.",
      "The command only reads: docs/operators-handbook.md says how each fault is repaired.",
    ],
    run: loaded(async () => (await import("#/cli/commands/consistency.ts")).eventsCheck),
  },
  {
    name: "secret rotate",
    summary: "Re-encrypts stored secrets with a new master key, or creates a new signing key of access tokens.",
    arguments: [],
    options: [
      {
        name: "signing-key",
        meaning:
          "creates a signing key of access tokens instead; it signs after five seconds, and existing tokens stay valid",
      },
      {
        name: "withdraw-tokens",
        meaning: "with --signing-key, after a key was disclosed: refuses every token issued so far at once",
      },
    ],
    notes: [
      "Texts that are encrypted with CROSSDOCK_SECRET_PREVIOUS are encrypted with CROSSDOCK_SECRET. The command can run while servers run, can be interrupted, and can be repeated. Every server must know both keys first: docs/keys-and-data.md has the order of the steps.",
      "A text that neither key decrypts is listed, and the command exits 1; it re-encrypts all others.",
      "Signing keys are also rotated automatically every 30 days; the next one is published a day before it signs.",
    ],
    run: loaded(async () => (await import("#/cli/commands/secret-rotate.ts")).secretRotate),
  },
  {
    name: "person erase",
    summary: "Erases the personal data of an order that has ended, wherever they are stored.",
    arguments: [],
    options: [
      { name: "client", value: "ID", meaning: "the client", isRequired: true },
      { name: "order", value: "ID", meaning: "the order", isRequired: true },
    ],
    notes: [
      "Names, addresses, free text, papers and feed documents of the order and its returns are erased; numbers, amounts, quantities, states and stock stay. Refused while the order, a return or a document of it is open. Cannot be undone.",
      "Crossdock does this automatically `personalDataDays` after the end of an order. A second run erases data that arrived since. docs/keys-and-data.md lists what is erased and what is not.",
    ],
    run: loaded(async () => (await import("#/cli/commands/person-erase.ts")).personErase),
  },
  {
    name: "restore status",
    summary: "Shows what waits for a release after a restore, and the earlier releases.",
    arguments: [],
    options: [],
    run: loaded(async () => (await import("#/cli/commands/restore.ts")).restoreStatus),
  },
  {
    name: "restore release",
    summary: "Releases the work that waits after a restore: the named parts, or all with --all.",
    arguments: [],
    options: [
      ...restoreParts.map((part) => ({ name: part.toLowerCase(), meaning: meaningOfPart[part] })),
      { name: "all", meaning: "all three" },
    ],
    notes: [
      "Running servers continue within a second. This cannot be undone. The audit log records the release.",
      "docs/backup-and-restore.md says what to check before each of them.",
    ],
    run: loaded(async () => (await import("#/cli/commands/restore.ts")).restoreRelease),
  },
  {
    name: "doctor",
    summary:
      "Checks what a start does not: configuration, database, waiting work, keys, disk, clock, addresses and mail. It prints what to do, and exits 1 when a check fails.",
    arguments: [],
    options: [],
    notes: ["The command changes nothing; it does not migrate an old schema."],
    run: loaded(async () => (await import("#/cli/doctor/doctor.ts")).doctor),
  },
];
