import { releaseOrder } from "#/modules/orders/index.ts";
import { listParcelsById } from "#/modules/parcels/index.ts";
import type { ReportBody } from "#/modules/warehouse/reports/report-kind.ts";
import { createReportKinds, type ReportTerms } from "#/modules/warehouse/reports/report-kinds.ts";
import {
  createReportHandler,
  type Outcome,
  type Preparation,
  type ReportContext,
} from "#/modules/warehouse/reports/report-service.ts";

/** A report as it was stored when it was refused. */
export interface KeptReport {
  /** Name of its kind, such as `pick`. */
  readonly report: string;
  readonly body: ReportBody;
  readonly facilityCode: string | undefined;
  readonly carrierCode: string | undefined;
}

/** @param by the actor of the retry and its origin: `user:anna`. */
export type RetryReport = (
  kept: KeptReport,
  by: { readonly actor: string; readonly origin: string; readonly isForced: boolean },
) => Promise<Outcome | undefined>;

/**
 * Reprocesses a refused report with the code of the port (warehouse.md). A forced retry first lifts every hold of the
 * report's orders in the same transaction, and a pick may take a lot below the item's shelf life; refusals because of
 * stock remain. Returns undefined for an unknown
 * kind.
 */
export function createReportRetry(context: ReportContext & ReportTerms): RetryReport {
  const handleReport = createReportHandler(context);
  const kinds = new Map(createReportKinds(context).map((kind) => [kind.name, kind]));
  return async ({ report, body, facilityCode, carrierCode }, { actor, origin, isForced }) => {
    const kind = kinds.get(report);
    if (kind === undefined) return undefined;
    const { type, ids } = kind.objectOf(body);
    const liftHolds: Preparation = async (tx) => {
      const lifted = [];
      const parcels = type === "olpn" ? await listParcelsById(tx, ids) : [];
      const orderIds = new Set(type === "order" ? ids : parcels.map(({ orderId }) => orderId));
      for (const orderId of [...orderIds].toSorted()) {
        const released = await releaseOrder(tx.with({ ...tx.change, actor }), { orderId });
        // The order may have no hold: then the report itself states what else prevents it.
        if (released.ok) lifted.push(...released.value.events);
      }
      return lifted;
    };
    const reporter = { facilityCode, carrierCode, origin, isForced };
    return handleReport(kind, reporter, body, undefined, isForced ? liftHolds : undefined);
  };
}
