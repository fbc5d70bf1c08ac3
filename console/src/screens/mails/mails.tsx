import type { components, operations } from "#operator";
import { api, unwrap } from "../../api.ts";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { Go } from "../../parts/go.tsx";
import { Id } from "../../parts/id.tsx";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { Screen } from "../../parts/page/screen.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";

type Mail = components["schemas"]["AlertMail"];
type Query = NonNullable<operations["listMails"]["parameters"]["query"]>;

const pathOf = ({ clientId, mailId }: Mail) => linkTo("mail", clientId, mailId);

const columns: readonly Column<Mail>[] = [
  {
    key: "subject",
    header: "Subject",
    width: 330,
    wraps: true,
    cell: (row) => <Go to={pathOf(row)}>{row.subject}</Go>,
  },
  { key: "address", header: "To", width: 210, wraps: true, cell: ({ address }) => address },
  { key: "clientId", header: "Client", width: 80, cell: ({ clientId }) => clientId },
  { key: "status", header: "State", width: 90, cell: ({ status }) => <StateBadge kind="mail" state={status} /> },
  { key: "tries", header: "Attempts", width: 94, align: "right", cell: ({ tries: attempts }) => attempts },
  {
    key: "createdAt",
    header: "Written",
    width: 112,
    sort: "createdAt",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { key: "sentAt", header: "Sent", width: 108, cell: ({ sentAt }) => <Time at={sentAt} /> },
  { key: "mailId", header: "Id", width: 120, cell: ({ mailId }) => <Id text={mailId} length={9} isSmall /> },
];

const filters: readonly Filter[] = [
  {
    key: "status",
    label: "State",
    kind: "select" as const,
    options: enumerations.AlertMailStatus.map((value) => ({ value, label: wordOf(value) })),
  },
];

const scope = ["clientId"] as const;

/** Alert mails of all clients. */
export function Mails() {
  return (
    <Screen title="Mails">
      <DataList
        id="mails"
        label="Mails"
        columns={columns}
        filters={filters}
        scope={scope}
        sort="-createdAt"
        fetchPage={(query: Query, signal) => unwrap(api.GET("/mail/list", { params: { query }, signal }))}
        rowId={({ mailId }) => mailId}
        rowTo={pathOf}
        empty={{ why: "No mail about failing webhooks or outbound feeds in the last 90 days." }}
        live={30_000}
      />
    </Screen>
  );
}
