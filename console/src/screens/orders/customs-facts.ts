import type { components } from "#operator";
import { destinationNames } from "../inventory/destination-names.ts";

type Customs = components["schemas"]["ClientExplainedCustoms"];

/** The customs data that an order lacks, and the duty of its tariff lines; nothing where it crosses no customs border. */
export function customsFacts(customs: Customs | null) {
  if (customs === null) return [];
  const { destination, isComplete, lacks, flatDuty } = customs;
  const fields = [...new Set(lacks.map(({ field, sku }) => `${field} of ${sku}`))];
  const more = fields.length > shownMax ? ` and ${fields.length - shownMax} more` : "";
  const place = destinationNames[destination] ?? destination;
  return [
    {
      name: "Customs data",
      value: `${place}: ${isComplete ? "complete" : `${fields.slice(0, shownMax).join(", ")}${more} missing`}`,
    },
    { name: "Flat duty", value: flatDuty && dutyText(flatDuty) },
  ];
}

const shownMax = 3;

type FlatDuty = NonNullable<Customs["flatDuty"]>;

function dutyText({ tariffLines, eur, paidBy }: FlatDuty): string {
  const payer = paidBy === null ? "" : `, paid by the ${paidBy === "SENDER" ? "sender" : "buyer"}`;
  return `${eur} EUR for ${tariffLines} tariff ${tariffLines === 1 ? "line" : "lines"}${payer}`;
}
