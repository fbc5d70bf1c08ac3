import { useState } from "react";
import type { components } from "#operator";
import { api } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import type { Values } from "../../parts/fields.tsx";
import type { Column } from "../../parts/list/data-list.tsx";
import { StaticList } from "../../parts/list/static-list.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { useMay } from "../../session.tsx";
import styles from "../clients/clients.module.css";

type Channels = components["schemas"]["OutboundChannels"];
type DocumentType = Channels["type"];

export const typeWords: Readonly<Record<DocumentType, string>> = {
  ACK: "Feed acknowledgements",
  GR: "Goods receipts",
  OS: "Order status",
  RS: "Return status",
  ADJ: "Inventory adjustments",
  INV: "Inventory snapshots",
  IMS: "Inventory movement statements",
};

/** The delivery channels of each type of outbound feed; at least one. */
export function OutboundChannels({ clientId }: { readonly clientId: string }) {
  const [secret, setSecret] = useState<{ readonly type: string; readonly text: string }>();
  const channels = useAnswer("/outboundChannel/list", { query: { clientId } });
  const set = async (type: DocumentType, values: Values) => {
    const url = values.url?.trim() ?? "";
    const body = {
      types: [type],
      pull: values.pull === "true",
      sftp: values.sftp === "true",
      ...(url === "" ? {} : { push: { url, newSecret: values.newSecret === "true" } }),
    };
    const { items } = await api.PUT("/outboundChannel/set", { params: { query: { clientId } }, body });
    const text = items[0]?.push?.signingSecret ?? undefined;
    setSecret(text === undefined ? undefined : { type, text });
  };
  return (
    <Loaded query={channels} what="The delivery methods" height={320}>
      {({ items }) => (
        <div className={styles.form}>
          {secret ? (
            <Section title={`Signing secret of ${secret.type}`}>
              <p className={styles.once}>Shown only now. Give it to the client over a private channel.</p>
              <pre className={styles.block}>{secret.text}</pre>
            </Section>
          ) : null}
          <WaysTable clientId={clientId} items={items} set={set} />
        </div>
      )}
    </Loaded>
  );
}

const columns: readonly Column<Channels>[] = [
  {
    key: "type",
    header: "Feed",
    width: 260,
    cell: ({ type }) => (
      <>
        <code>{type}</code> {typeWords[type]}
      </>
    ),
  },
  { key: "pull", header: "Fetched over HTTP", of: ({ pull }) => (pull ? "yes" : "no") },
  { key: "sftp", header: "By SFTP", width: 84, of: ({ sftp }) => (sftp ? "yes" : "no") },
  { key: "url", header: "Pushed to", width: 260, wraps: true, of: ({ push }) => push?.url },
  { key: "push", states: "webhook", header: "Push", of: ({ push }) => push?.status },
  { key: "lastSuccessAt", header: "Last delivered", of: ({ push }) => push?.lastSuccessAt },
];

interface WaysTableProps {
  readonly clientId: string;
  readonly items: readonly Channels[];
  set(type: DocumentType, values: Values): Promise<void>;
}

function WaysTable({ clientId, items, set }: WaysTableProps) {
  const change: Column<Channels> = {
    key: "change",
    header: "Change",
    cell: ({ type, pull, sftp, push }) => (
      <ActionButton
        verb="Set methods"
        label={`Set methods of ${type}`}
        role="admin"
        size="xs"
        title={`Delivery methods of ${type} for ${clientId}`}
        text="Applies to new documents. Documents that wait for HTTP or SFTP stay available. Without a push, documents that wait for a push are not sent."
        fields={[
          { name: "pull", label: "Fetched over HTTP", kind: "switch", initial: String(pull) },
          { name: "sftp", label: "By SFTP", kind: "switch", initial: String(sftp) },
          {
            name: "url",
            label: "Pushed to",
            initial: push?.url ?? "",
            description: "An http(s) address. Empty: no push.",
          },
          {
            name: "newSecret",
            label: "New signing secret",
            kind: "switch",
            description: "The previous secret also signs for 24 hours.",
          },
        ]}
        run={(values) => set(type, values)}
        done={`The delivery methods of ${type} were set.`}
      />
    ),
  };
  return (
    <StaticList
      id="outbound-channels"
      label="Delivery methods of outbound feeds"
      columns={useMay("admin") ? [...columns, change] : columns}
      rows={items}
      rowId={({ type }) => type}
      empty={{ why: "No outbound feeds." }}
    />
  );
}
