import type { ComponentType } from "react";
import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { MailPage } from "./mail-page.tsx";
import { Mails } from "./mails.tsx";

const closable = (Page: ComponentType) => ofAllFacilities(Page, { title: "Mails", what: "Mails about failures" });

/** Everything below /console/mails: what people were told of failures. */
export const mailsPages: Pages = {
  "": closable(Mails),
  ":clientId/:mailId": closable(MailPage),
};
