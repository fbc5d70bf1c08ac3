import type { Pages } from "../../frame/area-pages.tsx";
import { CarriersScreen } from "./carriers-screen.tsx";
import { DecisionPage } from "./decision-page.tsx";

/** Everything below /console/carriers: the data that carriers are determined by, and what it decides. */
export const carriersPages: Pages = {
  "": CarriersScreen,
  "decisions/:clientId/:decisionId": DecisionPage,
};
