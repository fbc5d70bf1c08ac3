import { Group, Text } from "@mantine/core";
import { useClients, useFacilities } from "../../directory.ts";
import { linkTo, pathWith } from "../../links.ts";
import { Go } from "../go.tsx";
import type { Fact } from "./facts.tsx";

/** The client of an object, with its name and a link. @param tab of the client's page */
export const clientFact = (clientId: string, tab?: string): Fact => ({
  name: "Client",
  value: <ClientName clientId={clientId} to={pathWith(linkTo("client", "", clientId), { tab })} />,
});

/** The facility of an object, with its name and a link; left out if it has none. */
export const facilityFact = (facilityCode: string | null | undefined): Fact => ({
  name: "Facility",
  value: facilityCode && <FacilityName facilityCode={facilityCode} />,
});

function ClientName({ clientId, to }: { readonly clientId: string; readonly to: string }) {
  const name = useClients().find((client) => client.clientId === clientId)?.name;
  return <Named code={clientId} to={to} name={name} />;
}

function FacilityName({ facilityCode }: { readonly facilityCode: string }) {
  const name = useFacilities().find((facility) => facility.facilityCode === facilityCode)?.name;
  return <Named code={facilityCode} to={linkTo("facility", "", facilityCode)} name={name} />;
}

interface NamedProps {
  readonly code: string;
  readonly to: string;
  /** Undefined while loading. */
  readonly name: string | undefined;
}

function Named({ code, to, name = "" }: NamedProps) {
  return (
    // Not a text: a link within one would have to be underlined.
    <Group gap={6}>
      <Go to={to}>{code}</Go>
      {name === code ? null : (
        <Text span inherit c="dimmed">
          {name}
        </Text>
      )}
    </Group>
  );
}
