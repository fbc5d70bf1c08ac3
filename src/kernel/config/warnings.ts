// Settings that are allowed, but dangerous where others can reach the process. The start log and `doctor` name them.
import { isIP } from "node:net";
import { type Config, isReachedByOthers } from "#/kernel/config/config.ts";
import { consoleRoles } from "#/kernel/security/access-rules.ts";

export interface ConfigWarning {
  /** The subject of the warning, as `doctor` names it. */
  readonly name: string;
  readonly variable: string;
  readonly text: string;
  readonly advice: string;
}

type CheckedConfig = Pick<Config, "environment" | "database" | "http" | "secret" | "signIn" | "webhooks">;

export function warningsOf(config: CheckedConfig): readonly ConfigWarning[] {
  return [
    ...privateTargetWarnings(config),
    ...secretWarnings(config),
    ...proxyWarnings(config),
    ...storeWarnings(config),
    ...signInWarnings(config),
  ];
}

function privateTargetWarnings({ http, webhooks }: CheckedConfig): ConfigWarning[] {
  if (!webhooks.allowPrivate || !isReachedByOthers(http)) return [];
  return [
    {
      name: "private targets",
      variable: "CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS",
      text: "users who set a webhook or push target can reach every private address that this process reaches",
      advice: "set CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS=false, and list single targets in CROSSDOCK_PRIVATE_TARGETS",
    },
  ];
}

const distinctCharactersMin = 10;
const placeholders = /change.?me|secret|passw|example|crossdock|qwerty|abcdef.?ghij|default|placeholder|your.?key/i;

function secretWarnings({ secret }: CheckedConfig): ConfigWarning[] {
  if (secret === undefined) return [];
  const text = weaknessOf(secret);
  if (text === undefined) return [];
  return [
    {
      name: "master key strength",
      variable: "CROSSDOCK_SECRET",
      text,
      advice: "create one with 'openssl rand -hex 32' and rotate to it: docs/keys-and-data.md",
    },
  ];
}

/** Why a key of sufficient length can be guessed; undefined where the key shows no weakness. */
function weaknessOf(secret: string): string | undefined {
  if (new Set(secret).size < distinctCharactersMin)
    return `has fewer than ${distinctCharactersMin} different characters`;
  // A text that repeats itself occurs in its double before its own end.
  if (`${secret}${secret}`.indexOf(secret, 1) < secret.length) return "is a shorter text, repeated";
  return placeholders.test(secret) ? "contains a word of example keys" : undefined;
}

/** No operator owns a wider network: 10.0.0.0/8 and fc00::/7 are the widest that one operator can own. */
const prefixMin = { ipv4: 8, ipv6: 7 } as const;

function proxyWarnings({ http }: CheckedConfig): ConfigWarning[] {
  const wide = http.trustedProxies.filter((network) => {
    const [address = "", bits] = network.split("/");
    return bits !== undefined && Number(bits) < prefixMin[isIP(address) === 4 ? "ipv4" : "ipv6"];
  });
  if (wide.length === 0) return [];
  return [
    {
      name: "trusted proxies",
      variable: "CROSSDOCK_TRUSTED_PROXIES",
      text: `${wide.join(", ")} trusts every sender about the origin of a request, and whether it used https`,
      advice: "name only the addresses of the proxies",
    },
  ];
}

function storeWarnings({ environment, database }: CheckedConfig): ConfigWarning[] {
  if (environment !== "production" || database.url !== undefined) return [];
  return [
    {
      name: "embedded database",
      variable: "DATABASE_URL",
      text: "production runs on the embedded PostgreSQL, a beta build for trials",
      advice: "set DATABASE_URL to a PostgreSQL server with backups: docs/deployment.md",
    },
  ];
}

function signInWarnings({ signIn }: CheckedConfig): ConfigWarning[] {
  return [...adminWarnings(signIn), ...factorWarnings(signIn)];
}

/** A more powerful role has weaker protection than a less powerful one. */
function factorWarnings({ isLocal, secondFactorOf }: CheckedConfig["signIn"]): ConfigWarning[] {
  const [least] = secondFactorOf;
  const without =
    least === undefined
      ? []
      : consoleRoles.slice(consoleRoles.indexOf(least)).filter((role) => !secondFactorOf.includes(role));
  if (!isLocal || without.length === 0) return [];
  return [
    {
      name: "second factor",
      variable: "CROSSDOCK_SECOND_FACTOR",
      text: `${without.join(" and ")} may do more than ${least}, and needs no second factor`,
      advice: `name ${without.join(" and ")} as well`,
    },
  ];
}

function adminWarnings(signIn: CheckedConfig["signIn"]): ConfigWarning[] {
  const mayManage = signIn.provider?.access.some(
    ({ role, clientIds, facilityCodes }) => role === "admin" && clientIds === null && facilityCodes === null,
  );
  if (signIn.isLocal || mayManage) return [];
  return [
    {
      name: "admins",
      variable: "CROSSDOCK_OIDC_ACCESS",
      text: "no group is an admin without limits, and local accounts are switched off: no user can manage users in the console",
      advice: "add a rule with the role admin and without clients and facilities",
    },
  ];
}
