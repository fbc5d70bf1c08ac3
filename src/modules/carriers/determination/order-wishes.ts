import type { CarrierSets } from "#/modules/carriers/data/carrier-sets.ts";
import { type ServiceLevel, serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import { resolveCarrierCode, resolveShippingMethod } from "#/modules/carriers/decision/compile.ts";
import type { ClientTx } from "#/store/db/database.ts";

/** The wishes of an order for the determination. */
interface CarrierWish {
  readonly carrierCode: string | undefined;
  readonly shippingMethod: string | undefined;
}

interface CarrierConflict {
  /** The carrier in the carrier data. */
  readonly carrierCode: string;
  /** The service level, or the code of the service, that the shippingMethod means. */
  readonly wanted: string;
}

/**
 * For each wish the conflict between carrier and shippingMethod: no service of the carrier is what the method means. A
 * carrier that the data do not contain is used unchanged, so it conflicts with nothing (contract carriers.md, Mapping).
 */
export async function findCarrierConflicts(
  tx: ClientTx,
  sets: CarrierSets,
  wishes: readonly CarrierWish[],
): Promise<(CarrierConflict | undefined)[]> {
  if (wishes.every(({ carrierCode }) => carrierCode === undefined)) return wishes.map(() => undefined);
  const { data } = await sets.activeFor(tx);
  return wishes.map(({ carrierCode: sent, shippingMethod }) => {
    const carrierCode = sent === undefined ? undefined : resolveCarrierCode(data, sent);
    if (carrierCode === undefined || !data.carrierCodes.has(carrierCode)) return undefined;
    const { serviceLevel, requestedServiceCode } = resolveShippingMethod(data, shippingMethod);
    const fits = data.services.some(
      (service) =>
        service.carrierCode === carrierCode &&
        (requestedServiceCode === undefined
          ? service.serviceLevel === serviceLevel
          : service.code === requestedServiceCode),
    );
    return fits ? undefined : { carrierCode, wanted: requestedServiceCode ?? serviceLevel ?? "" };
  });
}

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
