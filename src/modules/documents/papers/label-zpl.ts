import { layOutLabel, type ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import { type LabelPart, labelSize } from "#/modules/documents/papers/label-parts.ts";
import { rasterOf } from "#/modules/documents/papers/raster.ts";

/** Eight dots per millimetre, which is called 203 dpi. */
const dotsPerPoint = (8 * 25.4) / 72;

const dots = (points: number) => Math.round(points * dotsPerPoint);

/** The letters that the printer's own scalable font (`^A0`) has in every firmware. */
const ofThePrinter = /^[\u0020-\u007E\u00A1-\u00FF\u2018\u2019]*$/;

/** The smallest font height of the printer, in dots. */
const heightMin = 10;

/** Prints a shipping label as ZPL II: the same label as the PDF. */
export function printShippingLabelZpl(label: ShippingLabel): Uint8Array {
  return zplOf(layOutLabel(label));
}

/**
 * A label as ZPL II for printers of 203 dpi. The text is ASCII; other letters are hexadecimal UTF-8. A line with letters
 * that a printer may lack (Polish, Greek, Hebrew …), or below its smallest font height, is sent as a picture. The
 * printer's font is narrower than the font that measured the lines.
 */
export function zplOf(parts: readonly LabelPart[]): Uint8Array {
  const lines = [
    "^XA",
    "^CI28",
    `^PW${dots(labelSize.width)}`,
    `^LL${dots(labelSize.height)}`,
    "^LH0,0",
    ...parts.map(partOf),
    "^XZ",
  ];
  return Buffer.from(`${lines.join("\n")}\n`, "ascii");
}

function partOf(part: LabelPart): string {
  switch (part.kind) {
    case "rule":
      return `^FO${dots(part.x)},${dots(part.y - part.thickness / 2)}^GB${dots(part.width)},${dots(part.thickness)},${dots(part.thickness)}^FS`;
    case "sscc":
      // `>;` starts with pairs of digits, `>8` is FNC1: together GS1-128.
      return `^FO${dots(part.x)},${dots(part.y)}^BY${dots(part.moduleWidth)}^BCN,${dots(part.height)},N,N,N,N^FD>;>800${part.sscc}^FS`;
    case "text":
      return dots(part.size) >= heightMin && ofThePrinter.test(part.text) ? fontText(part) : picture(part);
  }
}

type TextPart = Extract<LabelPart, { readonly kind: "text" }>;

function fontText({ text, x, y, size, centredIn }: TextPart): string {
  const height = dots(size);
  const centred = centredIn === undefined ? "" : `^FB${dots(centredIn)},1,0,C`;
  return `^FT${dots(x)},${dots(y)}^A0N,${height},${height}${centred}^FH_^FD${escaped(text)}^FS`;
}

/** Escapes field data, so that nothing in it is a command or an escape sequence. */
export function escaped(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9 .,:;()/+-]/gu, (letter) =>
    [...Buffer.from(letter, "utf8")].map((byte) => `_${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}

function picture({ text, x, y, size, face }: TextPart): string {
  const { rows, bytesPerRow, above } = rasterOf(text, face, size * dotsPerPoint);
  const bytes = rows.length / 2;
  // A picture must not begin above the label.
  const top = Math.max(0, dots(y) - above);
  return `^FO${dots(x)},${top}^GFA,${bytes},${bytes},${bytesPerRow},${rows}^FS`;
}
