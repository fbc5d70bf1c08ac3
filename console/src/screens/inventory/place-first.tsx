import { Select } from "@mantine/core";
import { useClients, useFacilities } from "../../directory.ts";
import { Empty } from "../../parts/loading/empty.tsx";
import { useScope, useSetParams } from "../../scope.ts";
import styles from "./inventory.module.css";

/** Shown instead of data for one client and one facility, until both are selected here or in the top bar. */
export function PlaceFirst({ what }: { readonly what: string }) {
  const { clientId, distributionCentre } = useScope();
  const clients = useClients();
  const facilities = useFacilities();
  const setParams = useSetParams();
  const nameOf = (code: string, name: string) => (code === name ? code : `${code} · ${name}`);
  return (
    <Empty
      why={what}
      action={
        <div className={styles.form}>
          <Select
            label="For client"
            placeholder="Choose one"
            searchable
            data={clients.map((client) => ({ value: client.clientId, label: nameOf(client.clientId, client.name) }))}
            value={clientId ?? null}
            onChange={(client) => setParams({ client })}
          />
          <Select
            label="In facility"
            placeholder="Choose one"
            searchable
            data={facilities.map(({ facilityCode, name }) => ({
              value: facilityCode,
              label: nameOf(facilityCode, name),
            }))}
            value={distributionCentre ?? null}
            onChange={(facility) => setParams({ facility })}
          />
        </div>
      }
    />
  );
}
