import { useState } from "react";
import type { components } from "#operator";
import { api } from "../api.ts";
import { codeAndName, useClients } from "../directory.ts";
import { ActionButton } from "../parts/actions/action-button.tsx";
import { CopyText } from "../parts/copy-text.tsx";
import type { Field } from "../parts/fields.tsx";
import { type Column, DataList } from "../parts/list/data-list.tsx";
import { Screen, Section } from "../parts/page/screen.tsx";
import { UnkeptSecrets } from "../parts/unkept-secrets.tsx";
import { useMay, useSession } from "../session.tsx";
import styles from "./account.module.css";

type Token = components["schemas"]["AgentToken"];
type Issued = components["schemas"]["IssuedAgentToken"];

const noScope: readonly never[] = [];

const columns: readonly Column<Token>[] = [
  { key: "name", header: "Agent", width: 200, wraps: true },
  { key: "clientId" },
  { key: "mayPropose", header: "May", width: 160, of: ({ mayPropose }) => (mayPropose ? "read and propose" : "read") },
  { key: "startedAt", header: "Issued" },
  { key: "lastUsedAt", header: "Last used", none: "never" },
  { key: "expiresAt", header: "Expires" },
  {
    key: "actions",
    header: "Actions",
    width: 120,
    cell: ({ tokenId, name }) => (
      <ActionButton
        verb="Revoke"
        label={`Revoke ${name}`}
        role="viewer"
        size="xs"
        isDestructive
        title={`Revoke ${name}`}
        text="The agent's next request is refused."
        run={() => api.DELETE("/agentToken/delete/{tokenId}", { params: { path: { tokenId } } })}
        done={`${name} was revoked.`}
      />
    ),
  },
];

/** The tokens by which agents act for the user. */
export function AgentTokens() {
  const [issued, setIssued] = useState<readonly Issued[]>([]);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const fields = useFields();
  const issue = (
    <ActionButton
      verb="Issue token"
      role="viewer"
      isPrimary
      title="Issue a token for an agent"
      text="The agent reads what you may see of the client. The token is shown once, and ends with your sessions."
      fields={fields}
      run={async ({ name = "", clientId = "", hours = "", mayPropose }) => {
        const body = { name: name.trim(), clientId, hours: Number(hours), mayPropose: mayPropose === "true" };
        const made = await api.POST("/agentToken/create", { body });
        setIssued((before) => [made, ...before]);
      }}
      done="The token was issued. It is shown once."
    />
  );
  return (
    <Screen
      title="Tokens for agents"
      lead="A token lets an agent read for you at /mcp, and propose changes."
      actions={issue}
    >
      {issued.map(({ agentToken: { tokenId, name }, token }) => (
        <Section key={tokenId} title={`Token of ${name}`} note="Shown only now.">
          <div className={styles.part}>
            <code className={styles.secret}>{token}</code>
            <CopyText text={token} verb="Copy" onCopied={() => setKept((before) => new Set([...before, tokenId]))} />
          </div>
        </Section>
      ))}
      <UnkeptSecrets areKept={issued.every(({ agentToken: { tokenId } }) => kept.has(tokenId))} />
      <DataList
        id="agent-tokens"
        label="Tokens for agents"
        isPlain
        scope={noScope}
        columns={columns}
        fetchPage={(_, signal) => api.GET("/agentToken/list", { signal })}
        rowId={({ tokenId }) => tokenId}
        empty={{ why: "No agent acts for you." }}
        live={10_000}
      />
    </Screen>
  );
}

function useFields(): readonly Field[] {
  const clients = useClients();
  const isOperator = useMay("operator");
  const mayPropose = useSession().facilityCodes === null && isOperator;
  return [
    { name: "name", label: "Agent", isRequired: true, placeholder: "Order desk" },
    {
      name: "clientId",
      label: "Client",
      kind: "select",
      isRequired: true,
      options: clients.map(({ clientId, name }) => ({ value: clientId, label: codeAndName(clientId, name) })),
    },
    { name: "hours", label: "Hours until it expires", kind: "number", isRequired: true, initial: "8" },
    ...(mayPropose
      ? [
          {
            name: "mayPropose",
            label: "May propose changes",
            kind: "switch" as const,
            description: "A person approves or rejects each of them.",
          },
        ]
      : []),
  ];
}
