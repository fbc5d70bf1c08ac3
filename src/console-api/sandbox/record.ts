import { type FaultRates, faultNames, type SandboxRecord } from "#/console-api/sandbox/contract.ts";
import type { FacilityRow, SettingRow } from "#/console-api/sandbox/repository.ts";
import type { Scope } from "#/http/access/operator.ts";

const nothingGoesWrong = Object.fromEntries(faultNames.map((name) => [name, 0])) as FaultRates;

/**
 * The stored setting, or else the configuration of the simulated warehouse; of its activity, the part that the user may
 * see.
 */
export function sandboxRecord(
  setting: SettingRow | undefined,
  facilities: readonly FacilityRow[],
  { clientIds, facilityCodes }: Scope,
): SandboxRecord {
  const configured = facilities[0]?.state.configured;
  const byHand = setting?.manual_client_ids ?? [];
  const silent = setting?.silent_facility_codes ?? [];
  const isSeen = ({ clientId }: { readonly clientId: string }) => clientIds === null || clientIds.includes(clientId);
  const isSeenFacility = (code: string) => facilityCodes === null || facilityCodes.includes(code);
  return {
    isOn: facilities.length > 0,
    speed: setting?.speed == null ? (configured?.speed ?? 1) : Number(setting.speed),
    faults: { ...nothingGoesWrong, ...configured?.faults, ...setting?.faults },
    byHand: byHand.filter((clientId) => isSeen({ clientId })),
    silent: silent.filter(isSeenFacility),
    changedAt: setting?.changed_at ?? null,
    changedBy: setting?.changed_by ?? null,
    facilities: facilities
      .filter(({ facility_code }) => isSeenFacility(facility_code))
      .map(({ facility_code, seen_at, state }) => ({
        facilityCode: facility_code,
        isSilent: silent.includes(facility_code),
        seenAt: seen_at,
        inHand: state.inHand,
        jobs: state.jobs.filter(isSeen).map((job) => ({
          ...job,
          orderId: job.orderId ?? null,
          isByHand: byHand.includes(job.clientId),
        })),
        reports: state.reports.filter(isSeen).map((report) => ({ ...report, reason: report.reason ?? null })),
      })),
  };
}
