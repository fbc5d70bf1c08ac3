// Exports and imports a single price matrix of a set, for spreadsheets.
import { ok, type Result, refused } from "#/kernel/result.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { StoredCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { RateCard } from "#/modules/carriers/rate-cards/rate-card-contract.ts";
import type { PriceMatrix } from "#/modules/carriers/rate-cards/rate-card-csv.ts";

/** Identifies a card of a set. */
export interface CardKey {
  readonly serviceCode: string;
  /** `YYYY-MM-DD`, the card's validFrom; omitted: the card with the latest start. */
  readonly validFrom?: string | undefined;
}

/** The index of a card in its set, or a sentence that says why there is none. */
function placeOfCard(cards: readonly RateCard[], { serviceCode, validFrom }: CardKey): Result<number, string> {
  const places = cards.flatMap((card, place) => (card.serviceCode === serviceCode ? [{ card, place }] : []));
  if (places.length === 0) {
    const known = [...new Set(cards.map((card) => card.serviceCode))].sort();
    return refused(
      `there is no rate card of service '${serviceCode}'; ${known.length === 0 ? "the set has no rate card" : `there are those of ${known.slice(0, 20).join(", ")}`}`,
    );
  }
  const latest = places.toSorted((left, right) => (beginOf(left.card) < beginOf(right.card) ? 1 : -1));
  const found = validFrom === undefined ? latest[0] : latest.find(({ card }) => card.validFrom === validFrom);
  if (found) return ok(found.place);
  const begins = latest.map(({ card }) => card.validFrom ?? "the beginning");
  return refused(
    `no rate card of service '${serviceCode}' begins on ${validFrom}; there are those from ${begins.join(", ")}`,
  );
}

function beginOf({ validFrom = "" }: RateCard): string {
  return validFrom;
}

export function matrixOf({ rateCards = [] }: StoredCarrierData, key: CardKey): Result<PriceMatrix, string> {
  const place = placeOfCard(rateCards, key);
  if (!place.ok) return place;
  const { zones, breaks } = rateCards[place.value] as RateCard;
  return ok({ zones, breaks });
}

/** The set with another matrix in the card; the caller validates it as any other set. */
export function withMatrix(
  { rateCards = [], ...rest }: StoredCarrierData,
  key: CardKey,
  { zones, breaks }: PriceMatrix,
): Result<CarrierData, string> {
  const place = placeOfCard(rateCards, key);
  if (!place.ok) return place;
  const cards = rateCards.map((card, i) => (i === place.value ? { ...card, zones, breaks } : card));
  return ok({ ...rest, rateCards: cards });
}
