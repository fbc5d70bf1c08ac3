import type { components } from "#operator";

type ParcelEvent = components["schemas"]["ClientOlpnEvent"];

/** An event of a parcel, with its words once. */
export interface ParcelFact {
  /** ISO 8601. */
  readonly at: string;
  readonly code: number;
  readonly words: readonly string[];
}

/** Warehouse and carrier may both report an event, each with its clock. */
const togetherMs = 60_000;

/** The code of events that the platform has no code for: two of them may be different events. */
const unmapped = 399;

/**
 * Shows each event once: a second report of a code within a minute adds its words to the first, and a location or a
 * text that repeats the name is left out.
 * @param events oldest first
 */
export function eventsOnce(events: readonly ParcelEvent[]): readonly ParcelFact[] {
  const facts: ParcelFact[] = [];
  for (const { at, code, name, location, text } of events) {
    const words = [name, location, text].filter((word) => word !== null);
    const same = facts.findLastIndex(
      (fact) => fact.code === code && code !== unmapped && Date.parse(at) - Date.parse(fact.at) <= togetherMs,
    );
    const first = facts[same];
    if (first === undefined) facts.push({ at, code, words: once(words) });
    else facts[same] = { ...first, words: once([...first.words, ...words]) };
  }
  return facts;
}

/** The words without those that differ from an earlier one in case only. */
function once(words: readonly string[]): readonly string[] {
  const keys = words.map((word) => word.trim().toLowerCase());
  return words.filter((_, i) => keys.indexOf(keys[i] ?? "") === i);
}
