import { setTimeout as sleep } from "node:timers/promises";
import type { PortClient } from "#/sandbox/simulator/port-client.ts";

const pauseMs = 100;
const attemptsMax = 100;

let repeated = 0;

/** The number of reports that were repeated because the product was too busy, since the last call. */
export function takeRepeated(): number {
  const count = repeated;
  repeated = 0;
  return count;
}

/**
 * Repeats a report until it is accepted, as a warehouse system does: a report that meets a busy product is sent again,
 * under the same name.
 *
 * @param name of the path: `pick` for `/pick/report`
 * @throws when the report is refused
 */
export async function acceptedReport(
  port: PortClient,
  name: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  for (let attempts = 1; ; attempts++) {
    const answer = await port.report({ action: name, path: `/${name}/report`, body });
    if (answer.kind === "ok") return answer.body;
    const reason = "reason" in answer ? answer.reason : "the credential opens nothing";
    if (answer.kind !== "unavailable" || attempts === attemptsMax)
      throw new Error(`${name}: ${answer.kind}: ${reason}`);
    repeated++;
    await sleep(answer.retryAfterMs ?? pauseMs);
  }
}
