import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { RequestList } from "../requests/request-list.tsx";
import { RequestPage } from "../requests/request-page.tsx";
import { FacilityList } from "./facility-list.tsx";
import { FacilityPage } from "./facility-page.tsx";

const requests = { title: "Requests", what: "Requests" };

/** Everything below /console/facilities: facilities with their calendars, and the requests of their warehouses. */
export const facilitiesPages: Pages = {
  "": FacilityList,
  ":facilityCode": FacilityPage,
  ":facilityCode/requests": ofAllFacilities(RequestList, requests),
  ":facilityCode/requests/:requestId": ofAllFacilities(RequestPage, requests),
};
