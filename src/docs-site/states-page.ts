import { lifecycles } from "#/docs-site/lifecycles.ts";
import { markdownTable } from "#/docs-site/markdown-table.ts";
import { orderSteps } from "#/docs-site/order-steps.ts";
import { statesDiagram } from "#/docs-site/states-diagram.ts";
import { holdMeanings, orderStateRules, orderStates, stateCodes } from "#/modules/orders/index.ts";

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
  [order, ...lifecycles].map(({ title, states }) => [`${fileOf(title)}.svg`, statesDiagram(title, states)]),
);

/** The complete docs/states.md; a test compares the file with it. */
export function statesPage(): string {
  const rules = orderStateRules.map(({ state, when }, i) => [
    ...[String(i + 1), named(state), when],
    String(stateCodes[state] ?? ""),
  ]);
  const sections = lifecycles.map(({ title, about, states }) => {
    const rows = states.map(({ state, meaning, next }) => [named(state), meaning, next.map(named).join(", ")]);
    return `## ${title}\n\n${about}\n\n${imageOf(title)}\n\n${markdownTable(["State", "Meaning", "Next"], rows)}`;
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

Holds keep an order from leaving; it may have several:

${markdownTable(
  ["Hold", "Meaning"],
  Object.entries(holdMeanings).map(([hold, meaning]) => [named(hold), meaning]),
)}

${sections.join("\n\n")}

This page is generated from the code: \`orders/order.ts\`, the \`domain.ts\` of the other modules and \`src/docs-site/lifecycles.ts\`.
`;
}
