// Which groups of the identity provider may use the console, and with which limits (CROSSDOCK_OIDC_ACCESS).
import type { Parser } from "#/kernel/config/parsers.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";

/** Lowest role first. */
export const consoleRoles = ["developer", "viewer", "operator", "admin"] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

export interface Access {
  readonly role: ConsoleRole;
  /** Null: all. */
  readonly clientIds: readonly string[] | null;
  readonly facilityCodes: readonly string[] | null;
}

export interface AccessRule extends Access {
  readonly group: string;
}

const example = '[{"group":"wms-admins","role":"admin"},{"group":"dc1","role":"operator","facilities":["DC1"]}]';
const fields = ["group", "role", "clients", "facilities"] as const;
const rulesMax = 1_000;

/** Parses a JSON list of rules. The fault names the rule by its number in the list, the field and its value. */
export const parseAccessRules: Parser<readonly AccessRule[]> = (text) => {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return refused(`expected JSON such as ${example}`);
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > rulesMax) {
    return refused(`expected a list of 1 to ${rulesMax} rules such as ${example}`);
  }
  const rules: AccessRule[] = [];
  for (const [i, entry] of list.entries()) {
    const rule = readRule(entry);
    if (!rule.ok) return refused(`rule ${i + 1}: ${rule.fault}`);
    rules.push(rule.value);
  }
  return ok(rules);
};

function readRule(entry: unknown): Result<AccessRule, string> {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    return refused(`${shown(entry)} is not a rule; expected an object with ${fields.join(", ")}`);
  }
  const { group, role, clients, facilities } = entry as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(entry).find((name) => !(fields as readonly string[]).includes(name));
  if (unknown !== undefined)
    return refused(`${shown(unknown)} is not a field of a rule; expected ${fields.join(", ")}`);
  if (typeof group !== "string" || group.trim() === "") {
    return refused(`"group" is ${shown(group)}; expected the name of a group`);
  }
  const known = consoleRoles.find((consoleRole) => consoleRole === role);
  if (known === undefined) return refused(`"role" is ${shown(role)}; expected ${consoleRoles.join(", ")}`);
  for (const [name, value] of Object.entries({ clients, facilities })) {
    if (value !== undefined && !isCodes(value)) {
      return refused(`"${name}" is ${shown(value)}; expected a list of 1 to 1000 codes; leave it out for all`);
    }
  }
  if (known === "developer" && ((clients as unknown[] | undefined)?.length !== 1 || facilities !== undefined)) {
    return refused(`"role" is "developer": expected exactly one code in "clients", and no "facilities"`);
  }
  const limitOf = (codes: unknown) => (codes === undefined ? null : [...new Set(codes as readonly string[])].sort());
  return ok({ group, role: known, clientIds: limitOf(clients), facilityCodes: limitOf(facilities) });
}

function isCodes(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > 1_000) return false;
  return value.every((code) => typeof code === "string" && code.length > 0 && code.length <= 64);
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 60);
}

/** Roles separated by commas, `all`, or `off`; lowest first. */
export function parseRolesWithFactor(text: string): Result<readonly ConsoleRole[], string> {
  const named = text
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (named.length === 1 && named[0] === "off") return ok([]);
  if (named.length === 1 && named[0] === "all") return ok(consoleRoles);
  const areKnown = named.every((name) => consoleRoles.some((role) => role === name));
  if (!areKnown) return refused(`expected off, all, or some of ${consoleRoles.join(", ")}, separated by commas`);
  return ok(consoleRoles.filter((role) => named.includes(role)));
}

/**
 * The access that the groups of a user grant; undefined where no rule names one of them. The first rule that applies
 * decides the role. A further rule with the same role adds its facilities where the clients are equal, and its clients
 * where the facilities are equal: the sum never grants what no single rule grants. A developer has one client.
 */
export function accessOf(rules: readonly AccessRule[], groups: ReadonlySet<string>): Access | undefined {
  const [first, ...more] = rules.filter(({ group }) => groups.has(group));
  if (!first) return undefined;
  let { clientIds, facilityCodes } = first;
  for (const rule of more) {
    if (rule.role !== first.role || first.role === "developer") continue;
    if (isSame(rule.clientIds, clientIds)) facilityCodes = sumOf(facilityCodes, rule.facilityCodes);
    else if (isSame(rule.facilityCodes, facilityCodes)) clientIds = sumOf(clientIds, rule.clientIds);
  }
  return { role: first.role, clientIds, facilityCodes };
}

type Limit = readonly string[] | null;

const isSame = (first: Limit, other: Limit) => JSON.stringify(first) === JSON.stringify(other);

function sumOf(first: Limit, other: Limit): Limit {
  return first === null || other === null ? null : [...new Set([...first, ...other])].sort();
}
