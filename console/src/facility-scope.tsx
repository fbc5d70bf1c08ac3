import { type ReactNode, useMemo } from "react";
import { useFacilityDirectory } from "./directory.ts";
import { filterValuesOf } from "./parts/list/filter-values.ts";
import { FacilityCodes, useParamsOfPart } from "./scope.ts";

interface FacilityScopeProps {
  /** Shown while the facilities load, if the filter excludes some. */
  readonly waiting: ReactNode;
  readonly children: ReactNode;
}

/** Gives the filters of the top bar the facilities that remain if others are excluded. */
export function FacilityScope({ waiting, children }: FacilityScopeProps) {
  const { data, isPending } = useFacilityDirectory();
  const { isNegated } = filterValuesOf(useParamsOfPart().get("facility") ?? "");
  const codes = useMemo(() => data?.map(({ facilityCode }) => facilityCode) ?? [], [data]);
  return isPending && isNegated ? waiting : <FacilityCodes value={codes}>{children}</FacilityCodes>;
}
