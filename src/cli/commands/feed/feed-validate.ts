import type { Command } from "#/cli/command.ts";
import { judgeFile } from "#/cli/feed-judgement.ts";
import { feedTypes } from "#/feeds/intake/definition.ts";

export const feedValidate: Command = {
  name: "feed validate",
  summary:
    "Validates a file against the current rules without storing it, and prints the ACK; exits 1 when it would be rejected.",
  arguments: [{ name: "FILE", meaning: "the document; - for standard input" }],
  options: [
    { name: "type", value: feedTypes.join("|"), meaning: "the feed type", isRequired: true },
    {
      name: "client",
      value: "ID",
      meaning: "the client that would send it; without it the client that the document names",
    },
  ],
  run: (call) => judgeFile(call, "validate"),
};
