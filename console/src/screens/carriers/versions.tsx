import { Button } from "@mantine/core";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { notifyDone, notifyFailed } from "../../parts/actions/notify.ts";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { ToneBadge } from "../../parts/state-badge.tsx";
import { useMay } from "../../session.tsx";
import type { CarrierData } from "./carrier-data.ts";
import { useDraft } from "./draft/draft.tsx";

type Version = components["schemas"]["CarrierSetSummary"];

/** The versions of the set. An older one can become the draft, to return to it. */
export function Versions() {
  const { owner, held, change } = useDraft();
  const mayEdit = useMay("operator");
  const ownerFields = owner === undefined ? {} : { clientId: owner };
  const take = async (version: number) => {
    try {
      const query = { ...ownerFields, version };
      const { data } = await api.GET("/carrierData/get", { params: { query } });
      change(data as CarrierData);
      notifyDone(`Version ${version} is the draft now.`);
    } catch (error) {
      notifyFailed(`Version ${version} could not be loaded`, error as Error);
    }
  };
  const columns: readonly Column<Version>[] = [
    { key: "version", kind: "number", header: "Version" },
    {
      key: "state",
      kind: "state",
      cell: ({ version }) =>
        held?.isOwn && version === held.version ? (
          <ToneBadge tone="done" text="In force" />
        ) : (
          <ToneBadge tone="ended" text="Before" />
        ),
      text: ({ version }) => (held?.isOwn && version === held.version ? "in force" : "before"),
    },
    { key: "activatedAt", header: "Activated" },
    { key: "createdBy", header: "By", width: 130 },
    { key: "note", header: "Note", width: 240, wraps: true },
    { key: "services", kind: "count", header: "Services" },
    { key: "rateCards", kind: "count", header: "Matrices" },
    { key: "rules", kind: "count", header: "Rules" },
    ...(mayEdit
      ? [
          {
            key: "take",
            header: "Go back",
            width: 184,
            cell: ({ version }: Version) => (
              <Button size="compact-sm" variant="default" onClick={() => void take(version)}>
                Make it the draft
              </Button>
            ),
            text: () => "",
          },
        ]
      : []),
  ];
  return (
    <DataList
      id="carrier-versions"
      label="Versions"
      isPlain
      scope={[]}
      fixed={ownerFields}
      columns={columns}
      fetchPage={pagesOf("/carrierData/list")}
      rowId={({ version }) => String(version)}
      empty={{
        why:
          owner === undefined
            ? "No carrier data yet."
            : `${owner} has no separate carrier data and uses the operator's.`,
      }}
    />
  );
}
