import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { MailPage } from "./mail-page.tsx";
import { Mails } from "./mails.tsx";

const closable = (Page: ComponentType) => ofAllFacilities(Page, { title: "Mails", what: "Mails about failures" });

/** Everything below /console/mails: alert mails about failures. */
export const mailsPages: Pages = {
  "": closable(Mails),
  ":clientId/:mailId": closable(MailPage),
};
