import { table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { listClients } from "#/modules/clients/service.ts";
import { type BrokenRule, checkStock, stockRules } from "#/modules/inventory/ledger/check.ts";

/** The check reads the whole ledger of a client. */
const statementTimeoutMs = 10 * minuteMs;

interface Finding extends BrokenRule {
  readonly clientId: string;
}

export function stockCheck(call: Call): Promise<Outcome> {
  return withPlatform(async ({ database }) => {
    const named = call.option("client");
    const clients = await listClients(database);
    if (named !== undefined && !clients.some(({ clientId }) => clientId === named)) {
      return refuse(`there is no client ${named}`);
    }
    const clientIds = named === undefined ? clients.map(({ clientId }) => clientId) : [named];
    const findings: Finding[] = [];
    for (const clientId of clientIds) {
      const broken = await database.transaction((tx) => checkStock(tx.of(clientId)), { statementTimeoutMs });
      findings.push(...broken.map((brokenRule) => ({ clientId, ...brokenRule })));
    }
    const json = { clients: clientIds.length, broken: findings.map(jsonOf) };
    if (findings.length === 0) return done(json, [`The stock of ${clientIds.length} client(s) is consistent.`]);
    return refuse(`stock is inconsistent in ${findings.length} place(s)`, { json, lines: linesOf(findings) });
  });
}

function jsonOf({ clientId, rule, object, facilityCode, found, expected }: Finding) {
  return { clientId, rule, object, facilityCode, found: quantityToNumber(found), expected: quantityToNumber(expected) };
}

function linesOf(findings: readonly Finding[]): string[] {
  const rows = findings.map((finding) => [
    finding.clientId,
    finding.object,
    stockRules[finding.rule],
    String(quantityToNumber(finding.found)),
    String(quantityToNumber(finding.expected)),
  ]);
  return table(["CLIENT", "WHERE", "WHAT", "FOUND", "EXPECTED"], rows, "");
}
