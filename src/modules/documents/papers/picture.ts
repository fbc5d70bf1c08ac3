import { setImmediate } from "node:timers/promises";
import type { PDFiumLibrary } from "@hyzyla/pdfium";
import { encodePng } from "#/modules/documents/papers/picture/png.ts";

/** 8 dots a millimetre (203.2 dpi), the resolution of label printers: a label of 4 × 6 inches has 812 × 1,219 dots. */
const dotsPerMetre = 8_000;
const pointsPerInch = 72;
const metresPerInch = 0.0254;

/** An A4 page takes 4 MB and 15 ms. */
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
  const document = await (await loadLibrary()).loadDocument(pdf);
  try {
    const pages = document.getPageCount();
    if (pages > picturePagesMax) throw new PictureTooLongError(pages);
    const drawn = [];
    for (const page of document.pages()) {
      const scale = (dotsPerMetre * metresPerInch) / pointsPerInch;
      await setImmediate();
      // The library has its own memory, which the next page uses again.
      drawn.push(await page.render({ scale, colorSpace: "Gray", render: ({ data }) => Promise.resolve(data.slice()) }));
    }
    const width = Math.max(...drawn.map((page) => page.width));
    const height = drawn.reduce((sum, page) => sum + page.height, 0);
    const dots = new Uint8Array(width * height).fill(255);
    let top = 0;
    for (const page of drawn) {
      for (let y = 0; y < page.height; y++) {
        dots.set(page.data.subarray(y * page.width, (y + 1) * page.width), (top + y) * width);
      }
      top += page.height;
    }
    return encodePng({ width, height, dots }, dotsPerMetre);
  } finally {
    document.destroy();
  }
}
