import type { components } from "#operator";

type Address = components["schemas"]["ClientExplainedAddress"];

const words: Readonly<Record<Address["verdict"], string>> = {
  CHECKING: "Being verified",
  DELIVERABLE: "Deliverable",
  CORRECTED: "Deliverable as corrected",
  DOUBTFUL: "Doubtful",
  UNDELIVERABLE: "Undeliverable",
  UNCHECKED: "Not verified",
};

/** The verdict about the address of an order; nothing without a verifier. */
export function addressFacts(address: Address | null | undefined) {
  if (!address) return [];
  const { verdict, reason, correction } = address;
  const fields = Object.values(correction ?? {}).join(", ");
  const text = [words[verdict], reason, fields && `written as ${fields}`].filter(Boolean).join(": ");
  return [{ name: "Verified address", value: text }];
}
