import { Route, Routes } from "react-router";
import { MailPage } from "./mail-page.tsx";
import { Mails } from "./mails.tsx";

/** Everything below /console/mails: what people were told of failures. */
export function MailsArea() {
  return (
    <Routes>
      <Route index element={<Mails />} />
      <Route path=":clientId/:mailId" element={<MailPage />} />
    </Routes>
  );
}
