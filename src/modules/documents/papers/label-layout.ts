import { assert } from "#/kernel/assert.ts";
import { gs1CheckDigit } from "#/kernel/values/gtin.ts";
import { addressLines, type Party } from "#/modules/documents/papers/address.ts";
import {
  caption,
  fact,
  framed,
  innerWidth,
  type LabelPart,
  labelSize,
  leading,
  line,
  margin,
  rule,
  ssccModules,
  ssccText,
} from "#/modules/documents/papers/label-parts.ts";
import { formatDate, formatWeight, type Weight } from "#/modules/documents/papers/notation.ts";
import { printable, wrap } from "#/modules/documents/papers/text.ts";

/** The data of a shipping label: a packed parcel. In English, which carriers read everywhere. */
export interface ShippingLabel {
  /** When it was packed, ISO 8601 UTC: the date inside the PDF. */
  readonly madeAt: string;
  /** Its local day at the facility, `YYYY-MM-DD`. */
  readonly date: string;
  /** SSCC-18. */
  readonly olpnId: string;
  readonly orderId: string;
  readonly externalOrderReference?: string | undefined;
  readonly shipFrom: Party;
  readonly shipTo: Party;
  /** Code of the carrier, or its name if known. */
  readonly carrier: string;
  /** Name or code of the carrier's service. */
  readonly service?: string | undefined;
  readonly trackingNumber: string;
  /** The number was derived from the SSCC, because the carrier gave none: the label says so (warehouse.md). */
  readonly isGeneratedTrackingNumber: boolean;
  readonly weight: Weight;
  /** `UN1266 LTD QTY`; undefined without dangerous goods, and where their UN number is not known. */
  readonly dangerousGoods?: string | undefined;
  /**
   * The number of the parcel within the order, from 1, and the total; the total is undefined while more parcels may
   * follow.
   */
  readonly piece: number;
  readonly pieces?: number | undefined;
}

/**
 * Half a millimetre: four dots at 203 dpi. GS1 requires at least 0.495 mm on a logistic label, and bars 31.75 mm high.
 * @see GS1 General Specifications §5.12.3 and GS1 Logistic Label Guideline.
 */
const moduleWidth = (0.5 * 72) / 25.4;
const barsHeight = (32 * 72) / 25.4;

const ownNumberNote = "NOT A CARRIER’S LABEL: this tracking number was made from the SSCC";

export function layOutLabel(label: ShippingLabel): LabelPart[] {
  const { olpnId } = label;
  const isSscc = /^\d{18}$/.test(olpnId) && gs1CheckDigit(olpnId.slice(0, -1)) === Number(olpnId.slice(-1));
  assert(isSscc, `'${olpnId}' is not an SSCC-18`);
  const { shipFrom, shipTo, piece, pieces } = label;
  const half = innerWidth / 2;
  const right = margin + half;
  const sender = addressLines(shipFrom, "en");
  const top = 58;
  const middle = top + senderHeight(sender) + 2;
  const below = 253;
  return [
    ...framed([label.carrier], { x: margin, y: 10, width: 188, height: 27, sizeMax: 20 }, "bold"),
    ...framed([label.service ?? ""], { x: margin, y: 37, width: 188, height: 16, sizeMax: 11 }),
    ...fact("PIECE", pieces === undefined ? String(piece) : `${piece} of ${pieces}`, {
      x: 208,
      y: 10,
      width: labelSize.width - margin - 208,
      height: 28,
      sizeMax: 20,
    }),
    ...(label.dangerousGoods
      ? framed(
          [label.dangerousGoods],
          { x: 208, y: 40, width: labelSize.width - margin - 208, height: 14, sizeMax: 9 },
          "bold",
        )
      : []),
    rule(56),
    caption("FROM", margin, top + 6),
    ...framed(sender, { ...beside, y: top, height: middle - 2 - top, sizeMax: 8 }),
    rule(middle, 1.5),
    caption("TO", margin, middle + 9),
    ...framed(toLines(shipTo), { ...beside, y: middle + 3, height: below - 3 - (middle + 3), sizeMax: 15 }, "bold"),
    rule(below, 1.5),
    ...fact("ORDER", label.orderId, { x: margin, y: 255, width: half - 6, height: 15, sizeMax: 10 }),
    ...(label.externalOrderReference
      ? fact("REFERENCE", label.externalOrderReference, { x: right, y: 255, width: half, height: 15, sizeMax: 10 })
      : []),
    ...fact("WEIGHT", formatWeight(label.weight, "en"), { x: margin, y: 279, width: 62, height: 15, sizeMax: 10 }),
    ...fact("DATE", formatDate(label.date, "en"), { x: margin + 66, y: 279, width: 62, height: 15, sizeMax: 10 }),
    ...fact("TRACKING NUMBER", label.trackingNumber, { x: right, y: 279, width: half, height: 15, sizeMax: 10 }),
    ...(label.isGeneratedTrackingNumber ? [line(ownNumberNote, margin, 312, 7.5, "bold")] : []),
    rule(317),
    {
      kind: "sscc",
      sscc: olpnId,
      moduleWidth,
      height: barsHeight,
      x: (labelSize.width - ssccModules * moduleWidth) / 2,
      y: 321,
    },
    { ...line(ssccText(olpnId), margin, 424, 10.5), centredIn: innerWidth },
  ];
}

/** The frame next to the words FROM and TO. */
const beside = { x: margin + 28, width: innerWidth - 28 } as const;

/** A long sender address gets more height, so that it stays readable; the receiver gets the rest. */
function senderHeight(lines: readonly string[]): number {
  const size = 4;
  const wrapped = lines.flatMap((paragraph) => wrap(printable(paragraph), "regular", beside.width / size));
  return Math.min(Math.max(54, wrapped.length * size * leading), 88);
}

/**
 * The country of destination comes last and in capitals, as the Universal Postal Union requires for cross-border mail.
 */
function toLines(party: Party): string[] {
  const lines = addressLines(party, "en");
  return party.country === undefined ? lines : [...lines.slice(0, -1), (lines.at(-1) ?? "").toUpperCase()];
}
