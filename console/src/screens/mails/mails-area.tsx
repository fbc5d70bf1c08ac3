import type { Pages } from "../../frame/area-pages.tsx";
import { MailPage } from "./mail-page.tsx";
import { Mails } from "./mails.tsx";

/** Everything below /console/mails: what people were told of failures. */
export const mailsPages: Pages = {
  "": Mails,
  ":clientId/:mailId": MailPage,
};
