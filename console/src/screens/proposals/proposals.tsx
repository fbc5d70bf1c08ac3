import type { components } from "#operator";
import { enumerations } from "../../enumerations.ts";
import { linkTo } from "../../links.ts";
import { type Column, DataList, type Filter } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { stateFilter } from "../../parts/list/state-filter.ts";
import { Screen } from "../../parts/page/screen.tsx";
import { titleOf } from "./proposal-words.ts";

type Proposal = components["schemas"]["ProposalSummary"];

const columns: readonly Column<Proposal>[] = [
  {
    key: "proposal",
    header: "Proposal",
    width: 260,
    wraps: true,
    of: titleOf,
    to: ({ clientId, proposalId }) => linkTo("proposal", clientId, proposalId),
  },
  { key: "clientId" },
  { key: "status", states: "proposal" },
  { key: "reason", header: "Reason of the agent", width: 320, wraps: true },
  { key: "agent", header: "Agent", width: 170, wraps: true },
  { key: "createdAt", header: "Proposed" },
  { key: "expiresAt", header: "Expires" },
  { key: "decidedAt", header: "Decided" },
  { key: "proposalId", kind: "token" },
];

const filters: readonly Filter[] = [stateFilter(enumerations.ProposalStatus, "several")];

const scope = ["clientId"] as const;

/** Changes that agents propose, over all clients. */
export function Proposals() {
  return (
    <Screen title="Proposals">
      <DataList
        id="proposals"
        label="Proposals"
        columns={columns}
        filters={filters}
        scope={scope}
        fetchPage={pagesOf("/proposal/list", "status")}
        empty={{ why: "No agent has proposed a change in the last 90 days." }}
        live={10_000}
      />
    </Screen>
  );
}
