// The parts of which labels of 4 × 6 inches are laid out, for PDF and ZPL alike.

import barcodes from "bwip-js/node";
import { assert } from "#/kernel/assert.ts";
import type { Face } from "#/modules/documents/papers/fonts.ts";
import type { Sheet } from "#/modules/documents/papers/sheet.ts";
import { fit, printable, sizeFor } from "#/modules/documents/papers/text.ts";

/** Four by six inches in points; label printers print it at 102 × 152 mm. */
export const labelSize = { width: 288, height: 432 } as const;

/** The parts of a label, in points from its upper left corner: the same for PDF and ZPL. */
export type LabelPart =
  | {
      readonly kind: "text";
      /** Printable (text.ts). Never wider than its frame in the first font of its face. */
      readonly text: string;
      readonly x: number;
      /** The baseline of the letters. */
      readonly y: number;
      readonly size: number;
      readonly face: Face;
      /** The text is centred in this width from `x` on; absent: it begins at `x`. */
      readonly centredIn?: number;
    }
  | {
      readonly kind: "rule";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly thickness: number;
    }
  | {
      readonly kind: "sscc";
      readonly sscc: string;
      readonly x: number;
      readonly y: number;
      readonly height: number;
      readonly moduleWidth: number;
    };

export const margin = 12;
export const innerWidth = labelSize.width - 2 * margin;

interface Place {
  readonly x: number;
  /** Upper edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly sizeMax: number;
}

export const leading = 1.2;

/** Text in a frame, in the largest font size that fits. */
export function framed(paragraphs: readonly string[], { x, y, ...frame }: Place, face: Face = "regular"): LabelPart[] {
  const printed = paragraphs.map(printable).filter((paragraph) => paragraph !== "");
  const { size, lines } = fit(printed, face, { ...frame, leading });
  return lines.map((text, i) => ({ kind: "text", text, face, size, x, y: y + (i + 0.92) * size * leading }));
}

export function fact(label: string, value: string, place: Place): LabelPart[] {
  return [caption(label, place.x, place.y + 7), ...framed([value], { ...place, y: place.y + 8 }, "bold")];
}

export function caption(text: string, x: number, y: number): LabelPart {
  return { kind: "text", text, x, y, size: 6, face: "regular" };
}

export function line(text: string, x: number, y: number, sizeMax: number, face: Face = "regular") {
  const size = sizeFor(text, face, sizeMax, labelSize.width - margin - x);
  return { kind: "text", text, x, y, size, face } as const;
}

export function rule(y: number, thickness = 0.75): LabelPart {
  return { kind: "rule", x: margin, y, width: innerWidth, thickness };
}

/** The width of an SSCC's bars. */
export const ssccModules = 156;

/**
 * The bars of an SSCC as GS1-128 (application identifier 00), in modules: bar, space, bar … Start, FNC1, ten pairs of
 * digits, check and stop are 156 modules. @see GS1 General Specifications §5.4.
 */
export function ssccBars(sscc: string): readonly number[] {
  const [symbol] = barcodes.raw({ bcid: "gs1-128", text: `(00)${sscc}` });
  assert(symbol && "sbs" in symbol, "bwip-js made no bars of an SSCC");
  return symbol.sbs;
}

/** The SSCC as readable text: with its application identifier, the digits in groups of four. */
export function ssccText(sscc: string): string {
  return `(00) ${sscc.replaceAll(/(\d{4})(?=\d)/g, "$1 ")}`;
}

/** Draws the bars of an SSCC as filled rectangles: sharp at any resolution. */
export function drawBars(
  sheet: Sheet,
  { sscc, x, y, moduleWidth, height }: { sscc: string; x: number; y: number; moduleWidth: number; height: number },
): void {
  let at = 0;
  ssccBars(sscc).forEach((modules, i) => {
    if (i % 2 === 0) sheet.fill(x + at * moduleWidth, y, modules * moduleWidth, height, 1);
    at += modules;
  });
}
