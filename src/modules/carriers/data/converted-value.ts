import type { CarrierSets } from "#/modules/carriers/data/carrier-sets.ts";
import { dayOf } from "#/modules/carriers/decision/local-time.ts";
import { amountOf } from "#/modules/carriers/decision/money.ts";
import type { ClientTx } from "#/store/db/database.ts";

/**
 * Whether an amount is above a limit in another currency, by the exchange rates of the client's carrier data; undefined
 * without a rate. @param day `YYYY-MM-DD`
 */
export async function isAboveAmount(
  tx: ClientTx,
  sets: CarrierSets,
  value: { readonly amount: number; readonly currency: string },
  limit: { readonly amount: number; readonly currency: string },
  day: string,
): Promise<boolean | undefined> {
  if (value.currency === limit.currency) return value.amount > limit.amount;
  const { data } = await sets.activeFor(tx);
  const converted = data.rates.convert(amountOf(value), limit.currency, dayOf(day));
  return converted === undefined ? undefined : converted > amountOf(limit).value;
}
