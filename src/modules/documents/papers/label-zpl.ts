import { type Face, loadFont } from "#/modules/documents/papers/fonts.ts";
import { layOutLabel, type ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import { type LabelPart, labelSize } from "#/modules/documents/papers/label-parts.ts";
import { runsOf } from "#/modules/documents/papers/text.ts";

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

interface Raster {
  /** Rows from the top, each of whole bytes, one bit per dot, as hexadecimal digits. */
  readonly rows: string;
  readonly bytesPerRow: number;
  /** The number of rows above the baseline. */
  readonly above: number;
}

/** The intersection of a row with an outline. */
interface Crossing {
  readonly x: number;
  readonly turn: 1 | -1;
}

type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

/**
 * A line of text as black and white dots: a dot is black if its centre is inside an outline (non-zero winding).
 *
 * @param text printable
 * @param size in dots
 */
function rasterOf(text: string, face: Face, size: number): Raster {
  const { edges, width } = outlines(text, face, size);
  const above = Math.ceil(size * 1.1);
  const height = above + Math.ceil(size * 0.4);
  const bytesPerRow = Math.max(1, Math.ceil(width / 8));
  const dots = Buffer.alloc(height * bytesPerRow);
  const rows: Crossing[][] = Array.from({ length: height }, () => []);
  for (const [x0, y0, x1, y1] of edges) {
    const turn = y0 < y1 ? 1 : -1;
    // The rows with centres, at `above - row - 0.5`, between its ends.
    const first = Math.max(0, Math.ceil(above - 0.5 - Math.max(y0, y1)));
    const last = Math.min(height, Math.ceil(above - 0.5 - Math.min(y0, y1)));
    for (let row = first; row < last; row++) {
      rows[row]?.push({ x: x0 + ((above - row - 0.5 - y0) * (x1 - x0)) / (y1 - y0), turn });
    }
  }
  rows.forEach((crossings, row) => {
    crossings.sort((left, right) => left.x - right.x);
    let winding = 0;
    crossings.forEach(({ x, turn }, i) => {
      winding += turn;
      const next = crossings[i + 1];
      if (winding === 0 || !next) return;
      const last = Math.min(Math.ceil(next.x - 0.5), bytesPerRow * 8);
      for (let dot = Math.max(0, Math.ceil(x - 0.5)); dot < last; dot++) {
        const at = row * bytesPerRow + (dot >> 3);
        dots[at] = (dots[at] as number) | (0x80 >> (dot & 7));
      }
    });
  });
  return { rows: dots.toString("hex").toUpperCase(), bytesPerRow, above };
}

/** The outlines of all letters as straight segments, in dots; the y axis points upwards. */
function outlines(line: string, face: Face, size: number): { readonly edges: Edge[]; readonly width: number } {
  const edges: Edge[] = [];
  let x = 0;
  for (const { text, font } of runsOf(line, face)) {
    const { glyphs, width } = loadFont(font).outlinesOf(text);
    for (const glyph of glyphs) {
      const at = (px: number) => x + (glyph.x + px * glyph.scale) * size;
      const up = (py: number) => (glyph.y + py * glyph.scale) * size;
      for (const [x0, y0, x1, y1] of flattened(glyph.commands)) edges.push([at(x0), up(y0), at(x1), up(y1)]);
    }
    x += width * size;
  }
  return { edges, width: x };
}

interface PathCommand {
  readonly command: string;
  readonly args: readonly number[];
}

/** The straight segments of a curve: at the sizes of a label more are not visible. */
const curvePieces = 6;

function* flattened(commands: readonly PathCommand[]): Generator<Edge> {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args;
    if (command === "moveTo") [x, y, startX, startY] = [a, b, a, b];
    else if (command === "lineTo") {
      yield [x, y, a, b];
      [x, y] = [a, b];
    } else if (command === "quadraticCurveTo") {
      let [fromX, fromY] = [x, y];
      for (let piece = 1; piece <= curvePieces; piece++) {
        const t = piece / curvePieces;
        const u = 1 - t;
        const [toX, toY] = [u * u * x + 2 * u * t * a + t * t * c, u * u * y + 2 * u * t * b + t * t * d];
        yield [fromX, fromY, toX, toY];
        [fromX, fromY] = [toX, toY];
      }
      [x, y] = [c, d];
    } else if (command === "closePath") {
      yield [x, y, startX, startY];
      [x, y] = [startX, startY];
    }
  }
}
