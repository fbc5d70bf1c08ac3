import { createIntakeReports, type IntakeTerms } from "#/modules/warehouse/reports/intake-reports.ts";
import { createOrderReports, type PackKindTerms } from "#/modules/warehouse/reports/order-reports.ts";
import { carrierReports, parcelReports } from "#/modules/warehouse/reports/parcel-reports.ts";
import type { ReportKind } from "#/modules/warehouse/reports/report-kind.ts";
import { createStockReports } from "#/modules/warehouse/reports/stock-reports.ts";

export type ReportTerms = IntakeTerms & PackKindTerms;

/** All kinds of reports of the port (warehouse.md). */
export function createReportKinds(terms: ReportTerms): readonly ReportKind[] {
  const ofOrders = createOrderReports(terms);
  return [
    ...createIntakeReports(terms),
    ...ofOrders,
    ...parcelReports,
    ...createStockReports(terms),
    ...carrierReports,
  ];
}
