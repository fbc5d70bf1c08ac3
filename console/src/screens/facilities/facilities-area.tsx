import { Route, Routes } from "react-router";
import { FacilityList } from "./facility-list.tsx";
import { FacilityPage } from "./facility-page.tsx";

/** Everything below /console/facilities: where goods are kept, and when they leave. */
export function FacilitiesArea() {
  return (
    <Routes>
      <Route index element={<FacilityList />} />
      <Route path=":facilityCode" element={<FacilityPage />} />
    </Routes>
  );
}
