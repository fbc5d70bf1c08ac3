import { Route, Routes } from "react-router";
import { ClientList } from "./client-list.tsx";
import { ClientPage } from "./client-page.tsx";
import { Onboarding } from "./onboarding.tsx";

/** Everything below /console/clients: who sends orders, with which settings and credentials. */
export function ClientsArea() {
  return (
    <Routes>
      <Route index element={<ClientList />} />
      <Route path="new" element={<Onboarding />} />
      <Route path=":clientId" element={<ClientPage />} />
    </Routes>
  );
}
