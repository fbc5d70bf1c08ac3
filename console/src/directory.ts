import type { components } from "#operator";
import { api, request } from "./api.ts";
import { useData } from "./data.ts";
import { useScope } from "./scope.ts";
import { useSession } from "./session.tsx";
import { chosenZone, machineZone } from "./time-display.ts";
import { useTimeDisplay } from "./use-time-display.ts";

export interface ClientEntry {
  readonly clientId: string;
  readonly name: string;
  readonly status: string;
}

export interface FacilityEntry {
  readonly facilityCode: string;
  readonly name: string;
  readonly country: string;
  /** IANA name. */
  readonly timezone: string;
  readonly status: string;
}

async function readEntries<Entry>(path: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const answer = (await (await request(path, { signal })).json()) as readonly Entry[] | { items: readonly Entry[] };
  return "items" in answer ? answer.items : answer;
}

/** Every client that the user may see; empty while loading. */
export function useClients(): readonly ClientEntry[] {
  return (
    useData(["clientDirectory"], (signal) => readEntries<ClientEntry>("/clientDirectory/list?limit=500", signal))
      .data ?? []
  );
}

export function useFacilityDirectory() {
  const load = (signal: AbortSignal) => readEntries<FacilityEntry>("/facilityDirectory/list?limit=500", signal);
  return useData(["facilityDirectory"], load);
}

/** Every facility that the user may see; empty while loading. */
export function useFacilities(): readonly FacilityEntry[] {
  return useFacilityDirectory().data ?? [];
}

export const codeAndName = (code: string, name: string) => (code === name ? code : `${code} · ${name}`);

/** The facilities as the options of a choice. */
export function useFacilityOptions(): readonly { readonly value: string; readonly label: string }[] {
  return useFacilities().map(({ facilityCode, name }) => ({
    value: facilityCode,
    label: codeAndName(facilityCode, name),
  }));
}

/**
 * The carriers of the carrier data in force, of the client in the top bar or of the operator; empty while loading, and
 * for users who may not see the data.
 */
export function useCarriers(): readonly { readonly value: string; readonly label: string }[] {
  const { clientId } = useScope();
  // The data concern all facilities of a client.
  const { facilityCodes, role } = useSession();
  const isReady = facilityCodes === null && role !== "developer";
  const params = { query: clientId === undefined ? {} : { clientId } };
  const load = async (signal: AbortSignal) => {
    const { data } = await api.GET("/carrierData/get", { params, signal });
    const { services } = data as components["schemas"]["ClientCarrierData"];
    return [...new Set(services.map(({ carrierCode }) => carrierCode))].toSorted();
  };
  const { data } = useData(["carriers", clientId ?? ""], load, { isReady });
  return (data ?? []).map((value) => ({ value, label: value }));
}

/** The time zone of the facility, else of the facility in the top bar, else of this machine. */
export function useFacilityTimezone(facilityCode?: string): string {
  const facilities = useFacilities();
  const chosen = useScope().distributionCentre;
  const code = facilityCode ?? chosen;
  return facilities.find((facility) => facility.facilityCode === code)?.timezone ?? machineZone();
}

/** The time zone for displayed times: the user's choice, else that of the facility. */
export function useTimezone(facilityCode?: string): string {
  const ofFacility = useFacilityTimezone(facilityCode);
  return chosenZone(useTimeDisplay()) ?? ofFacility;
}
