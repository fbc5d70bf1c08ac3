import type { components, operations } from "#operator";
import { api } from "../../api.ts";
import { useTimezone } from "../../directory.ts";
import type { Pages } from "../../frame/area-pages.tsx";
import { ofAllFacilities } from "../../parts/all-facilities.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { rangeParam, screenRanges, useScreenRange } from "../../screen-ranges.ts";
import { actorOf, actorText, codeOf, detailText, linkToObject, typeWord } from "./audit-words.ts";

type Entry = components["schemas"]["AuditEntry"];
type Query = NonNullable<operations["listAudit"]["parameters"]["query"]>;

const linkOf = ({ objectType, clientId, objectId }: Entry) => linkToObject(objectType, clientId, objectId);

const columns: readonly Column<Entry>[] = [
  {
    key: "objectId",
    header: "Object",
    width: 196,
    cell: (row) => <Id text={row.objectId} to={linkOf(row)} length={18} />,
  },
  { key: "objectType", kind: "word", header: "Type", wraps: true, cell: ({ objectType }) => typeWord(objectType) },
  { key: "at", kind: "moment", header: "When", sort: "at" },
  { key: "actor", header: "Who", width: 128, wraps: true, cell: ({ actor }) => actorText(actor) },
  { key: "action", header: "Action", width: 126, wraps: true, cell: ({ action }) => typeWord(action) },
  { key: "clientId" },
  {
    key: "detail",
    header: "Details",
    width: 260,
    wraps: true,
    cell: ({ detail }) => <span title={JSON.stringify(detail)}>{detailText(detail)}</span>,
    text: ({ detail }: Entry) => JSON.stringify(detail),
  },
  { key: "origin", header: "From", width: 124 },
  {
    key: "auditId",
    header: "Line",
    width: 190,
    wraps: true,
    isHiddenAtFirst: true,
    cell: ({ auditId }) => <Id text={auditId} length={18} />,
  },
];

const types = [
  "order",
  "parcel",
  "purchaseOrder",
  "return",
  "workOrder",
  "transfer",
  "unidentifiedReceipt",
  "webhook",
  "client",
  "facility",
  "credential",
];

const filters: readonly Filter[] = [
  { key: "actor", label: "Who", placeholder: "User anna" },
  { key: "action", label: "Action", placeholder: "carrier event" },
  {
    key: "objectType",
    label: "Type",
    kind: "select" as const,
    options: [...types, "user", "sandbox", "carrierData"].map((value) => ({ value, label: typeWord(value) })),
  },
  { key: "objectId", label: "Object", placeholder: "WEB-100045" },
  {
    key: rangeParam,
    label: "When",
    range: { ...screenRanges["/audit"], from: "from", to: "to", unit: "moment", isInTopBar: true },
  },
];

const scope = ["clientId"] as const;

/** The audit log: who did what to which object, and when. */
export const auditPages: Pages = {
  "": ofAllFacilities(AuditScreen, { title: "Audit", what: "Entries of the audit log" }),
};

function AuditScreen() {
  const range = useScreenRange(screenRanges["/audit"]);
  const timezone = useTimezone();
  return (
    <Screen title="Audit">
      <DataList
        id="audit"
        label="Audit log"
        columns={columns}
        filters={filters}
        scope={scope}
        sort="-at"
        fetchPage={({ action, actor, ...query }: Query, signal) => {
          const codes = {
            ...(action === undefined ? {} : { action: codeOf(action) }),
            ...(actor === undefined ? {} : { actor: actorOf(actor) }),
          };
          const params = { query: { ...query, ...codes } };
          return api.GET("/audit/list", { params, signal });
        }}
        rowId={({ auditId }) => auditId}
        empty={{
          why: `No actions in this period (${range.label(timezone)}). Choose a longer period at the top.`,
        }}
        live={10_000}
      />
    </Screen>
  );
}
