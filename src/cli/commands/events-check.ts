import { table } from "#/cli/columns.ts";
import { type Command, done, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { type BrokenEvents, checkEvents, eventRules } from "#/delivery/webhooks/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { listClients } from "#/modules/clients/index.ts";

const daysDefault = 7;
const dayMs = 86_400_000;

interface Finding extends BrokenEvents {
  readonly clientId: string;
}

export const eventsCheck: Command = {
  name: "events check",
  summary:
    "Proves that no event was lost or numbered twice, and that each has its webhook deliveries and its outbound document; exits 1 where not.",
  arguments: [],
  options: [
    { name: "client", value: "ID", meaning: "this client only; without it all clients" },
    { name: "days", value: "N", meaning: `events of the last N days (default ${daysDefault})` },
    { name: "repair", meaning: "adds missing deliveries, and raises counters above the existing events" },
  ],
  notes: [
    "Positions of a client's events have no gaps and are unique, each object's sequence has no holes, the next position is free, and every active subscription has a delivery of each event that it wants. Each event that causes an outbound document has one, and no document is without its event. It reads the days asked for page by page, in statements of at most ten seconds, and may run beside everything else; after an interruption run it client by client with --client.",
    "What --repair adds is sent after later events of the same object that have been sent. Two events that have one position already keep it, and no document is written or removed. It exits 1 after a repair as well; the next run says whether all is sound.",
  ],
  run(call) {
    return withPlatform(async ({ database }) => {
      const named = call.option("client");
      const days = Number(call.option("days") ?? daysDefault);
      if (!Number.isInteger(days) || days < 1 || days > 3_660) return refuse("--days is a whole number from 1 to 3660");
      const clients = await listClients(database);
      if (named !== undefined && !clients.some(({ clientId }) => clientId === named)) {
        return refuse(`there is no client ${named}`);
      }
      const clientIds = named === undefined ? clients.map(({ clientId }) => clientId) : [named];
      const nowMs = systemClock.now();
      const ids = createIds();
      const findings: Finding[] = [];
      for (const clientId of clientIds) {
        const broken = await checkEvents({
          ...{ database, ids, nowMs, clientId, sinceMs: nowMs - days * dayMs },
          isRepairing: call.flag("repair"),
        });
        findings.push(...broken.map((each) => ({ clientId, ...each })));
      }
      const json = { clients: clientIds.length, broken: findings };
      if (findings.length === 0) return done(json, [`The events of ${clientIds.length} client(s) are consistent.`]);
      return refuse(`events are inconsistent in ${findings.length} place(s)`, { json, lines: linesOf(findings) });
    });
  },
};

function linesOf(findings: readonly Finding[]): string[] {
  const rows = findings.map((finding) => [
    finding.clientId,
    finding.object,
    eventRules[finding.rule],
    String(finding.found),
    String(finding.expected),
    finding.isRepaired ? "yes" : "no",
  ]);
  return table(["CLIENT", "WHERE", "WHAT", "FOUND", "EXPECTED", "REPAIRED"], rows, "");
}
