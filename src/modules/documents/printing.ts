import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { assert } from "#/kernel/assert.ts";
import type { DocumentContentType, Paper } from "#/modules/documents/domain.ts";
import { printCn22, printCn22Zpl } from "#/modules/documents/papers/cn22.ts";
import { printCn23 } from "#/modules/documents/papers/cn23.ts";
import {
  type CommercialInvoice,
  printCommercialInvoice,
  warningsOfInvoice,
} from "#/modules/documents/papers/commercial-invoice.ts";
import { type CustomsDeclaration, warningsOfGoods } from "#/modules/documents/papers/customs-goods.ts";
import type { ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import { printShippingLabelZpl } from "#/modules/documents/papers/label-zpl.ts";
import { type PackingSlip, printPackingSlip } from "#/modules/documents/papers/packing-slip.ts";
import { drawPagePictures, drawPicture } from "#/modules/documents/papers/picture.ts";
import { readPng } from "#/modules/documents/papers/png.ts";
import { type PaperWarning, replacedLetters } from "#/modules/documents/papers/printed.ts";
import { type OpenSheet, openBook } from "#/modules/documents/papers/sheet.ts";
import { printShippingLabel } from "#/modules/documents/papers/shipping-label.ts";
import type { Transaction } from "#/store/db/database.ts";
import { packBytes, packing, unpackBytes } from "#/store/packed/packed.ts";

/** The type and content of a parcel's paper. */
export type PaperOrder = { readonly orderId: string; readonly olpnId: string } & (
  | { readonly type: "PACKING_SLIP"; readonly slip: PackingSlip }
  | { readonly type: "SHIPPING_LABEL"; readonly form: "pdf" | "zpl"; readonly label: ShippingLabel }
  | { readonly type: "SHIPPING_LABEL"; readonly form: "bought"; readonly bought: BoughtPaper }
  | { readonly type: "COMMERCIAL_INVOICE"; readonly invoice: CommercialInvoice }
  | { readonly type: "CN22"; readonly form: "pdf" | "zpl"; readonly declaration: CustomsDeclaration }
  | { readonly type: "CN23"; readonly declaration: CustomsDeclaration }
);

/** A label as its carrier made it. */
export interface BoughtPaper {
  readonly contentType: DocumentContentType;
  readonly base64: string;
}

/**
 * A paper as a file, as the next pages of a book, or as a PNG. A book is one PDF with the date `madeAt` (ISO 8601), which
 * comes with the first paper. `book` finishes the book, and `nothing` forgets it.
 */
export type PrintForm =
  | { readonly as: "file" | "picture" }
  | { readonly as: "page"; readonly book: number; readonly madeAt?: string }
  | { readonly as: "book" | "nothing"; readonly book: number };

/** A task for the printing thread. */
export interface PrintTask {
  readonly task: number;
  /** Its content as it is stored, see `encodePaper`; undefined where the form needs none. */
  readonly content: Uint8Array | undefined;
  readonly form: PrintForm;
}

/** The bytes of the file; those of a page of a book are empty. */
export type PrintAnswer = { readonly task: number } & (
  | { readonly printed: Uint8Array }
  | { readonly pagesOfTooLong: number }
  | { readonly unreadable: Pick<UnreadableLabelError, "olpnId" | "reason"> }
  | { readonly error: string }
);

interface Printing {
  readonly contentType: DocumentContentType;
  readonly language: string;
  /** Everything that the paper shows. */
  readonly matter: object;
  /** Takes some milliseconds. @param open opens the pages of a PDF; by default, a separate PDF */
  print(open?: OpenSheet): Uint8Array;
  /** Missing fields that customs ask for. */
  warnings?(): PaperWarning[];
}

function printingOf(paper: PaperOrder): Printing {
  switch (paper.type) {
    case "PACKING_SLIP": {
      const { slip } = paper;
      const { language } = slip;
      return { contentType: "application/pdf", language, matter: slip, print: (open) => printPackingSlip(slip, open) };
    }
    case "SHIPPING_LABEL": {
      if (paper.form === "bought") {
        const { contentType, base64 } = paper.bought;
        // Its letters are those of the carrier: they are not compared with the fonts.
        return { contentType, language: "en", matter: {}, print: () => Buffer.from(base64, "base64") };
      }
      const { label, form } = paper;
      return form === "pdf"
        ? {
            contentType: "application/pdf",
            language: "en",
            matter: label,
            print: (open) => printShippingLabel(label, open),
          }
        : { contentType: "application/zpl", language: "en", matter: label, print: () => printShippingLabelZpl(label) };
    }
    case "COMMERCIAL_INVOICE": {
      const { invoice } = paper;
      return {
        contentType: "application/pdf",
        language: "en",
        matter: invoice,
        print: (open) => printCommercialInvoice(invoice, open),
        warnings: () => warningsOfInvoice(invoice),
      };
    }
    case "CN22":
    case "CN23": {
      const { declaration } = paper;
      const isZpl = paper.type === "CN22" && paper.form === "zpl";
      return {
        contentType: isZpl ? "application/zpl" : "application/pdf",
        language: "en",
        matter: declaration,
        print(open) {
          if (paper.type === "CN23") return printCn23(declaration, open);
          return isZpl ? printCn22Zpl(declaration) : printCn22(declaration, open);
        },
        warnings: () => warningsOfGoods(declaration.lines),
      };
    }
  }
}

/** The identity of the paper. */
export function paperOf(paper: PaperOrder): Paper {
  const { orderId, olpnId, type } = paper;
  const { contentType, language } = printingOf(paper);
  return { orderId, olpnId, type, contentType, language };
}

/** Missing values of the paper, for the caller who has it printed. Takes some microseconds. */
export function warningsOf(paper: PaperOrder): PaperWarning[] {
  const { matter, warnings } = printingOf(paper);
  return [...(warnings?.() ?? []), ...replacedLetters(matter)];
}

/** Takes some milliseconds. The same paper always gives the same bytes. */
export function printPaper(paper: PaperOrder): Uint8Array {
  return printingOf(paper).print();
}

/** Draws a paper of the form PDF as PNG. @throws {PictureTooLongError} */
export function drawPaper(paper: PaperOrder): Promise<Uint8Array> {
  return drawPicture(printPaper(paper));
}

/** The label of a carrier cannot be read, so no book takes it. */
export class UnreadableLabelError extends Error {
  override readonly name = "UnreadableLabelError";
  readonly olpnId: string;
  readonly reason: string;

  constructor({ olpnId, reason }: Pick<UnreadableLabelError, "olpnId" | "reason">, options?: ErrorOptions) {
    super(`the label of parcel ${olpnId} cannot be read: ${reason}`, options);
    this.olpnId = olpnId;
    this.reason = reason;
  }
}

interface PrintBook {
  /** Resolves when the next paper may be added. @throws {UnreadableLabelError} */
  add(paper: PaperOrder): Promise<void>;
  finish(): Promise<Uint8Array>;
}

/**
 * Opens one PDF for several papers, which are added in their order: of the form PDF, or labels of carriers as PDF or PNG.
 * The pages of a carrier are drawn as pictures (decision 0079).
 */
export function openPrintBook(madeAt: string): PrintBook {
  const book = openBook({ title: "Papers", language: "en", madeAt });

  async function addBought(bytes: Uint8Array, contentType: DocumentContentType): Promise<void> {
    if (contentType === "image/png") return book.addPicture(bytes, readPng(bytes));
    for await (const picture of drawPagePictures(bytes)) book.addPicture(picture, readPng(picture));
  }

  return {
    async add(paper) {
      const { contentType, print } = printingOf(paper);
      if (!isBought(paper)) return void print(book.open);
      await addBought(print(), contentType).catch((error: Error) => {
        throw new UnreadableLabelError({ olpnId: paper.olpnId, reason: error.message }, { cause: error });
      });
    },
    finish: () => book.finish(),
  };
}

const isBought = (paper: PaperOrder) => "form" in paper && paper.form === "bought";

/**
 * The version of the templates. A later version prints stored papers as its predecessors did: their bytes are made
 * again from their content, and must not change.
 */
const templateVersion = 1;

/** The content as it is stored: compressed JSON with the version of the templates. */
export function encodePaper(tx: Pick<Transaction, "writesPacked">, paper: PaperOrder): Buffer {
  const content = Buffer.from(JSON.stringify({ template: templateVersion, paper }));
  const packed = packBytes(tx, content, packing.paper);
  return packed === content ? zstdCompressSync(content) : packed;
}

export function decodePaper(stored: Uint8Array): PaperOrder {
  const content = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const unpacked = unpackBytes(content);
  const text = unpacked === content ? zstdDecompressSync(content) : unpacked;
  const { template, paper } = JSON.parse(text.toString()) as {
    readonly template: number;
    readonly paper: PaperOrder;
  };
  assert(template === templateVersion, `a paper has template ${template}: a newer release made it`);
  return paper;
}
