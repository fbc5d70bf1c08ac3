import { duration, useNow } from "../../parts/time.tsx";
import { urgencyText } from "../orders/urgency-text.ts";
import { type FacilityCutOff, useCutOffs, useFlow } from "./overview-data.ts";

/** One line: whether orders are late, and what comes next. */
export function OverviewState() {
  const flow = useFlow().data;
  const next = useCutOffs().data?.items[0];
  // Keeps the height of the line while the numbers load.
  if (flow === undefined) return "\u00a0";
  return (
    <>
      {urgencyText(flow.late, flow.atRisk)} {next && <NextCutOff facility={next} />}
    </>
  );
}

function NextCutOff({ facility: { distributionCentre, cutOffTime, cutOffAt } }: { readonly facility: FacilityCutOff }) {
  const leftMs = Date.parse(cutOffAt) - useNow();
  return `Next cut-off: ${distributionCentre} at ${cutOffTime}, ${leftMs <= 0 ? "now" : `in ${duration(leftMs)}`}.`;
}
