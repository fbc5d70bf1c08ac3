import type { DocumentContentType, NewDocument } from "#/modules/documents/domain.ts";
import { type CommercialInvoice, printCommercialInvoice } from "#/modules/documents/papers/commercial-invoice.ts";
import type { ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
import { printShippingLabelZpl } from "#/modules/documents/papers/label-zpl.ts";
import { type PackingSlip, printPackingSlip } from "#/modules/documents/papers/packing-slip.ts";
import type { PaperWarning, Printed } from "#/modules/documents/papers/printed.ts";
import { printShippingLabel } from "#/modules/documents/papers/shipping-label.ts";

/** The type and content of a parcel's paper. Plain data, because it is passed to a thread. */
export type PaperOrder = { readonly orderId: string; readonly olpnId: string } & (
  | { readonly type: "PACKING_SLIP"; readonly slip: PackingSlip }
  | { readonly type: "SHIPPING_LABEL"; readonly form: "pdf" | "zpl"; readonly label: ShippingLabel }
  | { readonly type: "COMMERCIAL_INVOICE"; readonly invoice: CommercialInvoice }
);

export interface PrintedPaper {
  readonly document: NewDocument;
  readonly warnings: readonly PaperWarning[];
}

/** The requests to the printing thread, and its answers. */
export interface PrintTask {
  readonly task: number;
  readonly papers: readonly PaperOrder[];
}

export type PrintAnswer =
  | { readonly task: number; readonly printed: readonly PrintedPaper[]; readonly error?: undefined }
  | { readonly task: number; readonly error: string };

/** Some milliseconds of work. */
export function printPaper(paper: PaperOrder): PrintedPaper {
  const { orderId, olpnId, type } = paper;
  const { printed, contentType, language } = formOf(paper);
  const { bytes, warnings } = printed;
  return { document: { orderId, olpnId, type, contentType, language, bytes }, warnings };
}

interface Form {
  readonly printed: Printed;
  readonly contentType: DocumentContentType;
  readonly language: string;
}

function formOf(paper: PaperOrder): Form {
  switch (paper.type) {
    case "PACKING_SLIP": {
      const { slip } = paper;
      return { printed: printPackingSlip(slip), contentType: "application/pdf", language: slip.language };
    }
    case "SHIPPING_LABEL":
      return paper.form === "pdf"
        ? { printed: printShippingLabel(paper.label), contentType: "application/pdf", language: "en" }
        : { printed: printShippingLabelZpl(paper.label), contentType: "application/zpl", language: "en" };
    case "COMMERCIAL_INVOICE":
      return { printed: printCommercialInvoice(paper.invoice), contentType: "application/pdf", language: "en" };
  }
}
