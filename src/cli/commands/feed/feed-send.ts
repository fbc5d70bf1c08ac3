import type { Call, Outcome } from "#/cli/command.ts";
import { submitFile } from "#/cli/feed-submission.ts";

export const feedSend = (call: Call): Promise<Outcome> => submitFile(call, "send");
