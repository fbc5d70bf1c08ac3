import { Table } from "@mantine/core";
import { useState } from "react";
import type { components } from "#operator";
import { api, unwrap } from "../../api.ts";
import { useAnswer } from "../../data.ts";
import { ActionButton } from "../../parts/actions/action-button.tsx";
import type { Values } from "../../parts/fields.tsx";
import { Loaded } from "../../parts/loading/loaded.tsx";
import { Section } from "../../parts/page/screen.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Time } from "../../parts/time.tsx";
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
    const { items } = await unwrap(api.PUT("/outboundChannel/set", { params: { query: { clientId } }, body }));
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

interface WaysTableProps {
  readonly clientId: string;
  readonly items: readonly Channels[];
  set(type: DocumentType, values: Values): Promise<void>;
}

function WaysTable({ clientId, items, set }: WaysTableProps) {
  const maySet = useMay("admin");
  return (
    <div className={styles.scroll}>
      <Table aria-label="Delivery methods of outbound feeds">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Feed</Table.Th>
            <Table.Th>Fetched over HTTP</Table.Th>
            <Table.Th>By SFTP</Table.Th>
            <Table.Th>Pushed to</Table.Th>
            <Table.Th>Push</Table.Th>
            <Table.Th>Last delivered</Table.Th>
            {maySet ? <Table.Th>Change</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ type, pull, sftp, push }) => (
            <Table.Tr key={type}>
              <Table.Td>
                <code>{type}</code> {typeWords[type]}
              </Table.Td>
              <Table.Td>{pull ? "yes" : "no"}</Table.Td>
              <Table.Td>{sftp ? "yes" : "no"}</Table.Td>
              <Table.Td className={styles.value ?? ""}>{push?.url ?? "–"}</Table.Td>
              <Table.Td>{push ? <StateBadge kind="webhook" state={push.status} /> : "–"}</Table.Td>
              <Table.Td>{push ? <Time at={push.lastSuccessAt} /> : "–"}</Table.Td>
              {maySet ? (
                <Table.Td>
                  <ActionButton
                    verb="Set methods"
                    label={`Set methods of ${type}`}
                    role="admin"
                    size="xs"
                    confirm={{
                      title: `Delivery methods of ${type} for ${clientId}`,
                      text: "Applies to new documents. Documents that wait for HTTP or SFTP stay available. Without a push, documents that wait for a push are not sent.",
                    }}
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
                </Table.Td>
              ) : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
