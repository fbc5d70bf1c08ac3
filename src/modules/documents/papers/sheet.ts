import { createRequire } from "node:module";
import { type Face, loadFont } from "#/modules/documents/papers/fonts.ts";
import { printable, runsOf, sizeFor, widthOf } from "#/modules/documents/papers/text.ts";

/** A place on a page, in points from its upper left corner; `y` is the baseline. */
export interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly face?: Face;
  /** The position of `x` in the text. */
  readonly align?: "left" | "right" | "centre";
  readonly isGrey?: boolean;
  /** Wider text uses a smaller font size. */
  readonly widthMax?: number;
}

export interface SheetOptions {
  /** In points. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  /** ISO 8601; the PDF's date, and with the title the source of its identifier. */
  readonly madeAt: string;
}

/** Pages of a PDF; the same drawing gives the same bytes. */
export interface Sheet {
  text(text: string, place: TextPlace): void;
  rule(x: number, y: number, width: number, thickness?: number): void;
  fill(x: number, y: number, width: number, height: number, grey: number): void;
  addPage(): void;
  finish(): Uint8Array;
}

const require = createRequire(import.meta.url);
/** Loaded with the first PDF: the library and its fonts take 0.13 s of processor time, a fifteenth of a start. */
const pdfLibrary = () => require("pdfkit") as typeof import("pdfkit");

const rounded = (length: number) => Math.round(length * 100) / 100;

/**
 * Opens a PDF. It is not compressed: the output of zlib depends on the processor and its version, and the store
 * compresses its data anyway.
 */
export const openSheet: OpenSheet = ({ width, height, ...about }) => {
  const document = openDocument({ size: [width, height] }, about);
  const sheetOn = createDrawing(document);
  return sheetOn(
    () => document.addPage(),
    () => bytesOf(document),
  );
};

export type OpenSheet = (options: SheetOptions) => Sheet;

/** Several papers in one PDF. Each paper keeps the size of its pages. */
export interface Book {
  /** Opens a sheet on a new page; its own `finish` returns no bytes. */
  readonly open: OpenSheet;
  /** Adds a page that is filled by a PNG. @param size in points */
  addPicture(png: Uint8Array, size: { readonly width: number; readonly height: number }): void;
  finish(): Promise<Uint8Array>;
}

export function openBook(about: Omit<SheetOptions, "width" | "height">): Book {
  const document = openDocument({ autoFirstPage: false }, about);
  const sheetOn = createDrawing(document);
  return {
    open({ width, height }) {
      const addPage = () => document.addPage({ size: [width, height], margin: 0 });
      addPage();
      return sheetOn(addPage, () => new Uint8Array());
    },
    addPicture(png, { width, height }) {
      document.addPage({ size: [width, height], margin: 0 });
      document.image(Buffer.from(png), 0, 0, { width, height });
    },
    // Pictures with transparency are decoded beside the thread.
    async finish() {
      document.end();
      return Buffer.concat((await Array.fromAsync(document)) as Buffer[]);
    },
  };
}

type PdfDocument = InstanceType<ReturnType<typeof pdfLibrary>>;

function openDocument(
  pages: PDFKit.PDFDocumentOptions,
  { title, language, madeAt }: Omit<SheetOptions, "width" | "height">,
): PdfDocument {
  const PdfDocument = pdfLibrary();
  const document = new PdfDocument({
    ...pages,
    margin: 0,
    compress: false,
    // Undefined would mean Helvetica, which is not embedded.
    font: null as unknown as string,
    pdfVersion: "1.7",
    lang: language,
    displayTitle: true,
    info: { Title: printable(title), Producer: "Crossdock", Creator: "Crossdock", CreationDate: new Date(madeAt) },
  });
  joinOperators(document);
  // The library measures each text twice, to place a link or the text that follows. Here each text has its place.
  document.widthOfString = () => 0;
  return document;
}

/** Writes the operators of a page at once: the library copies each line byte by byte to a separate buffer. */
function joinOperators(document: PdfDocument): void {
  const lines: string[] = [];
  document.addContent = (line: string) => {
    lines.push(line);
    return document;
  };
  const { flushPages } = document;
  document.flushPages = () => {
    if (lines.length > 0) document.page.write(Buffer.from(`${lines.splice(0).join("\n")}\n`, "latin1"));
    flushPages.call(document);
  };
}

function bytesOf(document: PdfDocument): Uint8Array {
  document.end();
  const chunks: Buffer[] = [];
  for (let chunk = document.read(); chunk !== null; chunk = document.read()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Returns a function that makes sheets on the document; they share its fonts. */
function createDrawing(document: PdfDocument): (addPage: () => void, finish: () => Uint8Array) => Sheet {
  const opened = new Set<string>();

  function draw(line: string, face: Face, size: number, x: number, y: number): void {
    let at = x;
    const runs = runsOf(line, face);
    for (const { text, font, isRightToLeft } of runs) {
      if (!opened.has(font)) {
        document.registerFont(font, loadFont(font).forDocument() as unknown as ArrayBuffer);
        opened.add(font);
      }
      // With features set, the library shapes and reverses the run as a whole.
      const shape = isRightToLeft ? { features: [] } : {};
      document
        .font(font, size)
        .text(text, rounded(at), rounded(y), { lineBreak: false, baseline: "alphabetic", ...shape });
      if (runs.length > 1) at += isRightToLeft ? loadFont(font).widthOf(text) * size : widthOf(text, face) * size;
    }
  }

  return (addPage, finish) => ({
    text(text, { x, y, size, face = "regular", align = "left", isGrey = false, widthMax }) {
      const line = printable(text);
      const fitted = widthMax === undefined ? size : sizeFor(line, face, size, widthMax);
      const wide = align === "left" ? 0 : widthOf(line, face) * fitted;
      document.fillColor(isGrey ? "#555555" : "#000000");
      draw(line, face, fitted, align === "left" ? x : align === "right" ? x - wide : x - wide / 2, y);
    },
    rule(x, y, length, thickness = 0.5) {
      document.rect(rounded(x), rounded(y - thickness / 2), rounded(length), thickness).fill("#000000");
    },
    fill(x, y, wide, high, grey) {
      const part = Math.round(255 * (1 - grey));
      document.rect(rounded(x), rounded(y), rounded(wide), rounded(high)).fill([part, part, part]);
    },
    addPage,
    finish,
  });
}
