import { Button } from "@mantine/core";
import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { linkTo } from "../../links.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { useGo } from "../../scope.ts";
import { useMay } from "../../session.tsx";

type Client = components["schemas"]["ClientSummary"];
type Query = NonNullable<operations["listClientDirectory"]["parameters"]["query"]>;

const pathOf = ({ clientId }: Client) => linkTo("client", clientId, clientId);

const columns: readonly Column<Client>[] = [
  { key: "clientId", header: "Client", width: 160, cell: (row) => <Id text={row.clientId} to={pathOf(row)} /> },
  { key: "name", header: "Name", width: 260, cell: ({ name }) => name },
  { key: "status", header: "State", width: 120, cell: ({ status }) => <StateBadge kind="client" state={status} /> },
  {
    key: "facilities",
    header: "Facilities, in routing order",
    width: 240,
    cell: ({ facilities }) => facilities.join(", ") || "none",
    text: ({ facilities }) => facilities.join(", "),
  },
  { key: "updatedAt", header: "Changed", width: 130, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  { key: "createdAt", header: "Created", width: 130, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const filters: readonly Filter[] = [
  { key: "text", label: "Client or name", kind: "text", placeholder: "Part of the client or the name" },
  {
    key: "status",
    label: "State",
    kind: "select" as const,
    options: [
      { value: "ACTIVE", label: "Active" },
      { value: "SUSPENDED", label: "Suspended" },
    ],
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
        fetchPage={(query: Query, signal) => unwrap(api.GET("/clientDirectory/list", { params: { query }, signal }))}
        rowId={({ clientId }) => clientId}
        rowTo={pathOf}
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
