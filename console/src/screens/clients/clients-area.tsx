import type { Pages } from "../../frame/area-pages.tsx";
import { ClientList } from "./client-list.tsx";
import { ClientPage } from "./client-page.tsx";
import { Onboarding } from "./onboarding.tsx";

/** Everything below /console/clients: who sends orders, with which settings and credentials. */
export const clientsPages: Pages = {
  "": ClientList,
  new: Onboarding,
  ":clientId": ClientPage,
};
