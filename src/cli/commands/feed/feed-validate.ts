import type { Call, Outcome } from "#/cli/command.ts";
import { submitFile } from "#/cli/feed-submission.ts";

export const feedValidate = (call: Call): Promise<Outcome> => submitFile(call, "validate");
