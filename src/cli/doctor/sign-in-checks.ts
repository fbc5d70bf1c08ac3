// Checks of the console's identity provider, and of the names in its rules.
import { type Asked, bad, type Check, type CheckGroup, doubtful, good } from "#/cli/doctor/check.ts";
import { createIdentityProvider } from "#/console-api/access/sign-in/identity-provider.ts";
import { listKnownClients, listKnownFacilities } from "#/console-api/access/user-repository.ts";
import type { Config } from "#/kernel/config/config.ts";

/** Whether its metadata can be read from here; no user signs in. */
export async function providerChecks({ signIn: { provider } }: Pick<Config, "signIn">): Promise<readonly Check[]> {
  if (!provider) return [];
  const name = "identity provider";
  const fault = await createIdentityProvider(provider).faultOf();
  return fault === undefined
    ? [good(name, `${provider.issuer} answers`)]
    : [bad(name, `${provider.issuer}: ${fault}`, "correct CROSSDOCK_OIDC_ISSUER, or let this machine reach it")];
}

/** Rules may name objects that do not exist yet, and misspelt ones. */
export function accessRuleChecks({ database, config }: Asked): CheckGroup[] {
  const rules = config.signIn.provider?.access;
  if (!rules) return [];
  const name = "access rules";
  const run = async () => {
    const clientIds = [...new Set(rules.flatMap((rule) => rule.clientIds ?? []))];
    const facilityCodes = [...new Set(rules.flatMap((rule) => rule.facilityCodes ?? []))];
    const knownClients = await listKnownClients(database, clientIds);
    const knownFacilities = await listKnownFacilities(database, facilityCodes);
    const unknown = [
      ...clientIds.filter((id) => !knownClients.includes(id)).map((id) => `client ${id}`),
      ...facilityCodes.filter((code) => !knownFacilities.includes(code)).map((code) => `facility ${code}`),
    ];
    if (unknown.length === 0) return [good(name, `${rules.length} groups have a role`)];
    const advice = "correct CROSSDOCK_OIDC_ACCESS, or create what it names";
    return [doubtful(name, `name unknown clients or facilities: ${unknown.slice(0, 10).join(", ")}`, advice)];
  };
  return [{ name, run }];
}
