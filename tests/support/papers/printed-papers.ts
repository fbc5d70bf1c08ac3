/** Reads printed documents back: PDFium for text and positions, ZXing for bar codes. Other programs confirm it in tests/generators/papers.test.ts. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { drawPicture } from "#/modules/documents/papers/picture.ts";

/** The functions of PDFium that the library itself does not offer: positions of characters, without a wait. */
interface PDFium {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(bytes: number): number; free(address: number): void };
  _FPDF_LoadMemDocument(address: number, bytes: number, password: number): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageHeight(page: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetText(text: number, from: number, count: number, address: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, address: number): number;
}

const { module } = (await PDFiumLibrary.init()) as unknown as { readonly module: PDFium };
const readerFile = fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"));
prepareZXingModule({ overrides: { wasmBinary: readFileSync(readerFile).buffer as ArrayBuffer } });

function withMemory<T>(bytes: number, use: (address: number) => T): T {
  const address = module.wasmExports.malloc(bytes);
  try {
    return use(address);
  } finally {
    module.wasmExports.free(address);
  }
}

/** Calls `read` with each page and its text. */
function mapPages<T>(pdf: Uint8Array, read: (text: number, page: number, index: number) => T): T[] {
  return withMemory(pdf.byteLength, (address) => {
    module.HEAPU8.set(pdf, address);
    const document = module._FPDF_LoadMemDocument(address, pdf.byteLength, 0);
    if (document === 0) throw new Error("PDFium cannot read the document");
    try {
      return Array.from({ length: module._FPDF_GetPageCount(document) }, (_, index) => {
        const page = module._FPDF_LoadPage(document, index);
        const text = module._FPDFText_LoadPage(page);
        try {
          return read(text, page, index);
        } finally {
          module._FPDFText_ClosePage(text);
          module._FPDF_ClosePage(page);
        }
      });
    } finally {
      module._FPDF_CloseDocument(document);
    }
  });
}

/** The text of each page, as selected and copied by a reader. */
export function textOfPages(pdf: Uint8Array): string[] {
  return mapPages(pdf, (text) => {
    const count = module._FPDFText_CountChars(text);
    return withMemory(2 * (count + 1), (address) => {
      const units = Math.max(module._FPDFText_GetText(text, 0, count, address) - 1, 0);
      // PDFium takes a hyphen at the end of a line for one that the line break brought, and writes this character.
      return Buffer.from(module.HEAPU8.buffer, address, 2 * units)
        .toString("utf16le")
        .replaceAll("\uFFFE", "-");
    });
  });
}

export interface PlacedWord {
  readonly page: number;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The position of each word, in points from the upper left corner. A box is as high as the font. */
export function wordsOf(pdf: Uint8Array): PlacedWord[] {
  return mapPages(pdf, (text, page, index) => {
    const height = module._FPDF_GetPageHeight(page);
    const words: PlacedWord[] = [];
    let word: PlacedWord | undefined;
    const end = () => {
      if (word) words.push(word);
      word = undefined;
    };
    withMemory(4 * Float32Array.BYTES_PER_ELEMENT, (address) => {
      for (let i = 0; i < module._FPDFText_CountChars(text); i++) {
        const letter = String.fromCodePoint(module._FPDFText_GetUnicode(text, i));
        // A failed call: the character is a blank or an end of line that PDFium infers from the positions.
        const isPlaced = module._FPDFText_GetLooseCharBox(text, i, address) !== 0;
        if (!isPlaced || /\s/.test(letter)) {
          end();
          continue;
        }
        // FS_RECTF: left, top, right, bottom, measured from the lower left corner.
        const [left = 0, upper = 0, right = 0, lower = 0] = new Float32Array(
          module.HEAPU8.buffer.slice(address, address + 16),
        );
        const box = { left, top: height - upper, right, bottom: height - lower };
        word = word
          ? {
              page: index + 1,
              text: word.text + letter,
              left: Math.min(word.left, box.left),
              top: Math.min(word.top, box.top),
              right: Math.max(word.right, box.right),
              bottom: Math.max(word.bottom, box.bottom),
            }
          : { page: index + 1, text: letter, ...box };
      }
    });
    end();
    return words;
  }).flat();
}

/** The bar codes on all pages, at the 203 dpi of a label printer. */
export async function barcodesOfPdf(pdf: Uint8Array): Promise<string[]> {
  return barcodesOfPng(await drawPicture(pdf));
}

/** Each bar code as `Code128:` and its text, from top to bottom. */
export async function barcodesOfPng(png: Uint8Array): Promise<string[]> {
  const codes = await readBarcodes(png, { tryInvert: false });
  return codes
    .toSorted((code, other) => code.position.topLeft.y - other.position.topLeft.y)
    .map(({ format, text }) => `${format}:${text}`);
}
