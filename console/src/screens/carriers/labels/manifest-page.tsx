import { Button } from "@mantine/core";
import { useParams } from "react-router";
import type { components } from "#operator";
import { api } from "../../../api.ts";
import { useAnswer } from "../../../data.ts";
import { linkTo, pathTo, pathWith } from "../../../links.ts";
import { ActionButton } from "../../../parts/actions/action-button.tsx";
import type { Column } from "../../../parts/list/data-list.tsx";
import { StaticList } from "../../../parts/list/static-list.tsx";
import { Loaded } from "../../../parts/loading/loaded.tsx";
import { DetailPage } from "../../../parts/page/detail-page.tsx";
import { clientFact } from "../../../parts/page/place-facts.tsx";
import { StateBadge } from "../../../parts/state-badge.tsx";
import { Time } from "../../../parts/time.tsx";

type Manifest = components["schemas"]["LabelManifest"];
type Parcel = components["schemas"]["ManifestParcel"] & { readonly reason?: string };

const columnsOf = (clientId: string, hasReason: boolean): readonly Column<Parcel>[] => [
  { key: "olpnId", kind: "id", header: "Parcel", width: 180, to: ({ olpnId }) => linkTo("parcel", clientId, olpnId) },
  { key: "orderId", kind: "id", header: "Order", to: ({ orderId }) => linkTo("order", clientId, orderId) },
  { key: "trackingNumber", header: "Tracking number", width: 190 },
  ...(hasReason ? [{ key: "reason", kind: "word", header: "Why", width: 170 } as const] : []),
];

/** A manifest: its parcels, those that are left out, and its document. */
export function ManifestPage() {
  const { clientId = "", manifestId = "" } = useParams();
  const manifest = useAnswer("/labelManifest/get/{manifestId}", { path: { manifestId }, query: { clientId } });
  return (
    <Loaded query={manifest} what="The manifest" height={480}>
      {(loaded) => (
        <DetailPage
          what="Manifest"
          id={manifestId}
          name={`${loaded.facilityCode}, ${loaded.carrierCode}`}
          clientId={clientId}
          back={{ to: "/carriers?tab=manifests", label: "Carriers" }}
          state={<StateBadge kind="labelManifest" state={loaded.status} />}
          age={<Time at={loaded.updatedAt} />}
          actions={<Actions manifest={loaded} />}
          facts={[
            clientFact(clientId),
            { name: "Label source", value: loaded.sourceCode },
            { name: "Cut-off", value: loaded.cutOffAt === null ? "by hand" : <Time at={loaded.cutOffAt} isExact /> },
            { name: "Id at the source", value: loaded.externalId },
            { name: "Error", value: loaded.error },
            { name: "Collection", value: collectionOf(loaded) },
            { name: "Begun", value: <Time at={loaded.createdAt} isExact /> },
          ]}
          tabs={[
            { key: "parcels", label: `Parcels ${loaded.parcels.length}`, content: <Parcels manifest={loaded} /> },
            { key: "left-out", label: `Left out ${loaded.leftOut.length}`, content: <LeftOut manifest={loaded} /> },
          ]}
        />
      )}
    </Loaded>
  );
}

function collectionOf({ pickupState, pickupId, pickupError }: Manifest) {
  if (pickupState === "BOOKED") return `booked${pickupId ? `, ${pickupId}` : ""}`;
  if (pickupState === "FAILED") return `not booked: ${pickupError ?? ""}`;
  return pickupState && `is being booked${pickupError ? `: ${pickupError}` : ""}`;
}

function Actions({ manifest }: { readonly manifest: Manifest }) {
  const { manifestId, clientId, status } = manifest;
  const href = pathWith(pathTo("v1", "operatorService", "labelManifest", "document", manifestId), { clientId });
  return (
    <>
      {(status === "FAILED" || manifest.pickupState === "FAILED") && (
        <ActionButton
          verb={status === "FAILED" ? "Ask again" : "Book collection again"}
          run={() =>
            api.POST("/labelManifest/retry/{manifestId}", {
              params: { path: { manifestId }, query: { clientId } },
              body: {},
            })
          }
          done="The source is asked again."
        />
      )}
      {status === "MADE" && (
        <Button component="a" size="compact-sm" variant="default" href={href} download>
          Download document
        </Button>
      )}
    </>
  );
}

function Parcels({ manifest: { clientId, parcels } }: { readonly manifest: Manifest }) {
  return (
    <StaticList<Parcel>
      id="manifest-parcels"
      label="Parcels"
      columns={columnsOf(clientId, false)}
      rows={parcels}
      rowId={({ olpnId }) => olpnId}
      empty={{ why: "No parcel has left." }}
    />
  );
}

function LeftOut({ manifest: { clientId, leftOut } }: { readonly manifest: Manifest }) {
  return (
    <StaticList<Parcel>
      id="manifest-left-out"
      label="Left out"
      columns={columnsOf(clientId, true)}
      rows={leftOut}
      rowId={({ olpnId, reason }) => `${olpnId} ${reason}`}
      empty={{ why: "Every parcel with a label of the source has left." }}
    />
  );
}
