import type { components } from "#operator";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { Screen } from "../../parts/page/screen.tsx";

type Mail = components["schemas"]["AlertMail"];

const pathOf = ({ clientId, mailId }: Mail) => linkTo("mail", clientId, mailId);

const columns: readonly Column<Mail>[] = [
  { key: "subject", header: "Subject", width: 310, wraps: true, to: pathOf },
  { key: "address", header: "To", width: 210, wraps: true },
  { key: "clientId" },
  { key: "status", states: "mail" },
  { key: "tries" },
  { key: "createdAt", header: "Written", sort: "createdAt" },
  { key: "sentAt", header: "Sent" },
  { key: "mailId", kind: "token" },
];

const filters: readonly Filter[] = [stateFilter(enumerations.AlertMailStatus)];

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
        fetchPage={pagesOf("/mail/list")}
        empty={{ why: "No mail about failing webhooks or outbound feeds in the last 90 days." }}
        live={30_000}
      />
    </Screen>
  );
}
