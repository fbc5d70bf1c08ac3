import { table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { type BrokenEvents, checkEvents, eventRules } from "#/delivery/webhooks/events/events-check.ts";
import { systemClock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";

const daysDefault = 7;

interface Finding extends BrokenEvents {
  readonly clientId: string;
}

export function eventsCheck(call: Call): Promise<Outcome> {
  return withPlatform(async ({ database }) => {
    const named = call.option("client");
    const days = Number(call.option("days") ?? daysDefault);
    if (!Number.isInteger(days) || days < 1 || days > 3_660) return refuse("--days is a whole number from 1 to 3660");
    const tenants = await listTenants(database);
    if (named !== undefined && !tenants.includes(named)) return refuse(`there is no client ${named}`);
    const clientIds = named === undefined ? tenants : [named];
    const nowMs = systemClock.now();
    const ids = createIds();
    const findings: Finding[] = [];
    for (const clientId of clientIds) {
      const broken = await checkEvents({
        database,
        ids,
        nowMs,
        clientId,
        sinceMs: nowMs - days * dayMs,
        isRepairing: call.flag("repair"),
      });
      findings.push(...broken.map((brokenEvents) => ({ clientId, ...brokenEvents })));
    }
    const json = { clients: clientIds.length, broken: findings };
    if (findings.length === 0) return done(json, [`The events of ${clientIds.length} client(s) are consistent.`]);
    return refuse(`events are inconsistent in ${findings.length} place(s)`, { json, lines: linesOf(findings) });
  });
}

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
