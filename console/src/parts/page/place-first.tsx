import { Group, Select } from "@mantine/core";
import { codeAndName, useClients, useFacilityOptions } from "../../directory.ts";
import { useScope, useSetParams } from "../../scope.ts";
import { Empty } from "../loading/empty.tsx";

interface PlaceFirstProps {
  readonly what: string;
  readonly isClientOnly?: boolean;
}

/** Shown instead of data for one client, and in most cases one facility, until they are selected here or in the top bar. */
export function PlaceFirst({ what, isClientOnly = false }: PlaceFirstProps) {
  const { clientId, distributionCentre } = useScope();
  const clients = useClients();
  const facilities = useFacilityOptions();
  const setParams = useSetParams();
  return (
    <Empty
      why={what}
      action={
        <Group justify="center">
          <Select
            label="For client"
            placeholder="Choose one"
            searchable
            data={clients.map((client) => ({
              value: client.clientId,
              label: codeAndName(client.clientId, client.name),
            }))}
            value={clientId ?? null}
            onChange={(client) => setParams({ client })}
          />
          {isClientOnly ? null : (
            <Select
              label="In facility"
              placeholder="Choose one"
              searchable
              data={facilities}
              value={distributionCentre ?? null}
              onChange={(facility) => setParams({ facility })}
            />
          )}
        </Group>
      }
    />
  );
}
