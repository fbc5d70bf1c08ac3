import { table } from "#/cli/columns.ts";
import { type Command, done, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { listClients } from "#/modules/clients/index.ts";
import { type BrokenRule, checkStock, stockRules } from "#/modules/inventory/index.ts";

/** The check reads the whole ledger of a client. */
const statementTimeoutMs = 10 * 60_000;

interface Finding extends BrokenRule {
  readonly clientId: string;
}

export const stockCheck: Command = {
  name: "stock check",
  summary: "Checks that stock, its movements, orders and work orders agree; exits 1 if they do not.",
  arguments: [],
  options: [{ name: "client", value: "ID", meaning: "this client only; without it all clients" }],
  notes: [
    "Every balance is the sum of its movements, none is below zero, no more is allocated than exists, the allocated quantity is what open orders and work orders hold, and there are as many serial numbers as units. The command only reads, and can run while servers run.",
  ],
  run(call) {
    return withPlatform(async ({ database }) => {
      const named = call.option("client");
      const clients = await listClients(database);
      if (named !== undefined && !clients.some(({ clientId }) => clientId === named)) {
        return refuse(`there is no client ${named}`);
      }
      const clientIds = named === undefined ? clients.map(({ clientId }) => clientId) : [named];
      const findings: Finding[] = [];
      for (const clientId of clientIds) {
        const broken = await database.transaction((tx) => checkStock(tx, clientId), { statementTimeoutMs });
        findings.push(...broken.map((each) => ({ clientId, ...each })));
      }
      const json = { clients: clientIds.length, broken: findings.map(jsonOf) };
      if (findings.length === 0) return done(json, [`The stock of ${clientIds.length} client(s) is consistent.`]);
      return refuse(`stock is inconsistent in ${findings.length} place(s)`, { json, lines: linesOf(findings) });
    });
  },
};

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
