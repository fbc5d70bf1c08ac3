// The checks of a client's stock and events, which only read.
import { table } from "#/cli/columns.ts";
import { type Call, done, type Outcome, refuse } from "#/cli/command.ts";
import { withPlatform } from "#/cli/context.ts";
import { checkEvents, eventRules } from "#/delivery/webhooks/events/events-check.ts";
import { systemClock } from "#/kernel/clock.ts";
import { dayMs, minuteMs } from "#/kernel/values/durations.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import { listClients } from "#/modules/clients/service.ts";
import { checkStock, stockRules } from "#/modules/inventory/ledger/check.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";

interface Finding {
  readonly rule: string;
  readonly object: string;
  readonly found: number;
  readonly expected: number;
}

/** The check of the stock reads the whole ledger of a client. */
const statementTimeoutMs = 10 * minuteMs;

export function stockCheck(call: Call): Promise<Outcome> {
  return withPlatform(async ({ database }) => {
    const clientIds = (await listClients(database)).map(({ clientId }) => clientId);
    return outcomeOf(call, "stock is", stockRules, clientIds, async (clientId) => {
      const broken = await database.transaction((tx) => checkStock(tx.of(clientId)), { statementTimeoutMs });
      return broken.map(({ rule, object, facilityCode, found, expected }) => {
        return { rule, object, facilityCode, found: quantityToNumber(found), expected: quantityToNumber(expected) };
      });
    });
  });
}

const daysDefault = 7;

export function eventsCheck(call: Call): Promise<Outcome> {
  return withPlatform(async ({ database }) => {
    const days = Number(call.option("days") ?? daysDefault);
    if (!Number.isInteger(days) || days < 1 || days > 3_660) return refuse("--days is a whole number from 1 to 3660");
    const sinceMs = systemClock.now() - days * dayMs;
    return outcomeOf(call, "events are", eventRules, await listTenants(database), (clientId) =>
      checkEvents({ database, clientId, sinceMs }),
    );
  });
}

/** Checks each client, or that of the option. @param subject with its verb */
async function outcomeOf(
  call: Call,
  subject: string,
  rules: Readonly<Record<string, string>>,
  known: readonly string[],
  check: (clientId: string) => Promise<readonly Finding[]>,
): Promise<Outcome> {
  const named = call.option("client");
  if (named !== undefined && !known.includes(named)) return refuse(`there is no client ${named}`);
  const clientIds = named === undefined ? known : [named];
  const broken: (Finding & { readonly clientId: string })[] = [];
  for (const clientId of clientIds) {
    broken.push(...(await check(clientId)).map((finding) => ({ clientId, ...finding })));
  }
  const json = { clients: clientIds.length, broken };
  const [noun, verb] = subject.split(" ");
  if (broken.length === 0) return done(json, [`The ${noun} of ${clientIds.length} client(s) ${verb} consistent.`]);
  const rows = broken.map(({ clientId, object, rule, found, expected }) => {
    return [clientId, object, rules[rule] ?? rule, String(found), String(expected)];
  });
  const lines = table(["CLIENT", "WHERE", "WHAT", "FOUND", "EXPECTED"], rows, "");
  return refuse(`${subject} inconsistent in ${broken.length} place(s)`, { json, lines });
}
