import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { ClientList } from "./client-list.tsx";
import { ClientPage } from "./client-page.tsx";
import { Onboarding } from "./onboarding.tsx";

const closed = { title: "Clients", what: "Settings, credentials and delivery methods" };

/** Everything below /console/clients: clients with their settings and credentials. */
export const clientsPages: Pages = {
  "": ClientList,
  new: ofAllFacilities(Onboarding, closed),
  ":clientId": ofAllFacilities(ClientPage, closed),
};
