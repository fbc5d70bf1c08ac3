import { Button, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api.ts";
import { useClients, useFacilities } from "../../directory.ts";
import { linkTo } from "../../links.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Form } from "../../parts/form.tsx";
import { Go } from "../../parts/go.tsx";
import { Empty } from "../../parts/loading/empty.tsx";
import { sentenceOf } from "../../parts/loading/problem.tsx";
import { Screen, Section } from "../../parts/page/screen.tsx";
import { useScope } from "../../scope.ts";
import { useHasNoLimits, useMay } from "../../session.tsx";
import styles from "../clients/clients.module.css";
import { facilityOf, ownerName } from "./owner.tsx";
import { bodyOf, isWhole, type WebhookDraft, WebhookFields } from "./webhook-fields.tsx";

interface Made {
  readonly clientId: string;
  readonly webhookId: string;
  readonly signingSecret: string;
}

/** Creates a webhook of a client, or of the warehouse of a facility; its signing secret is shown once. */
export function NewWebhook() {
  const [made, setMade] = useState<Made>();
  const mayAdd = useMay("operator", true);
  return (
    <Screen title="Add webhook" lead="The receiver must answer with a 2xx status within 15 seconds.">
      <div className={`${styles.narrow} ${styles.form}`}>
        {mayAdd ? (
          made ? (
            <Secret made={made} />
          ) : (
            <WebhookForm onMade={setMade} />
          )
        ) : (
          <Empty why="A viewer cannot add webhooks." />
        )}
      </div>
    </Screen>
  );
}

function Secret({ made: { clientId, webhookId, signingSecret } }: { readonly made: Made }) {
  return (
    <Section title="Signing secret">
      <p className={styles.once}>Shown only now. Give it to the owner of the receiver over a private channel.</p>
      <pre className={styles.block}>{signingSecret}</pre>
      <div className={styles.buttons}>
        <CopyText text={signingSecret} verb="Copy" />
        <Go to={linkTo("webhook", clientId, webhookId)}>Open the webhook and send a test call</Go>
      </div>
    </Section>
  );
}

function WebhookForm({ onMade }: { readonly onMade: (made: Made) => void }) {
  const clients = useClients();
  const facilities = useFacilities();
  const seesFacilities = useHasNoLimits();
  const chosen = useScope().clientId;
  const [selected, setClientId] = useState<string>();
  const clientId = selected ?? chosen ?? (clients.length === 1 ? clients[0]?.clientId : undefined) ?? "";
  const [draft, setDraft] = useState<WebhookDraft>({
    description: "",
    topicNames: ["*"],
    facilityCode: "*",
    url: "",
    contentType: "application/json",
    httpSignature: false,
    emails: "",
  });
  // Clients and warehouses have different topics.
  const choose = (owner: string) => {
    setClientId(owner);
    setDraft({ ...draft, topicNames: ["*"], facilityCode: facilityOf(owner) ?? "*" });
  };
  const making = useMutation({
    mutationFn: () => {
      const description = draft.description.trim();
      const body = {
        ...bodyOf(draft),
        clientId,
        ...(description === "" ? {} : { description }),
      };
      return api.POST("/client/webhook/create", { params: { query: { clientId } }, body });
    },
    onSuccess: ({ webhookId, signingSecret }) => onMade({ clientId, webhookId, signingSecret }),
  });
  const { error } = making;
  return (
    <Section title="Address and topics">
      <Form submit={() => making.mutate()} className={styles.form}>
        <Select
          label={seesFacilities ? "Client or warehouse" : "Client"}
          required
          data={[
            {
              group: "Clients",
              items: clients.map(({ clientId: value, name }) => ({ value, label: `${value} ${name}` })),
            },
            {
              group: "Warehouses",
              items: (seesFacilities ? facilities : []).map(({ facilityCode, name }) => {
                const value = `facility:${facilityCode}`;
                return { value, label: `${ownerName(value)} ${name}` };
              }),
            },
          ]}
          value={clientId === "" ? null : clientId}
          onChange={(value) => choose(value ?? "")}
          searchable
          allowDeselect={false}
        />
        <WebhookFields clientId={clientId} draft={draft} error={error} onChange={setDraft} />
        {error === null ? null : (
          <p role="alert" className={styles.fault}>
            {sentenceOf(error)}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" size="xs" loading={making.isPending} disabled={clientId === "" || !isWhole(draft)}>
            Create webhook and show its secret
          </Button>
          <Go to="/webhooks">Back to the webhooks</Go>
        </div>
      </Form>
    </Section>
  );
}
