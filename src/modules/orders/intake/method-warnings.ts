import type { ClientTx } from "#/db/database.ts";
import { type Finding, finding } from "#/kernel/feed-codes.ts";
import { type CarrierSets, findCarrierConflicts, findUnknownMethods } from "#/modules/carriers/index.ts";

/** What an order asks of the determination. */
interface MethodWish {
  readonly shippingMethod: string | undefined;
  readonly carrierCode: string | undefined;
}

/**
 * The warnings of each wish: a shippingMethod that the determination does not know, and a carrierCode whose services are
 * not what the method means. The carrier data are read once for all wishes.
 */
export async function findMethodWarnings(
  tx: ClientTx,
  sets: CarrierSets,
  wishes: readonly MethodWish[],
): Promise<Finding[][]> {
  const methods = wishes.flatMap(({ shippingMethod }) => shippingMethod ?? []);
  const [unknown, conflicts] = await Promise.all([
    findUnknownMethods(tx, sets, methods),
    findCarrierConflicts(tx, sets, wishes),
  ]);
  return wishes.map(({ shippingMethod: method = "" }, i) => {
    const name = method === "" ? "none" : `'${method}'`;
    const taken = unknown.get(method);
    const conflict = conflicts[i];
    const texts = [
      ...(taken === undefined
        ? []
        : [`${name} is not a mapped method, service level or service of the carrier data; ${taken} is taken`]),
      ...(conflict === undefined
        ? []
        : [
            `${name} means ${conflict.wanted}, and carrier ${conflict.carrierCode} has no such service: packing will find none and hold the order`,
          ]),
    ];
    return texts.map((text) => finding("SHIPPING_METHOD", `shippingMethod: ${text}`));
  });
}
