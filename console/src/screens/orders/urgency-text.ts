import { counted } from "../../parts/counted.ts";

/** "21 orders are late and 3 at risk." */
export function urgencyText(late: number, atRisk: number): string {
  if (late + atRisk === 0) return "No order is late or at risk.";
  if (late === 0) return `${counted(atRisk, "order is", "orders are")} at risk; none is late.`;
  return `${counted(late, "order is", "orders are")} late${atRisk === 0 ? "" : ` and ${atRisk.toLocaleString("en-GB")} at risk`}.`;
}
