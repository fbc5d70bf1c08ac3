import { assert } from "#/kernel/assert.ts";
import { holdMeanings, orderStateRules, orderStates, stateCodes } from "#/modules/orders/index.ts";
import type { OrderState } from "#/modules/orders/states.ts";
import { type Lifecycle, lifecycles } from "./lifecycles.ts";
import { markdownTable } from "./tables.ts";

// Transitions of a sales order, computed with the rules that derive its state: one move of units, one hold, or the end of a parcel.

type Facts = Parameters<(typeof orderStateRules)[number]["holds"]>[0];
type Bucket = Exclude<keyof Facts["sum"], "ordered">;

const buckets: readonly Bucket[] = ["open", "backordered", "allocated", "picked", "packed", "despatched", "cancelled"];
const allocation = "allocation";
const cancellation = "cancellation";
/** Where units of each bucket may go, and by what. */
const moves: Readonly<Record<Bucket, Readonly<Partial<Record<Bucket, string>>>>> = {
  open: { backordered: "no stock", allocated: allocation, cancelled: cancellation },
  backordered: { allocated: allocation, cancelled: cancellation },
  allocated: { backordered: "loss of stock", picked: "pick", cancelled: cancellation },
  picked: { packed: "pack", cancelled: cancellation },
  packed: { picked: "void of a parcel", despatched: "despatch" },
  despatched: {},
  cancelled: {},
};
const ordered = 2;
const noEnds = { parcels: 0, delivered: 0, returnedToSender: 0, lost: 0 };
const inTransit = { ...noEnds, parcels: 1 };
const ended = [
  { by: "delivery", ends: { ...inTransit, delivered: 1 } },
  { by: "return to the sender", ends: { ...inTransit, returnedToSender: 1 } },
];

/** Every way in which two units are spread over the buckets. */
const spreads: readonly Facts["sum"][] = buckets.flatMap((first) =>
  buckets
    .filter((second) => buckets.indexOf(second) >= buckets.indexOf(first))
    .map((second) => withUnits(withUnits(none(), first, 1), second, 1)),
);

interface Step {
  readonly state: string;
  /** The causes of the transition. */
  readonly causes: readonly string[];
}

/** The next states of an order in this state, in the order of the states. */
export function orderSteps(state: OrderState): Step[] {
  const found = new Map<OrderState, Set<string>>();
  const note = (facts: Facts, by: string) => {
    const next = stateOf(facts);
    found.set(next, (found.get(next) ?? new Set()).add(by));
  };
  for (const sum of spreads) {
    const facts = factsOf(sum, false);
    const held = factsOf(sum, true);
    if (stateOf(facts) === state) {
      for (const { after, by } of [...afterMoves(sum), ...afterEnds(facts)]) note(after, by);
      note(held, "hold");
    }
    if (stateOf(held) === state) note(facts, "release of the last hold");
  }
  return orderStates
    .filter((next) => next !== state && found.has(next))
    .map((next) => ({ state: next, causes: [...(found.get(next) ?? [])] }));
}

function none(): Facts["sum"] {
  return { ordered, open: 0, backordered: 0, allocated: 0, picked: 0, packed: 0, despatched: 0, cancelled: 0 };
}

function withUnits(sum: Facts["sum"], bucket: Bucket, units: number): Facts["sum"] {
  return { ...sum, [bucket]: sum[bucket] + units };
}

function factsOf(sum: Facts["sum"], hasHold: boolean, ends = sum.despatched > 0 ? inTransit : noEnds): Facts {
  return { sum, remaining: sum.ordered - sum.cancelled, hasHold, ends };
}

function stateOf(facts: Facts): OrderState {
  return orderStateRules.find(({ holds }) => holds(facts))?.state as OrderState;
}

interface Change {
  readonly after: Facts;
  readonly by: string;
}

function afterMoves(sum: Facts["sum"]): Change[] {
  return buckets.flatMap((from) =>
    Object.entries(moves[from]).flatMap(([to, by]) =>
      [1, 2]
        .filter((units) => units <= sum[from])
        .map((units) => ({ by, after: factsOf(withUnits(withUnits(sum, from, -units), to as Bucket, units), false) })),
    ),
  );
}

function afterEnds(facts: Facts): Change[] {
  return facts.sum.despatched > 0 ? ended.map(({ by, ends }) => ({ by, after: { ...facts, ends } })) : [];
}

/** The states of an object as rows, and its transitions as arcs: those to a later row on the right, the others on the left. */
interface Row {
  readonly state: string;
  readonly next: readonly Step[];
}

/** The causes in a diagram, in the order of their numbers, from 1. */
const causesIn = (rows: readonly Row[]) => [
  ...new Set(rows.flatMap(({ next }) => next.flatMap(({ causes }) => causes))),
];

const rowPx = 36;
const boxPx = { height: 24, perLetter: 7.3, padding: 20 };
/** How far an arc stands out: at least, and for each row that it spans. */
const bulgePx = { least: 24, perRow: 24 };
/** Arcs leave a box below its middle and reach it above, so that an end shows its direction. */
const endPx = 5;
const marginPx = 10;
/** Half a label of two numbers. */
const labelPx = 10;

