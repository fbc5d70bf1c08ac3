import { Table } from "@mantine/core";
import { useState } from "react";
import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { Id } from "../../parts/id.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
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
    const { feed, oauth, sftp } = await unwrap(api.POST("/credential/issue", { body }));
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
          confirm={{
            title: `Issue a credential of ${clientId}`,
            text: "The existing credentials stay valid. The secret is shown once.",
          }}
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
      {credentials.length === 0 ? (
        <Empty why="The client has no credential and cannot send anything." />
      ) : (
        <CredentialTable
          credentials={credentials}
          actions={(credential) => <CredentialActions clientId={clientId} credential={credential} issue={issue} />}
        />
      )}
    </div>
  );
}

interface CredentialTableProps<It extends Credential> {
  readonly credentials: readonly It[];
  readonly of?: (credential: It) => string;
  actions(credential: It): React.ReactNode;
}

/** Active credentials first, then revoked ones. */
export function CredentialTable<It extends Credential>({ credentials, of, actions }: CredentialTableProps<It>) {
  const mayChange = useMay("admin");
  const sorted = [...credentials].sort(
    (left, right) => Number(left.revokedAt !== null) - Number(right.revokedAt !== null),
  );
  return (
    <div className={styles.scroll}>
      <Table aria-label="Credentials">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Opens</Table.Th>
            {of ? <Table.Th>Of</Table.Th> : null}
            <Table.Th>User name</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Issued</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Id</Table.Th>
            {mayChange ? <Table.Th>Actions</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((credential) => (
            <Table.Tr key={credential.credentialId}>
              <Table.Td>{kindWords[credential.kind] ?? wordOf(credential.kind)}</Table.Td>
              {of ? <Table.Td>{of(credential)}</Table.Td> : null}
              <Table.Td>
                {credential.username ?? "–"}
                {credential.hasPublicKey ? " (key)" : ""}
              </Table.Td>
              <Table.Td>
                <StateBadge kind="credential" state={credential.revokedAt === null ? "ACTIVE" : "REVOKED"} />
              </Table.Td>
              <Table.Td>
                <Time at={credential.createdAt} />
              </Table.Td>
              <Table.Td>{credential.lastUsedAt === null ? "never" : <Time at={credential.lastUsedAt} />}</Table.Td>
              <Table.Td>
                <Id text={credential.credentialId} length={13} isSmall />
              </Table.Td>
              {mayChange ? <Table.Td>{credential.revokedAt === null ? actions(credential) : null}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
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
        size="xs"
        confirm={{
          title: `Rotate this credential of ${clientId}`,
          text: "A new credential is issued, and both are valid. When the client uses the new one (see “Last used”), revoke this one.",
        }}
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
      size="xs"
      isDestructive
      confirm={{
        title: `Revoke a credential of ${of}`,
        text: `${kindWords[kind] ?? kind}, ${credentialId}: requests with it are refused from now on. This cannot be undone.`,
      }}
      run={() => unwrap(api.POST("/credential/revoke/{credentialId}", { params: { path: { credentialId } } }))}
      done="The credential was revoked."
    />
  );
}
