import type { Pages } from "../../frame/area-pages.tsx";
import { FacilityList } from "./facility-list.tsx";
import { FacilityPage } from "./facility-page.tsx";

/** Everything below /console/facilities: facilities with their calendars. */
export const facilitiesPages: Pages = {
  "": FacilityList,
  ":facilityCode": FacilityPage,
};
