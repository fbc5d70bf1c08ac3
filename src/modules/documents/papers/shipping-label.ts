import { layOutLabel, type ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import { drawBars, type LabelPart, labelSize } from "#/modules/documents/papers/label-parts.ts";
import { type OpenSheet, openSheet, type SheetOptions } from "#/modules/documents/papers/sheet.ts";

/** Prints a shipping label as PDF, 4 × 6 inches. The same label gives the same bytes. */
export function printShippingLabel(label: ShippingLabel, open?: OpenSheet): Uint8Array {
  const { madeAt, orderId } = label;
  return drawLabel(layOutLabel(label), { title: `Shipping label ${orderId}`, language: "en", madeAt }, open);
}

/** A label as PDF. */
export function drawLabel(
  parts: readonly LabelPart[],
  about: Omit<SheetOptions, "width" | "height">,
  open: OpenSheet = openSheet,
): Uint8Array {
  const sheet = open({ ...labelSize, ...about });
  for (const part of parts) {
    if (part.kind === "text") {
      const { text, x, centredIn, ...place } = part;
      sheet.text(text, centredIn ? { ...place, x: x + centredIn / 2, align: "centre" } : { ...place, x });
    }
    if (part.kind === "rule") sheet.rule(part.x, part.y, part.width, part.thickness);
    if (part.kind === "sscc") drawBars(sheet, part);
  }
  return sheet.finish();
}
