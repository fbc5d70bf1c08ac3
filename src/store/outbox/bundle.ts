// The events of one transaction as one row of the outbox (docs/decisions/0080-events-in-bundles.md). A row for each event
// costs a row, two index entries and a deletion, and each repeats what the others say.

import { packing, packText, unpackJson } from "#/store/packed/packed.ts";

/** The topic, type and id of the object of a bundle's row: its events have their own. */
export const ofBundle = "";

/** An event of a bundle: a draft (`append.ts`) with its moment. */
export interface BundledEvent {
  readonly topic: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly facilityCode?: string | undefined;
  readonly feedToken?: string | undefined;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly data: unknown;
  readonly outbound?: object | undefined;
}

/** As stored: a tuple, because every bundle would repeat the names. */
type Entry = readonly [
  topic: string,
  objectType: string,
  objectId: string,
  facilityCode: string | null,
  feedToken: string | null,
  occurredAt: string,
  data: unknown,
  outbound: object | null,
];

/** Less than the 16 KiB that are packed, because a character may have several bytes. */
const charactersMax = 12 * 1024;
/** A bundle is published whole: it weighs no more than the smallest batch of the relay. */
const weightMax = 100;
/** Less than the 4,096 ids of a bundle's events. */
const eventsMax = 256;

/** The columns of a bundle's row that its events decide. */
interface BundleRow {
  readonly outbox_id: string;
  readonly data: Bundle;
  readonly weight: number;
  readonly events: number;
}

/** The content of a bundle: it is packed when the statement is sent, after those of one transaction have been joined. */
export class Bundle {
  /** The events as JSON. */
  readonly texts: readonly string[];

  private constructor(texts: readonly string[]) {
    this.texts = texts;
  }

  static of({ topic, objectType, objectId, facilityCode, feedToken, occurredAt, data, outbound }: BundledEvent) {
    const entry: Entry = [
      topic,
      objectType,
      objectId,
      facilityCode ?? null,
      feedToken ?? null,
      occurredAt,
      data,
      outbound ?? null,
    ];
    return new Bundle([JSON.stringify(entry)]);
  }

  static joined(bundles: readonly Bundle[]): Bundle {
    return new Bundle(bundles.flatMap(({ texts }) => texts));
  }

  toJSON(): unknown {
    const json = `[${this.texts.join(",")}]`;
    return packText({ writesPacked: true }, json, packing.outboxBundle) ?? JSON.parse(json);
  }
}

/**
 * Joins the bundles of one transaction, in the order of their ids, up to the limits of a bundle. The last id names the
 * row: an event of its object that another transaction committed before this one has an earlier id than its own, but
 * perhaps a later one than the first of the bundle.
 */
export function joinBundles<Row extends BundleRow>(rows: readonly Row[]): Row[] {
  const groups: Row[][] = [];
  let size: Size = { characters: 0, weight: 0, events: 0 };
  for (const row of rows.toSorted((left, right) => (left.outbox_id < right.outbox_id ? -1 : 1))) {
    const longer = plus(size, sizeOf(row));
    const group = fits(longer) ? groups.at(-1) : undefined;
    if (group) group.push(row);
    else groups.push([row]);
    size = group ? longer : sizeOf(row);
  }
  return groups.map((group) => {
    const { weight, events } = group.map(sizeOf).reduce(plus);
    return { ...(group.at(-1) as Row), data: Bundle.joined(group.map(({ data }) => data)), weight, events };
  });
}

interface Size {
  readonly characters: number;
  readonly weight: number;
  readonly events: number;
}

const sizeOf = ({ data: { texts }, weight, events }: BundleRow): Size => ({
  characters: texts.reduce((sum, text) => sum + text.length + 1, 0),
  weight,
  events,
});

const plus = (left: Size, right: Size): Size => ({
  characters: left.characters + right.characters,
  weight: left.weight + right.weight,
  events: left.events + right.events,
});

const fits = ({ characters, weight, events }: Size) =>
  characters <= charactersMax && weight <= weightMax && events <= eventsMax;

/** The events of a bundle, in their order. @param stored the column `data` of its row. */
export function eventsOf(stored: unknown): BundledEvent[] {
  return (unpackJson(stored) as readonly Entry[]).map(
    ([topic, objectType, objectId, facilityCode, feedToken, occurredAt, data, outbound]) => ({
      topic,
      objectType,
      objectId,
      facilityCode: facilityCode ?? undefined,
      feedToken: feedToken ?? undefined,
      occurredAt,
      data,
      outbound: outbound ?? undefined,
    }),
  );
}

/** The id of a bundle's row, which is that of its first event. */
export const bundleIdOf = (id: string): string => eventIdOf(id, 0);

/** The id of an event of a bundle: its place takes the last 12 of the 62 random bits of a UUIDv7. */
export const eventIdOf = (bundleId: string, place: number): string =>
  `${bundleId.slice(0, -3)}${place.toString(16).padStart(3, "0")}`;
