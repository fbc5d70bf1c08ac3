import type { ReasonForExport } from "#/kernel/values/customs-numbers.ts";
import type { CustomsParty, DeclaredLine } from "#/modules/documents/papers/customs-goods.ts";
import type { Weight } from "#/modules/documents/papers/notation.ts";

/**
 * The data of a postal customs declaration, CN 22 or CN 23 of the Universal Postal Union: one parcel that crosses a customs
 * border by post. In English, with French where the forms require it.
 * @see UPU Convention Manual, article 20-001 and forms CN 22 and CN 23.
 */
export interface CustomsDeclaration {
  /** When it was packed, ISO 8601 UTC: the date inside the PDF. */
  readonly madeAt: string;
  /** Its local day at the facility, `YYYY-MM-DD`. */
  readonly date: string;
  readonly orderId: string;
  /** The number of the postal item: the carrier's tracking number, else the SSCC. */
  readonly itemNumber: string;
  /** The postal operator and its service. */
  readonly operator: string;
  readonly sender: CustomsParty;
  readonly addressee: CustomsParty;
  /** Customs numbers of the importer. */
  readonly importerNumbers?: readonly string[] | undefined;
  readonly lines: readonly DeclaredLine[];
  /** ISO 4217. */
  readonly currency: string;
  readonly reasonForExport: ReasonForExport;
  /** With the packing. */
  readonly grossWeight: Weight;
  /** The commercial invoice that goes with it; undefined if there is none. */
  readonly invoiceNumber?: string | undefined;
}

/** The categories of the forms, in their order. */
const categories = [
  ["GIFT", "Gift"],
  [undefined, "Documents"],
  ["SAMPLE", "Commercial sample"],
  ["SALE", "Sale of goods"],
  ["RETURN", "Returned goods"],
  ["REPAIR", "Other: repair or replacement"],
] as const;

/** The categories, with an X in the box of the one that applies. */
export function categoryBoxes({ reasonForExport }: CustomsDeclaration): string[] {
  return categories.map(([reason, name]) => `[${reason === reasonForExport ? "X" : "  "}] ${name}`);
}

export const certification =
  "I certify that the particulars given in this customs declaration are correct and that this item does not contain any dangerous article or articles prohibited by legislation or by postal or customs regulations.";

export const titles = {
  declaration: "CUSTOMS DECLARATION",
  inFrench: "DÉCLARATION EN DOUANE",
  opened: "May be opened officially / Peut être ouvert d’office",
} as const;
