import { Route, Routes } from "react-router";
import { ReturnPage } from "./return-page.tsx";
import { Returns } from "./returns.tsx";

/** Everything below /console/returns: what may come back, what came, and how it was graded. */
export function ReturnsArea() {
  return (
    <Routes>
      <Route index element={<Returns />} />
      <Route path=":clientId/:rmaNumber" element={<ReturnPage />} />
    </Routes>
  );
}
