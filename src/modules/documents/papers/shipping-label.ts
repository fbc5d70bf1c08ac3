import { drawBars } from "#/modules/documents/papers/bars.ts";
import { labelSize, layOutLabel, type ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import { type OpenSheet, openSheet } from "#/modules/documents/papers/sheet.ts";

/** Prints a shipping label as PDF, 4 × 6 inches. The same label gives the same bytes. */
export function printShippingLabel(label: ShippingLabel, open: OpenSheet = openSheet): Uint8Array {
  const { madeAt, orderId } = label;
  const sheet = open({ ...labelSize, title: `Shipping label ${orderId}`, language: "en", madeAt });
  for (const part of layOutLabel(label)) {
    if (part.kind === "text") {
      const { text, x, centredIn, ...place } = part;
      sheet.text(text, centredIn ? { ...place, x: x + centredIn / 2, align: "centre" } : { ...place, x });
    }
    if (part.kind === "rule") sheet.rule(part.x, part.y, part.width, part.thickness);
    if (part.kind === "sscc") drawBars(sheet, part);
  }
  return sheet.finish();
}
