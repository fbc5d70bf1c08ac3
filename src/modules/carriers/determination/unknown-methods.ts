import type { Tx } from "#/db/database.ts";
import type { CarrierSets } from "#/modules/carriers/data/carrier-sets.ts";
import { type ServiceLevel, serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import { resolveShippingMethod } from "#/modules/carriers/decision/compile.ts";

/**
 * Of these shippingMethods those that the carrier data of a client do not know, each with the service level that determination
 * takes for it (contract carriers.md, Mapping). Where there are no data nothing can be asked of them, and none is unknown.
 */
export async function findUnknownMethods(
  tx: Tx,
  sets: CarrierSets,
  clientId: string,
  methods: readonly string[],
): Promise<ReadonlyMap<string, ServiceLevel>> {
  // A service level is known to any set, mapped or not: most orders name one, and the store is not asked for them.
  const open = [...new Set(methods)].filter((method) => !isServiceLevel(method));
  if (open.length === 0) return new Map();
  const { data } = await sets.activeFor(tx, clientId);
  if (data.services.length === 0) return new Map();
  const unknown = open.filter((method) => resolveShippingMethod(data, method).warning !== undefined);
  return new Map(unknown.map((method) => [method, data.defaultServiceLevel]));
}

function isServiceLevel(method: string): boolean {
  const name = method.trim().toUpperCase();
  return serviceLevels.some((level) => level === name);
}
