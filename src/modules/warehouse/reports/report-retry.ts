import { releaseOrder } from "#/modules/orders/index.ts";
import { listParcelsById } from "#/modules/parcels/index.ts";
import type { ReportBody } from "#/modules/warehouse/reports/report-kind.ts";
import { createReportKinds, type ReportTerms } from "#/modules/warehouse/reports/report-kinds.ts";
import {
  createReportDesk,
  type Outcome,
  type Preparation,
  type ReportContext,
} from "#/modules/warehouse/reports/report-service.ts";

/** A report as it was kept when it was refused. */
export interface KeptReport {
  /** Name of its kind, such as `pick`. */
  readonly report: string;
  readonly body: ReportBody;
  readonly facilityCode: string | undefined;
  readonly carrierCode: string | undefined;
}

/** @param by who retries, and from where: `user:anna`. */
export type RetryReport = (
  kept: KeptReport,
  by: { readonly actor: string; readonly origin: string; readonly isForced: boolean },
) => Promise<Outcome | undefined>;

/**
 * A refused report once more, by the code of the port (warehouse.md). Forced, every hold of its orders is lifted in the same
 * transaction and before it; what goods and stock forbid stays refused. Answers undefined for a kind that is not known any more.
 */
export function createReportRetry(context: ReportContext & ReportTerms): RetryReport {
  const desk = createReportDesk(context);
  const kinds = new Map(createReportKinds(context).map((kind) => [kind.name, kind]));
  return async ({ report, body, facilityCode, carrierCode }, { actor, origin, isForced }) => {
    const kind = kinds.get(report);
    if (kind === undefined) return undefined;
    const { type, ids } = kind.objectOf(body);
    const liftHolds: Preparation = async (tx, change, clientId) => {
      const lifted = [];
      const parcels = type === "olpn" ? await listParcelsById(tx, clientId, ids) : [];
      const orderIds = new Set(type === "order" ? ids : parcels.map(({ orderId }) => orderId));
      for (const orderId of [...orderIds].toSorted()) {
        const released = await releaseOrder(tx, { ...change, actor }, clientId, { orderId });
        // Nothing held it: the report says by itself what else stands in its way.
        if (released.ok) lifted.push(...released.value.drafts);
      }
      return lifted;
    };
    return desk(kind, { facilityCode, carrierCode, origin }, body, undefined, isForced ? liftHolds : undefined);
  };
}