/** An SVG with its own light background: a page shows it in both schemes. The numbers are explained below it. */
function statesDiagram(title: string, rows: readonly Row[]): string {
  const places = new Map(rows.map(({ state }, i) => [state, i]));
  const numbers = new Map(causesIn(rows).map((by, i) => [by, i + 1]));
  const arcs = rows.flatMap(({ next }, from) =>
    next.map(({ state, causes }) => ({
      from,
      to: places.get(state) as number,
      label: causes.map((by) => numbers.get(by)).join(","),
    })),
  );
  const bulgeOf = ({ from, to }: (typeof arcs)[number]) => bulgePx.least + bulgePx.perRow * Math.abs(to - from);
  const widest = (isForward: boolean) =>
    Math.max(0, ...arcs.filter(({ from, to }) => to > from === isForward).map((arc) => 0.75 * bulgeOf(arc) + labelPx));
  const letters = Math.max(...rows.map(({ state }) => state.length));
  const width = Math.ceil(letters * boxPx.perLetter + boxPx.padding);
  const left = Math.ceil(marginPx + widest(false));
  const size = { width: left + width + Math.ceil(widest(true)) + marginPx, height: rows.length * rowPx + marginPx };
  const middleOf = (row: number) => marginPx / 2 + row * rowPx + rowPx / 2;
  const boxes = rows.map(({ state }, row) => {
    const y = middleOf(row);
    return `<rect x="${left}" y="${y - boxPx.height / 2}" width="${width}" height="${boxPx.height}" rx="4" class="box"/><text x="${left + width / 2}" y="${y + 4}">${state}</text>`;
  });
  const curves = arcs.map((arc) => {
    const isForward = arc.to > arc.from;
    const x = isForward ? left + width : left;
    const out = isForward ? x + bulgeOf(arc) : x - bulgeOf(arc);
    const down = isForward ? endPx : -endPx;
    const [from, to] = [middleOf(arc.from) + down, middleOf(arc.to) - down];
    return `<path d="M${x} ${from}C${out} ${from} ${out} ${to} ${x} ${to}"/>`;
  });
  // Above all arcs, at the outermost point of each.
  const labels = arcs.map((arc) => {
    const isForward = arc.to > arc.from;
    const out = 0.75 * bulgeOf(arc);
    const x = isForward ? left + width + out : left - out;
    return `<text x="${x}" y="${(middleOf(arc.from) + middleOf(arc.to)) / 2 + 3}" class="by">${arc.label}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img">
<title>${title}: states and transitions</title>
<style>text{font:12px ui-monospace,monospace;text-anchor:middle;fill:#1f2937}.box{fill:#e0e7ff;stroke:#4f46e5}.by{font:10px system-ui,sans-serif;stroke:#fff;stroke-width:3px;paint-order:stroke}path{fill:none;stroke:#4b5563;marker-end:url(#end)}</style>
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#4b5563;stroke:none;marker-end:none"/></marker></defs>
<rect width="${size.width}" height="${size.height}" rx="6" fill="#fff"/>
${[...boxes, ...curves, ...labels].join("\n")}
</svg>
`;
}

const named = (state: string) => `\`${state}\``;

const order = { title: "Sales order", states: orderStates.map((state) => ({ state, next: orderSteps(state) })) };

const fileOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")
    .trim()
    .replaceAll(" ", "-");

const imageOf = (title: string) =>
  `![${title}: an arrow on the right leads to a later state, one on the left back](images/states/${fileOf(title)}.svg)`;

/** The diagrams of docs/states.md by the names of their files. */
export const stateDiagrams: ReadonlyMap<string, string> = new Map(
  [order, ...lifecycles.map(rowsOf)].map(({ title, states }) => [`${fileOf(title)}.svg`, statesDiagram(title, states)]),
);

function rowsOf({ title, states }: Lifecycle): { readonly title: string; readonly states: readonly Row[] } {
  const causes = new Map(states.map(({ state, by }) => [state, by]));
  const stepTo = (state: string): Step => {
    const by = causes.get(state);
    assert(by !== undefined, `${title}: what leads to ${state} is missing`);
    return { state, causes: [by] };
  };
  return { title, states: states.map(({ state, next }) => ({ state, next: [...new Set(next)].map(stepTo) })) };
}

/** The numbers of the arrows of a diagram. */
const legendOf = (rows: readonly Row[]) =>
  causesIn(rows)
    .map((by, i) => `${i + 1}: ${by}`)
    .join("; ");

/** The complete docs/states.md; a test compares the file with it. */
export function statesPage(): string {
  const rules = orderStateRules.map(({ state, when }, i) => [
    ...[String(i + 1), named(state), when],
    String(stateCodes[state] ?? ""),
  ]);
  const sections = lifecycles.map(({ title, about, states }) => {
    const rows = states.map(({ state, meaning, next }) => [named(state), meaning, next.map(named).join(", ")]);
    const legend = legendOf(rowsOf({ title, about, states }).states);
    return `## ${title}\n\n${about}\n\n${imageOf(title)}\n\nThe arrows: ${legend}.\n\n${markdownTable(["State", "Meaning", "Next"], rows)}`;
  });
  return `# States

The states of each object, as REST records, events and outbound documents name them. A list may grow: take a state that you do not know
as "something else". What leads from one state to another is in the [contract](contract/lifecycle.md).

## Sales order

Quantities are the truth, and the state is derived from them. Each line has the buckets open, back-ordered, allocated, picked, packed,
despatched and cancelled, whose sum is the quantity ordered; "what remains" is what was ordered less what was cancelled. The first row
that fits is the state of the order; a line has its own state by the same rows. The [code](event-codes.md) is the \`statusCode\` of an OS.

${markdownTable(["", "State", "When", "Code"], rules)}

One movement of units, one hold or its release, and the end of a parcel lead along these arrows:

${imageOf(order.title)}

The arrows: ${legendOf(order.states)}.

Holds keep an order from leaving; it may have several:

${markdownTable(
  ["Hold", "Meaning"],
  Object.entries(holdMeanings).map(([hold, meaning]) => [named(hold), meaning]),
)}

${sections.join("\n\n")}

This page is generated from the code: \`orders/order.ts\`, the \`domain.ts\` of the other modules and \`tests/support/pages/lifecycles.ts\`.
`;
}
