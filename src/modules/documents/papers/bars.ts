import barcodes from "bwip-js/node";
import { assert } from "#/kernel/assert.ts";
import type { Sheet } from "#/modules/documents/papers/sheet.ts";

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
