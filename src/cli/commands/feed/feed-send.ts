import type { Command } from "#/cli/command.ts";
import { judgeFile } from "#/cli/feed-judgement.ts";
import { feedTypes } from "#/feeds/intake/definition.ts";

export const feedSend: Command = {
  name: "feed send",
  summary: "Sends a file as a client would, and prints its ACK; exits 1 when it is rejected.",
  arguments: [{ name: "FILE", meaning: "the document; - for standard input" }],
  options: [
    { name: "client", value: "ID", meaning: "the client that sends it", isRequired: true },
    { name: "type", value: feedTypes.join("|"), meaning: "the feed type", isRequired: true },
  ],
  run: (call) => judgeFile(call, "send"),
};
