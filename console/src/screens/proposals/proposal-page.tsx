import type { AnswerOf } from "../../answer-of.ts";
import { api } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { actorWord } from "../../parts/actor-word.ts";
import { Go } from "../../parts/go.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { DetailPage } from "../../parts/page/detail-page.tsx";
import { pageOf } from "../../parts/page/page-of.tsx";
import { clientFact } from "../../parts/page/place-facts.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { wordOf } from "../../parts/tones.ts";
import { CodeBlock } from "../clients/code-block.tsx";
import { fieldWord, objectPath, titleOf } from "./proposal-words.ts";

type Proposal = AnswerOf<"/proposal/get/{proposalId}">;
type Change = Proposal["changes"][number];

/** A change that an agent proposes: why, and what it would change. */
export const ProposalPage = pageOf("/proposal/get/{proposalId}", { what: "The proposal", live: 10_000 }, (proposal) => (
  <Whole proposal={proposal} />
));

function Whole({ proposal }: { readonly proposal: Proposal }) {
  const { clientId, proposalId, status, objectId, changes, decidedBy, decidedAt, result } = proposal;
  const path = objectPath(proposal);
  return (
    <DetailPage
      what="Proposal"
      id={proposalId}
      name={titleOf(proposal)}
      back={{ to: "/proposals", label: "Proposals" }}
      state={<StateBadge kind="proposal" state={status} />}
      age={<Age since={proposal.createdAt} />}
      actions={<Actions proposal={proposal} />}
      facts={[
        { name: "Reason of the agent", value: proposal.reason },
        { name: "Agent", value: proposal.agent },
        { name: "Acts for", value: actorWord(proposal.proposedBy ?? `client:${clientId}`) },
        clientFact(clientId),
        { name: "Object", value: path === undefined ? objectId : <Go to={path}>{objectId}</Go> },
        { name: "Proposed", value: <Time at={proposal.createdAt} isExact /> },
        { name: "Expires", value: <Time at={proposal.expiresAt} isExact /> },
        { name: "Decided by", value: decidedBy && actorWord(decidedBy) },
        { name: "Decided", value: decidedAt && <Time at={decidedAt} isExact /> },
        { name: "Reason of the decision", value: proposal.decisionReason },
        { name: "Answer of the operation", value: result && (result.detail ?? "Done") },
      ]}
      tabs={[
        { key: "changes", label: "Changes", count: changes.length, content: <Changes changes={changes} /> },
        {
          key: "request",
          label: "Request",
          content: (
            <CodeBlock
              label="Request"
              text={`${proposal.method} ${proposal.path}\n\n${JSON.stringify(proposal.body, null, 2)}`}
            />
          ),
        },
      ]}
    />
  );
}

function Actions({ proposal }: { readonly proposal: Proposal }) {
  const { clientId, proposalId, status } = proposal;
  const params = { path: { proposalId }, query: { clientId } };
  const title = titleOf(proposal);
  const decided = `The proposal is ${wordOf(status).toLowerCase()}.`;
  return (
    <>
      <ActionButton
        verb="Approve"
        isPrimary
        title={`Approve: ${title}`}
        text="The request is sent with your rights, once. The audit log names you and the agent."
        run={() => api.POST("/proposal/approve/{proposalId}", { params, body: {} })}
        done={(answer) =>
          answer.status === "EXECUTED" ? `${title}: done.` : `${title}: refused. ${answer.result?.detail ?? ""}`.trim()
        }
        whyNot={status === "PENDING" || status === "APPROVED" ? undefined : decided}
      />
      <ActionButton
        verb="Reject"
        title={`Reject: ${title}`}
        text="Nothing is changed. The agent reads your reason."
        fields={[{ name: "reason", label: "Reason" }]}
        run={({ reason = "" }) =>
          api.POST("/proposal/reject/{proposalId}", { params, body: reason === "" ? {} : { reason } })
        }
        done={`${title}: rejected.`}
        whyNot={status === "PENDING" ? undefined : decided}
      />
    </>
  );
}

const columns: readonly Column<Change>[] = [
  { key: "field", header: "Field", width: 240, wraps: true, of: ({ field }) => fieldWord(field) },
  { key: "before", header: "Before", width: 280, wraps: true },
  { key: "after", header: "After", width: 280, wraps: true },
];

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <StaticList
      id="proposal-changes"
      label="Changes"
      columns={columns}
      rows={changes}
      rowId={({ field }) => field}
      empty={{ why: "The operation would change no field of the record." }}
    />
  );
}
