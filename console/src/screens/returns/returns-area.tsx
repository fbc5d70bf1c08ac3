import type { Pages } from "../../frame/area-pages.tsx";
import { ReturnPage } from "./return-page.tsx";
import { Returns } from "./returns.tsx";

/** Everything below /console/returns: what may come back, what came, and how it was graded. */
export const returnsPages: Pages = {
  "": Returns,
  ":clientId/:rmaNumber": ReturnPage,
};
