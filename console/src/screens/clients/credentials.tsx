import { useState } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { wordOf } from "../../parts/tones.ts";
import { useMay } from "../../session.tsx";
import styles from "./clients.module.css";
import { type Issue, IssuedSecrets } from "./secrets-box.tsx";

export type Credential = components["schemas"]["Credential"];
type Kind = "feed" | "oauth" | "sftp";

export const kindWords: Readonly<Record<string, string>> = {
  feed: "Feeds (X-API-KEY)",
  oauth: "REST (OAuth)",
  sftp: "SFTP",
  warehouse: "Warehouse port",
  carrier: "Carrier's events",
};

interface CredentialsProps {
  readonly clientId: string;
  readonly credentials: readonly Credential[];
}

/**
 * The credentials of a client without their secrets. A rotation issues a new credential and then revokes the old one.
 */
export function Credentials({ clientId, credentials }: CredentialsProps) {
  const [issued, setIssued] = useState<readonly Issue[]>([]);
  const issue = async (kind: Kind, publicKey?: string) => {
    const body = { clientId, kind, ...(publicKey ? { publicKey } : {}) };
    const { feed, oauth, sftp } = await api.POST("/credential/issue", { body });
    // Earlier ones stay visible, because they may not have been copied yet.
    const title = `New credential: ${kindWords[kind]}`;
    setIssued((before) => [{ number: before.length, title, secrets: { clientId, feed, oauth, sftp } }, ...before]);
  };
  return (
    <div className={styles.form}>
      <div className={styles.buttons}>
        <ActionButton
          verb="Issue credential"
          role="admin"
          isForDevelopers
          title={`Issue a credential of ${clientId}`}
          text="The existing credentials stay valid. The secret is shown once."
          fields={[
            {
              name: "kind",
              label: "Gives access to",
              kind: "select",
              isRequired: true,
              initial: "feed",
              options: ["feed", "oauth", "sftp"].map((kind) => ({ value: kind, label: kindWords[kind] ?? kind })),
            },
            {
              name: "publicKey",
              label: "Public key",
              kind: "lines",
              description: "SFTP only: an OpenSSH public key instead of a password.",
            },
          ]}
          run={({ kind, publicKey }) => issue(kind as Kind, publicKey?.trim())}
        />
      </div>
      <IssuedSecrets issues={issued} />
      <CredentialTable
        credentials={credentials}
        actions={(credential) => <CredentialActions clientId={clientId} credential={credential} issue={issue} />}
        why="The client has no credential and cannot send anything."
      />
    </div>
  );
}

interface CredentialTableProps<It extends Credential> {
  readonly credentials: readonly It[];
  readonly of?: (credential: It) => string;
  /** Says what it means that there are none. */
  readonly why: string;
  actions(credential: It): React.ReactNode;
}

/** Active credentials first, then revoked ones. */
export function CredentialTable<It extends Credential>({ credentials, of, why, actions }: CredentialTableProps<It>) {
  const mayChange = useMay("admin", true);
  const sorted = [...credentials].sort(
    (left, right) => Number(left.revokedAt !== null) - Number(right.revokedAt !== null),
  );
  const columns: readonly Column<It>[] = [
    { key: "kind", header: "Opens", width: 152, of: ({ kind }) => kindWords[kind] ?? wordOf(kind) },
    ...(of ? [{ key: "of", header: "Of", width: 120, of }] : []),
    {
      key: "username",
      header: "User name",
      width: 240,
      wraps: true,
      of: ({ username, hasPublicKey }) => `${username ?? "–"}${hasPublicKey ? " (key)" : ""}`,
    },
    { key: "state", states: "credential", of: ({ revokedAt }) => (revokedAt === null ? "ACTIVE" : "REVOKED") },
    { key: "createdAt", header: "Issued" },
    { key: "lastUsedAt", header: "Last used", none: "never" },
    { key: "credentialId", kind: "token" },
    ...(mayChange
      ? [
          {
            key: "actions",
            header: "Actions",
            width: 180,
            cell: (credential: It) => (credential.revokedAt === null ? actions(credential) : ""),
          },
        ]
      : []),
  ];
  return (
    <StaticList
      id="credentials"
      label="Credentials"
      columns={columns}
      rows={sorted}
      rowId={({ credentialId }) => credentialId}
      empty={{ why }}
    />
  );
}

interface CredentialActionsProps {
  readonly clientId: string;
  readonly credential: Credential;
  issue(kind: Kind): Promise<void>;
}

function CredentialActions({ clientId, credential, issue }: CredentialActionsProps) {
  const { kind } = credential;
  return (
    <span className={styles.buttons}>
      <ActionButton
        verb="Rotate"
        role="admin"
        isForDevelopers
        size="xs"
        title={`Rotate this credential of ${clientId}`}
        text="A new credential is issued, and both are valid. When the client uses the new one (see “Last used”), revoke this one."
        run={() => issue(kind as Kind)}
        done="A new credential was issued. The old one is still valid."
      />
      <RevokeButton of={`client ${clientId}`} credential={credential} />
    </span>
  );
}

/** Revokes a credential after a confirmation that names its owner and the effect. */
export function RevokeButton({ of, credential }: { readonly of: string; readonly credential: Credential }) {
  const { credentialId, kind } = credential;
  return (
    <ActionButton
      verb="Revoke"
      role="admin"
      isForDevelopers
      size="xs"
      isDestructive
      title={`Revoke a credential of ${of}`}
      text={`${kindWords[kind] ?? kind}, ${credentialId}: requests with it are refused from now on. This cannot be undone.`}
      run={() => api.POST("/credential/revoke/{credentialId}", { params: { path: { credentialId } } })}
      done="The credential was revoked."
    />
  );
}
