import { Button } from "@mantine/core";
import type { components } from "#operator";
import { linkTo } from "../../links.ts";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { optionsOf } from "../../parts/options.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { useGo } from "../../scope.ts";
import { useMay } from "../../session.tsx";

type Client = components["schemas"]["ClientSummary"];

const pathOf = ({ clientId }: Client) => linkTo("client", clientId, clientId);

const columns: readonly Column<Client>[] = [
  { key: "clientId", kind: "id", header: "Client", to: pathOf },
  { key: "name", header: "Name", width: 240 },
  { key: "status", states: "client" },
  {
    key: "facilities",
    header: "Facilities, in routing order",
    width: 240,
    of: ({ facilities }) => facilities.join(", "),
    none: "none",
  },
  { key: "updatedAt", header: "Changed" },
  { key: "createdAt", header: "Created" },
];

const filters: readonly Filter[] = [
  { key: "text", label: "Client or name", kind: "text", placeholder: "Part of the client or the name" },
  {
    key: "status",
    label: "State",
    kind: "select" as const,
    options: optionsOf({ ACTIVE: "Active", SUSPENDED: "Suspended" }),
  },
];

/** The clients that the user may see. */
export function ClientList() {
  return (
    <Screen title="Clients" actions={<AddClient />}>
      <DataList
        id="clients"
        label="Clients"
        columns={columns}
        filters={filters}
        scope={[]}
        fetchPage={pagesOf("/clientDirectory/list")}
        empty={{ why: "No client yet.", action: <AddClient /> }}
      />
    </Screen>
  );
}

function AddClient() {
  const go = useGo();
  if (!useMay("admin")) return null;
  return (
    <Button size="xs" onClick={() => go("/clients/new")}>
      Add client
    </Button>
  );
}
