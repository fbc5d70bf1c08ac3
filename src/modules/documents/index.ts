export { batchBytes, sendBatch, type WantedParcel } from "#/modules/documents/batch-answer.ts";
export {
  findDocumentAs,
  readDocumentPage,
  sendForm,
} from "#/modules/documents/document-answer.ts";
export type { DocumentContentType, DocumentType, KeptDocument } from "#/modules/documents/domain.ts";
export { documentFormats, documentTypes } from "#/modules/documents/domain.ts";
export { keepDocuments } from "#/modules/documents/keep-documents.ts";
export { labelSchema, sendLabel } from "#/modules/documents/label-answer.ts";
export type { Party } from "#/modules/documents/papers/address.ts";
export { cn22LinesMax } from "#/modules/documents/papers/cn22.ts";
export type { CommercialInvoice } from "#/modules/documents/papers/commercial-invoice.ts";
export { crossesCustomsBorder, customsDestinationOf, isInUnion } from "#/modules/documents/papers/customs-border.ts";
export { type CustomsDeclaration, valueOfGoods, weightInKilograms } from "#/modules/documents/papers/customs-goods.ts";
export type { ShippingLabel } from "#/modules/documents/papers/label-layout.ts";
export { paperLanguageOf } from "#/modules/documents/papers/language.ts";
export type { PackingSlip } from "#/modules/documents/papers/packing-slip.ts";
export {
  batchFormats,
  listBatchPapers,
  type PrintContext,
} from "#/modules/documents/print-documents.ts";
export { createPrintService, type PrintService } from "#/modules/documents/print-service.ts";
export { type PaperOrder, warningsOf } from "#/modules/documents/printing.ts";
export { deleteDocuments, listDocuments } from "#/modules/documents/repository.ts";
export {
  documentBytes,
  documentCursors,
  documentHeaders,
  documentPage,
  documentPath,
  documentTypeField,
  documentUnchanged,
} from "#/modules/documents/rest-contract.ts";
export { addDocumentRoutes } from "#/modules/documents/routes.ts";
