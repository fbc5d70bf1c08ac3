import type { components } from "#operator";
import { api } from "../../../api.ts";
import { useAnswer } from "../../../data.ts";
import { useClients, useFacilityOptions } from "../../../directory.ts";
import { enumerations } from "../../../enumerations.ts";
import { linkTo } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import { type Column, DataList, type Filter } from "../../../parts/list/data-list.tsx";
import { pagesOf } from "../../../parts/list/pages.ts";
import { stateFilter } from "../../../parts/list/state-filter.ts";
import { Section } from "../../../parts/page/screen.tsx";
import { useScope } from "../../../scope.ts";
import { useSession } from "../../../session.tsx";

type Manifest = components["schemas"]["LabelManifestRow"];

const columns: readonly Column<Manifest>[] = [
  {
    key: "manifestId",
    kind: "token",
    header: "Manifest",
    to: ({ clientId, manifestId }) => linkTo("manifest", clientId, manifestId),
  },
  { key: "clientId" },
  { key: "facilityCode" },
  { key: "sourceCode", header: "Label source", width: 150 },
  { key: "carrierCode", header: "Carrier", width: 120 },
  { key: "status", states: "labelManifest" },
  { key: "parcels", kind: "count", header: "Parcels" },
  { key: "leftOut", kind: "count", header: "Left out" },
  { key: "cutOffAt", header: "Cut-off", kind: "moment", none: "by hand" },
  { key: "error", header: "Error", width: 260, wraps: true },
  { key: "updatedAt", header: "Changed" },
  { key: "createdBy", header: "Asked by", width: 140, isHiddenAtFirst: true },
  { key: "createdAt", header: "Begun", isHiddenAtFirst: true },
  { key: "dueAt", header: "Next attempt", isHiddenAtFirst: true },
  { key: "externalId", header: "Id at the source", width: 180, isHiddenAtFirst: true },
];

const filters: readonly Filter[] = [
  stateFilter(enumerations.LabelManifestStatus, "several"),
  { key: "sourceCode", label: "Label source" },
];

/** Manifests of carriers, the last changed first; a person asks for one before the cut-off. */
export function Manifests() {
  return (
    <Section
      title="Manifests"
      note="What a facility gives to each carrier. At its cut-off they are made for each label source with bought labels that have left."
      actions={<MakeManifest />}
    >
      <DataList
        id="label-manifests"
        label="Manifests"
        columns={columns}
        filters={filters}
        fetchPage={pagesOf("/labelManifest/list", "status")}
        empty={{ why: "No manifest was made yet. A facility with a cut-off makes them then." }}
        live={10_000}
      />
    </Section>
  );
}

function MakeManifest() {
  const { clientId, distributionCentre } = useScope();
  const clients = useClients().map(({ clientId: value, name: label }) => ({ value, label: `${value} · ${label}` }));
  const facilities = useFacilityOptions();
  // Sources concern all facilities: their list is closed to users of some.
  const isWhole = useSession().facilityCodes === null;
  const sources = useAnswer("/labelSource/list", {}, { isReady: isWhole }).data?.items ?? [];
  const options = [...sources.map(({ sourceCode }) => sourceCode), "OWN"].map((value) => ({ value, label: value }));
  return (
    <ActionButton
      verb="Make manifests"
      title="Make manifests now"
      text="Of the parcels that have left since the last manifest. OWN lists those of the last 24 hours with the platform's labels."
      fields={[
        {
          name: "clientId",
          label: "Client",
          kind: "select",
          isRequired: true,
          initial: clientId ?? "",
          options: clients,
        },
        {
          name: "distributionCentre",
          label: "Facility",
          kind: "select",
          isRequired: true,
          initial: distributionCentre ?? "",
          options: facilities,
        },
        isWhole
          ? { name: "sourceCode", label: "Label source", kind: "select", isRequired: true, initial: "OWN", options }
          : { name: "sourceCode", label: "Label source", isRequired: true, initial: "OWN" },
      ]}
      run={async ({ clientId: client = "", distributionCentre: facility = "", sourceCode = "" }) =>
        api.POST("/labelManifest/create", {
          params: { query: { clientId: client } },
          body: { distributionCentre: facility, sourceCode },
        })
      }
      done={({ manifestIds }) =>
        manifestIds.length === 0 ? "Nothing has left since the last manifest." : `${manifestIds.length} begun.`
      }
    />
  );
}
