import { carrierReports } from "#/modules/warehouse/carrier-reports.ts";
import { createIntakeReports, type IntakeTerms } from "#/modules/warehouse/intake-reports.ts";
import { createOrderReports } from "#/modules/warehouse/order-reports.ts";
import type { PackKindTerms } from "#/modules/warehouse/pack-kind.ts";
import { parcelReports } from "#/modules/warehouse/parcel-reports.ts";
import type { ReportKind } from "#/modules/warehouse/report-kind.ts";
import { stockReports } from "#/modules/warehouse/stock-reports.ts";

export type ReportTerms = IntakeTerms & PackKindTerms;

/** All kinds of reports, as the port has them (warehouse.md). */
export function createReportKinds(terms: ReportTerms): readonly ReportKind[] {
  const ofOrders = createOrderReports(terms);
  return [...createIntakeReports(terms), ...ofOrders, ...parcelReports, ...stockReports, ...carrierReports];
}
