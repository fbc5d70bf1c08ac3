import { wordOf } from "../tones.ts";
import type { Filter } from "./list-types.ts";

/** The filter of the states of an object. */
export const stateFilter = (states: readonly string[], kind: "select" | "several" = "select"): Filter => ({
  key: "status",
  label: "State",
  kind,
  options: states.map((value) => ({ value, label: wordOf(value) })),
});
