import type { Call, Outcome } from "#/cli/command.ts";
import { judgeFile } from "#/cli/feed-submission.ts";

export const feedValidate = (call: Call): Promise<Outcome> => judgeFile(call, "validate");
