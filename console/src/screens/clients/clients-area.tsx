import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { RequestList } from "../requests/request-list.tsx";
import { RequestPage } from "../requests/request-page.tsx";
import { ClientList } from "./client-list.tsx";
import { ClientPage } from "./client-page.tsx";
import { Onboarding } from "./onboarding.tsx";

const closed = { title: "Clients", what: "Settings, credentials and delivery methods" };
const requests = { title: "Requests", what: "Requests" };

/** Everything below /console/clients: clients with their settings and credentials. */
export const clientsPages: Pages = {
  "": ClientList,
  new: ofAllFacilities(Onboarding, closed),
  ":clientId": ofAllFacilities(ClientPage, closed),
  ":clientId/requests": ofAllFacilities(RequestList, requests),
  ":clientId/requests/:requestId": ofAllFacilities(RequestPage, requests),
};
