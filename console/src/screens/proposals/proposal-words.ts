import type { components } from "#operator";
import { linkTo, type ObjectKind } from "../../links.ts";
import { wordOf } from "../../parts/tones.ts";

type Proposal = components["schemas"]["ProposalSummary"];

/** The proposed change: "Hold order WEB-1". */
export function titleOf({ tool, objectId }: Pick<Proposal, "tool" | "objectId">): string {
  return `${wordOf(tool)} ${objectId}`;
}

/** The page of the object; a lot has none without its product. */
export function objectPath({ objectType, clientId, objectId }: Proposal): string | undefined {
  return objectType === "lot" ? undefined : linkTo(objectType satisfies ObjectKind, clientId, objectId);
}

/** `shipToAddress.city` in words: "Ship to address, city". Places in a list count from 1. */
export function fieldWord(field: string): string {
  const words = field
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part.replaceAll(/([A-Z])/g, " $1").toLowerCase()))
    .join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
