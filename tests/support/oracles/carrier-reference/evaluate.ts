// Evaluates a service for a shipment.

import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";
import type { RateCard, RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";
import {
  ceiling,
  exact,
  type Fraction,
  greatest,
  isMore,
  minus,
  over,
  plus,
  rounded,
  times,
  upTo,
  zero,
} from "./fractions.ts";
import { addDays, matchLength, weekday } from "./places.ts";
import { convert, type Evaluated, type Reason, rankingCurrencyOf, type World } from "./world.ts";

const minorUnits: Readonly<Record<string, string>> = { GBP: "0.01", EUR: "0.01", USD: "0.01", JPY: "1", KWD: "0.001" };

export function despatchOf(
  world: World,
  cutOff: CarrierService["cutOff"],
  pickUp: CarrierService["pickUpDays"],
): string | undefined {
  const { facility, today, time, data, request } = world;
  const first = request.shipDate !== undefined && request.shipDate > today ? request.shipDate : today;
  for (let i = 0; i <= 366; i++) {
    const day = addDays(first, i);
    const name = weekday(day);
    const isClosed =
      facility.holidays.some(({ date }) => date === day) || data.holidays?.[facility.country]?.includes(day);
    if (!facility.operatingDays.includes(name) || isClosed) continue;
    if (!(pickUp?.[facility.facilityCode] ?? facility.operatingDays).includes(name)) continue;
    const until = cutOff?.[facility.facilityCode] ?? facility.cutOffTime;
    if (day === today && until !== null && time > `${until}:00.000`) continue;
    return day;
  }
  return undefined;
}

export function deliveryOf(
  { data, request }: World,
  service: CarrierService,
  despatch: string,
  transitDays: number,
): string | undefined {
  const days = service.deliveryDays ?? ["MON", "TUE", "WED", "THU", "FRI", "SAT"];
  const isDelivery = (day: string) =>
    days.includes(weekday(day)) && !data.holidays?.[request.shipTo.country]?.includes(day);
  if (days.length === 0) return undefined;
  let day = despatch;
  if (transitDays === 0) {
    while (!isDelivery(day)) day = addDays(day, 1);
    return day;
  }
  for (let left = transitDays; left > 0; ) {
    day = addDays(day, 1);
    if (isDelivery(day)) left--;
  }
  return day;
}

/** Undefined if no break fits the parcel. */
export function priceOf(
  world: World,
  card: RateCard,
  zone: RateZone,
  chargeable: readonly Fraction[],
  delivery: string | undefined,
): Evaluated["price"] {
  const { request, parcels } = world;
  const unit = exact(minorUnits[card.currency] as string);
  const sums = new Map<string, Fraction>();
  let [base, total] = [zero, zero];
  for (const [i, weight] of chargeable.entries()) {
    let before = zero;
    let parcelPrice: Fraction | undefined;
    for (const row of card.breaks.filter((row) => row.zone === zone.zone)) {
      if (!isMore(weight, exact(row.upToKg))) {
        const extra = times(ceiling(minus(weight, before)), exact(row.perExtraKg ?? 0));
        parcelPrice = rounded(plus(exact(row.price), extra), unit);
        break;
      }
      before = exact(row.upToKg);
    }
    if (parcelPrice === undefined) return undefined;
    base = plus(base, parcelPrice);
    let price = parcelPrice;
    for (const { code, kind, value, when = "always", longestSideCm = 0 } of card.surcharges ?? []) {
      const longest = greatest(parcels[i]?.sides ?? []) ?? zero;
      const applies = {
        always: true,
        hazmat: request.isHazmat === true,
        oversize: isMore(longest, exact(longestSideCm)),
        remote: zone.remote === true,
        residential: request.shipTo.isResidential === true,
        signature: request.signatureRequired === true,
        saturday: delivery !== undefined && weekday(delivery) === "SAT",
      }[when];
      if (!applies) continue;
      const exactly = kind === "PERCENT" ? over(times(price, exact(value)), exact(100)) : exact(value);
      const amount = rounded(exactly, unit);
      sums.set(code, plus(sums.get(code) ?? zero, amount));
      price = plus(price, amount);
    }
    total = plus(total, price);
  }
  const surcharges = (card.surcharges ?? []).flatMap(({ code }) => {
    const amount = sums.get(code);
    return amount ? [{ code, amount }] : [];
  });
  return { base, surcharges, total };
}

export function evaluate(
  world: World,
  service: CarrierService,
  carrier: string | undefined,
  levelRuleId: string | undefined,
): Evaluated {
  const { data, request, parcels, zip, today } = world;
  const { country } = request.shipTo;
  const despatch = despatchOf(world, service.cutOff, service.pickUpDays);
  const card =
    despatch === undefined
      ? undefined
      : data.rateCards
          .filter(({ serviceCode }) => serviceCode === service.code)
          .filter(({ validFrom = "", validTo = "9999" }) => validFrom <= despatch && despatch <= validTo)
          .sort((left, right) => ((left.validFrom ?? "") < (right.validFrom ?? "") ? 1 : -1))[0];
  let zone: RateZone | undefined;
  let length = -1;
  for (const entry of card?.zones ?? []) {
    const matchedLength = matchLength(entry, country, zip);
    if (matchedLength !== undefined && matchedLength > length) [zone, length] = [entry, matchedLength];
  }
  const transitDays = zone && service.transitDays?.[zone.zone];
  const delivery =
    despatch !== undefined && transitDays !== undefined ? deliveryOf(world, service, despatch, transitDays) : undefined;
  const chargeable = parcels.map(({ weight, sides }) => {
    const [a, b, c] = sides;
    const isVolumetric = a && b && c && service.dimensionalDivisor !== undefined;
    const volumetric = isVolumetric ? over(times(times(a, b), c), exact(service.dimensionalDivisor as number)) : zero;
    return upTo(isMore(volumetric, weight) ? volumetric : weight, exact(card?.stepKg ?? 0.001));
  });
  const price = card && zone ? priceOf(world, card, zone, chargeable, delivery) : undefined;
  const reasons: Reason[] = [];
  const because = (code: string, isSo: boolean | undefined, ruleId?: string) => {
    if (isSo) reasons.push(ruleId === undefined ? { code } : { code, ruleId });
  };
  const isOffered =
    despatch !== undefined && (service.activeFrom ?? "") <= despatch && despatch <= (service.activeTo ?? "9999");
  because("INACTIVE", !isOffered);
  because("COUNTRY", service.countries && !service.countries.includes(country));
  const heaviest = greatest(parcels.map(({ weight }) => weight)) ?? zero;
  because("OVER_WEIGHT", service.maxWeightKg !== undefined && isMore(heaviest, exact(service.maxWeightKg)));
  const longest = greatest(parcels.flatMap(({ sides }) => sides)) ?? zero;
  because("OVER_SIZE", service.maxLongestSideCm !== undefined && isMore(longest, exact(service.maxLongestSideCm)));
  const max = service.maxDeclaredValue;
  const codes = new Set<string>();
  for (const { declared } of max ? parcels : []) {
    if (!declared || !max) continue;
    const worth = convert(world, exact(declared.amount), declared.currency, max.currency);
    const code = worth === undefined ? "CURRENCY" : isMore(worth, exact(max.amount)) ? "OVER_VALUE" : undefined;
    because(code ?? "", code !== undefined && !codes.has(code));
    codes.add(code ?? "");
  }
  because("HAZMAT", request.isHazmat && !service.hazmat);
  because("BULKY", request.isBulky && !service.bulky);
  because("SIGNATURE", request.signatureRequired && !service.signature);
  because("SERVICE_LEVEL", world.level !== undefined && service.serviceLevel !== world.level, levelRuleId);
  because("SERVICE_LEVEL", request.requestedServiceCode !== undefined && service.code !== request.requestedServiceCode);
  because("CARRIER", carrier !== undefined && service.carrierCode !== carrier);
  because("NO_RATE", price === undefined);
  because("CURRENCY", card && convert(world, zero, card.currency, rankingCurrencyOf(data)) === undefined);
  const { deliverBy } = request;
  because(
    "TOO_SLOW",
    deliverBy !== undefined && zone !== undefined && (delivery === undefined || delivery > deliverBy),
  );
  void today;
  return {
    service,
    card,
    zone,
    despatch,
    delivery,
    transitDays,
    chargeable,
    price,
    reasons,
    preference: zero,
    isStopped: false,
  };
}
