import { flatDutyEur, smallConsignmentEurMax } from "#/kernel/values/customs-rules.ts";
import { dayText } from "#/modules/carriers/decision/local-time.ts";
import { amountScale, type ExchangeRates, minorUnitOf } from "#/modules/carriers/decision/money.ts";
import type { Shipment } from "#/modules/carriers/decision/shipment.ts";
import { divideHalfUp } from "#/modules/carriers/decision/whole-numbers.ts";

/** The flat duty of a shipment into the European Union, which no service takes over. */
export interface Duty {
  readonly tariffLines: number;
  readonly eur: number;
  /** By the Incoterm: with DDP the sender, else the buyer; null: it has none. */
  readonly paidBy: "SENDER" | "BUYER" | null;
}

/** Undefined: it does not apply, or the goods are above 150 EUR or of no known value. */
export function dutyOf(
  { tariffLines, parcels, incoterm }: Shipment,
  rates: ExchangeRates,
  day: number,
): Duty | undefined {
  const eur = tariffLines === undefined ? undefined : flatDutyEur(tariffLines, dayText(day));
  if (tariffLines === undefined || eur === undefined) return undefined;
  let value = 0;
  for (const { declaredValue } of parcels) {
    value += (declaredValue && rates.convert(declaredValue, "EUR", day)) ?? Number.NaN;
  }
  if (!(value <= smallConsignmentEurMax * amountScale)) return undefined;
  return { tariffLines, eur, paidBy: incoterm === "DDP" ? "SENDER" : incoterm === undefined ? null : "BUYER" };
}

/** The duty in the price of a candidate, by currency; undefined: the sender does not pay it, or there is no rate. */
export function dutiesOf(
  duty: Duty | undefined,
  currencies: readonly string[],
  rates: ExchangeRates,
  day: number,
): readonly (number | undefined)[] {
  if (duty?.paidBy !== "SENDER") return [];
  return currencies.map((currency) => {
    const value = rates.convert({ value: duty.eur * amountScale, currency: "EUR" }, currency, day);
    const minorUnit = minorUnitOf(currency);
    return value === undefined ? undefined : divideHalfUp(value, minorUnit) * minorUnit;
  });
}
