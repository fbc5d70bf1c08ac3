import type { CarrierData, RateCard } from "../carrier-data.ts";

export type RateZone = RateCard["zones"][number];

/** Values of the inputs of a zone, by their names. */
export type ZoneInputs = Readonly<Record<string, string>>;

export function valuesOfZone(zone?: RateZone): ZoneInputs {
  return {
    zone: zone?.zone ?? "",
    country: zone?.country ?? "",
    postcodes: postcodesText(zone, "\n"),
    remote: String(zone?.remote ?? false),
  };
}

/** "IV, KW, 980–984" */
export function postcodesText(zone: RateZone | undefined, separator = ", "): string {
  const { postcodePrefixes = [], postcodeRanges = [] } = zone ?? {};
  return [...postcodePrefixes, ...postcodeRanges.map(({ from, to }) => `${from}–${to}`)].join(separator);
}

/** A postcode may contain a blank or a dash, so a range has two dots or an en dash. */
const rangeMark = /\s*(?:\.\.|–)\s*/;

export function zoneOf(values: ZoneInputs, before?: RateZone): RateZone {
  const get = (name: string) => (values[name] ?? "").trim();
  const codes = get("postcodes")
    .split(/[\n,;]+/)
    .flatMap((text) => text.trim() || []);
  const prefixes = codes.filter((code) => !rangeMark.test(code));
  const ranges = codes
    .filter((code) => rangeMark.test(code))
    .map((code) => {
      const [from = "", to = ""] = code.split(rangeMark);
      return { from, to };
    });
  const isRemote = get("remote") === "true";
  return {
    zone: get("zone"),
    country: get("country").toUpperCase(),
    ...(prefixes.length > 0 ? { postcodePrefixes: prefixes } : {}),
    ...(ranges.length > 0 ? { postcodeRanges: ranges } : {}),
    ...(isRemote || before?.remote !== undefined ? { remote: isRemote } : {}),
  };
}

/** The card with the zone in the place. Prices follow a new name, if no other entry has the old one. */
export function withZone(card: RateCard, place: number, zone: RateZone): RateCard {
  const old = card.zones[place]?.zone;
  const isShared = card.zones.some((other, i) => i !== place && (other.zone === old || other.zone === zone.zone));
  return {
    ...card,
    zones: Object.assign([...card.zones], { [place]: zone }),
    breaks: isShared ? card.breaks : card.breaks.map((of) => (of.zone === old ? { ...of, zone: zone.zone } : of)),
  };
}

/** The card without the entry of the zone; with the last entry of a name go its prices. */
export function withoutZone(card: RateCard, place: number): RateCard {
  const name = card.zones[place]?.zone;
  const zones = card.zones.filter((_, i) => i !== place);
  const isLast = !zones.some(({ zone }) => zone === name);
  return { ...card, zones, breaks: isLast ? card.breaks.filter(({ zone }) => zone !== name) : card.breaks };
}

export const withCard = (data: CarrierData, place: number, card: RateCard): CarrierData => ({
  ...data,
  rateCards: Object.assign([...data.rateCards], { [place]: card }),
});
