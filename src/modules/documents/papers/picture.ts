import { setImmediate } from "node:timers/promises";
import { crc32, deflateSync } from "node:zlib";
import type { PDFiumLibrary } from "@hyzyla/pdfium";

/** 8 dots a millimetre (203.2 dpi), the resolution of label printers: a label of 4 × 6 inches has 812 × 1,219 dots. */
const dotsPerMetre = 8_000;
/** Of pages that other printers print too: two dots for each of a label printer. */
const fineDotsPerMetre = 16_000;
const pointsPerInch = 72;
const metresPerInch = 0.0254;

/** An A4 page takes 4 MB and 15 ms; in a book, four times as much. */
export const picturePagesMax = 10;

/** The picture of a longer paper would take too much memory and time. */
export class PictureTooLongError extends Error {
  override readonly name = "PictureTooLongError";
  readonly pages: number;

  constructor(pages: number) {
    super(`the paper has ${pages} pages, and a picture at most ${picturePagesMax}`);
    this.pages = pages;
  }
}

/** Loaded with the first picture: 4 MB of WebAssembly, 40 ms of processor time. */
let library: Promise<PDFiumLibrary> | undefined;

function loadLibrary(): Promise<PDFiumLibrary> {
  library ??= import("@hyzyla/pdfium").then(({ PDFiumLibrary }) => PDFiumLibrary.init());
  return library;
}

/**
 * All pages of a PDF as one PNG in grey, one below the other. Other work of the thread runs between the pages.
 *
 * @throws {PictureTooLongError}
 */
export async function drawPicture(pdf: Uint8Array): Promise<Uint8Array> {
  const drawn = await Array.fromAsync(drawPages(pdf, dotsPerMetre));
  const width = Math.max(...drawn.map((page) => page.width));
  const height = drawn.reduce((sum, page) => sum + page.height, 0);
  const dots = new Uint8Array(width * height).fill(255);
  let top = 0;
  for (const page of drawn) {
    for (let y = 0; y < page.height; y++) {
      dots.set(page.dots.subarray(y * page.width, (y + 1) * page.width), (top + y) * width);
    }
    top += page.height;
  }
  return encodePng({ width, height, dots }, dotsPerMetre);
}

/** Each page of a PDF as a PNG in grey. @throws {PictureTooLongError} */
export async function* drawPagePictures(pdf: Uint8Array): AsyncGenerator<Uint8Array> {
  for await (const page of drawPages(pdf, fineDotsPerMetre)) yield encodePng(page, fineDotsPerMetre);
}

async function* drawPages(pdf: Uint8Array, resolution: number): AsyncGenerator<GreyImage> {
  const document = await (await loadLibrary()).loadDocument(pdf);
  try {
    const pages = document.getPageCount();
    if (pages > picturePagesMax) throw new PictureTooLongError(pages);
    const scale = (resolution * metresPerInch) / pointsPerInch;
    for (const page of document.pages()) {
      await setImmediate();
      // The library has its own memory, which the next page uses again.
      const render = ({ data }: { readonly data: Uint8Array }) => Promise.resolve(data.slice());
      const { width, height, data: dots } = await page.render({ scale, colorSpace: "Gray", render });
      yield { width, height, dots };
    }
  } finally {
    document.destroy();
  }
}

interface GreyImage {
  /** In dots. */
  readonly width: number;
  readonly height: number;
  /** One byte a dot, rows from the top: 0 is black, 255 white. */
  readonly dots: Uint8Array;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Level 3 takes a third of the time of the default level, for a file of the same size. */
const compressionLevel = 3;

/**
 * A PNG (W3C PNG, third edition) of 8 bits grey with its physical size, so that it is printed at the size of the paper.
 *
 * @param dotsPerMetre resolution in both directions
 */
function encodePng({ width, height, dots }: GreyImage, dotsPerMetre: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Bit depth 8, colour type 0 (grey); compression, filter and interlace have only their method 0.
  header[8] = 8;
  const physical = Buffer.alloc(9);
  physical.writeUInt32BE(dotsPerMetre, 0);
  physical.writeUInt32BE(dotsPerMetre, 4);
  // The unit is the metre.
  physical[8] = 1;
  // Each row begins with the number of its filter, 0 for none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(dots.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("pHYs", physical),
    chunk("IDAT", deflateSync(rows, { level: compressionLevel })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Length of the data, type, data, and the checksum of type and data. */
function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(data.byteLength + 12);
  bytes.writeUInt32BE(data.byteLength, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.byteLength + 8)), data.byteLength + 8);
  return bytes;
}
