import type { Pages } from "../../frame/area-pages.tsx";
import { FacilityList } from "./facility-list.tsx";
import { FacilityPage } from "./facility-page.tsx";

/** Everything below /console/facilities: where goods are kept, and when they leave. */
export const facilitiesPages: Pages = {
  "": FacilityList,
  ":facilityCode": FacilityPage,
};
