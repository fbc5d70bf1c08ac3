import type { Pages } from "../../frame/area-pages.tsx";
import { Reports } from "./reports.tsx";

/** Everything below /console/reports: what was done for each client, and how well. */
export const reportsPages: Pages = { "": Reports };
