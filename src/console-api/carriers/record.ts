import type { DecisionSummary } from "#/console-api/carriers/contract.ts";
import type { DecisionSummaryRow, SetRow, WholeSetRow } from "#/console-api/carriers/repository.ts";

const headOf = ({ owner, version, note, created_by, activated_at }: Omit<WholeSetRow, "data">) => ({
  clientId: owner === "" ? null : owner,
  version,
  note,
  createdBy: created_by,
  activatedAt: activated_at,
});

export function setSummaryOf(row: SetRow) {
  return { ...headOf(row), services: row.services, rateCards: row.rate_cards, rules: row.rules };
}

/** @param owner the requested owner: a client without its own set gets the operator's. */
export function wholeSetOf(row: WholeSetRow, owner: string, latestVersion: number) {
  return { ...headOf(row), isOwn: row.owner === owner, latestVersion, data: row.data };
}

export function decisionSummaryOf(clientId: string, row: DecisionSummaryRow): DecisionSummary {
  return {
    decisionId: row.decision_id,
    clientId,
    decidedAt: row.decided_at,
    purpose: row.purpose,
    orderId: row.order_id,
    olpnId: row.olpn_id,
    distributionCentre: row.facility,
    country: row.country,
    carrierCode: row.carrier_code,
    serviceCode: row.service_code,
    dataVersion: row.data_version,
  };
}
