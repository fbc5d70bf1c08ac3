import type { components } from "#operator";
import { counted } from "../../../parts/counted.ts";
import { moneyText } from "../../../parts/decision.tsx";
import { qtyText } from "../../../parts/qty.tsx";
import type { Tone } from "../../../parts/tones.ts";

export type Promised = components["schemas"]["ClientPromise"];
export type PromisedLine = Promised["lines"][number];
export type Shipment = Promised["shipments"][number];

interface Sentences {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
}

/** @param today local date at the facility, `YYYY-MM-DD` */
export function sentencesOf(promise: Promised, today: string): Sentences {
  const { shipments, lines } = promise;
  const short = lines.filter(({ qtyShort }) => qtyShort > 0);
  const places = [...new Set(shipments.map(({ distributionCentre }) => distributionCentre))];
  const from =
    shipments.length === 0
      ? []
      : [`${counted(shipments.length, "shipment", "shipments")} from ${places.join(" and ")}.`];
  const waits = short.length === 0 ? [] : [`${counted(short.length, "line waits", "lines wait")} for goods.`];
  const first = shipments.map(({ availableOn }) => availableOn).find((day) => day !== null && day > today);
  const preOrder = short.length === 0 && first ? [`An item may not leave before ${first}.`] : [];
  const price = priceOf(shipments);
  const text = [...from, ...(price === undefined ? [] : [`Carrier price: ${price}.`]), ...waits, ...preOrder].join(" ");
  return { ...titleOf(promise), text };
}

function titleOf({ shipments, lines }: Promised): Pick<Sentences, "tone" | "title"> {
  if (shipments.length === 0) return { tone: "failed", title: "Nothing of it would leave" };
  if (shipments.some(({ availableOn }) => availableOn === null)) {
    return { tone: "waiting", title: "Not known when all of it leaves" };
  }
  const days = shipments.map(({ carrier }) => carrier?.estimatedDelivery ?? carrier?.despatchDate ?? undefined);
  if (days.includes(undefined)) return { tone: "failed", title: "No carrier is chosen" };
  const last = days.toSorted().at(-1);
  const verb = shipments.every(({ carrier }) => carrier?.estimatedDelivery) ? "Arrives" : "Leaves";
  const isShort = lines.some(({ qtyShort }) => qtyShort > 0);
  return { tone: isShort ? "waiting" : "done", title: `${verb} on ${last}` };
}

/** Undefined where a shipment has no price, or another currency. */
function priceOf(shipments: readonly Shipment[]): string | undefined {
  const totals = shipments.flatMap(({ carrier }) => carrier?.price?.total ?? []);
  const [first] = totals;
  if (first === undefined || totals.length < shipments.length) return undefined;
  const { currency } = first;
  if (totals.some((total) => total.currency !== currency)) return undefined;
  return moneyText({ amount: totals.reduce((sum, { amount }) => sum + amount, 0), currency });
}

/** Why goods of a line are missing, and what becomes of them; undefined where none are. */
export function whyShort({ shipments }: Promised, line: PromisedLine): string | undefined {
  const { lineNumber, qty, qtyShort, uom, availableOn } = line;
  if (qtyShort === 0) return undefined;
  const missing = `${qtyText(qtyShort)} ${uom}`;
  const parts = shipments.flatMap((shipment) => shipment.lines.filter((part) => part.lineNumber === lineNumber));
  if (parts.reduce((sum, part) => sum + part.qty, 0) < qty)
    return `${missing} would be cancelled: the client's orders do not wait.`;
  return availableOn === null
    ? `No purchase order says when ${missing} come.`
    : `Purchase orders bring ${missing} by this day, behind the orders that wait.`;
}
