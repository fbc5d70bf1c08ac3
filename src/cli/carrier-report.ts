// The output of the commands of carrier data.
import { type Outcome, refuse } from "#/cli/command.ts";
import type { RequestFault } from "#/kernel/refusal.ts";
import { operatorsDefault } from "#/modules/carriers/data/carrier-data.ts";

export const ownerText = (owner: string) => (owner === operatorsDefault ? "the operator's default" : `client ${owner}`);

/** The refusal of a set: each fault with its pointer, and nothing was saved. */
export function refuseFaults(faults: readonly RequestFault[], lines: readonly string[] = []): Outcome {
  const found = faults.map(({ pointer, message }) => `${pointer}: ${message}`);
  return refuse(`the data are invalid, and nothing was saved: ${faults.length} fault(s)`, {
    json: { errors: faults },
    lines: [...lines, ...found],
  });
}
