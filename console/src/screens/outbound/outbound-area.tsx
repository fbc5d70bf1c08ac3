import { Route, Routes } from "react-router";
import { DocumentPage } from "./document-page.tsx";
import { Documents } from "./documents.tsx";

/** Everything below /console/outbound: what clients are sent besides webhooks. */
export function OutboundArea() {
  return (
    <Routes>
      <Route index element={<Documents />} />
      <Route path=":clientId/:documentId" element={<DocumentPage />} />
    </Routes>
  );
}
