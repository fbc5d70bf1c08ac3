/** Verdicts about the ship-to address of an order (docs/addresses.md). */
export const addressVerdicts = [
  "CHECKING",
  "DELIVERABLE",
  "CORRECTED",
  "DOUBTFUL",
  "UNDELIVERABLE",
  "UNCHECKED",
] as const;
export type AddressVerdict = (typeof addressVerdicts)[number];
