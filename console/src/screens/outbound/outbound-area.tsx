import type { Pages } from "../../frame/area-pages.tsx";
import { DocumentPage } from "./document-page.tsx";
import { Documents } from "./documents.tsx";

/** Everything below /console/outbound: what clients receive apart from webhooks. */
export const outboundPages: Pages = {
  "": Documents,
  ":clientId/:documentId": DocumentPage,
};
