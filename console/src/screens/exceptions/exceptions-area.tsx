import type { Pages } from "../../frame/area-pages.tsx";
import { ExceptionList } from "./exception-list.tsx";

/** Everything below /console/exceptions. */
export const exceptionsPages: Pages = { "": ExceptionList };
