import { Route, Routes } from "react-router";
import { CarriersScreen } from "./carriers-screen.tsx";
import { DecisionPage } from "./decision-page.tsx";

/** Everything below /console/carriers: the data that carriers are determined by, and what it decides. */
export function CarriersArea() {
  return (
    <Routes>
      <Route index element={<CarriersScreen />} />
      <Route path="decisions/:clientId/:decisionId" element={<DecisionPage />} />
    </Routes>
  );
}
