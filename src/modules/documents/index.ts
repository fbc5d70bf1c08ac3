export type { DocumentType, KeptDocument, NewDocument } from "#/modules/documents/domain.ts";
export { keepDocuments } from "#/modules/documents/keep-documents.ts";
export { addDocumentRoutes } from "#/modules/documents/routes.ts";
