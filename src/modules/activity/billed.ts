import { type BilledMeasure, billedMeasureNames } from "#/modules/activity/measures.ts";

/** The first and the last day of a month, `YYYY-MM-DD`, and its end in UTC. @param month `YYYY-MM` */
export function monthOf(month: string) {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const last = new Date(next.getTime() - 1).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last, endMs: next.getTime() };
}

interface Summed {
  readonly distributionCentre: string;
  readonly measure: BilledMeasure;
  readonly key: string;
  readonly quantity: number;
}

type Billed<Figure> = Omit<Figure, "key"> & {
  readonly key: string | null;
  readonly carrierCode: string | null;
  readonly carrierServiceCode: string | null;
  readonly quantity: number;
};

/** Figures as a bill has them, in its order. Parcels are kept by lane: those of a service are added up. */
export function billedFigures<Figure extends Summed>(rows: readonly Figure[]): Billed<Figure>[] {
  const figures = new Map<string, Billed<Figure>>();
  for (const row of rows) {
    const [, , carrierCode = null, carrierServiceCode = null] =
      row.measure === "PARCELS" ? (JSON.parse(row.key) as (string | null)[]) : [];
    const key = row.measure === "PARCELS" || row.key === "" ? null : row.key;
    const figure = { ...row, key, carrierCode, carrierServiceCode };
    const place = String(billedMeasureNames.indexOf(row.measure)).padStart(2, "0");
    const { quantity: _, ...others } = figure;
    const id = JSON.stringify([row.distributionCentre, place, others]);
    figures.set(id, { ...figure, quantity: row.quantity + (figures.get(id)?.quantity ?? 0) });
  }
  return [...figures].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, figure]) => figure);
}
