import { useState } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useClients } from "../../directory.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { type Column, DataList } from "../../parts/list/data-list.tsx";
import { pagesOf } from "../../parts/list/pages.ts";
import { Section } from "../../parts/page/screen.tsx";
import styles from "../clients/clients.module.css";

type Sent = components["schemas"]["SentInvitation"];
type Invitation = Sent["invitation"];

const noScope: readonly never[] = [];

/** The links that no mail server accepted, each shown once; the newest comes first. */
export function useLinks() {
  const [links, setLinks] = useState<readonly Sent[]>([]);
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  const add = (sent: Sent): string => {
    if (sent.link !== null) setLinks((before) => [sent, ...before]);
    const { address, mailError } = sent.invitation;
    if (sent.link === null) return `The invitation was mailed to ${address}.`;
    return mailError === null ? "The link is shown once." : "The mail was not accepted. The link is shown once.";
  };
  const shown = (
    <>
      {links.map(({ invitation, link }) => (
        <Section key={link} title={`Invitation of ${invitation.address}`}>
          <p className={styles.once}>
            {invitation.mailError === null
              ? "No mail server is configured."
              : `The mail server did not accept the mail: ${invitation.mailError}.`}{" "}
            The link is shown only now. Pass it on over a private channel. It is valid once, for three days.
          </p>
          <pre className={styles.block}>{link}</pre>
          <div className={styles.buttons}>
            <CopyText
              text={link ?? ""}
              verb="Copy"
              onCopied={() => setCopied((before) => new Set([...before, link ?? ""]))}
            />
          </div>
        </Section>
      ))}
    </>
  );
  return { add, shown, areKept: links.every(({ link }) => copied.has(link ?? "")) };
}

/** Invites a developer of a client. */
export function InviteButton({ onSent }: { onSent(sent: Sent): string }) {
  const clients = useClients();
  return (
    <ActionButton
      verb="Invite developer"
      role="admin"
      title="Invite a developer of a brand"
      text="The developer manages keys and webhooks of one client, and reads its feeds, requests, orders and stock. The link is valid once, for three days."
      fields={[
        {
          name: "clientId",
          label: "Client",
          kind: "select",
          isRequired: true,
          options: clients.map(({ clientId, name }) => ({
            value: clientId,
            label: name === clientId ? clientId : `${clientId} ${name}`,
          })),
        },
        { name: "address", label: "E-mail address", isRequired: true, placeholder: "dev@brand.example" },
      ]}
      run={({ clientId = "", address = "" }) =>
        api.POST("/invitation/create", { body: { clientId, address: address.trim() } })
      }
      done={onSent}
    />
  );
}

/** Invitations that are not accepted, with another link or the end of each. */
export function Invitations({ onSent }: { onSent(sent: Sent): string }) {
  const columns: readonly Column<Invitation>[] = [
    { key: "address", header: "E-mail address", width: 220 },
    { key: "clientId" },
    { key: "invitedBy", header: "Invited by", width: 140 },
    { key: "invitedAt", header: "Invited" },
    { key: "expiresAt", header: "Link ends" },
    {
      key: "mail",
      header: "Mail",
      width: 150,
      of: ({ mailedAt, mailError }) => mailError ?? (mailedAt === null ? "no mail server" : "accepted"),
    },
    {
      key: "actions",
      header: "Actions",
      width: 230,
      cell: ({ invitationId, address }) => {
        const params = { path: { invitationId } };
        return (
          <span className={styles.buttons}>
            <ActionButton
              verb="Send again"
              label={`Send again the invitation of ${address}`}
              role="admin"
              size="xs"
              title={`Send the invitation of ${address} again`}
              text="Another link is made, and the old one is no longer valid."
              run={() => api.POST("/invitation/resend/{invitationId}", { params })}
              done={onSent}
            />
            <ActionButton
              verb="Withdraw"
              label={`Withdraw the invitation of ${address}`}
              role="admin"
              size="xs"
              isDestructive
              title={`Withdraw the invitation of ${address}`}
              text="The link is no longer valid."
              run={() => api.DELETE("/invitation/delete/{invitationId}", { params })}
              done="The invitation was withdrawn."
            />
          </span>
        );
      },
    },
  ];
  return (
    <Section title="Invitations" note="Developers of brands who have not accepted. Expired ones are kept for 30 days.">
      <DataList
        id="invitations"
        label="Invitations"
        isPlain
        scope={noScope}
        columns={columns}
        fetchPage={pagesOf("/invitation/list")}
        rowId={({ invitationId }) => invitationId}
        height={220}
        empty={{ why: "No invitation is open." }}
      />
    </Section>
  );
}
