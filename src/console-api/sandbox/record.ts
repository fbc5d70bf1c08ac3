import { type FaultRates, faultNames, type SandboxRecord } from "#/console-api/sandbox/contract.ts";
import type { Setting, SimulatedFacility } from "#/console-api/sandbox/repository.ts";
import type { Scope } from "#/http/access/operator.ts";

const nothingGoesWrong = Object.fromEntries(faultNames.map((name) => [name, 0])) as FaultRates;

/**
 * The stored setting, or else the configuration of the simulated warehouse; of its activity, the part that the user may
 * see.
 */
export function sandboxRecord(
  setting: Setting | undefined,
  facilities: readonly SimulatedFacility[],
  { clientIds, facilityCodes }: Scope,
): SandboxRecord {
  const configured = facilities[0]?.state.configured;
  const byHand = setting?.byHand ?? [];
  const silent = setting?.silent ?? [];
  const isSeen = ({ clientId }: { readonly clientId: string }) => clientIds === null || clientIds.includes(clientId);
  const isSeenFacility = (code: string) => facilityCodes === null || facilityCodes.includes(code);
  return {
    isOn: facilities.length > 0,
    speed: setting?.speed ?? configured?.speed ?? 1,
    faults: { ...nothingGoesWrong, ...configured?.faults, ...setting?.faults },
    byHand: byHand.filter((clientId) => isSeen({ clientId })),
    silent: silent.filter(isSeenFacility),
    changedAt: setting?.changedAt ?? null,
    changedBy: setting?.changedBy ?? null,
    facilities: facilities
      .filter(({ facilityCode }) => isSeenFacility(facilityCode))
      .map(({ facilityCode, seenAt, state }) => ({
        facilityCode,
        isSilent: silent.includes(facilityCode),
        seenAt,
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
