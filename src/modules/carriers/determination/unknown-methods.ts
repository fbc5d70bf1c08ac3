import type { ClientTx } from "#/db/database.ts";
import type { CarrierSets } from "#/modules/carriers/data/carrier-sets.ts";
import { type ServiceLevel, serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import { resolveShippingMethod } from "#/modules/carriers/decision/compile.ts";

/**
 * The shippingMethods that a client's carrier data do not know, each with the service level that determination uses
 * instead (contract carriers.md, Mapping). Without carrier data none counts as unknown.
 */
export async function findUnknownMethods(
  tx: ClientTx,
  sets: CarrierSets,
  methods: readonly string[],
): Promise<ReadonlyMap<string, ServiceLevel>> {
  // Every set knows a service level, mapped or not: most orders name one, and it needs no query.
  const open = [...new Set(methods)].filter((method) => !isServiceLevel(method));
  if (open.length === 0) return new Map();
  const { data } = await sets.activeFor(tx);
  if (data.services.length === 0) return new Map();
  const unknown = open.filter((method) => resolveShippingMethod(data, method).warning !== undefined);
  return new Map(unknown.map((method) => [method, data.defaultServiceLevel]));
}

function isServiceLevel(method: string): boolean {
  const name = method.trim().toUpperCase();
  return serviceLevels.some((level) => level === name);
}
