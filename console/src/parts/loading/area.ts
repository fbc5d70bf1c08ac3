import { createContext } from "react";

/** The entry of the navigation whose page is open: an error on the page leads to it. */
export const Area = createContext<{ readonly path: string; readonly label: string } | undefined>(undefined);
